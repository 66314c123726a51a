//! Sets of small numbers as bits: moments a proposition is about, classes of moments a literal allows.

/// A subset of `0..size`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Bits {
    size: usize,
    words: Box<[u64]>,
}

impl Bits {
    /// The empty subset of `0..size`.
    pub(crate) fn none(size: usize) -> Self {
        Bits { size, words: vec![0; size.div_ceil(64)].into() }
    }

    /// The items that satisfy `wanted`.
    pub(crate) fn of(size: usize, mut wanted: impl FnMut(usize) -> bool) -> Self {
        let mut bits = Bits::none(size);
        (0..size).filter(|item| wanted(*item)).for_each(|item| bits.insert(item));
        bits
    }

    /// Whether `item` is in it.
    pub(crate) fn contains(&self, item: usize) -> bool {
        self.words.get(item / 64).is_some_and(|word| word >> (item % 64) & 1 == 1)
    }

    /// Puts `item` in.
    pub(crate) fn insert(&mut self, item: usize) {
        self.words[item / 64] |= 1 << (item % 64);
    }

    /// What is in both.
    pub(crate) fn and(&self, other: &Bits) -> Bits {
        self.zip(other, |word, other| word & other)
    }

    /// What is in one of the two.
    pub(crate) fn or(&self, other: &Bits) -> Bits {
        self.zip(other, |word, other| word | other)
    }

    /// What is not in it.
    pub(crate) fn not(&self) -> Bits {
        Bits::of(self.size, |item| !self.contains(item))
    }

    /// Whether nothing is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether everything is in it.
    pub(crate) fn is_full(&self) -> bool {
        (0..self.size).all(|item| self.contains(item))
    }

    fn zip(&self, other: &Bits, join: impl Fn(u64, u64) -> u64) -> Bits {
        let words = self.words.iter().zip(&other.words).map(|(word, other)| join(*word, *other)).collect();
        Bits { size: self.size, words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_joined_and_turned_round() {
        let even = Bits::of(70, |item| item % 2 == 0);
        assert!(even.contains(68) && !even.contains(69) && !even.contains(700));
        assert!(even.and(&even.not()).is_empty());
        assert!(even.or(&even.not()).is_full());
        assert!(Bits::none(0).is_full());
    }
}

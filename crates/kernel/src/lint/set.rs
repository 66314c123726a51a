//! A set of small numbers, as bits: lifelines that know something.

/// A subset of `0..size`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set {
    words: Vec<u64>,
}

impl Set {
    /// The empty subset of `0..size`.
    pub fn new(size: usize) -> Self {
        Set { words: vec![0; size.div_ceil(64)] }
    }

    /// Whether `item` is in it.
    pub fn contains(&self, item: usize) -> bool {
        self.words[item / 64] >> (item % 64) & 1 == 1
    }

    /// Puts `item` in.
    pub fn insert(&mut self, item: usize) {
        self.words[item / 64] |= 1 << (item % 64);
    }

    /// How many words of memory it takes: what a copy costs.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Puts everything of `other` in.
    pub fn unite(&mut self, other: &Set) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Keeps only what is in `other` too.
    pub fn intersect(&mut self, other: &Set) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_united_and_intersected() {
        let of = |items: &[usize]| {
            let mut set = Set::new(130);
            items.iter().for_each(|item| set.insert(*item));
            set
        };
        let mut set = of(&[0, 64, 129]);
        set.unite(&of(&[5]));
        set.intersect(&of(&[5, 64, 100]));
        assert_eq!(set, of(&[5, 64]));
        assert!(set.contains(5) && set.contains(64) && !set.contains(129));
        assert_eq!(set.words(), 3);
    }
}

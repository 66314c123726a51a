//! A set of small numbers, as bits: lifelines that know something.

/// A subset of `0..size`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct IndexSet {
    words: Vec<u64>,
}

impl IndexSet {
    /// The empty subset of `0..size`.
    pub(crate) fn new(size: usize) -> Self {
        IndexSet { words: vec![0; size.div_ceil(64)] }
    }

    /// Whether `item` is in it.
    pub(crate) fn contains(&self, item: usize) -> bool {
        self.words[item / 64] >> (item % 64) & 1 == 1
    }

    /// Puts `item` in.
    pub(crate) fn insert(&mut self, item: usize) {
        self.words[item / 64] |= 1 << (item % 64);
    }

    /// How many words of memory it takes: what a copy costs.
    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    /// What is in one of the two.
    pub(crate) fn union(&self, other: &IndexSet) -> IndexSet {
        IndexSet { words: self.words.iter().zip(&other.words).map(|(word, other)| word | other).collect() }
    }

    /// Whether everything in it is in `other` too.
    pub(crate) fn is_subset(&self, other: &IndexSet) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| word & !other == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_united_and_compared() {
        let of = |items: &[usize]| {
            let mut set = IndexSet::new(130);
            items.iter().for_each(|item| set.insert(*item));
            set
        };
        let set = of(&[0, 64]).union(&of(&[129]));
        assert_eq!(set, of(&[0, 64, 129]));
        assert!(set.contains(64) && !set.contains(63));
        assert!(of(&[64]).is_subset(&set) && !set.is_subset(&of(&[64])));
        assert_eq!(set.words(), 3);
    }
}

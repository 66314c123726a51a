//! Sets of states, as bits.

/// A set of states, which are small numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct StateSet(Vec<u64>);

impl StateSet {
    /// Returns the set of the numbers below `count`.
    pub fn below(count: usize) -> Self {
        (0..count).collect()
    }

    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    /// Adds the members of another set.
    pub fn join(&mut self, other: &StateSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, new)| *own |= new);
    }

    /// Whether a number is a member.
    pub fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Whether the set is empty. The last word is never 0, so that equal sets have equal words.
    pub(in crate::merge) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the members in ascending order.
    pub(in crate::merge) fn iter(&self) -> impl Iterator<Item = usize> {
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(bits)
    }

    /// Returns the set in which every number is one more.
    pub(super) fn raised(&self) -> StateSet {
        let mut raised = Vec::with_capacity(self.0.len() + 1);
        let mut carry = 0;
        for word in &self.0 {
            raised.push(word << 1 | carry);
            carry = word >> 63;
        }
        raised.extend((carry > 0).then_some(carry));
        StateSet(raised)
    }
}

impl FromIterator<usize> for StateSet {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut set = StateSet::default();
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_across_words() {
        let set: StateSet = [0, 63, 64, 130].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 130]);
        assert_eq!(set.raised().iter().collect::<Vec<_>>(), [1, 64, 65, 131]);
        assert!(set.contains(64) && !set.contains(65) && !set.contains(1000));
        assert!(
            StateSet::default().is_empty() && StateSet::below(0).is_empty() && !StateSet::below(1).is_empty()
        );
    }
}

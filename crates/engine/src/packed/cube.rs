//! Cubes: conjunctions of "this variable has this value", as one mask and one compare per word.
//!
//! Most guards are cubes altogether: this has not happened, that has, the choice fell this way. The negation of a cube, a
//! clause, is as cheap. Fields are compared whole, so two cubes contradict each other exactly if some word of theirs does.

use super::layout::Field;

/// A word of a cube: the masked bits must be the wanted ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WordTest {
    /// Which word.
    pub word: u32,
    /// The bits that matter.
    pub mask: u64,
    /// What they must be.
    pub want: u64,
}

impl WordTest {
    /// That a variable has a value of its domain.
    pub fn new(field: Field, value: i32) -> Self {
        WordTest { word: field.word, mask: field.mask, want: field.bits(value) }
    }

    /// Whether it holds in a state.
    #[inline]
    pub fn holds(&self, state: &[u64]) -> bool {
        state[self.word as usize] & self.mask == self.want
    }

    fn contradicts(&self, other: &WordTest) -> bool {
        self.word == other.word && (self.want ^ other.want) & self.mask & other.mask != 0
    }
}

/// A test in a guard: a word of a cube, or that a cube of one word does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GuardTest {
    /// Which word.
    pub(crate) word: u32,
    /// Whether the bits must be others.
    pub(crate) is_not: bool,
    /// The bits that matter.
    pub(crate) mask: u64,
    /// What they must be, or must not be.
    pub(crate) want: u64,
}

impl GuardTest {
    /// A test, or its negation.
    pub(crate) fn new(test: WordTest, is_not: bool) -> Self {
        GuardTest { word: test.word, is_not, mask: test.mask, want: test.want }
    }

    /// The test, without what is said of it.
    pub(crate) fn test(&self) -> WordTest {
        WordTest { word: self.word, mask: self.mask, want: self.want }
    }

    /// Whether it holds in a state.
    #[inline(always)]
    pub(crate) fn holds(&self, state: &[u64]) -> bool {
        (state[self.word as usize] & self.mask == self.want) != self.is_not
    }
}

/// Tests on different words, in the order of the words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cube(pub Vec<WordTest>);

impl Cube {
    /// That a variable has a value of its domain.
    pub fn literal(field: Field, value: i32) -> Self {
        match field.mask {
            0 => Cube::default(),
            _ => Cube(vec![WordTest::new(field, value)]),
        }
    }

    /// Both; `None` if they contradict each other.
    pub fn and(&self, other: &Cube) -> Option<Cube> {
        let mut both = self.clone();
        for test in &other.0 {
            match both.0.binary_search_by_key(&test.word, |known| known.word) {
                Ok(index) if both.0[index].contradicts(test) => return None,
                Ok(index) => {
                    both.0[index].mask |= test.mask;
                    both.0[index].want |= test.want;
                }
                Err(index) => both.0.insert(index, *test),
            }
        }
        Some(both)
    }

    /// Whether no state is in both.
    pub fn excludes(&self, other: &Cube) -> bool {
        let mut others = other.0.iter().peekable();
        self.0.iter().any(|test| {
            while others.next_if(|other| other.word < test.word).is_some() {}
            others.peek().is_some_and(|other| other.contradicts(test))
        })
    }

    /// The cube of its negation, if it is about a single bit.
    pub fn negated(&self) -> Option<Cube> {
        match self.0.as_slice() {
            [test] if test.mask.count_ones() == 1 => {
                Some(Cube(vec![WordTest { want: test.want ^ test.mask, ..*test }]))
            }
            _ => None,
        }
    }
}

//! Clauses of three and more literals, one after the other in one block of memory.
//!
//! A clause begins with its length and whether it was given up, and its rank: the number of levels on which its literals were
//! assigned when it was learned, 0 if it was given. What was given up stays until the block is written anew.

use super::code::LiteralCode;

/// Where a clause begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ClausePlace(pub u32);

/// Words before the literals of a clause.
const HEAD: usize = 2;
/// The bit of the first word that says that a clause was given up.
const GIVEN_UP: u32 = 1 << 31;

/// Clauses.
#[derive(Default)]
pub(super) struct ClauseArena {
    words: Vec<u32>,
    /// Words of clauses that were given up.
    wasted: usize,
}

impl ClauseArena {
    /// Adds a clause.
    pub(super) fn add(&mut self, literals: &[LiteralCode], rank: u32) -> ClausePlace {
        let place = ClausePlace(u32::try_from(self.words.len()).expect("fewer than 2^32 words"));
        self.words.extend([literals.len() as u32, rank]);
        self.words.extend(literals.iter().map(|literal| literal.0));
        place
    }

    /// The number of literals; `None` if the clause was given up.
    pub(super) fn length(&self, place: ClausePlace) -> Option<usize> {
        let head = self.words[place.0 as usize];
        (head & GIVEN_UP == 0).then_some(head as usize)
    }

    /// One of the literals.
    pub(super) fn literal(&self, place: ClausePlace, number: usize) -> LiteralCode {
        LiteralCode(self.words[place.0 as usize + HEAD + number])
    }

    /// All literals, as numbers.
    pub(super) fn literals(&mut self, place: ClausePlace, length: usize) -> &mut [u32] {
        let first = place.0 as usize + HEAD;
        &mut self.words[first..first + length]
    }

    /// The rank.
    pub(super) fn rank(&self, place: ClausePlace) -> u32 {
        self.words[place.0 as usize + 1]
    }

    /// Gives a clause up.
    pub(super) fn give_up(&mut self, place: ClausePlace) {
        if let Some(length) = self.length(place) {
            self.words[place.0 as usize] |= GIVEN_UP;
            self.wasted += HEAD + length;
        }
    }

    /// Whether much of the memory is wasted.
    pub(super) fn is_wasteful(&self) -> bool {
        self.wasted > 4_096 && 2 * self.wasted > self.words.len()
    }

    /// Writes the block anew without what was given up. From now on [`Self::moved`] tells where clauses have gone, until
    /// [`Self::settle`] is called.
    pub(super) fn compact(&mut self) -> Vec<u32> {
        let mut words = Vec::with_capacity(self.words.len() - self.wasted);
        let mut at = 0;
        while at < self.words.len() {
            let length = (self.words[at] & !GIVEN_UP) as usize;
            if self.words[at] & GIVEN_UP == 0 {
                let to = words.len() as u32;
                words.extend_from_slice(&self.words[at..at + HEAD + length]);
                self.words[at + 1] = to;
            }
            at += HEAD + length;
        }
        words
    }

    /// Where a clause has gone; `None` if it was given up.
    pub(super) fn moved(&self, place: ClausePlace) -> Option<ClausePlace> {
        self.length(place).map(|_| ClausePlace(self.words[place.0 as usize + 1]))
    }

    /// Takes the block that was written anew.
    pub(super) fn settle(&mut self, words: Vec<u32>) {
        self.words = words;
        self.wasted = 0;
    }
}

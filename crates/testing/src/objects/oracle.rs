//! All ways of something that has several: a function asks an [`Oracle`] wherever it may go this way or that, and is run
//! again until every combination of answers was given.

use std::collections::BTreeMap;

use sequent_kernel::model::{TransitionId, VertexId};

/// Answers to the questions of one run of a function.
#[derive(Default)]
pub struct Oracle {
    /// The answers so far, and how many there were to choose from.
    made: Vec<(usize, usize)>,
    next: usize,
    /// Which guard in prose is true at a source, for the current occasion; those of `any` apart.
    pub prose: BTreeMap<(VertexId, bool), Option<TransitionId>>,
}

impl Oracle {
    /// One of `ways` ways.
    pub fn choose(&mut self, ways: usize) -> usize {
        assert!(ways > 0, "there is a way");
        if self.next == self.made.len() {
            self.made.push((0, ways));
        }
        self.next += 1;
        self.made[self.next - 1].0
    }

    /// Goes on to the next combination; false after the last.
    fn advance(&mut self) -> bool {
        self.next = 0;
        self.prose.clear();
        while let Some((choice, ways)) = self.made.pop() {
            if choice + 1 < ways {
                self.made.push((choice + 1, ways));
                return true;
            }
        }
        false
    }
}

/// What a function says under all combinations of answers.
pub fn all<T>(mut ask: impl FnMut(&mut Oracle) -> T) -> Vec<T> {
    let mut oracle = Oracle::default();
    let mut said = vec![ask(&mut oracle)];
    while oracle.advance() {
        said.push(ask(&mut oracle));
    }
    said
}

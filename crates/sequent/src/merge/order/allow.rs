//! P4's function allow: the positions that an element may take in a merge (definition 4.2.3, corrected).
//!
//! What is fixed has one position. An element of a gap may come after all of its own side's earlier ones and before the
//! later ones, with any number of the other side's elements of the gap before it. The paper states it with numbers of
//! insertions before the closest original neighbours; its second case counts original messages too, which contradicts its
//! own table, and the neighbour after an element is looked up by a position that it does not have.

use std::ops::RangeInclusive;

use super::{Problem, Side, Slot};

/// An element of a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Name {
    /// The element in this slot.
    Fixed {
        /// The slot.
        slot: usize,
    },
    /// An element of a gap.
    Added {
        /// The slot.
        slot: usize,
        /// Who added it.
        side: Side,
        /// Its number there.
        number: usize,
    },
}

/// The positions, counted from 0, that each element may take.
pub fn allow(problem: &Problem) -> Vec<(Name, RangeInclusive<usize>)> {
    let mut allowed = Vec::new();
    let mut before = 0;
    for (slot, content) in problem.slots.iter().enumerate() {
        match content {
            Slot::Fixed(_) => {
                allowed.push((Name::Fixed { slot }, before..=before));
                before += 1;
            }
            Slot::Gap { ours, theirs } => {
                for (side, own, others) in [(Side::Ours, ours, theirs), (Side::Theirs, theirs, ours)] {
                    let places = (0..own.len()).map(|number| {
                        let least = before + number;
                        (Name::Added { slot, side, number }, least..=least + others.len())
                    });
                    allowed.extend(places);
                }
                before += ours.len() + theirs.len();
            }
        }
    }
    allowed
}

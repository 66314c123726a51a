//! P4's function allow: the positions that an element may take in a merge (definition 4.2.3, corrected).
//!
//! A fixed element has one position. An element of a gap may come after all earlier ones of its own side and before the
//! later ones, with any number of the other side's elements of the gap before it. The paper states it with numbers of
//! insertions before the closest original neighbours; its second case counts original messages too, which contradicts its
//! own table, and the neighbour after an element is looked up by a position that it does not have.

use std::ops::RangeInclusive;

use super::problem::{Added, OrderProblem, Segment};
use crate::merge::side::RevisionSide;

/// An element of a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum ElementName {
    /// The element of this segment.
    Fixed(usize),
    /// An addition.
    Added(Added),
}

/// Returns the positions, counted from 0, that each element may take.
pub(super) fn allow(problem: &OrderProblem) -> Vec<(ElementName, RangeInclusive<usize>)> {
    let mut allowed = Vec::new();
    let mut before = 0;
    for (segment, content) in problem.segments.iter().enumerate() {
        match content {
            Segment::Fixed(_) => {
                allowed.push((ElementName::Fixed(segment), before..=before));
                before += 1;
            }
            Segment::Gap(gap) => {
                for side in RevisionSide::BOTH {
                    let others = gap[side.other() as usize].len();
                    allowed.extend((0..gap[side as usize].len()).map(|number| {
                        let least = before + number;
                        (ElementName::Added(Added { segment, side, number }), least..=least + others)
                    }));
                }
                before += gap[0].len() + gap[1].len();
            }
        }
    }
    allowed
}

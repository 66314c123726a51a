//! Problems in which parts of gaps are conflicts: an order of the rest must suit both resolutions.
//!
//! A conflict is resolved by taking one side of it. So each lifeline is there once for each side: both read everything outside of the conflicts, and in a
//! conflict each reads what its own side has there. A merge of such a problem is an order of the rest that fits whichever side is taken.

use std::ops::Range;

use sequent_kernel::id::{Id, IdVec};

use super::problem::{AcceptorId, Added, OrderElement, OrderProblem, Segment};
use crate::merge::side::RevisionSide;

/// A part of a gap that is a conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::merge) struct Cut {
    /// The index of the gap among the segments.
    pub segment: usize,
    /// The additions of each side that are in the conflict; those before and after it keep their gap.
    pub ranges: [Range<usize>; 2],
}

impl OrderProblem {
    /// Returns a whole gap as a conflict.
    pub(in crate::merge) fn whole(&self, segment: usize) -> Cut {
        let lengths = self.segments[segment].gap().map(|gap| gap.each_ref().map(Vec::len));
        Cut { segment, ranges: lengths.unwrap_or_default().map(|length| 0..length) }
    }

    /// Returns the problem with parts of its gaps as conflicts; `readers` are the lifelines that must follow a side, and `is_old` tells which
    /// additions stay whatever side is taken.
    pub(in crate::merge) fn divided(
        &self,
        cuts: &[Cut],
        readers: &[(AcceptorId, RevisionSide)],
        is_old: &dyn Fn(Added) -> bool,
    ) -> OrderProblem {
        let acceptors: IdVec<AcceptorId, _> =
            readers.iter().map(|(id, _)| self.acceptors[*id].clone()).collect();
        let read_by = |element: &OrderElement, side: Option<RevisionSide>| -> OrderElement {
            let copies = |(id, symbol): &(AcceptorId, _)| {
                let own = readers.iter().enumerate();
                let own =
                    own.filter(move |(_, (known, of))| known == id && side.is_none_or(|side| side == *of));
                own.map(|(copy, _)| (AcceptorId::from_index(copy), *symbol)).collect::<Vec<_>>()
            };
            element.iter().flat_map(copies).collect()
        };
        let all = |elements: &[OrderElement]| -> Vec<OrderElement> {
            elements.iter().map(|element| read_by(element, None)).collect()
        };
        let mut segments = Vec::new();
        for (number, segment) in self.segments.iter().enumerate() {
            match (segment, cuts.iter().find(|cut| cut.segment == number)) {
                (Segment::Fixed(element), _) => segments.push(Segment::Fixed(read_by(element, None))),
                (Segment::Gap(gap), None) => {
                    segments.push(Segment::Gap(gap.each_ref().map(|own| all(own))));
                }
                (Segment::Gap(gap), Some(Cut { ranges, .. })) => {
                    let part = |range: fn(&Range<usize>, usize) -> Range<usize>| {
                        let own = |side: RevisionSide| {
                            let elements = &gap[side as usize];
                            all(&elements[range(&ranges[side as usize], elements.len())])
                        };
                        Segment::Gap(RevisionSide::BOTH.map(own))
                    };
                    let mut taken = OrderElement::new();
                    for side in RevisionSide::BOTH {
                        for from in [side, side.other()] {
                            for at in ranges[from as usize].clone() {
                                let added = Added { segment: number, side: from, number: at };
                                if from == side || is_old(added) {
                                    taken.extend(read_by(&gap[from as usize][at], Some(side)));
                                }
                            }
                        }
                    }
                    segments.push(part(|range, _| 0..range.start));
                    segments.push(Segment::Fixed(taken));
                    segments.push(part(|range, length| range.end..length));
                }
            }
        }
        OrderProblem { acceptors, segments }
    }
}

//! Choices inside of blocks that do more than put their content in sequence (`alt`, `loop`, `par`): what each lifeline accepts.
//!
//! There the order in which a lifeline receives is no word that an automaton reads, so its orders are tried. But each lifeline is asked alone, about
//! the messages that it receives: the others may be arranged in any way. The orders that it accepts become an [`Acceptor`] that
//! reads sides instead of messages, and everything else is as for choices outside of blocks.

use std::collections::HashMap;

use sequent_kernel::id::{Id, IdVec};

use super::search::{Fit, OrderSearch};
use super::trigger::DiagramProblem;
use crate::merge::order::{Acceptor, AcceptorId, OrderElement, OrderProblem, Segment, StateSet, SymbolId};
use crate::merge::side::{Interleaving, RevisionSide};

/// The longest order of one lifeline that is tried.
const MOST_LENGTH: usize = 400;

/// Makes the lifelines of a problem read sides; fails if not all of their orders could be tried.
pub(in crate::merge) fn read_sides(diagram: &mut DiagramProblem, search: &mut OrderSearch<'_>) -> bool {
    let mut acceptors = IdVec::new();
    let mut problem = diagram.problem.clone();
    problem.for_each_element(OrderElement::clear);
    for (number, limit) in diagram.limits.iter().enumerate() {
        let own = search.restrict_to(&limit.lifeline);
        let mut builder = AcceptorBuilder { search, nodes: Vec::new(), known: HashMap::new() };
        if own.len() > MOST_LENGTH {
            return false;
        }
        let Ok(start) = builder.node(&mut Interleaving::new()) else { return false };
        acceptors.push(builder.acceptor(start));
        let gaps = problem.segments.iter_mut().filter_map(Segment::gap_mut);
        for (choice, gap) in diagram.choices.iter().zip(gaps) {
            for side in RevisionSide::BOTH {
                for (at, element) in gap[side as usize].iter_mut().enumerate() {
                    if own.contains(&(*choice, side, at)) {
                        element.push((AcceptorId::from_index(number), SymbolId::from_index(side as usize)));
                    }
                }
            }
        }
    }
    diagram.problem = OrderProblem { acceptors, segments: problem.segments };
    // The states of the acceptors are no longer those of the machines.
    diagram.limits.iter_mut().for_each(|limit| limit.states.clear());
    true
}

/// Builds the minimal automaton of the orders that a lifeline accepts.
struct AcceptorBuilder<'b, 's> {
    search: &'b mut OrderSearch<'s>,
    nodes: Vec<[Option<usize>; 2]>,
    known: HashMap<[Option<usize>; 2], usize>,
}

/// There are too many orders to try.
struct TooMany;

impl AcceptorBuilder<'_, '_> {
    /// Returns the node of a beginning; `None` if no order with this beginning is accepted.
    fn node(&mut self, beginning: &mut Interleaving) -> Result<Option<usize>, TooMany> {
        let ways = self.search.ways(beginning);
        let mut next = [None, None];
        if ways == [false, false] {
            match self.search.fit(beginning) {
                Fit::Yes => {}
                Fit::No(_) => return Ok(None),
                Fit::Unknown(_) => return Err(TooMany),
            }
        } else {
            if ways == [true, true] && matches!(self.search.fit(beginning), Fit::No(_)) {
                return Ok(None);
            }
            if self.search.is_spent() {
                return Err(TooMany);
            }
            for side in RevisionSide::BOTH.into_iter().filter(|side| ways[*side as usize]) {
                beginning.push(side);
                next[side as usize] = self.node(beginning)?;
                beginning.pop();
            }
            if next == [None, None] {
                return Ok(None);
            }
        }
        let fresh = self.nodes.len();
        let node = *self.known.entry(next).or_insert(fresh);
        if node == fresh {
            self.nodes.push(next);
        }
        Ok(Some(node))
    }

    fn acceptor(&self, start: Option<usize>) -> Acceptor {
        let row = |side: RevisionSide| -> Vec<StateSet> {
            self.nodes.iter().map(|next| next[side as usize].into_iter().collect()).collect()
        };
        Acceptor {
            start: start.into_iter().collect(),
            moves: RevisionSide::BOTH.map(row).into_iter().collect(),
        }
    }
}

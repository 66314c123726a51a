//! Choices inside of blocks that do more than put their content in sequence (`alt`, `loop`, `par`): what each lifeline accepts.
//!
//! There the order in which a lifeline receives is no word that an automaton reads, so its orders are tried. But each lifeline is asked alone, about
//! what it receives itself: the others and what they receive may be arranged in any way. The orders that it accepts become an [`Acceptor`] that
//! reads sides instead of messages, and everything else goes on as for choices that stand in no block.

use std::collections::HashMap;

use sequent_kernel::id::{Id, IdVec};

use super::order::{Acceptor, Order, Problem, Set, Side, Slot, SymbolId, ThreadId};
use super::search::{Fit, Search, ways};
use super::trigger::Scene;

/// Longer orders of one lifeline are not tried.
const MOST_LENGTH: usize = 400;

/// Makes the lifelines of a scene read sides; whether all of their orders could be tried.
pub fn spell_out(scene: &mut Scene, search: &mut Search<'_>) -> bool {
    let mut threads = IdVec::new();
    let mut problem = scene.problem.clone();
    problem.forget();
    for (number, limit) in scene.limits.iter().enumerate() {
        let own = search.alone(&limit.lifeline);
        let mut grown = Grown { search, nodes: Vec::new(), known: HashMap::new() };
        if own.len() > MOST_LENGTH {
            return false;
        }
        let Ok(start) = grown.grow(&mut Order::new()) else { return false };
        threads.push(grown.acceptor(start));
        let gaps = problem.slots.iter_mut().filter_map(|slot| match slot {
            Slot::Gap { ours, theirs } => Some([(Side::Ours, ours), (Side::Theirs, theirs)]),
            Slot::Fixed(_) => None,
        });
        for (choice, sides) in scene.choices.iter().zip(gaps) {
            for (side, items) in sides {
                for (at, item) in items.iter_mut().enumerate() {
                    if own.contains(&(*choice, side, at)) {
                        item.push((ThreadId::from_index(number), SymbolId::from_index(side as usize)));
                    }
                }
            }
        }
    }
    scene.problem = Problem { threads, slots: problem.slots };
    // What they read are no states of machines any more.
    scene.limits.iter_mut().for_each(|limit| limit.states.clear());
    true
}

/// The smallest automaton of the orders that fit, as far as it has grown.
struct Grown<'g, 's> {
    search: &'g mut Search<'s>,
    nodes: Vec<[Option<usize>; 2]>,
    known: HashMap<[Option<usize>; 2], usize>,
}

/// Too many orders.
struct TooMany;

impl Grown<'_, '_> {
    /// The node of a beginning; `None` if nothing that begins so fits.
    fn grow(&mut self, beginning: &mut Order) -> Result<Option<usize>, TooMany> {
        let ways = ways(&self.search.sizes(), beginning);
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
            for side in Side::BOTH.into_iter().filter(|side| ways[*side as usize]) {
                beginning.push(side);
                next[side as usize] = self.grow(beginning)?;
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
        let row = |side: Side| -> Vec<Set> {
            self.nodes.iter().map(|next| next[side as usize].into_iter().collect()).collect()
        };
        Acceptor { start: start.into_iter().collect(), moves: Side::BOTH.map(row).into_iter().collect() }
    }
}

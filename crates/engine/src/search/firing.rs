//! Firing: the rules that fire in some run that comes to a proper end.
//!
//! An operand that can never run is one whose rules are not among them. The visited states are expanded once more, from
//! the last to the first: whoever leads to a state from which an end is reached, is such a state itself, and the rules of
//! that step fire. Steps mostly lead to later states, so one pass is nearly always enough; passes are repeated as long as
//! a state turns out to lead to an end after somebody has asked for it.
//!
//! With [`Reduction::Deadlocks`](super::Reduction::Deadlocks) the answer is still exact for runs that end where no step is
//! possible any more: each such run is there in another order, with the same rules. Where a proper end can be left again,
//! search without reduction.

use sequent_kernel::id::IdVec;
use sequent_kernel::system::RuleId;

use super::Search;
use super::expand::{Expander, Room};
use crate::store::{StateId, Store};

/// What is known of a visited state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// Nothing.
    None,
    /// Nothing, and a state before it has been expanded.
    Missed,
    /// An end is reached from it.
    Ends,
}

/// A mark for each visited state.
struct Marks(Vec<Vec<Mark>>);

impl Marks {
    fn new(store: &Store) -> Self {
        Marks(store.shards().iter().map(|shard| vec![Mark::None; shard.len()]).collect())
    }

    fn of(&mut self, id: StateId) -> &mut Mark {
        &mut self.0[id.shard()][id.local()]
    }
}

impl Search<'_> {
    /// For each rule whether it fires in a run, among the visited states, that ends complete.
    pub fn firing(&self) -> IdVec<RuleId, bool> {
        let system = self.program.system;
        let mut firing: IdVec<RuleId, bool> = system.rules.iter().map(|_| false).collect();
        let mut room = Room::default();
        let expander = self.expander(None);
        let mut marks = Marks::new(&self.store);
        let mut order: Vec<StateId> = self.store.ids().collect();
        // Later states of a shard were added later; this is nearly the order of the levels.
        order.sort_by_key(|id| std::cmp::Reverse(id.local()));
        for id in &order {
            if expander.holds(system.complete, self.store.state(*id), &mut room) {
                *marks.of(*id) = Mark::Ends;
            }
        }
        while self.pass(&expander, &order, &mut room, &mut marks, &mut firing) {}
        if let Some((first, steps)) = expander.first(&mut room) {
            if self.store.find(&first).is_some_and(|first| *marks.of(first) == Mark::Ends) {
                steps.iter().flat_map(|step| &step.0).for_each(|rule| firing[*rule] = true);
            }
        }
        firing
    }

    /// Expands all states once; whether it must be done again.
    fn pass(
        &self,
        expander: &Expander<'_>,
        order: &[StateId],
        room: &mut Room,
        marks: &mut Marks,
        firing: &mut IdVec<RuleId, bool>,
    ) -> bool {
        let mut again = false;
        for id in order {
            let mut reaches = false;
            expander.expand(self.store.state(*id), room, |next, way| {
                let Some(next) = self.store.find(next) else { return };
                match marks.of(next) {
                    Mark::Ends => {
                        reaches = true;
                        way.rules().for_each(|rule| firing[rule] = true);
                    }
                    mark @ (Mark::None | Mark::Missed) => *mark = Mark::Missed,
                }
            });
            let mark = marks.of(*id);
            if reaches && *mark != Mark::Ends {
                again |= *mark == Mark::Missed;
                *mark = Mark::Ends;
            }
        }
        again
    }
}

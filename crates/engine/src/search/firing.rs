//! Firing: the rules that fire in some run that comes to a proper end.
//!
//! An operand that can never run is one whose rules are not among them. The visited states are expanded once more, from
//! the last to the first: whoever leads to a state from which an end is reached, is such a state itself, and the rules of
//! that step fire. Steps mostly lead to later states, so one pass is nearly always enough; passes are repeated as long as
//! they find something new.
//!
//! With [`Reduction::Deadlocks`](super::Reduction::Deadlocks) the answer is still exact for runs that end where no step is
//! possible any more: each such run is there in another order, with the same rules. Where a proper end can be left again,
//! search without reduction.

use sequent_kernel::id::IdVec;
use sequent_kernel::system::RuleId;

use super::Search;
use super::expand::{Expander, Room};
use crate::store::{StateId, Store};

/// A mark for each visited state.
struct Marks(Vec<Vec<bool>>);

impl Marks {
    fn new(store: &Store) -> Self {
        Marks(store.shards().iter().map(|shard| vec![false; shard.len()]).collect())
    }

    fn has(&self, id: StateId) -> bool {
        self.0[id.shard()][id.local()]
    }

    fn set(&mut self, id: StateId) {
        self.0[id.shard()][id.local()] = true;
    }
}

impl Search<'_> {
    /// For each rule whether it fires in a run, among the visited states, that ends complete.
    pub fn firing(&self) -> IdVec<RuleId, bool> {
        let system = self.program.system;
        let mut firing: IdVec<RuleId, bool> = system.rules.iter().map(|_| false).collect();
        let mut room = Room::default();
        let expander = self.expander(None);
        let mut ends = Marks::new(&self.store);
        let mut order: Vec<StateId> = self.store.ids().collect();
        // Later states of a shard were added later; this is nearly the order of the levels.
        order.sort_by_key(|id| std::cmp::Reverse(id.local()));
        for id in &order {
            if expander.holds(system.complete, self.store.state(*id), &mut room) {
                ends.set(*id);
            }
        }
        while self.pass(&expander, &order, &mut room, &mut ends, &mut firing) {}
        if let Some((first, steps)) = expander.first(&mut room) {
            if self.store.find(&first).is_some_and(|first| ends.has(first)) {
                steps.iter().flat_map(|step| &step.0).for_each(|rule| firing[*rule] = true);
            }
        }
        firing
    }

    /// Expands all states once; whether an end is now known to be reached from a state that was passed before.
    fn pass(
        &self,
        expander: &Expander<'_>,
        order: &[StateId],
        room: &mut Room,
        ends: &mut Marks,
        firing: &mut IdVec<RuleId, bool>,
    ) -> bool {
        let mut is_new = false;
        for id in order {
            let mut reaches = false;
            expander.expand(self.store.state(*id), room, |next, way| {
                if self.store.find(next).is_some_and(|next| ends.has(next)) {
                    reaches = true;
                    way.rules().for_each(|rule| firing[rule] = true);
                }
            });
            if reaches && !ends.has(*id) {
                ends.set(*id);
                is_new = true;
            }
        }
        is_new
    }
}

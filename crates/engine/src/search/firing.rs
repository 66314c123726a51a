//! Firing: the rules that fire in some run that comes to a proper end.
//!
//! An operand that can never run is one whose rules are not among them. The visited states are expanded once more, and
//! for each it is written down from where and by which rules it is reached; then everything is followed backwards from the
//! ends. Both cost as much as there are transitions.
//!
//! The visited states are expanded as reduction would have it throughout: what that takes was visited, even where the search took
//! more. With [`Reduction::Deadlocks`](super::Reduction::Deadlocks) the answer is still exact for runs that end where no step is
//! possible any more: each such run is there in another order, with the same rules. Where a proper end can be left again,
//! search without reduction.

use sequent_kernel::id::IdVec;
use sequent_kernel::system::RuleId;

use super::Search;
use super::expand::{Expander, ExpansionScratch};
use crate::store::{StateId, Store};

/// Something for each visited state.
struct VisitMarks<T>(Vec<Vec<T>>);

impl<T: Clone> VisitMarks<T> {
    fn new(store: &Store, value: T) -> Self {
        VisitMarks(store.shards().iter().map(|shard| vec![value.clone(); shard.len()]).collect())
    }

    fn of(&mut self, id: StateId) -> &mut T {
        &mut self.0[id.shard()][id.local()]
    }
}

/// No transition.
const NONE: u32 = u32::MAX;

/// The transitions between the visited states, to be followed backwards.
struct BackwardSteps {
    /// For each state the last transition that leads to it.
    last: VisitMarks<u32>,
    /// For each transition where it comes from, and the one before it to the same state.
    transitions: Vec<(StateId, u32)>,
    /// The rules of all transitions, and where those of each end.
    rules: Vec<RuleId>,
    ends: Vec<usize>,
}

impl Search<'_> {
    /// For each rule whether it fires in a run, among the visited states, that ends complete.
    pub fn firing(&self) -> IdVec<RuleId, bool> {
        let system = self.program.system;
        let mut firing: IdVec<RuleId, bool> = system.rules.iter().map(|_| false).collect();
        let mut room = ExpansionScratch::default();
        let expander = self.expander(None);
        let mut backwards = self.backwards(&expander, &mut room);
        let mut is_seen = VisitMarks::new(&self.store, false);
        let mut open: Vec<StateId> = Vec::new();
        for id in self.store.ids() {
            if expander.holds(system.complete, self.store.state(id), &mut room) {
                *is_seen.of(id) = true;
                open.push(id);
            }
        }
        while let Some(id) = open.pop() {
            let mut transition = *backwards.last.of(id);
            while transition != NONE {
                let (from, earlier) = backwards.transitions[transition as usize];
                backwards.rules_of(transition).iter().for_each(|rule| firing[*rule] = true);
                if !std::mem::replace(is_seen.of(from), true) {
                    open.push(from);
                }
                transition = earlier;
            }
        }
        if let Some((first, steps)) = expander.first(&mut room) {
            if self.store.find(&first).is_some_and(|first| *is_seen.of(first)) {
                steps.iter().flat_map(|step| &step.0).for_each(|rule| firing[*rule] = true);
            }
        }
        firing
    }

    /// Expands all states once more.
    fn backwards(&self, expander: &Expander<'_>, room: &mut ExpansionScratch) -> BackwardSteps {
        let mut backwards = BackwardSteps {
            last: VisitMarks::new(&self.store, NONE),
            transitions: Vec::new(),
            rules: Vec::new(),
            ends: Vec::new(),
        };
        for id in self.store.ids() {
            expander.expand(self.store.state(id), room, |next, way| {
                let Some(next) = self.store.find(next) else { return };
                let number = backwards.transitions.len() as u32;
                let earlier = std::mem::replace(backwards.last.of(next), number);
                backwards.transitions.push((id, earlier));
                backwards.rules.extend(way.rules());
                backwards.ends.push(backwards.rules.len());
            });
        }
        backwards
    }
}

impl BackwardSteps {
    fn rules_of(&self, transition: u32) -> &[RuleId] {
        let number = transition as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rules[start..self.ends[number]]
    }
}

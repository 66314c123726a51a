//! Spaces: what a search by [levels](super::level) walks through.
//!
//! The states of a System are one ([`PlainSpace`]); these with what an observer remembers of the run beside them are another
//! ([`property`](crate::property)). A state is a number of words, so that one store keeps either.

use sequent_kernel::system::{Step, System};

use super::SearchGoal;
use super::expand::{Expander, ExpansionResult, ExpansionScratch};

/// States in words, where their steps lead, and which of them are looked for.
pub(crate) trait StateSpace: Copy + Send + Sync {
    /// What one thread needs while it expands states.
    type Room: Default + Send;

    /// Calls `visit` with each successor of a state; whether the state is what is looked for.
    fn expand(self, state: &[u64], room: &mut Self::Room, visit: impl FnMut(&[u64])) -> bool;

    /// The steps from a state to one of its successors, and the state that they lead to, for which the successor stands.
    fn steps(self, state: &[u64], next: &[u64], room: &mut Self::Room) -> Option<(Vec<Step>, Vec<u64>)>;

    /// How many rules are looked at in a state.
    fn rules(self) -> usize;

    /// What a thread has seen of the System.
    fn seen(room: &mut Self::Room) -> &mut ExpansionScratch;

    /// The same space, with steps left out or without.
    fn reduced(self, is_reduced: bool) -> Self;
}

/// The steps along kept states, from one of those that a search begins with, each with the steps before it; `None` if one of
/// them does not lead to the next.
pub(crate) fn along<'s, S: StateSpace>(
    space: S,
    first: &[(Vec<u64>, Vec<Step>)],
    mut states: impl Iterator<Item = &'s [u64]>,
) -> Option<Vec<Step>> {
    // Without reduction every step of a state is seen again, and the one that was taken among them.
    let (space, mut room) = (space.reduced(false), S::Room::default());
    let before = states.next()?;
    let (mut before, mut steps) = first.iter().find(|(state, _)| state == before)?.clone();
    for state in states {
        let (taken, reached) = space.steps(&before, state, &mut room)?;
        steps.extend(taken);
        before = reached;
    }
    Some(steps)
}

/// The states of a System.
#[derive(Clone, Copy)]
pub(crate) struct PlainSpace<'a> {
    /// Where their steps lead.
    pub expander: Expander<'a>,
    /// What is looked for.
    pub quest: SearchGoal,
}

impl PlainSpace<'_> {
    /// Whether a state is what is looked for.
    fn is_wanted(self, found: ExpansionResult, state: &[u64], room: &mut ExpansionScratch) -> bool {
        let system: &System = self.expander.program.system;
        let is_candidate = match self.quest {
            SearchGoal::Goal(_) => found.is_goal,
            SearchGoal::Stuck => !found.has_step && !self.expander.holds(system.complete, state, room),
            SearchGoal::Everything => false,
        };
        is_candidate && !self.expander.holds(system.void, state, room)
    }
}

impl StateSpace for PlainSpace<'_> {
    type Room = ExpansionScratch;

    #[inline]
    fn expand(self, state: &[u64], room: &mut ExpansionScratch, mut visit: impl FnMut(&[u64])) -> bool {
        let found = self.expander.expand(state, room, |next, _| visit(next));
        self.is_wanted(found, state, room)
    }

    fn steps(
        self,
        state: &[u64],
        next: &[u64],
        room: &mut ExpansionScratch,
    ) -> Option<(Vec<Step>, Vec<u64>)> {
        let mut taken = None;
        self.expander.expand(state, room, |reached, way| {
            if taken.is_none() && reached == next {
                taken = Some((way.steps().collect(), next.to_vec()));
            }
        });
        taken
    }

    fn rules(self) -> usize {
        self.expander.program.system.rules.len()
    }

    fn seen(room: &mut ExpansionScratch) -> &mut ExpansionScratch {
        room
    }

    fn reduced(self, is_reduced: bool) -> Self {
        let stubborn = self.expander.stubborn.filter(|_| is_reduced);
        PlainSpace { expander: Expander { stubborn, ..self.expander }, ..self }
    }
}

//! A part of a distributed search: expands states one at a time, and leaves the storing to the caller.
//!
//! A worker of a cluster owns some of the states, and sends successors to their owners. The same steps are
//! taken as in a [`Search`](super::Search), in the same order.

use sequent_kernel::replay::Run;
use sequent_kernel::system::TermId;

use super::budget::Tally;
use super::expand::{Expander, Room};
use super::space::{Plain, Space, along};
use super::stubborn::Stubborn;
use super::{Quest, Reduction};
use crate::packed::Program;

/// Expands states that the caller stores.
pub struct Part<'a> {
    program: &'a Program<'a>,
    quest: Quest,
    stubborn: Option<Stubborn>,
    room: Room,
}

impl<'a> Part<'a> {
    /// Ready to expand states of a program.
    pub fn new(program: &'a Program<'a>, quest: Quest, reduction: Reduction) -> Self {
        let stubborn = match reduction {
            Reduction::None => None,
            Reduction::Deadlocks => Some(Stubborn::new(program)),
        };
        Part { program, quest, stubborn, room: Room::default() }
    }

    /// The first state that is kept; `None` if no run counts.
    pub fn first(&mut self) -> Option<Vec<u64>> {
        let expander = Expander { program: self.program, stubborn: None, goal: self.goal() };
        expander.first(&mut self.room).map(|(state, _)| state)
    }

    /// Calls `visit` with each successor; whether the state is what is looked for. Steps are left out only if `is_reduced`.
    pub fn expand(&mut self, state: &[u64], is_reduced: bool, mut visit: impl FnMut(&[u64])) -> bool {
        let stubborn = self.stubborn.as_ref().filter(|_| is_reduced);
        let expander = Expander { program: self.program, stubborn, goal: self.goal() };
        Plain { expander, quest: self.quest }.expand(state, &mut self.room, &mut visit)
    }

    /// Whether a state was strained since this was asked last.
    pub fn take_strained(&mut self) -> bool {
        std::mem::take(&mut self.room.is_strained)
    }

    /// What was left out since this was asked last.
    pub fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.room.tally)
    }

    /// The run along kept states, from where runs begin; `None` if one of them does not lead to the next.
    pub fn run_along(&self, path: &[Vec<u64>]) -> Option<Run> {
        let expander = Expander { program: self.program, stubborn: None, goal: self.goal() };
        let first = [expander.first(&mut Room::default())?];
        let space = Plain { expander, quest: self.quest };
        let steps = along(space, &first, path.iter().map(Vec::as_slice))?;
        Some(Run { steps, cycle: None })
    }

    fn goal(&self) -> Option<TermId> {
        match self.quest {
            Quest::Goal(goal) => Some(goal),
            Quest::Stuck | Quest::Everything => None,
        }
    }
}

//! Search: the states of a System, on all cores.
//!
//! Breadth first, level by level, so that the first run found is a shortest one. A level is taken in rounds of a fixed
//! number of states. In each round all cores first [expand] their part of the states and sort the successors by
//! shard; then they share the shards, and each adds what belongs there in the order of the parents ([`level`]). So numbers,
//! parents and answers are the same however many threads there are.
//!
//! What is searched is a [`SearchGoal`]; how much may be left out is a [`Reduction`], as long as that saves
//! something ([`budget`]). The search reads no clock: the caller watches the [`Progress`] and stops it.

pub(crate) mod accord;
mod budget;
pub(crate) mod expand;
mod firing;
mod level;
mod probe;
mod runs;
pub(crate) mod space;
pub(crate) mod stubborn;

pub use crate::explore::{Limits, Progress, ProgressWatch, unwatched};
pub use budget::{OmissionTally, ReductionBudget};
pub use level::round_of;
pub use probe::{DeadlockMet, probe};
pub use runs::runs;
pub use sequent_kernel::verdict::SearchStop;

use std::ops::ControlFlow;

use sequent_kernel::replay::Run;
use sequent_kernel::system::{Config, Step, TermId};

use crate::explore::{Exploration, explore};
use crate::packed::Program;
use crate::store::{StateId, Store};
use expand::{Expander, ExpansionScratch};
use level::SearchLevel;
use space::{PlainSpace, StateSpace, along};
use stubborn::Stubborn;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchGoal {
    /// A state in which a predicate holds. Only to be asked without reduction.
    Goal(TermId),
    /// A state without any step that is no proper end.
    Stuck,
    /// Nothing: all states are visited.
    Everything,
}

/// Which steps may be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// None: every state is visited.
    None,
    /// Those without which every state that has no step is still reached, by the same rules in another order.
    Deadlocks,
}

/// How a search goes about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// Which steps may be left out.
    pub reduction: Reduction,
    /// How far it may go.
    pub limits: Limits,
    /// How many threads work; answers do not depend on it.
    pub threads: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        SearchOptions { reduction: Reduction::None, limits: Limits::default(), threads }
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchAnswer {
    /// A shortest run to what was looked for.
    Found(Run),
    /// There is none.
    Exhausted,
    /// Not decided.
    Stopped(SearchStop),
}

/// A finished search.
pub struct Search<'a> {
    /// What it found.
    pub answer: SearchAnswer,
    /// How far it went.
    pub progress: Progress,
    /// Whether a visited state was strained: the system has fewer runs than the diagram.
    pub is_strained: bool,
    program: &'a Program<'a>,
    stubborn: Option<Stubborn>,
    store: Store,
}

impl<'a> Search<'a> {
    /// Searches a system.
    pub fn run(
        program: &'a Program<'a>,
        quest: SearchGoal,
        options: &SearchOptions,
        watch: ProgressWatch<'_>,
    ) -> Self {
        let stubborn = match options.reduction {
            Reduction::None => None,
            Reduction::Deadlocks => Some(Stubborn::new(program)),
        };
        let goal = match quest {
            SearchGoal::Goal(goal) => Some(goal),
            SearchGoal::Stuck | SearchGoal::Everything => None,
        };
        let expander = Expander { program, stubborn: stubborn.as_ref(), goal };
        let mut room = ExpansionScratch::default();
        let first = expander.first(&mut room);
        let mut visited = Visited::new(program.words());
        visited.is_strained = room.is_strained;
        let answer = match first {
            Some(first) => {
                let (space, first) = (PlainSpace { expander, quest }, [first]);
                match visited.search(space, &first, options, watch) {
                    Ok(Some(found)) => SearchAnswer::Found(visited.run_to(space, &first, found)),
                    Ok(None) => SearchAnswer::Exhausted,
                    Err(stop) => SearchAnswer::Stopped(stop),
                }
            }
            None => SearchAnswer::Exhausted,
        };
        let Visited { store, progress, is_strained } = visited;
        Search { answer, progress, is_strained, program, stubborn, store }
    }

    fn expander(&self, goal: Option<TermId>) -> Expander<'_> {
        Expander { program: self.program, stubborn: self.stubborn.as_ref(), goal }
    }

    /// The visited states.
    pub fn configs(&self) -> impl Iterator<Item = Config> + '_ {
        self.store.ids().map(|id| self.program.layout.unpack(self.store.state(id)))
    }
}

/// States of a space that were visited.
pub(crate) struct Visited {
    /// The states.
    pub store: Store,
    /// How far the search went.
    pub progress: Progress,
    /// Whether one was strained.
    pub is_strained: bool,
}

impl Visited {
    /// An empty store for states of `words` words.
    pub(crate) fn new(words: usize) -> Self {
        Visited { store: Store::new(words), progress: Progress::default(), is_strained: false }
    }

    /// Visits states from some first ones on, each with the steps that lead there, until one is found that is looked for.
    pub(crate) fn search<S: StateSpace>(
        &mut self,
        space: S,
        first: &[(Vec<u64>, Vec<Step>)],
        options: &SearchOptions,
        watch: ProgressWatch<'_>,
    ) -> Result<Option<StateId>, SearchStop> {
        for (state, _) in first {
            self.store.add_first(state);
        }
        self.progress.states = self.store.len();
        let limits = Limits { states: options.limits.states.min(Store::MOST), ..options.limits };
        let level = SearchLevel::new(&self.store, space.rules(), options.threads);
        let mut rounds = LevelRounds {
            visited: self,
            space,
            level,
            budget: ReductionBudget::default(),
            expanded: (0, OmissionTally::default()),
        };
        explore(&mut rounds, &limits, watch)
    }

    /// The run that led to a state, with all steps between the states that were kept.
    pub(crate) fn run_to<S: StateSpace>(
        &self,
        space: S,
        first: &[(Vec<u64>, Vec<Step>)],
        id: StateId,
    ) -> Run {
        self.way_to(space, first, id).expect("a state is reached from its parent")
    }

    /// The same; `None` if a state does not lead to the next where others stand for them.
    pub(crate) fn way_to<S: StateSpace>(
        &self,
        space: S,
        first: &[(Vec<u64>, Vec<Step>)],
        id: StateId,
    ) -> Option<Run> {
        let mut path = vec![id];
        while let Some(parent) = self.store.parent(path[path.len() - 1]) {
            path.push(parent);
        }
        path.reverse();
        let states = path.iter().map(|id| self.store.state(*id));
        Some(Run { steps: along(space, first, states)?, cycle: None })
    }
}

/// The levels of a search, in rounds: all cores expand the states of a round.
struct LevelRounds<'s, S: StateSpace> {
    visited: &'s mut Visited,
    space: S,
    level: SearchLevel<S::Room>,
    budget: ReductionBudget,
    /// How many states of the level were expanded, and what was left out there.
    expanded: (usize, OmissionTally),
}

impl<S: StateSpace> Exploration for LevelRounds<'_, S> {
    type Found = StateId;

    const VISITS: usize = 1;

    fn is_over(&self) -> bool {
        self.level.is_over()
    }

    fn visit(&mut self) -> ControlFlow<StateId> {
        let Visited { store, progress, is_strained } = &mut *self.visited;
        let round = self.level.round(self.space.reduced(self.budget.is_on()), store);
        self.expanded.0 += round.states;
        self.expanded.1 += round.tally;
        *is_strained |= round.is_strained;
        progress.transitions += round.transitions;
        progress.states = store.len();
        progress.bytes = store.bytes();
        round.found.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    fn next_level(&mut self) -> ControlFlow<StateId, bool> {
        let (states, tally) = std::mem::take(&mut self.expanded);
        self.budget.learn(states, tally);
        let is_next = self.level.next(&self.visited.store);
        self.visited.progress.depth += usize::from(is_next);
        ControlFlow::Continue(is_next)
    }

    fn progress(&self) -> Progress {
        self.visited.progress
    }
}

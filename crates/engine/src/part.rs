//! A part of a distributed search: expands states one at a time, and leaves the storing to the caller.
//!
//! A worker of a cluster owns some of the states, and sends successors to their owners. The same steps are
//! taken as in a [`Search`](crate::search::Search), or in the product with the automaton of a
//! [formula](crate::property::observed), in the same order. Once all states of the product are stored, a [`CycleExpander`] tells what
//! their steps [meet](crate::property::rounds), so that workers find where runs go on forever.

use sequent_kernel::property::ltl::LtlAutomaton;
use sequent_kernel::replay::Run;
use sequent_kernel::system::{Step, TermId};

use crate::graph::StateGraph;
use crate::packed::Program;
use crate::property::CycleSteps;
use crate::property::observed::{self, ObservedStates};
use crate::property::rounds::{RoundScratch, RoundStates, Rounds};
pub use crate::property::rounds::{RoundTrip, StateNeeds};
use crate::search::expand::{Expander, ExpansionScratch};
use crate::search::space::{PlainSpace, StateSpace, along};
use crate::search::stubborn::Stubborn;
use crate::search::{OmissionTally, Reduction, SearchGoal};

/// What the workers look for.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// A state.
    State(SearchGoal, Reduction),
    /// A run that violates a formula: [`is_enough`](observed::is_enough) holds.
    Violation(&'a LtlAutomaton),
    /// A run that violates a formula and ends; runs that go on forever are looked for afterwards.
    Ended(&'a LtlAutomaton),
    /// A way round that violates a formula if it is repeated forever.
    Round(&'a LtlAutomaton, &'a RoundTrip),
}

/// Expands states that the caller stores.
pub struct StateExpander<'a> {
    program: &'a Program<'a>,
    looks: ExpandedSpace<'a>,
}

/// The states that are expanded, and what that needs.
enum ExpandedSpace<'a> {
    Plain { quest: SearchGoal, stubborn: Option<Box<Stubborn>>, room: Box<ExpansionScratch> },
    Observed { space: Box<ObservedStates<'a>>, room: Box<observed::ObservedScratch> },
    Round { space: Box<RoundStates<'a>>, room: Box<RoundScratch> },
}

impl<'a> StateExpander<'a> {
    /// Ready to expand states of a program; `None` if too much is demanded of runs that go on forever.
    pub fn new(program: &'a Program<'a>, wanted: Wanted<'a>) -> Option<Self> {
        let looks = match wanted {
            Wanted::State(quest, reduction) => {
                let stubborn = match reduction {
                    Reduction::None => None,
                    Reduction::Deadlocks => Some(Box::new(Stubborn::new(program))),
                };
                ExpandedSpace::Plain { quest, stubborn, room: Box::default() }
            }
            Wanted::Violation(automaton) => ExpandedSpace::Observed {
                space: Box::new(ObservedStates::new(program, automaton)),
                room: Box::default(),
            },
            Wanted::Ended(automaton) => ExpandedSpace::Observed {
                space: Box::new(ObservedStates::new(program, automaton).before_cycles()),
                room: Box::default(),
            },
            Wanted::Round(automaton, trip) => ExpandedSpace::Round {
                space: Box::new(RoundStates::new(program, automaton, trip)?),
                room: Box::default(),
            },
        };
        Some(StateExpander { program, looks })
    }

    /// The bits in use of each word of a state.
    pub fn masks(&self) -> Vec<u64> {
        match &self.looks {
            ExpandedSpace::Plain { .. } => self.program.layout.masks(),
            ExpandedSpace::Observed { space, .. } => space.masks(),
            ExpandedSpace::Round { space, .. } => space.masks(),
        }
    }

    /// The first states that are kept; none if no run counts.
    pub fn first(&mut self) -> Vec<Vec<u64>> {
        let states = |first: Vec<(Vec<u64>, Vec<Step>)>| first.into_iter().map(|(state, _)| state).collect();
        match &mut self.looks {
            ExpandedSpace::Plain { quest, room, .. } => {
                states(plain(self.program, *quest, None).first(room).into_iter().collect())
            }
            ExpandedSpace::Observed { space, room } => states(space.first(&mut room.seen.is_strained)),
            ExpandedSpace::Round { space, .. } => vec![space.first()],
        }
    }

    /// Calls `visit` with each successor; whether the state is what is looked for. Steps are left out only if `is_reduced`.
    pub fn expand(&mut self, state: &[u64], is_reduced: bool, visit: impl FnMut(&[u64])) -> bool {
        match &mut self.looks {
            ExpandedSpace::Plain { quest, stubborn, room } => {
                let stubborn = stubborn.as_deref().filter(|_| is_reduced);
                let expander = plain(self.program, *quest, stubborn);
                PlainSpace { expander, quest: *quest }.expand(state, room, visit)
            }
            ExpandedSpace::Observed { space, room } => (&**space).expand(state, room, visit),
            ExpandedSpace::Round { space, room } => (&**space).expand(state, room, visit),
        }
    }

    /// Whether a state was strained since this was asked last.
    pub fn take_strained(&mut self) -> bool {
        std::mem::take(&mut self.seen().is_strained)
    }

    /// What was left out since this was asked last.
    pub fn take_tally(&mut self) -> OmissionTally {
        std::mem::take(&mut self.seen().tally)
    }

    fn seen(&mut self) -> &mut ExpansionScratch {
        match &mut self.looks {
            ExpandedSpace::Plain { room, .. } => room,
            ExpandedSpace::Observed { room, .. } => &mut room.seen,
            ExpandedSpace::Round { room, .. } => &mut room.observed.seen,
        }
    }

    /// Whether it must be known which runs go on forever unseen: the search does not decide then.
    pub fn is_open(&self) -> bool {
        match &self.looks {
            ExpandedSpace::Plain { .. } | ExpandedSpace::Round { .. } => false,
            ExpandedSpace::Observed { space, .. } => space.is_open(),
        }
    }

    /// The steps along kept states, from where runs begin; `None` if one of them does not lead to the next.
    pub fn steps_along(&self, path: &[Vec<u64>]) -> Option<Vec<Step>> {
        let states = path.iter().map(Vec::as_slice);
        match &self.looks {
            ExpandedSpace::Plain { quest, .. } => {
                let expander = plain(self.program, *quest, None);
                let first = [expander.first(&mut ExpansionScratch::default())?];
                along(PlainSpace { expander, quest: *quest }, &first, states)
            }
            ExpandedSpace::Observed { space, .. } => along(&**space, &space.first(&mut false), states),
            ExpandedSpace::Round { space, .. } => along(&**space, &[(space.first(), Vec::new())], states),
        }
    }

    /// The run along kept states, from where runs begin; `None` if one of them does not lead to the next, or the last to no end
    /// of a run.
    pub fn run_along(&self, path: &[Vec<u64>], graph: &mut StateGraph<'_>) -> Option<Run> {
        let mut steps = self.steps_along(path)?;
        let cycle = match &self.looks {
            ExpandedSpace::Plain { .. } => None,
            ExpandedSpace::Observed { space, .. } => {
                steps.extend(space.rest(path.last()?, graph)?);
                None
            }
            ExpandedSpace::Round { .. } => Some(0),
        };
        Some(Run { steps, cycle })
    }
}

/// Tells what steps of the product with the automaton of a formula meet.
pub struct CycleExpander<'a> {
    rounds: Rounds<'a>,
    words: usize,
    room: RoundScratch,
}

impl<'a> CycleExpander<'a> {
    /// Ready for the steps of a program; `None` if no infinite run counts, or too much is demanded of them.
    pub fn new(program: &'a Program<'a>, automaton: &'a LtlAutomaton, steps: CycleSteps) -> Option<Self> {
        let rounds = Rounds::new(program, automaton, steps)?;
        let words = rounds.states().words();
        Some(CycleExpander { rounds, words, room: RoundScratch::default() })
    }

    /// What a cycle must meet: strong fairness aside, and the bits of that.
    pub fn needs(&self) -> (u64, u64) {
        self.rounds.needs()
    }

    /// Looks at a state and its steps; what the state meets, or nothing if no cycle leads through it.
    pub fn expand(&mut self, state: &[u64]) -> Option<StateNeeds> {
        self.room.list(&self.rounds, state)
    }

    /// The successors of the state that was looked at last, each with what the step there meets.
    pub fn successors(&self) -> impl Iterator<Item = (&[u64], u64)> {
        self.room.listed(self.words)
    }
}

fn plain<'p>(program: &'p Program<'p>, quest: SearchGoal, stubborn: Option<&'p Stubborn>) -> Expander<'p> {
    let goal: Option<TermId> = match quest {
        SearchGoal::Goal(goal) => Some(goal),
        SearchGoal::Stuck | SearchGoal::Everything => None,
    };
    Expander { program, stubborn, goal }
}

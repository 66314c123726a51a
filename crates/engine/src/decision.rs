//! Decisions: the answer of an engine to a case, and its evidence.

use std::ops::ControlFlow;

use sequent_kernel::property::scenario::Stance;
use sequent_kernel::question::Case;
use sequent_kernel::verdict::{Cost, Reason, SearchStop};

use crate::graph::StateGraph;
use crate::property::Furthest;
use crate::sat::encode::question::EncodedQuestion;
use crate::sat::outcome::ExclusionReason;
use crate::sat::solver;
use crate::search::{Limits, Progress, ProgressWatch, SearchAnswer};

/// What an engine found out about a case.
#[derive(Clone)]
pub struct Decision<'c> {
    /// A run, or nothing, or no answer.
    pub answer: SearchAnswer,
    /// The engine that answered.
    pub engine: &'static str,
    /// Whether a run that was found is known to be a shortest.
    pub is_shortest: bool,
    /// Why there is no run, if that was not found by looking at all states.
    pub ground: Option<Ground>,
    /// How many states a search visited.
    pub states: usize,
    /// What else it took.
    pub cost: Cost,
    /// Whether some run breaks off: the System has fewer runs than the diagram.
    pub is_truncated: bool,
    /// Whether the observer accepts every run that it should.
    pub is_exact: bool,
    /// How far a run gets, where none gets to the end.
    pub furthest: Option<Furthest<Stance>>,
    /// Why there is no answer, where more is known than that a search stopped.
    pub reason: Option<Reason>,
    /// The case as clauses, where a solver answered.
    pub clauses: Option<EncodedQuestion<'c>>,
}

/// Why there is no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    /// No run of up to this many positions; the question asks for longer ones too.
    Bounded(usize),
    /// No run of up to this many positions, and the question asks for no longer ones.
    Enough(usize),
    /// No attempt gets to its end that begins within this many positions, and the question asks for no others; how long an attempt
    /// takes does not matter.
    Begins(usize),
    /// An argument for runs of any length.
    Argument(ExclusionReason),
}

impl Decision<'_> {
    /// What an engine says that gives no reason.
    pub fn of(engine: &'static str, answer: SearchAnswer) -> Self {
        Decision {
            answer,
            engine,
            is_shortest: false,
            ground: None,
            states: 0,
            cost: Cost::default(),
            is_truncated: false,
            is_exact: true,
            furthest: None,
            reason: None,
            clauses: None,
        }
    }

    /// No answer, for a reason.
    pub fn none(engine: &'static str, reason: Reason) -> Self {
        Decision { reason: Some(reason), ..Decision::of(engine, SearchAnswer::Stopped(SearchStop::Watch)) }
    }

    /// With how far a search of the states went. Its steps are counted where it visited all states: where it found something, how
    /// many it had taken by then depends on how it went.
    pub fn after(self, progress: &Progress) -> Self {
        let is_whole = self.answer == SearchAnswer::Exhausted;
        let transitions = is_whole.then_some(progress.transitions);
        let cost = Cost { transitions, bytes: progress.bytes, ..self.cost };
        Decision { states: progress.states, cost, ..self }
    }

    /// Whether there is an answer.
    pub fn is_decided(&self) -> bool {
        !matches!(self.answer, SearchAnswer::Stopped(_))
    }

    /// Why there is no answer; `None` if there is one.
    pub fn obstacle(&self) -> Option<Reason> {
        match self.answer {
            SearchAnswer::Stopped(stop) => {
                Some(self.reason.clone().unwrap_or(Reason::Stopped(stop, self.states)))
            }
            SearchAnswer::Found(_) | SearchAnswer::Exhausted => None,
        }
    }
}

/// Something that decides cases: the engines of this crate, an outside tool.
pub trait Engine {
    /// The name of the engine, in options and reports.
    fn name(&self) -> &'static str;

    /// Decides a case; `graph` holds the states of its System that are known already.
    fn decide<'c>(
        &self,
        case: &'c Case,
        graph: &mut StateGraph<'_>,
        options: &EngineOptions<'_>,
    ) -> Decision<'c>;

    /// Whether each question has an equal part of the time: the engine may take all of it for one.
    fn shares_time(&self) -> bool {
        false
    }

    /// Whether it looks at all states, so that a survey of them is an answer of its own.
    fn looks_at_states(&self) -> bool {
        false
    }
}

/// How often solvers are waited for once a search is over, each time [for a while](crate::portfolio): some seconds, as long
/// as a search within the same limits may take.
const MOST_WAITS: usize = 400;

/// How far engines go.
#[derive(Clone, Copy)]
pub struct EngineOptions<'o> {
    /// How far a search of the states may go.
    pub limits: Limits,
    /// How many threads search.
    pub threads: usize,
    /// Runs have no more positions than this, where the caller says so.
    pub within: Option<usize>,
    /// Whether solvers work until the watch breaks them off; if not they give up a little after the search of the states.
    pub is_patient: bool,
    /// Sees the progress, and may break it off.
    pub watch: ProgressWatch<'o>,
    /// How many milliseconds are left, where time is limited.
    pub time: Option<u64>,
}

impl EngineOptions<'_> {
    /// Whether solvers that were asked for this often are not waited for any longer.
    pub(crate) fn gives_up(&self, asked: usize) -> bool {
        asked > MOST_WAITS && !self.is_patient || self.is_over()
    }

    /// Whether the watch breaks everything off.
    pub(crate) fn is_over(&self) -> bool {
        (self.watch)(&Progress::default()).is_break()
    }

    /// Breaks solvers off after some work.
    pub fn patience(&self, most: usize) -> impl Fn(solver::SolverEffort) -> ControlFlow<()> + '_ {
        move |done: solver::SolverEffort| match done.slices > most {
            true => ControlFlow::Break(()),
            false => (self.watch)(&Progress::default()),
        }
    }
}

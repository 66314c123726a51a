//! One SAT engine on one case, and how far it has seen runs get.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use sequent_kernel::property::scenario::{FoundObserver, Near, SoughtScenario, Stance};
use sequent_kernel::property::{Moment, Observer, positions};
use sequent_kernel::question::{Case, Pace};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::System;
use sequent_kernel::verdict::Cost;

use super::EngineChoice;
use crate::decision::{Decision, Ground};
use crate::property::Furthest;
use crate::sat::bounded::depth::{self, Deepest};
use crate::sat::encode::question::EncodedQuestion;
use crate::sat::outcome::Bounded;
use crate::sat::outcome::{ExclusionReason, UnboundedOutcome};
use crate::sat::schedule::automata::ComponentAutomata;
use crate::sat::solver::{FALSE, Patience};
use crate::sat::{bounded::far, bounded::reach, prove::ic3, prove::induction};
use crate::search::{SearchAnswer, SearchStop};

/// A case for solvers.
#[derive(Clone, Copy)]
pub(crate) struct Solvers<'q, 's> {
    /// The system whose runs are searched.
    pub system: &'s System,
    /// What is looked for.
    pub question: &'q EncodedQuestion<'s>,
    /// How many positions runs have at most, where the caller says so.
    pub within: Option<usize>,
}

/// What a solver says.
pub(crate) struct SolverReply {
    /// The solver.
    pub engine: EngineChoice,
    /// A run, or nothing, or no answer.
    pub answer: SearchAnswer,
    /// Why there is no run.
    pub ground: Option<Ground>,
    /// Whether some run breaks off. A solver that cannot tell says that one may.
    pub is_truncated: bool,
    /// How many steps runs have at least that were not looked at, where it gave up.
    pub looked: Option<usize>,
}

impl Default for SolverReply {
    fn default() -> Self {
        SolverReply {
            engine: EngineChoice::Auto,
            answer: SearchAnswer::Stopped(SearchStop::Watch),
            ground: None,
            is_truncated: false,
            looked: None,
        }
    }
}

impl SolverReply {
    /// Whether there is an answer.
    pub(crate) fn is_decided(&self) -> bool {
        !matches!(self.answer, SearchAnswer::Stopped(_))
    }

    /// A decision, beside a search that came to no end.
    pub(crate) fn decision<'c>(self, searched: &Decision<'c>, question: EncodedQuestion<'c>) -> Decision<'c> {
        let positions = match (&self.answer, &self.ground) {
            (SearchAnswer::Found(run), _) => run.steps.len(),
            (_, Some(Ground::Bounded(most) | Ground::Enough(most) | Ground::Begins(most))) => *most,
            (_, Some(Ground::Argument(_)) | None) => self.looked.unwrap_or(1),
        };
        let cost = Cost { formula: Some(question.encoding.size(positions)), ..searched.cost };
        Decision {
            is_shortest: matches!(self.engine, EngineChoice::Bounded | EngineChoice::Induction),
            ground: self.ground,
            states: searched.states,
            cost,
            is_truncated: searched.is_truncated || self.is_truncated,
            is_exact: searched.is_exact,
            clauses: Some(question),
            ..Decision::of(self.engine.name(), self.answer)
        }
    }

    fn nothing(ground: Ground) -> Self {
        SolverReply { answer: SearchAnswer::Exhausted, ground: Some(ground), ..SolverReply::default() }
    }

    fn found(run: Run) -> Self {
        SolverReply { answer: SearchAnswer::Found(run), ..SolverReply::default() }
    }

    fn stopped(looked: usize) -> Self {
        SolverReply { looked: Some(looked), ..SolverReply::default() }
    }
}

impl<'q, 's> Solvers<'q, 's> {
    /// Lets some solvers answer, each in a thread; what they say comes as they end. If the first answer counts, it stops the
    /// others.
    pub(crate) fn start<'scope>(
        self,
        scope: &'scope std::thread::Scope<'scope, '_>,
        engines: &[EngineChoice],
        is_over: &'scope AtomicBool,
        first_counts: bool,
    ) -> mpsc::Receiver<SolverReply>
    where
        'q: 'scope,
        's: 'scope,
    {
        let (finish, finished) = mpsc::channel();
        for engine in engines.iter().copied() {
            let finish = finish.clone();
            scope.spawn(move || {
                let patience = |_| match is_over.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                };
                let solved = self.ask(engine, &patience);
                if solved.is_decided() && first_counts {
                    is_over.store(true, Ordering::Relaxed);
                }
                // The receiver is gone if the search has answered first.
                let _ = finish.send(solved);
            });
        }
        finished
    }

    /// Lets a solver answer. Where nothing is found it is asked as well whether some run breaks off.
    fn ask(&self, engine: EngineChoice, patience: Patience<'_>) -> SolverReply {
        let solved = answered(self.question, engine, self.within, patience);
        let never_breaks = self.system.is_never(self.system.strained);
        let is_truncated = solved.answer == SearchAnswer::Exhausted && !never_breaks && {
            let is_safe =
                |breaks| answered(&breaks, engine, self.within, patience).answer == SearchAnswer::Exhausted;
            !self.breaking(engine).is_some_and(is_safe)
        };
        SolverReply { engine, is_truncated, ..solved }
    }

    /// Whether some run breaks off, as a question. Runs that the observer gives up do not matter; but an engine that looks for
    /// an invariant is better off without an observer.
    fn breaking(&self, engine: EngineChoice) -> Option<EncodedQuestion<'s>> {
        match engine {
            EngineChoice::Bounded => self.question.instead(self.system.strained),
            EngineChoice::Auto
            | EngineChoice::Explicit
            | EngineChoice::Induction
            | EngineChoice::Ic3
            | EngineChoice::All => {
                EncodedQuestion::goal(self.system, self.question.encoding.pace, self.system.strained).ok()
            }
        }
    }
}

fn answered(
    question: &EncodedQuestion<'_>,
    engine: EngineChoice,
    within: Option<usize>,
    patience: Patience<'_>,
) -> SolverReply {
    let EncodedQuestion { encoding, wanted, .. } = question;
    if *wanted == FALSE {
        // What is never accepted needs no invariant.
        return SolverReply::nothing(Ground::Argument(ExclusionReason::Invariant(Vec::new())));
    }
    let unbounded = match (engine, within) {
        (EngineChoice::Ic3, None) => ic3::prove(encoding, *wanted, patience).0,
        (EngineChoice::Auto | EngineChoice::Explicit | EngineChoice::Induction | EngineChoice::All, None) => {
            induction::prove(encoding, *wanted, usize::MAX, patience)
        }
        (_, within) => return bounded(question, within, patience),
    };
    match unbounded {
        UnboundedOutcome::Found(run, _) => SolverReply::found(run),
        UnboundedOutcome::Proved(argument) => SolverReply::nothing(Ground::Argument(argument)),
        UnboundedOutcome::Stopped => SolverReply::stopped(0),
    }
}

fn bounded(question: &EncodedQuestion<'_>, within: Option<usize>, patience: Patience<'_>) -> SolverReply {
    let EncodedQuestion { encoding, wanted, bound, usual, .. } = question;
    let asked = within.into_iter().chain(*bound).min();
    let found = match asked {
        Some(most) => far(question, most, patience),
        None => reach::reach(encoding, *wanted, usual.unwrap_or(usize::MAX), patience),
    };
    match found {
        Bounded::Found(run, _) => SolverReply::found(run),
        Bounded::Nothing(most) if *bound == Some(most) => SolverReply::nothing(Ground::Enough(most)),
        Bounded::Nothing(most) => SolverReply::nothing(Ground::Bounded(most)),
        Bounded::Proved(argument) => SolverReply::nothing(Ground::Argument(argument)),
        Bounded::Stopped(length) => SolverReply::stopped(length),
    }
}

/// Looks for a run of at most this many positions. Short ones of machines that share nothing but messages are looked for all at
/// once.
fn far(question: &EncodedQuestion<'_>, most: usize, patience: Patience<'_>) -> Bounded {
    let EncodedQuestion { encoding, wanted, .. } = question;
    let goal = question.goal.filter(|_| encoding.pace == Pace::Together);
    let automata = goal.and_then(|_| ComponentAutomata::new(encoding.system));
    let spots = automata.as_ref().zip(goal).and_then(|(automata, goal)| automata.spots(goal));
    far::reach(encoding, *wanted, automata.as_ref().zip(spots.as_ref()), most, patience).0
}

/// How far runs get, as a solver sees it that has found none to the end; `None` if it cannot tell.
pub(crate) fn deepest(decision: &Decision<'_>, patience: Patience<'_>) -> Option<Deepest> {
    let question = decision.clauses.as_ref()?;
    let depths = &question.depths;
    if depths.iter().all(|depth| *depth == 0) {
        return None;
    }
    let ground = decision.ground.as_ref()?;
    match ground {
        Ground::Bounded(most) | Ground::Enough(most) | Ground::Argument(ExclusionReason::Exhausted(most)) => {
            depth::within(question, depths, *most, patience)
        }
        // The engine that found this ground has computed how far runs get.
        Ground::Begins(_) => None,
        Ground::Argument(ExclusionReason::Invariant(_) | ExclusionReason::Induction(_)) => {
            // The method that has proved that no run gets to the end proves it of what comes before, too.
            let by_induction = matches!(ground, Ground::Argument(ExclusionReason::Induction(_)));
            depth::ever(question, depths, &mut |encoding, goal| match by_induction {
                true => induction::prove(encoding, goal, usize::MAX, patience),
                false => ic3::prove(encoding, goal, patience).0,
            })
        }
    }
}

/// The stance of a scenario at the end of a run that has come so far.
pub(crate) fn reached(case: &Case, scenario: &SoughtScenario, deepest: Deepest) -> Option<Furthest<Stance>> {
    let Deepest { run, depth } = deepest;
    let (memory, depth) = match case.begins {
        Some(_) => {
            let near = Near { scenario };
            let memory = stance(&near, |stance| near.depth(stance), (case, scenario, &run), depth);
            (memory, depth.saturating_sub(1))
        }
        None => {
            let found = FoundObserver { scenario };
            (stance(&found, |stance| found.depth(stance), (case, scenario, &run), depth), depth)
        }
    };
    memory.map(|memory| Furthest { run, memory, depth, next: None })
}

/// What an observer remembers at the end of a run that has come to a depth.
fn stance<O: Observer>(
    observer: &O,
    depth_of: impl Fn(&O::State) -> Option<usize>,
    (case, scenario, run): (&Case, &SoughtScenario, &Run),
    depth: usize,
) -> Option<O::State> {
    let system = &*case.system;
    let configs = replay(system, run).ok()?;
    let seen = positions(system, run, &configs, scenario.conditions());
    let moments = [(0, Moment::Start)].into_iter().chain(seen.iter().map(|(step, one)| (step + 1, *one)));
    let mut stances = vec![observer.first()];
    for (at, moment) in moments {
        let mut ways = Vec::new();
        for stance in &stances {
            observer.read(stance, moment, &mut |term| system.holds(term, &configs[at]), &mut ways);
        }
        let mut known = HashSet::new();
        stances = ways.into_iter().map(|way| way.0).filter(|one| known.insert(one.clone())).collect();
    }
    stances.into_iter().find(|stance| depth_of(stance) == Some(depth))
}

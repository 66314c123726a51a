//! One SAT engine on one case, and how far it has seen runs get.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use sequent_kernel::property::scenario::{Found, Near, Scenario, Stance};
use sequent_kernel::property::{Moment, Observer, positions};
use sequent_kernel::question::{Case, Pace};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::System;
use sequent_kernel::verdict::Cost;

use super::Choice;
use crate::decision::{Decision, Ground};
use crate::property::Furthest;
use crate::sat::bounded::depth::{self, Deepest};
use crate::sat::encode::question::Question;
use crate::sat::outcome::Bounded;
use crate::sat::outcome::{Argument, Unbounded};
use crate::sat::schedule::automata::Automata;
use crate::sat::solver::{FALSE, Patience};
use crate::sat::{bounded::far, bounded::reach, prove::ic3, prove::induction};
use crate::search::{Answer, Stop};

/// A case for solvers.
#[derive(Clone, Copy)]
pub struct Solvers<'q, 's> {
    /// The system whose runs are searched.
    pub system: &'s System,
    /// What is looked for.
    pub question: &'q Question<'s>,
    /// How many positions runs have at most, where the caller says so.
    pub within: Option<usize>,
}

/// What a solver says.
pub struct Solved {
    /// The solver.
    pub engine: Choice,
    /// A run, or nothing, or no answer.
    pub answer: Answer,
    /// Why there is no run.
    pub ground: Option<Ground>,
    /// Whether some run breaks off. A solver that cannot tell says that one may.
    pub is_truncated: bool,
    /// How many steps runs have at least that were not looked at, where it gave up.
    pub looked: Option<usize>,
}

impl Default for Solved {
    fn default() -> Self {
        Solved {
            engine: Choice::Auto,
            answer: Answer::Stopped(Stop::Watch),
            ground: None,
            is_truncated: false,
            looked: None,
        }
    }
}

impl Solved {
    /// Whether there is an answer.
    pub fn is_decided(&self) -> bool {
        !matches!(self.answer, Answer::Stopped(_))
    }

    /// A decision, beside a search that came to no end.
    pub fn decision<'c>(self, searched: &Decision<'c>, question: Question<'c>) -> Decision<'c> {
        let positions = match (&self.answer, &self.ground) {
            (Answer::Found(run), _) => run.steps.len(),
            (_, Some(Ground::Bounded(most) | Ground::Enough(most) | Ground::Begins(most))) => *most,
            (_, Some(Ground::Argument(_)) | None) => self.looked.unwrap_or(1),
        };
        let cost = Cost { formula: Some(question.encoding.size(positions)), ..searched.cost };
        Decision {
            is_shortest: matches!(self.engine, Choice::Bounded | Choice::Induction),
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
        Solved { answer: Answer::Exhausted, ground: Some(ground), ..Solved::default() }
    }

    fn found(run: Run) -> Self {
        Solved { answer: Answer::Found(run), ..Solved::default() }
    }

    fn stopped(looked: usize) -> Self {
        Solved { looked: Some(looked), ..Solved::default() }
    }
}

impl<'q, 's> Solvers<'q, 's> {
    /// Lets some solvers answer, each in a thread; what they say comes as they end. If the first answer counts, it stops the
    /// others.
    pub fn start<'scope>(
        self,
        scope: &'scope std::thread::Scope<'scope, '_>,
        engines: &[Choice],
        is_over: &'scope AtomicBool,
        first_counts: bool,
    ) -> mpsc::Receiver<Solved>
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
    fn ask(&self, engine: Choice, patience: Patience<'_>) -> Solved {
        let solved = answered(self.question, engine, self.within, patience);
        let never_breaks = self.system.is_never(self.system.strained);
        let is_truncated = solved.answer == Answer::Exhausted && !never_breaks && {
            let is_safe =
                |breaks| answered(&breaks, engine, self.within, patience).answer == Answer::Exhausted;
            !self.breaking(engine).is_some_and(is_safe)
        };
        Solved { engine, is_truncated, ..solved }
    }

    /// Whether some run breaks off, as a question. Runs that the observer gives up do not matter; but an engine that looks for
    /// an invariant is better off without an observer.
    fn breaking(&self, engine: Choice) -> Option<Question<'s>> {
        match engine {
            Choice::Bounded => self.question.instead(self.system.strained),
            Choice::Auto | Choice::Explicit | Choice::Induction | Choice::Ic3 | Choice::All => {
                Question::goal(self.system, self.question.encoding.pace, self.system.strained).ok()
            }
        }
    }
}

fn answered(
    question: &Question<'_>,
    engine: Choice,
    within: Option<usize>,
    patience: Patience<'_>,
) -> Solved {
    let Question { encoding, wanted, .. } = question;
    if *wanted == FALSE {
        // What is never accepted needs no invariant.
        return Solved::nothing(Ground::Argument(Argument::Invariant(Vec::new())));
    }
    let unbounded = match (engine, within) {
        (Choice::Ic3, None) => ic3::prove(encoding, *wanted, patience).0,
        (Choice::Auto | Choice::Explicit | Choice::Induction | Choice::All, None) => {
            induction::prove(encoding, *wanted, usize::MAX, patience)
        }
        (_, within) => return bounded(question, within, patience),
    };
    match unbounded {
        Unbounded::Found(run, _) => Solved::found(run),
        Unbounded::Proved(argument) => Solved::nothing(Ground::Argument(argument)),
        Unbounded::Stopped => Solved::stopped(0),
    }
}

fn bounded(question: &Question<'_>, within: Option<usize>, patience: Patience<'_>) -> Solved {
    let Question { encoding, wanted, bound, usual, .. } = question;
    let asked = within.into_iter().chain(*bound).min();
    let found = match asked {
        Some(most) => far(question, most, patience),
        None => reach::reach(encoding, *wanted, usual.unwrap_or(usize::MAX), patience),
    };
    match found {
        Bounded::Found(run, _) => Solved::found(run),
        Bounded::Nothing(most) if *bound == Some(most) => Solved::nothing(Ground::Enough(most)),
        Bounded::Nothing(most) => Solved::nothing(Ground::Bounded(most)),
        Bounded::Proved(argument) => Solved::nothing(Ground::Argument(argument)),
        Bounded::Stopped(length) => Solved::stopped(length),
    }
}

/// Looks for a run of at most this many positions. Short ones of machines that share nothing but messages are looked for all at
/// once.
fn far(question: &Question<'_>, most: usize, patience: Patience<'_>) -> Bounded {
    let Question { encoding, wanted, .. } = question;
    let goal = question.goal.filter(|_| encoding.pace == Pace::Together);
    let automata = goal.and_then(|_| Automata::new(encoding.system));
    let spots = automata.as_ref().zip(goal).and_then(|(automata, goal)| automata.spots(goal));
    far::reach(encoding, *wanted, automata.as_ref().zip(spots.as_ref()), most, patience).0
}

/// How far runs get, as a solver sees it that has found none to the end; `None` if it cannot tell.
pub fn deepest(decision: &Decision<'_>, patience: Patience<'_>) -> Option<Deepest> {
    let question = decision.clauses.as_ref()?;
    let depths = &question.depths;
    if depths.iter().all(|depth| *depth == 0) {
        return None;
    }
    let ground = decision.ground.as_ref()?;
    match ground {
        Ground::Bounded(most) | Ground::Enough(most) | Ground::Argument(Argument::Exhausted(most)) => {
            depth::within(question, depths, *most, patience)
        }
        // The engine that found this ground has computed how far runs get.
        Ground::Begins(_) => None,
        Ground::Argument(Argument::Invariant(_) | Argument::Induction(_)) => {
            // The method that has proved that no run gets to the end proves it of what comes before, too.
            let by_induction = matches!(ground, Ground::Argument(Argument::Induction(_)));
            depth::ever(question, depths, &mut |encoding, goal| match by_induction {
                true => induction::prove(encoding, goal, usize::MAX, patience),
                false => ic3::prove(encoding, goal, patience).0,
            })
        }
    }
}

/// The stance of a scenario at the end of a run that has come so far.
pub fn reached(case: &Case, scenario: &Scenario, deepest: Deepest) -> Option<Furthest<Stance>> {
    let Deepest { run, depth } = deepest;
    let (memory, depth) = match case.begins {
        Some(_) => {
            let near = Near { scenario };
            let memory = stance(&near, |stance| near.depth(stance), (case, scenario, &run), depth);
            (memory, depth.saturating_sub(1))
        }
        None => {
            let found = Found { scenario };
            (stance(&found, |stance| found.depth(stance), (case, scenario, &run), depth), depth)
        }
    };
    memory.map(|memory| Furthest { run, memory, depth, next: None })
}

/// What an observer remembers at the end of a run that has come to a depth.
fn stance<O: Observer>(
    observer: &O,
    depth_of: impl Fn(&O::State) -> Option<usize>,
    (case, scenario, run): (&Case, &Scenario, &Run),
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

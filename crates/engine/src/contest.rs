//! The contest: one question, several engines, the first answer counts.
//!
//! Most questions are small, and a search of the states answers them before a solver has begun; it goes first, and alone, as
//! far as a quick look reaches. So what small questions get for an answer never depends on who was quicker. If states run
//! away, the engines that count no states begin beside it: runs of growing length with [induction], and
//! [IC3](ic3). Whoever answers first stops the others. Their verdicts cannot differ; whoever wants to see that asks
//! for [all of them](Engine::All).

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use sequent_kernel::replay::Run;
use sequent_kernel::system::{Node, System};

use crate::sat::encoding::{Pace, Unwritten};
use crate::sat::question::Question;
use crate::sat::unbounded::{Argument, Unbounded};
use crate::sat::{bounded, ic3, induction};
use crate::search::{Answer, Progress, Stop, Watch};

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Engine {
    /// Whoever is first.
    #[default]
    Auto,
    /// A search of the states.
    Explicit,
    /// Runs of growing length, by a solver.
    Bounded,
    /// Runs of growing length, and an induction over them.
    Induction,
    /// Invariants that grow until they hold.
    Ic3,
    /// All of them; their answers are compared.
    All,
}

impl Engine {
    /// The name by which it is asked for and told.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Explicit => "explicit",
            Engine::Bounded => "bounded",
            Engine::Induction => "induction",
            Engine::Ic3 => "ic3",
            Engine::All => "all",
        }
    }

    /// Those that ask a solver and can be asked for.
    const SOLVERS: [Engine; 2] = [Engine::Induction, Engine::Ic3];
}

/// Which engines answer, and how far they go.
#[derive(Clone, Copy)]
pub struct Rules<'r> {
    /// Who answers.
    pub engine: Engine,
    /// Runs have no more positions than this, where that is asked.
    pub within: Option<usize>,
    /// Whether solvers work on until somebody breaks them off; if not they give up a little after the search of the states.
    pub is_patient: bool,
    /// Sees the progress, and may break it off.
    pub watch: Watch<'r>,
}

/// What came of a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// A run, or nothing, or no answer.
    pub answer: Answer,
    /// Who answered.
    pub engine: Engine,
    /// Why there is no run, if that was not found by looking at all states.
    pub ground: Option<Ground>,
    /// Whether some run breaks off in a state that the system calls strained.
    pub is_strained: bool,
    /// Why a solver could not be asked.
    pub unwritten: Option<String>,
    /// Answers that contradict each other, in words.
    pub contradiction: Option<String>,
}

/// Why there is no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    /// No run of up to so many positions.
    Bounded(usize),
    /// An argument for runs of any length.
    Argument(Argument),
}

/// What the explicit search came to: the answer, and whether a state was strained.
pub type Searched = (Answer, bool);

/// States within a quick look.
pub const QUICK: usize = 300_000;

/// Answers a question. `search` looks at states, at most so many if a number is given; `ask` writes the question as clauses.
pub fn decide<'s>(
    system: &'s System,
    rules: &Rules<'_>,
    search: &mut dyn FnMut(Option<usize>, Watch<'_>) -> Searched,
    ask: &mut dyn FnMut() -> Result<Question<'s>, Unwritten>,
) -> Decision {
    match rules.engine {
        Engine::Explicit => Decision::searched(search(None, rules.watch)),
        Engine::Auto if rules.within.is_none() => {
            let quick = search(Some(QUICK), rules.watch);
            if quick.0 != Answer::Stopped(Stop::States) {
                return Decision::searched(quick);
            }
            match ask() {
                Ok(question) => race(system, &question, &Engine::SOLVERS, rules, |watch| {
                    Decision::searched(search(None, watch))
                }),
                Err(unwritten) => {
                    let searched = Decision::searched(search(None, rules.watch));
                    Decision { unwritten: Some(unwritten.0), ..searched }
                }
            }
        }
        Engine::Auto | Engine::Bounded | Engine::Induction | Engine::Ic3 => match ask() {
            Ok(question) => {
                let engine = match (rules.engine, rules.within) {
                    (engine, None) => engine,
                    (_, Some(_)) => Engine::Bounded,
                };
                race(system, &question, &[engine], rules, |_| Decision::open(engine))
            }
            Err(unwritten) => Decision { unwritten: Some(unwritten.0), ..Decision::open(rules.engine) },
        },
        Engine::All => all(system, rules, search, ask),
    }
}

impl Decision {
    fn searched((answer, is_strained): Searched) -> Decision {
        Decision {
            answer,
            engine: Engine::Explicit,
            ground: None,
            is_strained,
            unwritten: None,
            contradiction: None,
        }
    }

    /// Nobody has answered yet.
    fn open(engine: Engine) -> Decision {
        Decision { engine, ..Decision::searched((Answer::Stopped(Stop::Watch), false)) }
    }

    fn is_decided(&self) -> bool {
        !matches!(self.answer, Answer::Stopped(_))
    }
}

/// Lets one of the solvers answer. Where nothing is found it is asked as well whether some run breaks off.
fn solved(
    system: &System,
    question: &Question<'_>,
    engine: Engine,
    within: Option<usize>,
    patience: crate::sat::solver::Patience<'_>,
) -> Decision {
    let (answer, ground) = answered(question, engine, within, patience);
    let is_never = *system.terms.node(system.strained) == Node::Constant(0);
    let is_strained = answer == Answer::Exhausted && !is_never && {
        let strained = Question::goal(system, Pace::Single, system.strained);
        // Whoever cannot tell says that some run may break off.
        strained.map_or(true, |strained| answered(&strained, engine, within, patience).0 != Answer::Exhausted)
    };
    Decision { engine, ground, ..Decision::searched((answer, is_strained)) }
}

fn answered(
    question: &Question<'_>,
    engine: Engine,
    within: Option<usize>,
    patience: crate::sat::solver::Patience<'_>,
) -> (Answer, Option<Ground>) {
    let Question { encoding, wanted } = question;
    let unbounded = match (engine, within) {
        (Engine::Ic3, None) => ic3::prove(encoding, *wanted, patience).0,
        (Engine::Auto | Engine::Explicit | Engine::Induction | Engine::All, None) => {
            induction::prove(encoding, *wanted, usize::MAX, patience)
        }
        (_, within) => {
            return match bounded::reach(encoding, *wanted, within.unwrap_or(usize::MAX), patience) {
                bounded::Bounded::Found(run, _) => (Answer::Found(run), None),
                bounded::Bounded::Nothing(most) => (Answer::Exhausted, Some(Ground::Bounded(most))),
                bounded::Bounded::Stopped(_) => (Answer::Stopped(Stop::Watch), None),
            };
        }
    };
    match unbounded {
        Unbounded::Found(run, _) => (Answer::Found(run), None),
        Unbounded::Proved(argument) => (Answer::Exhausted, Some(Ground::Argument(argument))),
        Unbounded::Stopped => (Answer::Stopped(Stop::Watch), None),
    }
}

/// How often the others are asked for once a search is over, and how long each time: some seconds, as long as a search within
/// the same limits may take.
const ASKED: usize = 400;
const WHILE: Duration = Duration::from_millis(20);

/// A search of the states and some solvers side by side.
fn race(
    system: &System,
    question: &Question<'_>,
    engines: &[Engine],
    rules: &Rules<'_>,
    search: impl FnOnce(Watch<'_>) -> Decision,
) -> Decision {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (finish, finished) = mpsc::channel();
        for engine in engines.iter().copied() {
            let (finish, is_over) = (finish.clone(), &is_over);
            let within = rules.within;
            scope.spawn(move || {
                let patience = |_| match is_over.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                };
                let decision = solved(system, question, engine, within, &patience);
                if decision.is_decided() {
                    is_over.store(true, Ordering::Relaxed);
                }
                // Nobody listens any more if the search was quicker.
                let _ = finish.send(decision);
            });
        }
        drop(finish);
        let watch = |progress: &Progress| match is_over.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => (rules.watch)(progress),
        };
        let mut decision = search(&watch);
        let mut asked = 0;
        while !decision.is_decided() {
            match finished.recv_timeout(WHILE) {
                Ok(other) if other.is_decided() => decision = other,
                Ok(_) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    asked += 1;
                    let gives_up = asked > ASKED && !rules.is_patient;
                    if gives_up || (rules.watch)(&Progress::default()).is_break() {
                        break;
                    }
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
        decision
    })
}

/// Asks everybody, and compares.
fn all<'s>(
    system: &'s System,
    rules: &Rules<'_>,
    search: &mut dyn FnMut(Option<usize>, Watch<'_>) -> Searched,
    ask: &mut dyn FnMut() -> Result<Question<'s>, Unwritten>,
) -> Decision {
    let mut decision = Decision::searched(search(None, rules.watch));
    let question = match ask() {
        Ok(question) => question,
        Err(unwritten) => return Decision { unwritten: Some(unwritten.0), ..decision },
    };
    let watch = rules.watch;
    let patience = |_| watch(&Progress::default());
    for engine in Engine::SOLVERS {
        let other = solved(system, &question, engine, None, &patience);
        if !other.is_decided() {
            continue;
        }
        if decision.is_decided() && is_found(&decision).is_some() != is_found(&other).is_some() {
            let word = |decision: &Decision| match is_found(decision) {
                Some(run) => format!("{} finds a run of {} steps", decision.engine.name(), run.steps.len()),
                None => format!("{} finds none", decision.engine.name()),
            };
            decision.contradiction = Some(format!("{}; {}", word(&decision), word(&other)));
            return decision;
        }
        if !decision.is_decided() {
            decision = other;
        }
    }
    decision
}

fn is_found(decision: &Decision) -> Option<&Run> {
    match &decision.answer {
        Answer::Found(run) => Some(run),
        Answer::Exhausted | Answer::Stopped(_) => None,
    }
}

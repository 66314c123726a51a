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
use sequent_kernel::system::System;

use crate::sat::automata::Automata;
use crate::sat::bounded::Bounded;
use crate::sat::depth::{self, Deepest};
use crate::sat::encoding::{Pace, Unwritten};
use crate::sat::question::Question;
use crate::sat::solver::{FALSE, Patience};
use crate::sat::unbounded::{Argument, Unbounded};
use crate::sat::{bounded, far, ic3, induction};
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

    /// Whether it may take all the time for one question.
    pub fn shares_time(self) -> bool {
        match self {
            Engine::Bounded | Engine::Induction | Engine::Ic3 | Engine::All => true,
            Engine::Auto | Engine::Explicit => false,
        }
    }

    /// Those that ask a solver and answer without a bound.
    const SOLVERS: [Engine; 2] = [Engine::Induction, Engine::Ic3];

    /// Those that ask a solver and may answer a question.
    fn solvers(question: &Question<'_>) -> Vec<Engine> {
        let bounded = question.bound.map(|_| Engine::Bounded);
        Self::SOLVERS.into_iter().chain(bounded).collect()
    }
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

impl Rules<'_> {
    /// Whether nobody waits any longer for solvers who were asked for so often.
    fn gives_up(&self, asked: usize) -> bool {
        asked > ASKED && !self.is_patient || (self.watch)(&Progress::default()).is_break()
    }
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
    /// How many steps runs have at least that nobody has looked at, where a solver gave up.
    pub looked: Option<usize>,
    /// Answers that contradict each other, in words.
    pub contradiction: Option<String>,
}

/// Why there is no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    /// No run of up to so many positions; the question asks for longer ones too.
    Bounded(usize),
    /// No run of up to so many positions, and the question asks for no longer ones.
    Enough(usize),
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
                Ok(question) => race(system, &question, &Engine::solvers(&question), rules, |watch| {
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
            looked: None,
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
fn solved<'s>(
    system: &'s System,
    question: &Question<'s>,
    engine: Engine,
    within: Option<usize>,
    patience: Patience<'_>,
) -> Decision {
    let Reply { answer, ground, looked } = answered(question, engine, within, patience);
    let is_never = system.is_never(system.strained);
    let is_strained = answer == Answer::Exhausted && !is_never && {
        // Whoever cannot tell says that some run may break off.
        let is_safe = |strained| answered(&strained, engine, within, patience).answer == Answer::Exhausted;
        !strained(system, question, engine).is_some_and(is_safe)
    };
    Decision { engine, ground, looked, ..Decision::searched((answer, is_strained)) }
}

/// Whether some run breaks off, as a question. Runs that the observer gives up do not matter; but whoever looks for an invariant
/// is better off without one.
fn strained<'s>(system: &'s System, question: &Question<'s>, engine: Engine) -> Option<Question<'s>> {
    let pace = question.encoding.pace;
    match engine {
        Engine::Bounded => question.instead(system.strained),
        Engine::Auto | Engine::Explicit | Engine::Induction | Engine::Ic3 | Engine::All => {
            Question::goal(system, pace, system.strained).ok()
        }
    }
}

/// What a solver says.
struct Reply {
    answer: Answer,
    ground: Option<Ground>,
    looked: Option<usize>,
}

impl Reply {
    fn found(run: Run) -> Reply {
        Reply { answer: Answer::Found(run), ground: None, looked: None }
    }

    fn nothing(ground: Ground) -> Reply {
        Reply { answer: Answer::Exhausted, ground: Some(ground), looked: None }
    }

    fn stopped(looked: Option<usize>) -> Reply {
        Reply { answer: Answer::Stopped(Stop::Watch), ground: None, looked }
    }
}

fn answered(question: &Question<'_>, engine: Engine, within: Option<usize>, patience: Patience<'_>) -> Reply {
    let Question { encoding, wanted, .. } = question;
    if *wanted == FALSE {
        // What is never accepted needs no invariant.
        return Reply::nothing(Ground::Argument(Argument::Invariant(Vec::new())));
    }
    let unbounded = match (engine, within) {
        (Engine::Ic3, None) => ic3::prove(encoding, *wanted, patience).0,
        (Engine::Auto | Engine::Explicit | Engine::Induction | Engine::All, None) => {
            induction::prove(encoding, *wanted, usize::MAX, patience)
        }
        (_, within) => return bounded(question, within, patience),
    };
    match unbounded {
        Unbounded::Found(run, _) => Reply::found(run),
        Unbounded::Proved(argument) => Reply::nothing(Ground::Argument(argument)),
        Unbounded::Stopped => Reply::stopped(Some(0)),
    }
}

fn bounded(question: &Question<'_>, within: Option<usize>, patience: Patience<'_>) -> Reply {
    let Question { encoding, wanted, bound, usual, .. } = question;
    let asked = within.into_iter().chain(*bound).min();
    let most = asked.or(*usual).unwrap_or(usize::MAX);
    let found = match asked {
        Some(most) => far(question, most, patience),
        None => bounded::reach(encoding, *wanted, most, patience),
    };
    match found {
        Bounded::Found(run, _) => Reply::found(run),
        Bounded::Nothing(most) if *bound == Some(most) => Reply::nothing(Ground::Enough(most)),
        Bounded::Nothing(most) => Reply::nothing(Ground::Bounded(most)),
        Bounded::Proved(argument) => Reply::nothing(Ground::Argument(argument)),
        Bounded::Stopped(length) => Reply::stopped(Some(length)),
    }
}

/// Looks for a run that is no longer than somebody asks for. Short ones of machines that share nothing but messages are looked for all
/// at once.
fn far(question: &Question<'_>, most: usize, patience: Patience<'_>) -> Bounded {
    let Question { encoding, wanted, .. } = question;
    let goal = question.goal.filter(|_| encoding.pace == Pace::Together);
    let automata = goal.and_then(|_| Automata::new(encoding.system));
    let spots = automata.as_ref().zip(goal).and_then(|(automata, goal)| automata.spots(goal));
    far::reach(encoding, *wanted, automata.as_ref().zip(spots.as_ref()), most, patience).0
}

/// How far runs get that a question is about, as a solver sees it where it has found none; `None` if it cannot tell.
pub fn furthest(
    question: &Question<'_>,
    ground: &Ground,
    engine: Engine,
    patience: Patience<'_>,
) -> Option<Deepest> {
    let depths = &question.depths;
    match ground {
        Ground::Bounded(most) | Ground::Enough(most) => depth::within(question, depths, *most, patience),
        Ground::Argument(Argument::Exhausted(most)) => depth::within(question, depths, *most, patience),
        Ground::Argument(Argument::Invariant(_) | Argument::Induction(_)) => {
            depth::ever(question, depths, &mut |encoding, goal| match engine {
                Engine::Induction => induction::prove(encoding, goal, usize::MAX, patience),
                Engine::Auto | Engine::Explicit | Engine::Bounded | Engine::Ic3 | Engine::All => {
                    ic3::prove(encoding, goal, patience).0
                }
            })
        }
    }
}

/// How often the others are asked for once a search is over, and how long each time: some seconds, as long as a search within
/// the same limits may take.
const ASKED: usize = 400;
const WHILE: Duration = Duration::from_millis(20);

/// A search of the states and some solvers side by side.
fn race<'s>(
    system: &'s System,
    question: &Question<'s>,
    engines: &[Engine],
    rules: &Rules<'_>,
    search: impl FnOnce(Watch<'_>) -> Decision,
) -> Decision {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let finished = start(scope, (system, question), engines, rules.within, &is_over, true);
        let watch = |progress: &Progress| match is_over.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => (rules.watch)(progress),
        };
        let mut decision = search(&watch);
        let (mut asked, mut looked) = (0, None);
        while !decision.is_decided() {
            match finished.recv_timeout(WHILE) {
                Ok(other) if other.is_decided() => decision = other,
                Ok(other) => looked = looked.max(other.looked),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    asked += 1;
                    if rules.gives_up(asked) {
                        break;
                    }
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
        if !decision.is_decided() {
            let late = finished.iter().filter_map(|other| other.looked).max();
            decision.looked = looked.max(late);
        }
        decision
    })
}

/// Lets some solvers answer, each in a thread; their decisions as they come. If the first counts, it stops the others.
fn start<'scope, 's: 'scope>(
    scope: &'scope std::thread::Scope<'scope, '_>,
    (system, question): (&'s System, &'scope Question<'s>),
    engines: &[Engine],
    within: Option<usize>,
    is_over: &'scope AtomicBool,
    first_counts: bool,
) -> mpsc::Receiver<Decision> {
    let (finish, finished) = mpsc::channel();
    for engine in engines.iter().copied() {
        let finish = finish.clone();
        scope.spawn(move || {
            let patience = |_| match is_over.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            let decision = solved(system, question, engine, within, &patience);
            if decision.is_decided() && first_counts {
                is_over.store(true, Ordering::Relaxed);
            }
            // Nobody listens any more if the search was quicker.
            let _ = finish.send(decision);
        });
    }
    finished
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
    for other in everybody(system, &question, rules) {
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

/// What the engines say that prove things, in their own order. Whoever keeps to the bound of the question answers another one.
fn everybody<'s>(system: &'s System, question: &Question<'s>, rules: &Rules<'_>) -> Vec<Decision> {
    let is_over = AtomicBool::new(false);
    let mut all: Vec<Decision> = std::thread::scope(|scope| {
        let finished = start(scope, (system, question), &Engine::SOLVERS, None, &is_over, false);
        let (mut all, mut asked) = (Vec::new(), 0);
        loop {
            match finished.recv_timeout(WHILE) {
                Ok(other) => all.push(other),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    asked += 1;
                    if rules.gives_up(asked) {
                        is_over.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
        all
    });
    all.sort_by_key(|decision| decision.engine);
    all
}

fn is_found(decision: &Decision) -> Option<&Run> {
    match &decision.answer {
        Answer::Found(run) => Some(run),
        Answer::Exhausted | Answer::Stopped(_) => None,
    }
}

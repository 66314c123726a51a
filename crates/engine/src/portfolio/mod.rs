//! The portfolio: one case, several engines, the first answer counts.
//!
//! Most cases are small, and the explicit search decides them before a solver has started; it goes first, and
//! alone, up to a number of states. So the answer to a small case never depends on which engine was quicker.
//! If there are more states, it continues, and the symbolic engines start beside it: bounded model checking
//! with [induction](crate::sat::prove::induction), and [IC3](crate::sat::prove::ic3). The first answer stops
//! the others. Their verdicts cannot differ; [`EngineChoice::All`] compares them.

mod following;
mod solve;

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::replay::Run;
use sequent_kernel::verdict::Reason;

use crate::decision::{Decision, Engine, EngineOptions, Ground};
use crate::explicit;
use crate::graph::StateGraph;
use crate::sat::encode::NotEncodable;
use crate::sat::encode::question::EncodedQuestion;
use crate::sat::outcome::ExclusionReason;
use crate::sat::prove::certificate::{Flaw, check};
use crate::search::{Limits, Progress, ProgressWatch, SearchAnswer, SearchStop};
use solve::{SolverReply, Solvers, deepest, reached};

/// The engines of this crate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum EngineChoice {
    /// The first that answers.
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

impl EngineChoice {
    /// The name of the engine, in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Explicit => "explicit",
            EngineChoice::Bounded => "bounded",
            EngineChoice::Induction => "induction",
            EngineChoice::Ic3 => "ic3",
            EngineChoice::All => "all",
        }
    }

    /// Those that ask a solver and answer without a bound.
    const SOLVERS: [EngineChoice; 2] = [EngineChoice::Induction, EngineChoice::Ic3];

    /// Those that ask a solver and may answer a question.
    fn solvers(question: &EncodedQuestion<'_>) -> Vec<EngineChoice> {
        let bounded = question.bound.map(|_| EngineChoice::Bounded);
        Self::SOLVERS.into_iter().chain(bounded).collect()
    }
}

/// States within a quick look.
pub const QUICK: usize = 300_000;

/// States within a quick look that collects those in which attempts may begin.
const NEARBY: usize = 10_000;

impl Engine for EngineChoice {
    fn name(&self) -> &'static str {
        EngineChoice::name(*self)
    }

    fn shares_time(&self) -> bool {
        match self {
            EngineChoice::Bounded | EngineChoice::Induction | EngineChoice::Ic3 | EngineChoice::All => true,
            EngineChoice::Auto | EngineChoice::Explicit => false,
        }
    }

    fn looks_at_states(&self) -> bool {
        match self {
            EngineChoice::Auto | EngineChoice::Explicit | EngineChoice::All => true,
            EngineChoice::Bounded | EngineChoice::Induction | EngineChoice::Ic3 => false,
        }
    }

    fn decide<'c>(
        &self,
        case: &'c Case,
        graph: &mut StateGraph<'_>,
        options: &EngineOptions<'_>,
    ) -> Decision<'c> {
        let decision = first(*self, case, graph, options);
        let decision = checked(decision, options);
        measured(case, graph, decision, options)
    }
}

/// Lets the engines of a choice decide.
fn first<'c>(
    choice: EngineChoice,
    case: &'c Case,
    graph: &mut StateGraph<'_>,
    options: &EngineOptions<'_>,
) -> Decision<'c> {
    let search = |graph: &mut StateGraph<'_>, most: usize, watch: ProgressWatch<'_>| {
        let limits = Limits { states: options.limits.states.min(most), ..options.limits };
        explicit::decide(case, graph, &limits, options.threads, watch)
    };
    match choice {
        EngineChoice::Explicit => search(graph, usize::MAX, options.watch),
        EngineChoice::Auto if options.within.is_none() => {
            let mut alone = QUICK;
            if case.begins.is_some() {
                let quick = search(graph, NEARBY, options.watch);
                if quick.is_decided() || options.is_over() {
                    return quick;
                }
                if let Some(decision) = following::decide(case, options) {
                    return decision;
                }
                alone = 0;
            }
            let raced =
                race(case, &EngineChoice::solvers, alone, options, |watch| search(graph, usize::MAX, watch));
            raced.unwrap_or_else(|beside| unwritten_beside(beside.0, beside.1))
        }
        EngineChoice::Auto | EngineChoice::Bounded | EngineChoice::Induction | EngineChoice::Ic3 => {
            let engine = if options.within.is_some() { EngineChoice::Bounded } else { choice };
            let following =
                (engine == EngineChoice::Bounded).then(|| following::decide(case, options)).flatten();
            if let Some(decision) = following {
                return decision;
            }
            let nothing =
                |_: ProgressWatch<'_>| Decision::of(engine.name(), SearchAnswer::Stopped(SearchStop::Watch));
            let raced = race(case, &|_| vec![engine], 0, options, nothing);
            raced.unwrap_or_else(|beside| Decision::none(choice.name(), Reason::Unwritten(beside.1.0)))
        }
        EngineChoice::All => {
            let following = following::decide(case, options);
            match EncodedQuestion::new(case) {
                Ok(question) => {
                    let (searched, solved) =
                        everybody(case, &question, options, |watch| search(graph, usize::MAX, watch));
                    let beside = searched.clone();
                    let solved = solved.into_iter().map(|one| one.decision(&beside, question.clone()));
                    compared([searched].into_iter().chain(following).chain(solved))
                }
                Err(unwritten) => {
                    let searched = search(graph, usize::MAX, options.watch);
                    unwritten_beside(compared([searched].into_iter().chain(following)), unwritten)
                }
            }
        }
    }
}

/// A search beside which no solver could be asked.
fn unwritten_beside(searched: Decision<'_>, NotEncodable(why): NotEncodable) -> Decision<'_> {
    Decision { reason: Some(Reason::Unwritten(why)), ..searched }
}

/// A decision whose invariant was checked again, by solvers that know nothing of the engine that found it.
fn checked<'c>(decision: Decision<'c>, options: &EngineOptions<'_>) -> Decision<'c> {
    if let (Some(Ground::Argument(ExclusionReason::Invariant(clauses))), Some(question)) =
        (&decision.ground, &decision.clauses)
    {
        match check(&question.encoding, question.wanted, clauses, &options.patience(usize::MAX)) {
            Err(Flaw::Stopped) => return Decision::none(decision.engine, Reason::Unchecked),
            checked => assert_eq!(checked, Ok(()), "an invariant that an engine gives is one"),
        }
    }
    decision
}

/// Slices of work for how far runs get, which is worth some seconds.
pub const SLICES: usize = 400;

/// A decision with how far a scenario gets, where no run matches it.
fn measured<'c>(
    case: &Case,
    graph: &mut StateGraph<'_>,
    decision: Decision<'c>,
    options: &EngineOptions<'_>,
) -> Decision<'c> {
    let Goal::Accepted(Watcher::Found(scenario)) = &case.goal else { return decision };
    if decision.answer != SearchAnswer::Exhausted || decision.furthest.is_some() {
        return decision;
    }
    // Solvers do not see how far a run gets amid a step.
    if explicit::shows_several(case) {
        if let Ok(Some(furthest)) = explicit::furthest(case, scenario, graph, &options.limits, options.watch)
        {
            return Decision { furthest: Some(furthest), ..decision };
        }
    }
    let deepest = deepest(&decision, &options.patience(SLICES));
    let furthest = deepest.and_then(|deepest| reached(case, scenario, deepest));
    Decision { furthest, ..decision }
}

/// How long solvers are waited for at a time.
const WHILE: Duration = Duration::from_millis(20);

/// A search of the states and some solvers side by side. The solvers begin once the search has found more states than it may
/// alone, or is over without an answer. An error says that no solver could be asked, beside what the search says.
fn race<'c>(
    case: &'c Case,
    engines: &dyn Fn(&EncodedQuestion<'_>) -> Vec<EngineChoice>,
    alone: usize,
    options: &EngineOptions<'_>,
    search: impl FnOnce(ProgressWatch<'_>) -> Decision<'c>,
) -> Result<Decision<'c>, Box<(Decision<'c>, NotEncodable)>> {
    let is_over = AtomicBool::new(false);
    let question: OnceCell<Result<EncodedQuestion<'c>, NotEncodable>> = OnceCell::new();
    let (mut decision, solved) = std::thread::scope(|scope| {
        let finished: OnceCell<Option<mpsc::Receiver<SolverReply>>> = OnceCell::new();
        let start = || {
            let started = finished.get_or_init(|| {
                let question = question.get_or_init(|| EncodedQuestion::new(case)).as_ref().ok()?;
                let solvers = Solvers { system: &case.system, question, within: options.within };
                Some(solvers.start(scope, &engines(question), &is_over, true))
            });
            started.as_ref()
        };
        let watch = |progress: &Progress| {
            if is_over.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            if progress.states > alone {
                start();
            }
            (options.watch)(progress)
        };
        let decision = search(&watch);
        if decision.is_decided() {
            is_over.store(true, Ordering::Relaxed);
            return (decision, None);
        }
        if finished.get().is_none() && options.is_over() {
            return (decision, None);
        }
        let Some(finished) = start() else { return (decision, None) };
        let (mut waits, mut looked, mut first) = (0, None, None);
        while first.is_none() {
            match finished.recv_timeout(WHILE) {
                Ok(solved) if solved.is_decided() => first = Some(solved),
                Ok(solved) => looked = looked.max(solved.looked),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    waits += 1;
                    if options.gives_up(waits) {
                        break;
                    }
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
        let late = finished.iter().filter_map(|solved| solved.looked).max();
        (decision, first.or(Some(SolverReply { looked: looked.max(late), ..SolverReply::default() })))
    });
    let question = match question.into_inner() {
        None => return Ok(decision),
        Some(Err(unwritten)) => return Err(Box::new((decision, unwritten))),
        Some(Ok(question)) => question,
    };
    Ok(match solved {
        None => decision,
        Some(solved) if solved.is_decided() => solved.decision(&decision, question),
        Some(solved) => {
            if let (SearchAnswer::Stopped(stop), Some(looked)) = (&decision.answer, solved.looked) {
                decision.reason = Some(Reason::GaveUp(*stop, looked));
            }
            decision
        }
    })
}

/// The first decision that answers, if none contradicts it.
fn compared<'c>(decisions: impl Iterator<Item = Decision<'c>>) -> Decision<'c> {
    let mut known: Option<Decision<'c>> = None;
    for decision in decisions {
        let Some(first) = &known else {
            known = Some(decision);
            continue;
        };
        if !first.is_decided() {
            known = Some(if decision.is_decided() { decision } else { known.unwrap_or(decision) });
            continue;
        }
        if decision.is_decided() && contradict(first, &decision) {
            let word = |decision: &Decision<'_>| match is_found(&decision.answer) {
                Some(run) => format!("{} finds a run of {} steps", decision.engine, run.steps.len()),
                None => format!("{} finds none", decision.engine),
            };
            let words = format!("{}; {}", word(first), word(&decision));
            return Decision::none(first.engine, Reason::Contradiction(words));
        }
    }
    known.unwrap_or_else(|| Decision::of(EngineChoice::All.name(), SearchAnswer::Stopped(SearchStop::Watch)))
}

/// Whether one of two answers must be wrong. An engine that keeps to the bound of the question does not deny that there are longer
/// runs.
fn contradict(one: &Decision<'_>, other: &Decision<'_>) -> bool {
    let is_within = |decision: &Decision<'_>| matches!(decision.ground, Some(Ground::Enough(_)));
    is_found(&one.answer).is_some() != is_found(&other.answer).is_some()
        && !is_within(one)
        && !is_within(other)
}

/// What all engines say that ask a solver, in their own order, while a search goes on beside them.
fn everybody<'c>(
    case: &Case,
    question: &EncodedQuestion<'_>,
    options: &EngineOptions<'_>,
    search: impl FnOnce(ProgressWatch<'_>) -> Decision<'c>,
) -> (Decision<'c>, Vec<SolverReply>) {
    let is_over = AtomicBool::new(false);
    let (decision, mut all) = std::thread::scope(|scope| {
        let solvers = Solvers { system: &case.system, question, within: None };
        let finished = solvers.start(scope, &EngineChoice::solvers(question), &is_over, false);
        let decision = search(options.watch);
        let (mut all, mut waits): (Vec<SolverReply>, usize) = (Vec::new(), 0);
        loop {
            match finished.recv_timeout(WHILE) {
                Ok(solved) => all.push(solved),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    waits += 1;
                    if options.gives_up(waits) {
                        is_over.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
        (decision, all)
    });
    all.sort_by_key(|solved| solved.engine);
    (decision, all)
}

fn is_found(answer: &SearchAnswer) -> Option<&Run> {
    match answer {
        SearchAnswer::Found(run) => Some(run),
        SearchAnswer::Exhausted | SearchAnswer::Stopped(_) => None,
    }
}

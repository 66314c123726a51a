//! The explicit engine: decides a case by enumerating states.
//!
//! A state that is looked for is found by the [search](crate::search) of all states, with steps left out where that loses no
//! deadlock. A run that an observer accepts is found in the product with the [graph](crate::graph), which cases about one
//! System share.

use std::rc::Rc;

use sequent_kernel::property::Observer;
use sequent_kernel::property::ltl::LtlAutomaton;
use sequent_kernel::property::scenario::{FoundObserver, SoughtScenario, Stance};
use sequent_kernel::question::{Case, Goal, Pace, Visitor, Watcher};
use sequent_kernel::system::{Join, System};
use sequent_kernel::verdict::Reason;

use crate::decision::Decision;
use crate::graph::StateGraph;
use crate::orbit::Orbits;
use crate::origins::Origins;
use crate::packed::Program;
use crate::property::{
    Furthest, PropertyFinding, find_by_order, find_from, find_or_furthest, is_by_order, observed,
};
use crate::quotient::{Quotient, may_merge};
use crate::search::{
    DeadlockMet, Limits, ProgressWatch, Reduction, Search, SearchAnswer, SearchGoal, SearchOptions,
    SearchStop, probe,
};
use crate::transactions::Transactions;

/// The name of the engine.
pub const NAME: &str = "explicit";

/// At most this many states are searched in one thread before all cores take part.
const NEAR: usize = 1_000;

/// In larger systems whose runs all end, runs that differ only in what the observer does not read are not all looked at.
const SMALL: usize = 50_000;

/// More states than this in which attempts may begin are not kept.
const MOST_ORIGINS: usize = 1_000_000;

/// Decides a case by looking at states.
pub fn decide<'c>(
    case: &'c Case,
    graph: &mut StateGraph<'_>,
    limits: &Limits,
    threads: usize,
    watch: ProgressWatch<'_>,
) -> Decision<'c> {
    merged(case, graph, limits, &mut |case, graph, limits| {
        let found = alike(case, limits, threads, watch);
        found.unwrap_or_else(|| whole(case, graph, limits, threads, watch))
    })
}

/// Decides whether a state is reachable by looking at one state for all that are alike; `None` if that does not help. Who asks for a
/// state wants the shortest run to it, and gets it where all steps are taken one by one.
pub fn alike(
    case: &Case,
    limits: &Limits,
    threads: usize,
    watch: ProgressWatch<'_>,
) -> Option<Decision<'static>> {
    let Goal::State(goal) = case.goal else { return None };
    if case.begins.is_some() || limits.states <= NEAR {
        return None;
    }
    let orbits = Orbits::new(&case.system, goal)?;
    let options = SearchOptions { reduction: Reduction::None, limits: *limits, threads };
    let (answer, progress) = orbits.search(&options, watch)?;
    let is_run = matches!(answer, SearchAnswer::Found(_));
    let found = Decision { is_shortest: !orbits.any_prompt(), ..Decision::of(NAME, answer).after(&progress) };
    (found.is_shortest || !is_run).then_some(found)
}

/// Decides a case by looking at states in some way: those that are near as they are; then a simpler case that has the same
/// answer, if there is one: a state to be reached instead of a formula that says that it never is, and the
/// [quotient](crate::quotient) of its System. A deadlock may be [met](crate::search::probe) before all that is nearer.
pub fn merged<'c>(
    case: &'c Case,
    graph: &mut StateGraph<'_>,
    limits: &Limits,
    decide: &mut dyn FnMut(&Case, &mut StateGraph<'_>, &Limits) -> Decision<'static>,
) -> Decision<'c> {
    let is_simple = may_merge(&case.system) || case.goal.is_stuck() || breach(case).is_some();
    if limits.states <= NEAR || !is_simple {
        return decide(case, graph, limits);
    }
    let near = decide(case, graph, &Limits { states: NEAR, ..*limits });
    if near.answer != SearchAnswer::Stopped(SearchStop::States) {
        return near;
    }
    let reached = reached(case);
    let mut far = |case: &Case, graph: &mut StateGraph<'_>| match met(case, graph, limits, near.states) {
        Some(met) => met,
        None => decide(case, graph, limits),
    };
    let whole = reached.as_ref().unwrap_or(case);
    let quotient = Quotient::new(whole);
    let lifted = quotient.as_ref().and_then(|quotient| lifted(quotient, elsewhere(&quotient.case, &mut far)));
    match (lifted, &reached) {
        (Some(decision), _) => decision,
        (None, Some(reached)) => elsewhere(reached, &mut far),
        (None, None) => far(case, graph),
    }
}

/// Decides a case about another System than the one that a caller has the graph of.
fn elsewhere(
    case: &Case,
    decide: &mut dyn FnMut(&Case, &mut StateGraph<'_>) -> Decision<'static>,
) -> Decision<'static> {
    let program = Program::new(&case.system);
    let mut graph = StateGraph::new(&program);
    let decision = decide(case, &mut graph);
    Decision { is_truncated: decision.is_truncated || graph.is_strained(), ..decision }
}

/// A deadlock that is met early, if a case asks for one; some states were looked at before.
fn met(case: &Case, graph: &StateGraph<'_>, limits: &Limits, before: usize) -> Option<Decision<'static>> {
    if !case.goal.is_stuck() {
        return None;
    }
    let DeadlockMet { run, states, is_strained } = probe(graph.program(), limits)?;
    let decision = Decision::of(NAME, SearchAnswer::Found(run));
    Some(Decision { states: before + states, is_truncated: is_strained, ..decision })
}

/// What accepts the violations of a formula, if the formula says of some states that they are never reached, and nothing else.
fn breach(case: &Case) -> Option<&LtlAutomaton> {
    let Goal::Accepted(Watcher::Formula(automaton)) = &case.goal else { return None };
    // Every beginning of a run counts, and what a rule leads to is a position where the formula looks at the state.
    let is_plain =
        case.begins.is_none() && case.system.is_free() && case.system.rules.iter().all(|rule| !rule.urgent);
    (is_plain && automaton.is_breach()).then_some(automaton)
}

/// The case that asks for the states which a formula says are never reached.
fn reached(case: &Case) -> Option<Case> {
    let mut terms = case.system.terms.clone();
    let goal = breach(case)?.breach(&mut terms)?;
    let system = Rc::new(System { terms, ..(*case.system).clone() });
    Some(Case { system, goal: Goal::State(goal), ..case.clone() })
}

/// A decision about a quotient as one about the System; `None` if a run has no short one there.
fn lifted(quotient: &Quotient<'_>, decision: Decision<'static>) -> Option<Decision<'static>> {
    let furthest = match decision.furthest {
        Some(furthest) => Some(Furthest { run: quotient.lift(&furthest.run)?, ..furthest }),
        None => None,
    };
    let (answer, is_as_short) = match decision.answer {
        SearchAnswer::Found(run) => {
            let lifted = quotient.lift(&run)?;
            let is_as_short = lifted.steps.len() == run.steps.len();
            (SearchAnswer::Found(lifted), is_as_short)
        }
        SearchAnswer::Exhausted | SearchAnswer::Stopped(_) => (decision.answer, true),
    };
    let is_shortest = decision.is_shortest && is_as_short;
    Some(Decision { answer, is_shortest, furthest, ..decision })
}

/// Decides a case by looking at states of its own System.
pub fn whole(
    case: &Case,
    graph: &mut StateGraph<'_>,
    limits: &Limits,
    threads: usize,
    watch: ProgressWatch<'_>,
) -> Decision<'static> {
    match &case.goal {
        Goal::Stuck => {
            let options = SearchOptions { reduction: Reduction::Deadlocks, limits: *limits, threads };
            searched(graph, SearchGoal::Stuck, &options, watch)
        }
        Goal::State(goal) => {
            let options = SearchOptions { reduction: Reduction::None, limits: *limits, threads };
            searched(graph, SearchGoal::Goal(*goal), &options, watch)
        }
        Goal::Accepted(watcher) => match origins(case, graph, limits, watch) {
            Ok(origins) => accepted((case, watcher), &origins, graph, (limits, threads), watch),
            Err((stop, reason)) => {
                Decision { reason: Some(reason), ..Decision::of(NAME, SearchAnswer::Stopped(stop)) }
            }
        },
    }
}

/// How far a scenario gets, within limits. An error says that a run gets to its end.
pub fn furthest(
    case: &Case,
    scenario: &SoughtScenario,
    graph: &mut StateGraph<'_>,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> Result<Option<Furthest<Stance>>, Reason> {
    let Ok(origins) = origins(case, graph, limits, watch) else { return Ok(None) };
    let decision = matched(scenario, &origins, graph, limits, watch);
    match decision.answer {
        SearchAnswer::Exhausted => Ok(decision.furthest),
        SearchAnswer::Stopped(_) => Ok(None),
        SearchAnswer::Found(_) => Err(Reason::ToolRefuted),
    }
}

/// Whether a step may show several events: one component offers several labels, and meets several others.
pub(crate) fn shows_several(case: &Case) -> bool {
    case.system.rules.iter().any(|rule| matches!(&rule.join, Join::Offer(labels) if labels.len() > 1))
}

fn searched<'c>(
    graph: &StateGraph<'_>,
    quest: SearchGoal,
    options: &SearchOptions,
    watch: ProgressWatch<'_>,
) -> Decision<'c> {
    let search = Search::run(graph.program(), quest, options, watch);
    // Near states are looked at first.
    let decision = Decision::of(NAME, search.answer).after(&search.progress);
    Decision { is_truncated: search.is_strained, is_shortest: true, ..decision }
}

fn accepted<'c>(
    (case, watcher): (&Case, &Watcher),
    origins: &Origins,
    graph: &mut StateGraph<'_>,
    (limits, threads): (&Limits, usize),
    watch: ProgressWatch<'_>,
) -> Decision<'c> {
    match watcher {
        Watcher::Formula(automaton) if case.begins.is_none() => {
            violated(automaton, origins, graph, (limits, threads), watch)
        }
        Watcher::Found(scenario) => matched(scenario, origins, graph, limits, watch),
        Watcher::Anything
        | Watcher::Formula(_)
        | Watcher::Negative(_)
        | Watcher::Assertion(_)
        | Watcher::Forever(_)
        | Watcher::Missed(..)
        | Watcher::Never(..)
        | Watcher::Whenever(..) => watcher.visit(false, Find { origins, graph, limits, watch }),
    }
}

/// A run that violates a formula. What is near is looked at state by state; then all cores search, if a violation is seen
/// after finitely many positions.
fn violated<'c>(
    automaton: &LtlAutomaton,
    origins: &Origins,
    graph: &mut StateGraph<'_>,
    (limits, threads): (&Limits, usize),
    watch: ProgressWatch<'_>,
) -> Decision<'c> {
    let within = |states: usize| Limits { states: states.min(limits.states), ..*limits };
    let near = find_from(graph, origins, automaton, &within(NEAR), watch);
    if near.answer != SearchAnswer::Stopped(SearchStop::States) || limits.states <= NEAR {
        return found(near);
    }
    let ends = graph.system().endless.is_none();
    let observed = |graph: &mut StateGraph<'_>, limits: Limits| {
        let options = SearchOptions { reduction: Reduction::None, limits, threads };
        observed::find(graph, automaton, &options, watch)
    };
    let mut by_order = None;
    if ends && is_by_order(graph.system(), automaton) {
        let small = observed(graph, within(SMALL));
        if let Some(finding) = small
            && finding.answer != SearchAnswer::Stopped(SearchStop::States)
        {
            return found(finding);
        }
        by_order = find_by_order(graph.program(), automaton, limits, watch);
    }
    let finding = by_order.or_else(|| observed(graph, *limits));
    found(finding.unwrap_or_else(|| find_from(graph, origins, automaton, limits, watch)))
}

fn found<'c>(finding: PropertyFinding) -> Decision<'c> {
    let PropertyFinding { answer, progress, is_strained } = finding;
    let decision = Decision::of(NAME, answer).after(&progress);
    Decision { is_truncated: is_strained, is_shortest: true, ..decision }
}

/// A run that matches a scenario, or one that gets as far as possible.
fn matched<'c>(
    scenario: &SoughtScenario,
    origins: &Origins,
    graph: &mut StateGraph<'_>,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> Decision<'c> {
    let observer = FoundObserver { scenario };
    let gain = |before: &Stance, after: &Stance| observer.gain(before, after);
    let (finding, furthest) = find_or_furthest(graph, origins, &observer, gain, limits, watch);
    Decision { furthest, ..found(finding) }
}

/// Looks for a run that an observer accepts.
struct Find<'f, 'g, 'a> {
    origins: &'f Origins,
    graph: &'g mut StateGraph<'a>,
    limits: &'f Limits,
    watch: ProgressWatch<'f>,
}

impl Visitor for Find<'_, '_, '_> {
    type Output = Decision<'static>;

    fn visit<O: Observer>(
        self,
        observer: &O,
        _depth: &dyn Fn(&O::State) -> Option<usize>,
    ) -> Decision<'static> {
        let Find { origins, graph, limits, watch } = self;
        let ends = graph.system().endless.is_none();
        let small = Limits { states: SMALL.min(limits.states), ..*limits };
        let first = if ends { &small } else { limits };
        let mut finding = find_from(graph, origins, observer, first, watch);
        if ends && finding.answer == SearchAnswer::Stopped(SearchStop::States) && small != *limits {
            let by_order = find_by_order(graph.program(), observer, limits, watch);
            finding = by_order.unwrap_or_else(|| find_from(graph, origins, observer, limits, watch));
        }
        Decision { is_exact: observer.is_exact(), ..found(finding) }
    }
}

/// The states in which attempts may begin; or why they are not known.
fn origins(
    case: &Case,
    graph: &mut StateGraph<'_>,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> Result<Origins, (SearchStop, Reason)> {
    let Some(count) = case.begins else { return Ok(Origins::first(graph)) };
    let most = MOST_ORIGINS.min(limits.states);
    match case.pace {
        Pace::Single => {
            let too_many = (SearchStop::States, Reason::Origins(most, count));
            Origins::within(graph, count, most).ok_or(too_many)
        }
        Pace::Together | Pace::Sparse => {
            let counts = |component| case.names.machines.contains(&component);
            let transactions = Transactions::new(&counts, most, watch);
            let near =
                transactions.within(graph, count).map_err(|stop| (stop, Reason::Stopped(stop, most)))?;
            let mut origins = Origins::default();
            near.into_iter().for_each(|one| origins.add(one.node, None, one.steps));
            Ok(origins)
        }
    }
}

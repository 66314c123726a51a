//! Reduction: a smaller automaton with the same language.
//!
//! Transitions into states with the empty language are removed; universal states are merged; redundant marks
//! are removed; equivalent states are merged; a transition that another one simulates is removed (direct
//! simulation). Each may enable the others, so they are repeated until nothing changes.

use super::AutomatonTooLarge;
use super::build::{DecisionGraph, everything, first};
use super::classes::START;
use super::decision::{DecisionId, Decisions, LtlDecision, LtlSuccessor, StateId, Visits};
use super::hashing::KeyTable;
use super::quotient::{quotient, with_ways};
use super::simulate;
use crate::id::{Id, IdVec};
use crate::property::{Marks, all_marks};
use crate::scc::components;

/// Rounds after which it is good enough.
const MOST_ROUNDS: usize = 8;

/// Pairs of states, one after the other, beyond which an automaton is too large to be looked at: about a second.
const MOST_EDGES: usize = 500_000;

/// The same automaton, smaller.
pub(super) fn reduce(mut graph: DecisionGraph) -> Result<DecisionGraph, AutomatonTooLarge> {
    let mut edges = 0;
    let mut visits = Visits::default();
    for roots in &graph.states {
        edges += ways(&graph, roots, &mut visits).len();
        if edges > MOST_EDGES {
            return Err(AutomatonTooLarge::States);
        }
    }
    for _ in 0..MOST_ROUNDS {
        graph = without_dead_ends(graph);
        graph = with_everything_at_once(graph);
        graph = reached(graph);
        graph = with_fewer_marks(graph);
        graph = merge(graph);
        match simulate::reduce(&graph) {
            Some(smaller) => graph = smaller,
            None => break,
        }
    }
    Ok(reached(graph))
}

/// The ways of each state, whatever happens.
pub(super) fn successors(graph: &DecisionGraph) -> IdVec<StateId, Vec<LtlSuccessor>> {
    let mut visits = Visits::default();
    graph.states.iter().map(|roots| ways(graph, roots, &mut visits)).collect()
}

/// The ways from some decisions, each once.
fn ways(graph: &DecisionGraph, roots: &[DecisionId], visits: &mut Visits) -> Vec<LtlSuccessor> {
    let mut all: Vec<LtlSuccessor> = Vec::new();
    for decision in graph.decisions.reached(roots, visits) {
        match graph.decisions.node(decision) {
            LtlDecision::Ways(ways) => all.extend(ways.iter()),
            LtlDecision::Test(..) => {}
        }
    }
    all.sort();
    all.dedup();
    all
}

/// The strongly connected components of an automaton, and which of them have an accepting cycle.
pub(super) struct Circles {
    /// The number of the component of each state.
    pub of: Vec<usize>,
    /// Components with a cycle on which every mark is seen.
    pub accepting: Vec<bool>,
}

impl Circles {
    pub(crate) fn new(graph: &DecisionGraph, successors: &IdVec<StateId, Vec<LtlSuccessor>>) -> Self {
        let edges: Vec<Vec<usize>> =
            successors.iter().map(|ways| ways.iter().map(|(to, _)| to.index()).collect()).collect();
        let of = components(&edges);
        let mut seen: Vec<Option<Marks>> = vec![None; edges.len()];
        for (from, ways) in successors.enumerate() {
            for (to, marks) in ways {
                if of[to.index()] == of[from.index()] {
                    let all = &mut seen[of[from.index()]];
                    *all = Some(all.unwrap_or(0) | marks);
                }
            }
        }
        let all = all_marks(graph.marks);
        Circles { of, accepting: seen.into_iter().map(|marks| marks == Some(all)).collect() }
    }

    pub(crate) fn is_inside(&self, from: StateId, to: StateId) -> bool {
        self.of[from.index()] == self.of[to.index()]
    }

    pub(crate) fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[self.of[state.index()]]
    }
}

/// No way leads to where nothing is accepted.
fn without_dead_ends(graph: DecisionGraph) -> DecisionGraph {
    let successors = successors(&graph);
    let circles = Circles::new(&graph, &successors);
    let mut is_live: IdVec<StateId, bool> =
        graph.states.ids().map(|state| circles.is_accepting(state)).collect();
    let mut came_from: IdVec<StateId, Vec<StateId>> = graph.states.iter().map(|_| Vec::new()).collect();
    for (from, ways) in successors.enumerate() {
        ways.iter().for_each(|(to, _)| came_from[*to].push(from));
    }
    let mut open: Vec<StateId> = graph.states.ids().filter(|state| is_live[*state]).collect();
    while let Some(state) = open.pop() {
        for from in &came_from[state] {
            if !std::mem::replace(&mut is_live[*from], true) {
                open.push(*from);
            }
        }
    }
    with_ways(&graph, |ways| ways.iter().copied().filter(|(to, _)| is_live[*to]).collect())
}

/// States from which every position can be read with all marks and into such a state again accept everything.
fn with_everything_at_once(graph: DecisionGraph) -> DecisionGraph {
    let all = all_marks(graph.marks);
    let mut is_all: IdVec<StateId, bool> = graph.states.ids().map(|state| state != first()).collect();
    let mut visits = Visits::default();
    // All but the first have no decision for the start, which must not count: it never comes again.
    let reached: IdVec<StateId, Vec<DecisionId>> =
        graph.states.iter().map(|roots| graph.decisions.reached(&roots[START + 1..], &mut visits)).collect();
    loop {
        let goes_on = |decision: &DecisionId| match graph.decisions.node(*decision) {
            LtlDecision::Ways(ways) => ways.iter().any(|(to, marks)| is_all[*to] && *marks == all),
            LtlDecision::Test(..) => true,
        };
        let fails = |state: &StateId| is_all[*state] && !reached[*state].iter().all(goes_on);
        let failing: Vec<StateId> = graph.states.ids().filter(fails).collect();
        if failing.is_empty() {
            break;
        }
        failing.into_iter().for_each(|state| is_all[state] = false);
    }
    with_ways(&graph, |ways| match ways.iter().any(|(to, _)| is_all[*to]) {
        true => vec![(everything(), all)],
        false => ways.to_vec(),
    })
}

/// A mark between circles, or on a circle that is not accepting, means nothing; one that comes by on every circle of a
/// component may as well be seen on each of its steps; one that is seen whenever another is seen is not needed.
fn with_fewer_marks(graph: DecisionGraph) -> DecisionGraph {
    let successors = successors(&graph);
    let circles = Circles::new(&graph, &successors);
    let always = on_every_circle(&graph, &successors, &circles);
    let all = all_marks(graph.marks);
    let marks = |from: StateId, to: StateId, marks: Marks| match () {
        () if !circles.is_inside(from, to) => all,
        () if !circles.is_accepting(from) => 0,
        () => marks | always[circles.of[from.index()]],
    };
    let seen: Vec<Marks> = successors
        .enumerate()
        .flat_map(|(from, ways)| ways.iter().map(move |(to, seen)| (from, *to, *seen)))
        .map(|(from, to, seen)| marks(from, to, seen))
        .collect();
    let kept = needed(&seen, graph.marks);
    let count = kept.count_ones();
    // Several states may share a decision although their cycles differ: each gets its own.
    let mut new = DecisionGraph { states: IdVec::new(), decisions: Decisions::new(), marks: count };
    let mut visits = Visits::default();
    for (state, roots) in graph.states.enumerate() {
        let ways = |ways: &[LtlSuccessor]| -> Vec<LtlSuccessor> {
            ways.iter().map(|(to, seen)| (*to, squeezed(marks(state, *to, *seen), kept))).collect()
        };
        let roots = graph.decisions.copy(roots, &mut visits, &mut new.decisions, ways);
        new.states.push(roots);
    }
    new
}

/// For each component the marks that are seen on every cycle in it.
fn on_every_circle(
    graph: &DecisionGraph,
    successors: &IdVec<StateId, Vec<LtlSuccessor>>,
    circles: &Circles,
) -> Vec<Marks> {
    let mut always = vec![all_marks(graph.marks); graph.states.len()];
    for mark in 0..graph.marks {
        let without = |(from, ways): (StateId, &Vec<LtlSuccessor>)| -> Vec<usize> {
            let stays = |(to, marks): &&LtlSuccessor| marks >> mark & 1 == 0 && circles.is_inside(from, *to);
            ways.iter().filter(stays).map(|(to, _)| to.index()).collect()
        };
        let edges: Vec<Vec<usize>> = successors.enumerate().map(without).collect();
        let inner = components(&edges);
        for (from, targets) in edges.iter().enumerate() {
            if targets.iter().any(|to| inner[*to] == inner[from]) {
                always[circles.of[from]] &= !(1 << mark);
            }
        }
    }
    always
}

/// The marks that are needed: one that every step with another one has is not, nor one that every step has.
fn needed(seen: &[Marks], count: u32) -> Marks {
    let mut kept = all_marks(count);
    for mark in 0..count {
        let has = |marks: &Marks, mark: u32| marks >> mark & 1 == 1;
        let follows = |other: u32| seen.iter().all(|marks| has(marks, mark) || !has(marks, other));
        let others = (0..count).filter(|other| *other != mark && has(&kept, *other));
        let is_implied = seen.iter().all(|marks| has(marks, mark)) || others.into_iter().any(follows);
        if is_implied {
            kept &= !(1 << mark);
        }
    }
    kept
}

/// The kept marks, side by side.
fn squeezed(marks: Marks, kept: Marks) -> Marks {
    let bits = (0..Marks::BITS).filter(|bit| kept >> bit & 1 == 1);
    bits.enumerate().fold(0, |all, (new, old)| all | (marks >> old & 1) << new)
}

/// States that do the same are one: classes are refined until the states of each agree.
fn merge(graph: DecisionGraph) -> DecisionGraph {
    let mut class: IdVec<StateId, StateId> = graph
        .states
        .ids()
        .map(|state| match () {
            () if state == first() => first(),
            () => everything(),
        })
        .collect();
    let mut count = 0;
    loop {
        let (_, to) =
            graph.decisions.map(|ways| ways.iter().map(|(state, marks)| (class[*state], *marks)).collect());
        let mut known: KeyTable<(StateId, Vec<DecisionId>), StateId> = KeyTable::default();
        let mut next: IdVec<StateId, StateId> = IdVec::new();
        for (state, roots) in graph.states.enumerate() {
            let signature = (class[state], roots.iter().map(|root| to[*root]).collect());
            let fresh = StateId::from_index(known.len());
            next.push(*known.entry(signature).or_insert(fresh));
        }
        let is_stable = known.len() == count;
        count = known.len();
        class = next;
        if is_stable {
            return quotient(&graph, &class);
        }
    }
}

/// The automaton without unreachable states and decisions; the universal state stays the second.
fn reached(graph: DecisionGraph) -> DecisionGraph {
    let successors = successors(&graph);
    let mut number: KeyTable<StateId, StateId> =
        KeyTable::from_iter([(first(), first()), (everything(), everything())]);
    let mut order = vec![first(), everything()];
    let mut next = 0;
    while let Some(state) = order.get(next) {
        for (to, _) in &successors[*state] {
            if !number.contains_key(to) {
                number.insert(*to, StateId::from_index(order.len()));
                order.push(*to);
            }
        }
        next += 1;
    }
    let mut new = DecisionGraph { states: IdVec::new(), decisions: Decisions::new(), marks: graph.marks };
    let mut visits = Visits::default();
    for state in order {
        let ways = |ways: &[LtlSuccessor]| -> Vec<LtlSuccessor> {
            ways.iter().map(|(to, marks)| (number[to], *marks)).collect()
        };
        let roots = graph.decisions.copy(&graph.states[state], &mut visits, &mut new.decisions, ways);
        new.states.push(roots);
    }
    new
}

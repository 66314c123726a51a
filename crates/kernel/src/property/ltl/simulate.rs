//! Direct simulation: a state that can do everything another can, with at least its marks, simulates it.
//!
//! States that simulate each other are merged; a transition into a state is redundant beside one, with the
//! same marks or more, into a state that simulates it (Etessami, Wilke and Schuller 2001). The variables of
//! decisions count as letters.

use super::build::{DecisionGraph, first};
use super::decision::{DecisionId, LtlDecision, LtlSuccessor, StateId};
use super::hashing::KeyTable;
use super::quotient::quotient;
use crate::id::{Id, IdVec};

/// States times decisions beyond which it is not tried: time grows with their product.
const MOST_WORK: usize = 30_000;

/// The automaton without states and ways that others stand in for, if there are any.
pub(super) fn reduce(graph: &DecisionGraph) -> Option<DecisionGraph> {
    if graph.states.len() * graph.decisions.len() > MOST_WORK {
        return None;
    }
    let simulation = AutomatonSimulation::new(graph);
    let leader = |state: StateId| {
        let is_same = |other: &StateId| simulation.holds(state, *other) && simulation.holds(*other, state);
        graph.states.ids().find(is_same).unwrap_or(state)
    };
    let class: IdVec<StateId, StateId> = graph.states.ids().map(leader).collect();
    let mut merged = quotient(graph, &class);
    let mut is_smaller = class.enumerate().any(|(state, class)| state != *class);
    let (decisions, to) = merged.decisions.map(|ways| {
        let best = simulation.best(ways);
        is_smaller |= best.len() < ways.len();
        best
    });
    for root in merged.states.iter_mut().flatten() {
        *root = to[*root];
    }
    is_smaller.then_some(DecisionGraph { decisions, ..merged })
}

struct AutomatonSimulation {
    size: usize,
    /// Whether the second state simulates the first.
    holds: Vec<bool>,
}

impl AutomatonSimulation {
    /// The largest simulation: everything is assumed, and given up where it does not hold.
    fn new(graph: &DecisionGraph) -> Self {
        let size = graph.states.len();
        let mut simulation = AutomatonSimulation { size, holds: vec![true; size * size] };
        for state in graph.states.ids().filter(|state| *state != first()) {
            simulation.deny(state, first());
            simulation.deny(first(), state);
        }
        loop {
            let mut known: KeyTable<(DecisionId, DecisionId), bool> = KeyTable::default();
            let mut failing = Vec::new();
            for (one, roots) in graph.states.enumerate() {
                for (other, others) in graph.states.enumerate() {
                    let fits = |known: &mut _| {
                        roots.iter().zip(others).all(|(a, b)| simulation.fits(graph, *a, *b, known))
                    };
                    if one != other && simulation.holds(one, other) && !fits(&mut known) {
                        failing.push((one, other));
                    }
                }
            }
            if failing.is_empty() {
                return simulation;
            }
            failing.into_iter().for_each(|(one, other)| simulation.deny(one, other));
        }
    }

    fn holds(&self, one: StateId, other: StateId) -> bool {
        self.holds[one.index() * self.size + other.index()]
    }

    fn deny(&mut self, one: StateId, other: StateId) {
        self.holds[one.index() * self.size + other.index()] = false;
    }

    /// Whether at each position the second decision has a way for each way of the first.
    fn fits(
        &self,
        graph: &DecisionGraph,
        one: DecisionId,
        other: DecisionId,
        known: &mut KeyTable<(DecisionId, DecisionId), bool>,
    ) -> bool {
        if one == other {
            return true;
        }
        if let Some(known) = known.get(&(one, other)) {
            return *known;
        }
        let fits = match (graph.decisions.node(one), graph.decisions.node(other)) {
            (LtlDecision::Ways(ways), LtlDecision::Ways(others)) => {
                ways.iter().all(|way| others.iter().any(|other| self.covers(way, other)))
            }
            (LtlDecision::Test(variable, no, yes), LtlDecision::Test(second, other_no, other_yes))
                if variable == second =>
            {
                self.fits(graph, *no, *other_no, known) && self.fits(graph, *yes, *other_yes, known)
            }
            (LtlDecision::Test(variable, no, yes), LtlDecision::Test(second, ..)) if variable < second => {
                self.fits(graph, *no, other, known) && self.fits(graph, *yes, other, known)
            }
            (LtlDecision::Test(_, no, yes), LtlDecision::Ways(_)) => {
                self.fits(graph, *no, other, known) && self.fits(graph, *yes, other, known)
            }
            (LtlDecision::Ways(_) | LtlDecision::Test(..), LtlDecision::Test(_, no, yes)) => {
                self.fits(graph, one, *no, known) && self.fits(graph, one, *yes, known)
            }
        };
        known.insert((one, other), fits);
        fits
    }

    fn covers(&self, way: &LtlSuccessor, other: &LtlSuccessor) -> bool {
        way.1 & !other.1 == 0 && self.holds(way.0, other.0)
    }

    /// The ways that no other covers.
    fn best(&self, ways: &[LtlSuccessor]) -> Vec<LtlSuccessor> {
        let is_needed =
            |way: &&LtlSuccessor| !ways.iter().any(|other| other != *way && self.covers(way, other));
        ways.iter().filter(is_needed).copied().collect()
    }
}

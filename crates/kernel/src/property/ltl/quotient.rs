//! Quotients: automata with redirected transitions, such as to the representative of each class of states.

use super::build::DecisionGraph;
use super::decision::{LtlSuccessor, StateId};
use super::hashing::KeyTable;
use crate::id::IdVec;

/// The automaton in which each state is replaced by its class; the first state of a class stands for it.
pub(super) fn quotient(graph: &DecisionGraph, class: &IdVec<StateId, StateId>) -> DecisionGraph {
    let mut chosen: KeyTable<StateId, StateId> = KeyTable::default();
    for (state, class) in class.enumerate() {
        chosen.entry(*class).or_insert(state);
    }
    with_ways(graph, |ways| ways.iter().map(|(to, marks)| (chosen[&class[*to]], *marks)).collect())
}

/// Gives every decision other ways, and every state the decisions that came of its own.
pub(super) fn with_ways(
    graph: &DecisionGraph,
    ways: impl FnMut(&[LtlSuccessor]) -> Vec<LtlSuccessor>,
) -> DecisionGraph {
    let (decisions, to) = graph.decisions.map(ways);
    let states = graph.states.iter().map(|roots| roots.iter().map(|root| to[*root]).collect()).collect();
    DecisionGraph { states, decisions, marks: graph.marks }
}

//! Accepting cycles: states from which an infinite trace that counts goes on.
//!
//! That is, states of a strongly connected component that has a transition inside and meets every recurrent
//! set.

use sequent_kernel::automaton::{Automaton, AutomatonEdge};

use crate::scc::components;

/// For each state whether it lies on a cycle that meets every recurrent set.
pub(crate) fn recurrent(automaton: &Automaton) -> Vec<bool> {
    let mut result = vec![false; automaton.states.len()];
    if automaton.sets == 0 {
        return result;
    }
    let next = |state: usize, pool: &mut Vec<u32>| {
        pool.extend(own_edges(automaton, state).map(|edge| edge.to as u32));
    };
    components(automaton.states.len(), next, |part| {
        let meets = |set: usize| part.iter().any(|state| automaton.states[*state as usize].recurrent[set]);
        if is_circle(automaton, part) && (0..automaton.sets).all(meets) {
            part.iter().for_each(|state| result[*state as usize] = true);
        }
    });
    result
}

/// The edges of a state; they are sorted by where they come from.
fn own_edges(automaton: &Automaton, state: usize) -> impl Iterator<Item = &AutomatonEdge> {
    let own = automaton.edges.partition_point(|edge| edge.from < state);
    automaton.edges[own..].iter().take_while(move |edge| edge.from == state)
}

/// Whether a strongly connected part has an edge inside.
fn is_circle(automaton: &Automaton, part: &[u32]) -> bool {
    let is_loop = |state: &u32| own_edges(automaton, *state as usize).any(|edge| edge.to == *state as usize);
    part.len() > 1 || part.iter().any(is_loop)
}

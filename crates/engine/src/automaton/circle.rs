//! Circles: states from which a trace can go on forever and counts.
//!
//! That is, states of a strongly connected part that has a transition inside and meets every recurrent set. Parts are
//! found by two walks, one forwards and one backwards (Kosaraju); both with a stack of their own, since a path may be as
//! long as there are states.

use sequent_kernel::automaton::Automaton;

/// For each state whether it lies on a circle that meets every recurrent set.
pub fn recurrent(automaton: &Automaton) -> Vec<bool> {
    let mut result = vec![false; automaton.states.len()];
    if automaton.sets == 0 {
        return result;
    }
    for part in parts(automaton) {
        let meets = |set: usize| part.iter().any(|state| automaton.states[*state].recurrent[set]);
        if is_circle(automaton, &part) && (0..automaton.sets).all(meets) {
            part.iter().for_each(|state| result[*state] = true);
        }
    }
    result
}

/// Whether a strongly connected part has an edge inside.
fn is_circle(automaton: &Automaton, part: &[usize]) -> bool {
    let is_loop = |state: &usize| {
        let own = automaton.edges.partition_point(|edge| edge.from < *state);
        automaton.edges[own..].iter().take_while(|edge| edge.from == *state).any(|edge| edge.to == *state)
    };
    part.len() > 1 || part.iter().any(is_loop)
}

/// The strongly connected parts.
fn parts(automaton: &Automaton) -> Vec<Vec<usize>> {
    let count = automaton.states.len();
    let (mut next, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for edge in &automaton.edges {
        next[edge.from].push(edge.to);
        before[edge.to].push(edge.from);
    }
    let mut seen = vec![false; count];
    let mut finished = Vec::new();
    for state in 0..count {
        finished.extend(walk(state, &next, &mut seen));
    }
    let mut seen = vec![false; count];
    let parts = finished.iter().rev().map(|state| walk(*state, &before, &mut seen));
    parts.filter(|part| !part.is_empty()).collect()
}

/// The states that are reached and not seen yet, each after those that are reached from it.
fn walk(first: usize, next: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let mut finished = Vec::new();
    let mut stack = Vec::new();
    if !std::mem::replace(&mut seen[first], true) {
        stack.push((first, 0));
    }
    while let Some((state, followed)) = stack.pop() {
        match next[state].get(followed) {
            Some(to) => {
                stack.push((state, followed + 1));
                if !std::mem::replace(&mut seen[*to], true) {
                    stack.push((*to, 0));
                }
            }
            None => finished.push(state),
        }
    }
    finished
}

//! Automata as JSON (docs/automata.md).

use sequent_kernel::automaton::{Automaton, AutomatonEdge, AutomatonState};
use serde_json::{Value, json};

/// An automaton as one JSON object.
pub fn json(automaton: &Automaton, name: &str) -> Value {
    json!({
        "interaction": name,
        "initial": 0,
        "sets": automaton.sets,
        "states": automaton.states.iter().map(state).collect::<Vec<_>>(),
        "edges": automaton.edges.iter().map(edge).collect::<Vec<_>>(),
    })
}

fn state(state: &AutomatonState) -> Value {
    let sets: Vec<usize> =
        (0..).zip(&state.recurrent).filter(|(_, is_in)| **is_in).map(|(set, _)| set).collect();
    json!({ "accepting": state.accepting, "recurrent": sets })
}

fn edge(edge: &AutomatonEdge) -> Value {
    json!({ "from": edge.from, "to": edge.to, "events": edge.events })
}

//! Automata: the traces of a System, as plain data.
//!
//! States and edges without their configurations. An engine makes one, reports print it; neither depends on
//! the other. State 0 is the initial one. A finite word is accepted if it ends in an accepting state, an
//! infinite one if each recurrent set is visited infinitely often (the two kinds of acceptance of P3).

/// A finite automaton over event texts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Automaton {
    /// States; the first is the initial one.
    pub states: Vec<AutomatonState>,
    /// Edges in order of their first state.
    pub edges: Vec<AutomatonEdge>,
    /// How many recurrent sets there are.
    pub sets: usize,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AutomatonState {
    /// A run may end here.
    pub accepting: bool,
    /// For each recurrent set: whether the state belongs to it.
    pub recurrent: Vec<bool>,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomatonEdge {
    /// The state it leaves.
    pub from: usize,
    /// The state it enters.
    pub to: usize,
    /// The texts of the events that lead along it.
    pub events: Vec<String>,
}

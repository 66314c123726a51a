//! Gates: which clauses of an encoding only define a literal.
//!
//! A literal `g` with the clauses `not g or a`, `not g or b` and `g or not a or not b` is nothing but a name for `a and b`.
//! Such clauses never restrict the steps; all others may. Gates are recognised by the shape of their clauses,
//! so that the writer of an encoding need not mark them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::sat::solver::Literal;

/// The gates of some clauses.
pub struct Gates {
    /// For each clause whether it belongs to a gate.
    pub(crate) is_definition: Vec<bool>,
    /// For each variable that is defined, the literals it is defined by.
    pub parts: BTreeMap<Literal, Vec<Literal>>,
}

/// Finds gates whose parts have lower variables, or lie at the next position.
pub fn gates(clauses: &[&Vec<Literal>], width: i32, period: i32) -> Gates {
    let pairs: HashSet<(Literal, Literal)> = clauses
        .iter()
        .filter(|clause| clause.len() == 2)
        .flat_map(|clause| [(clause[0], clause[1]), (clause[1], clause[0])])
        .collect();
    let mut gates = Gates { is_definition: vec![false; clauses.len()], parts: BTreeMap::new() };
    let mut definitions: BTreeSet<(Literal, Literal)> = BTreeSet::new();
    for (index, clause) in clauses.iter().enumerate().filter(|(_, clause)| clause.len() > 2) {
        let is_here = |literal: &&Literal| literal.variable().0 <= period;
        let Some(gate) = clause.iter().filter(is_here).max_by_key(|literal| literal.variable()).copied()
        else {
            continue;
        };
        let parts = || clause.iter().filter(|literal| **literal != gate).map(|literal| !*literal);
        let is_gate = gate.variable().0 > width
            && !gates.parts.contains_key(&gate.variable())
            && parts().all(|part| pairs.contains(&(!gate, part)));
        if is_gate {
            gates.is_definition[index] = true;
            gates.parts.insert(gate.variable(), parts().collect());
            definitions.extend(parts().flat_map(|part| [(!gate, part), (part, !gate)]));
        }
    }
    for (index, clause) in clauses.iter().enumerate().filter(|(_, clause)| clause.len() == 2) {
        gates.is_definition[index] |= definitions.contains(&(clause[0], clause[1]));
    }
    gates
}

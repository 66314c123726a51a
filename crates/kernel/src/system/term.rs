//! Terms: guards, updates and predicates as a graph in which equal terms are one.
//!
//! Truth is 1, falsity 0. Construction simplifies what costs nothing to see: constants, double negation, repeated and
//! contradicting operands. Everything else is left to the engines.

use std::collections::HashMap;

use super::{Config, VariableId};
use crate::id;
use crate::id::{Id, IdVec};

id! {
    /// A term of a system.
    TermId
}

/// A term, over the ids of its parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// A number; 1 and 0 stand for true and false.
    Constant(i32),
    /// The value of a variable.
    Variable(VariableId),
    /// Not.
    Not(TermId),
    /// All of them.
    And(Vec<TermId>),
    /// Any of them.
    Or(Vec<TermId>),
    /// Equal values.
    Equal(TermId, TermId),
}

/// The terms of a system.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: IdVec<TermId, Node>,
    ids: HashMap<Node, TermId>,
}

impl Terms {
    /// The term behind an id.
    pub fn node(&self, id: TermId) -> &Node {
        &self.nodes[id]
    }

    /// All ids; the parts of a term come before it.
    pub fn ids(&self) -> impl Iterator<Item = TermId> + use<> {
        self.nodes.ids()
    }

    fn add(&mut self, node: Node) -> TermId {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// A number.
    pub fn constant(&mut self, value: i32) -> TermId {
        self.add(Node::Constant(value))
    }

    /// True or false.
    pub fn truth(&mut self, value: bool) -> TermId {
        self.constant(i32::from(value))
    }

    /// A variable's value.
    pub fn variable(&mut self, variable: VariableId) -> TermId {
        self.add(Node::Variable(variable))
    }

    /// Whether a variable has a value.
    pub fn is(&mut self, variable: VariableId, value: i32) -> TermId {
        let (variable, value) = (self.variable(variable), self.constant(value));
        self.equal(variable, value)
    }

    /// Negation.
    pub fn not(&mut self, term: TermId) -> TermId {
        match self.nodes[term] {
            Node::Constant(value) => self.truth(value == 0),
            Node::Not(inner) => inner,
            _ => self.add(Node::Not(term)),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(parts, true)
    }

    /// Disjunction.
    pub fn or(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(parts, false)
    }

    /// A conjunction or disjunction; nested ones are not flattened, so that shared parts stay shared.
    fn junction(&mut self, parts: impl IntoIterator<Item = TermId>, is_and: bool) -> TermId {
        let (neutral, absorbing) = (self.truth(is_and), self.truth(!is_and));
        let mut kept: Vec<TermId> = Vec::new();
        for part in parts {
            if part == absorbing {
                return absorbing;
            }
            if part != neutral && !kept.contains(&part) {
                if kept.contains(&self.not(part)) {
                    return absorbing;
                }
                kept.push(part);
            }
        }
        match (kept.as_slice(), is_and) {
            ([], _) => neutral,
            ([only], _) => *only,
            (_, true) => self.add(Node::And(kept)),
            (_, false) => self.add(Node::Or(kept)),
        }
    }

    /// Equality.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        match (&self.nodes[a], &self.nodes[b]) {
            (Node::Constant(a), Node::Constant(b)) => {
                let same = a == b;
                self.truth(same)
            }
            _ if a == b => self.truth(true),
            _ => self.add(Node::Equal(a.min(b), a.max(b))),
        }
    }

    /// The values of all terms in a configuration, each computed once from its parts.
    pub fn values(&self, config: &Config) -> IdVec<TermId, i32> {
        let mut values: IdVec<TermId, i32> = IdVec::new();
        for node in self.nodes.iter() {
            let value = match node {
                Node::Constant(value) => *value,
                Node::Variable(variable) => config.0[variable.index()],
                Node::Not(part) => i32::from(values[*part] == 0),
                Node::And(parts) => i32::from(parts.iter().all(|part| values[*part] != 0)),
                Node::Or(parts) => i32::from(parts.iter().any(|part| values[*part] != 0)),
                Node::Equal(a, b) => i32::from(values[*a] == values[*b]),
            };
            values.push(value);
        }
        values
    }
}

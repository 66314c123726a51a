//! Decisions: what an automaton does at a position, as questions about it with shared answers.
//!
//! A state does not list its edges with labels. For each class of moments it has a decision: a graph of tests of variables,
//! always in the same order, whose ends are the ways to go on. Equal decisions are one. So a position is read by asking
//! each variable once, however many edges there would be, and impossible letters never come up.

use std::collections::{HashMap, HashSet};

use super::expand::VariableId;
use crate::id;
use crate::id::{Id, IdVec};
use crate::property::Marks;

id! {
    /// A decision.
    DecisionId
}
id! {
    /// A state of an automaton.
    StateId
}

/// A decision, over the ids of what follows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Decision {
    /// Where to go on, in any of these ways.
    Ways(Box<[Way]>),
    /// What to do if a variable is false, and if it is true.
    Test(VariableId, DecisionId, DecisionId),
}

/// A way to go on: the next state, and marks.
pub(super) type Way = (StateId, Marks);

/// All decisions of an automaton; each comes after those it leads to.
#[derive(Clone, Debug)]
pub(super) struct Decisions {
    nodes: IdVec<DecisionId, Decision>,
    ids: HashMap<Decision, DecisionId>,
}

impl Decisions {
    pub fn new() -> Self {
        let mut decisions = Decisions { nodes: IdVec::new(), ids: HashMap::new() };
        decisions.ways(Vec::new());
        decisions
    }

    /// The decision without any way.
    pub fn none(&self) -> DecisionId {
        DecisionId::from_index(0)
    }

    pub fn node(&self, id: DecisionId) -> &Decision {
        &self.nodes[id]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Ways to go on; one that leads to the same state with fewer marks than another is left out.
    pub fn ways(&mut self, mut ways: Vec<Way>) -> DecisionId {
        ways.sort();
        ways.dedup();
        let all = ways.clone();
        ways.retain(|(state, marks)| {
            let is_better = |other: &Way| other.0 == *state && other.1 != *marks && other.1 & marks == *marks;
            !all.iter().any(is_better)
        });
        self.add(Decision::Ways(ways.into()))
    }

    pub fn test(&mut self, variable: VariableId, no: DecisionId, yes: DecisionId) -> DecisionId {
        if no == yes { no } else { self.add(Decision::Test(variable, no, yes)) }
    }

    fn add(&mut self, node: Decision) -> DecisionId {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// The same decisions with other ways, and where each went.
    pub fn map(
        &self,
        mut ways: impl FnMut(&[Way]) -> Vec<Way>,
    ) -> (Decisions, IdVec<DecisionId, DecisionId>) {
        let mut new = Decisions::new();
        let mut to: IdVec<DecisionId, DecisionId> = IdVec::new();
        for node in &self.nodes {
            let id = match node {
                Decision::Ways(old) => {
                    let made = ways(old);
                    new.ways(made)
                }
                Decision::Test(variable, no, yes) => new.test(*variable, to[*no], to[*yes]),
            };
            to.push(id);
        }
        (new, to)
    }

    /// Copies some decisions to others, with other ways.
    pub fn copy(
        &self,
        roots: &[DecisionId],
        into: &mut Decisions,
        mut ways: impl FnMut(&[Way]) -> Vec<Way>,
    ) -> Vec<DecisionId> {
        let mut reached = self.reached(roots.iter().copied());
        reached.sort();
        let mut to: HashMap<DecisionId, DecisionId> = HashMap::new();
        for old in reached {
            let new = match &self.nodes[old] {
                Decision::Ways(old) => into.ways(ways(old)),
                Decision::Test(variable, no, yes) => into.test(*variable, to[no], to[yes]),
            };
            to.insert(old, new);
        }
        roots.iter().map(|root| to[root]).collect()
    }

    /// The decisions that can be reached from some, each once.
    pub fn reached(&self, from: impl IntoIterator<Item = DecisionId>) -> Vec<DecisionId> {
        let mut seen = HashSet::new();
        let mut open: Vec<DecisionId> = from.into_iter().collect();
        let mut reached = Vec::new();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                reached.push(id);
                if let Decision::Test(_, no, yes) = &self.nodes[id] {
                    open.extend([*yes, *no]);
                }
            }
        }
        reached
    }
}

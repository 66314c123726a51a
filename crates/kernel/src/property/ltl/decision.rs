//! Decisions: the transitions of an automaton at a position, as shared decision diagrams.
//!
//! A state does not list its edges with labels. For each class of moments it has a decision: a graph of tests
//! of variables, always in the same order, whose leaves are the successors. Equal decisions are shared. So a
//! position is read by testing each variable once, however many edges there would be, and impossible letters
//! never occur.

use super::expand::VariableId;
use std::collections::BTreeSet;

use super::hashing::KeyTable;
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
pub(super) enum LtlDecision {
    /// Where to go on, in any of these ways.
    Ways(Box<[LtlSuccessor]>),
    /// What to do if a variable is false, and if it is true.
    Test(VariableId, DecisionId, DecisionId),
}

/// A way to go on: the next state, and marks.
pub(super) type LtlSuccessor = (StateId, Marks);

/// All decisions of an automaton; each comes after those it leads to.
#[derive(Clone, Debug)]
pub(super) struct Decisions {
    nodes: IdVec<DecisionId, LtlDecision>,
    ids: KeyTable<LtlDecision, DecisionId>,
}

impl Decisions {
    pub(crate) fn new() -> Self {
        let mut decisions = Decisions { nodes: IdVec::new(), ids: KeyTable::default() };
        decisions.ways(Vec::new());
        decisions
    }

    /// The decision without any way.
    pub(crate) fn none(&self) -> DecisionId {
        DecisionId::from_index(0)
    }

    pub(crate) fn node(&self, id: DecisionId) -> &LtlDecision {
        &self.nodes[id]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The variables that are asked for.
    pub(crate) fn variables(&self) -> BTreeSet<VariableId> {
        let asked = |node: &LtlDecision| match node {
            LtlDecision::Ways(_) => None,
            LtlDecision::Test(variable, ..) => Some(*variable),
        };
        self.nodes.iter().filter_map(asked).collect()
    }

    /// Ways to go on; one that leads to the same state with fewer marks than another is left out.
    pub(crate) fn ways(&mut self, mut ways: Vec<LtlSuccessor>) -> DecisionId {
        ways.sort();
        ways.dedup();
        let is_less = |one: &LtlSuccessor, other: &LtlSuccessor| one.1 != other.1 && one.1 & other.1 == one.1;
        let ways: Vec<LtlSuccessor> = ways
            .chunk_by(|one, other| one.0 == other.0)
            .flat_map(|same| same.iter().filter(|one| !same.iter().any(|other| is_less(one, other))))
            .copied()
            .collect();
        self.add(LtlDecision::Ways(ways.into()))
    }

    pub(crate) fn test(&mut self, variable: VariableId, no: DecisionId, yes: DecisionId) -> DecisionId {
        if no == yes { no } else { self.add(LtlDecision::Test(variable, no, yes)) }
    }

    fn add(&mut self, node: LtlDecision) -> DecisionId {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// The same decisions with other ways, and where each went.
    pub(crate) fn map(
        &self,
        mut ways: impl FnMut(&[LtlSuccessor]) -> Vec<LtlSuccessor>,
    ) -> (Decisions, IdVec<DecisionId, DecisionId>) {
        let mut new = Decisions::new();
        let mut to: IdVec<DecisionId, DecisionId> = IdVec::new();
        for node in &self.nodes {
            let id = match node {
                LtlDecision::Ways(old) => {
                    let made = ways(old);
                    new.ways(made)
                }
                LtlDecision::Test(variable, no, yes) => new.test(*variable, to[*no], to[*yes]),
            };
            to.push(id);
        }
        (new, to)
    }

    /// Copies some decisions to others, with other ways.
    pub(crate) fn copy(
        &self,
        roots: &[DecisionId],
        visits: &mut Visits,
        into: &mut Decisions,
        mut ways: impl FnMut(&[LtlSuccessor]) -> Vec<LtlSuccessor>,
    ) -> Vec<DecisionId> {
        let mut reached = self.reached(roots, visits);
        reached.sort();
        let mut copies: Vec<DecisionId> = Vec::with_capacity(reached.len());
        let to = |copies: &[DecisionId], old: &DecisionId| {
            copies[reached.binary_search(old).expect("what follows was copied before")]
        };
        for old in &reached {
            let new = match &self.nodes[*old] {
                LtlDecision::Ways(old) => into.ways(ways(old)),
                LtlDecision::Test(variable, no, yes) => {
                    into.test(*variable, to(&copies, no), to(&copies, yes))
                }
            };
            copies.push(new);
        }
        roots.iter().map(|root| to(&copies, root)).collect()
    }

    /// The decisions that can be reached from some, each once.
    pub(crate) fn reached(&self, from: &[DecisionId], visits: &mut Visits) -> Vec<DecisionId> {
        visits.round += 1;
        visits.seen.resize(self.nodes.len(), 0);
        let mut open: Vec<DecisionId> = from.to_vec();
        let mut reached = Vec::new();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut visits.seen[id.index()], visits.round) != visits.round {
                reached.push(id);
                if let LtlDecision::Test(_, no, yes) = &self.nodes[id] {
                    open.extend([*yes, *no]);
                }
            }
        }
        reached
    }
}

/// Room to note what was visited, used again and again.
#[derive(Default)]
pub(super) struct Visits {
    round: usize,
    seen: Vec<usize>,
}

//! The matching of two trees, and the matching of the operands of two blocks that correspond.

use std::collections::BTreeMap;

use crate::merge::align::align_any;
use crate::merge::read::{BlockTree, NodeId, NodeKind};

/// Which nodes of two trees correspond.
#[derive(Clone, Debug, Default)]
pub(in crate::merge) struct Matching {
    /// For each old node its new one.
    pub to: Vec<Option<NodeId>>,
    /// For each new node its old one.
    pub from: Vec<Option<NodeId>>,
    /// Old nodes that were moved past others.
    pub is_moved: Vec<bool>,
}

impl Matching {
    /// Returns the pairs of nodes that correspond.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        self.to.iter().enumerate().filter_map(|(one, other)| Some((one, (*other)?)))
    }

    /// Matches two nodes.
    pub(crate) fn join(&mut self, old: NodeId, new: NodeId) {
        self.to[old] = Some(new);
        self.from[new] = Some(old);
    }
}

/// The old and the new tree.
pub(super) type Trees<'t> = (&'t BlockTree<'t>, &'t BlockTree<'t>);

/// How many matched statements nodes of two trees have in common.
pub(super) type SharedContent = BTreeMap<(NodeId, NodeId), usize>;

/// Counts the matched statements that blocks and operands of two trees have in common.
pub(super) fn shared_content((old, new): Trees<'_>, matching: &Matching) -> SharedContent {
    let mut shared = SharedContent::new();
    for (one, other) in matching.pairs().filter(|(one, _)| old.is_significant(*one)) {
        for outer in old.ancestors(one) {
            for around in new.ancestors(other) {
                *shared.entry((outer, around)).or_default() += 1;
            }
        }
    }
    shared
}

/// Matches the operands of two blocks by what they have in common, then by their guards and positions.
pub(super) fn match_operands(
    (old, new): Trees<'_>,
    (block, other): (NodeId, NodeId),
    shared: &SharedContent,
    matching: &mut Matching,
) {
    let (own, others) = (old.children(block), new.children(other));
    let guard = |tree: &BlockTree<'_>, block: NodeId, operand: NodeId| {
        tree.piece(operand).or(tree.piece(block)).map(|piece| piece.detail.clone())
    };
    let weight = |one: usize, two: usize| {
        let (before, after) = (own[one], others[two]);
        let count = shared.get(&(before, after)).copied().unwrap_or(0);
        let is_same = guard(old, block, before) == guard(new, other, after);
        let place = match (one, two) {
            (0, 0) => 4,
            (0, _) | (_, 0) => 0,
            (_, _) => 2,
        };
        let is_worth = count > 0 || place > 0;
        if is_worth { 40 * count as u32 + if is_same { 12 } else { 0 } + place } else { 0 }
    };
    own.iter().for_each(|operand| matching.to[*operand] = None);
    for (at, place) in align_any(own.len(), others.len(), &weight) {
        matching.to[own[at]] = Some(others[place]);
    }
}

/// Returns all blocks of a tree among some nodes.
pub(super) fn blocks(tree: &BlockTree<'_>, nodes: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
    nodes.into_iter().filter(|node| tree.kind(*node) == NodeKind::Block).collect()
}

//! Matches nodes that are left over: those at the same place, between the same neighbours, in the same block.
//!
//! A message with the same ends at the same place is an edited one, even if the first line of its block was edited too. An old block
//! whose remaining content stands in the only new block at its place corresponds to that block, whatever its first line says; one without
//! remaining content does if its guard is the same. Unmatched blocks around matched content are looked through.

use std::collections::{HashMap, HashSet};

use super::operands::{Matching, Trees, blocks, match_operands, shared_content};
use crate::merge::align::{align_any, heaviest_increasing};
use crate::merge::read::{BlockTree, NodeId, NodeKind, SectionKind, similarity};

/// Matches nodes that are left over, from the outermost on.
pub(super) fn match_leftovers(trees: Trees<'_>, matching: &mut Matching) {
    let old = trees.0;
    for parent in old.below(0) {
        let is_holder = matches!(old.kind(parent), NodeKind::Root | NodeKind::Operand);
        if let Some(other) = matching.to[parent].filter(|_| is_holder) {
            match_children(trees, (parent, other), matching);
        }
    }
}

/// Matches nodes that are left over in two nodes that correspond.
fn match_children(trees: Trees<'_>, (parent, other): (NodeId, NodeId), matching: &mut Matching) {
    let (old, new) = trees;
    let own = content(old, parent, &matching.to);
    let others = content(new, other, &matching.from);
    if own.iter().all(|node| matching.to[*node].is_some() || !is_ordered(old, *node)) {
        return;
    }
    let place: HashMap<NodeId, usize> = others.iter().enumerate().map(|(at, node)| (*node, at)).collect();
    let mut known: Vec<(usize, usize)> = Vec::new();
    for (at, node) in own.iter().enumerate().filter(|(_, node)| !matching.is_moved[**node]) {
        known.extend(matching.to[*node].and_then(|to| place.get(&to)).map(|to| (at, *to)));
    }
    let places: Vec<usize> = known.iter().map(|(_, to)| *to).collect();
    let unmoved = heaviest_increasing(&places, &|_| 1).into_iter().map(|at| known[at]);
    let mut from = (0, 0);
    for (at, to) in unmoved.chain([(own.len(), others.len())]) {
        let unmatched = |nodes: &[NodeId], known: &[Option<NodeId>]| -> Vec<NodeId> {
            nodes.iter().copied().filter(|node| known[*node].is_none()).collect()
        };
        let deleted = unmatched(&own[from.0..at], &matching.to);
        let added = unmatched(&others[from.1..to], &matching.from);
        if !deleted.is_empty() && !added.is_empty() {
            match_statements(trees, [&deleted, &added], matching);
            match_only_block(trees, [&deleted, &added], matching);
        }
        from = (at + 1, to + 1);
    }
}

/// Returns the content of a node, looking through unmatched blocks around matched content.
fn content(tree: &BlockTree<'_>, parent: NodeId, known: &[Option<NodeId>]) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut waiting: Vec<NodeId> = tree.children(parent).iter().rev().copied().collect();
    while let Some(node) = waiting.pop() {
        let is_operand = tree.kind(node) == NodeKind::Operand;
        found.extend((!is_operand).then_some(node));
        let is_drawn = tree.kind(node) == NodeKind::Block
            && known[node].is_none()
            && tree.below(node).into_iter().any(|inner| known[inner].is_some());
        if is_operand || is_drawn {
            waiting.extend(tree.children(node).iter().rev());
        }
    }
    found
}

fn is_ordered(tree: &BlockTree<'_>, node: NodeId) -> bool {
    tree.piece(node).is_some_and(|piece| piece.section == SectionKind::Sequence)
}

fn match_statements((old, new): Trees<'_>, [deleted, added]: [&[NodeId]; 2], matching: &mut Matching) {
    let weight = |one: usize, two: usize| {
        let (before, after) = (deleted[one], added[two]);
        let is_leaf = old.kind(before) == NodeKind::Leaf && new.kind(after) == NodeKind::Leaf;
        let pieces = old.piece(before).zip(new.piece(after)).filter(|_| is_leaf && is_ordered(old, before));
        pieces.map_or(0, |(before, after)| similarity(before, after))
    };
    for (at, place) in align_any(deleted.len(), added.len(), &weight) {
        matching.join(deleted[at], added[place]);
    }
}

/// Matches the only deleted and the only added block, if they correspond.
fn match_only_block((old, new): Trees<'_>, [deleted, added]: [&[NodeId]; 2], matching: &mut Matching) {
    let (before, after) = (blocks(old, deleted.to_vec()), blocks(new, added.to_vec()));
    let ([one], [other]) = (before.as_slice(), after.as_slice()) else { return };
    let (Some(header), true) = (old.piece(*one), is_ordered(old, *one)) else { return };
    let inside: HashSet<NodeId> = new.below(*other).into_iter().collect();
    let content = old.below(*one).into_iter().filter(|node| old.is_significant(*node));
    let left: Vec<NodeId> = content.filter_map(|node| matching.to[node]).collect();
    let is_inside = left.iter().all(|node| inside.contains(node));
    let met = inside.iter().filter_map(|node| matching.from[*node]).filter(|node| old.is_significant(*node));
    let is_guard =
        !header.detail.is_empty() && new.piece(*other).is_some_and(|piece| piece.detail == header.detail);
    if (!left.is_empty() || is_guard) && is_inside && met.count() <= 2 * left.len() {
        matching.join(*one, *other);
        let shared = shared_content((old, new), matching);
        match_operands((old, new), (*one, *other), &shared, matching);
    }
}

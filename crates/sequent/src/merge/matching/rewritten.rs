//! Messages that both sides rewrote and that a side, or both, moved.
//!
//! A message that one side moved and rewrote matches nothing in the base. If the other side rewrote or moved it, and this side has exactly one new
//! message with the new text, or with the old name, that is its version. If both sides moved it neither has it any more; if each side has exactly one new
//! message with its ends, or with its name, these two are its versions. Keeping both would double it.

use std::collections::BTreeSet;

use super::operands::Matching;
use crate::merge::read::{BlockTree, NodeId, Piece, PieceKind};

/// Whether two messages have something in common.
type IsSame = fn(&Piece, &Piece) -> bool;

/// Matches messages that one side moved and rewrote and the other rewrote or moved.
pub(super) fn follow_rewritten(trees: &[BlockTree<'_>; 3], matchings: &mut [Matching; 2]) {
    for side in [0, 1] {
        for node in trees[0].below(0) {
            let changed = matchings[1 - side].to[node].and_then(|node| trees[2 - side].piece(node));
            let Some((old, changed)) = message(&trees[0], node).zip(changed) else { continue };
            let own = &matchings[side];
            let is_left = old.is_same(changed) && !matchings[1 - side].is_moved[node];
            if own.to[node].is_some() || is_left || old.name().is_empty() {
                continue;
            }
            let of_name = |tree: usize, is_loose: &dyn Fn(NodeId) -> bool| -> Vec<NodeId> {
                let is_one = |node: &NodeId| {
                    let piece = message(&trees[tree], *node).filter(|_| is_loose(*node));
                    piece.is_some_and(|piece| piece.name() == old.name() || piece.is_same(changed))
                };
                trees[tree].below(0).into_iter().filter(is_one).collect()
            };
            let lost = of_name(0, &|node| own.to[node].is_none());
            let new = of_name(side + 1, &|node| own.from[node].is_none());
            if let ([_], [moved]) = (lost.as_slice(), new.as_slice()) {
                matchings[side].join(node, *moved);
                matchings[side].is_moved[node] = true;
            }
        }
    }
}

/// Returns a message that is no answer.
fn message<'p>(tree: &BlockTree<'p>, node: NodeId) -> Option<&'p Piece> {
    tree.piece(node).filter(|piece| piece.kind == PieceKind::Message && !piece.is_answer)
}

/// Returns the nodes of each side that are rewritten versions of one message of the base.
pub(super) fn rewritten(trees: &[BlockTree<'_>; 3], matchings: &[Matching; 2]) -> [BTreeSet<NodeId>; 2] {
    let loose = |tree: usize, is_known: &dyn Fn(NodeId) -> bool| -> Vec<NodeId> {
        let is_loose = |node: &NodeId| message(&trees[tree], *node).is_some() && !is_known(*node);
        trees[tree].below(0).into_iter().filter(is_loose).collect()
    };
    let lost = loose(0, &|node| matchings.iter().any(|matching| matching.to[node].is_some()));
    let [ours, theirs] = [0, 1].map(|side| loose(side + 1, &|node| matchings[side].from[node].is_some()));
    let mut found: [BTreeSet<NodeId>; 2] = Default::default();
    let ends: IsSame = |one, other| one.topic == other.topic;
    let name: IsSame = |one, other| one.name() == other.name();
    // One side may have changed the name, the other an end.
    for is_same in [[ends, ends], [name, name], [ends, name], [name, ends]] {
        let alike = |tree: usize, nodes: &[NodeId], piece: &Piece, is_same: IsSame| -> Vec<NodeId> {
            let other = |node: NodeId| trees[tree].piece(node);
            let is_alike = |node: &NodeId| other(*node).is_some_and(|other| is_same(piece, other));
            nodes.iter().copied().filter(is_alike).collect()
        };
        for piece in lost.iter().filter_map(|node| trees[0].piece(*node)) {
            let is_alone = is_same.iter().all(|is_same| alike(0, &lost, piece, *is_same).len() == 1);
            let both = [alike(1, &ours, piece, is_same[0]), alike(2, &theirs, piece, is_same[1])];
            let is_known =
                || found.iter().zip(&both).any(|(found, own)| own.iter().any(|one| found.contains(one)));
            if is_alone && both.iter().all(|own| own.len() == 1) && !is_known() {
                found.iter_mut().zip(both).for_each(|(found, own)| found.extend(own));
            }
        }
    }
    found
}

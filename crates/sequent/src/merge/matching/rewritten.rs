//! Messages that both sides moved and rewrote.
//!
//! Neither side has such a message any more, so it matches nothing. But if each side has exactly one new message with its ends, or with its name, these two are taken for its
//! versions: keeping both would double it.

use std::collections::BTreeSet;

use super::operands::Matching;
use crate::merge::read::{BlockTree, NodeId, Piece, PieceKind};

/// Returns the nodes of each side that are rewritten versions of one message of the base.
pub(super) fn rewritten(trees: &[BlockTree<'_>; 3], matchings: &[Matching; 2]) -> [BTreeSet<NodeId>; 2] {
    let loose = |tree: usize, is_known: &dyn Fn(NodeId) -> bool| -> Vec<NodeId> {
        let is_message = |node: &NodeId| {
            let piece = trees[tree].piece(*node);
            piece.is_some_and(|piece| piece.kind == PieceKind::Message && !piece.is_answer)
        };
        let nodes = trees[tree].below(0).into_iter();
        nodes.filter(|node| is_message(node) && !is_known(*node)).collect()
    };
    let lost = loose(0, &|node| matchings.iter().any(|matching| matching.to[node].is_some()));
    let [ours, theirs] = [0, 1].map(|side| loose(side + 1, &|node| matchings[side].from[node].is_some()));
    let mut found: [BTreeSet<NodeId>; 2] = Default::default();
    let has_same_ends = |one: &Piece, other: &Piece| one.topic == other.topic;
    let has_same_name = |one: &Piece, other: &Piece| one.name() == other.name();
    for is_same in [has_same_ends as fn(&Piece, &Piece) -> bool, has_same_name] {
        let alike = |tree: usize, nodes: &[NodeId], piece: &Piece| -> Vec<NodeId> {
            let other = |node: NodeId| trees[tree].piece(node);
            let is_alike = |node: &NodeId| other(*node).is_some_and(|other| is_same(piece, other));
            nodes.iter().copied().filter(is_alike).collect()
        };
        for piece in lost.iter().filter_map(|node| trees[0].piece(*node)) {
            let all = [alike(0, &lost, piece), alike(1, &ours, piece), alike(2, &theirs, piece)];
            if let [[_], [one], [other]] = all.each_ref().map(Vec::as_slice) {
                found[0].insert(*one);
                found[1].insert(*other);
            }
        }
    }
    found
}

//! Finds the smallest part of a diagram that must be a conflict so that the rest fits.
//!
//! The whole diagram suffices. Its beginning and then its end are left out as far as possible, by bisection; if one block is left the same is done
//! inside of its operands. Only extents that were tried are returned.

use crate::merge::read::{BlockTree, NodeKind};
use crate::merge::threeway::ConflictExtent;

/// The most trials.
const MOST_TRIES: usize = 60;

/// Diagrams with more nodes are not divided.
const MOST_NODES: usize = 4_000;

/// Returns the smallest extent that suffices, given that the whole diagram does.
pub(super) fn smallest(
    tree: &BlockTree<'_>,
    suffices: &mut dyn FnMut(&ConflictExtent) -> bool,
) -> ConflictExtent {
    let mut tries = if tree.nodes.len() > MOST_NODES { 0 } else { MOST_TRIES };
    let mut is_fit = |extent: &ConflictExtent| {
        tries = tries.saturating_sub(1);
        tries > 0 && suffices(extent)
    };
    let mut best = ConflictExtent::All;
    let mut waiting = vec![0];
    while let Some(parent) = waiting.pop() {
        let children = tree.children(parent);
        if !is_fit(&ConflictExtent::Between(parent, 0..children.len())) {
            continue;
        }
        let (mut start, mut last) = (0, children.len());
        while start < last {
            let half = (start + last).div_ceil(2);
            match is_fit(&ConflictExtent::Between(parent, half..children.len())) {
                true => start = half,
                false => last = half - 1,
            }
        }
        let (mut first, mut end) = (start, children.len());
        while first < end {
            let half = (first + end) / 2;
            match is_fit(&ConflictExtent::Between(parent, start..half)) {
                true => end = half,
                false => first = half + 1,
            }
        }
        best = ConflictExtent::Between(parent, start..end);
        waiting = match children[start..end] {
            [block] if tree.kind(block) == NodeKind::Block => tree.children(block).to_vec(),
            _ => Vec::new(),
        };
    }
    best
}

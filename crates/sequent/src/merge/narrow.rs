//! The smallest part of a diagram that must be a conflict so that the rest fits.
//!
//! All of it is enough. Its beginning and then its end are left out as far as can be, by halves; if one block is left the same is done inside of
//! its operands. Only what was tried is taken.

use super::tree::{Kind, Tree};
use super::weave::Extent;

/// So often something is tried.
const MOST_TRIES: usize = 60;

/// Diagrams of more nodes are not tried part by part.
const MOST_NODES: usize = 4_000;

/// The smallest part of which `is_enough` is true, if it is of the whole.
pub fn smallest(tree: &Tree, is_enough: &mut dyn FnMut(&Extent) -> bool) -> Extent {
    let mut tries = if tree.nodes.len() > MOST_NODES { 0 } else { MOST_TRIES };
    let mut is_fit = |extent: &Extent| {
        tries = tries.saturating_sub(1);
        tries > 0 && is_enough(extent)
    };
    let mut best = Extent::All;
    let mut waiting = vec![0];
    while let Some(parent) = waiting.pop() {
        let children = &tree.nodes[parent].children;
        if !is_fit(&Extent::Between(parent, 0..children.len())) {
            continue;
        }
        let (mut start, mut last) = (0, children.len());
        while start < last {
            let half = (start + last).div_ceil(2);
            match is_fit(&Extent::Between(parent, half..children.len())) {
                true => start = half,
                false => last = half - 1,
            }
        }
        let (mut first, mut end) = (start, children.len());
        while first < end {
            let half = (first + end) / 2;
            match is_fit(&Extent::Between(parent, start..half)) {
                true => end = half,
                false => first = half + 1,
            }
        }
        best = Extent::Between(parent, start..end);
        waiting = match children[start..end] {
            [block] if tree.nodes[block].kind == Kind::Block => tree.nodes[block].children.clone(),
            _ => Vec::new(),
        };
    }
    best
}

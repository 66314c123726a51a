//! Loops without bound, cut: the same diagram with as many iterations as somebody wants to look at.

use super::unfold::used;
use crate::model::{Block, Fragment, InteractionId, Loop, Model, Operator};

/// Loops with more iterations than this count as without bound.
pub const MANY: u32 = 1_000;

/// The same model where the loops of an interaction, and of those it uses, end after some iterations more than they must
/// have; whether there was one to cut.
pub fn cut(model: &Model, id: InteractionId, iterations: u32) -> (Model, bool) {
    let mut cut = model.clone();
    let mut is_cut = false;
    for diagram in used(model, id) {
        is_cut |= cut_block(&mut cut.interactions[diagram].body, iterations);
    }
    (cut, is_cut)
}

fn cut_block(block: &mut Block, iterations: u32) -> bool {
    let mut is_cut = false;
    for fragment in &mut block.0 {
        let Fragment::Combined(combined) = fragment else { continue };
        if let Operator::Loop(bounds) = &mut combined.operator {
            if bounds.min.is_none() || bounds.max.is_none_or(|max| max > MANY) {
                // One that must not end has as many iterations as are looked at.
                let min = bounds.min.map_or(iterations, |min| min.min(MANY));
                let max = if bounds.min.is_some() { min.saturating_add(iterations) } else { min };
                *bounds = Loop { min: Some(min), max: Some(max), ..*bounds };
                is_cut = true;
            }
        }
        for operand in &mut combined.operands {
            is_cut |= cut_block(&mut operand.block, iterations);
        }
    }
    is_cut
}

//! Unbounded loops, cut: the same diagram with a limited number of iterations.

use super::unfold::used;
use crate::model::{Block, Combined, Fragment, InteractionId, Loop, Model, Operator};
use crate::source::Place;

/// Loops with more iterations than this count as without bound.
pub const MANY: u32 = 1_000;

/// A loop that is not written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnboundedLoop {
    /// Where it stands.
    pub place: Place,
    /// It must go on forever, or for longer than is written out: cut short, no run of it is one of the diagram.
    pub is_endless: bool,
}

/// A loop without bound of an interaction, or of one that it uses: one that never ends if there is such a one, or else the
/// first.
pub fn unbounded(model: &Model, id: InteractionId) -> Option<UnboundedLoop> {
    let mut found: Option<UnboundedLoop> = None;
    for diagram in used(model, id) {
        model.interactions[diagram].walk(&mut |fragment, _| {
            let Fragment::Combined(combined) = fragment else { return };
            if let Some(one) = is_unbounded(combined)
                && found.is_none_or(|known| one.is_endless && !known.is_endless)
            {
                found = Some(one);
            }
        });
    }
    found
}

fn is_unbounded(combined: &Combined) -> Option<UnboundedLoop> {
    let Operator::Loop(bounds) = &combined.operator else { return None };
    let is_endless = bounds.min.is_none_or(|min| min > MANY);
    let is_one = is_endless || bounds.max.is_none_or(|max| max > MANY);
    is_one.then_some(UnboundedLoop { place: combined.place, is_endless })
}

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
        let unbounded = is_unbounded(combined);
        if let (Operator::Loop(bounds), Some(_)) = (&mut combined.operator, unbounded) {
            // One that must not end has as many iterations as are looked at.
            let min = bounds.min.map_or(iterations, |min| min.min(MANY));
            let max = if bounds.min.is_some() { min.saturating_add(iterations) } else { min };
            *bounds = Loop { min: Some(min), max: Some(max), ..*bounds };
            is_cut = true;
        }
        for operand in &mut combined.operands {
            is_cut |= cut_block(&mut operand.block, iterations);
        }
    }
    is_cut
}

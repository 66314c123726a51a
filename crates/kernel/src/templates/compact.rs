//! The short form of a diagram: loops that are kept instead of written out, and guards that decide by themselves.
//!
//! A loop can be kept if every iteration does the same: nothing in it waits for a single occurrence of a single iteration, as in
//! strict sequences and critical regions, and nothing ends the loop early. What is chosen in an iteration is chosen in each.

use std::collections::BTreeSet;

use super::demands::From;
use super::tree::{NodeId, OccurrenceId, OperandComposition, TemplateNodeKind, TemplateTree};
use super::unfold::{UnfoldStyle, Unfolder, used};
use crate::model::{
    Block, Combination, Combined, Fragment, FragmentId, Guard, InteractionId, Model, Operator,
};
use crate::semantics::{Assumptions, Unsupported, proposition};

/// The tree of an interaction with loops that are kept where that can be, and guards that decide by themselves.
pub(super) fn compact(
    model: &Model,
    id: InteractionId,
    assumptions: &Assumptions,
) -> Result<TemplateTree, Unsupported> {
    let mut style = UnfoldStyle { kept: candidates(model, id), is_direct: true };
    loop {
        let tree = Unfolder::new(model, id, assumptions, &style).unfold(id)?;
        let apart = told_apart(&tree, assumptions.switches.guarded_first);
        if apart.is_empty() {
            return Ok(tree);
        }
        apart.iter().for_each(|one| _ = style.kept.remove(&tree.kept[one].drawn));
    }
}

/// Loops that may be kept, as far as they tell by themselves.
fn candidates(model: &Model, id: InteractionId) -> BTreeSet<(InteractionId, FragmentId)> {
    let mut found = BTreeSet::new();
    for diagram in used(model, id) {
        model.interactions[diagram].walk(&mut |fragment, _| {
            if let Fragment::Combined(combined) = fragment
                && is_candidate(combined)
            {
                found.insert((diagram, combined.id));
            }
        });
    }
    found
}

fn is_candidate(combined: &Combined) -> bool {
    let Operator::Loop(bounds) = &combined.operator else { return false };
    let Some(first) = combined.operands.first() else { return false };
    let is_guard_kept = match &first.guard {
        Guard::Absent | Guard::Else => true,
        Guard::Condition(text) => {
            !proposition::is_compound(text) && combined.operands.iter().all(|one| !asks(&one.block))
        }
    };
    let is_break = |one: &Fragment| matches!(one, Fragment::Combined(one) if one.operator.combination() == Combination::Break);
    let has_break = combined.operands.iter().flat_map(|one| one.block.unframed()).any(is_break);
    bounds.min.is_some()
        && bounds.max.is_some_and(|max| max > 1)
        && !bounds.strict
        && is_guard_kept
        && !has_break
}

/// Whether something in a block asks for a guard, or may.
fn asks(block: &Block) -> bool {
    block.0.iter().any(|fragment| match fragment {
        Fragment::Combined(one) => {
            one.operands.iter().any(|operand| operand.guard != Guard::Absent || asks(&operand.block))
        }
        Fragment::Use(_) | Fragment::Invariant(_) => true,
        Fragment::Message(_)
        | Fragment::Stop(_)
        | Fragment::Action(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => false,
    })
}

/// The kept loops of a tree in which iterations must be told apart, because something waits for an occurrence of one of them.
fn told_apart(tree: &TemplateTree, is_guarded_first: bool) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    let mut tell = |one: OccurrenceId| found.extend(tree.kept_around(tree.occurrences[one].node));
    for demand in tree.demands(is_guarded_first) {
        demand.over.iter().for_each(|one| tell(one.occurrence));
        demand.waiting.iter().for_each(|one| tell(*one));
        match &demand.from {
            From::Start => {}
            From::Any(first) => first.iter().for_each(|one| tell(*one)),
            From::All(_, before) => before.iter().for_each(|one| tell(one.occurrence)),
        }
    }
    for (node, one) in tree.nodes.enumerate() {
        // Everything in a coregion, and nothing else, is beside everything else in it.
        let is_coregion =
            tree.fragment(node).is_some_and(|one| matches!(one.shape, OperandComposition::Coregion(_)));
        if is_coregion {
            let inside = tree.kept.keys().filter(|kept| {
                std::iter::successors(Some(**kept), |one| tree.nodes[*one].parent)
                    .any(|around| around == node)
            });
            found.extend(inside);
        }
        // Lifelines meet in each iteration anew, and lifelines end once.
        if matches!(one.kind, TemplateNodeKind::Meeting(_) | TemplateNodeKind::Stop(_)) {
            found.extend(tree.kept_around(node));
        }
    }
    found
}

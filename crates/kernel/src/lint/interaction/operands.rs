//! Fragments whose operands make little sense: W207 to E211, W216.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic};
use crate::model::{
    Block, Combination, Combined, Condition, Fragment, Guard, Interaction, LifelineId, MessageSet,
};
use crate::semantics::Exchange;
use crate::source::Span;

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    neighbours(&interaction.body, findings);
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Combined(combined) = fragment {
            combined.operands.iter().for_each(|operand| neighbours(&operand.block, findings));
            empty_operands(combined, findings);
            alternatives(combined, findings);
            too_many(combined, findings);
            message_types(interaction, combined, findings);
            coverage(interaction, combined, findings);
        }
    });
}

fn empty_operands(combined: &Combined, findings: &mut Vec<Diagnostic>) {
    for operand in &combined.operands {
        let says_something =
            |fragment: &Fragment| !fragment.is_drawn_only() || matches!(fragment, Fragment::Note(_));
        if !operand.block.0.iter().any(says_something) {
            findings.push(
                Diagnostic::new(
                    Code::EmptyOperand,
                    operand.place.0.at_start(),
                    "nothing happens in this operand",
                )
                .hint("fill it, remove it, or say in a note why it is empty"),
            );
        }
    }
}

/// An operator that takes one operand and has several.
fn too_many(combined: &Combined, findings: &mut Vec<Diagnostic>) {
    let Some(second) = combined.operands.get(1) else { return };
    if !combined.operator.takes_one_operand() {
        return;
    }
    let message = format!("`{}` has one operand only", combined.operator.word());
    findings.push(
        Diagnostic::new(Code::TooManyOperands, second.place.0.at_start(), message)
            .label(combined.place.0.at_start(), "the fragment begins here")
            .hint(match matches!(combined.operator.combination(), Combination::Choice { .. }) {
                true => "write `alt`: that is what it is read as",
                false => "put an `alt` inside it, or end it before this line",
            }),
    );
}

/// Alternatives of one operand each, one below the other: the drawing lets both happen, where `alt` says that one excludes the other. One that stands
/// alone says what an `opt` says, and is left alone.
fn neighbours(block: &Block, findings: &mut Vec<Diagnostic>) {
    let mut before: Option<(Span, &Condition)> = None;
    for fragment in block.0.iter().filter(|fragment| !fragment.is_drawn_only()) {
        let alone = condition_alone(fragment);
        if let (Some((_, first)), Some((place, second))) = (before, alone)
            && first.text != second.text
        {
            let message = "this `alt` and the one above have one operand each: both may happen, or none";
            findings.push(
                Diagnostic::new(Code::SingleAlternative, place, message)
                    .label(first.place.0, "the condition of the one above")
                    .hint("write one `alt` with an `else`, or `opt` if both may happen"),
            );
        }
        before = alone;
    }
}

/// The condition of an `alt` that has no other operand, and where it begins.
fn condition_alone(fragment: &Fragment) -> Option<(Span, &Condition)> {
    let Fragment::Combined(combined) = fragment else { return None };
    match combined.operands.as_slice() {
        [only] if combined.frame.keyword == "alt" => match &only.guard {
            Guard::Condition(condition) => Some((combined.place.0.at_start(), condition)),
            Guard::Absent | Guard::Else => None,
        },
        _ => None,
    }
}

fn alternatives(combined: &Combined, findings: &mut Vec<Diagnostic>) {
    if combined.operator.combination() != (Combination::Choice { is_optional: false }) {
        return;
    }
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut otherwise = combined.operands.iter().filter(|operand| operand.guard == Guard::Else);
    if let (Some(first), Some(second)) = (otherwise.next(), otherwise.next()) {
        findings.push(
            Diagnostic::new(
                Code::SameGuardTwice,
                second.place.0.at_start(),
                "there is an `else` without guard above",
            )
            .label(first.place.0.at_start(), "the first of them")
            .hint("give one of them a guard, or join them"),
        );
    }
    for operand in &combined.operands {
        let Guard::Condition(condition) = &operand.guard else { continue };
        match seen.get(condition.text.as_str()) {
            Some(_) if !told.insert(&condition.text) => {}
            Some(first) => findings.push(
                Diagnostic::new(
                    Code::SameGuardTwice,
                    condition.place.0,
                    format!("an operand above has the same guard `{}`", condition.text),
                )
                .label(*first, "the first of them")
                .hint("make the guards differ, or join the operands"),
            ),
            None => {
                seen.insert(&condition.text, condition.place.0);
            }
        }
    }
}

fn message_types(interaction: &Interaction, combined: &Combined, findings: &mut Vec<Diagnostic>) {
    let Some(types) = combined.operator.types() else { return };
    let code = match types {
        MessageSet::Ignored(_) => Code::IgnoredTypeUsed,
        MessageSet::Considered(_) => Code::UnconsideredTypeUsed,
    };
    each_fragment(
        &combined.operands.iter().map(|operand| &operand.block).collect::<Vec<_>>(),
        &mut |fragment| {
            let Fragment::Message(id) = fragment else { return };
            let message = &interaction.messages[*id];
            let exchange = Exchange::drawn(interaction, message);
            if types.lets_happen(&message.name, exchange.ends()) {
                let name = &message.name;
                let (text, hint) = match code == Code::IgnoredTypeUsed {
                    true => (
                        format!("`{name}` is ignored here, so it may not be drawn"),
                        format!("leave the message out, or take `{name}` off the list"),
                    ),
                    false => (
                        format!("`{name}` is not among the considered messages"),
                        format!("leave the message out, or add `{name}` to the list"),
                    ),
                };
                findings.push(
                    Diagnostic::new(code, message.place.0, text)
                        .label(combined.place.0.at_start(), "the fragment begins here")
                        .hint(hint),
                );
            }
        },
    );
}

/// A fragment that says which lifelines it covers must cover all that its content touches.
fn coverage(interaction: &Interaction, combined: &Combined, findings: &mut Vec<Diagnostic>) {
    if combined.covers.is_empty() {
        return;
    }
    let covered: BTreeSet<LifelineId> = combined.covers.iter().copied().collect();
    each_fragment(
        &combined.operands.iter().map(|operand| &operand.block).collect::<Vec<_>>(),
        &mut |fragment| {
            let (lifelines, span) = match fragment {
                Fragment::Message(id) => {
                    let message = &interaction.messages[*id];
                    let ends = [message.from, message.to].into_iter().filter_map(|end| end.lifeline());
                    (ends.collect::<Vec<_>>(), message.place.0)
                }
                Fragment::Combined(inner) => (inner.covers.clone(), inner.place.0.at_start()),
                Fragment::Use(used) => (used.lifelines.clone(), used.place.0),
                Fragment::Invariant(invariant) => (invariant.lifelines.clone(), invariant.place.0),
                Fragment::Stop(stop) => (vec![stop.lifeline], stop.place.0),
                Fragment::Action(action) => (vec![action.lifeline], action.place.0),
                Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => return,
            };
            if let Some(outside) = lifelines.into_iter().find(|lifeline| !covered.contains(lifeline)) {
                let name = &interaction.lifelines[outside].name;
                findings.push(
                    Diagnostic::new(
                        Code::WiderInside,
                        span,
                        format!("this reaches `{name}`, which the fragment around it does not cover"),
                    )
                    .label(combined.place.0.at_start(), "the fragment begins here")
                    .hint(format!("add `{name}` to its `@covers`")),
                );
            }
        },
    );
}

/// Calls `visit` on every fragment of some blocks, nested ones included.
fn each_fragment<'a>(blocks: &[&'a Block], visit: &mut impl FnMut(&'a Fragment)) {
    for block in blocks {
        for fragment in &block.0 {
            visit(fragment);
            if let Fragment::Combined(combined) = fragment {
                each_fragment(
                    &combined.operands.iter().map(|operand| &operand.block).collect::<Vec<_>>(),
                    visit,
                );
            }
        }
    }
}

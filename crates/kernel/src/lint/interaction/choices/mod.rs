//! Non-local choices: H223 (rule I3).
//!
//! All lifelines take the same operand, so one of them must choose and the others must learn of it by a
//! message. A lifeline *begins* an operand if it sends there before it has received anything there. Where
//! several lifelines begin operands of one choice, or one of them together, they must agree without a message
//! (Ben-Abdallah, Leue: Syntactic detection of process divergence and non-local choice in message sequence
//! charts, 1997). A loop without upper bound is a choice in every iteration; there only a lifeline counts
//! that receives nothing at all in the body. A lifeline that gets the same message first in two operands
//! learns of the choice, but not which operand was chosen.
//!
//! A message above the fragment may have decided the choice for all lifelines. A diagram does not show that,
//! so this is a hint.

mod alike;
mod beginners;

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Combination, Combined, End, Fragment, Interaction, LifelineId, Loop, MessageId};

use super::{MOST_FINDINGS, MOST_LABELS, title};
use alike::alike;
use beginners::{Beginners, beginners};

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let mut choices = Vec::new();
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Combined(combined) = fragment {
            choices.push(combined);
        }
    });
    let found = choices.into_iter().filter_map(|combined| judge(interaction, combined));
    findings.extend(found.take(MOST_FINDINGS));
}

fn judge(interaction: &Interaction, combined: &Combined) -> Option<Diagnostic> {
    let beginners = || -> Vec<Beginners> {
        combined.operands.iter().map(|operand| beginners(interaction, &operand.block)).collect()
    };
    match combined.operator.combination() {
        Combination::Choice { .. } | Combination::Break => {
            let beginners = beginners();
            split(interaction, combined, &beginners)
                .or_else(|| unheard(interaction, combined, &beginners))
                .or_else(|| alike(interaction, combined))
        }
        Combination::Repetition(Loop { max: None, strict: false, .. }) => {
            another_round(interaction, combined, &beginners())
        }
        Combination::Repetition(_)
        | Combination::Sequence
        | Combination::StrictSequence
        | Combination::Parallel
        | Combination::Unordered(_)
        | Combination::Negation
        | Combination::Complement => None,
    }
}

/// Operands that begin on different lifelines.
fn split(interaction: &Interaction, combined: &Combined, beginners: &[Beginners]) -> Option<Diagnostic> {
    let begun: Vec<&Beginners> = beginners.iter().filter(|one| !one.is_empty()).collect();
    let everywhere = |lifeline: &LifelineId| begun.iter().all(|one| one.contains_key(lifeline));
    let (first, others) = begun.split_first()?;
    if first.keys().any(everywhere) {
        return None;
    }
    let first_of =
        |one: &Beginners| one.iter().min_by_key(|(_, id)| **id).map(|(lifeline, id)| (*lifeline, *id));
    let (chooser, own) = first_of(first)?;
    let (rival, other) =
        others.iter().find(|one| !one.contains_key(&chooser)).and_then(|one| first_of(one))?;
    let name = |lifeline: LifelineId| &interaction.lifelines[lifeline].name;
    let (chooser, rival) = (name(chooser), name(rival));
    let text = format!(
        "`{chooser}` begins one operand and `{rival}` another, and nothing makes them choose the same one"
    );
    let finding = Diagnostic::new(Code::NonLocalChoice, combined.place.0.at_start(), text)
        .label(interaction.messages[own].place.0, format!("`{chooser}` begins here"))
        .label(interaction.messages[other].place.0, format!("`{rival}` may begin here at the same time"));
    Some(finding.hint(format!(
        "let one of them choose and tell the other: draw a message from `{chooser}` to `{rival}` before {}",
        title(&interaction.messages[other])
    )))
}

/// Several lifelines that begin the same operand.
fn unheard(interaction: &Interaction, combined: &Combined, beginners: &[Beginners]) -> Option<Diagnostic> {
    let (operand, together) = combined.operands.iter().zip(beginners).find(|(_, one)| one.len() > 1)?;
    let everywhere =
        |lifeline: &LifelineId| beginners.iter().all(|one| one.is_empty() || one.contains_key(lifeline));
    let mut lifelines: Vec<(LifelineId, MessageId)> = together.iter().map(|(one, id)| (*one, *id)).collect();
    lifelines.sort_by_key(|(lifeline, id)| (!everywhere(lifeline), *id));
    let (chooser, _) = *lifelines.first()?;
    let (deaf, begins) = *lifelines.get(1)?;
    let name = |lifeline: LifelineId| &interaction.lifelines[lifeline].name;
    let message = title(&interaction.messages[begins]);
    let text = format!(
        "`{}` sends {message} without having heard that this operand was chosen: `{}` begins it",
        name(deaf),
        name(chooser)
    );
    let finding = Diagnostic::new(Code::NonLocalChoice, interaction.messages[begins].place.0, text)
        .label(operand.place.0.at_start(), "the operand");
    let finding = lifelines.iter().filter(|(one, _)| *one != deaf).take(MOST_LABELS).fold(
        finding,
        |finding, (one, id)| {
            finding.label(interaction.messages[*id].place.0, format!("`{}` begins here", name(*one)))
        },
    );
    Some(finding.hint(format!(
        "let `{}` send `{}` a message in this operand, before {message}",
        name(chooser),
        name(deaf)
    )))
}

/// A lifeline that takes part in every iteration of a loop and receives nothing there.
fn another_round(
    interaction: &Interaction,
    combined: &Combined,
    beginners: &[Beginners],
) -> Option<Diagnostic> {
    let together = beginners.first().filter(|one| one.len() > 1)?;
    let told = told(interaction, combined);
    let chooser = together.iter().min_by_key(|(_, id)| **id).map(|(lifeline, _)| *lifeline)?;
    let is_deaf = |lifeline: &LifelineId| *lifeline != chooser && !told.contains(lifeline);
    let (deaf, begins) = together.iter().find(|(lifeline, _)| is_deaf(lifeline))?;
    let name = |lifeline: LifelineId| &interaction.lifelines[lifeline].name;
    let (deaf, chooser) = (name(*deaf), name(chooser));
    let text = format!("nothing in this loop tells `{deaf}` whether `{chooser}` begins another round");
    let finding = Diagnostic::new(Code::NonLocalChoice, combined.place.0.at_start(), text)
        .label(interaction.messages[*begins].place.0, format!("`{deaf}` goes on here by itself"));
    Some(finding.hint(format!(
        "let `{chooser}` send `{deaf}` a message in the loop, before {}",
        title(&interaction.messages[*begins])
    )))
}

/// The lifelines that receive something from others inside a fragment, or may do so by a reference.
fn told(interaction: &Interaction, combined: &Combined) -> BTreeSet<LifelineId> {
    let mut told = BTreeSet::new();
    combined.walk(&mut |fragment, _| match fragment {
        Fragment::Message(id) => {
            let message = &interaction.messages[*id];
            told.extend(message.to.lifeline().filter(|to| message.from != End::Lifeline(*to)));
        }
        Fragment::Use(used) => told.extend(&used.lifelines),
        Fragment::Combined(_)
        | Fragment::Stop(_)
        | Fragment::Action(_)
        | Fragment::Invariant(_)
        | Fragment::Execution(_)
        | Fragment::Note(_)
        | Fragment::Separator(_)
        | Fragment::Numbering(_) => {}
    });
    told
}

//! Operands that a lifeline cannot tell apart: it gets the same message first in both, and must then act differently.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::lint::interaction::{MOST_LABELS, title};
use crate::model::{Combined, End, Fragment, Interaction, LifelineId, MessageId, Operand};

/// What a lifeline does in an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OperandStep<'a> {
    Sends(End, &'a str),
    Receives(End, &'a str),
    /// A fragment or reference, which is not looked into.
    Unknown,
}

/// A lifeline that gets the same message first in two operands and then acts differently.
pub(super) fn alike(interaction: &Interaction, combined: &Combined) -> Option<Diagnostic> {
    let steps: Vec<BTreeMap<LifelineId, Vec<(OperandStep, MessageId)>>> =
        combined.operands.iter().map(|operand| steps(interaction, operand)).collect();
    for (index, one) in steps.iter().enumerate() {
        for (lifeline, first) in one {
            let others = steps[index + 1..].iter().filter_map(|other| other.get(lifeline));
            for second in others.take(MOST_LABELS) {
                if let Some(parting) = parting(first, second) {
                    return Some(same_first(
                        interaction,
                        combined,
                        *lifeline,
                        (first[0].1, second[0].1),
                        parting,
                    ));
                }
            }
        }
    }
    None
}

/// Each lifeline's steps at the top of an operand, up to the first fragment in it.
fn steps<'a>(
    interaction: &'a Interaction,
    operand: &Operand,
) -> BTreeMap<LifelineId, Vec<(OperandStep<'a>, MessageId)>> {
    let mut steps: BTreeMap<LifelineId, Vec<(OperandStep, MessageId)>> = BTreeMap::new();
    let mut last = None;
    for fragment in &operand.block.0 {
        match fragment {
            Fragment::Message(id) => {
                let message = &interaction.messages[*id];
                last = Some(*id);
                if let Some(from) = message.from.lifeline() {
                    steps.entry(from).or_default().push((OperandStep::Sends(message.to, &message.text), *id));
                }
                if let Some(to) = message.to.lifeline() {
                    steps
                        .entry(to)
                        .or_default()
                        .push((OperandStep::Receives(message.from, &message.text), *id));
                }
            }
            Fragment::Combined(_) | Fragment::Use(_) => {
                let Some(last) = last else { break };
                steps.values_mut().for_each(|steps| steps.push((OperandStep::Unknown, last)));
                break;
            }
            Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Execution(_)
            | Fragment::Note(_)
            | Fragment::Separator(_)
            | Fragment::Numbering(_) => {}
        }
    }
    steps
}

/// The message by which a lifeline shows that it knows the operand, if nothing it received before could tell it.
fn parting(first: &[(OperandStep, MessageId)], second: &[(OperandStep, MessageId)]) -> Option<MessageId> {
    let common = first.iter().zip(second).take_while(|(one, other)| one.0 == other.0).count();
    let is_told_alike = matches!(first.first(), Some((OperandStep::Receives(..), _))) && common > 0;
    let (one, other) = (first.get(common), second.get(common));
    let is_unknown =
        |step: Option<&(OperandStep, MessageId)>| matches!(step, Some((OperandStep::Unknown, _)));
    let sends = |step: Option<&(OperandStep, MessageId)>| match step {
        Some((OperandStep::Sends(..), id)) => Some(*id),
        Some((OperandStep::Receives(..) | OperandStep::Unknown, _)) | None => None,
    };
    if !is_told_alike || is_unknown(one) || is_unknown(other) {
        return None;
    }
    sends(one).or(sends(other))
}

fn same_first(
    interaction: &Interaction,
    combined: &Combined,
    lifeline: LifelineId,
    (first, second): (MessageId, MessageId),
    parting: MessageId,
) -> Diagnostic {
    let name = &interaction.lifelines[lifeline].name;
    let message = title(&interaction.messages[first]);
    let text =
        format!("`{name}` gets {message} first in both operands, and cannot tell from it which was chosen");
    Diagnostic::new(Code::NonLocalChoice, combined.place.0.at_start(), text)
        .label(interaction.messages[first].place.0, "received in one operand")
        .label(interaction.messages[second].place.0, "and in another")
        .label(interaction.messages[parting].place.0, format!("here `{name}` must know"))
        .hint(format!(
            "if `{name}` chooses, draw {message} above the fragment; if not, let the message say which it is"
        ))
}

//! Participants that are probably misspelt: W219.
//!
//! A name that a diagram mentions without declaring it is a participant of its own. Where others are declared and one of
//! them is a single slip away, it is more likely a mistake. So is one that differs from another in capitals only, and one
//! that is what another is labelled: after `participant "Payment" as P` the participant is `P`.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Remedy, slip_of};
use crate::model::{Interaction, Lifeline, LifelineId};

/// Names of so few letters may well differ in capitals only, where none of them is declared.
const SHORTEST: usize = 2;

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    capitals(interaction, findings);
    labels(interaction, findings);
    swallowed(interaction, findings);
    for (id, near) in slips(interaction) {
        let lifeline = &interaction.lifelines[id];
        findings.push(
            Diagnostic::new(
                Code::LikelySlip,
                lifeline.place.0,
                format!("`{}` is not declared; did you mean `{near}`?", lifeline.name),
            )
            .hint(format!("if not, declare `{}` too", lifeline.name))
            .remedy(Remedy::Rename(lifeline.name.clone(), near.to_owned())),
        );
    }
}

/// Lifelines whose names are misspelt, as far as one can tell: what they do would be done by another.
pub(super) fn misspelt(interaction: &Interaction) -> BTreeSet<LifelineId> {
    slips(interaction).into_iter().map(|(id, _)| id).collect()
}

/// Lifelines that are not declared and a slip away from one that is, whose name comes with them.
fn slips(interaction: &Interaction) -> Vec<(LifelineId, &str)> {
    let declared = || interaction.lifelines.iter().filter(|lifeline| lifeline.declared);
    let mut spellings: BTreeMap<String, usize> = BTreeMap::new();
    interaction.lifelines.iter().for_each(|one| *spellings.entry(one.name.to_lowercase()).or_default() += 1);
    let mut found = Vec::new();
    for (id, lifeline) in interaction.lifelines.enumerate().filter(|(_, lifeline)| !lifeline.declared) {
        // A name that is there with other capitals is meant, and that is said above.
        if spellings.get(&lifeline.name.to_lowercase()).is_some_and(|count| *count > 1) {
            continue;
        }
        let Some(near) = slip_of(&lifeline.name, declared().map(|lifeline| lifeline.name.as_str())) else {
            continue;
        };
        if !is_addressed(interaction, &lifeline.name) {
            found.push((id, near));
        }
    }
    found
}

/// Whether a message calls somebody by this name (`Hi Joan`): who writes it twice means it.
fn is_addressed(interaction: &Interaction, name: &str) -> bool {
    let says = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == name);
    interaction.messages.iter().any(|message| says(&message.name))
}

/// Names that differ in capitals only, reported at the one that is not declared, or else at the later one.
fn capitals(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<String, &Lifeline> = BTreeMap::new();
    let mut lifelines: Vec<&Lifeline> = interaction.lifelines.iter().collect();
    lifelines.sort_by_key(|lifeline| (!lifeline.declared, lifeline.place.0.start));
    for lifeline in lifelines {
        let Some(other) = first.get(&lifeline.name.to_lowercase()) else {
            first.insert(lifeline.name.to_lowercase(), lifeline);
            continue;
        };
        let is_plain = other.declared || lifeline.name.chars().count() > SHORTEST;
        // Two that are declared are meant to be two.
        if is_plain && !lifeline.declared {
            let text = format!("`{}` and `{}` are two participants", lifeline.name, other.name);
            findings.push(
                Diagnostic::new(Code::LikelySlip, lifeline.place.0, text)
                    .label(other.place.0, "the other one")
                    .hint(format!("did you mean `{}`?", other.name))
                    .remedy(Remedy::Rename(lifeline.name.clone(), other.name.clone())),
            );
        }
    }
}

/// Names that are not declared and stand as a label above another participant.
fn labels(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let labelled: BTreeMap<String, &Lifeline> = interaction
        .lifelines
        .iter()
        .filter(|lifeline| lifeline.declared)
        .filter_map(|lifeline| Some((lifeline.own_label()?.to_lowercase(), lifeline)))
        .collect();
    for lifeline in interaction.lifelines.iter().filter(|lifeline| !lifeline.declared) {
        let Some(other) = labelled.get(&lifeline.name.to_lowercase()) else { continue };
        // That they differ in capitals only is said above.
        if other.name.to_lowercase() == lifeline.name.to_lowercase() {
            continue;
        }
        let text =
            format!("`{}` is another participant than `{}`, which is labelled so", lifeline.name, other.name);
        findings.push(
            Diagnostic::new(Code::LikelySlip, lifeline.place.0, text)
                .label(other.place.0, "the label is here")
                .hint(format!("did you mean `{}`?", other.name))
                .remedy(Remedy::Rename(lifeline.name.clone(), other.name.clone())),
        );
    }
}

/// Names of several words that nobody uses, the first of which is used without being declared: `participant W Web Shop` lacks its `as`.
fn swallowed(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let used: BTreeSet<LifelineId> = interaction
        .messages
        .iter()
        .flat_map(|message| [message.from, message.to])
        .filter_map(|end| end.lifeline())
        .collect();
    let undeclared: BTreeSet<&str> = interaction
        .lifelines
        .enumerate()
        .filter(|(id, one)| !one.declared && used.contains(id))
        .map(|(_, one)| one.name.as_str())
        .collect();
    for (id, lifeline) in interaction.lifelines.enumerate() {
        let Some((first, rest)) = lifeline.name.split_once(' ') else { continue };
        let is_idle = lifeline.declared && lifeline.own_label().is_none() && !used.contains(&id);
        if is_idle && undeclared.contains(first) {
            let text = format!("`{}` is one name, and `{first}` is another participant", lifeline.name);
            let finding = Diagnostic::new(Code::LikelySlip, lifeline.place.0, text);
            findings.push(finding.hint(format!("write `{first} as {}`", rest.trim())));
        }
    }
}

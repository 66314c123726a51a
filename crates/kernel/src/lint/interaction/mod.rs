//! Findings about sequence diagrams, one file per concern.

mod activation;
mod ahead;
mod calls;
mod choices;
mod existence;
mod guards;
mod names;
mod operands;
mod ordering;
mod races;
mod references;
mod types;

pub use types::unknown_types;

use crate::diagnostic::{Code, Diagnostic};
use crate::meter::{self, Work};
use crate::model::{Combination, Combined, Interaction, Message, Model};
use crate::source::{Folders, Span};

/// Findings about what the interactions of a model say of each other and of classes.
pub(super) fn between(model: &Model, folders: &Folders, findings: &mut Vec<Diagnostic>) {
    if !meter::leaves(Work::Lints, 1) {
        references::check(model, folders, findings);
        types::check(model, folders, findings);
    }
}

/// Findings about messages that may overtake each other on their way.
pub(super) fn races(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    if !meter::leaves(Work::Lints, 1) {
        races::check(interaction, findings);
    }
}

/// Findings about bars that do not add up, and about participants that are spoken to when they are not there.
pub fn lives(interaction: &Interaction) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    activation::check(interaction, &mut findings);
    existence::check(interaction, &mut findings);
    findings
}

/// Findings about an interaction by itself, races aside.
pub(super) fn interaction_alone(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let checks = [
        activation::check,
        ahead::check,
        calls::check,
        choices::check,
        existence::check,
        guards::check,
        names::check,
        operands::check,
        ordering::check,
    ];
    let mut own = Vec::new();
    for check in checks {
        if !meter::leaves(Work::Lints, 1) {
            check(interaction, &mut own);
        }
    }
    // A reply from a name that is misspelt answers nothing for that reason.
    let slips: Vec<Span> =
        own.iter().filter(|one| one.code == Code::LikelySlip).map(|one| one.span).collect();
    own.retain(|one| {
        one.code != Code::ReplyWithoutCall || !slips.iter().any(|slip| one.span.encloses(*slip))
    });
    findings.extend(own);
}

/// At most this many findings of one kind about one diagram: more would only repeat the pattern.
const MOST_FINDINGS: usize = 5;

/// How many further places such a finding points at.
const MOST_LABELS: usize = 3;

/// Longer names of messages are cut.
const LONGEST_TITLE: usize = 40;

/// A message in a few words of a finding.
fn title(message: &Message) -> String {
    match message.name.trim() {
        "" => "a message".to_owned(),
        name => {
            let line = name.lines().next().unwrap_or_default();
            let is_short = line.chars().count() <= LONGEST_TITLE && line.len() == name.len();
            let shown: String = line.chars().take(LONGEST_TITLE).collect();
            if is_short { format!("`{name}`") } else { format!("`{shown}..`") }
        }
    }
}

/// Messages at one height are often drawn so to save space: one may well cause the next.
fn is_one_height(combined: &Combined) -> bool {
    combined.operator.combination() == Combination::Parallel && combined.frame.keyword != "par"
}

//! Findings about sequence diagrams, one file per concern.

mod activation;
mod calls;
mod existence;
mod names;
mod operands;
mod ordering;
mod references;

use super::Folders;
use crate::diagnostic::Diagnostic;
use crate::model::{Interaction, Model};

/// All findings about the interactions of a model.
pub fn interactions(model: &Model, folders: &Folders) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for interaction in model.interactions.iter() {
        interaction_alone(interaction, &mut findings);
    }
    references::check(model, folders, &mut findings);
    findings
}

fn interaction_alone(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    activation::check(interaction, findings);
    calls::check(interaction, findings);
    existence::check(interaction, findings);
    names::check(interaction, findings);
    operands::check(interaction, findings);
    ordering::check(interaction, findings);
}

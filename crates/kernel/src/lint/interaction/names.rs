//! Participants that are probably misspelt: W219.
//!
//! A name that a diagram mentions without declaring it is a participant of its own. Where others are declared and one of
//! them is a single slip away, it is more likely a mistake.

use crate::diagnostic::{Code, Diagnostic, slip_of};
use crate::model::Interaction;

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let declared = || interaction.lifelines.iter().filter(|lifeline| lifeline.declared);
    for lifeline in interaction.lifelines.iter().filter(|lifeline| !lifeline.declared) {
        let Some(near) = slip_of(&lifeline.name, declared().map(|lifeline| lifeline.name.as_str())) else {
            continue;
        };
        findings.push(
            Diagnostic::new(
                Code::LikelySlip,
                lifeline.place.0,
                format!("`{}` is not declared; did you mean `{near}`?", lifeline.name),
            )
            .hint(format!("if not, declare `{}` too", lifeline.name)),
        );
    }
}

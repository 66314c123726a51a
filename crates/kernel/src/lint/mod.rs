//! Lint: findings that need no search.
//!
//! Each finding is something a reviewer would point at: it has a code, the place, and a hint that says what would be
//! right. Everything here is linear in the size of the diagram, or nearly so.

pub mod diagram;
pub mod interaction;
pub mod machine;
pub mod objects;
pub mod property;
mod set;
mod truth;

use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::source::Folders;

/// All findings about a model, in order of their place.
pub fn lint(model: &Model, folders: &Folders) -> Vec<Diagnostic> {
    let mut findings = interaction::interactions(model, folders);
    findings.extend(machine::machines(model, folders));
    findings.extend(objects::systems(model, folders));
    findings.extend(property::properties(model, folders));
    let asked = diagram::diagrams(model, folders);
    let parts = diagram::parts(model);
    findings.retain(|finding| !diagram::repeats(finding, &asked) && !diagram::is_cut_out(finding, &parts));
    findings.retain(|finding| !objects::is_settled(finding, model, folders));
    findings.extend(asked);
    findings.sort();
    findings.dedup();
    findings
}

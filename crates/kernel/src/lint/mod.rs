//! Lint: findings that need no search.
//!
//! Each finding is something a reviewer would point at: it has a code, the place, and a hint that says what would be
//! right. Everything here is linear in the size of the diagram, or nearly so.

pub mod interaction;
pub mod machine;

use crate::diagnostic::Diagnostic;
use crate::model::Model;

/// All findings about a model, in order of their place.
pub fn lint(model: &Model) -> Vec<Diagnostic> {
    let mut findings = interaction::interactions(model);
    findings.extend(machine::machines(model));
    findings.sort();
    findings.dedup();
    findings
}

//! The result of a check, as input of all reports.

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::{Diagnostic, Fix, Identity};
use sequent_kernel::source::{Sources, Span};
use sequent_kernel::verdict::{Answer, Story};

/// What was asked and found.
#[derive(Clone, Copy)]
pub struct Checked<'a> {
    /// The answers to what was asked.
    pub answers: &'a [Answer],
    /// What was found besides.
    pub diagnostics: &'a [Diagnostic],
    /// What would mend them, for each of them; may be shorter.
    pub fixes: &'a [Option<Fix>],
    /// The runs that some findings show.
    pub stories: &'a BTreeMap<Identity, Story>,
    /// The files.
    pub sources: &'a Sources,
    /// Whether an answer that holds for nothing is bad.
    pub denies_vacuous: bool,
}

impl Checked<'_> {
    /// Whether an answer is not as it should be.
    pub fn is_bad(&self, answer: &Answer) -> bool {
        !answer.is_welcome() || self.denies_vacuous && answer.vacuous.is_some()
    }

    /// The file, line and column where something begins.
    pub fn place(&self, span: Span) -> (&str, u32, u32) {
        let position = self.sources.position(span);
        (&self.sources.get(span.file).name, position.line, position.column)
    }
}

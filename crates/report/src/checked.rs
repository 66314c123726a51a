//! The result of a check, as input of all reports.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Diagnostic, Fix, Identity};
use sequent_kernel::source::{Place, Sources, Span};
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
    /// Some runs of what shows none.
    pub examples: &'a [Examples],
    /// The files.
    pub sources: &'a Sources,
    /// Whether an answer that holds for nothing is bad.
    pub denies_vacuous: bool,
}

/// Some different runs of a sequence diagram or of communicating machines. The messages and transitions that they could pass are
/// told apart by where they are written.
#[derive(Clone, PartialEq, Debug)]
pub struct Examples {
    /// What has these runs.
    pub name: String,
    /// Where it is written; of several machines, the first.
    pub place: Place,
    /// The runs.
    pub stories: Vec<Story>,
    /// What they pass.
    pub passed: BTreeSet<Span>,
    /// What they do not pass, though other runs may.
    pub other: BTreeSet<Span>,
    /// What no run ever comes to.
    pub never: BTreeSet<Span>,
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

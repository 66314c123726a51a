//! Outcomes: what a check found out, and what of it is reported.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Code, Diagnostic, Identity, Severity};
use sequent_kernel::source::{FileId, Span};
use sequent_kernel::verdict::{Answer, Story, Verdict};

use sequent_report::checked::Examples;

use crate::finding::settle;
use crate::reading::Reading;
use crate::settings::Settings;
use crate::suppression;

/// Everything found out about what was read.
#[derive(Default)]
pub struct Outcome {
    /// Answers to the questions asked.
    pub answers: Vec<Answer>,
    /// Findings that are reported.
    pub diagnostics: Vec<Diagnostic>,
    /// The runs that some of them show.
    pub stories: BTreeMap<Identity, Story>,
    /// Some runs of what shows none, if they are wanted.
    pub examples: Vec<Examples>,
    /// Findings that the authors announced.
    pub known: Vec<Diagnostic>,
    /// Findings that comments and settings leave out.
    pub suppressed: Vec<Diagnostic>,
    /// Whether a check must not hold for nothing but that something never happens, and one does.
    pub is_vacuous: bool,
}

impl Outcome {
    /// Leaves out what is about some files.
    pub fn leave_out(&mut self, files: &BTreeSet<FileId>) {
        let is_left = |span: Span| !files.contains(&span.file);
        self.answers.retain(|answer| answer.place.is_none_or(|place| is_left(place.0)));
        self.diagnostics.retain(|one| is_left(one.span));
        self.known.retain(|one| is_left(one.span));
        self.suppressed.retain(|one| is_left(one.span));
        self.stories.retain(|(_, span, _), _| is_left(*span));
        self.examples.retain(|one| is_left(one.place.0));
    }

    /// Adds what was found out about another reading of the same files.
    pub fn append(&mut self, other: Outcome) {
        self.answers.extend(other.answers);
        self.diagnostics.extend(other.diagnostics);
        self.stories.extend(other.stories);
        self.examples.extend(other.examples);
        self.known.extend(other.known);
        self.suppressed.extend(other.suppressed);
        self.is_vacuous |= other.is_vacuous;
    }
}

/// Findings, parted by what becomes of them.
pub(crate) struct Reported {
    /// Those that are reported, as severe as the settings say.
    pub diagnostics: Vec<Diagnostic>,
    /// Those that the authors announced.
    pub known: Vec<Diagnostic>,
    /// Those that comments and settings leave out.
    pub suppressed: Vec<Diagnostic>,
}

/// Parts findings by what comments, directives and settings say about them.
pub(crate) fn report(found: Vec<Diagnostic>, reading: &Reading, settings: &Settings) -> Reported {
    let (found, mut suppressed) = suppression::part(found, &reading.suppressions);
    let (mut found, mut known) = settle(found, &reading.model.known);
    if settings.is_strict {
        found.append(&mut known);
        found.append(&mut suppressed);
    }
    let mut diagnostics = Vec::new();
    for finding in found {
        match settings.severity(&finding) {
            Some(severity) => diagnostics.push(Diagnostic { severity, ..finding }),
            None => suppressed.push(finding),
        }
    }
    diagnostics.sort();
    Reported { diagnostics, known, suppressed }
}

/// The exit code of a check (DESIGN section 9).
pub fn exit_code(outcome: &Outcome) -> u8 {
    let worst = outcome.diagnostics.iter().map(|diagnostic| diagnostic.severity).max();
    let unreadable = outcome.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::UnreadableFile);
    let mut bad = outcome.answers.iter().filter(|answer| !answer.is_welcome()).peekable();
    if unreadable {
        2
    } else if worst == Some(Severity::Error) || outcome.is_vacuous {
        1
    } else if bad.peek().is_none() {
        0
    } else if bad.all(|answer| matches!(answer.verdict, Verdict::Unknown(_))) {
        3
    } else {
        1
    }
}

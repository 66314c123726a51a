//! The one way through the house.
//!
//! ```text
//! text -> read -> statements -> resolve -> model -> lint -> findings -> settle -> what is reported
//! ```
//!
//! Files are found and read by the caller; everything here is a function of its arguments.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::lint;
use sequent_kernel::model::{Check, Known, Model, Question, Subject};
use sequent_kernel::source::{FileId, Sources, Span};
use sequent_kernel::verdict::{Answer, Verdict};
use sequent_notation::tree::{Content, Document};
use sequent_notation::{Context, Loader, resolve};

use crate::settings::Settings;

/// Everything known after reading.
pub struct Reading {
    /// Syntax trees, one per file.
    pub documents: Vec<Document>,
    /// What they say together.
    pub model: Model,
    /// Problems found while reading.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads files into one model.
pub fn read(
    files: &[FileId],
    sources: &mut Sources,
    loader: &mut dyn Loader,
    settings: &Settings,
) -> Reading {
    let mut diagnostics = Vec::new();
    let documents: Vec<Document> = files
        .iter()
        .map(|file| {
            let mut context = Context { sources, loader, diagnostics: &mut diagnostics };
            sequent_notation::read(*file, &mut context)
        })
        .collect();
    let (mut model, problems) = resolve::resolve(&documents, sources);
    diagnostics.extend(problems);
    diagnostics.extend(documents.iter().filter_map(no_diagram));
    model.system = settings.system.clone();
    model.checks.extend(settings.checks.iter().cloned());
    Reading { documents, model, diagnostics }
}

/// A file without any diagram is worth a word.
fn no_diagram(document: &Document) -> Option<Diagnostic> {
    let nothing = document.blocks.is_empty();
    nothing.then(|| {
        Diagnostic::new(Code::NoDiagram, Span::new(document.file, 0, 0), "the file holds no diagram")
            .hint("diagrams are fenced blocks in Markdown, or whole files ending in .puml or .mmd")
    })
}

/// Everything found out about what was read.
pub struct Outcome {
    /// Answers to the questions asked.
    pub answers: Vec<Answer>,
    /// Findings that are reported.
    pub diagnostics: Vec<Diagnostic>,
    /// How many findings the authors knew about.
    pub known: usize,
}

/// Looks at a reading: lints it, answers its questions, and settles what was expected.
pub fn check(reading: &Reading, settings: &Settings) -> Outcome {
    let mut found = reading.diagnostics.clone();
    found.extend(lint::lint(&reading.model));
    let (mut diagnostics, known) = settle(found, &reading.model.known);
    for diagnostic in &mut diagnostics {
        diagnostic.severity = settings.severity(diagnostic);
    }
    diagnostics.retain(|diagnostic| !settings.allowed.contains(&diagnostic.code));
    diagnostics.sort();
    diagnostics.dedup();
    let answers = reading.model.checks.iter().map(|check| answer(check, &reading.model)).collect();
    Outcome { answers, diagnostics, known }
}

/// Takes out the findings that directives announce, and adds those that were announced and did not come.
fn settle(found: Vec<Diagnostic>, known: &[Known]) -> (Vec<Diagnostic>, usize) {
    let covers = |known: &Known, diagnostic: &Diagnostic| {
        let (diagram, span) = (known.diagram.0, diagnostic.span);
        known.code == diagnostic.code
            && diagram.file == span.file
            && diagram.start <= span.start
            && span.start <= diagram.end
    };
    let missing = known.iter().filter(|known| known.must_come && !found.iter().any(|one| covers(known, one)));
    let missing: Vec<Diagnostic> = missing.map(unmet).collect();
    let total = found.len();
    let mut rest: Vec<Diagnostic> =
        found.into_iter().filter(|diagnostic| !known.iter().any(|known| covers(known, diagnostic))).collect();
    let settled = total - rest.len();
    rest.extend(missing);
    (rest, settled)
}

fn unmet(known: &Known) -> Diagnostic {
    let message = format!("{} was expected here and did not come", known.code.name());
    Diagnostic::new(Code::UnmetExpectation, known.place.0, message).hint(format!(
        "{}: {}",
        known.code.name(),
        known.code.title()
    ))
}

fn answer(check: &Check, model: &Model) -> Answer {
    let (kind, asked) = match &check.question {
        Question::Scenario(_) => ("scenario", "scenario".to_owned()),
        Question::Ltl(formula) => ("ltl", formula.clone()),
        Question::Reachable(goal) => ("reachable", goal.clone()),
        Question::Deadlock => ("deadlock", "deadlock".to_owned()),
        Question::Fragments => ("fragments", "neg and assert".to_owned()),
    };
    let target = check.subject.map(|subject| match subject {
        Subject::Interaction(id) => model.interactions[id].name.clone(),
        Subject::Machine(id) => model.machines[id].name.clone(),
    });
    Answer {
        name: check.name.clone().unwrap_or(asked),
        kind,
        target,
        verdict: Verdict::Unknown("no engine of this version decides this question".to_owned()),
        expected: check.expected,
    }
}

/// The exit code of a check (DESIGN section 9).
pub fn exit_code(outcome: &Outcome) -> u8 {
    let worst = outcome.diagnostics.iter().map(|diagnostic| diagnostic.severity).max();
    let unreadable = outcome.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::UnreadableFile);
    let unwelcome = |answer: &&Answer| !answer.verdict.is_welcome(answer.expected);
    let undecided = |answer: &Answer| matches!(answer.verdict, Verdict::Unknown(_));
    let mut bad = outcome.answers.iter().filter(unwelcome).peekable();
    if unreadable {
        2
    } else if worst == Some(Severity::Error) {
        1
    } else if bad.peek().is_none() {
        0
    } else if bad.all(undecided) {
        3
    } else {
        1
    }
}

/// A few words on what a document holds, diagram by diagram.
pub fn kinds(document: &Document) -> impl Iterator<Item = &'static str> {
    document.blocks.iter().map(|block| match block.content {
        Content::Sequence(_) => "sequence diagram",
        Content::State(_) => "state diagram",
        Content::Class(_) => "class diagram",
        Content::Other(_) => "other diagram",
    })
}

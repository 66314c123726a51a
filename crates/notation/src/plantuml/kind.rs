//! Which kind of diagram it is.
//!
//! PlantUML's text does not say; PlantUML tries one reader after the other and takes the first that understands every line.
//! Where none does, the one that gets furthest tells what is wrong, unless the lines are plainly those of a kind that is
//! not read here.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::source::Span;

use super::common::scan::{Scan, trim};
use super::preprocess::Prepared;
use super::{sequence, weave};
use crate::line::Line;
use crate::tree::{Content, Kind, Statement};

/// Reads a diagram as what it is.
pub fn read(prepared: Prepared, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Content {
    let Prepared { lines, asides, incomplete } = prepared;
    if lines.iter().all(|line| trim(&line.text).is_empty()) {
        diagnostics.push(Diagnostic::new(Code::EmptyDiagram, span, "the diagram is empty"));
    }
    let sequence = Attempt::new(&lines, sequence::read);
    if !sequence.understood() {
        if let Some(kind) = characteristic(&lines) {
            return other(kind.to_owned(), span, diagnostics);
        }
    }
    diagnostics.extend(sequence.diagnostics.into_iter().map(|found| excuse(found, incomplete)));
    Content::Sequence(weave(sequence.statements, asides))
}

/// What is not understood may come from an include that was not there; then it is only a warning.
fn excuse(found: Diagnostic, incomplete: bool) -> Diagnostic {
    if !incomplete || found.code != Code::Syntax {
        return found;
    }
    found.severity(Severity::Warning).hint("it may be defined in what could not be included")
}

/// A diagram of a kind that is left alone.
pub fn other(kind: String, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Content {
    diagnostics.push(Diagnostic::new(
        Code::SkippedDiagram,
        span,
        format!("a diagram of kind `{kind}` is not read"),
    ));
    Content::Other(kind)
}

/// What one reader made of the lines.
struct Attempt<I> {
    statements: Vec<Statement<I>>,
    diagnostics: Vec<Diagnostic>,
}

impl<I> Attempt<I> {
    fn new(lines: &[Line], read: impl Fn(&[Line], &mut Vec<Diagnostic>) -> Vec<Statement<I>>) -> Self {
        let mut diagnostics = Vec::new();
        let statements = read(lines, &mut diagnostics);
        Attempt { statements, diagnostics }
    }

    /// Whether every line was understood; colours may still be wrong.
    fn understood(&self) -> bool {
        let is_wrong =
            |found: &Diagnostic| found.severity == Severity::Error && found.code != Code::UnknownColour;
        !self.diagnostics.iter().any(is_wrong)
            && self.statements.iter().any(|s| matches!(s.kind, Kind::Item(_)))
    }
}

/// The kind whose characteristic lines are there: activity, use case, component, timing.
fn characteristic(lines: &[Line]) -> Option<&'static str> {
    lines.iter().find_map(|line| {
        let text = trim(&line.text);
        let mut scan = Scan::new(text);
        let activity = (text.starts_with(':') && text.ends_with([';', '|', '>', '/']))
            || ["start", "stop", "fork", "detach", "repeat"]
                .iter()
                .any(|word| text.eq_ignore_ascii_case(word))
            || text.starts_with("(*)");
        if activity {
            return Some("activity");
        }
        let word =
            scan.one_of(&["usecase", "component", "node", "rectangle", "robust", "concise", "artifact"])?;
        (scan.spaces() && !scan.rest().starts_with(['-', '<', '.'])).then_some(match word {
            "usecase" => "usecase",
            "robust" | "concise" => "timing",
            _ => "component",
        })
    })
}

//! Which kind of diagram it is.
//!
//! PlantUML's text does not say; PlantUML tries one reader after the other and takes the first that understands every line.
//! Where none does, the one that gets furthest tells what is wrong, unless the lines are plainly those of a kind that is
//! not read here.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::source::Span;

use super::common::scan::{Scan, trim};
use super::preprocess::{Aside, Prepared};
use super::{class, sequence, state, weave};
use crate::line::Line;
use crate::tree::{Content, Kind, Statement};

/// Reads a diagram as what it is.
pub fn read(prepared: Prepared, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Content {
    let Prepared { lines, asides, incomplete } = prepared;
    if lines.iter().all(|line| trim(&line.text).is_empty()) {
        diagnostics.push(Diagnostic::new(Code::EmptyDiagram, span, "the diagram is empty"));
        return Content::Sequence(weave(Vec::new(), asides));
    }
    let sequence = Attempt::new(&lines, sequence::read);
    if sequence.understood {
        return sequence.finish(asides, incomplete, diagnostics, Content::Sequence);
    }
    let class = Attempt::new(&lines, class::read);
    if class.understood {
        return class.finish(asides, incomplete, diagnostics, Content::Class);
    }
    let state = Attempt::new(&lines, state::read);
    if state.understood {
        return state.finish(asides, incomplete, diagnostics, Content::State);
    }
    if let Some(kind) = characteristic(&lines) {
        return other(kind.to_owned(), span, diagnostics);
    }
    let furthest = sequence.progress.max(class.progress).max(state.progress);
    if state.progress == furthest && lines.iter().any(speaks_of_states) {
        return state.finish(asides, incomplete, diagnostics, Content::State);
    }
    if sequence.progress == furthest {
        return sequence.finish(asides, incomplete, diagnostics, Content::Sequence);
    }
    if class.progress == furthest {
        return class.finish(asides, incomplete, diagnostics, Content::Class);
    }
    state.finish(asides, incomplete, diagnostics, Content::State)
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
    /// Every line was understood and they say something; colours may still be wrong.
    understood: bool,
    /// How many lines there are before the first that was not understood.
    progress: usize,
}

impl<I> Attempt<I> {
    fn new(lines: &[Line], read: impl Fn(&[Line], &mut Vec<Diagnostic>) -> Vec<Statement<I>>) -> Self {
        let mut diagnostics = Vec::new();
        let statements = read(lines, &mut diagnostics);
        let is_wrong =
            |found: &&Diagnostic| found.severity == Severity::Error && found.code != Code::UnknownColour;
        let wrong = diagnostics.iter().find(is_wrong).map(|found| found.span);
        let says_something = statements.iter().any(|statement| matches!(statement.kind, Kind::Item(_)));
        let is_at = |line: &Line, span: Span| line.span.file == span.file && line.span.end >= span.start;
        let progress = wrong.and_then(|span| lines.iter().position(|line| is_at(line, span)));
        let understood = wrong.is_none() && says_something;
        Attempt { statements, diagnostics, understood, progress: progress.unwrap_or(0) }
    }

    /// Takes this reading for the diagram.
    fn finish(
        self,
        asides: Vec<Aside>,
        incomplete: bool,
        diagnostics: &mut Vec<Diagnostic>,
        content: impl Fn(Vec<Statement<I>>) -> Content,
    ) -> Content {
        diagnostics.extend(self.diagnostics.into_iter().map(|found| excuse(found, incomplete)));
        content(weave(self.statements, asides))
    }
}

/// Whether a line can only be meant for a state diagram, right or wrong.
fn speaks_of_states(line: &Line) -> bool {
    let text = trim(&line.text);
    let mut scan = Scan::new(text);
    text.starts_with("[*]") || (scan.keyword("state") && scan.spaces())
}

/// The kind whose characteristic lines are there, of those that are not read.
fn characteristic(lines: &[Line]) -> Option<&'static str> {
    lines.iter().find_map(|line| characteristic_line(trim(&line.text)))
}

/// Words that start statements of other kinds of diagrams.
const WORDS: &[(&str, &[&str])] = &[
    ("usecase", &["usecase"]),
    ("graphviz", &["digraph", "graph"]),
    ("network", &["nwdiag"]),
    ("timing", &["robust", "concise", "clock", "binary", "analog"]),
    (
        "component",
        &[
            "component",
            "node",
            "rectangle",
            "card",
            "artifact",
            "cloud",
            "folder",
            "file",
            "storage",
            "agent",
            "hexagon",
            "person",
            "port",
            "portin",
            "portout",
            "stack",
        ],
    ),
];

fn characteristic_line(text: &str) -> Option<&'static str> {
    let is = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    let wrapped = |open: char, close: &[char]| text.starts_with(open) && text.ends_with(close);
    if is(&["start", "stop", "fork", "detach", "repeat"]) || wrapped(':', &[';', '|', '>', '/']) {
        return Some("activity");
    }
    if text.starts_with("(*)") {
        return Some("activity");
    }
    if is(&["salt"]) {
        return Some("salt");
    }
    if text.starts_with("()") || (text.starts_with('[') && !text.starts_with("[*]") && text.contains("] ")) {
        return Some("component");
    }
    if let Some(kind) = foreign_end(text) {
        return Some(kind);
    }
    let mut scan = Scan::new(text);
    let (kind, _) = WORDS.iter().find(|(_, words)| scan.one_of(words).is_some())?;
    (scan.spaces() && !scan.rest().starts_with(['-', '<', '.'])).then_some(*kind)
}

/// The kind of an arrow from or to something that only other diagrams have: `[component]`, `(use case)`, `:actor:`.
fn foreign_end(text: &str) -> Option<&'static str> {
    let statement = text.split(" : ").next().unwrap_or(text).trim();
    let within = |word: &str, open: char, close: char| {
        let inside = word.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        inside.is_some_and(|inside| inside.starts_with(char::is_alphanumeric))
    };
    let is_history = |word: &str| word.eq_ignore_ascii_case("[H]") || word.eq_ignore_ascii_case("[H*]");
    let kind = |word: &str| match word {
        word if is_history(word) => None,
        word if within(word, '[', ']') => Some("component"),
        word if within(word, '(', ')') || within(word, ':', ':') => Some("usecase"),
        _ => None,
    };
    let is_arrow =
        |word: &&str| word.len() <= 12 && word.contains(['-', '.']) && !word.contains(char::is_alphanumeric);
    let words: Vec<&str> = statement.split_whitespace().collect();
    let arrow = words.iter().position(is_arrow)?;
    let (before, after) = (words[..arrow].last()?, words.get(arrow + 1)?);
    kind(before).or_else(|| kind(after))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::source::Sources;

    use super::*;
    use crate::{Context, NoFiles, plantuml};

    fn check(text: &str, expected: Expect) {
        let mut sources = Sources::new();
        let file = sources.add("a.puml", text);
        let mut diagnostics = Vec::new();
        let mut context =
            Context { sources: &mut sources, loader: &mut NoFiles, diagnostics: &mut diagnostics };
        let blocks = plantuml::read_file(file, &mut context);
        let kind = |content: &Content| match content {
            Content::Sequence(_) => "sequence".to_owned(),
            Content::State(_) => "state".to_owned(),
            Content::Class(_) => "class".to_owned(),
            Content::Other(kind) => format!("other: {kind}"),
        };
        let kinds: Vec<String> = blocks.iter().map(|block| kind(&block.content)).collect();
        let findings: Vec<&str> = diagnostics.iter().map(|found| found.code.name()).collect();
        expected
            .assert_eq(&format!("{} {}", kinds.join(", "), findings.join(" ")).trim_end().replace('\n', " "));
    }

    #[test]
    fn kinds() {
        check("a --> b", expect!["sequence"]);
        check("[*] --> a", expect!["state"]);
        check("class A\nA --> B", expect!["class"]);
        check("start\n:do it;\nstop", expect!["other: activity H003"]);
        check("usecase x\na --> x", expect!["other: usecase H003"]);
        check("@startmindmap\n* x\n@endmindmap", expect!["other: mindmap H003"]);
        check("@startuml\n@enduml", expect!["sequence W107"]);
        check("a -> b\nwhat\n[*] --> c", expect!["state E101"]);
        check("state A as b\n[*] --> b", expect!["state E101"]);
        check("!include <x>\na -> b\nPerson(c)", expect!["sequence W108 E101"]);
    }
}

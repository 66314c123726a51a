//! Mermaid, read as mermaid 11 reads it, and printed.
//!
//! A diagram is the inside of a Markdown fence or a whole `.mmd` file. [`script`] cleans its text as mermaid does
//! ([`clean`] finds the cuts), [`kind`] tells which diagram it is, and the reader of that kind turns it into
//! statements. [`trivia`] adds comments, directives and settings, so that every line belongs to something.

mod attributes;
pub mod class;
mod clean;
pub(crate) mod kind;
pub mod print;
mod script;
pub mod sequence;
pub mod state;
#[cfg(test)]
mod testing;
pub(crate) mod text;
mod trivia;

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::id::Id;
use sequent_kernel::source::{FileId, Span};

use self::kind::DiagramKind;
use self::script::MermaidScript;
use crate::Context;
use crate::line::{Line, cut};
use crate::tree::{DiagramBlock, DiagramContent, Notation};

/// Reads a file that holds one diagram and nothing else.
pub fn read_file(file: FileId, context: &mut Context) -> Vec<DiagramBlock> {
    let source = context.sources.get(file);
    let lines = cut(file, source, 0..source.text.len());
    if lines.is_empty() {
        let message = "the file is empty";
        context.diagnostics.push(Diagnostic::new(Code::NoDiagram, Span::new(file, 0, 0), message));
        return Vec::new();
    }
    vec![read_lines(lines, context)]
}

/// Reads one diagram: the inside of a fence, or all lines of a file.
pub(crate) fn read_lines(lines: Vec<Line>, context: &mut Context) -> DiagramBlock {
    let content = if lines.iter().all(|line| line.text.trim().is_empty()) {
        if let Some(line) = lines.first() {
            let message = "the diagram is empty; mermaid wants at least its kind, such as `sequenceDiagram`";
            context.diagnostics.push(Diagnostic::new(Code::EmptyDiagram, line.span, message));
        }
        DiagramContent::Other(String::new())
    } else {
        read_content(&MermaidScript::new(&lines), context.diagnostics)
    };
    let span = match (lines.first(), lines.last()) {
        (Some(first), Some(last)) => first.whole.to(last.whole),
        // A fence without lines has no place of its own; the caller that found it knows its place.
        _ => Span::new(FileId::from_index(0), 0, 0),
    };
    DiagramBlock { notation: Notation::Mermaid, span, name: None, heading: None, content }
}

fn read_content(script: &MermaidScript, diagnostics: &mut Vec<Diagnostic>) -> DiagramContent {
    match kind::detect(&script.text) {
        Some(DiagramKind::Sequence) => {
            DiagramContent::Sequence(trivia::complete(script, sequence::read(script, diagnostics)))
        }
        Some(DiagramKind::State) => {
            DiagramContent::State(trivia::complete(script, state::read(script, diagnostics)))
        }
        Some(DiagramKind::Class) => {
            DiagramContent::Class(trivia::complete(script, class::read(script, diagnostics)))
        }
        Some(DiagramKind::Other(word)) => other(script, word, diagnostics),
        None => unknown(script, diagnostics),
    }
}

/// A diagram of a kind that is not read.
fn other(script: &MermaidScript, word: &str, diagnostics: &mut Vec<Diagnostic>) -> DiagramContent {
    let message = format!("`{word}` diagrams are not checked");
    diagnostics.push(Diagnostic::new(Code::SkippedDiagram, first_word_span(script), message));
    DiagramContent::Other(word.to_owned())
}

/// A diagram of no kind that mermaid knows.
fn unknown(script: &MermaidScript, diagnostics: &mut Vec<Diagnostic>) -> DiagramContent {
    let word = kind::first_word(&script.text);
    if kind::is_like_a_kind(word) {
        return other(script, word, diagnostics);
    }
    let diagnostic = if word.starts_with("---") {
        let message = "a front matter opens here and is not closed as it should be";
        Diagnostic::new(Code::UnclosedBlock, first_word_span(script), message).hint(
            "`---` must be the very first line, and a second `---` with the same indentation must close it",
        )
    } else {
        let message = format!("`{word}` is not a kind of Mermaid diagram");
        let finding = Diagnostic::new(Code::Syntax, first_word_span(script), message);
        match kind::suggestion(word) {
            Some(known) => finding.meant(word, known),
            None => finding.hint("start with `sequenceDiagram`, `stateDiagram-v2` or `classDiagram`"),
        }
    };
    diagnostics.push(diagnostic);
    DiagramContent::Other(word.to_owned())
}

fn first_word_span(script: &MermaidScript) -> Span {
    let word = kind::first_word(&script.text);
    let start = script.text.find(word).unwrap_or_default();
    script.span(start..start + word.len())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::testing::told;

    fn check(input: &str, expected: Expect) {
        expected.assert_eq(&told(input));
    }

    #[test]
    fn kinds_of_diagrams() {
        check(
            "---\ntitle: T\n---\n%%{init: {\n}}%%\nsequenceDiagram\n",
            expect![[r#"
                1 title "T"
                4 presentation
                6 presentation
            "#]],
        );
        check(
            "flowchart LR\nA --> B\n",
            expect![[r#"
            other: flowchart
            1 H003 at "flowchart": `flowchart` diagrams are not checked
        "#]],
        );
        check(
            "%%\n\n%%\nflowchart LR\nA --> B\n",
            expect![[r#"
            other: flowchart
            4 H003 at "flowchart": `flowchart` diagrams are not checked
        "#]],
        );
        check(
            "futureDiagram\nA --> B\n",
            expect![[r#"
            other: futureDiagram
            1 H003 at "futureDiagram": `futureDiagram` diagrams are not checked
        "#]],
        );
        check(
            "sequencediagram\nA->>B: x\n",
            expect![[r#"
            other: sequencediagram
            1 E101 at "sequencediagram": `sequencediagram` is not a kind of Mermaid diagram
        "#]],
        );
        check(
            "---\ntitle: T\nsequenceDiagram\n",
            expect![[r#"
            other: ---
            1 E102 at "---": a front matter opens here and is not closed as it should be
        "#]],
        );
        check(
            "\n  \n",
            expect![[r#"
            other: 
            1 W107 at "": the diagram is empty; mermaid wants at least its kind, such as `sequenceDiagram`
        "#]],
        );
    }
}

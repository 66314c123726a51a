//! Diagrams in documents: what readers of Markdown, AsciiDoc and reStructuredText have in common.
//!
//! A document is cut into the diagrams that it holds ([`EmbeddedDiagram`]), whose lines keep their places; each is then read in its own
//! notation.

use std::ops::Range;

use sequent_kernel::meter;
use sequent_kernel::source::{FileId, Span};

use crate::line::Line;
use crate::tree::{DiagramBlock, Notation};
use crate::{Context, mermaid, plantuml};

/// A diagram in a document, not yet read.
pub(crate) struct EmbeddedDiagram {
    pub notation: Notation,
    /// The nearest heading above.
    pub heading: Option<String>,
    pub lines: Vec<Line>,
}

/// Reads the diagrams that were found.
pub(crate) fn read(found: Vec<EmbeddedDiagram>, context: &mut Context) -> Vec<DiagramBlock> {
    let mut blocks = Vec::new();
    for found in found {
        if meter::is_over() {
            break;
        }
        let read = match found.notation {
            Notation::PlantUml => plantuml::read_lines(found.lines, context),
            Notation::Mermaid => vec![mermaid::read_lines(found.lines, context)],
        };
        blocks.extend(read.into_iter().map(|block| DiagramBlock { heading: found.heading.clone(), ..block }));
    }
    blocks
}

/// The notation that a word names, also as the service Kroki has it: `mermaid`, `kroki-plantuml`.
pub(crate) fn notation(word: &str) -> Option<Notation> {
    let word = word.trim().to_ascii_lowercase();
    match word.strip_prefix("kroki-").unwrap_or(&word) {
        "mermaid" | "mmd" => Some(Notation::Mermaid),
        "plantuml" | "puml" | "uml" | "plantuml-svg" => Some(Notation::PlantUml),
        _ => None,
    }
}

/// Adds the lines of a part of a document.
pub(crate) fn add_lines(file: FileId, text: &str, range: Range<usize>, lines: &mut Vec<Line>) {
    let mut start = range.start;
    for piece in text[range].split_inclusive('\n') {
        lines.push(line(file, text, start, piece.trim_end_matches(['\n', '\r'])));
        start += piece.len();
    }
}

/// A line of a diagram that starts at an offset.
pub(crate) fn line(file: FileId, text: &str, start: usize, content: &str) -> Line {
    let end = start + content.len();
    let begin_of_line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end_of_line = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    Line {
        text: content.to_owned(),
        span: Span::new(file, start, end),
        whole: Span::new(file, begin_of_line, end_of_line),
        exact: true,
    }
}

/// The lines of a text, each with its offset and without its line break.
pub(crate) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |piece| {
        let at = start;
        start += piece.len();
        (at, piece.trim_end_matches(['\n', '\r']))
    })
}

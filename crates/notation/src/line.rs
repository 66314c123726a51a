//! Lines: the unit in which both notations are read.
//!
//! A [`Line`] is a piece of text and the place it came from. Lines cut from a file stand exactly where their text stands;
//! lines that a preprocessor made (a macro call, an included file) point at the line that caused them.

use sequent_kernel::source::{FileId, Source, Span};

/// One line of a diagram, without its line break.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The text to be read.
    pub text: String,
    /// Where it stands: the text itself if `exact`, else the text it was made from.
    pub span: Span,
    /// The whole line, line break included, in the file that holds the diagram.
    pub whole: Span,
    /// Whether byte `i` of `text` stands at byte `i` of `span`.
    pub exact: bool,
}

impl Line {
    /// The place of a part of the text.
    pub(crate) fn span_of(&self, range: std::ops::Range<usize>) -> Span {
        if !self.exact {
            return self.span;
        }
        let start = self.span.start as usize;
        Span::new(self.span.file, start + range.start, start + range.end)
    }

    /// The place of `part`, which must be a slice of this line's text; the whole line if it is not.
    pub(crate) fn span_of_part(&self, part: &str) -> Span {
        let base = self.text.as_ptr() as usize;
        match (part.as_ptr() as usize).checked_sub(base) {
            Some(start) if start + part.len() <= self.text.len() => self.span_of(start..start + part.len()),
            _ => self.span,
        }
    }
}

/// Cuts a range of a file into lines.
pub fn cut(file: FileId, source: &Source, range: std::ops::Range<usize>) -> Vec<Line> {
    let mut start = range.start;
    let pieces = source.text[range].split_inclusive('\n');
    pieces
        .map(|piece| {
            let text = piece.trim_end_matches('\n');
            let text = text.strip_suffix('\r').unwrap_or(text);
            let line = Line {
                text: text.to_owned(),
                span: Span::new(file, start, start + text.len()),
                whole: Span::new(file, start, start + piece.len()),
                exact: true,
            };
            start += piece.len();
            line
        })
        .collect()
}

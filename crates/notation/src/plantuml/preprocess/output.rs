//! What the machine puts out: lines for the reader, and asides.

use super::Aside;
use super::builtin::NEW_LINE;
use super::comment::SourcePiece;
use super::machine::{LineOrigin, PreprocessorState};
use crate::line::Line;
use crate::plantuml::common::scan::trim;
use crate::tree::StatementKind;

impl PreprocessorState<'_, '_> {
    /// Passes pieces over: lines become asides.
    pub(super) fn pass(&mut self, pieces: &[SourcePiece]) {
        for piece in pieces {
            match piece {
                SourcePiece::Line(line) if self.origin.is_none() => self.out.asides.push(Aside {
                    span: line.span,
                    lines: line.whole,
                    kind: StatementKind::Preprocessor,
                }),
                SourcePiece::Line(_) => {}
                SourcePiece::Aside(aside) => self.pass_aside(aside),
            }
        }
    }

    /// Keeps an aside; of those in macros and included files only directives.
    pub(super) fn pass_aside(&mut self, aside: &Aside) {
        match (self.origin, &aside.kind) {
            (None, _) => self.out.asides.push(aside.clone()),
            (Some(origin), StatementKind::Directive(_)) => {
                self.out.asides.push(Aside { lines: origin.whole, ..aside.clone() });
            }
            (Some(_), _) => {}
        }
    }

    /// A line of the diagram.
    pub(super) fn plain(&mut self, line: &Line) {
        if self.origin.is_none() && self.prefix.is_empty() && self.has_nothing_to_do(&line.text) {
            self.out.lines.push(line.clone());
            return;
        }
        let substituted = self.substitute(&line.text);
        match self.check(substituted) {
            Some(Some(text)) => {
                if trim(&text).is_empty() && !trim(&line.text).is_empty() {
                    self.note_call(line);
                }
                self.emit(line, text);
            }
            Some(None) => self.note_call(line),
            None if trim(&line.text).starts_with(['$', '%']) => self.note_call(line),
            None => self.emit(line, line.text.clone()),
        }
    }

    /// Keeps the line of a call, whose own lines follow or have followed.
    fn note_call(&mut self, line: &Line) {
        if self.origin.is_none() {
            let aside =
                Aside { span: line.span.at_start(), lines: line.whole, kind: StatementKind::Preprocessor };
            self.out.asides.push(aside);
        }
    }

    /// Adds a line with its new text.
    fn emit(&mut self, line: &Line, text: String) {
        let text = std::mem::take(&mut self.prefix) + &text;
        self.count_work(text.len());
        for text in text.split([NEW_LINE, '\n']) {
            let unchanged = text == line.text;
            let (span, whole, exact) = match self.origin {
                None => (line.span, line.whole, line.exact && unchanged),
                Some(LineOrigin { whole, span: None }) => (line.span, whole, line.exact && unchanged),
                Some(LineOrigin { whole, span: Some(span) }) => (span, whole, false),
            };
            self.out.lines.push(Line { text: text.to_owned(), span, whole, exact });
        }
    }

    /// Adds text to the end of the last line.
    pub(super) fn append(&mut self, text: &str) {
        if let Some(last) = self.out.lines.last_mut().filter(|_| !text.is_empty()) {
            last.text.push_str(text);
            last.exact = false;
        }
    }
}

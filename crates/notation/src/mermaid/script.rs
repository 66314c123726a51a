//! The text of one diagram as mermaid's parsers see it, and the way back to the file.
//!
//! Mermaid cleans a diagram before it parses it: front matter, `%%{init}%%` directives and whole-line comments are cut
//! out, entities (`#35;`) are hidden from the lexers, double quotes in HTML tags become single ones. Its lexers then run
//! over the whole text, not line by line, and some statements depend on that. So the readers here do the same: a
//! [`MermaidScript`] holds the cleaned text in one piece and maps every byte of it to the line it came from.
//!
//! What is replaced keeps its length, what is cut out is remembered in `joints`; hence the map is a binary search.

use std::ops::Range;

use sequent_kernel::source::Span;

use super::clean::{self, Removed};
use super::text::hide_entities;
use crate::line::Line;

/// A cleaned diagram text over the lines of its file.
pub struct MermaidScript<'a> {
    /// The lines it was made from.
    pub lines: &'a [Line],
    /// The cleaned text; ends with a line break.
    pub text: String,
    /// What was cut out, in order, as ranges of the joined lines.
    pub removed: Vec<(Range<usize>, Removed)>,
    /// The title of the front matter.
    pub title: Option<String>,
    joined: String,
    /// Where each line starts in `joined`.
    starts: Vec<usize>,
    /// Pairs of positions in `text` and `joined`: from there on both run in step.
    joints: Vec<(usize, usize)>,
}

impl<'a> MermaidScript<'a> {
    /// Cleans the lines of one diagram.
    pub fn new(lines: &'a [Line]) -> Self {
        let mut joined = String::with_capacity(lines.iter().map(|line| line.text.len() + 1).sum());
        let mut starts = Vec::with_capacity(lines.len());
        for line in lines {
            starts.push(joined.len());
            joined.push_str(&line.text);
            joined.push('\n');
        }
        let joined = clean::unify(joined);
        let cleaned = clean::cuts(&joined);
        let mut script = MermaidScript {
            lines,
            text: String::new(),
            removed: cleaned.removed,
            title: cleaned.title,
            joined,
            starts,
            joints: Vec::new(),
        };
        script.assemble(&cleaned.cuts);
        script
    }

    /// Builds the text from what lies between the cuts.
    fn assemble(&mut self, cuts: &[Range<usize>]) {
        let mut text = String::with_capacity(self.joined.len());
        let mut from = 0;
        for cut in cuts.iter().cloned().chain(std::iter::once(self.joined.len()..self.joined.len())) {
            if cut.start > from || self.joints.is_empty() {
                self.joints.push((text.len(), from));
                text.push_str(&self.joined[from..cut.start.max(from)]);
            }
            from = from.max(cut.end);
        }
        self.text = hide_entities(text);
    }

    /// The place of a range of the cleaned text.
    pub fn span(&self, range: Range<usize>) -> Span {
        self.joined_span(self.joined_range(range))
    }

    /// The whole lines a range of the cleaned text touches.
    pub(crate) fn whole_lines(&self, range: Range<usize>) -> Span {
        self.joined_lines(self.joined_range(range))
    }

    /// The place of a range of the joined lines.
    pub(crate) fn joined_span(&self, range: Range<usize>) -> Span {
        let (first, column) = self.line_at(range.start);
        let (last, end) = self.line_at(range.end.max(range.start + 1) - 1);
        let end = if range.is_empty() { column } else { end + 1 };
        let cap = |line: usize, column: usize| column.min(self.lines[line].text.len());
        let start = self.lines[first].span_of(cap(first, column)..cap(first, column));
        let end = self.lines[last].span_of(cap(last, end)..cap(last, end));
        start.to(end)
    }

    /// The whole lines a range of the joined lines touches.
    pub(crate) fn joined_lines(&self, range: Range<usize>) -> Span {
        let (first, _) = self.line_at(range.start);
        let (last, _) = self.line_at(range.end.max(range.start + 1) - 1);
        self.lines[first].whole.to(self.lines[last].whole)
    }

    /// The text of a range of the joined lines.
    pub(crate) fn joined_text(&self, range: Range<usize>) -> &str {
        &self.joined[range]
    }

    fn joined_range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.joined_offset(range.start);
        let end = if range.is_empty() { start } else { self.joined_offset(range.end - 1) + 1 };
        start..end
    }

    fn joined_offset(&self, offset: usize) -> usize {
        let at = self.joints.partition_point(|(text, _)| *text <= offset) - 1;
        let (text, joined) = self.joints[at];
        joined + (offset - text)
    }

    fn line_at(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset).max(1) - 1;
        (line, offset - self.starts[line])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use sequent_kernel::source::Sources;

    fn check(text: &str, expected: Expect) {
        let mut sources = Sources::new();
        let file = sources.add("a.mmd", text);
        let lines = crate::line::cut(file, sources.get(file), 0..text.len());
        let script = MermaidScript::new(&lines);
        let mut out = format!("{:?} title {:?}\n", script.text, script.title);
        for word in ["A", "B"] {
            if let Some(at) = script.text.find(word) {
                out += &format!("{word} at {:?}\n", sources.text(script.span(at..at + 1)));
            }
        }
        for (range, kind) in &script.removed {
            out += &format!("{kind:?} {:?}\n", sources.text(script.joined_span(range.clone())));
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn cleaned_text_maps_back() {
        check(
            "---\r\ntitle: \"T: x\"\r\n---\r\n%%{init: {\r\n  'a': 1}}%%\r\n  %% note\r\nA: <b c=\"d\">#35;\r\nB\r\n",
            expect![[r#"
                "\nA: <b c='d'>\u{1}35\u{2}\nB\n" title Some("T: x")
                A at "A"
                B at "B"
                FrontMatter "---\r\ntitle: \"T: x\"\r\n---"
                Settings "%%{init: {\r\n  'a': 1}}%%"
                Comment "  %% note"
            "#]],
        );
        check(
            "style a fill:#fff;\nA",
            expect![[r#"
            "style a fill:#fff\nA\n" title None
            A at "A"
        "#]],
        );
    }
}

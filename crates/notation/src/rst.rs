//! reStructuredText: finds the diagrams in a document.
//!
//! A diagram is the content of a directive `.. uml::`, `.. plantuml::`, `.. mermaid::`, or of `.. kroki::` and `.. code-block::` with such a
//! language. Its content is indented deeper than the directive, behind options and a blank line. A directive that names a file
//! has none.

use sequent_kernel::source::{FileId, Source};

use crate::Context;
use crate::embedded::{self, EmbeddedDiagram, line, notation, numbered};
use crate::tree::{DiagramBlock, Notation};

/// Reads the diagrams of a reStructuredText file.
pub(crate) fn read_file(file: FileId, context: &mut Context) -> Vec<DiagramBlock> {
    let source = context.sources.get(file).clone();
    embedded::read(find(file, &source), context)
}

/// A directive whose content is being read.
struct OpenDirective {
    notation: Option<Notation>,
    /// How far the directive is indented.
    outer: usize,
    /// How far its content is.
    inner: Option<usize>,
    heading: Option<String>,
    lines: Vec<(usize, usize)>,
}

fn find(file: FileId, source: &Source) -> Vec<EmbeddedDiagram> {
    let text: &str = &source.text;
    let mut found = Vec::new();
    let mut heading: Option<String> = None;
    let mut before = "";
    let mut open: Option<OpenDirective> = None;
    for (start, content) in numbered(text) {
        let plain = content.trim_end();
        let depth = plain.len() - plain.trim_start().len();
        if let Some(directive) = &mut open {
            if plain.is_empty() || depth > directive.outer {
                directive.take(start, plain, depth);
                continue;
            }
            found.extend(open.take().and_then(|directive| directive.finish(file, text)));
        }
        if is_underline(plain) && !before.is_empty() && before.chars().count() <= plain.chars().count() {
            heading = Some(before.to_owned());
        }
        open = directive(plain.trim_start()).map(|notation| OpenDirective {
            notation,
            outer: depth,
            inner: None,
            heading: heading.clone(),
            lines: Vec::new(),
        });
        before = plain;
    }
    found.extend(open.and_then(|directive| directive.finish(file, text)));
    found
}

impl OpenDirective {
    fn take(&mut self, start: usize, plain: &str, depth: usize) {
        let is_option = plain.trim_start().starts_with(':') && self.inner.is_none();
        if is_option {
            let mut parts = plain.trim_start().trim_start_matches(':').splitn(2, ':');
            if let (Some("type"), Some(kind)) = (parts.next(), parts.next()) {
                self.notation = self.notation.or(notation(kind));
            }
            return;
        }
        if !plain.is_empty() {
            self.inner = Some(self.inner.map_or(depth, |inner| inner.min(depth)));
        }
        if self.inner.is_some() {
            self.lines.push((start, start + plain.len()));
        }
    }

    fn finish(mut self, file: FileId, text: &str) -> Option<EmbeddedDiagram> {
        let inner = self.inner?;
        while self.lines.last().is_some_and(|(start, end)| start == end) {
            self.lines.pop();
        }
        let one = |(start, end): &(usize, usize)| {
            let start = (start + inner).min(*end);
            line(file, text, start, &text[start..*end])
        };
        let lines = self.lines.iter().map(one).collect();
        Some(EmbeddedDiagram { notation: self.notation?, heading: self.heading, lines })
    }
}

/// The notation of a directive; `None` inside if an option says it.
fn directive(text: &str) -> Option<Option<Notation>> {
    let (name, argument) = text.strip_prefix(".. ")?.split_once("::")?;
    let argument = argument.trim();
    match name.trim() {
        "kroki" | "code-block" | "code" | "sourcecode" if argument.is_empty() => Some(None),
        "kroki" | "code-block" | "code" | "sourcecode" => notation(argument).map(Some),
        // With an argument it names a file.
        name if argument.is_empty() => notation(name).map(Some),
        _ => None,
    }
}

/// Whether a line says that a diagram follows.
pub(crate) fn is_directive(line: &str) -> bool {
    matches!(directive(line.trim_end()), Some(Some(_)))
}

/// Whether a line underlines a heading.
fn is_underline(text: &str) -> bool {
    let first = text.chars().next().filter(|sign| sign.is_ascii_punctuation());
    text.len() >= 3 && first.is_some_and(|first| text.chars().all(|sign| sign == first))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::source::Sources;

    use super::*;

    fn check(text: &str, expected: Expect) {
        let mut sources = Sources::new();
        let file = sources.add("a.rst", text);
        let mut actual = String::new();
        for found in find(file, sources.get(file)) {
            actual += &format!("{:?} {:?}\n", found.notation, found.heading.unwrap_or_default());
            for line in found.lines {
                let at = sources.position(line.span);
                actual += &format!("  {}:{} {:?}\n", at.line, at.column, line.text);
            }
        }
        expected.assert_eq(&actual);
    }

    #[test]
    fn directives_of_all_kinds() {
        check(
            "Pay\n===\n\n.. uml::\n   :caption: x\n\n   a -> b\n\n     b -> a\n\ntext\n\n.. uml:: file.puml\n\n- item\n\n  .. mermaid::\n\n     sequenceDiagram\n       a->>b: x\n\n  more\n\n.. kroki::\n   :type: plantuml\n\n   x -> y\n\n.. code-block:: python\n\n   a -> b\n\n.. kroki:: mermaid\n\n   stateDiagram\n",
            expect![[r#"
                PlantUml "Pay"
                  7:4 "a -> b"
                  8:1 ""
                  9:4 "  b -> a"
                Mermaid "Pay"
                  19:6 "sequenceDiagram"
                  20:6 "  a->>b: x"
                PlantUml "Pay"
                  27:4 "x -> y"
                Mermaid "Pay"
                  35:4 "stateDiagram"
            "#]],
        );
    }
}

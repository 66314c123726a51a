//! AsciiDoc: finds the diagrams in a document.
//!
//! A diagram is a block with the style `plantuml` or `mermaid`, as Asciidoctor Diagram and Kroki have it, or a listing in such a
//! language: `[plantuml, target=pay]` and below it, between two lines `----`, `....` or `--`, the diagram. Without delimiters it
//! runs to the next blank line. Fences as in Markdown are read too.

use sequent_kernel::source::{FileId, Source};

use crate::Context;
use crate::embedded::{self, EmbeddedDiagram, line, notation, numbered};
use crate::line::Line;
use crate::tree::{DiagramBlock, Notation};

/// Reads the diagrams of an AsciiDoc file.
pub(crate) fn read_file(file: FileId, context: &mut Context) -> Vec<DiagramBlock> {
    let source = context.sources.get(file).clone();
    embedded::read(find(file, &source), context)
}

/// What the reader waits for.
enum AwaitedLine {
    /// A block.
    Text,
    /// The content of a block of this notation.
    Styled(Notation),
    /// The end of something that is no diagram.
    Skipped(String),
    /// The end of a diagram; `None` is a blank line.
    Inside(EmbeddedDiagram, Option<String>),
}

fn find(file: FileId, source: &Source) -> Vec<EmbeddedDiagram> {
    let text: &str = &source.text;
    let mut found = Vec::new();
    let mut heading = None;
    let mut place = AwaitedLine::Text;
    for (start, content) in numbered(text) {
        let plain = content.trim_end();
        place = match place {
            AwaitedLine::Inside(diagram, end) if end.as_deref().unwrap_or_default() == plain => {
                found.push(diagram);
                AwaitedLine::Text
            }
            AwaitedLine::Inside(mut diagram, end) => {
                diagram.lines.push(including(line(file, text, start, content), diagram.notation));
                AwaitedLine::Inside(diagram, end)
            }
            AwaitedLine::Skipped(end) if end == plain => AwaitedLine::Text,
            AwaitedLine::Skipped(end) => AwaitedLine::Skipped(end),
            // Titles and more attributes may stand in between.
            AwaitedLine::Styled(notation)
                if plain.starts_with('[') || plain.starts_with('.') && !is_delimiter(plain) =>
            {
                AwaitedLine::Styled(notation)
            }
            AwaitedLine::Styled(notation) if !plain.is_empty() => {
                let mut diagram = EmbeddedDiagram { notation, heading: heading.clone(), lines: Vec::new() };
                if is_delimiter(plain) {
                    AwaitedLine::Inside(diagram, Some(plain.to_owned()))
                } else {
                    diagram.lines.push(including(line(file, text, start, content), notation));
                    AwaitedLine::Inside(diagram, None)
                }
            }
            AwaitedLine::Styled(_) => AwaitedLine::Text,
            AwaitedLine::Text => {
                heading = title(plain).or(heading);
                match (style(plain), fence(plain)) {
                    (Some(notation), _) => AwaitedLine::Styled(notation),
                    (None, Some(notation)) => {
                        let lines = Vec::new();
                        let diagram = EmbeddedDiagram { notation, heading: heading.clone(), lines };
                        AwaitedLine::Inside(diagram, Some("```".to_owned()))
                    }
                    (None, None) if is_delimiter(plain) || plain == "////" => {
                        AwaitedLine::Skipped(plain.to_owned())
                    }
                    (None, None) => AwaitedLine::Text,
                }
            }
        };
    }
    if let AwaitedLine::Inside(diagram, _) = place {
        found.push(diagram);
    }
    found
}

/// A line of a diagram; AsciiDoc's own way to include a file (`include::pay.puml[]`) becomes PlantUML's.
fn including(line: Line, notation: Notation) -> Line {
    let path = line.text.trim().strip_prefix("include::").and_then(|rest| rest.split_once('['));
    match (path, notation) {
        (Some((path, _)), Notation::PlantUml) => {
            Line { text: format!("!include {path}"), exact: false, ..line }
        }
        (Some(_), Notation::Mermaid) | (None, _) => line,
    }
}

/// The heading on a line: `== Title`.
fn title(text: &str) -> Option<String> {
    let after = text.trim_start_matches('=');
    let is_heading = after.len() < text.len() && text.len() - after.len() <= 6 && after.starts_with(' ');
    is_heading.then(|| after.trim().to_owned())
}

/// The notation in `[plantuml, ..]`, `[source,mermaid]`.
fn style(text: &str) -> Option<Notation> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    let mut words = inside.split(',').map(|word| word.trim().trim_matches('"'));
    let first = words.next()?.split(['%', '#', '.']).next()?;
    match first {
        "source" | "listing" | "" => notation(words.next()?),
        word => notation(word),
    }
}

/// Whether a line says that a diagram follows.
pub(crate) fn is_style(line: &str) -> bool {
    style(line.trim_end()).is_some()
}

/// The notation of a fence as in Markdown.
fn fence(text: &str) -> Option<Notation> {
    notation(text.strip_prefix("```")?)
}

/// Whether a line begins and ends a block.
fn is_delimiter(text: &str) -> bool {
    let is_run = |sign: char| text.len() >= 4 && text.chars().all(|c| c == sign);
    is_run('-') || is_run('.') || text == "--" || text == "```"
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::source::Sources;

    use super::*;

    fn check(text: &str, expected: Expect) {
        let mut sources = Sources::new();
        let file = sources.add("a.adoc", text);
        let mut actual = String::new();
        for found in find(file, sources.get(file)) {
            actual += &format!("{:?} {:?}\n", found.notation, found.heading.unwrap_or_default());
            for line in found.lines {
                actual += &format!("  {} {:?}\n", sources.position(line.span).line, line.text);
            }
        }
        expected.assert_eq(&actual);
    }

    #[test]
    fn blocks_of_all_kinds() {
        check(
            "= Doc\n\n== Pay\n\n[plantuml, target=pay, format=svg]\n.A title\n----\na -> b\n\nb -> a\n----\n\n[mermaid]\n....\nsequenceDiagram\n....\n\n[source,java]\n----\n[plantuml]\n----\n\n=== Other\n[plantuml]\na -> c\n\nnot this\n\n```mermaid\nstateDiagram\n```\n[source%nowrap,puml]\n--\nx -> y\n--\n",
            expect![[r#"
                PlantUml "Pay"
                  8 "a -> b"
                  9 ""
                  10 "b -> a"
                Mermaid "Pay"
                  15 "sequenceDiagram"
                PlantUml "Other"
                  25 "a -> c"
                Mermaid "Other"
                  30 "stateDiagram"
                PlantUml "Other"
                  34 "x -> y"
            "#]],
        );
        check(
            "[plantuml]\n----\ninclude::pay.puml[tag=x]\na -> b\n----\n",
            expect![[r#"
                PlantUml ""
                  3 "!include pay.puml"
                  4 "a -> b"
            "#]],
        );
    }
}

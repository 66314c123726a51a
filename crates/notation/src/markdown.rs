//! Markdown: finds the diagrams in a document.
//!
//! A diagram is a fenced code block whose language is one of ours, wherever it stands (in a list, a quotation, indented),
//! or a `:::mermaid` container as wikis write it. Lines keep their place in the Markdown file, so that everything said
//! about a diagram points there. The nearest heading above gives a diagram its name.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy, Severity, slip_of};
use sequent_kernel::source::{FileId, Source, Span};

use crate::Context;
use crate::embedded::{self, EmbeddedDiagram, add_lines};
use crate::tree::{DiagramBlock, Notation};

/// Reads the diagrams of a Markdown file.
pub fn read_file(file: FileId, context: &mut Context) -> Vec<DiagramBlock> {
    let source = context.sources.get(file).clone();
    let found = find(file, &source, context.diagnostics);
    embedded::read(found, context)
}

fn find(file: FileId, source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Vec<EmbeddedDiagram> {
    let text: &str = &source.text;
    // A byte order mark would hide a fence on the first line; it counts as nothing.
    let skipped = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut found = Vec::new();
    let mut heading: Option<String> = None;
    let mut in_heading = false;
    let mut open: Option<EmbeddedDiagram> = None;
    let mut container: Option<usize> = None;
    for (event, range) in Parser::new_ext(&text[skipped..], Options::ENABLE_TABLES).into_offset_iter() {
        let range = range.start + skipped..range.end + skipped;
        match event {
            Event::Start(Tag::Heading { .. }) => {
                heading = Some(String::new());
                in_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Text(words) | Event::Code(words) if in_heading => {
                heading.get_or_insert_default().push_str(&words);
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let known = notation(&info);
                diagnostics.extend(misspelt(file, text, range.start, &info).filter(|_| known.is_none()));
                open = known.map(|notation| EmbeddedDiagram {
                    notation,
                    heading: heading.clone(),
                    lines: Vec::new(),
                });
            }
            Event::Text(_) => match &mut open {
                Some(block) => add_lines(file, text, range, &mut block.lines),
                None => {
                    if let Some(block) = container_at(file, text, range, &mut container) {
                        found.push(EmbeddedDiagram { heading: heading.clone(), ..block });
                    }
                }
            },
            Event::End(TagEnd::CodeBlock) => found.extend(open.take()),
            _ => {}
        }
    }
    found
}

/// The notation that a fence's language names: `mermaid`, `{.mermaid}`, `plantuml title=x`.
fn notation(info: &str) -> Option<Notation> {
    let word = info.trim().trim_start_matches(['{', '.']).split([' ', '\t', '}', ',', ':']).next()?;
    // Kroki's own fence names the notation in an attribute: `kroki {type=mermaid}`.
    let of_kroki =
        || info.split(['{', '}', ' ', '\t', ',']).find_map(|part| part.trim().strip_prefix("type="));
    match word {
        "kroki" => embedded::notation(of_kroki()?.trim_matches(['"', '\''])),
        word => embedded::notation(word),
    }
}

/// That the language of a fence, which starts at an offset, is a slip away from one of ours.
fn misspelt(file: FileId, text: &str, at: usize, info: &str) -> Option<Diagnostic> {
    let word = info.split_whitespace().next()?;
    let known = slip_of(word, ["mermaid", "plantuml"])?;
    let start = at + text[at..].lines().next()?.find(word)?;
    let span = Span::new(file, start, start + word.len());
    let message = format!("a diagram in `{word}` is not read; did you mean `{known}`?");
    let finding = Diagnostic::new(Code::Syntax, span, message).severity(Severity::Warning);
    Some(finding.remedy(Remedy::Replace(known.to_owned())))
}

/// A `:::mermaid` container that begins with this piece of a paragraph; it runs to the next `:::`.
fn container_at(
    file: FileId,
    text: &str,
    range: Range<usize>,
    done: &mut Option<usize>,
) -> Option<EmbeddedDiagram> {
    if done.is_some_and(|end| range.start < end) {
        return None;
    }
    let info = text[range.clone()].strip_prefix(":::")?;
    let notation = notation(info)?;
    let start = range.start + text[range.start..].find('\n')? + 1;
    let mut end = start;
    for line in text[start..].split_inclusive('\n') {
        if line.trim() == ":::" {
            break;
        }
        end += line.len();
    }
    *done = Some(end);
    let mut lines = Vec::new();
    add_lines(file, text, start..end, &mut lines);
    Some(EmbeddedDiagram { notation, heading: None, lines })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::source::Sources;

    use super::*;

    fn check(text: &str, expected: Expect) {
        let mut sources = Sources::new();
        let file = sources.add("a.md", text);
        let mut actual = String::new();
        for found in find(file, sources.get(file), &mut Vec::new()) {
            actual += &format!("{:?} {:?}\n", found.notation, found.heading.unwrap_or_default());
            for line in found.lines {
                let at = sources.position(line.span);
                actual += &format!("  {}:{} {:?}\n", at.line, at.column, line.text);
            }
        }
        expected.assert_eq(&actual);
    }

    #[test]
    fn fences_of_all_kinds() {
        check(
            "# Pay `now`\n\n```mermaid\nsequenceDiagram\n  a->>b: x\n```\n\n- item\n\n  ~~~ puml\n  a -> b\n\n  c -> d\n  ~~~\n\n> ```plantuml\n> a -> b\n> ```\n\n```js\nx\n```\n\n:::mermaid\nstateDiagram-v2\n\n  [*] --> A\n:::\n",
            expect![[r#"
                Mermaid "Pay now"
                  4:1 "sequenceDiagram"
                  5:1 "  a->>b: x"
                PlantUml "Pay now"
                  11:3 "a -> b"
                  12:1 ""
                  13:3 "c -> d"
                PlantUml "Pay now"
                  17:3 "a -> b"
                Mermaid "Pay now"
                  25:1 "stateDiagram-v2"
                  26:1 ""
                  27:1 "  [*] --> A"
            "#]],
        );
        check(
            "```kroki {type=mermaid}\nsequenceDiagram\n```\n\n```{kroki type=\"plantuml\"}\na -> b\n```\n\n```kroki {type=ditaa}\n+--+\n```\n",
            expect![[r#"
                Mermaid ""
                  2:1 "sequenceDiagram"
                PlantUml ""
                  6:1 "a -> b"
            "#]],
        );
    }
}

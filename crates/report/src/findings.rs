//! Findings as text: message, source excerpt, labels, hint.
//!
//! One diagnostic is one excerpt. Only the lines around it are handed to the renderer, so that a thousand findings in a
//! large file cost a thousand excerpts and not a thousand files.

use std::borrow::Cow;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::source::{FileId, Source, Sources, Span};

use crate::escape;

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FindingStyle {
    /// With terminal colours.
    pub colour: bool,
    /// How many columns there are.
    pub width: usize,
}

/// One finding as text, ending with a line break.
pub fn text(diagnostic: &Diagnostic, sources: &Sources, look: FindingStyle) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::NOTE.with_name("hint"),
    };
    let title = level.primary_title(escape::line(&diagnostic.message)).id(diagnostic.name());
    let mut group = Group::with_title(title);
    let source = sources.get(diagnostic.span.file);
    if source.text.is_empty() || has_endless_line(diagnostic, sources) {
        let at = sources.position(diagnostic.span);
        let origin =
            Origin::path(escape::line(&source.name)).line(at.line as usize).char_column(at.column as usize);
        group = group.element(origin);
    } else {
        for snippet in snippets(diagnostic, sources) {
            group = group.element(snippet);
        }
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(escape::line(hint)));
    }
    let renderer = if look.colour { Renderer::styled() } else { Renderer::plain() };
    let text = format!("{}\n", renderer.term_width(look.width).render(&[group]));
    if look.colour { escape::styled(&text) } else { escape::lines(&text).into_owned() }
}

/// Whether a line that would be shown is too long: excerpts of it are expensive and illegible.
fn has_endless_line(diagnostic: &Diagnostic, sources: &Sources) -> bool {
    const LONGEST: usize = 2_000;
    let spans = std::iter::once(diagnostic.span).chain(diagnostic.labels.iter().map(|label| label.span));
    spans.into_iter().any(|span| {
        let source = sources.get(span.file);
        source.line(source.position(span.start).line).len() > LONGEST
    })
}

/// One excerpt per file that the diagnostic refers to, its own first.
fn snippets<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Snippet<'a, Annotation<'a>>> {
    let mut marks = vec![(diagnostic.span, None)];
    marks.extend(diagnostic.labels.iter().map(|label| (label.span, Some(escape::line(&label.text)))));
    let mut files: Vec<FileId> = Vec::new();
    for (span, _) in &marks {
        if !files.contains(&span.file) {
            files.push(span.file);
        }
    }
    files.into_iter().map(|file| snippet(sources.get(file), file, &marks)).collect()
}

fn snippet<'a>(
    source: &'a Source,
    file: FileId,
    marks: &[(Span, Option<Cow<'a, str>>)],
) -> Snippet<'a, Annotation<'a>> {
    let marks = || marks.iter().enumerate().filter(move |(_, (span, _))| span.file == file);
    let first = marks().map(|(_, (span, _))| span.start).min().unwrap_or(0);
    let last = marks().map(|(_, (span, _))| span.start).max().unwrap_or(0);
    let start = source.text[..floor(&source.text, first)].rfind('\n').map_or(0, |at| at + 1);
    let end_from = floor(&source.text, last);
    let end = source.text[end_from..].find('\n').map_or(source.text.len(), |at| end_from + at);
    let excerpt = &source.text[start..end.max(start)];
    let mut snippet = Snippet::source(excerpt)
        .line_start(source.position(start as u32).line as usize)
        .path(escape::line(&source.name));
    for (index, (span, label)) in marks() {
        let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        snippet = snippet.annotation(kind.span(inside(excerpt, start, *span)).label(label.clone()));
    }
    snippet
}

/// The nearest character boundary at or before an offset.
fn floor(text: &str, offset: u32) -> usize {
    let mut at = (offset as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A span as a range of the excerpt, cut at the end of its first line.
fn inside(excerpt: &str, start: usize, span: Span) -> std::ops::Range<usize> {
    let from = floor(excerpt, span.start.saturating_sub(start as u32));
    let line_end = excerpt[from..].find(['\n', '\r']).map_or(excerpt.len(), |at| from + at);
    let to = floor(excerpt, span.end.saturating_sub(start as u32)).clamp(from, line_end);
    if from == to { whole_word(excerpt, from, line_end) } else { from..to }
}

/// What an empty span points at: the word that starts there.
fn whole_word(excerpt: &str, from: usize, line_end: usize) -> std::ops::Range<usize> {
    let rest = &excerpt[from..line_end];
    let indent = rest.len() - rest.trim_start().len();
    let word = rest[indent..].find(char::is_whitespace).unwrap_or(rest.len() - indent);
    from + indent..from + indent + word
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use sequent_kernel::diagnostic::Code;

    use super::*;

    #[test]
    fn a_finding_shows_its_lines_and_hint() {
        let mut sources = Sources::new();
        let file = sources.add("a.puml", "@startuml\nactivate b\na -> b : x\n@enduml\n");
        let diagnostic =
            Diagnostic::new(Code::UnbalancedActivation, Span::new(file, 10, 20), "`b` stays active")
                .label(Span::new(file, 21, 31), "last message")
                .hint("add `deactivate b`");
        expect![[r#"
            warning[W201]: `b` stays active
             --> a.puml:2:1
              |
            2 | activate b
              | ^^^^^^^^^^
            3 | a -> b : x
              | ---------- last message
              |
              = help: add `deactivate b`
        "#]]
        .assert_eq(&text(&diagnostic, &sources, FindingStyle { colour: false, width: 100 }));
    }

    #[test]
    fn odd_spans_do_not_matter() {
        let mut sources = Sources::new();
        let file = sources.add("ä.puml", "äöü");
        for (start, end) in [(0, 0), (1, 2), (6, 6), (0, 99), (50, 60)] {
            let diagnostic = Diagnostic::new(Code::Syntax, Span::new(file, start, end), "what\nis this");
            assert!(
                text(&diagnostic, &sources, FindingStyle { colour: false, width: 80 })
                    .contains("what is this")
            );
        }
        let empty = sources.add("", "");
        let diagnostic = Diagnostic::new(Code::Syntax, Span::new(empty, 0, 0), "nothing");
        assert!(text(&diagnostic, &sources, FindingStyle { colour: true, width: 80 }).contains("nothing"));
    }
}

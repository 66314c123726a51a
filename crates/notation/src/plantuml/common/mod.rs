//! What may stand in every PlantUML diagram: titles, legends, `skinparam`, styles, sprites, scales.
//!
//! None of it changes what a diagram means; the title names it, and texts around it are kept for its drawing. [`read`] tries all of them on
//! the current line; the reader of a kind of diagram decides when to try them (a sequence diagram before
//! everything else, a state diagram after everything else, as PlantUML does).
//!
//! Readers never see comments, directives, preprocessor lines, `@startuml` and `@enduml`: the preprocessor takes them out,
//! also from the middle of notes, and puts their statements back afterwards. Blank lines do come, because they count
//! inside multi-line texts.

pub(crate) mod arrow;
pub(crate) mod caption;
pub mod colour;
mod looks;
pub mod scan;
pub mod text;
pub(crate) mod unread;

use sequent_kernel::diagnostic::{Code, Diagnostic, nearest};

use self::looks::{may_be_common, missing_end, presentation};
use self::scan::{Scan, is_space, is_word, trim};
use crate::line::Line;
use crate::tree::{Statement, StatementKind};

/// The statement at `lines[at]` if it is one of those every diagram may hold, and how many lines it takes.
pub fn read<I>(lines: &[Line], at: usize) -> Option<(StatementKind<I>, usize)> {
    let first = trim(&lines[at].text);
    if !may_be_common(first) {
        return None;
    }
    let title = caption::title(lines, at, first).map(|(title, count)| (StatementKind::Title(title), count));
    let caption =
        || caption::caption(lines, at, first).map(|(text, count)| (StatementKind::Caption(text), count));
    let looks = || presentation(lines, at, first).map(|count| (StatementKind::Presentation, count));
    title.or_else(caption).or_else(looks)
}

/// A statement made from `lines[at..at + count]`.
pub fn statement<I>(lines: &[Line], at: usize, count: usize, kind: StatementKind<I>) -> Statement<I> {
    let (first, last) = (&lines[at], &lines[at + count - 1]);
    let text = trim(&first.text);
    let start = if text.is_empty() { first.span } else { first.span_of_part(text) };
    let span = if count == 1 { start } else { start.to(last.span) };
    Statement { span, lines: first.whole.to(last.whole), kind }
}

/// Multi-line statements that are longer are taken for ones without end, so that reading takes linear time whatever is
/// left open.
pub const LONGEST: usize = 2_000;

/// How many lines a line takes that is no statement, with what belongs to it, and the complaint; `complaint` makes the one about
/// the line alone.
pub(crate) fn unread(lines: &[Line], at: usize, complaint: impl Fn() -> Diagnostic) -> (usize, Diagnostic) {
    unread::text(lines, at, &complaint).unwrap_or_else(|| (unread::braced(lines, at), complaint()))
}

/// How many lines the multi-line statement at `lines[at]` takes, up to the first line for which `is_end` holds.
/// Embedded diagrams (`{{` .. `}}`) are passed over; `None` if the end is missing.
pub fn until(lines: &[Line], at: usize, is_end: impl Fn(&str) -> bool) -> Option<usize> {
    let mut embedded = 0;
    for (offset, line) in lines[at..].iter().enumerate().take(LONGEST).skip(1) {
        let line = trim(&line.text);
        if embedded > 0 && line == "}}" {
            embedded -= 1;
        } else if is_embedded(line) {
            embedded += 1;
        } else if embedded == 0 && is_end(line) {
            return Some(offset + 1);
        }
    }
    None
}

/// Whether the line opens an embedded diagram: `{{`, `{{mindmap`.
pub(crate) fn is_embedded(line: &str) -> bool {
    line.strip_prefix("{{").is_some_and(|kind| kind.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Whether `line` is `end word` or `endword`.
pub(crate) fn is_end_of(line: &str, word: &str) -> bool {
    let Some(after) = line.get(..3).filter(|end| end.eq_ignore_ascii_case("end")).map(|_| &line[3..]) else {
        return false;
    };
    after.strip_prefix(is_space).unwrap_or(after).eq_ignore_ascii_case(word)
}

/// The complaint about a line that is no statement; `words` are those a statement may start with.
pub(crate) fn not_understood(line: &Line, kind: &str, words: &[&str]) -> Diagnostic {
    let shown = trim(&line.text);
    let span = line.span_of_part(shown);
    if let Some(end) = missing_end(shown) {
        let message = format!("`{shown}` is never closed: `{end}` is missing");
        return Diagnostic::new(Code::UnclosedBlock, span, message);
    }
    let complaint =
        Diagnostic::new(Code::Syntax, span, format!("`{shown}` is not a valid statement in a {kind}"));
    if shown.matches('"').count() % 2 == 1 {
        return complaint.hint("a quote is not closed: add `\"`");
    }
    let brackets = [('[', ']'), ('(', ')')];
    let is_open = |(open, close): &(char, char)| shown.matches(*open).count() > shown.matches(*close).count();
    if let Some((open, close)) = brackets.into_iter().find(is_open) {
        return complaint.hint(format!("`{open}` is not closed: add `{close}`"));
    }
    let word = shown.split(|c| !is_word(c)).next().unwrap_or_default();
    match nearest(word, words.iter().copied().chain(WORDS.iter().copied())) {
        Some(meant) if !meant.eq_ignore_ascii_case(word) => complaint.meant(word, meant),
        Some(_) | None => complaint,
    }
}

/// Whether the line is `left to right direction` or `top to bottom direction`; sequence diagrams know neither.
pub(crate) fn is_direction(line: &str) -> bool {
    let mut scan = Scan::new(line);
    let mut words = |words: [&str; 3]| words.iter().all(|word| scan.keyword(word) && scan.spaces());
    (words(["left", "to", "right"]) || words(["top", "to", "bottom"]))
        && scan.literal("direction")
        && scan.is_done()
}

/// The words that common statements start with.
const WORDS: &[&str] = &[
    "title",
    "header",
    "footer",
    "legend",
    "caption",
    "skinparam",
    "scale",
    "hide",
    "show",
    "sprite",
    "mainframe",
];

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use sequent_kernel::model::Caption;
    use sequent_kernel::source::Sources;

    use super::*;
    use crate::line;

    /// One line of output per statement: how many lines it takes, and its title.
    fn check(input: &str, expected: Expect) {
        let mut sources = Sources::new();
        let file = sources.add("a.puml", input);
        let lines = line::cut(file, sources.get(file), 0..input.len());
        let (mut at, mut out) = (0, String::new());
        while at < lines.len() {
            let (count, what) = match read::<()>(&lines, at) {
                Some((StatementKind::Title(title), count)) => (count, format!("title {title:?}")),
                Some((StatementKind::Caption(Caption { kind, side, text }), count)) => {
                    (count, format!("{kind:?} {side:?} {text:?}"))
                }
                Some((_, count)) => (count, "looks".to_owned()),
                None => (1, "-".to_owned()),
            };
            out += &format!("{count} {what}\n");
            at += count;
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn titles() {
        check(
            "title Hello\\nyou\ntitle: \"x y\"\nTITLE\n  one\n   two\nEnd Title\ntitle\nx\ntitles x\n",
            expect![[r#"
                1 title "Hello\nyou"
                1 title "x y"
                4 title "one\n two"
                1 -
                1 -
                1 -
            "#]],
        );
    }

    #[test]
    fn looks() {
        check(
            "skinparam backgroundColor #EEE\nskinparam {\n  a b\n  c {\n   d e\n  }\n}\nlegend right\n x\nendlegend\nleft header x\ncenter footer\ny\nendfooter\n<style>\na { b }\n</style>\nhide empty members\nscale max 100 width\nsprite $a [8x8/16] {\n00\n}\nset namespaceSeparator none\nhide x\nscale a\n",
            expect![[r#"
                1 looks
                6 looks
                3 Legend Right "x"
                1 Header Left "x"
                3 Footer Centre "y"
                3 looks
                1 looks
                1 looks
                3 looks
                1 looks
                1 -
                1 -
            "#]],
        );
    }

    #[test]
    fn directions() {
        assert!(is_direction(" left to right direction "));
        assert!(!is_direction("left to bottom direction"));
    }
}

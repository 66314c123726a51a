//! Notes: beside, over and across participants, or beside the message before them.
//!
//! The text follows after a `:` or on the lines up to `end note`.

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::model::{NotePosition, NoteShape};

use super::{name, take_name, text};
use crate::line::Line;
use crate::plantuml::common::scan::Scan;
use crate::plantuml::common::text::{join, unescape};
use crate::plantuml::common::{colour, is_end_of, until};
use crate::tree::sequence::{SequenceNote, SequenceStatement};
use crate::tree::{Name, Text};

/// `note left of a : text`
pub(crate) fn single(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<SequenceStatement> {
    let (mut note, mut scan) = start(line, diagnostics)?;
    if !scan.literal(":") {
        return None;
    }
    scan.spaces();
    note.text = text(line, scan.rest());
    Some(SequenceStatement::Note(note))
}

/// `note left of a`, lines of text, `end note`
pub(crate) fn multiline(
    lines: &[Line],
    at: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(SequenceStatement, usize)> {
    let said = diagnostics.len();
    let (mut note, scan) = start(&lines[at], diagnostics)?;
    let on_message = note.names.is_empty() && note.position != NotePosition::Across;
    let ends: &[&str] = if on_message { &["note"] } else { &["note", "hnote", "rnote"] };
    let is_end = |line: &str| ends.iter().any(|word| is_end_of(line, word));
    let Some(count) = until(lines, at, is_end).filter(|_| scan.is_done()) else {
        diagnostics.truncate(said);
        return None;
    };
    let inside = &lines[at + 1..at + count - 1];
    let span = match inside {
        [] => lines[at].span,
        [first, ..] => first.span.to(inside[inside.len() - 1].span),
    };
    note.text = Text { text: unescape(&join(inside)), span };
    Some((SequenceStatement::Note(note), count))
}

/// Whether the line opens a note over several lines.
pub(crate) fn is_start(line: &Line) -> bool {
    start(line, &mut Vec::new()).is_some_and(|(_, scan)| scan.is_done())
}

/// Everything before the text.
fn start<'a>(line: &'a Line, diagnostics: &mut Vec<Diagnostic>) -> Option<(SequenceNote, Scan<'a>)> {
    let mut scan = Scan::new(&line.text);
    let parallel = scan.literal("&");
    scan.spaces();
    let aligned = scan.literal("/");
    scan.spaces();
    let shape = shape(&mut scan)?;
    scan.stereotypes();
    scan.spaces();
    let (position, names) = place(line, &mut scan)?;
    if (parallel || aligned) && names.is_empty() && position != NotePosition::Across {
        return None;
    }
    scan.stereotypes();
    scan.spaces();
    let written = colour::take(&mut scan);
    scan.spaces();
    scan.link();
    scan.spaces();
    if !scan.is_done() && !scan.rest().starts_with(':') {
        return None;
    }
    if let Some(written) = written {
        colour::check(written, line.span_of_part(written), diagnostics);
    }
    let text = Text { text: String::new(), span: line.span };
    let aligned = aligned || parallel;
    Some((SequenceNote { position, names, shape, text, colour: written.map(str::to_owned), aligned }, scan))
}

fn shape(scan: &mut Scan) -> Option<NoteShape> {
    let shapes =
        [("note", NoteShape::Folded), ("hnote", NoteShape::Hexagon), ("rnote", NoteShape::Rectangle)];
    shapes.into_iter().find(|(word, _)| scan.literal(word)).map(|(_, shape)| shape)
}

/// Takes `left of a`, `over a, b`, `across`, `left`.
fn place(line: &Line, scan: &mut Scan) -> Option<(NotePosition, Vec<Name>)> {
    let positions = [
        ("left", NotePosition::Left),
        ("right", NotePosition::Right),
        ("over", NotePosition::Over),
        ("across", NotePosition::Across),
        ("top", NotePosition::Over),
        ("bottom", NotePosition::Over),
    ];
    let (word, position) = positions.into_iter().find(|(word, _)| scan.keyword(word))?;
    if matches!(word, "across" | "top" | "bottom") {
        return Some((position, Vec::new()));
    }
    let mut ahead = *scan;
    let names = if ahead.spaces() { names(line, &mut ahead, position) } else { Vec::new() };
    match names.is_empty() {
        true if word == "over" => return None,
        true => {}
        false => *scan = ahead,
    }
    Some((position, names))
}

/// Takes `of a`, `a`, and for a note over something `a, b`.
fn names(line: &Line, scan: &mut Scan, position: NotePosition) -> Vec<Name> {
    let before = *scan;
    let of = scan.keyword("of") && scan.spaces();
    let first = take_name(scan).or_else(|| {
        *scan = before;
        of.then(|| scan.name()).flatten()
    });
    let Some(first) = first else { return Vec::new() };
    let mut found = vec![name(line, first)];
    let mut ahead = *scan;
    ahead.spaces();
    if position == NotePosition::Over && !of && ahead.literal(",") {
        ahead.spaces();
        if let Some(second) = take_name(&mut ahead) {
            found.push(name(line, second));
            *scan = ahead;
        }
    }
    found
}

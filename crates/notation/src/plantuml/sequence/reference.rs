//! Interaction uses: `ref over a, b : Name`, or with the text on the lines up to `end ref`.

use sequent_kernel::diagnostic::Diagnostic;

use super::{name, take_colour, take_name, text};
use crate::line::Line;
use crate::plantuml::common::scan::Scan;
use crate::plantuml::common::text::{join, unescape};
use crate::plantuml::common::{is_end_of, until};
use crate::tree::sequence::{SequenceStatement, UseStatement};
use crate::tree::{Name, Text};

/// `ref over a, b : text`
pub(crate) fn single(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<SequenceStatement> {
    let (names, mut scan) = start(line, diagnostics)?;
    if !scan.literal(":") {
        return None;
    }
    scan.spaces();
    Some(SequenceStatement::Reference(UseStatement { names, text: text(line, scan.rest()) }))
}

/// `ref over a, b`, lines of text, `end ref`
pub(crate) fn multiline(
    lines: &[Line],
    at: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(SequenceStatement, usize)> {
    let (names, mut scan) = start(&lines[at], diagnostics)?;
    take_colour(&lines[at], &mut scan, &mut Vec::new());
    if !scan.is_done() {
        return None;
    }
    let count = until(lines, at, |line| line.eq_ignore_ascii_case("end") || is_end_of(line, "ref"))?;
    let inside = &lines[at + 1..at + count - 1];
    let span = inside.first().map_or(lines[at].span, |first| first.span.to(inside[inside.len() - 1].span));
    let text = Text { text: unescape(&join(inside)), span };
    Some((SequenceStatement::Reference(UseStatement { names, text }), count))
}

/// Whether the line opens a reference over several lines.
pub(crate) fn is_start(line: &Line) -> bool {
    start(line, &mut Vec::new()).is_some_and(|(_, scan)| scan.is_done())
}

/// Everything before the text.
fn start<'a>(line: &'a Line, diagnostics: &mut Vec<Diagnostic>) -> Option<(Vec<Name>, Scan<'a>)> {
    let mut scan = Scan::new(&line.text);
    if !scan.literal("ref") {
        return None;
    }
    take_colour(line, &mut scan, diagnostics);
    if !(scan.spaces() && scan.literal("over") && scan.spaces()) {
        return None;
    }
    let mut names = vec![name(line, take_name(&mut scan)?)];
    loop {
        scan.spaces();
        if !scan.literal(",") {
            break;
        }
        scan.spaces();
        names.push(name(line, take_name(&mut scan)?));
    }
    scan.link();
    scan.spaces();
    Some((names, scan))
}

//! Declarations of participants.
//!
//! `participant "Long name" as a <<stereotype>> order 10 [[link]] #colour`, with the two halves of `as` in either order, and
//! the form over several lines, whose label stands between `[` and `]`.

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::model::LifelineKind;

use super::name;
use crate::line::Line;
use crate::plantuml::common::scan::{Scan, trim};
use crate::plantuml::common::text::{join, unescape};
use crate::plantuml::common::{colour, until};
use crate::tree::Name;
use crate::tree::sequence::{Participant, SequenceStatement};

/// The words for the kinds of participants.
pub(crate) const KINDS: [(&str, LifelineKind); 8] = [
    ("participant", LifelineKind::Participant),
    ("actor", LifelineKind::Actor),
    ("boundary", LifelineKind::Boundary),
    ("control", LifelineKind::Control),
    ("entity", LifelineKind::Entity),
    ("queue", LifelineKind::Queue),
    ("database", LifelineKind::Database),
    ("collections", LifelineKind::Collections),
];

/// `actor a`, `create control "B" as b`, ..
pub(crate) fn read(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<SequenceStatement> {
    let mut scan = Scan::new(&line.text);
    let mut create = scan.keyword("create");
    if create {
        scan.spaces();
    }
    let before = scan;
    let declared = kind(&mut scan).filter(|_| scan.spaces()).and_then(|kind| {
        let name = named(line, &mut scan)?;
        finish(line, scan, name, kind, diagnostics)
    });
    // `create participant` creates one that is called participant.
    let declared = declared.or_else(|| {
        let mut scan = create.then_some(before)?;
        create = false;
        let name = named(line, &mut scan)?;
        finish(line, scan, name, LifelineKind::Participant, diagnostics)
            .map(|participant| Participant { create: true, ..participant })
    })?;
    Some(SequenceStatement::Participant(Participant { create: create || declared.create, ..declared }))
}

/// `participant a [`, lines of text, `]`
pub(crate) fn multiline(
    lines: &[Line],
    at: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(SequenceStatement, usize)> {
    let line = &lines[at];
    let head = trim(&line.text).strip_suffix('[')?;
    let mut scan = Scan::new(head);
    if !(scan.keyword("participant") && scan.spaces()) {
        return None;
    }
    let code = name(line, scan.name()?);
    let count =
        until(lines, at, |line| line.strip_suffix(']').is_some_and(|rest| !rest.contains(['[', ']'])))?;
    let participant = finish(line, scan, code, LifelineKind::Participant, diagnostics)?;
    let label = unescape(&join(&lines[at + 1..at + count - 1]));
    let name = Name { label: Some(label), ..participant.name };
    Some((SequenceStatement::Participant(Participant { name, ..participant }), count))
}

/// Takes the word for a kind.
fn kind(scan: &mut Scan) -> Option<LifelineKind> {
    KINDS.iter().find(|(word, _)| scan.keyword(word)).map(|(_, kind)| *kind)
}

/// Takes `a`, `"A"`, `"A" as a`, `a as "A"`, `A as a`.
fn named(line: &Line, scan: &mut Scan) -> Option<Name> {
    if let Some(label) = scan.quoted() {
        let Some(code) = alias(scan, |scan| scan.name()) else { return Some(name(line, label)) };
        return Some(labelled(line, code, label));
    }
    let first = scan.name()?;
    if let Some(label) = alias(scan, |scan| scan.quoted()) {
        return Some(labelled(line, first, label));
    }
    match alias(scan, |scan| scan.name()) {
        Some(code) => Some(labelled(line, code, first)),
        None => Some(name(line, first)),
    }
}

fn labelled(line: &Line, code: &str, label: &str) -> Name {
    Name { text: code.to_owned(), label: Some(unescape(label)), span: line.span_of_part(code) }
}

/// Takes ` as ` and what `other` takes after it.
fn alias<'a>(scan: &mut Scan<'a>, other: impl Fn(&mut Scan<'a>) -> Option<&'a str>) -> Option<&'a str> {
    let mut ahead = *scan;
    if !(ahead.spaces() && ahead.keyword("as") && ahead.spaces()) {
        return None;
    }
    let found = other(&mut ahead)?;
    *scan = ahead;
    Some(found)
}

/// What follows the name, up to the end of the line.
fn finish(
    line: &Line,
    mut scan: Scan,
    name: Name,
    kind: LifelineKind,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Participant> {
    let stereotypes = scan.stereotypes();
    scan.spaces();
    let order = match scan.keyword("order") {
        true => Some(order(&mut scan)?),
        false => None,
    };
    scan.spaces();
    scan.link();
    scan.spaces();
    let written = colour::take(&mut scan);
    if !scan.is_done() {
        return None;
    }
    if let Some(written) = written {
        colour::check(written, line.span_of_part(written), diagnostics);
    }
    let colour = written.map(str::to_owned);
    Some(Participant { name, kind, stereotypes, colour, order: order.unwrap_or(0), create: false })
}

/// The number after `order`: up to seven digits with a sign.
fn order(scan: &mut Scan) -> Option<i32> {
    if !scan.spaces() {
        return None;
    }
    let negative = scan.literal("-");
    let number: i32 = scan.number().filter(|digits| digits.len() <= 7)?.parse().ok()?;
    Some(if negative { -number } else { number })
}

//! Declarations: `state A`, `state "Long name" as A <<choice>> #red : text`, `state A {`, `frame F {`.

use sequent_kernel::diagnostic::Diagnostic;

use crate::line::Line;
use crate::plantuml::common::scan::{Scan, is_word};
use crate::plantuml::common::{colour, text};
use crate::plantuml::note::{link, tags};
use crate::tree::state::VertexDeclaration;
use crate::tree::{Name, Text};

/// The declaration on a line, if it is one.
pub(crate) fn read(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<VertexDeclaration> {
    let mut scan = Scan::new(&line.text);
    let is_frame = scan.one_of(&["state", "frame"])? == "frame";
    if !scan.spaces() {
        return None;
    }
    let (name, quoted) = name(line, &mut scan)?;
    scan.spaces();
    tags(&mut scan);
    let mut stereotypes = scan.stereotypes();
    scan.spaces();
    tags(&mut scan);
    scan.spaces();
    link(&mut scan);
    scan.spaces();
    let fill = colour::take(&mut scan);
    scan.spaces();
    border(&mut scan);
    let opens = opening(scan);
    // A quoted name without an alias cannot be opened, and a frame is nothing without its content.
    if (opens && quoted) || (is_frame && !opens) {
        return None;
    }
    if is_frame {
        stereotypes.push("frame".to_owned());
    }
    let description = if opens { None } else { description(line, scan)? };
    if let Some(fill) = fill {
        colour::check(fill, line.span_of_part(fill), diagnostics);
    }
    Some(VertexDeclaration { name, stereotypes, colour: fill.map(str::to_owned), description, opens })
}

/// `A`, `A as "label"`, `"label" as A`, `"A"`; and whether it is the last of these.
fn name(line: &Line, scan: &mut Scan) -> Option<(Name, bool)> {
    if let Some(label) = scan.quoted() {
        let alias = alias(scan, |scan| code(scan));
        let text = alias.unwrap_or(label);
        let shown = alias.map(|_| text::unescape(label));
        let name = Name { text: text.to_owned(), label: shown, span: line.span_of_part(text) };
        return Some((name, alias.is_none()));
    }
    let text = code(scan)?;
    let label = alias(scan, |scan| scan.quoted()).map(text::unescape);
    Some((Name { text: text.to_owned(), label, span: line.span_of_part(text) }, false))
}

/// What follows ` as `, if that is next.
fn alias<'a>(scan: &mut Scan<'a>, rest: impl Fn(&mut Scan<'a>) -> Option<&'a str>) -> Option<&'a str> {
    let mut ahead = *scan;
    if !(ahead.spaces() && ahead.keyword("as") && ahead.spaces()) {
        return None;
    }
    let found = rest(&mut ahead)?;
    *scan = ahead;
    Some(found)
}

/// A name without quotes. Dots are paths into composite states.
pub(crate) fn code<'a>(scan: &mut Scan<'a>) -> Option<&'a str> {
    Some(scan.take_while(|c| is_word(c) || c == '.')).filter(|name| !name.is_empty())
}

/// `##[dashed]blue`
fn border(scan: &mut Scan) {
    if !scan.literal("##") {
        return;
    }
    let mut ahead = *scan;
    if ahead.literal("[") && ahead.one_of(&["dotted", "dashed", "bold"]).is_some() && ahead.literal("]") {
        *scan = ahead;
    }
    scan.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
}

/// Whether the line ends with `{` or ` begin`.
fn opening(mut scan: Scan) -> bool {
    scan.spaces();
    scan.rest() == "{" || scan.rest().eq_ignore_ascii_case("begin")
}

/// The text after `:`; `None` if something else follows.
fn description(line: &Line, mut scan: Scan) -> Option<Option<Text>> {
    scan.spaces();
    if scan.is_done() {
        return Some(None);
    }
    if !scan.literal(":") {
        return None;
    }
    scan.spaces();
    Some(Some(Text { text: text::unescape(scan.rest()), span: line.span_of_part(scan.rest()) }))
}

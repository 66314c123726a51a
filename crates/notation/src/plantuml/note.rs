//! Notes of state, class and object diagrams, which PlantUML reads alike.
//!
//! `note left of A : text`, `note left : text` (of the element before it), `note on link : text`, `note "text" as N`, and
//! their forms over several lines, closed by `end note` or, where the first line ends with `{`, by `}`. JSON data and
//! tables of keys (`json J { .. }`, `map M { .. }`) are drawn but say nothing about behaviour; in a state diagram they are
//! read as floating notes.

use sequent_kernel::model::{NoteLook, NoteSide};

use super::common::scan::{Scan, is_quote, is_space, is_word, trim};
use super::common::{colour, is_end_of, text, until};
use crate::line::Line;
use crate::tree::{Name, Text};

/// A note and how many lines it takes.
pub struct ReadNote {
    /// What it is attached to.
    pub target: NoteAnchor,
    /// How it is drawn.
    pub look: NoteLook,
    /// Its text.
    pub text: Text,
    /// How many lines it takes.
    pub count: usize,
}

/// What a note is attached to.
pub enum NoteAnchor {
    /// The element named.
    Of(Name),
    /// The element before it.
    Last,
    /// The arrow before it.
    LastLink,
    /// Nothing; it has a name of its own.
    Floating(Name),
}

/// The note that starts at `lines[at]`, if one does.
pub fn read(lines: &[Line], at: usize, is_entity: impl Fn(char) -> bool + Copy) -> Option<ReadNote> {
    let line = &lines[at];
    let mut scan = Scan::new(&line.text);
    if !(scan.keyword("note") && scan.spaces()) {
        return None;
    }
    on_entity(lines, at, scan, is_entity)
        .or_else(|| on_link(lines, at, scan))
        .or_else(|| floating(lines, at, scan))
}

/// `right on link #colour : text`
fn on_link(lines: &[Line], at: usize, mut scan: Scan) -> Option<ReadNote> {
    let side = side(&mut scan);
    scan.spaces();
    scan.one_of(&["on", "of"])?;
    let is_link = scan.spaces() && scan.keyword("link");
    if !is_link {
        return None;
    }
    scan.spaces();
    let colour = colour::take(&mut scan).map(str::to_owned);
    let (text, count) = text_after(lines, at, scan, false)?;
    Some(ReadNote { target: NoteAnchor::LastLink, look: NoteLook { side, colour }, text, count })
}

fn side(scan: &mut Scan) -> Option<NoteSide> {
    Some(match scan.one_of(&["right", "left", "top", "bottom"])? {
        "left" => NoteSide::Left,
        "top" => NoteSide::Top,
        "bottom" => NoteSide::Bottom,
        _ => NoteSide::Right,
    })
}

/// `right of A <<stereotype>> #colour : text`
fn on_entity(
    lines: &[Line],
    at: usize,
    mut scan: Scan,
    is_entity: impl Fn(char) -> bool,
) -> Option<ReadNote> {
    let side = Some(side(&mut scan)?);
    let target = of_entity(&lines[at], &mut scan, is_entity).map_or(NoteAnchor::Last, NoteAnchor::Of);
    let colour = decorations(&mut scan).map(str::to_owned);
    let (text, count) = text_after(lines, at, scan, true)?;
    Some(ReadNote { target, look: NoteLook { side, colour }, text, count })
}

fn of_entity(line: &Line, scan: &mut Scan, is_entity: impl Fn(char) -> bool) -> Option<Name> {
    let mut ahead = *scan;
    if !(ahead.spaces() && ahead.keyword("of") && ahead.spaces()) {
        return None;
    }
    let name = match ahead.quoted() {
        Some(name) => name,
        None => Some(ahead.take_while(is_entity)).filter(|name| !name.is_empty())?,
    };
    *scan = ahead;
    Some(Name { text: name.to_owned(), label: None, span: line.span_of_part(name) })
}

/// `"text" as N` on one line, `as N` over several.
fn floating(lines: &[Line], at: usize, mut scan: Scan) -> Option<ReadNote> {
    let line = &lines[at];
    let display = scan.quoted();
    let named = (display.is_none() || scan.spaces()) && scan.keyword("as") && scan.spaces();
    if !named {
        return None;
    }
    let name = Some(scan.take_while(|c| is_word(c) || c == '.')).filter(|name| !name.is_empty())?;
    let target =
        NoteAnchor::Floating(Name { text: name.to_owned(), label: None, span: line.span_of_part(name) });
    let look = NoteLook { side: None, colour: decorations(&mut scan).map(str::to_owned) };
    match display {
        Some(display) if scan.is_done() => {
            let text = Text { text: text::unescape(display), span: line.span_of_part(display) };
            Some(ReadNote { target, look, text, count: 1 })
        }
        Some(_) => None,
        None => text_after(lines, at, scan, false)
            .filter(|(_, count)| *count > 1)
            .map(|(text, count)| ReadNote { target, look, text, count }),
    }
}

/// Tags, stereotypes, a colour and a link; the colour.
pub(crate) fn decorations<'a>(scan: &mut Scan<'a>) -> Option<&'a str> {
    scan.spaces();
    tags(scan);
    scan.stereotypes();
    scan.spaces();
    tags(scan);
    scan.spaces();
    let colour = colour::take(scan);
    scan.spaces();
    link(scan);
    scan.spaces();
    colour
}

/// `$tag $other`
pub fn tags(scan: &mut Scan) {
    while scan.peek() == Some('$') {
        let mut ahead = *scan;
        ahead.take(1);
        let tag =
            ahead.take_while(|c| !is_space(c) && !is_quote(c) && !matches!(c, '{' | '}' | '<' | '>' | '$'));
        if tag.is_empty() {
            return;
        }
        *scan = ahead;
        scan.spaces();
    }
}

/// `[[address]]`
pub fn link(scan: &mut Scan) {
    if scan.rest().starts_with("[[") {
        if let Some(end) = scan.rest().find("]]") {
            let end = end + scan.rest()[end..].bytes().take_while(|byte| *byte == b']').count();
            scan.take(end);
        }
    }
}

/// The text after `: ` on the same line, or on the lines that follow up to the end.
fn text_after(lines: &[Line], at: usize, mut scan: Scan, brace: bool) -> Option<(Text, usize)> {
    scan.spaces();
    let line = &lines[at];
    if scan.literal(":") {
        scan.spaces();
        let span = line.span_of_part(scan.rest());
        return Some((Text { text: text::unescape(scan.rest()), span }, 1));
    }
    let count = if brace && trim(scan.rest()) == "{" {
        until(lines, at, |line| line == "}")
    } else if scan.is_done() {
        until(lines, at, |line| is_end_of(line, "note"))
    } else {
        None
    }?;
    Some((body(&lines[at..at + count]), count))
}

/// The text between the first and the last line.
fn body(lines: &[Line]) -> Text {
    let inside = &lines[1..lines.len() - 1];
    let span = match (inside.first(), inside.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => lines[0].span,
    };
    Text { text: text::join(inside), span }
}

/// JSON data or a table of keys: `json J { .. }`, `json J "text"`, `map M { .. }`.
pub fn data(lines: &[Line], at: usize) -> Option<ReadNote> {
    let line = &lines[at];
    let mut scan = Scan::new(&line.text);
    let keyword = scan.one_of(&["json", "map"])?;
    if !scan.spaces() {
        return None;
    }
    let name = name_and_label(line, &mut scan)?;
    let look = NoteLook { side: None, colour: decorations(&mut scan).map(str::to_owned) };
    if scan.literal("##") {
        scan.take_while(|c| is_word(c) || matches!(c, '[' | ']'));
        scan.spaces();
    }
    let target = NoteAnchor::Floating(name);
    if scan.rest() == "{" {
        let count = until(lines, at, |line| line == "}")?;
        return Some(ReadNote { target, look, text: body(&lines[at..at + count]), count });
    }
    let single = keyword == "json" && !scan.is_done();
    let text = Text { text: scan.rest().to_owned(), span: line.span_of_part(scan.rest()) };
    single.then_some(ReadNote { target, look, text, count: 1 })
}

/// `"label" as name` or `name`.
fn name_and_label(line: &Line, scan: &mut Scan) -> Option<Name> {
    let label = scan.quoted();
    if label.is_some() && !(scan.spaces() && scan.keyword("as") && scan.spaces()) {
        return None;
    }
    let name = Some(scan.take_while(|c| is_word(c) || c == '.')).filter(|name| !name.is_empty())?;
    Some(Name { text: name.to_owned(), label: label.map(text::unescape), span: line.span_of_part(name) })
}

/// Statements of state, class and object diagrams that concern only how they look.
pub(crate) fn is_presentation(line: &str) -> bool {
    let mut scan = Scan::new(line);
    if super::common::is_direction(line) {
        return true;
    }
    match scan.one_of(&["hide", "show", "remove", "restore", "url", "footbox", "hide-class", "show-class"]) {
        Some("footbox") => scan.is_done(),
        Some("remove" | "restore") => scan.spaces() && !scan.is_done(),
        Some("url") => scan.rest().contains("[[") && scan.rest().ends_with("]]"),
        Some(_) => scan.spaces() && is_one_word(scan.rest()),
        None => false,
    }
}

/// `set separator ::`: what divides the parts of a name; `None` inside if names have no parts.
pub fn separator(line: &str) -> Option<Option<String>> {
    let mut scan = Scan::new(line);
    let is_setting =
        scan.keyword("set") && scan.spaces() && scan.one_of(&["separator", "namespaceseparator"]).is_some();
    if !(is_setting && scan.spaces() && is_one_word(scan.rest())) {
        return None;
    }
    let none = ["none", "null"].iter().any(|word| scan.rest().eq_ignore_ascii_case(word));
    Some((!none).then(|| scan.rest().to_owned()))
}

/// Whether `text` is one word or one stereotype.
fn is_one_word(text: &str) -> bool {
    !text.is_empty() && (!text.contains(is_space) || (text.starts_with("<<") && text.ends_with(">>")))
}

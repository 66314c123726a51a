//! Relations: `A "1" *-left-> "0..*" B : label`, `A::field --> B`, `A <|.. B`.
//!
//! A name may hold single signs between its parts (`a.b`, `a::b`, `a-b`), and PlantUML takes as much as it can; only if no
//! arrow follows then is the first part alone the name.

use crate::line::Line;
use crate::plantuml::common::scan::{Scan, is_quote, is_word};
use crate::plantuml::common::{colour, text};
use crate::plantuml::note::link;
use crate::plantuml::state::without_visibility;
use crate::tree::class::{Relation, RelationEnd, RelationHead};
use crate::tree::{Name, Text};

/// What may stand at the left end of a line, longer signs before their prefixes.
const LEFT: &[(&str, RelationHead)] = &[
    ("<||", RelationHead::Triangle),
    ("<|:", RelationHead::Triangle),
    ("<|", RelationHead::Triangle),
    ("^", RelationHead::Triangle),
    ("*", RelationHead::Diamond),
    ("}o", RelationHead::Other),
    ("}|", RelationHead::Other),
    ("|o", RelationHead::Other),
    ("||", RelationHead::Other),
    ("}", RelationHead::Other),
    ("<<", RelationHead::Arrow),
    ("<_", RelationHead::Arrow),
    ("<", RelationHead::Arrow),
    ("0)", RelationHead::Circle),
    ("()", RelationHead::Circle),
    ("))", RelationHead::Circle),
    ("0", RelationHead::Circle),
    (")", RelationHead::Circle),
    ("@", RelationHead::Other),
    ("#", RelationHead::Other),
    ("+", RelationHead::Other),
    ("x", RelationHead::Other),
    ("o", RelationHead::OpenDiamond),
];

/// What may stand at the right end of a line.
const RIGHT: &[(&str, RelationHead)] = &[
    ("||>", RelationHead::Triangle),
    (":|>", RelationHead::Triangle),
    ("|>", RelationHead::Triangle),
    ("^", RelationHead::Triangle),
    ("*", RelationHead::Diamond),
    ("o{", RelationHead::Other),
    ("|{", RelationHead::Other),
    ("o|", RelationHead::Other),
    ("||", RelationHead::Other),
    ("{", RelationHead::Other),
    (">>", RelationHead::Arrow),
    ("_>", RelationHead::Arrow),
    (">", RelationHead::Arrow),
    ("(0", RelationHead::Circle),
    ("()", RelationHead::Circle),
    ("((", RelationHead::Circle),
    ("0", RelationHead::Circle),
    ("(", RelationHead::Circle),
    ("@", RelationHead::Other),
    ("#", RelationHead::Other),
    ("+", RelationHead::Other),
    ("\\\\", RelationHead::Arrow),
    ("//", RelationHead::Arrow),
    ("x", RelationHead::Other),
    ("o", RelationHead::OpenDiamond),
];

/// The relation on a line, if it is one; `Some(None)` if it only shapes the drawing.
pub(crate) fn read(line: &Line) -> Option<Option<Relation>> {
    let scan = Scan::new(&line.text);
    names(scan).into_iter().find_map(|(name, rest)| with_first(line, name, rest))
}

/// The relation whose left end is `name`.
fn with_first(line: &Line, name: &str, mut scan: Scan) -> Option<Option<Relation>> {
    scan.spaces();
    let qualifier = qualifier(&mut scan);
    let first_text = beside(line, &mut scan);
    scan.spaces();
    let first_head = head(&mut scan, LEFT);
    let RelationBody { dashed, hidden } = body(&mut scan)?;
    let second_head = head(&mut scan, RIGHT);
    scan.spaces();
    let second_text = beside(line, &mut scan);
    scan.spaces();
    let second_qualifier = self::qualifier(&mut scan);
    scan.spaces();
    let (second, text) = names(scan).into_iter().find_map(|(name, rest)| Some((name, label(line, rest)?)))?;
    let first = end(line, name, first_head, first_text, qualifier);
    let second = end(line, second, second_head, second_text, second_qualifier);
    Some((!hidden).then_some(Relation { ends: [first, second], dashed, text }))
}

/// What a name at the start may be, longest first, with what follows each.
fn names<'a>(scan: Scan<'a>) -> Vec<(&'a str, Scan<'a>)> {
    let mut quoted = scan;
    if let Some(name) = quoted.quoted() {
        return vec![(name, quoted)];
    }
    let text = scan.rest();
    let part = |from: usize| text[from..].find(|c| !(is_word(c) || c == '$')).unwrap_or(text.len() - from);
    let leading = if text.starts_with('.') { 1 } else { 0 };
    let first = leading + part(leading);
    if first == leading {
        return Vec::new();
    }
    let mut longest = first;
    while let Some(sign) = ["::", ".", "\\", "/", "-"].iter().find(|sign| text[longest..].starts_with(**sign))
    {
        let length = part(longest + sign.len());
        if length == 0 {
            break;
        }
        longest += sign.len() + length;
    }
    let cut = |length: usize| {
        let mut rest = scan;
        (rest.take(length), rest)
    };
    let mut names = vec![cut(longest)];
    if longest > first {
        names.push(cut(first));
    }
    names
}

/// `[key]`
fn qualifier(scan: &mut Scan) -> Option<String> {
    let mut ahead = *scan;
    if !ahead.literal("[") {
        return None;
    }
    let inside = ahead.take_while(|c| c != ']' && c != '[');
    if inside.is_empty() || !ahead.literal("]") || !ahead.spaces() {
        return None;
    }
    *scan = ahead;
    Some(inside.to_owned())
}

/// `"1"`, `/role`
fn beside(line: &Line, scan: &mut Scan) -> Option<Text> {
    let quoted = scan.quoted();
    let mut ahead = *scan;
    let role = (ahead.literal("/") && !ahead.rest().starts_with('/'))
        .then(|| ahead.quoted().unwrap_or_else(|| ahead.take_while(|c| !c.is_whitespace())))
        .filter(|role| !role.is_empty());
    if role.is_some() {
        *scan = ahead;
    }
    let text = [quoted, role].into_iter().flatten().collect::<Vec<_>>();
    let place = text.first()?;
    Some(Text { text: text::unescape(&text.join(" ")), span: line.span_of_part(place) })
}

/// The sign at an end. A letter counts only if no other letter stands beside it.
fn head(scan: &mut Scan, signs: &[(&str, RelationHead)]) -> RelationHead {
    let found = signs.iter().find(|(sign, _)| scan.rest().starts_with(sign));
    let Some((sign, head)) = found else { return RelationHead::Plain };
    let after = scan.rest()[sign.len()..].chars().next();
    let is_letter = sign.ends_with(['o', 'x', '0']) && after.is_some_and(is_word);
    if is_letter {
        return RelationHead::Plain;
    }
    scan.take(sign.len());
    *head
}

/// How the line itself is drawn.
#[derive(Default)]
struct RelationBody {
    dashed: bool,
    hidden: bool,
}

/// The line between the signs at its ends.
fn body(scan: &mut Scan) -> Option<RelationBody> {
    let is_body = |c: char| matches!(c, '-' | '=' | '.');
    let first = scan.take_while(is_body);
    if first.is_empty() {
        return None;
    }
    let mut body = RelationBody::default();
    style(scan, &mut body);
    direction(scan);
    for inside in ["(0)", "(0", "0)", "0"] {
        let mut ahead = *scan;
        if ahead.literal(inside) && ahead.peek().is_some_and(is_body) {
            *scan = ahead;
            break;
        }
    }
    style(scan, &mut body);
    let second = scan.take_while(is_body);
    body.dashed |= first.contains('.') || second.contains('.');
    Some(body)
}

/// `left`, `l`, .. between two parts of the line.
fn direction(scan: &mut Scan) {
    let mut ahead = *scan;
    let words = ["left", "right", "up", "down", "le", "ri", "do", "l", "r", "u", "d"];
    let found = words.iter().any(|word| ahead.literal(word));
    if found && ahead.peek().is_some_and(|c| matches!(c, '-' | '=' | '.' | '[' | '0' | '(' | '>' | '|')) {
        *scan = ahead;
    }
}

/// `[#red,dashed]`
fn style(scan: &mut Scan, body: &mut RelationBody) {
    let mut ahead = *scan;
    if !ahead.literal("[") {
        return;
    }
    let inside = ahead.take_while(|c| c != ']');
    if !ahead.literal("]") {
        return;
    }
    *scan = ahead;
    let says = |wanted: &str| inside.split(',').any(|word| word.eq_ignore_ascii_case(wanted));
    body.dashed |= says("dashed") || says("dotted");
    body.hidden |= says("hidden");
}

/// What follows the right end: colour, link, stereotype, `: label`.
fn label(line: &Line, mut scan: Scan) -> Option<Text> {
    scan.spaces();
    colour::take(&mut scan);
    scan.spaces();
    link(&mut scan);
    scan.stereotypes();
    scan.spaces();
    if scan.is_done() {
        return Some(Text { text: String::new(), span: line.span_of_part(scan.rest()) });
    }
    if !scan.literal(":") {
        return None;
    }
    scan.spaces();
    let shown = without_visibility(scan.rest());
    (!shown.is_empty()).then(|| Text { text: text::unescape(shown), span: line.span_of_part(shown) })
}

/// One end; what follows `::` is a member, unless the name is in quotes.
fn end(
    line: &Line,
    name: &str,
    head: RelationHead,
    text: Option<Text>,
    qualifier: Option<String>,
) -> RelationEnd {
    let start = name.as_ptr() as usize - line.text.as_ptr() as usize;
    let is_quoted = line.text[..start].ends_with(is_quote);
    let (class, member) = match name.rsplit_once("::") {
        Some((class, member)) if !class.is_empty() && !is_quoted => (class, Some(member.to_owned())),
        _ => (name, None),
    };
    let name = Name { text: class.to_owned(), label: None, span: line.span_of_part(class) };
    RelationEnd { name, member, head, text, qualifier }
}

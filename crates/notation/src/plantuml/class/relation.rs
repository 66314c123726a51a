//! Relations: `A "1" *-left-> "0..*" B : label`, `A::field --> B`, `A <|.. B`.
//!
//! A name may hold single signs between its parts (`a.b`, `a::b`, `a-b`), and PlantUML takes as much as it can; only if no
//! arrow follows then is the first part alone the name.

use sequent_kernel::model::{EndSign, LineLook, LineWay};

use crate::line::Line;
use crate::plantuml::common::arrow::{take_way, without_visibility};
use crate::plantuml::common::scan::{Scan, is_quote, is_word};
use crate::plantuml::common::{colour, text};
use crate::plantuml::note::link;
use crate::tree::class::{Relation, RelationEnd, RelationHead};
use crate::tree::{Name, Text};

/// What may stand at the left end of a line, longer signs before their prefixes.
const LEFT: &[(&str, RelationHead)] = &[
    ("<||", RelationHead::Triangle),
    ("<|:", RelationHead::Triangle),
    ("<|", RelationHead::Triangle),
    ("^", RelationHead::Triangle),
    ("*", RelationHead::Diamond),
    ("}o", RelationHead::Other(EndSign::ManyOrNone)),
    ("}|", RelationHead::Other(EndSign::OneOrMany)),
    ("|o", RelationHead::Other(EndSign::OneOrNone)),
    ("||", RelationHead::Other(EndSign::ExactlyOne)),
    ("}", RelationHead::Other(EndSign::Many)),
    ("<<", RelationHead::Arrow),
    ("<_", RelationHead::Arrow),
    ("<", RelationHead::Arrow),
    ("0)", RelationHead::Other(EndSign::Circle)),
    ("()", RelationHead::Other(EndSign::Circle)),
    ("))", RelationHead::Other(EndSign::Circle)),
    ("0", RelationHead::Other(EndSign::Circle)),
    (")", RelationHead::Other(EndSign::Circle)),
    ("@", RelationHead::Other(EndSign::Circle)),
    ("#", RelationHead::Other(EndSign::Square)),
    ("+", RelationHead::Other(EndSign::Plus)),
    ("x", RelationHead::Other(EndSign::Cross)),
    ("o", RelationHead::OpenDiamond),
];

/// What may stand at the right end of a line.
const RIGHT: &[(&str, RelationHead)] = &[
    ("||>", RelationHead::Triangle),
    (":|>", RelationHead::Triangle),
    ("|>", RelationHead::Triangle),
    ("^", RelationHead::Triangle),
    ("*", RelationHead::Diamond),
    ("o{", RelationHead::Other(EndSign::ManyOrNone)),
    ("|{", RelationHead::Other(EndSign::OneOrMany)),
    ("o|", RelationHead::Other(EndSign::OneOrNone)),
    ("||", RelationHead::Other(EndSign::ExactlyOne)),
    ("{", RelationHead::Other(EndSign::Many)),
    (">>", RelationHead::Arrow),
    ("_>", RelationHead::Arrow),
    (">", RelationHead::Arrow),
    ("(0", RelationHead::Other(EndSign::Circle)),
    ("()", RelationHead::Other(EndSign::Circle)),
    ("((", RelationHead::Other(EndSign::Circle)),
    ("0", RelationHead::Other(EndSign::Circle)),
    ("(", RelationHead::Other(EndSign::Circle)),
    ("@", RelationHead::Other(EndSign::Circle)),
    ("#", RelationHead::Other(EndSign::Square)),
    ("+", RelationHead::Other(EndSign::Plus)),
    ("\\\\", RelationHead::Arrow),
    ("//", RelationHead::Arrow),
    ("x", RelationHead::Other(EndSign::Cross)),
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
    let RelationBody { dashed, hidden, mut look } = body(&mut scan)?;
    let second_head = head(&mut scan, RIGHT);
    scan.spaces();
    let second_text = beside(line, &mut scan);
    scan.spaces();
    let second_qualifier = self::qualifier(&mut scan);
    scan.spaces();
    let (second, tail) = names(scan).into_iter().find_map(|(name, rest)| Some((name, tail(line, rest)?)))?;
    look.colour = tail.colour.or(look.colour);
    let first = end(line, name, first_head, first_text, qualifier);
    let second = end(line, second, second_head, second_text, second_qualifier);
    Some((!hidden).then_some(Relation {
        ends: [first, second],
        dashed,
        look,
        stereotypes: tail.stereotypes,
        text: tail.text,
    }))
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
    look: LineLook,
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
    body.look.way = direction(scan);
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
    // A line of one sign lies across the drawing.
    let is_short = first.len() + second.len() == 1;
    body.look.way = body.look.way.or(is_short.then_some(LineWay::Right));
    Some(body)
}

/// `left`, `l`, .. between two parts of the line.
fn direction(scan: &mut Scan) -> Option<LineWay> {
    let mut ahead = *scan;
    let way = take_way(&mut ahead)?;
    let goes_on = ahead.peek().is_some_and(|c| matches!(c, '-' | '=' | '.' | '[' | '0' | '(' | '>' | '|'));
    goes_on.then(|| {
        *scan = ahead;
        way
    })
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
    let colour = inside.split(',').find(|word| word.starts_with('#'));
    body.look.colour = colour.map(str::to_owned).or(body.look.colour.take());
}

/// What follows the right end.
struct RelationTail {
    colour: Option<String>,
    stereotypes: Vec<String>,
    text: Text,
}

/// Colour, link, stereotype, `: label`.
fn tail(line: &Line, mut scan: Scan) -> Option<RelationTail> {
    scan.spaces();
    let colour = colour::take(&mut scan).map(str::to_owned);
    scan.spaces();
    link(&mut scan);
    let stereotypes = scan.stereotypes();
    scan.spaces();
    if scan.is_done() {
        let text = Text { text: String::new(), span: line.span_of_part(scan.rest()) };
        return Some(RelationTail { colour, stereotypes, text });
    }
    if !scan.literal(":") {
        return None;
    }
    scan.spaces();
    let shown = without_visibility(scan.rest());
    let text = || Text { text: text::unescape(shown), span: line.span_of_part(shown) };
    (!shown.is_empty()).then(|| RelationTail { colour, stereotypes, text: text() })
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

//! Messages between two participants, and those that come from or go to the outside.
//!
//! `a -> b : text` with everything PlantUML allows around it: `&` for the same height, `{anchors}`, `"Long" as a` in place,
//! more receivers, `++ -- ** !!`, a colour, a stereotype, a link. Outside of the diagram is `[` (left), `]` (right) or `?`
//! (close by); it may be left out: `a ->` is a message to the right border.
//!
//! Arrows written backwards are turned round, so that `from` is who sends.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::model::{Arrow, Outside, Side};

use super::arrow::{self, Dressing};
use super::{name, take_colour, take_name, text};
use crate::line::Line;
use crate::plantuml::common::scan::{Scan, is_space, is_word};
use crate::plantuml::common::text::unescape;
use crate::tree::sequence::{ArrowEnd, LifeShorthand, MessageStatement, SequenceStatement};
use crate::tree::{Name, Text};

/// A message line.
pub(crate) fn read(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<SequenceStatement> {
    let mut scan = Scan::new(&line.text);
    let parallel = scan.literal("&");
    if parallel {
        scan.spaces();
    }
    let anchor = anchor(&mut scan);
    // What a reader says before it gives up is not said.
    let said = diagnostics.len();
    for reader in [between, from_border, to_border] {
        if let Some(mut message) = reader(line, scan, diagnostics) {
            message.parallel = parallel;
            message.anchor = anchor.or(message.anchor);
            return Some(SequenceStatement::Message(message));
        }
        diagnostics.truncate(said);
    }
    None
}

/// `a -> b : text`
fn between(line: &Line, mut scan: Scan, diagnostics: &mut Vec<Diagnostic>) -> Option<MessageStatement> {
    let first = participant(line, &mut scan)?;
    let before = anchor(&mut scan);
    let spaced = scan.spaces();
    let start = scan.rest();
    let left = arrow::left(&mut scan, spaced);
    let body = arrow::body(line, &mut scan, diagnostics)?;
    let right = arrow::right(&mut scan);
    let written = &start[..start.len() - scan.rest().len()];
    scan.spaces();
    let second = participant(line, &mut scan)?;
    let others = multicast(line, &mut scan);
    let behind = anchor(&mut scan);
    scan.spaces();
    let mut life = shorthands(&mut scan);
    scan.spaces();
    life.colour = take_colour_before_text(line, &mut scan, diagnostics);
    scan.stereotypes();
    scan.spaces();
    scan.link();
    let text = label(line, scan)?;
    let backwards = right.head.is_none() && left.head.is_some() && !(left.cross && right.cross);
    if right.head.is_none() && left.head.is_none() && !left.cross && !right.cross {
        let span = line.span_of_part(written.trim());
        let complaint =
            Diagnostic::new(Code::BadArrow, span, format!("the arrow `{}` has no head", written.trim()));
        diagnostics.push(complaint.hint("write `->`, `-->` or `->>`"));
    }
    let (from, to) = if backwards { (second, first) } else { (first, second) };
    let (tail, mut head) = if backwards { (right, left) } else { (left, right) };
    if head.head.is_none() && !head.cross {
        head.head = Some(arrow::ArrowHead { open: false, half: None });
    }
    let arrow = Arrow { dashed: body.dashed, head: head.tip(), tail: tail.tip(), colour: body.colour };
    let sort = arrow::sort(&arrow);
    Some(MessageStatement {
        from: ArrowEnd::Name(from),
        to: ArrowEnd::Name(to),
        others,
        text,
        arrow,
        sort,
        life,
        parallel: false,
        hidden: body.hidden,
        anchor: before.or(behind),
    })
}

/// `[-> a : text`, `?<- a`, `-> a`
fn from_border(line: &Line, mut scan: Scan, diagnostics: &mut Vec<Diagnostic>) -> Option<MessageStatement> {
    let mut outer = Dressing::default();
    let border = border(&mut scan);
    if border.is_some() {
        arrow::decoration(&mut scan, &mut outer);
    }
    let (left, body, right) = bare(line, &mut scan, diagnostics)?;
    let mut inner = Dressing::default();
    let before = scan;
    arrow::decoration(&mut scan, &mut inner);
    if !scan.spaces() {
        scan = before;
        inner = Dressing::default();
    }
    scan.spaces();
    let participant = name(line, take_name(&mut scan)?);
    scan.spaces();
    let found = right.is_some();
    let outside = Outside { side: side(border, Side::Left), short: border == Some('?') };
    (outer.head, inner.head) = (left, right);
    let (life, text) = ending(line, scan, diagnostics)?;
    Some(outer_message(outside, participant, found, (outer, inner), body, life, text))
}

/// `a ->] : text`, `a ->?`, `a <-`
fn to_border(line: &Line, mut scan: Scan, diagnostics: &mut Vec<Diagnostic>) -> Option<MessageStatement> {
    let participant = name(line, take_name(&mut scan)?);
    let spaced = scan.spaces();
    let mut inner = Dressing::default();
    if spaced {
        arrow::decoration(&mut scan, &mut inner);
    }
    let (left, body, right) = bare(line, &mut scan, diagnostics)?;
    let mut outer = Dressing::default();
    let before = scan;
    arrow::decoration(&mut scan, &mut outer);
    let border = border(&mut scan);
    if border.is_none() {
        scan = before;
        outer = Dressing::default();
    }
    scan.spaces();
    let found = right.is_none();
    let outside = Outside { side: side(border, Side::Right), short: border == Some('?') };
    (outer.head, inner.head) = (right, left);
    let (life, text) = ending(line, scan, diagnostics)?;
    let is_whole = found || border.is_some();
    diagnostics.extend((!is_whole).then(|| without_receiver(line, &participant)));
    Some(outer_message(outside, participant, found, (outer, inner), body, life, text))
}

/// PlantUML takes `a ->` for a message to the border; more often its receiver, which is written last, was forgotten. No line begins with the
/// arrow (`<- a`) by mistake.
fn without_receiver(line: &Line, sender: &Name) -> Diagnostic {
    let span = line.span_of_part(line.text.trim());
    let message = format!("this arrow of `{}` has no receiver: it leaves the diagram", sender.text);
    let hint = "name the receiver, or write `->]` for a message that leaves the diagram";
    Diagnostic::new(Code::BadArrow, span, message).severity(Severity::Warning).hint(hint)
}

/// Puts a found or lost message together; `dressings` are those at the border and at the participant.
fn outer_message(
    outside: Outside,
    participant: Name,
    found: bool,
    dressings: (Dressing, Dressing),
    body: arrow::ArrowBody,
    life: LifeShorthand,
    text: Text,
) -> MessageStatement {
    let (outer, inner) = (dressings.0.tip(), dressings.1.tip());
    let (head, tail) = if found { (inner, outer) } else { (outer, inner) };
    let arrow = Arrow { dashed: body.dashed, head, tail, colour: body.colour };
    let sort = arrow::sort(&arrow);
    let (outside, participant) = (ArrowEnd::Outside(outside), ArrowEnd::Name(participant));
    let (from, to) = if found { (outside, participant) } else { (participant, outside) };
    MessageStatement {
        from,
        to,
        others: Vec::new(),
        text,
        arrow,
        sort,
        life,
        parallel: false,
        hidden: body.hidden,
        anchor: None,
    }
}

/// Takes `[`, `]` or `?`.
fn border(scan: &mut Scan) -> Option<char> {
    let border = scan.peek().filter(|c| matches!(c, '[' | ']' | '?'))?;
    scan.take(1);
    Some(border)
}

/// The side a border mark stands for; `?` and none stand for the near one.
fn side(border: Option<char>, near: Side) -> Side {
    match border {
        Some('[') => Side::Left,
        Some(']') => Side::Right,
        Some(_) | None => near,
    }
}

/// Takes an arrow without decorations: left head, body, right head, one of the heads at least.
fn bare(
    line: &Line,
    scan: &mut Scan,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Option<arrow::ArrowHead>, arrow::ArrowBody, Option<arrow::ArrowHead>)> {
    let left = arrow::head(scan, '<');
    let body = arrow::body(line, scan, diagnostics)?;
    let right = arrow::head(scan, '>');
    (left.is_some() || right.is_some()).then_some((left, body, right))
}

/// What follows the arrow of a found or lost message.
fn ending(line: &Line, mut scan: Scan, diagnostics: &mut Vec<Diagnostic>) -> Option<(LifeShorthand, Text)> {
    let marks = scan.take_while(|c| matches!(c, '+' | '*' | '!' | '-'));
    let first = marks.chars().next();
    let mut life = LifeShorthand {
        activate: first == Some('+'),
        deactivate: first == Some('-'),
        create: first == Some('*'),
        destroy: first == Some('!'),
        colour: None,
    };
    scan.spaces();
    life.colour = take_colour_before_text(line, &mut scan, diagnostics);
    scan.spaces();
    scan.link();
    Some((life, label(line, scan)?))
}

/// Takes a participant: `a`, `"Long"`, `"Long" as a`, `a as "Long"`.
fn participant(line: &Line, scan: &mut Scan) -> Option<Name> {
    let quoted = scan.peek().is_some_and(|c| !is_word(c));
    let first = take_name(scan)?;
    let mut ahead = *scan;
    let spaced = ahead.spaces();
    let second = match (ahead.keyword("as"), quoted) {
        (true, true) => ahead.spaces().then(|| ahead.name()).flatten(),
        (true, false) if spaced => {
            ahead.spaces();
            ahead.quoted()
        }
        _ => None,
    };
    let Some(second) = second else { return Some(name(line, first)) };
    *scan = ahead;
    let (code, label) = if quoted { (second, first) } else { (first, second) };
    Some(Name { text: code.to_owned(), label: Some(unescape(label)), span: line.span_of_part(code) })
}

/// Takes ` & b & c`.
fn multicast(line: &Line, scan: &mut Scan) -> Vec<Name> {
    let mut names = Vec::new();
    loop {
        let mut ahead = *scan;
        if !(ahead.spaces() && ahead.literal("&") && ahead.spaces()) {
            return names;
        }
        let Some(other) = ahead.name() else { return names };
        names.push(name(line, other));
        *scan = ahead;
    }
}

/// Takes `{anchor}`, which must be followed by white space.
fn anchor(scan: &mut Scan) -> Option<String> {
    let mut ahead = *scan;
    let name = if ahead.literal("{") { ahead.take_while(is_word) } else { "" };
    if name.is_empty() || !ahead.literal("}") || !ahead.spaces() {
        return None;
    }
    *scan = ahead;
    Some(name.to_owned())
}

/// Takes `++`, `--`, `**`, `!!`, `--++` or `++--`.
fn shorthands(scan: &mut Scan) -> LifeShorthand {
    let mut life = LifeShorthand::default();
    let both = scan.literal("--++") || scan.literal("++--");
    life.activate = both || scan.literal("++");
    life.create = !life.activate && scan.literal("**");
    life.destroy = !life.activate && !life.create && scan.literal("!!");
    life.deactivate = both || (!life.activate && !life.create && !life.destroy && scan.literal("--"));
    life
}

/// Takes the colour of an activation; the text may follow at once.
fn take_colour_before_text(
    line: &Line,
    scan: &mut Scan,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<String> {
    let rest = scan.rest();
    let end = rest.find(|c| c == ':' || c == '<' || is_space(c)).unwrap_or(rest.len());
    let mut colour = Scan::new(&rest[..end]);
    let taken = take_colour(line, &mut colour, diagnostics)?;
    scan.take(taken.len());
    Some(taken)
}

/// `: text`, or nothing at all.
fn label(line: &Line, mut scan: Scan) -> Option<Text> {
    scan.spaces();
    if scan.literal(":") {
        scan.spaces();
    } else if !scan.is_done() {
        return None;
    }
    Some(text(line, scan.rest()))
}

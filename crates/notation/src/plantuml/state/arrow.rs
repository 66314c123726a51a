//! Transitions: `A -left[#red]-> B : label`, `B <-- A`, `[*] --> A`, `A --> [H]`, `A --> B[H*]`, `==bar== --> A`.
//!
//! PlantUML takes a stereotype behind the second end, which only styles the arrow; `<<local>>` is our word for a local
//! transition.
//!
//! A name may hold colons, and PlantUML takes as much as it can: `A --> B:x` leads to a state called `B:x`, while in
//! `A --> B: x` and `A --> B:x y` the colon starts the label.

use sequent_kernel::model::{LineLook, LineWay};

use crate::line::Line;
use crate::plantuml::common::arrow::{take_way, without_visibility};
use crate::plantuml::common::scan::{Scan, is_word};
use crate::plantuml::common::text;
use crate::tree::state::{Endpoint, StateStatement, TransitionStatement};
use crate::tree::{Name, Text};

/// The transition on a line, if it is one; or an arrow that only shapes the drawing.
pub(crate) fn read(line: &Line) -> Option<StateStatement> {
    let mut scan = Scan::new(&line.text);
    let first = special(line, &mut scan).or_else(|| plain(line, &mut scan))?;
    scan.spaces();
    let start = scan.rest();
    let TakenArrow { forwards, look } = arrow(&mut scan)?;
    let arrow = &start[..start.len() - scan.rest().len()];
    let (second, Tail { text, local }) = target(line, scan)?;
    let (from, to) = if forwards { (first, second) } else { (second, first) };
    if is_hidden(arrow) {
        return Some(StateStatement::Hidden([from, to]));
    }
    Some(StateStatement::Transition(TransitionStatement { from, to, text, local, look }))
}

/// Whether the style of an arrow keeps it from being drawn.
fn is_hidden(arrow: &str) -> bool {
    arrow.split(['[', ']', ',']).any(|word| word.eq_ignore_ascii_case("hidden"))
}

/// `[*]`, `[H]`, `A[H*]`, `==bar==`
fn special(line: &Line, scan: &mut Scan) -> Option<Endpoint> {
    let mut ahead = *scan;
    if ahead.literal("[*]") {
        *scan = ahead;
        return Some(Endpoint::Star);
    }
    if ahead.peek() == Some('=') {
        let bar = bar(line, &mut ahead)?;
        *scan = ahead;
        return Some(Endpoint::Bar(bar));
    }
    let name = ahead.take_while(is_state);
    let deep = ahead.literal("[H*]");
    if !deep && !ahead.literal("[H]") {
        return None;
    }
    *scan = ahead;
    if name.is_empty() {
        return Some(Endpoint::History { deep });
    }
    Some(Endpoint::HistoryOf { name: named(line, name), deep })
}

/// `==name==`, at least two signs on either side.
fn bar(line: &Line, scan: &mut Scan) -> Option<Name> {
    let before = scan.take_while(|c| c == '=').len();
    let name = scan.take_while(is_state);
    let after = scan.take_while(|c| c == '=').len();
    (before >= 2 && after >= 2 && !name.is_empty()).then(|| named(line, name))
}

fn plain(line: &Line, scan: &mut Scan) -> Option<Endpoint> {
    let name = scan.take_while(is_state);
    (!name.is_empty()).then(|| Endpoint::Name(named(line, name)))
}

fn is_state(c: char) -> bool {
    is_word(c) || matches!(c, '.' | ':')
}

fn named(line: &Line, name: &str) -> Name {
    Name { text: name.to_owned(), label: None, span: line.span_of_part(name) }
}

/// An arrow: whether it points forwards, and how it is drawn from its source to its target.
struct TakenArrow {
    forwards: bool,
    look: LineLook,
}

/// Takes an arrow with the white space after it.
fn arrow(scan: &mut Scan) -> Option<TakenArrow> {
    let mut look = LineLook::default();
    let forwards = match scan.peek()? {
        'x' | 'X' | '-' => {
            scan.literal("x");
            forward_body(scan, &mut look) && scan.literal(">")
        }
        'o' | 'O' | '<' => {
            let circle = scan.literal("o");
            if circle && !scan.spaces() {
                return None;
            }
            if !(scan.literal("<") && backward_body(scan, &mut look)) {
                return None;
            }
            scan.literal("x");
            scan.spaces();
            look.way = look.way.map(LineWay::back);
            return Some(TakenArrow { forwards: false, look });
        }
        _ => return None,
    };
    let mut circle = *scan;
    if circle.literal("o") && circle.spaces() {
        *scan = circle;
    }
    scan.spaces();
    forwards.then_some(TakenArrow { forwards, look })
}

/// `--[style]left[style]--`, the dashes before being required.
fn forward_body(scan: &mut Scan, look: &mut LineLook) -> bool {
    let first = dashes(scan);
    style(scan, look);
    look.way = take_way(scan);
    style(scan, look);
    let last = dashes(scan);
    across(first + last, look);
    first > 0
}

/// A line of one dash lies across the drawing.
fn across(dashes: usize, look: &mut LineLook) {
    look.way = look.way.or((dashes == 1).then_some(LineWay::Right));
}

/// The same with the dashes behind being required, which may be the only ones.
fn backward_body(scan: &mut Scan, look: &mut LineLook) -> bool {
    let first = dashes(scan);
    let mut styled = style(scan, look);
    look.way = take_way(scan);
    styled |= look.way.is_some() | style(scan, look);
    let last = dashes(scan);
    across(first + last, look);
    last > 0 || (first > 0 && !styled)
}

fn dashes(scan: &mut Scan) -> usize {
    scan.take_while(|c| c == '-').len()
}

/// `[#red,dashed]`
fn style(scan: &mut Scan, look: &mut LineLook) -> bool {
    let mut ahead = *scan;
    if !ahead.literal("[") {
        return false;
    }
    let inside = ahead.take_while(|c| c != ']');
    let known = inside.split(',').all(is_style);
    if known && ahead.literal("]") {
        let colour = inside.split(',').find(|part| part.starts_with('#'));
        look.colour = colour.map(str::to_owned).or(look.colour.take());
        *scan = ahead;
        return true;
    }
    false
}

fn is_style(part: &str) -> bool {
    let words = ["dotted", "dashed", "plain", "bold", "hidden", "norank", "single", "node"];
    if let Some(colour) = part.strip_prefix('#') {
        return !colour.is_empty() && colour.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    }
    let thickness = part
        .strip_prefix("thickness=")
        .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    thickness || words.iter().any(|word| word.eq_ignore_ascii_case(part))
}

/// What follows the second end.
struct Tail {
    text: Text,
    local: bool,
}

/// The second end with the stereotype and label behind it.
fn target(line: &Line, mut scan: Scan) -> Option<(Endpoint, Tail)> {
    if let Some(end) = special(line, &mut scan) {
        return Some((end, tail(line, scan)?));
    }
    let mut whole = scan;
    let run = whole.take_while(is_state);
    if let Some(tail) = tail(line, whole).filter(|_| !run.is_empty()) {
        return Some((Endpoint::Name(named(line, run)), tail));
    }
    // Give back as little as possible, up to a colon that starts the label.
    let (at, tail) = run.rmatch_indices(':').filter(|(at, _)| *at > 0).find_map(|(at, _)| {
        let mut rest = scan;
        rest.take(at);
        Some((at, tail(line, rest)?))
    })?;
    Some((Endpoint::Name(named(line, &run[..at])), tail))
}

/// What follows the second end: perhaps a stereotype, perhaps `: label`, and then nothing.
fn tail(line: &Line, mut scan: Scan) -> Option<Tail> {
    scan.spaces();
    let local = scan.stereotypes().iter().any(|word| word.eq_ignore_ascii_case("local"));
    scan.spaces();
    if scan.is_done() {
        let text = Text { text: String::new(), span: line.span_of_part(scan.rest()) };
        return Some(Tail { text, local });
    }
    if !scan.literal(":") {
        return None;
    }
    scan.spaces();
    let text = scan.rest();
    let shown = without_visibility(text);
    let label = || Text { text: text::unescape(shown), span: line.span_of_part(shown) };
    (!text.is_empty()).then(|| Tail { text: label(), local })
}

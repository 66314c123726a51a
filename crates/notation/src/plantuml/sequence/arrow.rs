//! Arrows: `-`, its heads and decorations at both ends, and the style in brackets.
//!
//! An arrow is `left head`, dashes, an optional `[#red,dashed]`, dashes, `right head`. A head is `<`, `<<`, `/`, `//`, `\`,
//! `\\` (or `>`, `>>`) with a circle `o` or a cross `x` outside of it. More than one dash is a dashed line. Which end is the
//! receiver follows from the heads: the right one wins, so `a <-> b` runs from a to b.

use sequent_kernel::diagnostic::Diagnostic;
use sequent_kernel::model::{Arrow, Half, MessageSort, Tip, TipShape};

use crate::line::Line;
use crate::plantuml::common::colour;
use crate::plantuml::common::scan::{Scan, is_name, is_quote, is_space};

/// One end of an arrow as written.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Dressing {
    /// `<`, `>`, `/`, `\` or one of them doubled.
    pub head: Option<ArrowHead>,
    /// `o`
    pub circle: bool,
    /// `x`
    pub cross: bool,
}

/// The head proper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrowHead {
    /// Doubled.
    pub open: bool,
    /// Half of a head.
    pub half: Option<Half>,
}

/// The line between the heads.
#[derive(Clone, Default, Debug)]
pub(crate) struct ArrowBody {
    /// Dashed.
    pub dashed: bool,
    /// Not drawn.
    pub hidden: bool,
    /// Line colour.
    pub colour: Option<String>,
}

impl Dressing {
    /// How this end is drawn; a cross hides the head.
    pub(crate) fn tip(self) -> Tip {
        let shape = match self.head {
            _ if self.cross => TipShape::Cross,
            Some(ArrowHead { open: true, .. }) => TipShape::Open,
            Some(ArrowHead { open: false, .. }) => TipShape::Filled,
            None => TipShape::None,
        };
        Tip { shape, half: self.head.and_then(|head| head.half), circle: self.circle }
    }
}

/// What the arrow says about the kind of message.
pub(crate) fn sort(arrow: &Arrow) -> MessageSort {
    match arrow.head.shape {
        _ if arrow.dashed => MessageSort::Reply,
        TipShape::Filled => MessageSort::Call,
        TipShape::Open | TipShape::Cross | TipShape::None => MessageSort::Signal,
    }
}

/// Takes the left end; a decoration counts only after white space, which `spaced` says was there.
pub(crate) fn left(scan: &mut Scan, spaced: bool) -> Dressing {
    let mut dressing = Dressing::default();
    let before = *scan;
    if spaced {
        decoration(scan, &mut dressing);
    }
    slant(scan);
    dressing.head = head(scan, '<');
    if dressing.head.is_some() {
        let _ = scan.literal("_");
    } else if !scan.rest().starts_with(['-', '[']) {
        *scan = before;
        return Dressing::default();
    }
    dressing
}

/// Takes the right end; a decoration counts only before white space.
pub(crate) fn right(scan: &mut Scan) -> Dressing {
    let mut dressing = Dressing::default();
    let before = *scan;
    let _ = scan.literal("_");
    dressing.head = head(scan, '>');
    if dressing.head.is_none() {
        *scan = before;
    }
    let before = *scan;
    decoration(scan, &mut dressing);
    // `a->x : text` goes to x, `a->x b : text` has a cross.
    let named = scan.rest().trim_start_matches(is_space).starts_with(|c| is_name(c) || is_quote(c));
    if !scan.peek().is_some_and(is_space) || !named {
        *scan = before;
        (dressing.circle, dressing.cross) = (false, false);
        slant(scan);
    }
    dressing
}

/// Takes `o` or `x`.
pub(crate) fn decoration(scan: &mut Scan, dressing: &mut Dressing) {
    dressing.circle = scan.literal("o");
    dressing.cross = !dressing.circle && scan.literal("x");
}

/// Takes a head whose full form is `full`.
pub(crate) fn head(scan: &mut Scan, full: char) -> Option<ArrowHead> {
    let c = scan.peek().filter(|c| [full, '/', '\\'].contains(c))?;
    scan.take(1);
    let open = scan.peek() == Some(c);
    if open {
        scan.take(1);
    }
    let upper = if full == '>' { '\\' } else { '/' };
    let half = (c != full).then_some(if c == upper { Half::Upper } else { Half::Lower });
    Some(ArrowHead { open, half })
}

/// Skips `(10)`, which slants the arrow.
fn slant(scan: &mut Scan) {
    let before = *scan;
    if !(scan.literal("(") && scan.number().is_some() && scan.literal(")")) {
        *scan = before;
    }
}

/// Takes dashes with an optional style between them; at least one dash.
pub(crate) fn body(line: &Line, scan: &mut Scan, diagnostics: &mut Vec<Diagnostic>) -> Option<ArrowBody> {
    let before = *scan;
    let mut dashes = scan.take_while(|c| c == '-').len();
    let mut body = style(line, scan, diagnostics).unwrap_or_default();
    dashes += scan.take_while(|c| c == '-').len();
    if dashes == 0 {
        *scan = before;
        return None;
    }
    body.dashed |= dashes > 1;
    Some(body)
}

/// Takes `[#red,dashed]`.
fn style(line: &Line, scan: &mut Scan, diagnostics: &mut Vec<Diagnostic>) -> Option<ArrowBody> {
    let inside = scan.rest().strip_prefix('[')?;
    let words = &inside[..inside.find(']')?];
    if !words.split(',').all(is_style) {
        return None;
    }
    scan.take(words.len() + 2);
    let mut body = ArrowBody::default();
    for word in words.split(',') {
        match word.to_ascii_lowercase().as_str() {
            "dashed" | "dotted" => body.dashed = true,
            "hidden" => body.hidden = true,
            "bold" => {}
            _ => {
                colour::check(word, line.span_of_part(word), diagnostics);
                body.colour = word.starts_with('#').then(|| word.to_owned());
            }
        }
    }
    Some(body)
}

/// Whether `word` may stand in a style; those that are no colour and mean nothing here are refused later as colours,
/// as PlantUML does.
fn is_style(word: &str) -> bool {
    let words = ["dotted", "dashed", "plain", "bold", "hidden", "norank", "single", "node"];
    let is_word =
        |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let thickness = word.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("thickness="));
    word.strip_prefix('#').is_some_and(is_word)
        || words.iter().any(|known| known.eq_ignore_ascii_case(word))
        || (thickness && word.len() > 10 && word[10..].bytes().all(|b| b.is_ascii_digit()))
}

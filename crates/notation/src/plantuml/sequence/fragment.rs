//! Blocks: `alt` and its like, `else`, `end`; boxes around participants.
//!
//! A colour may follow the keyword, at once (the header) or after a space (the body); the rest of the line is the guard or
//! caption. Whatever follows `end` is ignored, so `end alt`, `end loop` and even a stray `end note` close the innermost
//! block.

use sequent_kernel::diagnostic::Diagnostic;

use super::{take_colour, text};
use crate::line::Line;
use crate::plantuml::common::colour;
use crate::plantuml::common::scan::{Scan, is_space};
use crate::plantuml::common::text::unescape;
use crate::tree::sequence::{BlockKeyword, BlockOpening, Divide, Divider, SequenceStatement};

/// The words that open a block.
pub(crate) const KEYWORDS: [(&str, BlockKeyword); 9] = [
    ("opt", BlockKeyword::Opt),
    ("alt", BlockKeyword::Alt),
    ("loop", BlockKeyword::Loop),
    ("par2", BlockKeyword::Par2),
    ("par", BlockKeyword::Par),
    ("break", BlockKeyword::Break),
    ("critical", BlockKeyword::Critical),
    ("group", BlockKeyword::Group),
    ("partition", BlockKeyword::Partition),
];

/// A line that opens, divides or closes a block or a box.
pub(crate) fn read(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<SequenceStatement> {
    boxed(line, diagnostics).or_else(|| block(line, diagnostics))
}

fn block(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<SequenceStatement> {
    let mut scan = Scan::new(&line.text);
    if scan.literal("&") {
        scan.spaces();
    }
    if let Some((_, keyword)) = KEYWORDS.iter().find(|(word, _)| scan.keyword(word)) {
        let header = take_colour(line, &mut scan, diagnostics);
        let (colour, rest) = caption(line, scan, diagnostics)?;
        return Some(SequenceStatement::Open(open(line, *keyword, rest, colour.or(header))));
    }
    if scan.keyword("else") || scan.keyword("also") {
        let (colour, rest) = caption(line, scan, diagnostics)?;
        return Some(SequenceStatement::Divide(Divide {
            keyword: Divider::Else,
            text: text(line, rest),
            colour,
        }));
    }
    (scan.keyword("end") && caption(line, scan, diagnostics).is_some()).then_some(SequenceStatement::Close)
}

/// The colour of the body and the rest of the line, which must be set off by white space.
fn caption<'a>(
    line: &Line,
    mut scan: Scan<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Option<String>, &'a str)> {
    if !scan.is_done() && !scan.spaces() {
        return None;
    }
    let colour = take_colour(line, &mut scan, diagnostics);
    scan.spaces();
    Some((colour, scan.rest()))
}

fn open(line: &Line, keyword: BlockKeyword, rest: &str, colour: Option<String>) -> BlockOpening {
    let split = (keyword == BlockKeyword::Group).then(|| second_caption(rest)).flatten();
    let (first, subtitle) = split.map_or((rest, None), |(first, second)| (first, Some(unescape(second))));
    BlockOpening { keyword, text: text(line, first.trim_end_matches(is_space)), subtitle, colour }
}

/// Splits `Caption [second]`; brackets doubled are a link and belong to the caption.
fn second_caption(rest: &str) -> Option<(&str, &str)> {
    let inside = rest.strip_suffix(']')?;
    let link = inside.find("[[").and_then(|start| inside[start..].rfind("]]").map(|end| start + end + 2));
    let from = link.filter(|from| inside[*from..].contains('[')).unwrap_or(0);
    let bracket = from + inside[from..].find('[')?;
    Some((&inside[..bracket], &inside[bracket + 1..]))
}

/// `box "Caption" #colour`, `end box`
fn boxed(line: &Line, diagnostics: &mut Vec<Diagnostic>) -> Option<SequenceStatement> {
    let mut scan = Scan::new(&line.text);
    if scan.literal("end") {
        scan.spaces();
        return (scan.literal("box") && scan.is_done()).then_some(SequenceStatement::BoxEnd);
    }
    if !scan.literal("box") {
        return None;
    }
    let quoted = quoted_box(scan);
    let (label, mut scan) = match quoted {
        Some(found) => found,
        None => plain_box(scan)?,
    };
    let written = colour::take(&mut scan);
    if !scan.is_done() {
        return None;
    }
    if let Some(written) = written {
        colour::check(written, line.span_of_part(written), diagnostics);
    }
    Some(SequenceStatement::BoxStart { label: unescape(label), colour: written.map(str::to_owned) })
}

/// The caption in quotes, if nothing but a stereotype and a colour follows it.
fn quoted_box(mut scan: Scan<'_>) -> Option<(&str, Scan<'_>)> {
    if !scan.spaces() {
        return None;
    }
    let label = scan.quoted()?;
    scan.stereotypes();
    scan.spaces();
    (scan.is_done() || scan.rest().starts_with('#')).then_some((label, scan))
}

/// The caption without quotes: everything up to a colour.
fn plain_box(mut scan: Scan<'_>) -> Option<(&str, Scan<'_>)> {
    if !scan.spaces() {
        return (scan.is_done() || scan.rest().starts_with('#')).then_some(("", scan));
    }
    let label = scan.take_while(|c| c != '#').trim_end_matches(is_space);
    let label = label.find("<<").filter(|_| label.ends_with(">>")).map_or(label, |start| &label[..start]);
    Some((label.trim_end_matches(is_space), scan))
}

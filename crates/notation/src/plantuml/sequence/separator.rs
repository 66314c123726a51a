//! Dividers, delays, spaces and page breaks; statements that only concern how the diagram looks.

use sequent_kernel::model::SeparatorKind;

use crate::line::Line;
use crate::plantuml::common::scan::{Scan, is_space, is_word};
use crate::plantuml::common::text::unescape;
use crate::tree::Text;
use crate::tree::sequence::{DurationStatement, SequenceStatement};

/// `== text ==`, `...text...`, `|||`, `||45||`, `newpage text`
pub(crate) fn read(line: &Line) -> Option<SequenceStatement> {
    let scan = Scan::new(&line.text);
    page(scan).or_else(|| divider(scan)).or_else(|| space(scan)).or_else(|| delay(scan))
}

fn page(mut scan: Scan) -> Option<SequenceStatement> {
    let _ = scan.literal("@");
    if !scan.literal("newpage") {
        return None;
    }
    let spaced = scan.spaces();
    let colon = scan.literal(":");
    scan.spaces();
    let text = scan.rest();
    let titled = (spaced || colon) && text.contains(|c| is_word(c) || c == '.');
    (text.is_empty() && !colon || titled)
        .then(|| SequenceStatement::Separator(SeparatorKind::Page, unescape(text)))
}

fn divider(scan: Scan) -> Option<SequenceStatement> {
    let inside = scan.rest().strip_prefix("==")?.strip_suffix("==")?;
    Some(SequenceStatement::Separator(SeparatorKind::Divider, unescape(inside.trim_matches(is_space))))
}

fn space(mut scan: Scan) -> Option<SequenceStatement> {
    if !scan.literal("||") {
        return None;
    }
    let height = scan.number();
    let bars = scan.take_while(|c| c == '|');
    let fits = !bars.is_empty() && scan.is_done();
    let height = height.map(|digits| digits.parse().unwrap_or(u32::MAX));
    fits.then(|| SequenceStatement::Separator(SeparatorKind::Space(height), String::new()))
}

fn delay(scan: Scan) -> Option<SequenceStatement> {
    let strip = |text: &'_ str, at_end: bool| -> Option<usize> {
        let dots = ["...", "…"];
        dots.iter()
            .find(|dots| if at_end { text.ends_with(**dots) } else { text.starts_with(**dots) })
            .map(|d| d.len())
    };
    let rest = &scan.rest()[strip(scan.rest(), false)?..];
    if rest.is_empty() {
        return Some(SequenceStatement::Separator(SeparatorKind::Delay, String::new()));
    }
    let text = &rest[..rest.len() - strip(rest, true)?];
    Some(SequenceStatement::Separator(SeparatorKind::Delay, unescape(text.trim_matches(is_space))))
}

/// `hide unlinked`
pub(crate) fn hide_unlinked(line: &Line) -> Option<SequenceStatement> {
    let mut scan = Scan::new(&line.text);
    let hide = scan.keyword("hide");
    if !(hide || scan.keyword("show")) || !scan.spaces() {
        return None;
    }
    let _ = scan.literal("@");
    (scan.literal("unlinked") && scan.is_done()).then_some(SequenceStatement::HideUnlinked(hide))
}

/// Footboxes, links of participants, distances between anchors, settings of pages.
pub(crate) fn is_presentation(line: &Line) -> bool {
    let scan = Scan::new(&line.text);
    is_footbox(scan) || is_url(scan) || distance(scan).is_some() || is_page_setting(scan)
}

fn is_footbox(mut scan: Scan) -> bool {
    let _ = scan.literal("hide") || scan.literal("show");
    scan.spaces();
    if !scan.literal("footbox") {
        return false;
    }
    scan.spaces();
    let _ = scan.literal("on") || scan.literal("off");
    scan.is_done()
}

/// `url of a is [[link]]`
fn is_url(mut scan: Scan) -> bool {
    if !scan.literal("url") {
        return false;
    }
    scan.spaces();
    let _ = scan.keyword("of") || scan.keyword("for");
    scan.spaces();
    if super::take_name(&mut scan).is_none() || !scan.spaces() {
        return false;
    }
    let _ = scan.keyword("is");
    scan.spaces();
    scan.link().is_some() && scan.is_done()
}

/// `{start} <-> {end} : text`: the anchors, and what stands behind them.
fn distance<'l>(mut scan: Scan<'l>) -> Option<[&'l str; 3]> {
    let anchor = |scan: &mut Scan<'l>| {
        scan.spaces();
        let name = if scan.literal("{") { scan.take_while(is_word) } else { "" };
        (!name.is_empty() && scan.literal("}")).then_some(name)
    };
    let from = anchor(&mut scan)?;
    scan.spaces();
    let to = if scan.literal("<->") { anchor(&mut scan)? } else { return None };
    scan.spaces();
    let rest = scan.rest();
    (rest.is_empty() || rest.starts_with(':')).then(|| [from, to, rest.trim_start_matches(':').trim()])
}

/// A distance between anchors with a text: how long something takes.
pub(crate) fn duration(line: &Line) -> Option<DurationStatement> {
    let [from, to, text] = distance(Scan::new(&line.text)).filter(|[_, _, text]| !text.is_empty())?;
    let text = Text { text: unescape(text), span: line.span_of_part(text) };
    Some(DurationStatement { from: from.to_owned(), to: to.to_owned(), text })
}

fn is_page_setting(mut scan: Scan) -> bool {
    if scan.literal("ignore") {
        scan.spaces();
        return scan.literal("newpage") && scan.is_done();
    }
    scan.literal("autonewpage") && scan.spaces() && scan.number().is_some() && scan.is_done()
}

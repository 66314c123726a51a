//! Statements that concern only how a diagram looks: recognised, measured in lines, and passed over.
//!
//! What they set is not kept. Still they are distinguished from unknown statements as PlantUML does it, so
//! that a misspelt `skinparm` is found, and blocks among them (`skinparam {` .. `}`) take all their lines
//! with them.

use super::caption::{legend_start, running_head, single_caption};
use super::scan::{Scan, is_space, is_word, trim};
use super::{LONGEST, is_end_of, until};
use crate::line::Line;

/// A quick look at the first letters: most lines are no common statement.
pub(crate) fn may_be_common(line: &str) -> bool {
    let Some(first) = line.bytes().next() else { return false };
    matches!(first.to_ascii_lowercase(), b't' | b'h' | b'f' | b'l' | b'c' | b'r' | b's' | b'm' | b'p' | b'<')
}

/// How many lines the statement takes if it concerns only how the diagram looks.
pub(crate) fn presentation(lines: &[Line], at: usize, first: &str) -> Option<usize> {
    if single_caption(first, "mainframe").is_some() || is_setting(first) {
        return Some(1);
    }
    skinparam(lines, at, first).or_else(|| sprite(lines, at, first)).or_else(|| style(lines, at, first))
}

/// Statements of one line: scale, page, skin, `hide empty description` and the like.
fn is_setting(line: &str) -> bool {
    let mut scan = Scan::new(line);
    let word = ["scale", "page", "minwidth", "skin", "set", "hide", "show", "rotate"];
    let Some(word) = word.into_iter().find(|word| scan.keyword(word)) else { return false };
    if word == "rotate" {
        return scan.is_done();
    }
    if !scan.spaces() {
        return false;
    }
    match word {
        "scale" => is_scale(scan),
        "page" | "minwidth" => scan.rest().chars().all(|c| c.is_ascii_digit() || c == 'x' || is_space(c)),
        "skin" => scan.rest().chars().all(|c| is_word(c) || c == '.'),
        "set" => (scan.keyword("separator") || scan.keyword("namespaceseparator")) && scan.spaces(),
        "hide" | "show" => is_hidden_portion(scan.rest()),
        _ => false,
    }
}

/// `1.5`, `2/3`, `max 100 width`, `200*300`, `200 height`
fn is_scale(mut scan: Scan) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let max = scan.keyword("max") && scan.spaces();
    if scan.take_while(is_digit).is_empty() {
        return false;
    }
    scan.spaces();
    let rest = scan.rest().to_ascii_lowercase();
    let second = rest.strip_prefix(['*', 'x', '/']).map(str::trim_start);
    let divided = second.is_some_and(|number| !number.is_empty() && number.chars().all(is_digit));
    (rest.is_empty() && !max) || matches!(rest.as_str(), "width" | "height") || divided
}

/// What `hide` and `show` may name in every diagram: `empty description`, `empty members`, `<<x>> circle`.
fn is_hidden_portion(rest: &str) -> bool {
    let last = rest.rsplit(is_space).next().unwrap_or_default().to_ascii_lowercase();
    let portions = [
        "member",
        "members",
        "attribute",
        "attributes",
        "field",
        "fields",
        "method",
        "methods",
        "circle",
        "circles",
        "circled",
        "stereotype",
        "stereotypes",
    ];
    let words: Vec<&str> = rest.split_whitespace().collect();
    let description = matches!(words[..], [empty, what]
        if empty.eq_ignore_ascii_case("empty") && what.eq_ignore_ascii_case("description"));
    description || portions.contains(&last.as_str())
}

/// `skinparam name value`, `skinparam {` .. `}`
fn skinparam(lines: &[Line], at: usize, first: &str) -> Option<usize> {
    let mut scan = Scan::new(first);
    if !(scan.literal("skinparamlocked") || scan.literal("skinparam")) {
        return None;
    }
    if first.ends_with('{') {
        return braces(lines, at, is_skinparam_line);
    }
    if !scan.spaces() {
        return None;
    }
    take_parameter(&mut scan);
    (scan.spaces() && !scan.rest().contains(['{', '}'])).then_some(1)
}

/// Skips a parameter's name: `Arrow.Color`, `class<<x>>FontSize`.
fn take_parameter(scan: &mut Scan) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    scan.take_while(is_part);
    if let Some(end) = scan.rest().strip_prefix("<<").and_then(|inside| inside.rfind(">>")) {
        scan.take(end + 4);
    }
    scan.take_while(is_part);
}

fn is_skinparam_line(line: &str) -> bool {
    let mut scan = Scan::new(line);
    take_parameter(&mut scan);
    matches!(line, "" | "}") || scan.spaces()
}

/// How many lines a block in braces takes whose inner lines all satisfy `is_inner`.
fn braces(lines: &[Line], at: usize, is_inner: impl Fn(&str) -> bool) -> Option<usize> {
    let mut level = 1;
    for (offset, line) in lines[at..].iter().enumerate().take(LONGEST).skip(1) {
        let line = trim(&line.text);
        if !is_inner(line) {
            return None;
        }
        level += i32::from(line.ends_with('{')) - i32::from(line.ends_with('}'));
        if level == 0 {
            return Some(offset + 1);
        }
    }
    None
}

/// `sprite $name [16x16/16] {` .. `}`, `sprite name <svg ..</svg>`, `sprite name data`
fn sprite(lines: &[Line], at: usize, first: &str) -> Option<usize> {
    let mut scan = Scan::new(first);
    if !(scan.literal("sprite") && scan.spaces()) {
        return None;
    }
    let _ = scan.literal("$");
    if scan.take_while(|c| is_word(c) || matches!(c, '-' | '.')).is_empty() {
        return None;
    }
    if first.ends_with('{') {
        return until(lines, at, |line| line.ends_with('}') || is_end_of(line, "sprite"));
    }
    scan.spaces();
    if scan.literal("<svg") && !first.ends_with("</svg>") {
        return until(lines, at, |line| line.ends_with("</svg>"));
    }
    (!first.ends_with(scan.rest()) || !scan.is_done()).then_some(1)
}

/// `<style>` .. `</style>`, `<style file=x>`
fn style(lines: &[Line], at: usize, first: &str) -> Option<usize> {
    let mut scan = Scan::new(first);
    if !scan.literal("<style") {
        return None;
    }
    if scan.rest() == ">" {
        let is_end =
            |line: &str| line.eq_ignore_ascii_case("</style>") || line.eq_ignore_ascii_case("<style>");
        return until(lines, at, is_end);
    }
    let whole = scan.literal(">") && scan.rest().to_ascii_lowercase().ends_with("</style>");
    (whole || (scan.rest().contains('=') && first.ends_with('>'))).then_some(1)
}

/// The line that would close the block opened by `line`, for blocks found unclosed.
pub(crate) fn missing_end(line: &str) -> Option<&'static str> {
    let mut scan = Scan::new(line);
    let opened = |scan: &mut Scan, word: &str| scan.keyword(word) && scan.is_done();
    if let Some(head) = running_head(line) {
        return head.rest.eq_ignore_ascii_case(head.word).then_some(if head.word == "header" {
            "end header"
        } else {
            "end footer"
        });
    }
    if legend_start(line).is_some() {
        return Some("end legend");
    }
    if opened(&mut scan, "title") {
        return Some("end title");
    }
    if opened(&mut scan, "caption") {
        return Some("end caption");
    }
    if line.eq_ignore_ascii_case("<style>") {
        return Some("</style>");
    }
    let word = scan.one_of(&["skinparam", "sprite"]);
    (word.is_some() && line.ends_with('{')).then_some("}")
}

//! Texts around a diagram: `title`, `header`, `footer`, `caption`, `legend`, each on one line or up to its `end`.

use sequent_kernel::model::{Caption, CaptionKind, CaptionSide};

use super::scan::{Scan, is_quote, is_space, is_word};
use super::{is_end_of, text, until};
use crate::line::Line;

/// The title at `lines[at]`, and how many lines it takes.
pub(crate) fn title(lines: &[Line], at: usize, first: &str) -> Option<(String, usize)> {
    if let Some(title) = single_caption(first, "title") {
        return Some((text::unescape(title), 1));
    }
    first.eq_ignore_ascii_case("title").then(|| captioned(lines, at, "title")).flatten()
}

/// Another text around the diagram at `lines[at]`, and how many lines it takes.
pub(crate) fn caption(lines: &[Line], at: usize, first: &str) -> Option<(Caption, usize)> {
    legend(lines, at, first)
        .or_else(|| running(lines, at, first))
        .or_else(|| worded(lines, at, first, "caption", CaptionKind::Caption, CaptionSide::Centre))
}

/// `legend top left` .. `end legend`, `legend text`
fn legend(lines: &[Line], at: usize, first: &str) -> Option<(Caption, usize)> {
    let several = legend_start(first).and_then(|(kind, side)| {
        let (text, count) = captioned(lines, at, "legend")?;
        Some((Caption { kind, side, text }, count))
    });
    several.or_else(|| {
        let text = text::unescape(single_caption(first, "legend")?);
        Some((Caption { kind: CaptionKind::Legend, side: CaptionSide::Centre, text }, 1))
    })
}

/// `left header ..`, `footer` .. `end footer`
fn running(lines: &[Line], at: usize, first: &str) -> Option<(Caption, usize)> {
    let RunningHead { rest, word, side } = running_head(first)?;
    let kind = if word == "header" { CaptionKind::Header } else { CaptionKind::Footer };
    worded(lines, at, rest, word, kind, side)
}

/// `word text`, or `word` and the lines up to `end word`.
fn worded(
    lines: &[Line],
    at: usize,
    first: &str,
    word: &str,
    kind: CaptionKind,
    side: CaptionSide,
) -> Option<(Caption, usize)> {
    if let Some(text) = single_caption(first, word) {
        return Some((Caption { kind, side, text: text::unescape(text) }, 1));
    }
    let whole = first.eq_ignore_ascii_case(word).then(|| captioned(lines, at, word)).flatten();
    whole.map(|(text, count)| (Caption { kind, side, text }, count))
}

/// `word text`, `word: text`, `word "text"`: the text, which must hold a letter, a digit, `_` or `.` unless quoted.
pub(crate) fn single_caption<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let mut scan = Scan::new(line);
    if !scan.literal(word) {
        return None;
    }
    let spaced = scan.spaces();
    let colon = scan.literal(":");
    scan.spaces();
    let text = scan.rest();
    let unquoted = text.strip_prefix(is_quote).and_then(|text| text.strip_suffix(is_quote));
    match unquoted {
        Some(text) if spaced || colon => Some(text),
        None if (spaced || colon) && text.contains(|c| is_word(c) || c == '.') => Some(text),
        Some(_) | None => None,
    }
}

/// The text between `word` and `end word`, and how many lines that takes; there must be something in between.
fn captioned(lines: &[Line], at: usize, word: &str) -> Option<(String, usize)> {
    let count = until(lines, at, |line| is_end_of(line, word)).filter(|count| *count > 2)?;
    Some((text::unescape(&text::join(&lines[at + 1..at + count - 1])), count))
}

/// A header or footer.
pub(crate) struct RunningHead<'a> {
    /// The line from its keyword on.
    pub rest: &'a str,
    /// The keyword.
    pub word: &'static str,
    /// The side it is moved to.
    side: CaptionSide,
}

/// `left header ..`
pub(crate) fn running_head(line: &str) -> Option<RunningHead<'_>> {
    let mut scan = Scan::new(line);
    let sides = [("left", CaptionSide::Left), ("right", CaptionSide::Right), ("center", CaptionSide::Centre)];
    let side = sides.into_iter().find(|(word, _)| scan.literal(word)).map(|(_, side)| side);
    scan.spaces();
    let rest = scan.rest();
    let heads = [("header", CaptionSide::Right), ("footer", CaptionSide::Centre)];
    let (word, usual) = heads.into_iter().find(|(word, _)| scan.literal(word))?;
    Some(RunningHead { rest, word, side: side.unwrap_or(usual) })
}

/// `legend`, `legend top left`: where it stands.
pub(crate) fn legend_start(line: &str) -> Option<(CaptionKind, CaptionSide)> {
    let words: Vec<String> =
        line.split(is_space).filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let kind = |word: &str| match word {
        "top" => Some(CaptionKind::UpperLegend),
        "bottom" => Some(CaptionKind::Legend),
        _ => None,
    };
    let side = |word: &str| match word {
        "left" => Some(CaptionSide::Left),
        "right" => Some(CaptionSide::Right),
        "center" => Some(CaptionSide::Centre),
        _ => None,
    };
    match words[..] {
        ["legend"] => Some((CaptionKind::Legend, CaptionSide::Centre)),
        ["legend", word] => match kind(word) {
            Some(kind) => Some((kind, CaptionSide::Centre)),
            None => side(word).map(|side| (CaptionKind::Legend, side)),
        },
        ["legend", vertical, horizontal] => kind(vertical).zip(side(horizontal)),
        _ => None,
    }
}

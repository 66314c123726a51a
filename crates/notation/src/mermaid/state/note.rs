//! Notes: `note right of A : text`, `note left of A` .. `end note`, and floating ones.

use super::kind::{NoteParts, StateTokenKind};
use super::scan::{line_length, starts_word, word_and_blanks};
use crate::mermaid::text::{is_space, is_word};

/// A note at the start of `rest`; [`StateTokenKind::Invalid`] if it has another form. `no_end` remembers that no `end note`
/// follows, so that it is searched in vain only once.
pub(crate) fn scan(rest: &str, no_end: &mut bool) -> Option<(usize, StateTokenKind)> {
    let start = word_and_blanks(rest, "note")?;
    let place = ["left of", "right of"].into_iter().find(|place| starts_word(&rest[start..], place));
    let found = match place {
        Some(place) => attached(rest, start + place.len(), no_end),
        None if rest[start..].starts_with('"') => floating(rest, start + 1),
        None => None,
    };
    Some(match found {
        Some((length, parts)) => (length, StateTokenKind::Note(parts)),
        None => (line_length(rest), StateTokenKind::Invalid),
    })
}

fn attached(rest: &str, at: usize, no_end: &mut bool) -> Option<(usize, NoteParts)> {
    let name = rest[at..].trim_start_matches(is_space);
    let start = rest.len() - name.len();
    let length = name.find(|c: char| matches!(c, ':' | '-') || is_space(c)).unwrap_or(name.len());
    let length = name[..length].find("%%").filter(|comment| *comment > 0).unwrap_or(length);
    if length == 0 {
        return None;
    }
    let end = start + length;
    let parts = |text: [usize; 2]| NoteParts { attached: true, name: [start, end], text };
    let after = rest[end..].trim_start_matches(is_space);
    if let Some(text) = after.strip_prefix(':') {
        let length = text.find([':', '\n', ';']).unwrap_or(text.len());
        if length > 0 {
            let from = rest.len() - text.len();
            return Some((from + length, parts([from, from + length])));
        }
    }
    let close = if *no_end { None } else { end_note(&rest[end..]) };
    *no_end = close.is_none();
    let close = close?;
    Some((end + close[1], parts([end, end + close[0]])))
}

/// Where the line `end note` starts and ends.
fn end_note(rest: &str) -> Option<[usize; 2]> {
    let mut at = line_length(rest);
    while at < rest.len() {
        let line = rest[at + 1..].trim_start_matches(is_space);
        let start = rest.len() - line.len();
        if starts_word(line, "end note") {
            return Some([start, start + "end note".len()]);
        }
        at = start + line_length(line);
    }
    None
}

/// `note "text" as name`, which mermaid reads and does not draw.
fn floating(rest: &str, at: usize) -> Option<(usize, NoteParts)> {
    let close = at + rest[at..].find('"')?;
    let after = rest[close + 1..].trim_start_matches(is_space);
    let name = after.get(..2).filter(|word| word.eq_ignore_ascii_case("as")).map(|_| &after[2..])?;
    if name.starts_with(is_word) {
        return None;
    }
    let name = name.trim_start_matches(is_space);
    let start = rest.len() - name.len();
    let end = start + line_length(name);
    Some((end, NoteParts { attached: false, name: [start, end], text: [at, close] }))
}

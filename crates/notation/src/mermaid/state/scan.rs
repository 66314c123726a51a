//! Tokens of state diagrams that need a look ahead: mermaid's patterns, each as a scan from left to right.

use super::kind::StateTokenKind;
use crate::mermaid::text::{is_space, is_word};

/// What a scan finds: the length of a token and what it is.
pub(crate) type Scanned = Option<(usize, StateTokenKind)>;

/// Keywords that count only outside of composite states and before all else.
pub(crate) fn outside_only(rest: &str) -> Scanned {
    let words = [("click", StateTokenKind::Click), ("href", StateTokenKind::Href)];
    let keyword =
        |(word, kind): &(&str, StateTokenKind)| starts_word(rest, word).then_some((word.len(), *kind));
    let quoted = || {
        let inside = rest.strip_prefix('"')?;
        inside.find('"').map(|length| (length + 2, StateTokenKind::Quoted))
    };
    let default = || keyword(&("default", StateTokenKind::Default));
    words.iter().find_map(keyword).or_else(quoted).or_else(default)
}

/// A line that holds `direction LR` or the like anywhere.
pub(crate) fn direction(rest: &str) -> Scanned {
    const WORD: &str = "direction";
    let line = &rest[..line_length(rest)];
    let bytes = line.as_bytes();
    for start in 0..bytes.len().saturating_sub(WORD.len() - 1) {
        if !bytes[start..start + WORD.len()].eq_ignore_ascii_case(WORD.as_bytes()) {
            continue;
        }
        let after = &rest[start + WORD.len()..];
        let value = after.trim_start_matches(is_space);
        let is_value = value.get(..2).is_some_and(|value| {
            ["TB", "BT", "RL", "LR"].iter().any(|known| known.eq_ignore_ascii_case(value))
        });
        if value.len() < after.len() && is_value {
            let end = rest.len() - value.len();
            return Some((end + line_length(value), StateTokenKind::Direction));
        }
    }
    None
}

/// `accTitle:`, `accDescr:`, `accDescr {`
pub(crate) fn accessible(rest: &str) -> Scanned {
    let spaces = |text: &str| text.len() - text.trim_start_matches(is_space).len();
    let word = rest.get(..8)?;
    let is_title = word.eq_ignore_ascii_case("accTitle");
    if !is_title && !word.eq_ignore_ascii_case("accDescr") {
        return None;
    }
    let mark = 8 + spaces(&rest[8..]);
    let text = mark + 1 + rest.get(mark + 1..).map_or(0, spaces);
    match rest.as_bytes().get(mark)? {
        b':' if is_title => Some((text + line_length(&rest[text..]), StateTokenKind::AccTitle(text))),
        b':' => Some((text + line_length(&rest[text..]), StateTokenKind::AccDescription)),
        b'{' if !is_title => {
            let close = rest[text..].find('}');
            Some((
                close.map_or(rest.len(), |close| text + close + 1),
                StateTokenKind::AccBlock(close.is_some()),
            ))
        }
        _ => None,
    }
}

/// `scale 350 width`
pub(crate) fn scale(rest: &str) -> Scanned {
    let number = word_and_blanks(rest, "scale")?;
    let digits = rest[number..].len() - rest[number..].trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = &rest[number + digits..];
    let word = after.trim_start_matches(is_space);
    let is_whole = digits > 0 && word.len() < after.len() && starts_word(word, "width");
    let end = rest.len() - word.len() + "width".len();
    Some(if is_whole { (end, StateTokenKind::Looks) } else { (line_length(rest), StateTokenKind::Invalid) })
}

pub(crate) fn hide(rest: &str) -> Scanned {
    const TEXT: &str = "hide empty description";
    starts_word(rest, TEXT).then_some((TEXT.len(), StateTokenKind::Looks))
}

pub(crate) fn diagram(rest: &str) -> Scanned {
    let length =
        word_and_blanks(rest, "stateDiagram").or_else(|| word_and_blanks(rest, "stateDiagram-v2"))?;
    Some((rest[..length].trim_end_matches(is_space).len(), StateTokenKind::Diagram))
}

/// A line after `state` that ends its name with `<<fork>>` or the like.
pub(crate) fn pseudo(rest: &str) -> Scanned {
    let marks = [
        ("<<fork>>", "fork"),
        ("<<join>>", "join"),
        ("<<choice>>", "choice"),
        ("[[fork]]", "fork"),
        ("[[join]]", "join"),
        ("[[choice]]", "choice"),
    ];
    let line = &rest.as_bytes()[..line_length(rest)];
    marks.iter().find_map(|(mark, kind)| {
        let found = line.windows(mark.len()).rposition(|part| part.eq_ignore_ascii_case(mark.as_bytes()))?;
        Some((found + mark.len(), StateTokenKind::Pseudo(kind, found)))
    })
}

/// `: text`, in which a colon must not be followed by another; ends at `;`.
pub(crate) fn label_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let stops = |at: usize| matches!(bytes.get(at), None | Some(b'\n' | b';' | b':'));
    if bytes[0] != b':' {
        return None;
    }
    let mut length = 1;
    loop {
        length += match bytes.get(length) {
            Some(b':') if !stops(length + 1) => 2,
            Some(byte) if !matches!(byte, b'\n' | b';' | b':') => 1,
            _ => break,
        };
    }
    // A two-byte step may end inside a character; the bytes that follow belong to it.
    (length > 1).then_some(length)
}

pub(crate) fn starts_comment(rest: &str) -> bool {
    rest.starts_with('#') || (rest.starts_with("%%") && !rest.starts_with("%%{"))
}

/// Whether `rest` starts with `word` and no letter, digit or underscore follows.
pub(crate) fn starts_word(rest: &str, word: &str) -> bool {
    let head = rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    head && !rest[word.len()..].starts_with(is_word)
}

/// The length of `word` and the blanks that must follow it.
pub(crate) fn word_and_blanks(rest: &str, word: &str) -> Option<usize> {
    if !rest.get(..word.len())?.eq_ignore_ascii_case(word) {
        return None;
    }
    let after = rest[word.len()..].trim_start_matches(is_space);
    let length = rest.len() - after.len();
    (length > word.len()).then_some(length)
}

/// Up to the end of the line.
pub(crate) fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

//! Lengths of names, numbers and texts in sequence diagrams: mermaid's patterns, each as a scan from left to right.
//!
//! Mermaid has four patterns for participant names, depending on what follows; where their greedy matching matters it is
//! noted at the function.

use crate::mermaid::text::is_space;

/// Up to the end of the line.
pub(crate) fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// Up to what ends a text: the end of the line, `;`, or a comment.
pub(crate) fn text_length(rest: &str) -> usize {
    rest.find(['#', '\n', ';']).unwrap_or(rest.len())
}

/// Whether a comment starts between tokens: `#`, `%` (unless `%{`), or any character followed by `%%`.
pub(crate) fn starts_comment(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some('#') => true,
        Some('%') if !rest.starts_with("%{") => true,
        Some('}') | None => false,
        Some(_) => chars.as_str().starts_with("%%"),
    }
}

/// A number such as `10`, `1.5` or `.25`, if a blank or line break follows.
pub(crate) fn number_length(rest: &str) -> Option<usize> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let whole = digits(rest);
    let fraction = rest[whole..].strip_prefix('.').map_or(0, digits);
    let length = match fraction {
        1 | 2 => whole + 1 + fraction,
        _ if whole > 0 => whole,
        _ => return None,
    };
    rest[length..].starts_with([' ', '\n']).then_some(length)
}

/// The name of a participant in a message, a note and the like.
///
/// It starts with a run that holds no part of an arrow and goes on as long as what follows cannot be an arrow: a single
/// dash inside a name is allowed (`back-end`), two are not; `/`, `\` and brackets are, unless they start an arrow.
pub(crate) fn name_length(rest: &str) -> Option<usize> {
    let first = |c: char| !matches!(c, '/' | '\\' | '(' | ')') && !ends_name(c);
    let mut length = rest.len() - rest.trim_start_matches(first).len();
    if length == 0 {
        return None;
    }
    loop {
        let tail = &rest[length..];
        let inner = tail.strip_prefix('-').unwrap_or(tail);
        let more = inner.len() - inner.trim_start_matches(|c| !ends_name(c)).len();
        if more == 0 || starts_arrow(tail) {
            return Some(length);
        }
        length += tail.len() - inner.len() + more;
    }
}

fn ends_name(c: char) -> bool {
    matches!(c, '+' | '<' | '-' | '>' | ':' | '\n' | ',' | ';')
}

/// Whether what follows a name must be an arrow or a central connection.
fn starts_arrow(tail: &str) -> bool {
    const STARTS: [&str; 12] =
        ["-x", "-X", "-)", "-|\\", "-\\", "-/", "-|/", "/|-", "\\|-", "//-", "\\\\-", "()"];
    tail.starts_with("--") || STARTS.iter().any(|start| tail.starts_with(start))
}

/// A declared name directly before `@{`.
pub(crate) fn configured_length(rest: &str) -> Option<usize> {
    let ends = |c: char| matches!(c, '<' | '=' | '>' | '-' | ':' | ',' | ';' | '@') || is_space(c);
    let length = rest.find(ends)?;
    (length > 0 && rest[length..].starts_with("@{")).then_some(length)
}

/// A declared name without blanks before `as`.
pub(crate) fn aliased_length(rest: &str) -> Option<usize> {
    let ends = |c: char| matches!(c, '<' | '>' | ':' | ',' | ';' | '@') || is_space(c);
    let length = rest.find(ends)?;
    (length > 0 && as_follows(&rest[length..])).then_some(length)
}

/// Whether `as` follows, with blanks or line breaks on both sides.
pub(crate) fn as_follows(rest: &str) -> bool {
    let word = rest.trim_start_matches(is_space);
    let is_as = word.len() < rest.len() && word.get(..2).is_some_and(|word| word.eq_ignore_ascii_case("as"));
    is_as && word[2..].starts_with(is_space)
}

/// A declared name that takes the rest of its line, blanks and `#` included; where another character stops it, it ends
/// before the last `#`.
pub(crate) fn declared_length(rest: &str) -> Option<usize> {
    let run = rest.find(['<', '>', ':', '\n', ',', ';', '@']).unwrap_or(rest.len());
    let length = match rest.as_bytes().get(run) {
        None | Some(b'\n' | b';') => run,
        Some(_) => rest[..run].rfind('#')?,
    };
    (length > 0).then_some(length)
}

/// Whether a name survives being written in a message.
pub(crate) fn is_plain_name(name: &str) -> bool {
    name_length(name) == Some(name.len()) && !name.starts_with(is_space) && !name.ends_with(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stop_at_arrows() {
        let name = |text: &str| name_length(text).map(|length| text[..length].to_owned()).unwrap_or_default();
        let cases = [
            ("A->>B", "A"),
            ("back-end->>B", "back-end"),
            ("A-->B", "A"),
            ("A-xB", "A"),
            ("A(1)/|-B", "A(1)/|-B"),
            ("A /|- B", "A "),
            ("A()->>B", "A"),
            ("a/b->>c", "a/b"),
            ("a #x: t", "a #x"),
            ("-x", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(name(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_need_a_blank_behind_them() {
        assert_eq!(number_length("10 x"), Some(2));
        assert_eq!(number_length("1.25\n"), Some(4));
        assert_eq!(number_length("1.255 "), None);
        assert_eq!(number_length("10;"), None);
    }
}

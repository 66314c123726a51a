//! Texts: the escapes of PlantUML turned into plain text with `\n` between lines.
//!
//! `\n`, `\l` and `\r` break the line (the latter two also align it), `\t` is a tabulator, `\\` one backslash; any other
//! escape stays as written. Between `[[` and `]]`, and inside formulas, backslashes mean nothing. Creole (`<b>`, `**`,
//! `~`) concerns only how a text looks and stays in it.

use super::scan::is_space;
use crate::line::Line;

/// What `%newline()` and its like leave in a line: a line break that ends no statement.
pub(crate) const LINE_BREAK: char = '\u{e100}';

/// The text with its escapes replaced.
pub(crate) fn unescape(text: &str) -> String {
    if !text.contains(['\\', LINE_BREAK]) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut raw = false;
    while let Some(c) = rest.chars().next() {
        raw = is_raw(rest, raw);
        let taken = match escape(rest, raw) {
            Some((piece, length)) => {
                out.push_str(piece);
                length
            }
            None => {
                out.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    out
}

/// The inverse of [`unescape`] for texts that must stand on one line.
pub(crate) fn escape_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut raw = false;
    for (at, c) in text.char_indices() {
        raw = is_raw(&text[at..], raw);
        match c {
            '\n' if raw => out.push_str("%n()"),
            '\n' => out.push_str("\\n"),
            '\t' if !raw => out.push_str("\\t"),
            '\\' if is_ambiguous(&text[at + 1..], raw) => out.push_str("\\\\"),
            c => out.push(c),
        }
    }
    out
}

/// Whether a backslash before `after` would be read as part of an escape, or continue the line.
fn is_ambiguous(after: &str, raw: bool) -> bool {
    after.is_empty()
        || after.starts_with(['\n', '\t'])
        || (!raw && after.starts_with(['n', 'r', 'l', 't', '\\']))
}

/// Whether escapes are off at the start of `rest`, given whether they were off before.
fn is_raw(rest: &str, raw: bool) -> bool {
    match rest.as_bytes()[0] {
        b'<' if rest.starts_with("<math>") || rest.starts_with("<latex>") => true,
        b'<' if rest.starts_with("</math>") || rest.starts_with("</latex>") => false,
        b'[' if rest.starts_with("[[") => true,
        b']' if rest.starts_with("]]") => false,
        _ => raw,
    }
}

/// What the escape at the start of `rest` stands for, and its length.
fn escape(rest: &str, raw: bool) -> Option<(&str, usize)> {
    if rest.starts_with(LINE_BREAK) {
        return Some(("\n", LINE_BREAK.len_utf8()));
    }
    if raw || !rest.starts_with('\\') {
        return None;
    }
    let second = rest[1..].chars().next()?;
    let length = 1 + second.len_utf8();
    Some(match second {
        'n' | 'r' | 'l' => ("\n", length),
        't' => ("\t", length),
        '\\' => ("\\", length),
        _ => (&rest[..length], length),
    })
}

/// The text of several lines without the indentation they share.
pub fn join(lines: &[Line]) -> String {
    let indent = lines.iter().map(|line| line.text.as_str()).filter(|text| !text.is_empty()).map(indentation);
    let indent = indent.min().unwrap_or(0);
    let cut: Vec<&str> = lines.iter().map(|line| line.text.get(indent..).unwrap_or_default()).collect();
    cut.join("\n")
}

/// How many spaces and tabulators a line starts with.
fn indentation(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// The text without white space at its end.
pub fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_break_lines_except_in_links() {
        assert_eq!(unescape(r"a\nb\tc\\nd\x"), "a\nb\tc\\nd\\x");
        assert_eq!(unescape(r"[[http://a\n x]] \n"), "[[http://a\\n x]] \n");
        assert_eq!(unescape("a\u{e100}b"), "a\nb");
    }

    #[test]
    fn escaping_is_undone_by_unescaping() {
        for text in ["a\nb\tc", r"back\slash", "odd\\\\n", "[[x\\n]] \\n", "end\\"] {
            assert_eq!(unescape(&escape_line(text)), text);
        }
    }
}

//! Escapes: what diagrams, file names and settings say, made safe to print.
//!
//! A name may hold control characters that repaint a terminal, marks that turn the direction of writing, line breaks that
//! begin a line of their own, or a command to the build server that reads the log (`::error::`, `##[group]`, `##vso[..]`). All
//! of it is shown as `\u{1b}`; line breaks inside of a line become spaces. Escaped text does not change when it is escaped
//! again, so that each report escapes what it is made of and the command escapes what it prints.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Value;

/// Whether a character is not seen, but changes what is seen around it.
pub fn is_hidden(c: char) -> bool {
    let is_mark = matches!(c,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
    c.is_control() || is_mark
}

/// How XML and HTML write a character that they would take for markup.
pub fn entity(c: char) -> Option<&'static str> {
    match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        _ => None,
    }
}

/// A text as part of a line.
pub fn line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let one = |c: char| if matches!(c, '\n' | '\t') { ' ' } else { c };
    Cow::Owned(shown(&text.replace("\r\n", " ").chars().map(one).collect::<String>()))
}

/// A text of several lines without control characters and without commands to build servers.
pub fn lines(text: &str) -> Cow<'_, str> {
    if !text.contains(is_escaped) && !text.contains("::") && !text.contains("##") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split_inclusive('\n').map(|line| without_commands(&shown(line))).collect())
}

/// The same of a text that has colours, and no other escape sequences.
pub fn styled(text: &str) -> String {
    let colours = text.split_inclusive('\u{1b}').map(|part| match part.strip_suffix('\u{1b}') {
        Some(plain) => format!("{}\u{1b}", lines(plain)),
        None => lines(part).into_owned(),
    });
    colours.collect()
}

/// A text for other programs, in which a line may begin with anything.
pub fn code(text: &str) -> Cow<'_, str> {
    if !text.contains(is_escaped) && !text.contains("##") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(without_hashes(&shown(text), "\\u{23}"))
}

/// JSON, indented, ending with a line break. Only strings of it can hold hidden characters.
pub fn json(value: &Value) -> String {
    let mut out = String::new();
    for c in format!("{value:#}\n").chars() {
        if is_escaped(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    without_hashes(&out, "\\u0023")
}

fn is_escaped(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\n' | '\t')
}

/// A text of several lines in which characters that are not seen are named.
pub fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

/// A line that no build server takes for a command: those begin with `::` and a word, or hold `##` and a word in front of a
/// bracket.
fn without_commands(line: &str) -> String {
    let rest = line.trim_start();
    let indent = &line[..line.len() - rest.len()];
    let rest = without_hashes(rest, "\\u{23}");
    match rest.strip_prefix("::") {
        Some(after) if after.starts_with(|c: char| c.is_alphabetic()) => format!("{indent}\\u{{3a}}:{after}"),
        Some(_) | None => format!("{indent}{rest}"),
    }
}

/// A text in which the first sign of `##[` and `##word[` is written differently.
pub(crate) fn without_hashes(text: &str, hash: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("##") {
        let after = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        out += &rest[..at];
        out += if after.starts_with('[') { hash } else { "#" };
        rest = &rest[at + 1..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repaints_a_terminal_is_shown() {
        assert_eq!(line("a\u{1b}[2Jb\nc\td\r\ne"), "a\\u{1b}[2Jb c d e");
        assert_eq!(line("pay\u{202e}yap\u{85}"), "pay\\u{202e}yap\\u{85}");
        assert_eq!(line("é 👩\u{200d}💻"), "é 👩\u{200d}💻");
    }

    #[test]
    fn build_servers_find_no_command() {
        let text = "::error::x\n  ::set-output name=a::b\na::b ## c [d]\nx ##[group]y ##vso[task] ###[z]\n";
        let expected = "\\u{3a}:error::x\n  \\u{3a}:set-output name=a::b\na::b ## c [d]\nx \\u{23}#[group]y \\u{23}#vso[task] #\\u{23}#[z]\n";
        assert_eq!(lines(text), expected);
        assert!(code(text).starts_with("::error::x\n  ::set") && !code(text).contains("##["));
    }

    #[test]
    fn escaping_twice_is_escaping_once() {
        let text: String = (0..0x3000).filter_map(char::from_u32).collect::<String>() + "\n ::a::##[\n##b[";
        for escape in [line, lines, code] {
            let once = escape(&text).into_owned();
            assert_eq!(escape(&once), once);
            assert!(!once.chars().any(is_escaped));
        }
    }

    #[test]
    fn json_stays_json() {
        let value = serde_json::json!({ "a\u{202e}": "b\u{7f}\u{e0041}\u{1b}\n##[x] ##" });
        let text = json(&value);
        assert!(text.is_ascii() && !text.contains('\u{7f}') && !text.contains("##["), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).ok(), Some(value));
    }
}

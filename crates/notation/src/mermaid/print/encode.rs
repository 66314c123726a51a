//! Names and texts written so that mermaid reads them as they are.
//!
//! Every character can be written as an entity (`#59;`), so that a name may hold anything, even a keyword. A name must be
//! written the same way wherever it stands, since mermaid compares names before it shows entities.

use crate::mermaid::clean;
use crate::mermaid::sequence::word::is_keyword;
use crate::mermaid::sequence::{colour, scan};
use crate::mermaid::text::{is_space, is_word};

/// A text after a colon, or behind a keyword.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let prefixed = ["wrap:", "nowrap:", ":wrap:", ":nowrap:"].iter().any(|prefix| text.starts_with(prefix));
    let last = text.len() - text.chars().next_back().map_or(0, char::len_utf8);
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let at_edge = at == 0 || at == last;
        let special = match c {
            '\n' => {
                out.push_str("<br/>");
                continue;
            }
            '#' | ';' => true,
            '<' => rest.get(1..3).is_some_and(|tag| tag.eq_ignore_ascii_case("br")),
            '"' => out.ends_with('='),
            '%' => rest.starts_with("%%"),
            _ => (at == 0 && prefixed) || (at_edge && is_space(c)),
        };
        if special { entity(c, &mut out) } else { out.push(c) }
    }
    out
}

/// The caption of a box; a first word that is a colour would be taken for one.
pub(crate) fn caption(label: &str) -> String {
    let mut out = String::new();
    let mut rest = label.chars();
    if colour::split(label).0.is_some()
        && let Some(first) = rest.next()
    {
        entity(first, &mut out);
    }
    out + &text(rest.as_str())
}

/// The name of a participant; `alone` if it must hold no blank, because something follows its declaration.
pub(crate) fn participant(name: &str, alone: bool) -> String {
    let alias = || format!("{name} ").to_lowercase().contains(" as ");
    let is_odd = is_keyword(name)
        || alias()
        || name.contains(['#', '%', '"', '@', '=', '\u{1}', '\u{2}'])
        || name.starts_with(|c: char| c.is_ascii_digit())
        || (alone && name.contains(|c| is_space(c) || c == '-'));
    if scan::is_plain_name(name) && !is_odd {
        return name.to_owned();
    }
    let keeps_blanks = !alone && !alias();
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        let is_safe = at > 0 && (is_word(c) || c.is_alphabetic() || (c == ' ' && keeps_blanks));
        if is_safe { out.push(c) } else { entity(c, &mut out) }
    }
    out
}

/// The name of a state.
pub(crate) fn state(name: &str) -> String {
    const WORDS: [&str; 14] = [
        "click",
        "href",
        "default",
        "state",
        "note",
        "class",
        "style",
        "classdef",
        "scale",
        "statediagram",
        "as",
        "hide",
        "accTitle",
        "accDescr",
    ];
    let is_word = WORDS.iter().any(|word| word.eq_ignore_ascii_case(name)) || name.starts_with("[*]");
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        let is_odd =
            matches!(c, ':' | '-' | '{' | '}' | '#' | ';' | '%' | '"' | '\u{1}' | '\u{2}') || is_space(c);
        let is_history = c == '[' && name.ends_with(']');
        if is_odd || is_history || (at == 0 && is_word) { entity(c, &mut out) } else { out.push(c) }
    }
    out
}

/// The name of a class, in backticks where it must be.
pub(crate) fn class(name: &str) -> String {
    const WORDS: [&str; 12] = [
        "class",
        "namespace",
        "note",
        "click",
        "link",
        "callback",
        "cssClass",
        "style",
        "classDef",
        "direction",
        "o",
        "call",
    ];
    let is_plain = |c: char| is_word(c) || (!c.is_ascii() && c.is_alphabetic()) || c == '.';
    let is_odd = WORDS.contains(&name) || name.starts_with("acc") || name.contains("..");
    if name.chars().all(is_plain) && !is_odd && !name.starts_with('.') && !name.ends_with('.') {
        return name.to_owned();
    }
    format!("`{}`", name.replace('`', "#96;"))
}

/// A text after the colon of a transition or description, in which `::` and `;` would end it.
pub(crate) fn label(label: &str) -> String {
    let mut out = String::new();
    let mut rest = text(label).replace("\\n", "#92;n");
    // The words of a direction make any line one.
    if let Some(at) = rest.to_ascii_lowercase().find("direction") {
        rest = format!("{}{}", &rest[..at + 9], rest[at + 9..].replacen(' ', "#32;", 1));
    }
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        let doubled = c == ':' && matches!(chars.peek(), None | Some(':'));
        if doubled { entity(c, &mut out) } else { out.push(c) }
    }
    out
}

/// The text of a note on one line.
pub(crate) fn note(note: &str) -> String {
    label(note).replace(':', "#58;")
}

/// A text inside quotes.
pub(crate) fn quoted(quoted: &str) -> String {
    label(quoted).replace('"', "#quot;")
}

/// A text as a quoted scalar in a front matter.
pub(crate) fn yaml(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// A character as an entity.
pub(crate) fn entity(c: char, out: &mut String) {
    out.push_str(&format!("#{};", c as u32));
}

/// The line with nothing in it that mermaid would mistake for a style: there it drops the last semicolon of the line.
pub(crate) fn disarmed(line: &str) -> String {
    let mut line = line.to_owned();
    for (word, written) in [("style", "#115;tyle"), ("classDef", "#99;lassDef")] {
        if clean::style_semicolon(&line, word).is_some() {
            line = line.replace(word, written);
        }
    }
    line
}

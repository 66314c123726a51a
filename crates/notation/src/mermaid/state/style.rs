//! `classDef`, `class` and `style`: looks, but mermaid's lexer is strict about their form, and says so.

use super::kind::StateTokenKind;
use super::scan::{line_length, word_and_blanks};
use crate::mermaid::text::{is_space, is_word};

/// A style statement at the start of `rest`, in the form mermaid's lexer wants.
pub(crate) fn scan(rest: &str) -> Option<(usize, StateTokenKind)> {
    if let Some(start) = word_and_blanks(rest, "classDef") {
        return class_definition(rest, start);
    }
    if let Some(start) = word_and_blanks(rest, "class") {
        return Some(match name_list_length(&rest[start..]) {
            0 => (line_length(rest), StateTokenKind::Invalid),
            length => (start + length + line_length(&rest[start + length..]), StateTokenKind::Style),
        });
    }
    let start = word_and_blanks(rest, "style")?;
    let names = rest[start..].trim_start_matches(|c| is_word(c) || c == ',');
    let after = names.trim_start_matches(is_space);
    let is_whole = names.len() < rest.len() - start && after.len() < names.len();
    let end = rest.len() - after.len() + line_length(after);
    Some(if is_whole { (end, StateTokenKind::Style) } else { (line_length(rest), StateTokenKind::Invalid) })
}

/// `classDef name styles`
fn class_definition(rest: &str, start: usize) -> Option<(usize, StateTokenKind)> {
    let after_name = rest[start..].trim_start_matches(is_word);
    let name = &rest[start..rest.len() - after_name.len()];
    let styles = after_name.trim_start_matches(is_space);
    let end = rest.len() - styles.len() + line_length(styles);
    let is_whole = !name.is_empty() && styles.len() < after_name.len();
    Some(match is_whole {
        false => (line_length(rest), StateTokenKind::Invalid),
        true if name.eq_ignore_ascii_case("default") => (end, StateTokenKind::StyleDefault),
        true => (end, StateTokenKind::Style),
    })
}

/// `a, b, c`
fn name_list_length(rest: &str) -> usize {
    let word = |text: &str| text.len() - text.trim_start_matches(is_word).len();
    let mut length = word(rest);
    while length > 0 {
        let Some(after) = rest[length..].strip_prefix(',') else { break };
        let spaced = after.trim_start_matches(is_space);
        match word(spaced) {
            0 => break,
            next => length = rest.len() - spaced.len() + next,
        }
    }
    length
}

//! Lines that cannot be read, with all that belongs to them, so that one slip is told once.
//!
//! A block whose first line is misspelt (`sate X {`) goes on to its `}`, and a text whose first or last line is
//! (`note ovr a`, `end noet`) goes on to its end. What stands inside is read once the slip is gone.

use sequent_kernel::diagnostic::{Code, Diagnostic, nearest};

use super::scan::{is_space, is_word, trim};
use super::{LONGEST, is_end_of};
use crate::line::Line;

/// How many lines the block takes that a line opens with `{`, its `}` included; 1 if it opens none, or none that is closed.
pub(crate) fn braced(lines: &[Line], at: usize) -> usize {
    let opens = |line: &str| line.trim_end_matches([';', ' ']).ends_with('{');
    if !opens(trim(&lines[at].text)) {
        return 1;
    }
    let mut depth = 1;
    for (offset, line) in lines[at..].iter().enumerate().take(LONGEST).skip(1) {
        let text = trim(&line.text);
        depth -= usize::from(text.starts_with('}'));
        if depth == 0 {
            return offset + 1;
        }
        depth += usize::from(opens(text));
    }
    1
}

/// Words that begin a text of several lines, with the word behind `end`.
const TEXTS: &[(&str, &str)] = &[("note", "note"), ("hnote", "hnote"), ("rnote", "rnote"), ("ref", "ref")];

/// How many lines such a text has at most, so that reading takes linear time.
const LONGEST_TEXT: usize = 100;

/// Words that may follow them.
const PLACES: &[&str] = &["left", "right", "over", "across", "top", "bottom", "on", "as"];

/// A text of several lines whose first or last line is misspelt: how many lines it takes, and the complaint; `complaint`
/// is what would be said of the first line.
pub(crate) fn text(
    lines: &[Line],
    at: usize,
    complaint: impl Fn() -> Diagnostic,
) -> Option<(usize, Diagnostic)> {
    let shown = trim(&lines[at].text);
    let (word, rest) = shown.split_at(shown.find(|c| !is_word(c)).unwrap_or(shown.len()));
    if shown.contains(':') || shown.contains("->") || !rest.starts_with(is_space) {
        return None;
    }
    let known = nearest(word, TEXTS.iter().map(|(word, _)| *word))?;
    let (_, end) = TEXTS.iter().find(|(word, _)| *word == known)?;
    let is_exact = known.eq_ignore_ascii_case(word);
    for (offset, line) in lines[at..].iter().enumerate().take(LONGEST_TEXT).skip(1) {
        let text = trim(&line.text);
        // A reference may end with `end` alone, as blocks do.
        if *end == "ref" && text.contains("->") {
            return None;
        }
        let is_end = is_end_of(text, end) || is_end_of(text, "note") || *end == "ref" && text == "end";
        if is_end {
            let place = trim(rest).split(is_space).next().unwrap_or_default();
            let near =
                nearest(place, PLACES.iter().copied()).filter(|near| !near.eq_ignore_ascii_case(place));
            let message = format!("`{shown}` does not begin a text that `{text}` can end");
            let begin = Diagnostic::new(Code::Syntax, lines[at].span_of_part(shown), message);
            let complaint = match near {
                _ if !is_exact => begin.meant(word, known),
                Some(near) => begin.meant(place, near),
                None if shown.ends_with([';', '}']) => {
                    begin.hint("remove what stands at the end of the line")
                }
                None => begin,
            };
            return Some((offset + 1, complaint));
        }
        if is_nearly_end(text, end) {
            if !is_exact {
                return Some((offset + 1, complaint()));
            }
            let message = format!("`{text}` does not end the text that `{shown}` begins");
            let complaint = Diagnostic::new(Code::Syntax, line.span_of_part(text), message);
            return Some((offset + 1, complaint.meant(text, format!("end {end}"))));
        }
        if TEXTS.iter().any(|(word, _)| text.starts_with(word)) {
            return None;
        }
    }
    None
}

/// Whether a line is `end note` with a slip in it.
fn is_nearly_end(line: &str, word: &str) -> bool {
    let line = line.trim_end_matches([';', '}', ' ']);
    if line.len() > 2 * "end note".len() {
        return false;
    }
    let is_near = |text: &str, word: &str| nearest(text, [word]).is_some();
    match line.split_once(is_space) {
        Some((first, second)) => is_near(first, "end") && is_near(trim(second), word),
        None => word != "ref" && is_near(line, &format!("end{word}")),
    }
}

//! What mermaid cuts from a diagram before it parses it: front matter, `%%{..}%%` settings, comments on lines of their
//! own, and the semicolon after a style that holds a colour.
//!
//! The cuts are found on the joined lines of the diagram and reported as ranges, so that [`super::script`] can map the
//! rest back. The order is mermaid's: a comment inside `%%{..}%%` is no comment, a setting inside the front matter no
//! setting.

use std::ops::Range;

use super::attributes;
use super::text::{is_space, is_word};

/// Why a piece of a diagram was cut out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removed {
    /// The lines from `---` to `---`.
    FrontMatter,
    /// `%%{init: ..}%%`
    Settings,
    /// A line that starts with `%%`.
    Comment,
}

/// The result of looking for cuts.
pub(crate) struct Cleaned {
    /// What was cut for a reason worth telling, in order.
    pub removed: Vec<(Range<usize>, Removed)>,
    /// Everything cut, in order.
    pub cuts: Vec<Range<usize>>,
    /// The title in the front matter.
    pub title: Option<String>,
}

/// Makes every line break a `\n` and every quote of an attribute in an HTML tag a single one, keeping the length.
pub(crate) fn unify(text: String) -> String {
    let mut bytes = text.into_bytes();
    for byte in &mut bytes {
        if *byte == b'\r' {
            *byte = b'\n';
        }
    }
    let last_close = bytes.iter().rposition(|byte| *byte == b'>').unwrap_or(0);
    let mut at = 0;
    while at + 1 < last_close {
        if bytes[at] == b'<' && is_word(bytes[at + 1] as char) {
            let close =
                at + bytes[at..].iter().position(|byte| *byte == b'>').expect("one follows, by `last_close`");
            unify_quotes(&mut bytes[at..close]);
            at = close;
        }
        at += 1;
    }
    String::from_utf8(bytes).expect("only ASCII bytes were replaced by ASCII bytes")
}

/// Turns `="x"` into `='x'`.
fn unify_quotes(tag: &mut [u8]) {
    let mut at = 0;
    while at + 2 < tag.len() {
        if tag[at] == b'=' && tag[at + 1] == b'"' {
            let Some(length) = tag[at + 2..].iter().position(|byte| *byte == b'"') else { return };
            tag[at + 1] = b'\'';
            tag[at + 2 + length] = b'\'';
            at += 2 + length;
        }
        at += 1;
    }
}

/// Finds everything to be cut from the joined lines of a diagram.
pub(crate) fn cuts(text: &str) -> Cleaned {
    let mut removed = Vec::new();
    let mut title = None;
    let mut from = 0;
    if let Some(matter) = front_matter(text) {
        title = attributes::read(&text[matter.body]).get("title").map(str::to_owned);
        from = matter.end;
        removed.push((0..matter.end, Removed::FrontMatter));
    }
    let settings = settings(text, from);
    let mut cuts: Vec<Range<usize>> = removed.iter().map(|(range, _)| range.clone()).collect();
    cuts.extend(settings.iter().cloned());
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        let next = settings.partition_point(|cut| cut.end <= at);
        let is_cut = settings.get(next).is_some_and(|cut| cut.start < at + line.len());
        if is_comment(line) && !is_cut {
            removed.push((at..at + line.len(), Removed::Comment));
            cuts.push(at..at + line.len());
        } else {
            cut_semicolons(at, line, &mut cuts);
        }
        at += line.len();
    }
    removed.extend(settings.into_iter().map(|cut| (cut, Removed::Settings)));
    cuts.sort_by_key(|cut| cut.start);
    removed.sort_by_key(|(range, _)| range.start);
    Cleaned { removed, cuts, title }
}

struct FrontMatter {
    body: Range<usize>,
    end: usize,
}

/// A front matter opens with the first line and closes with the next `---` that is indented as much.
fn front_matter(text: &str) -> Option<FrontMatter> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    let indent = &first[..first.len() - first.trim_start_matches([' ', '\t']).len()];
    let closes = |line: &str| line.strip_prefix(indent).is_some_and(|rest| rest.trim_end() == "---");
    if !closes(first) {
        return None;
    }
    let start = first.len();
    let mut at = start;
    for line in lines {
        if closes(line) && at > start {
            return Some(FrontMatter { body: start..at, end: at + line.len() });
        }
        at += line.len();
    }
    None
}

/// Finds `%%{word: ..}%%`. A setting without its end runs to the end of the text, as it does in mermaid.
fn settings(text: &str, from: usize) -> Vec<Range<usize>> {
    let mut found_settings = Vec::new();
    let mut at = from;
    while let Some(found) = text[at..].find("%%{") {
        let start = at + found;
        let end = settings_end(text, start + 3);
        found_settings.extend(end.map(|end| start..end));
        at = end.unwrap_or(start + 3);
    }
    found_settings
}

fn settings_end(text: &str, inside: usize) -> Option<usize> {
    let skip_spaces = |at: usize| text.len() - text[at..].trim_start_matches(is_space).len();
    let skip_word = |at: usize| text.len() - text[at..].trim_start_matches(is_word).len();
    let name = skip_spaces(inside);
    let mut at = skip_word(name);
    if at == name {
        return None;
    }
    if text[skip_spaces(at)..].starts_with(':') {
        at = skip_spaces(at) + 1;
    }
    at = skip_spaces(at);
    let word = skip_word(at);
    at = if word > at {
        skip_spaces(word)
    } else {
        text[at..].find("}%%").map_or(text.len(), |found| at + found)
    };
    Some(if text[at..].starts_with("}%%") { at + 3 } else { at })
}

/// Whether the whole line is a comment; a bare `%%` is left to the lexers, which skip it too.
fn is_comment(line: &str) -> bool {
    let visible = line.trim_start_matches(is_space).trim_end_matches('\n');
    visible.len() > 2 && visible.starts_with("%%") && !visible.starts_with("%%{")
}

/// Cuts the last semicolon of a line that sets a style.
fn cut_semicolons(at: usize, line: &str, cuts: &mut Vec<Range<usize>>) {
    let mut rest = line;
    for word in ["style", "classDef"] {
        if let Some(semicolon) = style_semicolon(rest, word) {
            cuts.push(at + semicolon..at + semicolon + 1);
            rest = &rest[..semicolon];
        }
    }
}

/// The last semicolon of a line like `style a fill:#fff;`, which would else end an entity.
pub(super) fn style_semicolon(line: &str, word: &str) -> Option<usize> {
    let last = line.rfind(';')?;
    let start = line[..last].find(word)? + word.len();
    let colours = line[start..last].split(':').skip(1);
    let holds_colour = |part: &str| part.split(is_space).next().is_some_and(|value| value.contains('#'));
    colours.into_iter().any(holds_colour).then_some(last)
}

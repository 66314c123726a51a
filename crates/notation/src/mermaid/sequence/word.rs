//! The keywords of sequence diagrams, in any case, and what may follow each.
//!
//! A keyword counts wherever a token may start, so no participant can be called like one.

use super::kind::{TokenKind, Word};
use super::scan;
use crate::mermaid::text::{is_space, is_word};
use crate::tree::sequence::{Divider, Keyword};

const WORDS: &[(&str, Word, Mode)] = &[
    ("box", Word::Box, Mode::Line),
    ("participant", Word::Participant, Mode::Name),
    ("actor", Word::Actor, Mode::Name),
    ("create", Word::Create, Mode::Start),
    ("destroy", Word::Destroy, Mode::Name),
    ("loop", Word::Open(Keyword::Loop), Mode::Line),
    ("rect", Word::Open(Keyword::Rect), Mode::Line),
    ("opt", Word::Open(Keyword::Opt), Mode::Line),
    ("alt", Word::Open(Keyword::Alt), Mode::Line),
    ("else", Word::Divide(Divider::Else), Mode::Line),
    ("par", Word::Open(Keyword::Par), Mode::Line),
    ("par_over", Word::Open(Keyword::ParOver), Mode::Line),
    ("and", Word::Divide(Divider::And), Mode::Line),
    ("critical", Word::Open(Keyword::Critical), Mode::Line),
    ("option", Word::Divide(Divider::Option), Mode::Line),
    ("break", Word::Open(Keyword::Break), Mode::Line),
    ("end", Word::End, Mode::Start),
    ("left of", Word::LeftOf, Mode::Start),
    ("right of", Word::RightOf, Mode::Start),
    ("links", Word::Link, Mode::Start),
    ("link", Word::Link, Mode::Start),
    ("properties", Word::Link, Mode::Start),
    ("details", Word::Link, Mode::Start),
    ("over", Word::Over, Mode::Start),
    ("note", Word::Note, Mode::Start),
    ("activate", Word::Activate, Mode::Name),
    ("deactivate", Word::Deactivate, Mode::Name),
    ("sequencediagram", Word::Diagram, Mode::Start),
    ("autonumber", Word::AutoNumber, Mode::Start),
    ("off", Word::Off, Mode::Start),
];

/// Whether `name` would be read as a keyword where a name is wanted; printers must avoid it.
pub fn is_keyword(name: &str) -> bool {
    keyword(name).is_some() || title(&format!("{name} x: y")).is_some()
}

/// What the lexer expects next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The start of a statement, or anything inside one.
    Start,
    /// A participant's name after `participant` and its like.
    Name,
    /// `as` after such a name.
    Alias,
    /// The rest of the line.
    Line,
    /// The inside of `@{ .. }`.
    Config,
}

/// The keyword at the start of `rest`: all letters, digits and underscores up to the next other character.
pub(super) fn keyword(rest: &str) -> Option<(usize, Word, Mode)> {
    let length = rest.len() - rest.trim_start_matches(is_word).len();
    let length = match &rest[..length] {
        word if word.eq_ignore_ascii_case("left") || word.eq_ignore_ascii_case("right") => {
            length + " of".len()
        }
        _ => length,
    };
    let word = rest.get(..length)?;
    let found = WORDS.iter().find(|(text, ..)| text.eq_ignore_ascii_case(word))?;
    let is_whole = !rest[length..].starts_with(is_word);
    is_whole.then_some((length, found.1, found.2))
}

/// `title`, `accTitle`, `accDescr` at the start of `rest`, each with its text.
pub(super) fn title(rest: &str) -> Option<(usize, TokenKind)> {
    let length = rest.len() - rest.trim_start_matches(is_word).len();
    let (word, after) = rest.split_at(length);
    let spaces = |text: &str| text.len() - text.trim_start_matches(is_space).len();
    if word.eq_ignore_ascii_case("title") {
        let after_colon = after.strip_prefix(':').unwrap_or(after);
        let space = after_colon.chars().next().filter(|c| is_space(*c))?;
        let text = &after_colon[space.len_utf8()..];
        let head = rest.len() - text.len();
        return (scan::text_length(text) > 0)
            .then(|| (head + scan::text_length(text), TokenKind::Title(head)));
    }
    let is_title = word.eq_ignore_ascii_case("accTitle");
    if !is_title && !word.eq_ignore_ascii_case("accDescr") {
        return None;
    }
    let mark = length + spaces(after);
    let text = mark + 1 + rest.get(mark + 1..).map_or(0, spaces);
    match rest.as_bytes().get(mark)? {
        b':' if is_title => Some((text + scan::line_length(&rest[text..]), TokenKind::AccTitle(text))),
        b':' => Some((text + scan::line_length(&rest[text..]), TokenKind::AccDescription)),
        b'{' if !is_title => {
            let close = rest[text..].find('}');
            let end = close.map_or(rest.len(), |close| text + close + 1);
            Some((end, TokenKind::AccBlock(close.is_some())))
        }
        _ => None,
    }
}

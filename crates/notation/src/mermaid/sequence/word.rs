//! The keywords of sequence diagrams, in any case, and what may follow each.
//!
//! A keyword counts wherever a token may start, so no participant can be called like one.

use super::kind::{MermaidKeyword, SequenceTokenKind};
use super::scan;
use crate::mermaid::text::{is_space, is_word};
use crate::tree::sequence::{BlockKeyword, Divider};

const WORDS: &[(&str, MermaidKeyword, LexerMode)] = &[
    ("box", MermaidKeyword::Box, LexerMode::Line),
    ("participant", MermaidKeyword::Participant, LexerMode::Name),
    ("actor", MermaidKeyword::Actor, LexerMode::Name),
    ("create", MermaidKeyword::Create, LexerMode::Start),
    ("destroy", MermaidKeyword::Destroy, LexerMode::Name),
    ("loop", MermaidKeyword::Open(BlockKeyword::Loop), LexerMode::Line),
    ("rect", MermaidKeyword::Open(BlockKeyword::Rect), LexerMode::Line),
    ("opt", MermaidKeyword::Open(BlockKeyword::Opt), LexerMode::Line),
    ("alt", MermaidKeyword::Open(BlockKeyword::Alt), LexerMode::Line),
    ("else", MermaidKeyword::Divide(Divider::Else), LexerMode::Line),
    ("par", MermaidKeyword::Open(BlockKeyword::Par), LexerMode::Line),
    ("par_over", MermaidKeyword::Open(BlockKeyword::ParOver), LexerMode::Line),
    ("and", MermaidKeyword::Divide(Divider::And), LexerMode::Line),
    ("critical", MermaidKeyword::Open(BlockKeyword::Critical), LexerMode::Line),
    ("option", MermaidKeyword::Divide(Divider::Option), LexerMode::Line),
    ("break", MermaidKeyword::Open(BlockKeyword::Break), LexerMode::Line),
    ("end", MermaidKeyword::End, LexerMode::Start),
    ("left of", MermaidKeyword::LeftOf, LexerMode::Start),
    ("right of", MermaidKeyword::RightOf, LexerMode::Start),
    ("links", MermaidKeyword::Link, LexerMode::Start),
    ("link", MermaidKeyword::Link, LexerMode::Start),
    ("properties", MermaidKeyword::Link, LexerMode::Start),
    ("details", MermaidKeyword::Link, LexerMode::Start),
    ("over", MermaidKeyword::Over, LexerMode::Start),
    ("note", MermaidKeyword::Note, LexerMode::Start),
    ("activate", MermaidKeyword::Activate, LexerMode::Name),
    ("deactivate", MermaidKeyword::Deactivate, LexerMode::Name),
    ("sequencediagram", MermaidKeyword::Diagram, LexerMode::Start),
    ("autonumber", MermaidKeyword::AutoNumber, LexerMode::Start),
    ("off", MermaidKeyword::Off, LexerMode::Start),
];

/// Words that begin a block.
pub(super) const BLOCK_WORDS: &[&str] = &["loop", "alt", "opt", "par", "critical", "break", "rect", "box"];

/// Whether `name` would be read as a keyword where a name is wanted; printers must avoid it.
pub(crate) fn is_keyword(name: &str) -> bool {
    keyword(name).is_some() || title(&format!("{name} x: y")).is_some()
}

/// What the lexer expects next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LexerMode {
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
pub(super) fn keyword(rest: &str) -> Option<(usize, MermaidKeyword, LexerMode)> {
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
pub(super) fn title(rest: &str) -> Option<(usize, SequenceTokenKind)> {
    let length = rest.len() - rest.trim_start_matches(is_word).len();
    let (word, after) = rest.split_at(length);
    let spaces = |text: &str| text.len() - text.trim_start_matches(is_space).len();
    if word.eq_ignore_ascii_case("title") {
        let after_colon = after.strip_prefix(':').unwrap_or(after);
        let space = after_colon.chars().next().filter(|c| is_space(*c))?;
        let text = &after_colon[space.len_utf8()..];
        let head = rest.len() - text.len();
        return (scan::text_length(text) > 0)
            .then(|| (head + scan::text_length(text), SequenceTokenKind::Title(head)));
    }
    let is_title = word.eq_ignore_ascii_case("accTitle");
    if !is_title && !word.eq_ignore_ascii_case("accDescr") {
        return None;
    }
    let mark = length + spaces(after);
    let text = mark + 1 + rest.get(mark + 1..).map_or(0, spaces);
    match rest.as_bytes().get(mark)? {
        b':' if is_title => {
            Some((text + scan::line_length(&rest[text..]), SequenceTokenKind::AccTitle(text)))
        }
        b':' => Some((text + scan::line_length(&rest[text..]), SequenceTokenKind::AccDescription)),
        b'{' if !is_title => {
            let close = rest[text..].find('}');
            let end = close.map_or(rest.len(), |close| text + close + 1);
            Some((end, SequenceTokenKind::AccBlock(close.is_some())))
        }
        _ => None,
    }
}

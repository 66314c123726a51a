//! The lexer of sequence diagrams.
//!
//! It follows mermaid's lexer rule by rule, because much of what mermaid accepts or rejects is decided there: keywords
//! count wherever a token may start (a participant cannot be called `end`), blanks before a line break swallow it,
//! `#` starts a comment between tokens but not inside a name, and the rest of a line means different things after
//! different words. [`Mode`] is the lexer's state; mermaid keeps a stack, but only ever returns to the start.
//! All keywords are read without regard to case.

use super::arrow::{self, ArrowKind};
use super::scan;
use crate::mermaid::text::{is_space, is_word};
use crate::tree::sequence::{Divider, Keyword};

/// What a token is.
#[derive(Clone, Copy)]
pub enum TokenKind {
    Newline,
    Number,
    Name,
    ConfigStart,
    Config,
    ConfigEnd,
    Word(Word),
    /// What follows a word like `loop` or `as`.
    Rest,
    /// `title ..`, with the length of the word and what separates it from the text.
    Title(usize),
    /// `accTitle: ..`; the length up to the text.
    AccTitle(usize),
    /// `accDescr: ..`
    AccDescription,
    /// `accDescr {` with its text, and whether its `}` is there.
    AccBlock(bool),
    Arrow(&'static ArrowKind),
    /// `: text`
    Text,
    Comma,
    Plus,
    Minus,
    /// `()`
    Central,
    Comment,
    /// A character that mermaid skips where a statement may start.
    Invalid,
    /// A place where mermaid's lexer gives up.
    Unreadable,
    End,
}

/// The keywords.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Box,
    Participant,
    Actor,
    Create,
    Destroy,
    As,
    Open(Keyword),
    Divide(Divider),
    End,
    LeftOf,
    RightOf,
    /// `links`, `link`, `properties`, `details`.
    Link,
    Over,
    Note,
    Activate,
    Deactivate,
    Diagram,
    AutoNumber,
    Off,
}

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
enum Mode {
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

/// A token and the bytes it covers.
#[derive(Clone, Copy)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

/// The lexer.
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    mode: Mode,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, mode: Mode::Start }
    }

    /// Goes on at the end of the line that holds `offset`.
    pub fn skip_line(&mut self, offset: usize) {
        self.at = self.text[offset..].find('\n').map_or(self.text.len(), |found| offset + found);
        self.mode = Mode::Start;
    }

    /// Where the next token is looked for.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The next token; comments are tokens too, blanks are not.
    pub fn next(&mut self) -> Token {
        loop {
            let start = self.at;
            let Some((length, kind)) = self.scan(&self.text[start..]) else { continue };
            self.at = start + length;
            return Token { kind, start, end: self.at };
        }
    }

    /// The token at the start of `rest` and its length; `None` after skipping blanks.
    fn scan(&mut self, rest: &str) -> Option<(usize, TokenKind)> {
        if rest.is_empty() {
            return Some((0, TokenKind::End));
        }
        match self.mode {
            Mode::Start => self.scan_start(rest),
            Mode::Config => Some(self.scan_config(rest)),
            Mode::Name | Mode::Alias | Mode::Line => {
                let blanks = rest.len() - rest.trim_start_matches(|c| c != '\n' && is_space(c)).len();
                if blanks > 0 {
                    self.at += blanks;
                    return None;
                }
                if rest.starts_with('#') {
                    return Some((scan::line_length(rest), TokenKind::Comment));
                }
                match self.mode {
                    Mode::Name => Some(self.scan_name(rest)),
                    Mode::Alias => Some(self.scan_alias(rest)),
                    Mode::Line | Mode::Start | Mode::Config => {
                        self.mode = Mode::Start;
                        Some((scan::text_length(rest), TokenKind::Rest))
                    }
                }
            }
        }
    }

    fn scan_start(&mut self, rest: &str) -> Option<(usize, TokenKind)> {
        let breaks = rest.len() - rest.trim_start_matches('\n').len();
        if breaks > 0 {
            return Some((breaks, TokenKind::Newline));
        }
        let blanks = rest.len() - rest.trim_start_matches(is_space).len();
        if blanks > 0 {
            self.at += blanks;
            return None;
        }
        if scan::starts_comment(rest) {
            return Some((scan::line_length(rest), TokenKind::Comment));
        }
        if let Some(length) = scan::number_length(rest) {
            return Some((length, TokenKind::Number));
        }
        if let Some((length, word, mode)) = keyword(rest) {
            self.mode = mode;
            return Some((length, TokenKind::Word(word)));
        }
        Some(title(rest).unwrap_or_else(|| symbol(rest)))
    }

    fn scan_name(&mut self, rest: &str) -> (usize, TokenKind) {
        if rest.starts_with("@{") {
            self.mode = Mode::Config;
            return (2, TokenKind::ConfigStart);
        }
        if let Some(length) = scan::configured_length(rest) {
            return (length, TokenKind::Name);
        }
        if let Some(length) = scan::aliased_length(rest) {
            self.mode = Mode::Alias;
            return (length, TokenKind::Name);
        }
        self.mode = Mode::Start;
        match (scan::declared_length(rest), scan::line_length(rest)) {
            (Some(length), _) => (length, TokenKind::Name),
            (None, 0) => (0, TokenKind::Unreadable),
            (None, length) => (length, TokenKind::Invalid),
        }
    }

    fn scan_alias(&mut self, rest: &str) -> (usize, TokenKind) {
        let word = rest.len() - rest.trim_start_matches(is_word).len();
        if rest[..word].eq_ignore_ascii_case("as") {
            self.mode = Mode::Line;
            return (word, TokenKind::Word(Word::As));
        }
        self.mode = Mode::Start;
        (0, TokenKind::Newline)
    }

    fn scan_config(&mut self, rest: &str) -> (usize, TokenKind) {
        let inside = rest.find('}').unwrap_or(rest.len());
        if inside > 0 {
            return (inside, TokenKind::Config);
        }
        self.mode = if scan::as_follows(&rest[1..]) { Mode::Alias } else { Mode::Start };
        (1, TokenKind::ConfigEnd)
    }
}

/// The keyword at the start of `rest`: all letters, digits and underscores up to the next other character.
fn keyword(rest: &str) -> Option<(usize, Word, Mode)> {
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
fn title(rest: &str) -> Option<(usize, TokenKind)> {
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

/// Everything that is not a word: separators, names, arrows, texts.
fn symbol(rest: &str) -> (usize, TokenKind) {
    let single = |kind: TokenKind| (1, kind);
    match rest.as_bytes()[0] {
        b',' => return single(TokenKind::Comma),
        b';' => return single(TokenKind::Newline),
        _ => {}
    }
    if let Some(length) = scan::name_length(rest) {
        return (length, TokenKind::Name);
    }
    if let Some(kind) = arrow::find(rest) {
        return (kind.text.len(), TokenKind::Arrow(kind));
    }
    match rest.as_bytes()[0] {
        b':' => (1 + scan::text_length(&rest[1..]), TokenKind::Text),
        b'+' => single(TokenKind::Plus),
        b'-' => single(TokenKind::Minus),
        b'(' if rest.starts_with("()") => (2, TokenKind::Central),
        _ => (rest.chars().next().map_or(1, char::len_utf8), TokenKind::Invalid),
    }
}

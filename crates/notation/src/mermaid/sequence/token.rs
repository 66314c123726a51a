//! The lexer of sequence diagrams.
//!
//! It follows mermaid's lexer rule by rule, because much of what mermaid accepts or rejects is decided there: keywords
//! count wherever a token may start (a participant cannot be called `end`), blanks before a line break swallow it,
//! `#` starts a comment between tokens but not inside a name, and the rest of a line means different things after
//! different words. [`Mode`] is the lexer's state; mermaid keeps a stack, but only ever returns to the start.

use super::arrow;
use super::kind::{TokenKind, Word};
use super::scan;
use super::word::{Mode, keyword, title};
use crate::mermaid::text::{is_space, is_word};

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

//! The lexer of sequence diagrams.
//!
//! It follows mermaid's lexer rule by rule, because much of what mermaid accepts or rejects is decided there: keywords
//! count wherever a token may start (a participant cannot be called `end`), blanks before a line break swallow it,
//! `#` starts a comment between tokens but not inside a name, and the rest of a line means different things after
//! different words. [`LexerMode`] is the lexer's state; mermaid keeps a stack, but only ever returns to the start.

use super::arrow;
use super::kind::{MermaidKeyword, SequenceTokenKind};
use super::scan;
use super::word::{LexerMode, keyword, title};
use crate::mermaid::text::{is_space, is_word};

/// A token and the bytes it covers.
#[derive(Clone, Copy)]
pub(crate) struct SequenceToken {
    pub kind: SequenceTokenKind,
    pub start: usize,
    pub end: usize,
}

/// The lexer.
pub(crate) struct SequenceLexer<'a> {
    text: &'a str,
    at: usize,
    mode: LexerMode,
}

impl<'a> SequenceLexer<'a> {
    /// A lexer at the start of `text`.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, mode: LexerMode::Start }
    }

    /// Goes on at the end of the line that holds `offset`.
    pub(crate) fn skip_line(&mut self, offset: usize) {
        self.at = self.text[offset..].find('\n').map_or(self.text.len(), |found| offset + found);
        self.mode = LexerMode::Start;
    }

    /// Where the next token is looked for.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// The next token; comments are tokens too, blanks are not.
    pub(crate) fn next(&mut self) -> SequenceToken {
        loop {
            let start = self.at;
            let Some((length, kind)) = self.scan(&self.text[start..]) else { continue };
            self.at = start + length;
            return SequenceToken { kind, start, end: self.at };
        }
    }

    /// The token at the start of `rest` and its length; `None` after skipping blanks.
    fn scan(&mut self, rest: &str) -> Option<(usize, SequenceTokenKind)> {
        if rest.is_empty() {
            return Some((0, SequenceTokenKind::End));
        }
        match self.mode {
            LexerMode::Start => self.scan_start(rest),
            LexerMode::Config => Some(self.scan_config(rest)),
            LexerMode::Name | LexerMode::Alias | LexerMode::Line => {
                let blanks = rest.len() - rest.trim_start_matches(|c| c != '\n' && is_space(c)).len();
                if blanks > 0 {
                    self.at += blanks;
                    return None;
                }
                if rest.starts_with('#') {
                    return Some((scan::line_length(rest), SequenceTokenKind::Comment));
                }
                match self.mode {
                    LexerMode::Name => Some(self.scan_name(rest)),
                    LexerMode::Alias => Some(self.scan_alias(rest)),
                    LexerMode::Line | LexerMode::Start | LexerMode::Config => {
                        self.mode = LexerMode::Start;
                        Some((scan::text_length(rest), SequenceTokenKind::Rest))
                    }
                }
            }
        }
    }

    fn scan_start(&mut self, rest: &str) -> Option<(usize, SequenceTokenKind)> {
        let breaks = rest.len() - rest.trim_start_matches('\n').len();
        if breaks > 0 {
            return Some((breaks, SequenceTokenKind::Newline));
        }
        let blanks = rest.len() - rest.trim_start_matches(is_space).len();
        if blanks > 0 {
            self.at += blanks;
            return None;
        }
        if scan::starts_comment(rest) {
            return Some((scan::line_length(rest), SequenceTokenKind::Comment));
        }
        if let Some(length) = scan::number_length(rest) {
            return Some((length, SequenceTokenKind::Number));
        }
        if let Some((length, word, mode)) = keyword(rest) {
            self.mode = mode;
            return Some((length, SequenceTokenKind::Word(word)));
        }
        Some(title(rest).unwrap_or_else(|| symbol(rest)))
    }

    fn scan_name(&mut self, rest: &str) -> (usize, SequenceTokenKind) {
        if rest.starts_with("@{") {
            self.mode = LexerMode::Config;
            return (2, SequenceTokenKind::ConfigStart);
        }
        if let Some(length) = scan::configured_length(rest) {
            return (length, SequenceTokenKind::Name);
        }
        if let Some(length) = scan::aliased_length(rest) {
            self.mode = LexerMode::Alias;
            return (length, SequenceTokenKind::Name);
        }
        self.mode = LexerMode::Start;
        match (scan::declared_length(rest), scan::line_length(rest)) {
            (Some(length), _) => (length, SequenceTokenKind::Name),
            (None, 0) => (0, SequenceTokenKind::Unreadable),
            (None, length) => (length, SequenceTokenKind::Invalid),
        }
    }

    fn scan_alias(&mut self, rest: &str) -> (usize, SequenceTokenKind) {
        let word = rest.len() - rest.trim_start_matches(is_word).len();
        if rest[..word].eq_ignore_ascii_case("as") {
            self.mode = LexerMode::Line;
            return (word, SequenceTokenKind::Word(MermaidKeyword::As));
        }
        self.mode = LexerMode::Start;
        (0, SequenceTokenKind::Newline)
    }

    fn scan_config(&mut self, rest: &str) -> (usize, SequenceTokenKind) {
        let inside = rest.find('}').unwrap_or(rest.len());
        if inside > 0 {
            return (inside, SequenceTokenKind::Config);
        }
        self.mode = if scan::as_follows(&rest[1..]) { LexerMode::Alias } else { LexerMode::Start };
        (1, SequenceTokenKind::ConfigEnd)
    }
}

/// Everything that is not a word: separators, names, arrows, texts.
fn symbol(rest: &str) -> (usize, SequenceTokenKind) {
    let single = |kind: SequenceTokenKind| (1, kind);
    match rest.as_bytes()[0] {
        b',' => return single(SequenceTokenKind::Comma),
        b';' => return single(SequenceTokenKind::Newline),
        _ => {}
    }
    if let Some(length) = scan::name_length(rest) {
        return (length, SequenceTokenKind::Name);
    }
    if let Some(kind) = arrow::find(rest) {
        return (kind.text.len(), SequenceTokenKind::Arrow(kind));
    }
    match rest.as_bytes()[0] {
        b':' => (1 + scan::text_length(&rest[1..]), SequenceTokenKind::Text),
        b'+' => single(SequenceTokenKind::Plus),
        b'-' => single(SequenceTokenKind::Minus),
        b'(' if rest.starts_with("()") => (2, SequenceTokenKind::Central),
        _ => (rest.chars().next().map_or(1, char::len_utf8), SequenceTokenKind::Invalid),
    }
}

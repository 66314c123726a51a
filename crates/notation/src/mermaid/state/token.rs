//! The lexer of state diagrams.
//!
//! As in [`sequence`](crate::mermaid::sequence), mermaid's rules are followed one by one, in its order. There are two
//! base modes, outside and inside of a composite state: inside, line breaks are no tokens, `--` divides regions, and
//! fewer keywords count. The word `state` leads to a third mode up to the end of its line. All keywords are read
//! without regard to case.

use super::kind::StateTokenKind;
use super::scan::{
    Scanned, accessible, diagram, direction, hide, label_length, line_length, outside_only, pseudo, scale,
    starts_comment, word_and_blanks,
};
use super::{note, style};
use crate::mermaid::text::is_space;

/// A token and the bytes it covers.
#[derive(Clone, Copy)]
pub(crate) struct StateToken {
    pub kind: StateTokenKind,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StateLexerMode {
    /// Outside or inside of a composite state, by `depth`.
    Base,
    /// After `state`.
    State,
    /// After `state "text" as`.
    Id,
}

/// The lexer.
pub(crate) struct StateLexer<'a> {
    text: &'a str,
    at: usize,
    mode: StateLexerMode,
    /// How many composite states are open.
    depth: usize,
    /// Up to where no line holds the words of a direction, and no mark of a pseudostate; long lines are searched once.
    no_direction: usize,
    no_mark: usize,
    /// From here on no `end note` follows.
    no_end_note: bool,
}

impl<'a> StateLexer<'a> {
    /// A lexer at the start of `text`.
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            mode: StateLexerMode::Base,
            depth: 0,
            no_direction: 0,
            no_mark: 0,
            no_end_note: false,
        }
    }

    /// Where the next token is looked for.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Goes on at the end of the line that holds `offset`; a body opened by that line stays open.
    pub(crate) fn skip_line(&mut self, offset: usize) {
        let end = self.text[offset..].find('\n').map_or(self.text.len(), |found| offset + found);
        if self.text.get(self.at..end).is_some_and(|skipped| skipped.trim_end().ends_with('{')) {
            self.depth += 1;
        }
        self.at = end;
        self.mode = StateLexerMode::Base;
    }

    /// The next token; comments are tokens too, blanks are not.
    pub(crate) fn next(&mut self) -> StateToken {
        loop {
            let start = self.at;
            let rest = &self.text[start..];
            let scanned = match self.mode {
                _ if rest.is_empty() => Some((0, StateTokenKind::End)),
                StateLexerMode::Base => self.scan_base(rest),
                StateLexerMode::State => self.scan_state(rest),
                StateLexerMode::Id => {
                    self.mode = StateLexerMode::State;
                    let line = &rest[..rest.find(['\n', '{']).unwrap_or(rest.len())];
                    Some((line.find("%%").unwrap_or(line.len()), StateTokenKind::Id))
                }
            };
            if let Some((length, kind)) = scanned {
                self.at = start + length;
                return StateToken { kind, start, end: self.at };
            }
        }
    }

    fn skip(&mut self, length: usize) -> Scanned {
        self.at += length;
        None
    }

    fn scan_base(&mut self, rest: &str) -> Scanned {
        let inside = self.depth > 0;
        if !inside && let Some(found) = outside_only(rest).or_else(|| self.direction(rest)) {
            return Some(found);
        }
        let breaks = rest.len() - rest.trim_start_matches('\n').len();
        if breaks > 0 {
            return if inside { self.skip(breaks) } else { Some((breaks, StateTokenKind::Newline)) };
        }
        // A blank swallows the line breaks after it.
        let blanks = rest.len() - rest.trim_start_matches(is_space).len();
        if blanks > 0 {
            return self.skip(blanks);
        }
        if starts_comment(rest) {
            return Some((line_length(rest), StateTokenKind::Comment));
        }
        if !inside && let Some(found) = accessible(rest).or_else(|| scale(rest)) {
            return Some(found);
        }
        if let Some(found) = style::scan(rest) {
            return Some(found);
        }
        if let Some(length) = word_and_blanks(rest, "state") {
            self.mode = StateLexerMode::State;
            return self.skip(length);
        }
        if inside && let Some(found) = self.direction(rest) {
            return Some(found);
        }
        match rest.as_bytes()[0] {
            // The brace may stand on the line after `state A`.
            b'{' if !inside => {
                self.depth += 1;
                return Some((1, StateTokenKind::Open));
            }
            b'}' if inside => {
                self.depth -= 1;
                return Some((1, StateTokenKind::Close));
            }
            _ => {}
        }
        if let Some(found) = note::scan(rest, &mut self.no_end_note) {
            return Some(found);
        }
        self.scan_symbol(rest, inside)
    }

    fn direction(&mut self, rest: &str) -> Scanned {
        if self.at < self.no_direction {
            return None;
        }
        let found = direction(rest);
        if found.is_none() {
            self.no_direction = self.at + line_length(rest);
        }
        found
    }

    fn scan_symbol(&mut self, rest: &str, inside: bool) -> Scanned {
        if !inside && let Some(found) = diagram(rest).or_else(|| hide(rest)) {
            return Some(found);
        }
        if rest.starts_with("[*]") {
            return Some((3, StateTokenKind::Star));
        }
        let id = rest.find(|c: char| matches!(c, ':' | '-' | '{') || is_space(c)).unwrap_or(rest.len());
        if id > 0 {
            return match rest[..id].find("%%") {
                Some(0) => self.skip(id),
                Some(comment) => Some((comment, StateTokenKind::Id)),
                None => Some((id, StateTokenKind::Id)),
            };
        }
        if let Some(length) = label_length(rest) {
            return Some((length, StateTokenKind::Label));
        }
        let symbols = [
            ("-->", StateTokenKind::Arrow),
            ("--", StateTokenKind::Divider),
            (":::", StateTokenKind::ClassMark),
        ];
        let fits = |(text, kind): &&(&str, StateTokenKind)| {
            rest.starts_with(text) && (inside || *kind != StateTokenKind::Divider)
        };
        let found = symbols.iter().find(fits).map(|(text, kind)| (text.len(), *kind));
        found.or_else(|| Some((rest.chars().next().map_or(1, char::len_utf8), StateTokenKind::Invalid)))
    }

    fn scan_state(&mut self, rest: &str) -> Scanned {
        let blanks = rest.len() - rest.trim_start_matches(|c| c != '\n' && is_space(c)).len();
        if blanks > 0 {
            return self.skip(blanks);
        }
        if starts_comment(rest) {
            return Some((line_length(rest), StateTokenKind::Comment));
        }
        if self.at >= self.no_mark {
            if let Some((length, kind)) = pseudo(rest) {
                self.mode = StateLexerMode::Base;
                return Some((length, kind));
            }
            self.no_mark = self.at + line_length(rest);
        }
        match rest.as_bytes()[0] {
            b'"' => return self.quoted(rest),
            b'\n' => {
                self.mode = StateLexerMode::Base;
                return self.skip(1);
            }
            b'{' => {
                self.mode = StateLexerMode::Base;
                self.depth += 1;
                return Some((1, StateTokenKind::Open));
            }
            _ => {}
        }
        if let Some(length) = word_and_blanks(rest, "as") {
            self.mode = StateLexerMode::Id;
            return Some((length, StateTokenKind::As));
        }
        Some((rest.find(|c| c == '{' || is_space(c)).unwrap_or(rest.len()), StateTokenKind::Composite))
    }

    /// A description in quotes; an empty one is no token.
    fn quoted(&mut self, rest: &str) -> Scanned {
        match rest[1..].find('"') {
            Some(0) => self.skip(2),
            Some(length) => Some((length + 2, StateTokenKind::Description)),
            None => Some((line_length(rest), StateTokenKind::Invalid)),
        }
    }
}

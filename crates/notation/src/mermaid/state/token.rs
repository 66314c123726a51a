//! The lexer of state diagrams.
//!
//! As in [`sequence`](crate::mermaid::sequence), mermaid's rules are followed one by one, in its order. There are two
//! base modes, outside and inside of a composite state: inside, line breaks are no tokens, `--` divides regions, and
//! fewer keywords count. The word `state` leads to a third mode up to the end of its line. All keywords are read
//! without regard to case.

use super::{note, style};
use crate::mermaid::text::{is_space, is_word};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Newline,
    /// `direction LR`, and every line that holds these words.
    Direction,
    Click,
    Href,
    Quoted,
    Default,
    /// `scale 350 width`, `hide empty description`.
    Looks,
    /// `classDef`, `class`, `style` with all that belongs to them.
    Style,
    /// `classDef default`, which mermaid's grammar refuses.
    StyleDefault,
    /// `accTitle: ..`; the length up to the text.
    AccTitle(usize),
    AccDescription,
    /// `accDescr {` with its text, and whether its `}` is there.
    AccBlock(bool),
    /// A declaration that ends with `<<fork>>` or the like; the length of the name.
    Pseudo(&'static str, usize),
    /// The word after `state`.
    Composite,
    /// A quoted description after `state`.
    Description,
    As,
    Id,
    Open,
    Close,
    Note(note::Parts),
    Star,
    /// `: text`
    Label,
    Arrow,
    /// `--` between regions.
    Divider,
    /// `:::`
    ClassMark,
    Diagram,
    Comment,
    /// A character no rule takes.
    Invalid,
    End,
}

/// A token and the bytes it covers.
#[derive(Clone, Copy)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Outside or inside of a composite state, by `depth`.
    Base,
    /// After `state`.
    State,
    /// After `state "text" as`.
    Id,
}

/// The lexer.
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    mode: Mode,
    /// How many composite states are open.
    depth: usize,
}

type Scanned = Option<(usize, TokenKind)>;

impl<'a> Lexer<'a> {
    /// A lexer at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, mode: Mode::Base, depth: 0 }
    }

    /// Where the next token is looked for.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Goes on at the end of the line that holds `offset`; a body opened by that line stays open.
    pub fn skip_line(&mut self, offset: usize) {
        let end = self.text[offset..].find('\n').map_or(self.text.len(), |found| offset + found);
        if self.text.get(self.at..end).is_some_and(|skipped| skipped.trim_end().ends_with('{')) {
            self.depth += 1;
        }
        self.at = end;
        self.mode = Mode::Base;
    }

    /// The next token; comments are tokens too, blanks are not.
    pub fn next(&mut self) -> Token {
        loop {
            let start = self.at;
            let rest = &self.text[start..];
            let scanned = match self.mode {
                _ if rest.is_empty() => Some((0, TokenKind::End)),
                Mode::Base => self.scan_base(rest),
                Mode::State => self.scan_state(rest),
                Mode::Id => {
                    self.mode = Mode::State;
                    let line = &rest[..rest.find(['\n', '{']).unwrap_or(rest.len())];
                    Some((line.find("%%").unwrap_or(line.len()), TokenKind::Id))
                }
            };
            if let Some((length, kind)) = scanned {
                self.at = start + length;
                return Token { kind, start, end: self.at };
            }
        }
    }

    fn skip(&mut self, length: usize) -> Scanned {
        self.at += length;
        None
    }

    fn scan_base(&mut self, rest: &str) -> Scanned {
        let inside = self.depth > 0;
        if !inside && let Some(found) = outside_only(rest) {
            return Some(found);
        }
        let breaks = rest.len() - rest.trim_start_matches('\n').len();
        if breaks > 0 {
            return if inside { self.skip(breaks) } else { Some((breaks, TokenKind::Newline)) };
        }
        // A blank swallows the line breaks after it.
        let blanks = rest.len() - rest.trim_start_matches(is_space).len();
        if blanks > 0 {
            return self.skip(blanks);
        }
        if starts_comment(rest) {
            return Some((line_length(rest), TokenKind::Comment));
        }
        if !inside && let Some(found) = accessible(rest).or_else(|| scale(rest)) {
            return Some(found);
        }
        if let Some(found) = style::scan(rest) {
            return Some(found);
        }
        if let Some(length) = word_and_blanks(rest, "state") {
            self.mode = Mode::State;
            return self.skip(length);
        }
        if inside && let Some(found) = direction(rest) {
            return Some(found);
        }
        match rest.as_bytes()[0] {
            // The brace may stand on the line after `state A`.
            b'{' if !inside => {
                self.depth += 1;
                return Some((1, TokenKind::Open));
            }
            b'}' if inside => {
                self.depth -= 1;
                return Some((1, TokenKind::Close));
            }
            _ => {}
        }
        if let Some(found) = note::scan(rest) {
            return Some(found);
        }
        self.scan_symbol(rest, inside)
    }

    fn scan_symbol(&mut self, rest: &str, inside: bool) -> Scanned {
        if !inside && let Some(found) = diagram(rest).or_else(|| hide(rest)) {
            return Some(found);
        }
        if rest.starts_with("[*]") {
            return Some((3, TokenKind::Star));
        }
        let id = rest.find(|c: char| matches!(c, ':' | '-' | '{') || is_space(c)).unwrap_or(rest.len());
        if id > 0 {
            return match rest[..id].find("%%") {
                Some(0) => self.skip(id),
                Some(comment) => Some((comment, TokenKind::Id)),
                None => Some((id, TokenKind::Id)),
            };
        }
        if let Some(length) = label_length(rest) {
            return Some((length, TokenKind::Label));
        }
        let symbols = [("-->", TokenKind::Arrow), ("--", TokenKind::Divider), (":::", TokenKind::ClassMark)];
        let fits = |(text, kind): &&(&str, TokenKind)| {
            rest.starts_with(text) && (inside || *kind != TokenKind::Divider)
        };
        let found = symbols.iter().find(fits).map(|(text, kind)| (text.len(), *kind));
        found.or_else(|| Some((rest.chars().next().map_or(1, char::len_utf8), TokenKind::Invalid)))
    }

    fn scan_state(&mut self, rest: &str) -> Scanned {
        let blanks = rest.len() - rest.trim_start_matches(|c| c != '\n' && is_space(c)).len();
        if blanks > 0 {
            return self.skip(blanks);
        }
        if starts_comment(rest) {
            return Some((line_length(rest), TokenKind::Comment));
        }
        if let Some((length, kind)) = pseudo(rest) {
            self.mode = Mode::Base;
            return Some((length, kind));
        }
        match rest.as_bytes()[0] {
            b'"' => return self.quoted(rest),
            b'\n' => {
                self.mode = Mode::Base;
                return self.skip(1);
            }
            b'{' => {
                self.mode = Mode::Base;
                self.depth += 1;
                return Some((1, TokenKind::Open));
            }
            _ => {}
        }
        if let Some(length) = word_and_blanks(rest, "as") {
            self.mode = Mode::Id;
            return Some((length, TokenKind::As));
        }
        Some((rest.find(|c| c == '{' || is_space(c)).unwrap_or(rest.len()), TokenKind::Composite))
    }

    /// A description in quotes; an empty one is no token.
    fn quoted(&mut self, rest: &str) -> Scanned {
        match rest[1..].find('"') {
            Some(0) => self.skip(2),
            Some(length) => Some((length + 2, TokenKind::Description)),
            None => Some((line_length(rest), TokenKind::Invalid)),
        }
    }
}

/// Keywords that count only outside of composite states and before all else.
fn outside_only(rest: &str) -> Scanned {
    let words = [("click", TokenKind::Click), ("href", TokenKind::Href)];
    let keyword = |(word, kind): &(&str, TokenKind)| starts_word(rest, word).then_some((word.len(), *kind));
    let quoted = || {
        let inside = rest.strip_prefix('"')?;
        inside.find('"').map(|length| (length + 2, TokenKind::Quoted))
    };
    let default = || keyword(&("default", TokenKind::Default));
    words.iter().find_map(keyword).or_else(quoted).or_else(default).or_else(|| direction(rest))
}

/// A line that holds `direction LR` or the like anywhere.
fn direction(rest: &str) -> Scanned {
    const WORD: &str = "direction";
    let line = &rest[..line_length(rest)];
    let bytes = line.as_bytes();
    for start in 0..bytes.len().saturating_sub(WORD.len() - 1) {
        if !bytes[start..start + WORD.len()].eq_ignore_ascii_case(WORD.as_bytes()) {
            continue;
        }
        let after = &rest[start + WORD.len()..];
        let value = after.trim_start_matches(is_space);
        let is_value = value.get(..2).is_some_and(|value| {
            ["TB", "BT", "RL", "LR"].iter().any(|known| known.eq_ignore_ascii_case(value))
        });
        if value.len() < after.len() && is_value {
            let end = rest.len() - value.len();
            return Some((end + line_length(value), TokenKind::Direction));
        }
    }
    None
}

/// `accTitle:`, `accDescr:`, `accDescr {`
fn accessible(rest: &str) -> Scanned {
    let spaces = |text: &str| text.len() - text.trim_start_matches(is_space).len();
    let word = rest.get(..8)?;
    let is_title = word.eq_ignore_ascii_case("accTitle");
    if !is_title && !word.eq_ignore_ascii_case("accDescr") {
        return None;
    }
    let mark = 8 + spaces(&rest[8..]);
    let text = mark + 1 + rest.get(mark + 1..).map_or(0, spaces);
    match rest.as_bytes().get(mark)? {
        b':' if is_title => Some((text + line_length(&rest[text..]), TokenKind::AccTitle(text))),
        b':' => Some((text + line_length(&rest[text..]), TokenKind::AccDescription)),
        b'{' if !is_title => {
            let close = rest[text..].find('}');
            Some((close.map_or(rest.len(), |close| text + close + 1), TokenKind::AccBlock(close.is_some())))
        }
        _ => None,
    }
}

/// `scale 350 width`
fn scale(rest: &str) -> Scanned {
    let number = word_and_blanks(rest, "scale")?;
    let digits = rest[number..].len() - rest[number..].trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = &rest[number + digits..];
    let word = after.trim_start_matches(is_space);
    let is_whole = digits > 0 && word.len() < after.len() && starts_word(word, "width");
    let end = rest.len() - word.len() + "width".len();
    Some(if is_whole { (end, TokenKind::Looks) } else { (line_length(rest), TokenKind::Invalid) })
}

fn hide(rest: &str) -> Scanned {
    const TEXT: &str = "hide empty description";
    starts_word(rest, TEXT).then_some((TEXT.len(), TokenKind::Looks))
}

fn diagram(rest: &str) -> Scanned {
    let length =
        word_and_blanks(rest, "stateDiagram").or_else(|| word_and_blanks(rest, "stateDiagram-v2"))?;
    Some((rest[..length].trim_end_matches(is_space).len(), TokenKind::Diagram))
}

/// A line after `state` that ends its name with `<<fork>>` or the like.
fn pseudo(rest: &str) -> Scanned {
    let marks = [
        ("<<fork>>", "fork"),
        ("<<join>>", "join"),
        ("<<choice>>", "choice"),
        ("[[fork]]", "fork"),
        ("[[join]]", "join"),
        ("[[choice]]", "choice"),
    ];
    let line = &rest.as_bytes()[..line_length(rest)];
    marks.iter().find_map(|(mark, kind)| {
        let found = line.windows(mark.len()).rposition(|part| part.eq_ignore_ascii_case(mark.as_bytes()))?;
        Some((found + mark.len(), TokenKind::Pseudo(kind, found)))
    })
}

/// `: text`, in which a colon must not be followed by another; ends at `;`.
fn label_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let stops = |at: usize| matches!(bytes.get(at), None | Some(b'\n' | b';' | b':'));
    if bytes[0] != b':' {
        return None;
    }
    let mut length = 1;
    loop {
        length += match bytes.get(length) {
            Some(b':') if !stops(length + 1) => 2,
            Some(byte) if !matches!(byte, b'\n' | b';' | b':') => 1,
            _ => break,
        };
    }
    // A two-byte step may end inside a character; the bytes that follow belong to it.
    (length > 1).then_some(length)
}

fn starts_comment(rest: &str) -> bool {
    rest.starts_with('#') || (rest.starts_with("%%") && !rest.starts_with("%%{"))
}

/// Whether `rest` starts with `word` and no letter, digit or underscore follows.
pub(super) fn starts_word(rest: &str, word: &str) -> bool {
    let head = rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    head && !rest[word.len()..].starts_with(is_word)
}

/// The length of `word` and the blanks that must follow it.
pub(super) fn word_and_blanks(rest: &str, word: &str) -> Option<usize> {
    if !rest.get(..word.len())?.eq_ignore_ascii_case(word) {
        return None;
    }
    let after = rest[word.len()..].trim_start_matches(is_space);
    let length = rest.len() - after.len();
    (length > word.len()).then_some(length)
}

/// Up to the end of the line.
pub(super) fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

//! What the tokens of sequence diagrams are.

use super::arrow::ArrowKind;
use crate::tree::sequence::{BlockKeyword, Divider};

/// What a token is.
#[derive(Clone, Copy)]
pub(crate) enum SequenceTokenKind {
    Newline,
    Number,
    Name,
    ConfigStart,
    Config,
    ConfigEnd,
    Word(MermaidKeyword),
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
pub(crate) enum MermaidKeyword {
    Box,
    Participant,
    Actor,
    Create,
    Destroy,
    As,
    Open(BlockKeyword),
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

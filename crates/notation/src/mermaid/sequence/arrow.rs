//! The arrows of sequence diagrams.
//!
//! One table in the order mermaid's lexer tries them: the first that matches wins. A reversed arrow (`a /|- b`) has its
//! head at the left participant, which mermaid nevertheless counts as the sender; so it is read as an arrow from left to
//! right whose tip stands at its tail.

use sequent_kernel::model::{Arrow, Half, MessageSort, Tip, TipShape};

/// One kind of arrow.
pub struct ArrowKind {
    /// How it is written.
    pub text: &'static str,
    dashed: bool,
    head: Tip,
    tail: Tip,
}

const fn half(shape: TipShape, half: Half) -> Tip {
    Tip { shape, half: Some(half), circle: false }
}

const fn arrow(text: &'static str, head: Tip, tail: Tip) -> ArrowKind {
    let bytes = text.as_bytes();
    let mut dashed = false;
    let mut at = 0;
    while at + 1 < bytes.len() {
        dashed = dashed || (bytes[at] == b'-' && bytes[at + 1] == b'-');
        at += 1;
    }
    ArrowKind { text, dashed, head, tail }
}

const UPPER: Tip = half(TipShape::Filled, Half::Upper);
const LOWER: Tip = half(TipShape::Filled, Half::Lower);
const UPPER_STICK: Tip = half(TipShape::Open, Half::Upper);
const LOWER_STICK: Tip = half(TipShape::Open, Half::Lower);

/// All arrows in the order of mermaid's lexer.
pub(crate) const ARROWS: &[ArrowKind] = &[
    arrow("->>", Tip::FILLED, Tip::NONE),
    arrow("<<->>", Tip::FILLED, Tip::FILLED),
    arrow("-->>", Tip::FILLED, Tip::NONE),
    arrow("<<-->>", Tip::FILLED, Tip::FILLED),
    arrow("->", Tip::NONE, Tip::NONE),
    arrow("-->", Tip::NONE, Tip::NONE),
    arrow("-x", Tip::CROSS, Tip::NONE),
    arrow("--x", Tip::CROSS, Tip::NONE),
    arrow("-)", Tip::OPEN, Tip::NONE),
    arrow("--)", Tip::OPEN, Tip::NONE),
    arrow("--|\\", UPPER, Tip::NONE),
    arrow("--|/", LOWER, Tip::NONE),
    arrow("--\\\\", UPPER_STICK, Tip::NONE),
    arrow("--//", LOWER_STICK, Tip::NONE),
    arrow("/|--", Tip::NONE, UPPER),
    arrow("\\|--", Tip::NONE, LOWER),
    arrow("//--", Tip::NONE, UPPER_STICK),
    arrow("\\\\--", Tip::NONE, LOWER_STICK),
    arrow("-|\\", UPPER, Tip::NONE),
    arrow("-|/", LOWER, Tip::NONE),
    arrow("-\\\\", UPPER_STICK, Tip::NONE),
    arrow("-//", LOWER_STICK, Tip::NONE),
    arrow("/|-", Tip::NONE, UPPER),
    arrow("\\|-", Tip::NONE, LOWER),
    arrow("//-", Tip::NONE, UPPER_STICK),
    arrow("\\\\-", Tip::NONE, LOWER_STICK),
];

/// The arrow at the start of `text`.
pub fn find(text: &str) -> Option<&'static ArrowKind> {
    if !text.starts_with(['-', '<', '/', '\\']) {
        return None;
    }
    let starts = |kind: &&ArrowKind| {
        text.get(..kind.text.len()).is_some_and(|head| head.eq_ignore_ascii_case(kind.text))
    };
    ARROWS.iter().find(starts)
}

impl ArrowKind {
    /// How the arrow is drawn; `circles` at its tail and head are Mermaid's central connections.
    pub fn drawn(&self, circles: [bool; 2]) -> Arrow {
        let with = |tip: Tip, circle: bool| Tip { circle, ..tip };
        Arrow {
            dashed: self.dashed,
            head: with(self.head, circles[1]),
            tail: with(self.tail, circles[0]),
            colour: None,
        }
    }

    /// What the arrow says about its message: dashed is a reply, a filled head a call, anything else a signal.
    pub fn sort(&self) -> MessageSort {
        let filled = self.head.shape == TipShape::Filled || self.tail.shape == TipShape::Filled;
        match (self.dashed, filled) {
            (true, _) => MessageSort::Reply,
            (false, true) => MessageSort::Call,
            (false, false) => MessageSort::Signal,
        }
    }
}

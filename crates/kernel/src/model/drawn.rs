//! What diagrams draw for their reader alone: texts around them, notes, dividers, numbers of messages.

use crate::model::{LifelineId, MessageId};
use crate::source::Place;

/// A text that stands around a diagram, beside its title.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caption {
    /// Where it stands.
    pub kind: CaptionKind,
    /// To which side it is moved.
    pub side: CaptionSide,
    /// The text.
    pub text: String,
}

/// The texts around a diagram.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CaptionKind {
    /// Small, above everything else.
    Header,
    /// In a box above the diagram.
    UpperLegend,
    /// In a box below the diagram.
    Legend,
    /// Below the diagram.
    Caption,
    /// Small, below everything else.
    Footer,
}

/// Where a text around a diagram stands on its line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum CaptionSide {
    Left,
    Centre,
    Right,
}

/// A note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where it is drawn.
    pub position: NotePosition,
    /// The lifelines it stands at; empty for one across the whole diagram.
    pub lifelines: Vec<LifelineId>,
    /// The message it is attached to, if it stands beside one.
    pub message: Option<MessageId>,
    /// Its outline.
    pub shape: NoteShape,
    /// Its text.
    pub text: String,
    /// Fill colour as written.
    pub colour: Option<String>,
    /// The statement.
    pub place: Place,
}

/// Where a note is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum NotePosition {
    Left,
    Right,
    Over,
    Across,
}

/// The outline of a note.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum NoteShape {
    Folded,
    Hexagon,
    Rectangle,
}

/// Something between two rows of a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Separator {
    /// What it is.
    pub kind: SeparatorKind,
    /// Its text, if any.
    pub text: String,
    /// The statement.
    pub place: Place,
}

/// The kinds of separators.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SeparatorKind {
    /// `== text ==`
    Divider,
    /// `...text...`
    Delay,
    /// `|||`, with its height if given.
    Space(Option<u32>),
    /// `newpage`
    Page,
}

/// How messages are numbered from some point on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Numbering {
    /// Number from `start` (if given, else from 1) in steps of `step`; `format` as written.
    Start {
        /// First number as written (`10`, `1.1.1`).
        start: Option<String>,
        /// Step.
        step: Option<u32>,
        /// PlantUML's format text.
        format: Option<String>,
    },
    /// No numbers from here.
    Stop,
    /// Go on numbering.
    Resume {
        /// New step.
        step: Option<u32>,
        /// New format text.
        format: Option<String>,
    },
    /// Raise the level named by its letter (`A` is the first).
    Increment(String),
}

//! Kinds of pieces, and one table of what is known about each kind.

use sequent_notation::tree::lossless::{LeafKind, NestingRole};

/// What kind of statement or line a piece is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum PieceKind {
    Line,
    Blank,
    Comment,
    Preprocessor,
    Presentation,
    Title,
    Unknown,
    Participant,
    Message,
    Return,
    Together,
    Reference,
    Note,
    Life,
    Create,
    Separator,
    Statement,
    Element,
    Open,
    Divide,
    Close,
}

/// The neighbour that a piece belongs to and moves with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::merge) enum Attachment {
    /// None: it is an event itself.
    Event,
    /// The event before it.
    Preceding,
    /// The event after it.
    Following,
}

/// A row of the table: label in messages, effect on the nesting of blocks, attachment, weight of an exact match.
type KindFacts = (&'static str, NestingRole, Attachment, u32);

impl PieceKind {
    fn row(self) -> KindFacts {
        use Attachment::{Event, Following, Preceding};
        match self {
            PieceKind::Line => ("line", NestingRole::Plain, Following, 56),
            PieceKind::Blank => ("empty line", NestingRole::Plain, Following, 4),
            PieceKind::Comment => ("comment", NestingRole::Plain, Following, 56),
            PieceKind::Preprocessor => ("preprocessor line", NestingRole::Plain, Following, 56),
            PieceKind::Presentation => ("look", NestingRole::Plain, Following, 56),
            PieceKind::Title => ("title", NestingRole::Plain, Following, 56),
            PieceKind::Unknown => ("line that is not understood", NestingRole::Plain, Following, 56),
            PieceKind::Participant => ("participant", NestingRole::Plain, Following, 80),
            PieceKind::Message => ("message", NestingRole::Plain, Event, 80),
            PieceKind::Return => ("return", NestingRole::Plain, Event, 80),
            PieceKind::Together => ("directive", NestingRole::Plain, Following, 56),
            PieceKind::Reference => ("reference", NestingRole::Plain, Event, 80),
            PieceKind::Note => ("note", NestingRole::Plain, Preceding, 56),
            PieceKind::Life => ("activation", NestingRole::Plain, Preceding, 40),
            PieceKind::Create => ("creation", NestingRole::Plain, Following, 40),
            PieceKind::Separator => ("divider", NestingRole::Plain, Following, 56),
            PieceKind::Statement => ("statement", NestingRole::Plain, Following, 80),
            PieceKind::Element => ("element", NestingRole::Plain, Following, 80),
            PieceKind::Open => ("block", NestingRole::Open, Event, 48),
            PieceKind::Divide => ("operand", NestingRole::Divide, Following, 32),
            PieceKind::Close => ("end of a block", NestingRole::Close, Preceding, 0),
        }
    }

    /// Returns the name of the kind in messages.
    pub(in crate::merge) fn label(self) -> &'static str {
        self.row().0
    }

    /// Returns its effect on the nesting of blocks.
    pub(in crate::merge) fn role(self) -> NestingRole {
        self.row().1
    }

    /// Returns the neighbour that a piece of this kind belongs to.
    pub(in crate::merge) fn attachment(self) -> Attachment {
        self.row().2
    }

    /// Returns the weight of matching two equal pieces of this kind.
    pub(in crate::merge) fn weight(self) -> u32 {
        self.row().3
    }

    /// Whether a piece of this kind is an event, or a statement in a diagram without order.
    pub(in crate::merge) fn is_event(self) -> bool {
        self.attachment() == Attachment::Event || self == PieceKind::Statement
    }

    /// Whether a piece of this kind says nothing about the content of its block.
    pub(in crate::merge) fn is_minor(self) -> bool {
        matches!(self, PieceKind::Blank | PieceKind::Comment | PieceKind::Life)
    }
}

impl From<LeafKind> for PieceKind {
    fn from(kind: LeafKind) -> Self {
        match kind {
            LeafKind::Prose => PieceKind::Line,
            LeafKind::Blank => PieceKind::Blank,
            LeafKind::Comment | LeafKind::Directive => PieceKind::Comment,
            LeafKind::Preprocessor => PieceKind::Preprocessor,
            LeafKind::Presentation => PieceKind::Presentation,
            LeafKind::Unknown => PieceKind::Unknown,
            LeafKind::Statement => PieceKind::Statement,
            LeafKind::Open => PieceKind::Open,
            LeafKind::Divide => PieceKind::Divide,
            LeafKind::Close => PieceKind::Close,
        }
    }
}

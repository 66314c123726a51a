//! Statements of sequence diagrams.

use sequent_kernel::model::{
    Arrow, LifelineKind, MessageSort, NotePosition, NoteShape, Numbering, Outside, SeparatorKind,
};

use super::{Name, Text};

/// One statement of a sequence diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SequenceStatement {
    /// A participant is declared.
    Participant(Participant),
    /// `create a` without a kind: the participant, declared above or not, comes into being with the next message to it.
    /// Unlike a declaration it does not move a participant that is already there.
    Create(Name),
    /// `hide unlinked` (true) or `show unlinked`: whether participants that nothing concerns are left out.
    HideUnlinked(bool),
    /// A box around the participants declared until its end.
    BoxStart {
        /// Caption.
        label: String,
        /// Fill colour.
        colour: Option<String>,
    },
    /// The end of a box.
    BoxEnd,
    /// A message.
    Message(MessageStatement),
    /// `activate a #colour`
    Activate {
        /// The participant.
        name: Name,
        /// Fill colour.
        colour: Option<String>,
    },
    /// `deactivate a`; without a name the latest active one.
    Deactivate(Option<Name>),
    /// `destroy a`
    Destroy(Name),
    /// `return text`: the answer to the message that activated the latest active participant.
    Return(Text),
    /// `autoactivate on|off`
    AutoActivate(bool),
    /// `autonumber ..`
    AutoNumber(Numbering),
    /// A block is opened.
    Open(BlockOpening),
    /// A block's next operand.
    Divide(Divide),
    /// The innermost block is closed.
    Close,
    /// A note.
    Note(SequenceNote),
    /// `ref over a, b : text`
    Reference(UseStatement),
    /// A divider, delay, space or page break, with its text.
    Separator(SeparatorKind, String),
    /// `{start} <-> {end} : text`: how long it takes from one message to another.
    Duration(DurationStatement),
}

/// How long something takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DurationStatement {
    /// The anchor with which it begins.
    pub from: String,
    /// The anchor with which it ends.
    pub to: String,
    /// What is said about it.
    pub text: Text,
}

/// A participant's declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// Name and label.
    pub name: Name,
    /// Symbol.
    pub kind: LifelineKind,
    /// `<<stereotypes>>` without the guillemets.
    pub stereotypes: Vec<String>,
    /// Fill colour.
    pub colour: Option<String>,
    /// PlantUML's `order`: participants are sorted by it, stably; 0 if absent.
    pub order: i32,
    /// Declared with `create`: it comes into being with the next message to it.
    pub create: bool,
}

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageStatement {
    /// Sender.
    pub from: ArrowEnd,
    /// Receiver.
    pub to: ArrowEnd,
    /// More receivers of the same message (`a -> b & c : m`).
    pub others: Vec<Name>,
    /// Label; empty if there is none.
    pub text: Text,
    /// How it is drawn, from sender to receiver.
    pub arrow: Arrow,
    /// What its arrow says about its sort: call, signal or reply (creation and deletion follow from `life` and context).
    pub sort: MessageSort,
    /// Effects on the two lifelines.
    pub life: LifeShorthand,
    /// Drawn at the height of the message before it (`& a -> b`).
    pub parallel: bool,
    /// Not drawn (`a -[hidden]> b`): it only makes room, and is no message; its ends exist.
    pub hidden: bool,
    /// The name by which durations refer to it: `{start} a -> b`.
    pub anchor: Option<String>,
}

/// One end of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArrowEnd {
    /// A participant.
    Name(Name),
    /// Outside of the diagram.
    Outside(Outside),
}

/// What the shorthands of a message line say: `++ -- ** !!`, Mermaid's `+` and `-`. On a found or lost message all of
/// them concern its one participant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LifeShorthand {
    /// The receiver becomes active.
    pub activate: bool,
    /// Colour of that activation.
    pub colour: Option<String>,
    /// The sender becomes inactive.
    pub deactivate: bool,
    /// The receiver is created.
    pub create: bool,
    /// The receiver is destroyed.
    pub destroy: bool,
}

/// The opening line of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockOpening {
    /// Which block.
    pub keyword: BlockKeyword,
    /// The rest of the line: guard, caption, loop bounds.
    pub text: Text,
    /// PlantUML's second caption: `group Caption [second]`.
    pub subtitle: Option<String>,
    /// Fill colour (of a `rect`: its text).
    pub colour: Option<String>,
}

/// The blocks of both notations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum BlockKeyword {
    Alt,
    Opt,
    Loop,
    Par,
    /// PlantUML's `par2`.
    Par2,
    /// Mermaid's `par_over`.
    ParOver,
    Break,
    Critical,
    Group,
    /// PlantUML's `partition`.
    Partition,
    /// Mermaid's `rect`.
    Rect,
}

impl BlockKeyword {
    /// The word that opens a block.
    pub fn word(self) -> &'static str {
        match self {
            BlockKeyword::Alt => "alt",
            BlockKeyword::Opt => "opt",
            BlockKeyword::Loop => "loop",
            BlockKeyword::Par => "par",
            BlockKeyword::Par2 => "par2",
            BlockKeyword::ParOver => "par_over",
            BlockKeyword::Break => "break",
            BlockKeyword::Critical => "critical",
            BlockKeyword::Group => "group",
            BlockKeyword::Partition => "partition",
            BlockKeyword::Rect => "rect",
        }
    }
}

/// The line between two operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divide {
    /// `else`, `and`, `option`.
    pub keyword: Divider,
    /// The rest of the line.
    pub text: Text,
    /// Fill colour.
    pub colour: Option<String>,
}

/// The words between operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Divider {
    Else,
    And,
    Option,
}

/// A note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequenceNote {
    /// Where it is drawn.
    pub position: NotePosition,
    /// Participants it stands at; empty: beside the last message, or across everything.
    pub names: Vec<Name>,
    /// Outline: `note`, `hnote`, `rnote`.
    pub shape: NoteShape,
    /// Text.
    pub text: Text,
    /// Fill colour.
    pub colour: Option<String>,
    /// Drawn at the height of the note before it (`/ note ..`).
    pub aligned: bool,
}

/// An interaction use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UseStatement {
    /// Participants covered.
    pub names: Vec<Name>,
    /// The name of the other interaction.
    pub text: Text,
}

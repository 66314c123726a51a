//! Messages of an interaction: their ends, their arguments, and how their arrows are drawn.

use crate::model::{Expression, LifelineId};
use crate::source::Place;

/// A message: a send and a receive occurrence (rule I1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The message type: the operation or signal name, or the whole label if it does not read as `name(arguments)`.
    pub name: String,
    /// Arguments of `name(1, ok=false)`; `None` when the label has no argument list.
    pub arguments: Option<Vec<Argument>>,
    /// The label as drawn.
    pub text: String,
    /// The number drawn before the label, if the diagram numbers its messages.
    pub number: Option<String>,
    /// Call, signal, reply, creation or deletion.
    pub sort: MessageSort,
    /// The sending end.
    pub from: End,
    /// The receiving end.
    pub to: End,
    /// How it is drawn.
    pub arrow: Arrow,
    /// The statement.
    pub place: Place,
    /// The label alone.
    pub label_place: Place,
}

/// What kind of communication a message is (rule I10 and DESIGN section 7).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MessageSort {
    /// Filled head: a synchronous call.
    Call,
    /// Open head, or none: asynchronous.
    Signal,
    /// Dashed line: a reply.
    Reply,
    /// Creates its receiver.
    Create,
    /// Destroys its receiver.
    Delete,
}

/// One argument of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The parameter's name in `ok=false`.
    pub name: Option<String>,
    /// The value's text.
    pub text: String,
    /// The value, if it reads as an expression.
    pub value: Option<Expression>,
}

/// One end of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// On a lifeline.
    Lifeline(LifelineId),
    /// Outside: the message is found (as its sender) or lost (as its receiver).
    Outside(Outside),
}

impl End {
    /// The lifeline at this end, if there is one.
    pub fn lifeline(self) -> Option<LifelineId> {
        match self {
            End::Lifeline(lifeline) => Some(lifeline),
            End::Outside(_) => None,
        }
    }
}

/// Where the outer end of a found or lost message is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Outside {
    /// Beside the diagram's left or right border.
    pub side: Side,
    /// Close to the lifeline rather than at the border.
    pub short: bool,
}

/// Left or right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Side {
    Left,
    Right,
}

/// How the line of a message is drawn, from its sender (tail) to its receiver (head).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Dashed rather than solid.
    pub dashed: bool,
    /// The receiver's end.
    pub head: Tip,
    /// The sender's end: [`TipShape::None`] unless the arrow is bidirectional or decorated.
    pub tail: Tip,
    /// Line colour as written.
    pub colour: Option<String>,
}

/// One end of an arrow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tip {
    /// The head's shape.
    pub shape: TipShape,
    /// Only its upper or lower half.
    pub half: Option<Half>,
    /// A small circle at the lifeline (PlantUML `o`, Mermaid's central connection).
    pub circle: bool,
}

impl Tip {
    /// No head at all.
    pub const NONE: Tip = Tip { shape: TipShape::None, half: None, circle: false };
    /// A filled head.
    pub const FILLED: Tip = Tip { shape: TipShape::Filled, half: None, circle: false };
    /// An open head.
    pub const OPEN: Tip = Tip { shape: TipShape::Open, half: None, circle: false };
    /// A cross.
    pub const CROSS: Tip = Tip { shape: TipShape::Cross, half: None, circle: false };
}

/// Shape of an arrow head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum TipShape {
    None,
    Filled,
    Open,
    Cross,
}

/// Half of an arrow head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Half {
    Upper,
    Lower,
}

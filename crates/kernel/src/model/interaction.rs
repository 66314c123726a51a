//! Interactions: sequence diagrams without their notation (UML 2.5.1 clause 17; rules I1 to I12).
//!
//! An [`Interaction`] is a list of lifelines and a [`Block`]. A block is a sequence of [`Fragment`]s in drawn order.
//! Fragments that only help the reader (notes, dividers, execution bars) stand in the same list, because drawing,
//! printing and merging need their position; [`Fragment::is_drawn_only`] tells them apart.

use crate::id;
use crate::id::{Id, IdVec};
use crate::model::{
    Argument, Caption, Condition, End, InteractionId, Message, Note, Numbering, Operator, Separator,
};
use crate::source::Place;

id! {
    /// A lifeline of an interaction.
    LifelineId
}
id! {
    /// A message of an interaction.
    MessageId
}
id! {
    /// A combined fragment of an interaction.
    FragmentId
}

/// One sequence diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interaction {
    /// The name by which other diagrams and commands refer to it.
    pub name: String,
    /// The title drawn above it, if any.
    pub title: Option<String>,
    /// Other texts around it, at most one of each kind.
    pub captions: Vec<Caption>,
    /// The diagram's block in its file.
    pub place: Place,
    /// Lifelines from left to right.
    pub lifelines: IdVec<LifelineId, Lifeline>,
    /// Messages in drawn order.
    pub messages: IdVec<MessageId, Message>,
    /// What happens.
    pub body: Block,
    /// General orderings (`@order !m1 < ?m3`).
    pub orderings: Vec<GeneralOrdering>,
    /// Times and durations that are demanded or observed.
    pub timings: Vec<Timing>,
    /// Boxes drawn around neighbouring lifelines.
    pub boxes: Vec<LifelineBox>,
    /// Messages between its lifelines that others know, if it has an `ignore` or a `consider`.
    pub known: Vec<KnownMessage>,
}

/// A message that a diagram does not draw, but that other diagrams of its folder draw between its lifelines, or that their
/// classes know (rule I8).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownMessage {
    /// The message type.
    pub name: String,
    /// Arguments, where it is drawn with some.
    pub arguments: Option<Vec<Argument>>,
    /// The sender; `None` outside.
    pub from: Option<LifelineId>,
    /// The receiver; `None` outside.
    pub to: Option<LifelineId>,
}

/// A participant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lifeline {
    /// The name messages use.
    pub name: String,
    /// The text in the head of the lifeline.
    pub label: String,
    /// The class, where the label reads `object : Class`.
    pub class: Option<String>,
    /// How the head is drawn.
    pub kind: LifelineKind,
    /// `<<stereotype>>` texts, without the guillemets.
    pub stereotypes: Vec<String>,
    /// Fill colour as written.
    pub colour: Option<String>,
    /// Whether it was declared, rather than first named by a message.
    pub declared: bool,
    /// Declaration or first use.
    pub place: Place,
}

impl Lifeline {
    /// The label, where it is another word than the name and no `object : Class`: `participant D as Door`.
    pub(crate) fn own_label(&self) -> Option<&String> {
        (self.class.is_none() && self.label != self.name).then_some(&self.label)
    }
}

/// The symbol at the head of a lifeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum LifelineKind {
    Participant,
    Actor,
    Boundary,
    Control,
    Entity,
    Database,
    Collections,
    Queue,
}

/// A frame around neighbouring lifelines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LifelineBox {
    /// Its caption.
    pub label: String,
    /// Fill colour as written.
    pub colour: Option<String>,
    /// The lifelines inside, from left to right.
    pub lifelines: Vec<LifelineId>,
    /// Its declaration.
    pub place: Place,
}

/// Fragments in drawn order, joined by weak sequencing (rule I2).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block(pub Vec<Fragment>);

/// One element of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fragment {
    /// A message, found and lost ones included.
    Message(MessageId),
    /// A lifeline ends here (the cross).
    Stop(Stop),
    /// Something a lifeline does by itself.
    Action(Action),
    /// A state invariant.
    Invariant(Invariant),
    /// An interaction use (`ref`).
    Use(Use),
    /// A combined fragment.
    Combined(Combined),
    /// An execution specification begins or ends.
    Execution(Execution),
    /// A note.
    Note(Note),
    /// A divider, a delay, a space or a page break.
    Separator(Separator),
    /// Messages from here on are numbered otherwise; [`Message::number`] holds the result.
    Numbering(Numbering),
}

impl Fragment {
    /// Whether the fragment has no meaning of its own and only affects the drawing.
    pub fn is_drawn_only(&self) -> bool {
        match self {
            Fragment::Execution(_) | Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => {
                true
            }
            Fragment::Message(_)
            | Fragment::Stop(_)
            | Fragment::Action(_)
            | Fragment::Invariant(_)
            | Fragment::Use(_)
            | Fragment::Combined(_) => false,
        }
    }
}

/// The end of a lifeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The lifeline that ends.
    pub lifeline: LifelineId,
    /// The statement.
    pub place: Place,
}

/// A local action (directive `@action` on a note).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// The lifeline that acts.
    pub lifeline: LifelineId,
    /// What it is called.
    pub name: String,
    /// The statement.
    pub place: Place,
}

/// A condition that must hold when its lifelines reach it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The lifelines it stands on.
    pub lifelines: Vec<LifelineId>,
    /// What must hold.
    pub condition: Condition,
    /// The statement.
    pub place: Place,
}

/// An interaction use: the content of another interaction (rule I9).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// The name as written.
    pub name: String,
    /// The interaction of that name, if there is one.
    pub target: Option<InteractionId>,
    /// The lifelines it covers.
    pub lifelines: Vec<LifelineId>,
    /// The statement.
    pub place: Place,
}

/// A combined fragment. Fragments with the same content are equal, whatever their ids.
#[derive(Clone, Debug)]
pub struct Combined {
    /// Which one of its interaction it is: they are numbered in drawn order, outer before inner, once the interaction is whole
    /// ([`Block::number_fragments`]).
    pub id: FragmentId,
    /// What it means.
    pub operator: Operator,
    /// Its operands from top to bottom; at least one.
    pub operands: Vec<Operand>,
    /// Lifelines it covers besides those its content touches (directive `@covers`).
    pub covers: Vec<LifelineId>,
    /// How it is drawn.
    pub frame: Frame,
    /// From its first to its last line.
    pub place: Place,
}

/// How a combined fragment is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The keyword of the block in its notation: `alt`, `rect`, `group`, `critical`; empty for one that has no frame
    /// (messages drawn at the same height).
    pub keyword: String,
    /// The caption of a frame that is only drawn (`group Caption`).
    pub title: Option<String>,
    /// A second caption (`group Caption [second]`).
    pub subtitle: Option<String>,
    /// Fill colour as written.
    pub colour: Option<String>,
}

/// One operand of a combined fragment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    /// When it may run.
    pub guard: Guard,
    /// A caption that is no guard (`par Alice to Bob`).
    pub title: Option<String>,
    /// Fill colour as written; without one it has that of the frame.
    pub colour: Option<String>,
    /// What it contains.
    pub block: Block,
    /// From its first to its last line.
    pub place: Place,
}

/// The guard of an operand (rules I3, I11).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// None written: true.
    Absent,
    /// `else` without text: none of the others.
    Else,
    /// A condition; the text of an `else` line too.
    Condition(Condition),
}

/// An execution specification begins or ends on a lifeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The active lifeline.
    pub lifeline: LifelineId,
    /// Whether it begins or ends.
    pub bound: Bound,
    /// Fill colour as written.
    pub colour: Option<String>,
    /// The statement.
    pub place: Place,
}

/// Beginning or end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Bound {
    Start,
    Finish,
}

/// One occurrence before another (rule I9).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GeneralOrdering {
    /// What happens first.
    pub before: Occurrence,
    /// What happens later.
    pub after: Occurrence,
    /// The directive.
    pub place: Place,
}

/// A time or a duration that the diagram demands or observes. It is kept and drawn; runs are orders of events without time, so no verdict
/// rests on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Whether it is demanded.
    pub kind: TimingKind,
    /// The occurrence whose time it is, or with which the duration begins.
    pub from: Occurrence,
    /// Where the duration ends; `None` for a time.
    pub to: Option<Occurrence>,
    /// What is demanded (`0..13`), or the name of what is observed.
    pub text: String,
    /// Where it is written.
    pub place: Place,
}

impl Message {
    /// The occurrence that a name for the height of a message means: its sending, its receipt if it comes from outside.
    pub fn anchored(&self, id: MessageId) -> Occurrence {
        match self.from {
            End::Lifeline(_) => Occurrence::Send(id),
            End::Outside(_) => Occurrence::Receive(id),
        }
    }
}

impl Timing {
    /// How it is drawn: `{0..13}`, `t=now`, `d=duration`.
    pub fn label(&self) -> String {
        let Timing { kind, to, text, .. } = self;
        match (kind, to) {
            (TimingKind::Constraint, _) => format!("{{{text}}}"),
            (TimingKind::Observation, None) => format!("{text}=now"),
            (TimingKind::Observation, Some(_)) => format!("{text}=duration"),
        }
    }
}

/// Whether a time is demanded or observed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TimingKind {
    /// A time or duration constraint.
    Constraint,
    /// A time or duration observation.
    Observation,
}

/// One end of a message as something that happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Occurrence {
    /// The message is sent.
    Send(MessageId),
    /// The message is received.
    Receive(MessageId),
}

impl Operand {
    /// An operand without guard and caption.
    pub fn plain(block: Block, place: Place) -> Self {
        Operand { guard: Guard::Absent, title: None, colour: None, block, place }
    }
}

impl Combined {
    /// A fragment that covers what its content touches; it has no number yet.
    pub fn new(operator: Operator, operands: Vec<Operand>, frame: Frame, place: Place) -> Self {
        Combined { id: FragmentId::from_index(0), operator, operands, covers: Vec::new(), frame, place }
    }

    /// Whether it is a frame that is only drawn (`group Text`, `rect`): its content means what it would mean without it.
    pub fn is_drawn_only(&self) -> bool {
        // `group seq` says what it means, and so does a directive over any other block.
        let is_picture = match self.frame.keyword.as_str() {
            "rect" | "partition" => true,
            "group" => self.frame.title.is_some(),
            _ => false,
        };
        let is_bare = self.operands.len() == 1 && self.operands[0].guard == Guard::Absent;
        self.operator == Operator::Seq && is_bare && is_picture
    }
}

impl PartialEq for Combined {
    fn eq(&self, other: &Self) -> bool {
        let Combined { id: _, operator, operands, covers, frame, place } = self;
        (operator, operands, covers, frame, place)
            == (&other.operator, &other.operands, &other.covers, &other.frame, &other.place)
    }
}

impl Eq for Combined {}

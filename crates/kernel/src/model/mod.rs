//! The model: what the user's diagrams say, free of notation.
//!
//! One [`Model`] holds everything read in one invocation: interactions, state machines, classes, objects, and the
//! questions asked about them. Elements keep the order of their declaration and the [`Place`](crate::source::Place)
//! they came from. Names are kept as written; references between elements are typed ids where the reader could resolve
//! them and plain names where resolution belongs to a later step (a lifeline's class, the target of a send).
//!
//! Texts are plain strings in which `\n` separates lines, whatever the notation used for a line break.

mod append;
mod check;
mod class;
mod drawn;
mod extended;
mod interaction;
mod machine;
mod message;
mod operator;
mod picture;
pub mod uses;
mod walk;

pub use check::*;
pub use class::*;
pub use drawn::*;
pub use interaction::*;
pub use machine::*;
pub use message::*;
pub use operator::*;
pub use picture::*;

pub use crate::expression::{BinaryOperator, Condition, Expression, UnaryOperator};

use crate::id;
use crate::id::IdVec;

id! {
    /// An interaction of the model.
    InteractionId
}
id! {
    /// A state machine of the model.
    MachineId
}
id! {
    /// A class of the model.
    ClassId
}
id! {
    /// An object of the model.
    ObjectId
}

/// Everything read in one invocation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// Sequence diagrams.
    pub interactions: IdVec<InteractionId, Interaction>,
    /// State diagrams.
    pub machines: IdVec<MachineId, Machine>,
    /// Classes, interfaces, enumerations, signals, protocols, capsules.
    pub classes: IdVec<ClassId, Class>,
    /// Associations and other relations between classes.
    pub associations: Vec<Association>,
    /// Objects.
    pub objects: IdVec<ObjectId, Object>,
    /// Links between objects.
    pub links: Vec<Link>,
    /// What the diagrams of classes and objects draw for their reader alone.
    pub picture: ClassPicture,
    /// How the objects communicate.
    pub system: SystemSettings,
    /// Questions asked in the diagrams and in the settings file.
    pub checks: Vec<Check>,
    /// Findings that the authors know about.
    pub known: Vec<KnownFinding>,
    /// What asks questions in the diagrams or says what is expected of them, as it is written.
    pub asked: Vec<AskedDirective>,
}

impl Model {
    /// The directives that ask about a diagram, or say what is expected of it, as they are written after the `@`; without a subject those
    /// that stand in diagrams of classes.
    pub fn directives(&self, subject: Option<Subject>) -> impl Iterator<Item = &str> {
        self.asked.iter().filter(move |one| one.subject == subject).map(|one| one.text.as_str())
    }

    /// An interaction and those it uses, near or far, each once, itself first.
    pub fn family(&self, interaction: InteractionId) -> Vec<InteractionId> {
        let mut family = vec![interaction];
        let mut at = 0;
        while let Some(id) = family.get(at).copied() {
            self.interactions[id].walk(&mut |fragment, _| {
                if let Fragment::Use(Use { target: Some(target), .. }) = fragment
                    && !family.contains(target)
                {
                    family.push(*target);
                }
            });
            at += 1;
        }
        family
    }

    /// The lifeline of the first occurrence that is drawn in a block, which for a message is its sending; `inside` are the interactions around the
    /// block, by use, its own last. There the guard of an operand stands (rule I11).
    pub(crate) fn first_drawn(&self, inside: &mut Vec<InteractionId>, block: &Block) -> Option<&Lifeline> {
        let diagram = &self.interactions[*inside.last()?];
        let at = |lifeline: LifelineId| &diagram.lifelines[lifeline];
        block.0.iter().find_map(|fragment| match fragment {
            Fragment::Message(id) => {
                let Message { from, to, .. } = &diagram.messages[*id];
                from.lifeline().or(to.lifeline()).map(at)
            }
            Fragment::Stop(stop) => Some(at(stop.lifeline)),
            Fragment::Action(action) => Some(at(action.lifeline)),
            Fragment::Invariant(invariant) => invariant.lifelines.first().copied().map(at),
            Fragment::Combined(combined) => {
                combined.operands.iter().find_map(|operand| self.first_drawn(inside, &operand.block))
            }
            Fragment::Use(use_) => {
                let target = use_.target.filter(|target| !inside.contains(target))?;
                inside.push(target);
                let first = self.first_drawn(inside, &self.interactions[target].body);
                inside.pop();
                first
            }
            Fragment::Execution(_) | Fragment::Note(_) | Fragment::Separator(_) | Fragment::Numbering(_) => {
                None
            }
        })
    }
}

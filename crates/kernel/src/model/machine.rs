//! State machines (UML 2.5.1 clause 14; rules M1 and M2).
//!
//! A [`Machine`] owns flat lists of regions, vertices and transitions that refer to each other by id; the top regions
//! have no owner. Pseudostates and states are both vertices.

use crate::id;
use crate::id::IdVec;
use crate::model::{Argument, Caption, Condition, Expression, LineLook, NoteLook};
use crate::source::Place;

id! {
    /// A region of a state machine.
    RegionId
}
id! {
    /// A state or pseudostate of a state machine.
    VertexId
}
id! {
    /// A transition of a state machine.
    TransitionId
}

/// One state machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Its name; also the class it belongs to, unless `class` says otherwise.
    pub name: String,
    /// The title drawn above it, if any.
    pub title: Option<String>,
    /// Other texts around it, at most one of each kind.
    pub captions: Vec<Caption>,
    /// The class whose objects behave so (directive `@class`).
    pub class: Option<String>,
    /// Attributes declared for the machine itself (directive `@attribute`).
    pub attributes: Vec<crate::model::Attribute>,
    /// What must hold when an operation or signal is taken, and afterwards (directives `@pre` and `@post`).
    pub contracts: Vec<Contract>,
    /// All regions; those without owner are the machine's own.
    pub regions: IdVec<RegionId, Region>,
    /// All states and pseudostates.
    pub vertices: IdVec<VertexId, Vertex>,
    /// All transitions, internal ones included, in order of declaration.
    pub transitions: IdVec<TransitionId, Transition>,
    /// Notes.
    pub notes: Vec<MachineNote>,
    /// Which way its author wants it drawn.
    pub flow: Option<Flow>,
    /// The diagram's block in its file.
    pub place: Place,
}

/// Which way the drawing of a machine goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flow {
    /// From above.
    Down,
    /// From the left.
    Right,
}

/// A condition on an operation or signal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The operation or signal.
    pub name: String,
    /// Whether it must hold at the end of the step, rather than at its beginning.
    pub is_post: bool,
    /// What must hold.
    pub condition: Condition,
}

/// A region: vertices of which one is active at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// The composite state it belongs to; `None` at the top.
    pub owner: Option<VertexId>,
    /// Its vertices in order of declaration.
    pub vertices: Vec<VertexId>,
    /// Where it begins.
    pub place: Place,
}

/// A state or pseudostate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vertex {
    /// The name transitions use; for initial, final and history vertices a name unique in the machine.
    pub name: String,
    /// The text drawn.
    pub label: String,
    /// The region it lies in.
    pub region: RegionId,
    /// What it is.
    pub kind: VertexKind,
    /// `<<stereotype>>` texts that say nothing about the kind.
    pub stereotypes: Vec<String>,
    /// Fill colour as written.
    pub colour: Option<String>,
    /// Whether it was declared, rather than first named by a transition.
    pub declared: bool,
    /// Declaration or first use.
    pub place: Place,
}

/// The kinds of vertices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VertexKind {
    /// A state; composite if it has regions, orthogonal if it has several.
    State(StateBody),
    /// Where its region begins.
    Initial,
    /// Where its region ends.
    Final,
    /// Branches on values at the time it is reached.
    Choice,
    /// Branches on values at the time the transition fires.
    Junction,
    /// Splits into orthogonal regions.
    Fork,
    /// Joins orthogonal regions.
    Join,
    /// Re-enters the last active substate.
    ShallowHistory,
    /// Re-enters the last active configuration.
    DeepHistory,
    /// Entry point of a composite state.
    Entry,
    /// Exit point of a composite state.
    Exit,
    /// Ends the object.
    Terminate,
}

/// What a state contains.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateBody {
    /// Its regions; empty for a simple state.
    pub regions: Vec<RegionId>,
    /// What it does when entered.
    pub entry: Vec<Effect>,
    /// What it does when left.
    pub exit: Vec<Effect>,
    /// What it does while active.
    pub activity: Vec<Effect>,
    /// Events kept for later.
    pub deferred: Vec<Trigger>,
    /// Descriptions that are none of the above.
    pub description: Vec<String>,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Where it starts.
    pub source: VertexId,
    /// Where it ends; its source for internal ones.
    pub target: VertexId,
    /// External, local or internal.
    pub kind: TransitionKind,
    /// The label as written.
    pub text: String,
    /// What sets it off; empty for completion.
    pub triggers: Vec<Trigger>,
    /// When it may fire.
    pub guard: Option<Condition>,
    /// What it does, in order.
    pub effects: Vec<Effect>,
    /// How it is drawn.
    pub look: LineLook,
    /// The statement.
    pub place: Place,
}

/// Whether a transition leaves its source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TransitionKind {
    /// Leaves its source.
    External,
    /// Stays inside its composite source.
    Local,
    /// Changes no state.
    Internal,
}

/// What sets off a transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Trigger {
    /// A signal or call, with the names its parameters are bound to.
    Event {
        /// The signal or operation.
        name: String,
        /// Parameter names.
        parameters: Vec<String>,
    },
    /// Any event no other transition takes (`any`, `*`).
    Any,
    /// `after(..)`
    After(String),
    /// `when(..)`
    When(Condition),
}

/// One effect of a transition or behaviour of a state (rule M2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// `x := e`, `x = e`, `x++`
    Assign(Assign),
    /// `^bank.verifyPIN(x)`, `bank.verifyPIN(x)`, `^done`, `done`
    Send(Send),
    /// Text that is neither.
    Opaque {
        /// The text.
        text: String,
        /// Where it stands.
        place: Place,
    },
}

impl Effect {
    /// Where it stands.
    pub fn place(&self) -> Place {
        match self {
            Effect::Assign(assign) => assign.place,
            Effect::Send(send) => send.place,
            Effect::Opaque { place, .. } => *place,
        }
    }
}

/// An assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assign {
    /// The attribute, as its parts.
    pub target: Vec<String>,
    /// The new value.
    pub value: Expression,
    /// Where it stands.
    pub place: Place,
}

/// A send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Send {
    /// The receiving object or role, as its parts; empty for any object that takes it.
    pub target: Vec<String>,
    /// The signal or operation.
    pub name: String,
    /// Arguments; `None` when no argument list is written.
    pub arguments: Option<Vec<Argument>>,
    /// Where it stands.
    pub place: Place,
}

/// A note in a state diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineNote {
    /// The vertex it is attached to.
    pub vertex: Option<VertexId>,
    /// The transition it is attached to.
    pub transition: Option<TransitionId>,
    /// How it is drawn.
    pub look: NoteLook,
    /// Its text.
    pub text: String,
    /// The statement.
    pub place: Place,
}

impl Machine {
    /// The machine's own regions.
    pub fn top_regions(&self) -> impl Iterator<Item = RegionId> {
        self.regions.enumerate().filter(|(_, region)| region.owner.is_none()).map(|(id, _)| id)
    }

    /// The composite state around a vertex, if there is one.
    pub fn parent(&self, vertex: VertexId) -> Option<VertexId> {
        self.regions[self.vertices[vertex].region].owner
    }

    /// Whether some transition takes any message (`any`).
    pub(crate) fn takes_all(&self) -> bool {
        self.transitions.iter().any(|transition| transition.triggers.contains(&Trigger::Any))
    }

    /// Everything the machine does: effects of transitions, behaviours of states.
    pub fn effects(&self) -> impl Iterator<Item = &Effect> {
        let on_transitions = self.transitions.iter().flat_map(|transition| transition.effects.iter());
        let in_states = self.vertices.iter().filter_map(|vertex| vertex.kind.body());
        let of_states = in_states.flat_map(|body| [&body.entry, &body.exit, &body.activity]);
        on_transitions.chain(of_states.flatten())
    }

    /// The messages that it takes by name.
    pub fn triggers(&self) -> impl Iterator<Item = &str> {
        let triggers = self.transitions.iter().flat_map(|transition| &transition.triggers);
        triggers.filter_map(|trigger| match trigger {
            Trigger::Event { name, .. } => Some(name.as_str()),
            Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
        })
    }

    /// Whether a region sends a message without target that an orthogonal region has as a trigger.
    pub fn is_heard_inside(&self, name: &str) -> bool {
        let is_sent = |effects: &[Effect]| {
            let mut sends = effects.iter().filter_map(|effect| match effect {
                Effect::Send(send) => Some(send),
                Effect::Assign(_) | Effect::Opaque { .. } => None,
            });
            sends.any(|send| send.target.is_empty() && send.name == name)
        };
        let takes = |transition: &&Transition| {
            let mut triggers = transition.triggers.iter();
            triggers.any(|trigger| matches!(trigger, Trigger::Event { name: own, .. } if own == name))
        };
        let sending = self.transitions.iter().filter(|one| is_sent(&one.effects)).map(|one| one.source);
        let in_states = self.vertices.enumerate().filter(|(_, vertex)| {
            vertex.kind.body().is_some_and(|body| {
                [&body.entry, &body.exit, &body.activity].into_iter().any(|effects| is_sent(effects))
            })
        });
        let senders: Vec<VertexId> = sending.chain(in_states.map(|(id, _)| id)).collect();
        let mut takers = self.transitions.iter().filter(takes).map(|one| one.source);
        takers.any(|taker| senders.iter().any(|sender| self.are_orthogonal(*sender, taker)))
    }

    /// Whether two vertices lie in different regions of one state, or of the machine itself.
    fn are_orthogonal(&self, one: VertexId, other: VertexId) -> bool {
        let around = |vertex: VertexId| {
            let parents = std::iter::successors(Some(vertex), |at| self.parent(*at));
            parents.map(|at| self.vertices[at].region).collect::<Vec<RegionId>>()
        };
        let others = around(other);
        around(one).into_iter().any(|region| {
            others.iter().any(|far| *far != region && self.regions[*far].owner == self.regions[region].owner)
        })
    }

    /// Everything the machine sends.
    pub fn sends(&self) -> impl Iterator<Item = &Send> {
        self.effects().filter_map(|effect| match effect {
            Effect::Send(send) => Some(send),
            Effect::Assign(_) | Effect::Opaque { .. } => None,
        })
    }
}

impl VertexKind {
    /// What a state contains; `None` for other vertices.
    pub fn body(&self) -> Option<&StateBody> {
        match self {
            VertexKind::State(body) => Some(body),
            VertexKind::Initial
            | VertexKind::Final
            | VertexKind::Choice
            | VertexKind::Junction
            | VertexKind::Fork
            | VertexKind::Join
            | VertexKind::ShallowHistory
            | VertexKind::DeepHistory
            | VertexKind::Entry
            | VertexKind::Exit
            | VertexKind::Terminate => None,
        }
    }
}

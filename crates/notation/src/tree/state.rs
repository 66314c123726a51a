//! Statements of state diagrams.

use sequent_kernel::model::{LineLook, NoteLook};

use super::{Name, Text};

/// One statement of a state diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StateStatement {
    /// A state or pseudostate is declared, perhaps with a body.
    State(VertexDeclaration),
    /// The end of a composite state.
    Close,
    /// The line between two regions.
    Region,
    /// A transition.
    Transition(TransitionStatement),
    /// An arrow that is not drawn (`A -[hidden]-> B`): no transition, but its ends exist.
    Hidden([Endpoint; 2]),
    /// `S : text`, one line of a state's description.
    Description {
        /// The state.
        name: Name,
        /// The line.
        text: Text,
    },
    /// A note.
    Note(StateNote),
    /// PlantUML's `set separator ::`: what divides the parts of a path from here on; `None` if names have no parts.
    Separator(Option<String>),
}

/// The declaration of a vertex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VertexDeclaration {
    /// Name and label.
    pub name: Name,
    /// `<<stereotypes>>` without the guillemets: `choice`, `fork`, `entryPoint`, or anything.
    pub stereotypes: Vec<String>,
    /// Fill colour.
    pub colour: Option<String>,
    /// Description after a `:`.
    pub description: Option<Text>,
    /// Whether a body follows, up to [`StateStatement::Close`].
    pub opens: bool,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransitionStatement {
    /// Where it starts.
    pub from: Endpoint,
    /// Where it ends.
    pub to: Endpoint,
    /// Label, uninterpreted.
    pub text: Text,
    /// Whether it stays inside its composite source (`A --> B <<local>>`, a convention of ours).
    pub local: bool,
    /// How it is drawn.
    pub look: LineLook,
}

/// One end of a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Endpoint {
    /// A state by name.
    Name(Name),
    /// `[*]`: initial as a source, final as a target.
    Star,
    /// `[*]S`: the initial or final vertex inside the state named.
    StarOf(Name),
    /// `[H]`, `[H*]`: history of the region it stands in.
    History {
        /// `[H*]`.
        deep: bool,
    },
    /// `S[H]`, `S[H*]`: history of the state named.
    HistoryOf {
        /// The state.
        name: Name,
        /// `[H*]`.
        deep: bool,
    },
    /// `==name==`: a synchronisation bar.
    Bar(Name),
}

/// A note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateNote {
    /// What it is attached to.
    pub target: StateNoteTarget,
    /// How it is drawn.
    pub look: NoteLook,
    /// Text.
    pub text: Text,
}

/// What a note is attached to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StateNoteTarget {
    /// A state.
    Name(Name),
    /// The element before it: the last state, or the last transition for `note on link`.
    Last,
    /// The last transition (`note on link`).
    LastTransition,
    /// Nothing; it floats, with a name by which it may be linked.
    Floating(Option<Name>),
}

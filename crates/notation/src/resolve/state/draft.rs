//! A state machine while its diagram is being read: nodes may still move, turn into composites, or prove to be notes.
//!
//! The two notations look names up differently, so each fills a [`MachineDraft`] its own way; [`MachineDraft::finish`] turns it into a
//! machine.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{LineLook, NoteLook, StateBody, TransitionKind, VertexKind};
use sequent_kernel::source::Span;

use crate::tree::Text;

/// Deeper nesting than any diagram has; composites further in are read as if they were not composites.
pub(super) const DEEPEST: usize = 200;

/// The complaint about a composite that is nested too deeply.
pub(super) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(Code::TooDeep, span, format!("states are nested more than {DEEPEST} deep"))
}

/// A node of the diagram, by its position in [`MachineDraft::nodes`].
pub(super) type DraftNodeId = usize;
/// A region of the diagram, by its position in [`MachineDraft::regions`].
pub(super) type DraftRegion = usize;

/// A machine under construction.
pub(super) struct MachineDraft {
    pub nodes: Vec<DraftNode>,
    /// The composite around each region; the first region is the diagram's own.
    pub regions: Vec<(Option<DraftNodeId>, Span)>,
    pub edges: Vec<DraftEdge>,
    pub notes: Vec<DraftNote>,
}

/// A vertex, or something that only looks like one.
pub(super) struct DraftNode {
    pub name: String,
    pub label: Option<String>,
    pub shape: DraftShape,
    pub region: DraftRegion,
    pub stereotypes: Vec<String>,
    pub colour: Option<String>,
    pub descriptions: Vec<Text>,
    pub declared: bool,
    /// Its first region, for a composite state.
    pub inside: Option<DraftRegion>,
    pub span: Span,
}

impl DraftNode {
    /// A node with nothing but its name, shape and place.
    pub(crate) fn new(name: &str, shape: DraftShape, region: DraftRegion, span: Span) -> Self {
        DraftNode {
            name: name.to_owned(),
            label: None,
            shape,
            region,
            stereotypes: Vec::new(),
            colour: None,
            descriptions: Vec::new(),
            declared: false,
            inside: None,
            span,
        }
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DraftShape {
    /// A vertex of this kind; states get their bodies at the end.
    Vertex(DraftVertexKind),
    /// `[*]`, `[H]`: a vertex without a name of its own.
    Anonymous(DraftVertexKind),
    /// `==bar==`: a fork or a join, as its transitions tell.
    Bar,
    /// A note or a piece of data.
    Note,
}

/// The kind of a vertex, without content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DraftVertexKind {
    State,
    Initial,
    Final,
    Choice,
    Junction,
    Fork,
    Join,
    ShallowHistory,
    DeepHistory,
    Entry,
    Exit,
    Terminate,
}

/// A transition between nodes.
pub(super) struct DraftEdge {
    pub from: DraftNodeId,
    pub to: DraftNodeId,
    pub text: Text,
    pub kind: TransitionKind,
    pub look: LineLook,
    pub span: Span,
}

/// A note on a node, an edge, or nothing.
pub(super) struct DraftNote {
    pub node: Option<DraftNodeId>,
    pub edge: Option<usize>,
    pub look: NoteLook,
    pub text: String,
    pub span: Span,
}

impl DraftVertexKind {
    /// The kind that a stereotype asks for, in either notation; `terminate` and `junction` are our convention.
    pub(crate) fn of_stereotype(stereotype: &str) -> Option<DraftVertexKind> {
        Some(match stereotype.to_lowercase().as_str() {
            "choice" => DraftVertexKind::Choice,
            "junction" => DraftVertexKind::Junction,
            "fork" => DraftVertexKind::Fork,
            "join" => DraftVertexKind::Join,
            "start" => DraftVertexKind::Initial,
            "end" => DraftVertexKind::Final,
            "history" => DraftVertexKind::ShallowHistory,
            "history*" => DraftVertexKind::DeepHistory,
            "entrypoint" | "inputpin" | "expansioninput" => DraftVertexKind::Entry,
            "exitpoint" | "outputpin" | "expansionoutput" => DraftVertexKind::Exit,
            "terminate" => DraftVertexKind::Terminate,
            _ => return None,
        })
    }

    /// Where an anonymous vertex stands in its region.
    pub(crate) fn rank(self) -> u8 {
        match self {
            DraftVertexKind::Initial => 0,
            DraftVertexKind::ShallowHistory => 1,
            DraftVertexKind::DeepHistory => 2,
            DraftVertexKind::State
            | DraftVertexKind::Choice
            | DraftVertexKind::Junction
            | DraftVertexKind::Fork
            | DraftVertexKind::Join
            | DraftVertexKind::Entry
            | DraftVertexKind::Exit
            | DraftVertexKind::Terminate => 3,
            DraftVertexKind::Final => 5,
        }
    }

    /// How an anonymous vertex is called, followed by the name of the composite around it.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            DraftVertexKind::Initial => "*start*",
            DraftVertexKind::Final => "*end*",
            DraftVertexKind::ShallowHistory => "*history*",
            DraftVertexKind::DeepHistory => "*deephistory*",
            DraftVertexKind::State
            | DraftVertexKind::Choice
            | DraftVertexKind::Junction
            | DraftVertexKind::Fork
            | DraftVertexKind::Join
            | DraftVertexKind::Entry
            | DraftVertexKind::Exit
            | DraftVertexKind::Terminate => "*",
        }
    }

    pub(crate) fn vertex(self, body: StateBody) -> VertexKind {
        match self {
            DraftVertexKind::State => VertexKind::State(body),
            DraftVertexKind::Initial => VertexKind::Initial,
            DraftVertexKind::Final => VertexKind::Final,
            DraftVertexKind::Choice => VertexKind::Choice,
            DraftVertexKind::Junction => VertexKind::Junction,
            DraftVertexKind::Fork => VertexKind::Fork,
            DraftVertexKind::Join => VertexKind::Join,
            DraftVertexKind::ShallowHistory => VertexKind::ShallowHistory,
            DraftVertexKind::DeepHistory => VertexKind::DeepHistory,
            DraftVertexKind::Entry => VertexKind::Entry,
            DraftVertexKind::Exit => VertexKind::Exit,
            DraftVertexKind::Terminate => VertexKind::Terminate,
        }
    }
}

impl MachineDraft {
    /// An empty diagram.
    pub(crate) fn new(span: Span) -> Self {
        MachineDraft { nodes: Vec::new(), regions: vec![(None, span)], edges: Vec::new(), notes: Vec::new() }
    }

    /// Adds a node.
    pub(crate) fn add(&mut self, node: DraftNode) -> DraftNodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a region to a composite state, or to the diagram.
    pub(crate) fn add_region(&mut self, owner: Option<DraftNodeId>, span: Span) -> DraftRegion {
        self.regions.push((owner, span));
        self.regions.len() - 1
    }

    /// The first region of a node, which becomes a composite state by it.
    pub(crate) fn inside(&mut self, node: DraftNodeId, span: Span) -> DraftRegion {
        if let Some(region) = self.nodes[node].inside {
            return region;
        }
        let region = self.add_region(Some(node), span);
        self.nodes[node].inside = Some(region);
        self.nodes[node].shape = DraftShape::Vertex(DraftVertexKind::State);
        region
    }

    /// Whether transitions may lead to a node.
    pub(crate) fn is_vertex(&self, node: DraftNodeId) -> bool {
        self.nodes[node].shape != DraftShape::Note
    }
}

//! A state machine while its diagram is being read: nodes may still move, turn into composites, or prove to be notes.
//!
//! The two notations look names up differently, so each fills a [`Draft`] its own way; [`Draft::finish`] turns it into a
//! machine.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{StateBody, TransitionKind, VertexKind};
use sequent_kernel::source::Span;

use crate::tree::Text;

/// Deeper nesting than any diagram has; composites further in are read as if they were not composites.
pub(super) const DEEPEST: usize = 200;

/// The complaint about a composite that is nested too deeply.
pub(super) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(Code::TooDeep, span, format!("states are nested more than {DEEPEST} deep"))
}

/// A node of the diagram, by its position in [`Draft::nodes`].
pub(super) type NodeId = usize;
/// A region of the diagram, by its position in [`Draft::regions`].
pub(super) type DraftRegion = usize;

/// A machine under construction.
pub(super) struct Draft {
    pub nodes: Vec<Node>,
    /// The composite around each region; the first region is the diagram's own.
    pub regions: Vec<(Option<NodeId>, Span)>,
    pub edges: Vec<Edge>,
    pub notes: Vec<DraftNote>,
}

/// A vertex, or something that only looks like one.
pub(super) struct Node {
    pub name: String,
    pub label: Option<String>,
    pub shape: Shape,
    pub region: DraftRegion,
    pub stereotypes: Vec<String>,
    pub colour: Option<String>,
    pub descriptions: Vec<Text>,
    pub declared: bool,
    /// Its first region, for a composite state.
    pub inside: Option<DraftRegion>,
    pub span: Span,
}

impl Node {
    /// A node with nothing but its name, shape and place.
    pub fn new(name: &str, shape: Shape, region: DraftRegion, span: Span) -> Self {
        Node {
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
pub(super) enum Shape {
    /// A vertex of this kind; states get their bodies at the end.
    Vertex(Kind),
    /// `[*]`, `[H]`: a vertex without a name of its own.
    Anonymous(Kind),
    /// `==bar==`: a fork or a join, as its transitions tell.
    Bar,
    /// A note or a piece of data.
    Note,
}

/// The kind of a vertex, without content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
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
pub(super) struct Edge {
    pub from: NodeId,
    pub to: NodeId,
    pub text: Text,
    pub kind: TransitionKind,
    pub span: Span,
}

/// A note on a node, an edge, or nothing.
pub(super) struct DraftNote {
    pub node: Option<NodeId>,
    pub edge: Option<usize>,
    pub text: String,
    pub span: Span,
}

impl Kind {
    /// The kind that a stereotype asks for, in either notation; `terminate` and `junction` are our convention.
    pub fn of_stereotype(stereotype: &str) -> Option<Kind> {
        Some(match stereotype.to_lowercase().as_str() {
            "choice" => Kind::Choice,
            "junction" => Kind::Junction,
            "fork" => Kind::Fork,
            "join" => Kind::Join,
            "start" => Kind::Initial,
            "end" => Kind::Final,
            "history" => Kind::ShallowHistory,
            "history*" => Kind::DeepHistory,
            "entrypoint" | "inputpin" | "expansioninput" => Kind::Entry,
            "exitpoint" | "outputpin" | "expansionoutput" => Kind::Exit,
            "terminate" => Kind::Terminate,
            _ => return None,
        })
    }

    /// Where an anonymous vertex stands in its region.
    pub fn rank(self) -> u8 {
        match self {
            Kind::Initial => 0,
            Kind::ShallowHistory => 1,
            Kind::DeepHistory => 2,
            Kind::State
            | Kind::Choice
            | Kind::Junction
            | Kind::Fork
            | Kind::Join
            | Kind::Entry
            | Kind::Exit
            | Kind::Terminate => 3,
            Kind::Final => 5,
        }
    }

    /// How an anonymous vertex is called, followed by the name of the composite around it.
    pub fn prefix(self) -> &'static str {
        match self {
            Kind::Initial => "*start*",
            Kind::Final => "*end*",
            Kind::ShallowHistory => "*history*",
            Kind::DeepHistory => "*deephistory*",
            Kind::State
            | Kind::Choice
            | Kind::Junction
            | Kind::Fork
            | Kind::Join
            | Kind::Entry
            | Kind::Exit
            | Kind::Terminate => "*",
        }
    }

    pub fn vertex(self, body: StateBody) -> VertexKind {
        match self {
            Kind::State => VertexKind::State(body),
            Kind::Initial => VertexKind::Initial,
            Kind::Final => VertexKind::Final,
            Kind::Choice => VertexKind::Choice,
            Kind::Junction => VertexKind::Junction,
            Kind::Fork => VertexKind::Fork,
            Kind::Join => VertexKind::Join,
            Kind::ShallowHistory => VertexKind::ShallowHistory,
            Kind::DeepHistory => VertexKind::DeepHistory,
            Kind::Entry => VertexKind::Entry,
            Kind::Exit => VertexKind::Exit,
            Kind::Terminate => VertexKind::Terminate,
        }
    }
}

impl Draft {
    /// An empty diagram.
    pub fn new(span: Span) -> Self {
        Draft { nodes: Vec::new(), regions: vec![(None, span)], edges: Vec::new(), notes: Vec::new() }
    }

    /// Adds a node.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a region to a composite state, or to the diagram.
    pub fn add_region(&mut self, owner: Option<NodeId>, span: Span) -> DraftRegion {
        self.regions.push((owner, span));
        self.regions.len() - 1
    }

    /// The first region of a node, which becomes a composite state by it.
    pub fn inside(&mut self, node: NodeId, span: Span) -> DraftRegion {
        if let Some(region) = self.nodes[node].inside {
            return region;
        }
        let region = self.add_region(Some(node), span);
        self.nodes[node].inside = Some(region);
        self.nodes[node].shape = Shape::Vertex(Kind::State);
        region
    }

    /// Whether transitions may lead to a node.
    pub fn is_vertex(&self, node: NodeId) -> bool {
        self.nodes[node].shape != Shape::Note
    }
}

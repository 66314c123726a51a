//! A state machine while its diagram is being read: nodes may still move, turn into composites, or prove to be notes.
//!
//! The two notations look names up differently, so each fills a [`Draft`] its own way; [`Draft::finish`] turns it into a
//! [`Machine`]. The machine's order does not depend on how the text was scattered: a composite's vertices follow it
//! directly; in a region the initial vertex comes first, then history, then the declared ones as they appeared, then
//! those that only transitions name, then the final one. Internal transitions come before the others, by vertex. So a printer can lay a machine out anew and reading
//! gives the same machine.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    Machine, MachineNote, StateBody, Transition, TransitionId, TransitionKind, Vertex, VertexId, VertexKind,
};
use sequent_kernel::source::Span;

use super::layout::Layout;
use crate::label::{self, Description, Label};
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

/// A machine in the making.
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

    fn vertex(self, body: StateBody) -> VertexKind {
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

    /// The machine, without name and attributes.
    pub fn finish(mut self, span: Span) -> Machine {
        self.settle_bars();
        let layout = Layout::of(&self);
        let mut machine = Machine {
            name: String::new(),
            title: None,
            class: None,
            attributes: Vec::new(),
            contracts: Vec::new(),
            regions: layout.regions(&self),
            vertices: IdVec::new(),
            transitions: IdVec::new(),
            notes: Vec::new(),
            place: span.into(),
        };
        for node in &layout.order {
            let vertex = self.vertex(*node, &layout, &mut machine.transitions);
            machine.vertices.push(vertex);
        }
        let edges = self.transitions(&layout, &mut machine);
        machine.notes = self.finished_notes(&layout, &edges);
        machine
    }

    /// A bar with several transitions in is a join, any other a fork; its signs declare it.
    fn settle_bars(&mut self) {
        let mut incoming = vec![0; self.nodes.len()];
        self.edges.iter().for_each(|edge| incoming[edge.to] += 1);
        for (node, incoming) in self.nodes.iter_mut().zip(incoming) {
            if node.shape == Shape::Bar {
                node.shape = Shape::Vertex(if incoming > 1 { Kind::Join } else { Kind::Fork });
                node.declared = true;
            }
        }
    }

    /// The vertex of a node. Internal transitions in its description are added to `transitions`.
    fn vertex(
        &self,
        id: NodeId,
        layout: &Layout,
        transitions: &mut IdVec<TransitionId, Transition>,
    ) -> Vertex {
        let node = &self.nodes[id];
        let region = layout.region_ids[node.region].expect("the region of a vertex is kept");
        let (name, kind) = match node.shape {
            Shape::Anonymous(kind) => (self.anonymous_name(id, kind, layout), kind),
            Shape::Vertex(kind) => (node.name.clone(), kind),
            Shape::Bar | Shape::Note => unreachable!("bars are settled and notes are not laid out"),
        };
        let mut body = StateBody { regions: layout.regions_of(id), ..StateBody::default() };
        let vertex = layout.vertex_ids[id].expect("a vertex is laid out");
        for text in &node.descriptions {
            describe(&mut body, text, vertex, transitions);
        }
        let label = match node.shape {
            Shape::Anonymous(_) => String::new(),
            Shape::Vertex(_) | Shape::Bar | Shape::Note => {
                node.label.clone().unwrap_or_else(|| node.name.clone())
            }
        };
        Vertex {
            name,
            label,
            region,
            kind: kind.vertex(body),
            stereotypes: node.stereotypes.clone(),
            colour: node.colour.clone(),
            declared: node.declared,
            place: node.span.into(),
        }
    }

    /// `*start*`, `*start*Composite`, and with `#2` for the second region of a composite.
    fn anonymous_name(&self, id: NodeId, kind: Kind, layout: &Layout) -> String {
        let region = self.nodes[id].region;
        let owner = self.regions[region].0;
        let owner_name = owner.map_or("", |owner| self.nodes[owner].name.as_str());
        let position = layout.position[region];
        let number = if position == 0 { String::new() } else { format!("#{}", position + 1) };
        format!("{}{owner_name}{number}", kind.prefix())
    }

    /// Adds the transitions; the result says which transition each edge became.
    fn transitions(&self, layout: &Layout, machine: &mut Machine) -> Vec<Option<TransitionId>> {
        let one = |edge: &Edge| {
            let source = layout.vertex_ids[edge.from]?;
            let target = layout.vertex_ids[edge.to]?;
            let label = match machine.vertices[source].kind {
                VertexKind::Choice | VertexKind::Junction => label::branch(&edge.text.text, edge.text.span),
                VertexKind::State(_)
                | VertexKind::Initial
                | VertexKind::Final
                | VertexKind::Fork
                | VertexKind::Join
                | VertexKind::ShallowHistory
                | VertexKind::DeepHistory
                | VertexKind::Entry
                | VertexKind::Exit
                | VertexKind::Terminate => label::transition(&edge.text.text, edge.text.span),
            };
            Some(machine.transitions.push(transition(source, target, label, edge)))
        };
        self.edges.iter().map(one).collect()
    }

    /// Notes on transitions first, in their order, then the others.
    fn finished_notes(&self, layout: &Layout, edges: &[Option<TransitionId>]) -> Vec<MachineNote> {
        let note = |note: &DraftNote| MachineNote {
            vertex: note.node.and_then(|node| layout.vertex_ids[node]),
            transition: note.edge.and_then(|edge| edges[edge]),
            text: note.text.clone(),
            place: note.span.into(),
        };
        let mut notes: Vec<MachineNote> = self.notes.iter().map(note).collect();
        notes.sort_by_key(|note| (note.transition.is_none(), note.transition));
        notes
    }
}

fn transition(source: VertexId, target: VertexId, label: Label, edge: &Edge) -> Transition {
    Transition {
        source,
        target,
        kind: edge.kind,
        text: edge.text.text.clone(),
        triggers: label.triggers,
        guard: label.guard,
        effects: label.effects,
        place: edge.span.into(),
    }
}

/// Adds one line of a description to the state's body.
fn describe(
    body: &mut StateBody,
    text: &Text,
    vertex: VertexId,
    transitions: &mut IdVec<TransitionId, Transition>,
) {
    match label::description(&text.text, text.span) {
        Description::Entry(effects) => body.entry.extend(effects),
        Description::Exit(effects) => body.exit.extend(effects),
        Description::Activity(effects) => body.activity.extend(effects),
        Description::Defer(triggers) => body.deferred.extend(triggers),
        Description::Internal(label) => {
            let kind = TransitionKind::Internal;
            let edge = Edge { from: 0, to: 0, text: text.clone(), kind, span: text.span };
            transitions.push(transition(vertex, vertex, label, &edge));
        }
        Description::Text => body.description.push(text.text.clone()),
    }
}

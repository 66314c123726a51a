//! From a draft to the machine.
//!
//! The machine's order does not depend on how the text was scattered: a composite's vertices follow it
//! directly; in a region the initial vertex comes first, then history, then the declared ones as they appeared, then
//! those that only transitions name, then the final one. Internal transitions come before the others, by vertex. So a
//! printer can lay a machine out anew and reading gives the same machine.

use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    LineLook, Machine, MachineNote, StateBody, Transition, TransitionId, TransitionKind, Vertex, VertexId,
    VertexKind,
};
use sequent_kernel::source::Span;

use super::draft::{DraftEdge, DraftNodeId, DraftNote, DraftShape, DraftVertexKind, MachineDraft};
use super::layout::DraftOrder;
use crate::label::{self, Description, TransitionLabel};
use crate::tree::Text;

impl MachineDraft {
    /// The machine, without name and attributes.
    pub(crate) fn finish(mut self, span: Span) -> Machine {
        self.settle_bars();
        let layout = DraftOrder::of(&self);
        let mut machine = Machine {
            name: String::new(),
            title: None,
            captions: Vec::new(),
            class: None,
            attributes: Vec::new(),
            contracts: Vec::new(),
            regions: layout.regions(&self),
            vertices: IdVec::new(),
            transitions: IdVec::new(),
            notes: Vec::new(),
            flow: None,
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
            if node.shape == DraftShape::Bar {
                node.shape = DraftShape::Vertex(if incoming > 1 {
                    DraftVertexKind::Join
                } else {
                    DraftVertexKind::Fork
                });
                node.declared = true;
            }
        }
    }

    /// The vertex of a node. Internal transitions in its description are added to `transitions`.
    fn vertex(
        &self,
        id: DraftNodeId,
        layout: &DraftOrder,
        transitions: &mut IdVec<TransitionId, Transition>,
    ) -> Vertex {
        let node = &self.nodes[id];
        let region = layout.region_ids[node.region].expect("the region of a vertex is kept");
        let (name, kind) = match node.shape {
            DraftShape::Anonymous(kind) => (self.anonymous_name(id, kind, layout), kind),
            DraftShape::Vertex(kind) => (node.name.clone(), kind),
            DraftShape::Bar | DraftShape::Note => unreachable!("bars are settled and notes are not laid out"),
        };
        let mut body = StateBody { regions: layout.regions_of(id), ..StateBody::default() };
        let vertex = layout.vertex_ids[id].expect("a vertex is laid out");
        for text in &node.descriptions {
            describe(&mut body, text, vertex, transitions);
        }
        let label = match node.shape {
            DraftShape::Anonymous(_) => String::new(),
            DraftShape::Vertex(_) | DraftShape::Bar | DraftShape::Note => {
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
    fn anonymous_name(&self, id: DraftNodeId, kind: DraftVertexKind, layout: &DraftOrder) -> String {
        let region = self.nodes[id].region;
        let owner = self.regions[region].0;
        let owner_name = owner.map_or("", |owner| self.nodes[owner].name.as_str());
        let position = layout.position[region];
        let number = if position == 0 { String::new() } else { format!("#{}", position + 1) };
        format!("{}{owner_name}{number}", kind.prefix())
    }

    /// Adds the transitions; the result says which transition each edge became.
    fn transitions(&self, layout: &DraftOrder, machine: &mut Machine) -> Vec<Option<TransitionId>> {
        let one = |edge: &DraftEdge| {
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
    fn finished_notes(&self, layout: &DraftOrder, edges: &[Option<TransitionId>]) -> Vec<MachineNote> {
        let note = |note: &DraftNote| MachineNote {
            vertex: note.node.and_then(|node| layout.vertex_ids[node]),
            transition: note.edge.and_then(|edge| edges[edge]),
            look: note.look.clone(),
            text: note.text.clone(),
            place: note.span.into(),
        };
        let mut notes: Vec<MachineNote> = self.notes.iter().map(note).collect();
        notes.sort_by_key(|note| (note.transition.is_none(), note.transition));
        notes
    }
}

fn transition(source: VertexId, target: VertexId, label: TransitionLabel, edge: &DraftEdge) -> Transition {
    Transition {
        source,
        target,
        kind: edge.kind,
        text: edge.text.text.clone(),
        triggers: label.triggers,
        guard: label.guard,
        effects: label.effects,
        look: edge.look.clone(),
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
            let look = LineLook::default();
            let edge = DraftEdge { from: 0, to: 0, text: text.clone(), kind, look, span: text.span };
            transitions.push(transition(vertex, vertex, label, &edge));
        }
        Description::Text => body.description.push(text.text.clone()),
    }
}

//! State machines: from the elements of UML to a [`Machine`].
//!
//! Regions and vertices are added first, wherever they lie, then transitions, which any region may own. A submachine state gets a copy
//! of the submachine's regions, so that the model knows only composite states; its connection points become entry and exit points.
//! The same submachine may be used several times, therefore elements are looked up together with the copy they belong to (`Scope`).
//! A machine that extends another holds what it inherits ([`extension`]).
//! In XMI 1 a composite state holds vertices itself, and is a region of its own.

mod extension;
mod submachine;
mod transition;
mod vertex;

use std::collections::HashMap;

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::id;
use sequent_kernel::id::IdVec;
use sequent_kernel::model::{
    Contract, Machine, MachineNote, NoteLook, Region, RegionId, TransitionId, Vertex, VertexId, VertexKind,
};
use sequent_kernel::source::Place;

pub(super) use transition::printed;

use super::class;
use super::reader::{MOST_COPIES, UniqueNames, XmiReader};
use super::text;
use super::tree::NodeId;
use crate::expression;

id! {
    /// The machine itself, or one copy of a submachine.
    Scope
}

/// Submachines nested deeper are not read.
const DEEPEST: usize = 64;

/// Reads a state machine under a name.
pub(crate) fn machine(reader: &mut XmiReader, node: NodeId, name: String) -> Machine {
    let tree = reader.tree;
    let class = owner(reader, node).filter(|class| *class != name);
    let machine = Machine {
        name,
        title: None,
        captions: Vec::new(),
        class,
        attributes: Vec::new(),
        contracts: Vec::new(),
        regions: IdVec::new(),
        vertices: IdVec::new(),
        transitions: IdVec::new(),
        notes: Vec::new(),
        flow: None,
        place: tree.node(node).whole.into(),
    };
    let mut builder = XmiMachineBuilder {
        reader,
        machine,
        scopes: IdVec::new(),
        vertices: HashMap::new(),
        transitions: HashMap::new(),
        regions: HashMap::new(),
        names: UniqueNames::default(),
        open: Vec::new(),
        is_full: false,
    };
    builder.build(node);
    let mut machine = builder.machine;
    if machine.top_regions().next().is_none() {
        let place = machine.place;
        machine.regions.push(Region { owner: None, vertices: Vec::new(), place });
    }
    machine
}

/// The class whose behaviour a machine is.
fn owner(reader: &XmiReader, node: NodeId) -> Option<String> {
    let tree = reader.tree;
    let context = tree.first(node, "context").or(tree.node(node).parent)?;
    let is_class = matches!(tree.kind(context), "Class" | "Component" | "Actor" | "Interface");
    (is_class && !tree.name(context).is_empty()).then(|| tree.name(context).to_owned())
}

/// A copy of a machine's elements.
struct Copy {
    /// The machine.
    machine: NodeId,
    /// The copy that this one is made for, if it is a submachine.
    around: Option<Scope>,
    /// The copies of submachines in it.
    inside: Vec<Scope>,
}

struct XmiMachineBuilder<'r, 't, 'd> {
    reader: &'r mut XmiReader<'t, 'd>,
    machine: Machine,
    scopes: IdVec<Scope, Copy>,
    vertices: HashMap<(Scope, NodeId), VertexId>,
    transitions: HashMap<(Scope, NodeId), TransitionId>,
    regions: HashMap<(Scope, NodeId), RegionId>,
    names: UniqueNames,
    /// The vertices that are being read, outer before inner.
    open: Vec<(Scope, NodeId)>,
    is_full: bool,
}

impl XmiMachineBuilder<'_, '_, '_> {
    fn build(&mut self, node: NodeId) {
        let tree = self.reader.tree;
        let attributes = extension::parts(self.reader, node, "ownedAttribute");
        let attributes = attributes.into_iter().filter(|one| !tree.name(*one).is_empty());
        self.machine.attributes = attributes.map(|one| class::attribute(self.reader, one)).collect();
        let scope = self.scopes.push(Copy { machine: node, around: None, inside: Vec::new() });
        let regions = self.regions(scope, node, None);
        if let Some(first) = regions.first() {
            self.points(scope, node, *first);
        }
        for machine in extension::lineage(self.reader, node) {
            self.strays(scope, machine);
        }
        let scopes: Vec<Scope> = self.scopes.ids().collect();
        scopes.into_iter().for_each(|scope| self.transitions(scope));
        self.conditions(node);
        self.notes(scope, node);
    }

    /// Adds the regions of a machine or a state, with their vertices.
    fn regions(&mut self, scope: Scope, node: NodeId, owner: Option<VertexId>) -> Vec<RegionId> {
        let tree = self.reader.tree;
        let mut holders = extension::parts(self.reader, node, "region");
        holders.extend(tree.parts(node, "top"));
        if tree.parts(node, "subvertex").next().is_some() {
            let parts: Vec<NodeId> = tree.parts(node, "subvertex").collect();
            match tree.is(node, "isConcurrent") {
                true => holders.extend(parts),
                false => holders.push(node),
            }
        }
        // A region of a state without vertices is nothing that the state could be in.
        holders.retain(|holder| {
            owner.is_none() || !extension::parts(self.reader, *holder, "subvertex").is_empty()
        });
        holders.into_iter().map(|holder| self.region(scope, holder, owner)).collect()
    }

    fn region(&mut self, scope: Scope, holder: NodeId, owner: Option<VertexId>) -> RegionId {
        let tree = self.reader.tree;
        let place = Place(tree.span(holder));
        let id = self.machine.regions.push(Region { owner, vertices: Vec::new(), place });
        for one in extension::lineage(self.reader, holder) {
            self.regions.insert((scope, one), id);
        }
        for node in extension::parts(self.reader, holder, "subvertex") {
            self.vertex(scope, node, id);
        }
        id
    }

    /// Adds the entry and exit points of a machine or state to a region of it.
    fn points(&mut self, scope: Scope, node: NodeId, region: RegionId) {
        for point in extension::parts(self.reader, node, "connectionPoint") {
            self.vertex(scope, point, region);
        }
    }

    /// Adds the vertices that transitions name and that lie in no region (Visual Paradigm keeps them outside of the machine).
    fn strays(&mut self, scope: Scope, machine: NodeId) {
        let tree = self.reader.tree;
        for node in tree.inside(machine) {
            if !transition::is_transition(tree.kind(node)) || tree.is_reference(node) {
                continue;
            }
            for end in ["source", "target"].iter().filter_map(|role| tree.first(node, role)) {
                if self.vertices.contains_key(&(scope, end)) || !vertex::is_vertex(tree.kind(end)) {
                    continue;
                }
                if tree.around(end).any(|outer| {
                    tree.kind(outer) == "Region" || tree.kind(outer) == "StateMachine" && outer != machine
                }) {
                    continue;
                }
                let region = self.region_of(scope, node);
                self.vertex(scope, end, region);
            }
        }
    }

    /// The region that owns a transition, else the first of the machine.
    fn region_of(&mut self, scope: Scope, transition: NodeId) -> RegionId {
        let tree = self.reader.tree;
        let around = tree.around(transition).find_map(|outer| self.regions.get(&(scope, outer)));
        if let Some(region) = around.copied().or_else(|| self.machine.top_regions().next()) {
            return region;
        }
        let place = Place(tree.span(transition));
        self.machine.regions.push(Region { owner: None, vertices: Vec::new(), place })
    }

    /// The vertex of an element: of the same copy, of a submachine in it, or of what is around it.
    fn find(&self, scope: Scope, node: NodeId) -> Option<VertexId> {
        let own = self.vertices.get(&(scope, node)).copied();
        let inner = || self.in_submachines(scope, node).next();
        let outer = || {
            let around = std::iter::successors(self.scopes[scope].around, |at| self.scopes[*at].around);
            around.into_iter().find_map(|scope| self.vertices.get(&(scope, node)).copied())
        };
        own.or_else(inner).or_else(outer)
    }

    /// The vertices of an element in the submachines right inside of a copy.
    fn in_submachines(&self, scope: Scope, node: NodeId) -> impl Iterator<Item = VertexId> {
        let inside = self.scopes[scope].inside.iter();
        inside.filter_map(move |inner| self.vertices.get(&(*inner, node)).copied())
    }

    /// Preconditions and postconditions of operations of the machine's class.
    fn conditions(&mut self, node: NodeId) {
        let tree = self.reader.tree;
        let Some(class) = tree.first(node, "context").or(tree.node(node).parent) else { return };
        for operation in tree.parts(class, "ownedOperation") {
            for (role, is_post) in [("precondition", false), ("postcondition", true)] {
                for constraint in tree.all(operation, role) {
                    let span = tree.span(constraint);
                    let condition = expression::condition(&text::constraint(tree, constraint), span);
                    if condition.expression.is_some() {
                        let name = tree.name(operation).to_owned();
                        self.machine.contracts.push(Contract { name, is_post, condition });
                    } else {
                        let message =
                            format!("the condition `{}` is not read as an expression", condition.text);
                        self.reader.report(Diagnostic::new(Code::Unsupported, span, message));
                    }
                }
            }
        }
    }

    /// Comments become notes.
    fn notes(&mut self, scope: Scope, machine: NodeId) {
        let tree = self.reader.tree;
        for comment in tree.inside(machine).into_iter().filter(|node| tree.kind(*node) == "Comment") {
            let text = super::directive::comment(tree, comment);
            if text.is_empty() || super::directive::is_directive(&text) {
                continue;
            }
            let mut about = tree.all(comment, "annotatedElement");
            about.extend(tree.node(comment).parent);
            let vertex = about.iter().find_map(|node| self.vertices.get(&(scope, *node)).copied());
            let transition = about.iter().find_map(|node| self.transitions.get(&(scope, *node)).copied());
            let place = tree.span(comment).into();
            self.machine.notes.push(MachineNote {
                vertex,
                transition: transition.filter(|_| vertex.is_none()),
                look: NoteLook::default(),
                text,
                place,
            });
        }
    }

    /// Adds a vertex; `None` once there are too many.
    fn push(&mut self, scope: Scope, node: NodeId, vertex: Vertex) -> Option<VertexId> {
        if !self.reader.has_room(node) {
            if !self.is_full {
                let message = format!(
                    "submachines and machines that extend others would add more than {MOST_COPIES} vertices; the rest of `{}` is left out",
                    self.machine.name
                );
                self.reader.report(Diagnostic::new(Code::TooDeep, self.reader.tree.span(node), message));
            }
            self.is_full = true;
            return None;
        }
        let region = vertex.region;
        let id = self.machine.vertices.push(vertex);
        self.machine.regions[region].vertices.push(id);
        for one in extension::lineage(self.reader, node) {
            self.vertices.insert((scope, one), id);
        }
        Some(id)
    }

    fn body(&mut self, vertex: VertexId) -> Option<&mut sequent_kernel::model::StateBody> {
        match &mut self.machine.vertices[vertex].kind {
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

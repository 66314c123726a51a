//! Vertices: states with their behaviours, pseudostates, final states.

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{Effect, RegionId, StateBody, Vertex, VertexId, VertexKind};

use super::{Scope, XmiMachineBuilder, extension};
use crate::label;
use crate::xmi::text;
use crate::xmi::tree::NodeId;
use crate::xmi::trigger;

/// Whether a type is one of vertices.
pub(super) fn is_vertex(kind: &str) -> bool {
    matches!(
        kind,
        "State"
            | "FinalState"
            | "Pseudostate"
            | "CompositeState"
            | "SimpleState"
            | "SubmachineState"
            | "ConnectionPointReference"
    )
}

impl XmiMachineBuilder<'_, '_, '_> {
    /// Adds a vertex with everything inside.
    pub(super) fn vertex(&mut self, scope: Scope, node: NodeId, region: RegionId) -> Option<VertexId> {
        let tree = self.reader.tree;
        if self.open.contains(&(scope, node)) {
            let message = format!("the state `{}` contains itself by what it redefines", tree.name(node));
            self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message));
            return None;
        }
        let kind = self.kind(node)?;
        let name = self.name(node, region, &kind);
        let is_state = kind.body().is_some();
        let is_anonymous = matches!(
            kind,
            VertexKind::Initial | VertexKind::Final | VertexKind::ShallowHistory | VertexKind::DeepHistory
        );
        let vertex = Vertex {
            name,
            label: extension::name(self.reader, node).to_owned(),
            region,
            kind,
            stereotypes: Vec::new(),
            colour: None,
            declared: !is_anonymous,
            place: tree.span(node).into(),
        };
        let id = self.push(scope, node, vertex)?;
        if is_state {
            self.open.push((scope, node));
            self.state(scope, node, id);
            self.open.pop();
        }
        Some(id)
    }

    fn kind(&mut self, node: NodeId) -> Option<VertexKind> {
        let tree = self.reader.tree;
        let pseudo = match tree.kind(node) {
            "State" | "CompositeState" | "SimpleState" | "SubmachineState" => {
                return Some(VertexKind::State(StateBody::default()));
            }
            "FinalState" => return Some(VertexKind::Final),
            "Pseudostate" => tree.attribute(node, "kind").unwrap_or("initial"),
            other => {
                let message = format!("`{other}` is not a vertex that is read here");
                self.reader.read.insert(node);
                self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message));
                return None;
            }
        };
        let kind = match pseudo.trim() {
            "initial" => VertexKind::Initial,
            "choice" => VertexKind::Choice,
            // UML 1.3 calls it so.
            "junction" | "branch" => VertexKind::Junction,
            "fork" => VertexKind::Fork,
            "join" => VertexKind::Join,
            "shallowHistory" => VertexKind::ShallowHistory,
            "deepHistory" => VertexKind::DeepHistory,
            "entryPoint" => VertexKind::Entry,
            "exitPoint" => VertexKind::Exit,
            "terminate" => VertexKind::Terminate,
            other => {
                let message = format!("`{other}` is not a kind of pseudostate");
                self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(node), message));
                return None;
            }
        };
        Some(kind)
    }

    /// The name of a vertex, once per machine: its own, after that of the state around it if another has it already.
    fn name(&mut self, node: NodeId, region: RegionId, kind: &VertexKind) -> String {
        let own = extension::name(self.reader, node);
        let owner = self.machine.regions[region].owner;
        let around = owner.map_or("", |owner| self.machine.vertices[owner].name.as_str()).to_owned();
        let anonymous = match kind {
            VertexKind::Initial => Some("*start*"),
            VertexKind::Final if own.is_empty() => Some("*end*"),
            VertexKind::ShallowHistory if own.is_empty() => Some("*history*"),
            VertexKind::DeepHistory if own.is_empty() => Some("*deephistory*"),
            _ => None,
        };
        if let Some(prefix) = anonymous {
            return self.names.unique(&format!("{prefix}{around}"), "#");
        }
        let word = match kind {
            VertexKind::State(_) => "state",
            VertexKind::Choice => "choice",
            VertexKind::Junction => "junction",
            VertexKind::Fork => "fork",
            VertexKind::Join => "join",
            VertexKind::Entry => "entry",
            VertexKind::Exit => "exit",
            VertexKind::Terminate => "terminate",
            VertexKind::Initial
            | VertexKind::Final
            | VertexKind::ShallowHistory
            | VertexKind::DeepHistory => "",
        };
        let plain = if own.is_empty() { word } else { own };
        match self.names.has(plain) && !around.is_empty() && !own.is_empty() {
            true => self.names.unique(&format!("{around}.{plain}"), "#"),
            false => self.names.unique(plain, "#"),
        }
    }

    /// Fills a state: behaviours, deferred events, regions, a submachine.
    fn state(&mut self, scope: Scope, node: NodeId, id: VertexId) {
        let tree = self.reader.tree;
        let [entry, exit, activity] =
            [&["entry"][..], &["exit"], &["doActivity", "do"]].map(|roles| self.behaviours(node, roles));
        let mut deferred = Vec::new();
        for role in ["deferrableTrigger", "deferrableEvent"] {
            for one in
                extension::lineage(self.reader, node).into_iter().flat_map(|level| tree.all(level, role))
            {
                deferred.extend(trigger::triggers(self.reader, one));
            }
        }
        if let Some(body) = self.body(id) {
            (body.entry, body.exit, body.activity, body.deferred) = (entry, exit, activity, deferred);
        }
        let mut regions = self.regions(scope, node, Some(id));
        if let Some(submachine) = self.submachine(scope, node, id) {
            regions.extend(submachine);
        }
        if !extension::parts(self.reader, node, "connectionPoint").is_empty() {
            let first = match regions.first() {
                Some(first) => *first,
                None => {
                    regions.push(self.empty_region(node, id));
                    regions[0]
                }
            };
            self.points(scope, node, first);
        }
        if let Some(body) = self.body(id) {
            body.regions = regions;
        }
        for invariant in extension::nearest(self.reader, node, &["stateInvariant"]) {
            let message =
                format!("the invariant `{}` of the state is not checked", text::constraint(tree, invariant));
            self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(invariant), message));
        }
    }

    fn behaviours(&mut self, node: NodeId, roles: &[&str]) -> Vec<Effect> {
        let found = extension::nearest(self.reader, node, roles);
        found.into_iter().flat_map(|one| self.effects(one)).collect()
    }

    /// The effects that a behaviour's text says.
    pub(super) fn effects(&mut self, behaviour: NodeId) -> Vec<Effect> {
        let tree = self.reader.tree;
        let text = text::behaviour(tree, behaviour);
        if text.is_empty() {
            let message = "the behaviour has neither text nor name: what it does is not known";
            self.reader.report(Diagnostic::new(Code::MissingElement, tree.span(behaviour), message));
        }
        if tree.parts(behaviour, "node").next().is_some() && tree.kind(behaviour) == "Activity" {
            let message = "the actions of the activity are not read; it counts as one action of its name";
            self.reader.report(Diagnostic::new(Code::Unsupported, tree.span(behaviour), message));
        }
        label::effects(&text, tree.span(behaviour))
    }
}

//! Declarations of states and pseudostates, and what a state does.

use sequent_kernel::model::{StateBody, Transition, TransitionKind, Vertex, VertexKind};

use super::encode;
use super::state::MermaidStatePrinter;
use crate::label;

impl MermaidStatePrinter<'_> {
    /// The declaration of a vertex without a body.
    pub(super) fn declare(&mut self, vertex: &Vertex) {
        let name = encode::state(&vertex.name);
        let is_labelled = vertex.label != vertex.name;
        if let Some(word) = stereotype(&vertex.kind) {
            self.page.line(format!("state {name} <<{word}>>"));
        }
        match &vertex.kind {
            VertexKind::State(body) => {
                if is_labelled || !body.description.is_empty() {
                    self.page.line(format!("state \"{}\" as {name}", encode::quoted(&vertex.label)));
                } else if body == &StateBody::default() && vertex.stereotypes.is_empty() {
                    self.page.line(name.clone());
                }
                self.behaviour(vertex, body);
            }
            _ if is_labelled => self.page.line(format!("{name} : {}", encode::label(&vertex.label))),
            _ => {}
        }
        for word in &vertex.stereotypes {
            self.page.line(format!("state {name} <<{word}>>"));
        }
    }

    /// The lines of a state's description.
    pub(super) fn behaviour(&mut self, vertex: &Vertex, body: &StateBody) {
        let effects = |effects: &[_]| effects.iter().map(label::effect).collect::<Vec<_>>().join("; ");
        let named = [("entry", &body.entry), ("exit", &body.exit), ("do", &body.activity)];
        let mut lines: Vec<String> = named
            .iter()
            .filter(|(_, behaviour)| !behaviour.is_empty())
            .map(|(word, behaviour)| format!("{word} / {}", effects(behaviour)))
            .collect();
        lines.extend(body.deferred.iter().map(|trigger| format!("{} / defer", label::trigger(trigger))));
        lines.extend(body.description.iter().cloned());
        let is_own = |it: &&Transition| {
            it.kind == TransitionKind::Internal && self.machine.vertices[it.source].name == vertex.name
        };
        lines.extend(self.machine.transitions.iter().filter(is_own).map(|it| it.text.clone()));
        for line in lines.iter().filter(|line| !line.trim().is_empty()) {
            self.page.line(format!("{} : {}", encode::state(&vertex.name), encode::label(line)));
        }
    }
}

/// The stereotype of a pseudostate; Mermaid draws the first three, the others are conventions.
fn stereotype(kind: &VertexKind) -> Option<&'static str> {
    match kind {
        VertexKind::State(_) => None,
        VertexKind::Choice => Some("choice"),
        VertexKind::Fork => Some("fork"),
        VertexKind::Join => Some("join"),
        VertexKind::Junction => Some("junction"),
        VertexKind::Initial => Some("start"),
        VertexKind::Final => Some("end"),
        VertexKind::ShallowHistory => Some("history"),
        VertexKind::DeepHistory => Some("history*"),
        VertexKind::Entry => Some("entryPoint"),
        VertexKind::Exit => Some("exitPoint"),
        VertexKind::Terminate => Some("terminate"),
    }
}

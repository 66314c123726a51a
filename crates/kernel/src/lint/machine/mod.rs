//! Findings about state machines, one file per concern.
//!
//! Most state diagrams in the wild are sketches: no initial state, labels in prose, or no labels at all. A finding that
//! every sketch would get is worth nothing, so each check first asks whether the diagram speaks about the matter.

mod ignored;
mod initial;
mod names;
mod nondeterminism;
mod reachability;
mod signals;

use std::collections::BTreeSet;
use std::iter::successors;

use crate::diagnostic::Diagnostic;
use crate::id::Id;
use crate::meter::{self, Work};
use crate::model::{Machine, Model, Transition, TransitionId, Vertex, VertexId, VertexKind};
use crate::source::Folders;

/// All findings about the machines of a model.
pub fn machines(model: &Model, folders: &Folders) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    model.machines.iter().for_each(|machine| machine_alone(machine, &mut findings));
    between(model, folders, &mut findings);
    findings
}

/// Findings about what the machines of a model say of each other.
pub(super) fn between(model: &Model, folders: &Folders, findings: &mut Vec<Diagnostic>) {
    if !meter::leaves(Work::Lints, 1) {
        signals::check(model, folders, findings);
    }
}

/// Findings about a machine by itself.
pub(super) fn machine_alone(machine: &Machine, findings: &mut Vec<Diagnostic>) {
    let outgoing = Outgoing::of(machine);
    let checks = [
        ignored::check,
        initial::check,
        initial::slips,
        names::check,
        reachability::check,
        nondeterminism::check,
    ];
    for check in checks {
        if !meter::leaves(Work::Lints, 1) {
            check(machine, &outgoing, findings);
        }
    }
}

/// Whether a diagram is boxes and arrows: most of its transitions between states have no label.
fn is_sketch(machine: &Machine) -> bool {
    let from_states = machine.transitions.iter().filter(|one| decides(&machine.vertices[one.source]));
    let (labelled, plain): (Vec<_>, Vec<_>) =
        from_states.partition(|one| !one.triggers.is_empty() || one.guard.is_some());
    labelled.len() <= plain.len()
}

/// Whether only one of the vertex's transitions may fire.
fn decides(vertex: &Vertex) -> bool {
    match vertex.kind {
        VertexKind::State(_)
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Entry
        | VertexKind::Exit => true,
        VertexKind::Initial
        | VertexKind::Final
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::ShallowHistory
        | VertexKind::DeepHistory
        | VertexKind::Terminate => false,
    }
}

/// Whether a transition from outside ends at each vertex, or at something inside of it.
fn entered(machine: &Machine) -> Vec<bool> {
    let mut entered = vec![false; machine.vertices.len()];
    for transition in machine.transitions.iter() {
        let source = Some(transition.source);
        let around: BTreeSet<VertexId> = successors(source, |vertex| machine.parent(*vertex)).collect();
        let ends = successors(Some(transition.target), |vertex| machine.parent(*vertex));
        ends.take_while(|vertex| !around.contains(vertex)).for_each(|vertex| entered[vertex.index()] = true);
    }
    entered
}

/// The transitions that leave each vertex, internal ones included.
struct Outgoing(Vec<Vec<TransitionId>>);

impl Outgoing {
    fn of(machine: &Machine) -> Self {
        let mut outgoing = vec![Vec::new(); machine.vertices.len()];
        for (id, transition) in machine.transitions.enumerate() {
            outgoing[transition.source.index()].push(id);
        }
        Outgoing(outgoing)
    }

    fn from<'a>(&'a self, machine: &'a Machine, vertex: VertexId) -> impl Iterator<Item = &'a Transition> {
        self.0[vertex.index()].iter().map(|id| &machine.transitions[*id])
    }
}

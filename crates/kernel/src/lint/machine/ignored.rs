//! Triggers and guards on transitions where they have no effect: H308.
//!
//! A transition that leaves a pseudostate continues the one that led there. UML gives it no trigger, and a
//! guard only after choices and junctions: initial pseudostates, forks and histories ignore guards.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Machine, Transition, Vertex, VertexKind};

use super::Outgoing;

pub(super) fn check(machine: &Machine, outgoing: &Outgoing, findings: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    for (id, vertex) in machine.vertices.enumerate() {
        let Some(place) = place(vertex) else { continue };
        let all: Vec<&Transition> = outgoing.from(machine, id).collect();
        // Several beginnings are decided by their guards.
        let is_decided = vertex.kind == VertexKind::Initial && all.len() > 1;
        for transition in all {
            let is_guarded = transition.guard.is_some() && !counts_guards(vertex) && !is_decided;
            let what = match (transition.triggers.is_empty(), is_guarded) {
                (false, true) => "the trigger and the guard",
                (false, false) => "the trigger",
                (true, true) => "the guard",
                (true, false) => continue,
            };
            let text = format!("{what} of a transition that {place} does not count");
            let finding = Diagnostic::new(Code::IgnoredTrigger, transition.place.0, text);
            // An author who writes one at each initial state means the same everywhere: one finding for each
            // kind.
            if told.insert(place) {
                findings.push(finding.hint(hint(vertex)));
            }
        }
    }
}

/// Where a transition begins, if it needs no trigger there.
fn place(vertex: &Vertex) -> Option<&'static str> {
    match vertex.kind {
        VertexKind::State(_) | VertexKind::Final | VertexKind::Terminate => None,
        VertexKind::Initial => Some("leaves an initial state"),
        VertexKind::Choice => Some("leaves a choice"),
        VertexKind::Junction => Some("leaves a junction"),
        VertexKind::Fork => Some("leaves a fork"),
        VertexKind::Join => Some("leaves a join"),
        VertexKind::ShallowHistory | VertexKind::DeepHistory => Some("leaves a history"),
        VertexKind::Entry => Some("leaves an entry point"),
        VertexKind::Exit => Some("leaves an exit point"),
    }
}

/// Whether the guards of what leaves a vertex decide which way is taken.
fn counts_guards(vertex: &Vertex) -> bool {
    match vertex.kind {
        VertexKind::State(_)
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Join
        | VertexKind::Entry
        | VertexKind::Exit
        | VertexKind::Final
        | VertexKind::Terminate => true,
        VertexKind::Initial | VertexKind::Fork | VertexKind::ShallowHistory | VertexKind::DeepHistory => {
            false
        }
    }
}

fn hint(vertex: &Vertex) -> &'static str {
    match vertex.kind {
        VertexKind::Initial => {
            "the machine begins by itself; add a state in which it waits: `[*] --> Waiting`, `Waiting --> S : go`"
        }
        VertexKind::State(_)
        | VertexKind::Final
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::ShallowHistory
        | VertexKind::DeepHistory
        | VertexKind::Entry
        | VertexKind::Exit
        | VertexKind::Terminate => "put it on the transition that leads there",
    }
}

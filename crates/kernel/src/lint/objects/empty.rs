//! Transitions without trigger, guard and effect where P4 has none (paper 004, section 3.2): H641.
//!
//! P4's machines have no such transition: its two states are one, and should be contracted. Elsewhere it is a completion transition, and
//! nothing is wrong with it. So it is reported only in systems as in P4: rendezvous, and nothing from outside. There the object may
//! leave the first state at any time unseen, so a message that only the first state takes may find it gone. Reported only where
//! the source has another transition; else the two states are no more than two names.

use super::FolderObjects;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Communication, Machine, Transition, TransitionKind, VertexId, VertexKind};
use crate::semantics::objects::communication;

pub(super) fn check(system: &FolderObjects, findings: &mut Vec<Diagnostic>) {
    let settings = &system.model.system;
    let is_met = communication(system.model, &system.whole, settings) == Communication::Rendezvous;
    if is_met && settings.closed == Some(true) {
        findings.extend(system.machines().flat_map(of_machine));
    }
}

fn of_machine(machine: &Machine) -> impl Iterator<Item = Diagnostic> {
    let is_empty = |one: &&Transition| is_empty(machine, one);
    machine.transitions.iter().filter(is_empty).map(|one| {
        let name = |id: VertexId| machine.vertices[id].name.clone();
        let (from, to) = (name(one.source), name(one.target));
        let text = format!("`{from}` may become `{to}` unseen at any time: nothing sets this transition off");
        let hint = format!(
            "make one state of `{from}` and `{to}`, or give the transition a trigger, a guard or an effect"
        );
        Diagnostic::new(Code::EmptyTransition, one.place.0, text).hint(hint)
    })
}

/// Whether a transition from state to state has nothing on it, beside others that have.
fn is_empty(machine: &Machine, one: &Transition) -> bool {
    let is_simple = |id: VertexId| match &machine.vertices[id].kind {
        VertexKind::State(body) => {
            let has_behaviour = [&body.entry, &body.exit, &body.activity].iter().any(|part| !part.is_empty());
            body.regions.is_empty() && !has_behaviour
        }
        VertexKind::Initial
        | VertexKind::Final
        | VertexKind::Terminate
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::ShallowHistory
        | VertexKind::DeepHistory
        | VertexKind::Entry
        | VertexKind::Exit => false,
    };
    let has_nothing = one.triggers.is_empty() && one.guard.is_none() && one.effects.is_empty();
    let is_beside = |other: &Transition| other.source == one.source && !other.triggers.is_empty();
    has_nothing
        && one.text.trim().is_empty()
        && one.kind != TransitionKind::Internal
        && one.source != one.target
        && is_simple(one.source)
        && is_simple(one.target)
        && machine.transitions.iter().any(is_beside)
}

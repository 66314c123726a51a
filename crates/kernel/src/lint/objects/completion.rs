//! Transitions that never fire because completion comes before all messages: H309.
//!
//! A state without `do` and without regions completes when it is entered. A transition of it without trigger
//! and guard then fires at once. Beside transitions with triggers this is rarely meant: the author means that
//! something happens some time. Reported once for each machine.

use super::FolderObjects;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Communication, Completion, Machine, Transition, TransitionKind, VertexId, VertexKind};
use crate::semantics::objects::communication;

pub(super) fn check(system: &FolderObjects, findings: &mut Vec<Diagnostic>) {
    let settings = &system.model.system;
    let is_first = match communication(system.model, &system.whole, settings) {
        Communication::Queue | Communication::Bag => settings.completion != Some(Completion::Free),
        Communication::Rendezvous => false,
    };
    if is_first {
        findings.extend(system.machines().filter_map(first));
    }
}

/// The first state of a machine that has a transition without trigger and guard beside others.
fn first(machine: &Machine) -> Option<Diagnostic> {
    let of = |id: VertexId| machine.transitions.iter().filter(move |one| one.source == id);
    let is_simple = |id: VertexId| {
        let body = machine.vertices[id].kind.body();
        body.is_some_and(|body| body.regions.is_empty() && body.activity.is_empty())
    };
    let plain = |one: &&Transition| {
        // A label that is neither trigger nor guard says in words when it fires.
        one.triggers.is_empty()
            && one.guard.is_none()
            && (one.text.trim().is_empty() || !one.effects.is_empty())
            && one.kind != TransitionKind::Internal
            && machine.vertices[one.target].kind != VertexKind::Join
    };
    machine.vertices.ids().filter(|id| is_simple(*id)).find_map(|id| {
        let plain = of(id).find(plain)?;
        let other = of(id).find(|one| !one.triggers.is_empty())?;
        let name = &machine.vertices[id].name;
        let text = format!("this never fires: `{name}` is left at once by its transition without trigger");
        let finding = Diagnostic::new(Code::CompletionFirst, other.place.0, text);
        let hint = "give the other transition a trigger or a guard, or the state a `do`";
        Some(finding.label(plain.place.0, "this one comes first").hint(hint))
    })
}

//! Where regions begin: E303, W307.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::model::{Machine, Region, Transition, TransitionKind, VertexId, VertexKind};

use super::Outgoing;

pub(super) fn check(machine: &Machine, outgoing: &Outgoing, findings: &mut Vec<Diagnostic>) {
    for region in machine.regions.iter() {
        let initial =
            region.vertices.iter().filter(|vertex| machine.vertices[**vertex].kind == VertexKind::Initial);
        let initial: Vec<VertexId> = initial.copied().collect();
        match initial.as_slice() {
            [] => missing(machine, region, findings),
            [one] => several_beginnings(machine, outgoing, *one, findings),
            [one, other, ..] => {
                let finding = Diagnostic::new(
                    Code::TwoInitials,
                    machine.vertices[*other].place.0,
                    "the region has a second initial state",
                );
                findings.push(finding.label(machine.vertices[*one].place.0, "the first one"));
            }
        }
    }
}

/// Several transitions from one initial state. With labels that tell them apart they are meant as alternatives, which
/// UML has a choice for; without, nothing says where the region begins.
fn several_beginnings(
    machine: &Machine,
    outgoing: &Outgoing,
    initial: VertexId,
    findings: &mut Vec<Diagnostic>,
) {
    let transitions: Vec<&Transition> = outgoing.from(machine, initial).collect();
    let [first, others @ ..] = transitions.as_slice() else { return };
    let Some(second) = others.iter().find(|other| other.target != first.target) else { return };
    let unlabelled = transitions.iter().filter(|one| one.triggers.is_empty() && one.guard.is_none()).count();
    let name = |transition: &Transition| machine.vertices[transition.target].name.clone();
    let message = format!("the region begins in `{}` and in `{}`", name(first), name(second));
    let finding = Diagnostic::new(Code::TwoInitials, second.place.0, message)
        .label(first.place.0, "the first beginning")
        .hint("keep one transition from `[*]`; let a choice decide where to go from there");
    findings.push(if unlabelled > 1 { finding } else { finding.severity(Severity::Warning) });
}

/// A region that is entered as a whole, with several states, transitions among them, and no beginning.
fn missing(machine: &Machine, region: &Region, findings: &mut Vec<Diagnostic>) {
    let is_state = |vertex: &VertexId| matches!(machine.vertices[*vertex].kind, VertexKind::State(_));
    let states: Vec<VertexId> = region.vertices.iter().copied().filter(is_state).collect();
    let [first, _, ..] = states.as_slice() else { return };
    let enters_by_point = region.vertices.iter().any(|vertex| {
        matches!(
            machine.vertices[*vertex].kind,
            VertexKind::Entry | VertexKind::ShallowHistory | VertexKind::DeepHistory
        )
    });
    let is_inside = |vertex: VertexId| region.vertices.contains(&vertex);
    let leads_somewhere = |one: &Transition| one.kind == TransitionKind::External && one.source != one.target;
    let mut inner = machine.transitions.iter().filter(|one| leads_somewhere(one) && is_inside(one.source));
    if enters_by_point || !inner.any(|one| is_inside(one.target)) {
        return;
    }
    let name = &machine.vertices[*first].name;
    let finding = match region.owner {
        None => {
            let message = format!("nothing says in which state `{}` begins", machine.name);
            Diagnostic::new(Code::NoInitial, machine.vertices[*first].place.0, message)
        }
        Some(owner) => {
            let Some(entering) = machine.transitions.iter().find(|one| one.target == owner) else { return };
            let owner = &machine.vertices[owner];
            let message = format!("nothing says in which state `{}` begins", owner.name);
            Diagnostic::new(Code::NoInitial, owner.place.0, message)
                .label(entering.place.0, "it is entered here")
        }
    };
    findings.push(finding.hint(format!("if it begins in `{name}`, add `[*] --> {name}`")));
}

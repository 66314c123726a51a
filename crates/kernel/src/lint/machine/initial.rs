//! Where regions begin: E303, W307.
//!
//! Boxes and arrows need not say where they begin, and may begin in several places. Where one state of a region is entered by no
//! transition the reader knows where it begins, so that is a hint. What the whole machine does not say is said once.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::id::Id;
use crate::model::{Machine, Region, Transition, TransitionKind, VertexId, VertexKind};

use super::{Outgoing, entered, is_sketch};

pub(super) fn check(machine: &Machine, outgoing: &Outgoing, findings: &mut Vec<Diagnostic>) {
    let moves = Moves::of(machine);
    let is_sketch = is_sketch(machine);
    let says_somewhere = machine.vertices.iter().any(|vertex| vertex.kind == VertexKind::Initial);
    let is_asked = |region: &Region| !is_sketch && (says_somewhere || region.owner.is_none());
    for (id, region) in machine.regions.enumerate() {
        let initial =
            region.vertices.iter().filter(|vertex| machine.vertices[**vertex].kind == VertexKind::Initial);
        let initial: Vec<VertexId> = initial.copied().collect();
        match initial.as_slice() {
            [] if moves.inside[id.index()] && is_asked(region) => missing(machine, region, &moves, findings),
            [] => {}
            [one] => several_beginnings(machine, outgoing, (*one, is_sketch), findings),
            [one, other, ..] => {
                let place = machine.vertices[*other].place.0;
                let finding =
                    Diagnostic::new(Code::TwoInitials, place, "the region has a second initial state");
                findings.push(finding.label(machine.vertices[*one].place.0, "the first one"));
            }
        }
    }
}

/// What the transitions of a machine say about its regions and vertices.
struct Moves<'a> {
    /// For each region, whether a transition leads from one of its vertices to another.
    inside: Vec<bool>,
    /// For each vertex, the first transition that ends there.
    entering: Vec<Option<&'a Transition>>,
    /// For each vertex, whether a transition from elsewhere ends there or inside of it.
    is_entered: Vec<bool>,
}

impl<'a> Moves<'a> {
    fn of(machine: &'a Machine) -> Self {
        let mut moves = Moves {
            inside: vec![false; machine.regions.len()],
            entering: vec![None; machine.vertices.len()],
            is_entered: entered(machine),
        };
        for transition in machine.transitions.iter().filter(|one| one.kind == TransitionKind::External) {
            let region = machine.vertices[transition.source].region;
            let stays = region == machine.vertices[transition.target].region;
            moves.inside[region.index()] |= stays && transition.source != transition.target;
            moves.entering[transition.target.index()].get_or_insert(transition);
        }
        moves
    }
}

/// Several transitions from one initial state. With labels that tell them apart they are meant as alternatives, which
/// UML has a choice for; without, nothing says where the region begins.
fn several_beginnings(
    machine: &Machine,
    outgoing: &Outgoing,
    (initial, is_sketch): (VertexId, bool),
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
    findings.push(if unlabelled > 1 && !is_sketch { finding } else { finding.severity(Severity::Warning) });
}

/// A region that is entered as a whole, with several states, transitions among them, and no beginning.
fn missing(machine: &Machine, region: &Region, moves: &Moves, findings: &mut Vec<Diagnostic>) {
    let kind = |vertex: &VertexId| &machine.vertices[*vertex].kind;
    let is_state = |vertex: &&VertexId| matches!(kind(vertex), VertexKind::State(_));
    let is_way_in = |vertex: &VertexId| {
        matches!(kind(vertex), VertexKind::Entry | VertexKind::ShallowHistory | VertexKind::DeepHistory)
    };
    let states: Vec<VertexId> = region.vertices.iter().filter(is_state).copied().collect();
    let [first, _, ..] = states.as_slice() else { return };
    if region.vertices.iter().any(is_way_in) {
        return;
    }
    let is_entered = |id: &&VertexId| moves.is_entered[id.index()];
    let (entered, others): (Vec<&VertexId>, Vec<&VertexId>) = states.iter().partition(is_entered);
    let (first, severity) = match others.as_slice() {
        [only] if !entered.is_empty() => (&machine.vertices[**only], Severity::Hint),
        _ => (&machine.vertices[*first], Severity::Warning),
    };
    let finding = match region.owner {
        None => {
            let message = format!("nothing says in which state `{}` begins", machine.name);
            Diagnostic::new(Code::NoInitial, first.place.0, message)
        }
        Some(owner) => {
            let Some(entering) = moves.entering[owner.index()] else { return };
            let owner = &machine.vertices[owner];
            let message = format!("nothing says in which state `{}` begins", owner.name);
            let finding = Diagnostic::new(Code::NoInitial, owner.place.0, message);
            finding.label(entering.place.0, "it is entered here")
        }
    };
    let name = &first.name;
    findings.push(finding.severity(severity).hint(format!("if it begins in `{name}`, add `[*] --> {name}`")));
}

/// States whose name is nearly that of a begin or end: W219.
pub(super) fn slips(machine: &Machine, _: &Outgoing, findings: &mut Vec<Diagnostic>) {
    let is_slip = |name: &str| !name.is_empty() && name.chars().all(|c| matches!(c, '[' | '*' | ']'));
    for state in machine.vertices.iter().filter(|one| one.kind.body().is_some() && is_slip(&one.name)) {
        let text = format!("`{}` is a state of its own; did you mean `[*]`?", state.name);
        let finding = Diagnostic::new(Code::LikelySlip, state.place.0, text);
        findings.push(finding.hint("`[*]` is where a run begins or ends"));
    }
}

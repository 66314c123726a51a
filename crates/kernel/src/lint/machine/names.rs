//! States that are probably misspelt: W219.
//!
//! A state that only one transition names, as its target, is where the machine stays for good. If its name is a single slip
//! away from that of a state that goes on, it is more likely a mistake.

use crate::diagnostic::{Code, Diagnostic, Remedy, slip_of};
use crate::id::Id;
use crate::model::{Machine, VertexKind};

use super::Outgoing;

/// Machines of more states are made by programs, which do not misspell.
const MOST_STATES: usize = 1_000;

pub(super) fn check(machine: &Machine, _: &Outgoing, findings: &mut Vec<Diagnostic>) {
    let count = machine.vertices.len();
    if count > MOST_STATES {
        return;
    }
    let (mut entered, mut left) = (vec![0_usize; count], vec![false; count]);
    for transition in machine.transitions.iter() {
        entered[transition.target.index()] += 1;
        left[transition.source.index()] = true;
    }
    for (id, vertex) in machine.vertices.enumerate() {
        let is_state = matches!(vertex.kind, VertexKind::State(_)) && vertex.stereotypes.is_empty();
        if !is_state || vertex.declared || left[id.index()] || entered[id.index()] != 1 {
            continue;
        }
        // Of one that nothing leads to that is said (W301).
        let is_used = |other: usize| left[other] && entered[other] > 0;
        let goes_on = machine.vertices.enumerate().filter(|(other, _)| is_used(other.index()));
        let Some(near) = slip_of(&vertex.name, goes_on.map(|(_, other)| other.name.as_str())) else {
            continue;
        };
        let message = format!("`{}` is not declared; did you mean `{near}`?", vertex.name);
        let finding = Diagnostic::new(Code::LikelySlip, vertex.place.0, message);
        let hint = format!("if not, declare `{}` too", vertex.name);
        findings.push(finding.hint(hint).remedy(Remedy::Rename(vertex.name.clone(), near.to_owned())));
    }
}

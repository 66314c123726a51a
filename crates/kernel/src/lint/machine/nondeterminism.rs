//! Transitions that nothing decides between: W304.
//!
//! Two transitions leave one vertex on the same trigger with the same guard, or both without. In a sketch, two arrows mean "one
//! of these, somehow", and a label of several words is prose.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::model::{Effect, Machine, Transition, Trigger, Vertex};

use super::{Outgoing, decides, is_sketch};

pub(super) fn check(machine: &Machine, outgoing: &Outgoing, findings: &mut Vec<Diagnostic>) {
    if is_sketch(machine) {
        return;
    }
    for (id, vertex) in machine.vertices.enumerate().filter(|(_, vertex)| decides(vertex)) {
        let mut seen: HashMap<ConflictKey, &Transition> = HashMap::new();
        for transition in outgoing.from(machine, id) {
            for key in keys(transition).into_iter().filter(|key| !key.is_prose()) {
                if let Some(first) = seen.get(&key) {
                    findings.push(finding(vertex, first, transition, &key));
                    break;
                }
                seen.insert(key, transition);
            }
        }
    }
}

/// What two transitions must have in common to be in each other's way: a trigger, the guard, and the number by which some
/// tools order transitions.
#[derive(PartialEq, Eq, Hash)]
struct ConflictKey<'a> {
    trigger: Option<&'a Trigger>,
    guard: Option<&'a str>,
    number: Option<&'a str>,
}

impl ConflictKey<'_> {
    fn is_prose(&self) -> bool {
        matches!(self.trigger, Some(Trigger::Event { name, .. }) if name.split_whitespace().nth(2).is_some())
    }
}

fn keys(transition: &Transition) -> Vec<ConflictKey<'_>> {
    let guard = transition.guard.as_ref().map(|guard| guard.text.as_str());
    let number = transition.text.split_once(". ").map(|(number, _)| number.trim());
    let number = number.filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    if transition.triggers.is_empty() {
        // A label that says nothing of this (a comment, `τ`) was written on purpose.
        let says_nothing = guard.is_none() && transition.effects.is_empty() && !transition.text.is_empty();
        return if says_nothing { Vec::new() } else { vec![ConflictKey { trigger: None, guard, number }] };
    }
    transition.triggers.iter().map(|trigger| ConflictKey { trigger: Some(trigger), guard, number }).collect()
}

fn finding(vertex: &Vertex, first: &Transition, second: &Transition, key: &ConflictKey) -> Diagnostic {
    let name = &vertex.name;
    let message = match (key.trigger, key.guard) {
        (Some(Trigger::Event { name: event, .. }), None) => {
            format!("`{name}` has two transitions on `{event}` and nothing decides between them")
        }
        (Some(_), None) => {
            format!("`{name}` has two transitions on the same trigger and nothing decides between them")
        }
        (None, None) => format!(
            "`{name}` has two transitions without trigger and guard, and nothing decides between them"
        ),
        (Some(_), Some(guard)) => {
            format!("`{name}` has two transitions with the same trigger and the guard `{guard}`")
        }
        (None, Some(guard)) => format!("`{name}` has two transitions with the guard `{guard}`"),
    };
    let finding = Diagnostic::new(Code::Nondeterministic, second.place.0, message)
        .label(first.place.0, "the other one");
    match answers_differ(first, second) {
        true => finding
            .severity(Severity::Hint)
            .hint("add guards that exclude each other, unless the choice is left open on purpose"),
        false => finding.hint("add guards that exclude each other, or remove one of the two"),
    }
}

/// Whether each of two transitions on a message sends something, and not the same: a vote, an answer or a refusal, whose reason is left open.
fn answers_differ(first: &Transition, second: &Transition) -> bool {
    let sent = |transition: &Transition| -> Vec<String> {
        let sends = transition.effects.iter().filter_map(|effect| match effect {
            Effect::Send(send) => Some(send.name.clone()),
            Effect::Assign(_) | Effect::Opaque { .. } => None,
        });
        sends.collect()
    };
    let (first, second) = (sent(first), sent(second));
    !first.is_empty() && !second.is_empty() && first != second
}

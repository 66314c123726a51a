//! What would let a diagram be merged whose orders had to be searched for: messages to leave out, a guard too many, a transition too few.
//!
//! Everything that is proposed was tried. Messages are left out in growing numbers, so that what is found is as little as possible; where the questions
//! run out before a number is through, nothing is proposed.

use sequent_kernel::model::{MachineId, Transition, TransitionKind, Trigger, VertexId, VertexKind};

use super::explain::Explanation;
use super::proposal::{MOST_PROPOSALS, subsets, word};
use super::search::{Fit, Search};

/// Why a diagram has no merge, and what would help.
pub(super) fn explain(mut search: Search<'_>, is_full: bool) -> Explanation {
    let message = match search.fit(&[]) {
        Fit::No(message) => message,
        Fit::Yes | Fit::Unknown(_) => None,
    };
    let reason = match (&message, is_full) {
        (Some(message), true) => format!(
            "each lifeline could receive its messages, but the machines together cannot do `{message}`, in whatever order"
        ),
        (Some(message), false) => format!("`{message}` cannot be received, in whatever order"),
        (None, true) => "each message can happen, but in no order all of them".to_owned(),
        (None, false) => "each lifeline has an order, but no order suits all of them".to_owned(),
    };
    let mut proposals = omissions(&mut search);
    search.leave_out(Vec::new());
    proposals.extend(guards(&mut search));
    proposals.extend(message.iter().flat_map(|message| transitions(&mut search, message)));
    Explanation { reasons: vec![reason], proposals, messages: message.into_iter().collect() }
}

/// The fewest elements without which there is a merge.
fn omissions(search: &mut Search<'_>) -> Vec<String> {
    let all = search.keys();
    for count in 1..all.len() {
        let mut found = Vec::new();
        for left_out in subsets(&all, count) {
            search.leave_out(left_out.clone());
            let is_enough = search.find().is_some();
            if search.is_spent() {
                return found;
            }
            if is_enough {
                let names: Vec<String> =
                    left_out.iter().map(|key| format!("`{}` ({})", search.name(*key), word(key.1))).collect();
                found.push(format!("leave out {}", names.join(" and ")));
                if found.len() == MOST_PROPOSALS {
                    return found;
                }
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Guards without which there is a merge.
fn guards(search: &mut Search<'_>) -> Vec<String> {
    let machines: Vec<MachineId> = search.model().machines.ids().collect();
    let mut found = Vec::new();
    for id in machines {
        for number in search.model().machines[id].transitions.ids().collect::<Vec<_>>() {
            if search.is_spent() || found.len() == MOST_PROPOSALS {
                return found;
            }
            let Some(guard) = search.model().machines[id].transitions[number].guard.take() else { continue };
            if search.find().is_some() {
                let machine = &search.model().machines[id];
                let transition = &machine.transitions[number];
                let ends =
                    [transition.source, transition.target].map(|end| machine.vertices[end].name.clone());
                let (name, place) = (machine.name.clone(), transition.place.0);
                let [from, to] = ends;
                found.push(format!(
                    "remove the guard `{}` of `{name}` from {from} to {to} ({})",
                    guard.text,
                    search.line(place)
                ));
            }
            search.model().machines[id].transitions[number].guard = Some(guard);
        }
    }
    found
}

/// A transition that the receiver of a message lacks; those that leave the state are proposed last.
fn transitions(search: &mut Search<'_>, message: &str) -> Vec<String> {
    let Some((id, trigger)) = search.receiver(message) else { return Vec::new() };
    let is_state = |vertex: &VertexId, search: &mut Search<'_>| {
        matches!(search.model().machines[id].vertices[*vertex].kind, VertexKind::State(_))
    };
    let states: Vec<VertexId> = search.model().machines[id].vertices.ids().collect();
    let states: Vec<VertexId> = states.into_iter().filter(|vertex| is_state(vertex, search)).collect();
    let loops = states.iter().map(|state| (*state, *state));
    let others = states.iter().flat_map(|from| states.iter().map(|to| (*from, *to))).filter(|(a, b)| a != b);
    let mut found = Vec::new();
    for (source, target) in loops.chain(others).collect::<Vec<_>>() {
        if search.is_spent() || found.len() == MOST_PROPOSALS {
            break;
        }
        let machine = search.model().machines[id].clone();
        let place = machine.vertices[source].place;
        let triggers = vec![Trigger::Event { name: trigger.clone(), parameters: Vec::new() }];
        search.model().machines[id].transitions.push(Transition {
            source,
            target,
            kind: TransitionKind::External,
            text: trigger.clone(),
            triggers,
            guard: None,
            effects: Vec::new(),
            place,
        });
        if search.find().is_some() {
            let [from, to] = [source, target].map(|end| machine.vertices[end].name.clone());
            let line = search.line(place.0);
            found.push(format!("give `{}` a transition {from} --> {to} : {trigger} ({line})", machine.name));
        }
        search.model().machines[id] = machine;
    }
    found
}

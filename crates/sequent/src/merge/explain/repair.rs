//! Explains a diagram whose orders had to be searched for, and proposes messages to leave out, a guard to remove, a transition to add.
//!
//! Everything that is proposed was tried. Messages are left out in growing numbers, so that the first that suffice are the fewest; if the questions
//! are spent before all sets of a size were tried, larger ones are not.

use sequent_kernel::model::{LineLook, MachineId, Transition, TransitionKind, Trigger, VertexId, VertexKind};

use super::proposals::{MOST_PROPOSALS, add_transition, leave_out, pairs};
use super::reasons::Explanation;
use crate::merge::machines::{AtomKey, Fit, OrderSearch};
use crate::merge::order::subsets;
use crate::merge::side::RevisionSide;

/// The most questions about pairs of messages that may exclude each other.
const MOST_ASKED: usize = 300;

/// Explains why a diagram has no merge, and proposes what would help.
pub(in crate::merge) fn explain_search(mut search: OrderSearch<'_>, is_full: bool) -> Explanation {
    let message = match search.fit(&[]) {
        Fit::No(message) => message,
        Fit::Yes | Fit::Unknown(_) => None,
    };
    let pair = exclusive_pair(&mut search);
    search.leave_out(Vec::new());
    let reason = match (&message, is_full) {
        (_, _) if pair.is_some() => {
            let names = pair.into_iter().flatten().map(|key| told(&search, key)).collect::<Vec<_>>();
            format!("{} exclude each other", names.join(" and "))
        }
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
    let messages = match pair {
        Some(pair) => pair.into_iter().map(|key| search.name(key)).collect(),
        None => message.into_iter().collect(),
    };
    Explanation { reasons: vec![reason], proposals, messages }
}

/// Returns the name of an atom and its side.
fn told(search: &OrderSearch<'_>, key: AtomKey) -> String {
    format!("`{}` ({})", search.name(key), key.1.word())
}

/// Returns two atoms, one of each side, that exclude each other, although either alone is possible.
fn exclusive_pair(search: &mut OrderSearch<'_>) -> Option<[AtomKey; 2]> {
    let all = search.keys();
    let mut is_possible = |kept: &[AtomKey]| {
        search.leave_out(all.iter().copied().filter(|key| !kept.contains(key)).collect());
        search.has_merge() || search.questions_asked() >= MOST_ASKED
    };
    let alone: Vec<AtomKey> = all.iter().copied().filter(|key| is_possible(&[*key])).collect();
    let of = |side: RevisionSide| alone.iter().copied().filter(move |key| key.1 == side);
    let mut pairs =
        of(RevisionSide::Ours).flat_map(|ours| of(RevisionSide::Theirs).map(move |theirs| [ours, theirs]));
    pairs.find(|pair| !is_possible(pair))
}

/// Proposes the fewest atoms to leave out.
fn omissions(search: &mut OrderSearch<'_>) -> Vec<String> {
    let all = search.keys();
    for count in 1..all.len() {
        let mut found = Vec::new();
        for left_out in subsets(&all, count) {
            search.leave_out(left_out.clone());
            let suffices = search.has_merge();
            if search.is_spent() {
                return found;
            }
            if suffices {
                let names: Vec<String> = left_out.into_iter().map(|key| told(search, key)).collect();
                found.push(leave_out(&names));
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

/// Proposes guards to remove.
fn guards(search: &mut OrderSearch<'_>) -> Vec<String> {
    let machines: Vec<MachineId> = search.model().machines.ids().collect();
    let mut found = Vec::new();
    for id in machines {
        for number in search.model().machines[id].transitions.ids() {
            if search.is_spent() || found.len() == MOST_PROPOSALS {
                return found;
            }
            let Some(guard) = search.model().machines[id].transitions[number].guard.take() else { continue };
            if search.has_merge() {
                let machine = &search.model().machines[id];
                let transition = &machine.transitions[number];
                let [from, to] =
                    [transition.source, transition.target].map(|end| machine.vertices[end].name.clone());
                let (name, place) = (machine.name.clone(), transition.place.0);
                let (text, line) = (&guard.text, search.line(place));
                found.push(format!("remove the guard `{text}` of `{name}` from {from} to {to} ({line})"));
            }
            search.model().machines[id].transitions[number].guard = Some(guard);
        }
    }
    found
}

/// Proposes a transition that the receiver of a message lacks; those that leave the state come last.
fn transitions(search: &mut OrderSearch<'_>, message: &str) -> Vec<String> {
    let Some((id, trigger)) = search.receiver(message) else { return Vec::new() };
    let original = search.model().machines[id].clone();
    let is_state = |vertex: &VertexId| matches!(original.vertices[*vertex].kind, VertexKind::State(_));
    let states: Vec<VertexId> = original.vertices.ids().filter(is_state).collect();
    let mut found = Vec::new();
    for (source, target) in pairs(&states) {
        if search.is_spent() || found.len() == MOST_PROPOSALS {
            break;
        }
        let place = original.vertices[source].place;
        search.model().machines[id].transitions.push(Transition {
            source,
            target,
            kind: TransitionKind::External,
            text: trigger.clone(),
            triggers: vec![Trigger::Event { name: trigger.clone(), parameters: Vec::new() }],
            guard: None,
            effects: Vec::new(),
            look: LineLook::default(),
            place,
        });
        if search.has_merge() {
            let ends = [source, target].map(|end| original.vertices[end].name.as_str());
            found.push(add_transition(&original.name, ends, &trigger, &search.line(place.0)));
        }
        search.model().machines[id] = original.clone();
    }
    found
}

//! Reasons why no order suits the machines.
//!
//! The simplest reason is searched for first: the additions of one side alone, two messages that exclude each other on a lifeline, a lifeline that accepts
//! no interleaving at all, and at last lifelines that each need another order.

use std::ops::Range;

use super::trial::Trial;
use crate::merge::machines::{DiagramProblem, FileModel};
use crate::merge::order::{AcceptorId, Added, OrderElement, OrderProblem, Segment, StateSet};
use crate::merge::side::RevisionSide;

/// Why there is no merge, and what would help.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// The reasons, in sentences.
    pub reasons: Vec<String>,
    /// What would help, in sentences.
    pub proposals: Vec<String>,
    /// The messages that exclude each other.
    pub messages: Vec<String>,
}

/// The most reasons.
const MOST_REASONS: usize = 6;

/// Explains why a diagram has no merge, without proposals.
pub(in crate::merge) fn reasons(diagram: &DiagramProblem, model: &FileModel) -> Explanation {
    explain(&Trial::new(diagram, model))
}

/// Explains why a diagram has no merge.
pub(super) fn explain(trial: &Trial<'_>) -> Explanation {
    let all = trial.problem().added();
    let of_side = |side: RevisionSide| all.iter().copied().filter(move |one| one.side == side);
    for side in RevisionSide::BOTH {
        if trial.is_impossible(&trial.without(|one| one.side != side)) {
            let whose = if side == RevisionSide::Ours { "our side" } else { "their side" };
            let reason = format!("what {whose} added does not suit the state machines even alone");
            return explanation(trial, reason, of_side(side));
        }
    }
    if let Some((ours, theirs)) = exclusive_pairs(trial).first() {
        return exclusion(trial, [*ours, *theirs]);
    }
    for id in trial.problem().acceptors.ids() {
        if trial.is_impossible(&trial.alone(id, trial.problem())) {
            let lifeline = &trial.limit(id).lifeline;
            let reason = format!("`{lifeline}` can receive what both sides send to it in no order");
            return explanation(trial, reason, all.iter().copied().filter(|one| trial.touches(*one, id)));
        }
    }
    contradicting_orders(trial, &all)
}

fn explanation(trial: &Trial<'_>, reason: String, about: impl IntoIterator<Item = Added>) -> Explanation {
    let messages = about.into_iter().map(|one| trial.name(one).to_owned()).collect();
    Explanation { reasons: vec![reason], messages, ..Explanation::default() }
}

/// Returns all pairs of additions, one of each side, that exclude each other, as far as they can be tried.
pub(super) fn exclusive_pairs(trial: &Trial<'_>) -> Vec<(Added, Added)> {
    let all = trial.problem().added();
    let is_alone = |kept: Added| trial.is_possible(&trial.without(|one| one != kept));
    let of = |side: RevisionSide| -> Vec<Added> {
        all.iter()
            .copied()
            .filter(|one| one.side == side && !trial.is_unread(*one) && is_alone(*one))
            .collect()
    };
    let (ours, theirs) = (of(RevisionSide::Ours), of(RevisionSide::Theirs));
    let mut pairs = Vec::new();
    for one in &ours {
        for other in &theirs {
            if trial.is_impossible(&pair_alone(trial, [*one, *other])) {
                pairs.push((*one, *other));
            }
        }
    }
    pairs
}

/// Returns the problem with two additions alone.
fn pair_alone(trial: &Trial<'_>, pair: [Added; 2]) -> OrderProblem {
    trial.without(|one| !pair.contains(&one))
}

/// Explains why two additions exclude each other: by the states of a lifeline after each of them.
fn exclusion(trial: &Trial<'_>, [ours, theirs]: [Added; 2]) -> Explanation {
    let pair = &pair_alone(trial, [ours, theirs]);
    let reason = format!("{} and {} exclude each other", trial.told(ours), trial.told(theirs));
    let mut explanation = explanation(trial, reason, [ours, theirs]);
    for id in trial.problem().acceptors.ids().filter(|id| trial.is_impossible(&trial.alone(*id, pair))) {
        // What stands at a later place cannot come first.
        let ways =
            [(ours, theirs), (theirs, ours)].into_iter().filter(|(one, other)| one.segment <= other.segment);
        for (one, other) in ways {
            if let Some(states) = states_between(trial, id, one, other) {
                let limit = trial.limit(id);
                let names = states.iter().map(|state| format!("`{}`", trial.state(limit, state)));
                let until = if one.segment == other.segment { "" } else { " and what follows it" };
                explanation.reasons.push(format!(
                    "after `{}`{until} `{}` is in {}, and so it cannot receive `{}` and what follows",
                    trial.name(one),
                    limit.lifeline,
                    names.collect::<Vec<_>>().join(" or "),
                    trial.name(other)
                ));
            }
        }
    }
    explanation
}

/// Returns the states of a lifeline after an addition and all that is fixed up to the place of another, without any other addition.
fn states_between(trial: &Trial<'_>, id: AcceptorId, one: Added, other: Added) -> Option<StateSet> {
    let acceptor = &trial.problem().acceptors[id];
    let fixed = |range: Range<usize>| {
        trial.problem().segments[range].iter().filter_map(|segment| match segment {
            Segment::Fixed(element) => Some(element),
            Segment::Gap(_) => None,
        })
    };
    let elements = fixed(0..one.segment).chain([trial.problem().element(one)]);
    let elements = elements.chain(fixed(one.segment..other.segment));
    let read = elements.flatten().filter(|(own, _)| *own == id);
    let states = read.fold(acceptor.start.clone(), |states, (_, symbol)| acceptor.after(&states, *symbol));
    (trial.touches(one, id) && !states.is_empty()).then_some(states)
}

/// Explains which lifelines need which orders, if each has one, but no order suits all.
fn contradicting_orders(trial: &Trial<'_>, all: &[Added]) -> Explanation {
    let reason = "each lifeline has an order, but no order suits all of them".to_owned();
    let mut explanation = explanation(trial, reason, all.iter().copied());
    for id in trial.problem().acceptors.ids() {
        let touched = |side: RevisionSide| {
            all.iter().copied().filter(move |one| one.side == side && trial.touches(*one, id))
        };
        for ours in touched(RevisionSide::Ours) {
            for theirs in touched(RevisionSide::Theirs).filter(|one| one.segment == ours.segment) {
                for (one, other) in [(ours, theirs), (theirs, ours)] {
                    if explanation.reasons.len() < MOST_REASONS && must_precede(trial, id, one, other) {
                        explanation.reasons.push(format!(
                            "`{}` needs `{}` before `{}`",
                            trial.limit(id).lifeline,
                            trial.name(one),
                            trial.name(other)
                        ));
                    }
                }
            }
        }
    }
    explanation
}

/// Whether a lifeline accepts one addition only before another.
fn must_precede(trial: &Trial<'_>, id: AcceptorId, one: Added, other: Added) -> bool {
    let mut swapped = trial.alone(id, trial.problem());
    let Segment::Gap(gap) = &swapped.segments[one.segment] else { return false };
    // The other one and all before it on its side come before this one and all after it.
    let (early, late) = gap[one.side as usize].split_at(one.number);
    let (before, after) = gap[other.side as usize].split_at(other.number + 1);
    let gaps =
        [[early, before], [late, after]].map(|sides| Segment::Gap(sides.map(<[OrderElement]>::to_vec)));
    swapped.segments.splice(one.segment..=one.segment, gaps);
    trial.is_impossible(&swapped)
}

//! Reasons why no order suits the machines.
//!
//! The simplest reason is searched for first: the additions of one side alone, two messages that exclude each other on a lifeline, a lifeline that accepts
//! no interleaving at all, and at last lifelines that each need another order.

use super::trial::{MOST_NODES, Trial};
use crate::merge::machines::{DiagramProblem, FileModel};
use crate::merge::order::{AcceptorId, Added, Element, MergeGraph, OrderProblem, Segment, StateSet};
use crate::merge::side::Side;

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

/// The most pairs of choices that are tried.
const MOST_PAIRS: usize = 100;

/// The most reasons.
const MOST_REASONS: usize = 6;

/// Explains why a diagram has no merge, without proposals.
pub(in crate::merge) fn reasons(diagram: &DiagramProblem, model: &FileModel) -> Explanation {
    explain(&Trial::new(diagram, model))
}

/// Explains why a diagram has no merge.
pub(super) fn explain(trial: &Trial<'_>) -> Explanation {
    let all = trial.problem().added();
    let of_side = |side: Side| all.iter().copied().filter(move |one| one.side == side);
    for side in Side::BOTH {
        if trial.is_impossible(&trial.without(|one| one.side != side)) {
            let whose = if side == Side::Ours { "our side" } else { "their side" };
            let reason = format!("what {whose} added does not suit the state machines even alone");
            return explanation(trial, reason, of_side(side));
        }
    }
    if let Some((ours, theirs, pair)) = exclusive_pair(trial) {
        return exclusion(trial, [ours, theirs], &pair);
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

/// Returns two additions, one of each side, that exclude each other, and the problem of these two alone.
fn exclusive_pair(trial: &Trial<'_>) -> Option<(Added, Added, OrderProblem)> {
    let all = trial.problem().added();
    for ours in all.iter().copied().filter(|one| one.side == Side::Ours) {
        for theirs in all.iter().copied().filter(|one| one.side == Side::Theirs) {
            if trial.is_spent() {
                return None;
            }
            let pair = trial.without(|one| one != ours && one != theirs);
            let is_alone = |kept: Added| trial.is_possible(&trial.without(|one| one != kept));
            if trial.is_impossible(&pair) && is_alone(ours) && is_alone(theirs) {
                return Some((ours, theirs, pair));
            }
        }
    }
    None
}

/// Explains why two additions exclude each other: by the states of a lifeline after each of them.
fn exclusion(trial: &Trial<'_>, [ours, theirs]: [Added; 2], pair: &OrderProblem) -> Explanation {
    let reason = format!("{} and {} exclude each other", trial.told(ours), trial.told(theirs));
    let mut explanation = explanation(trial, reason, [ours, theirs]);
    for id in trial.problem().acceptors.ids().filter(|id| trial.is_impossible(&trial.alone(*id, pair))) {
        for (one, other) in [(ours, theirs), (theirs, ours)] {
            if let Some(states) = states_after(trial, id, one) {
                let limit = trial.limit(id);
                let names = states.iter().map(|state| format!("`{}`", trial.state(limit, state)));
                explanation.reasons.push(format!(
                    "after `{}` `{}` is in {}, and so it cannot receive `{}` and what follows",
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

/// Returns the states of a lifeline right after an addition, without any other.
fn states_after(trial: &Trial<'_>, id: AcceptorId, one: Added) -> Option<StateSet> {
    let acceptor = &trial.problem().acceptors[id];
    let fixed = trial.problem().segments[..one.segment].iter().filter_map(|segment| match segment {
        Segment::Fixed(element) => Some(element),
        Segment::Gap(_) => None,
    });
    let read = fixed.chain([trial.problem().element(one)]).flatten().filter(|(own, _)| *own == id);
    let states = read.fold(acceptor.start.clone(), |states, (_, symbol)| acceptor.after(&states, *symbol));
    (trial.touches(one, id) && !states.is_empty()).then_some(states)
}

/// Explains which lifelines need which orders, if each has one, but no order suits all.
fn contradicting_orders(trial: &Trial<'_>, all: &[Added]) -> Explanation {
    let reason = "each lifeline has an order, but no order suits all of them".to_owned();
    let mut explanation = explanation(trial, reason, all.iter().copied());
    for id in trial.problem().acceptors.ids() {
        let touched =
            |side: Side| all.iter().copied().filter(move |one| one.side == side && trial.touches(*one, id));
        for ours in touched(Side::Ours) {
            for theirs in touched(Side::Theirs).filter(|one| one.segment == ours.segment) {
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
    let gaps = [[early, before], [late, after]].map(|sides| Segment::Gap(sides.map(<[Element]>::to_vec)));
    swapped.segments.splice(one.segment..=one.segment, gaps);
    trial.is_impossible(&swapped)
}

/// Two additions to one gap that exclude each other, so that with either alone everything else has a merge.
pub(in crate::merge) struct Rivals {
    /// The gap, by its segment.
    pub segment: usize,
    /// The indices of our and of their addition.
    pub numbers: [usize; 2],
    /// The problem with our addition fixed and theirs left out; the gap is divided in two.
    pub rest: OrderProblem,
}

/// Returns the rivals of a diagram, if two additions are the only obstacle.
pub(in crate::merge) fn rivals(diagram: &DiagramProblem, model: &FileModel) -> Option<Rivals> {
    let trial = Trial::new(diagram, model);
    let (ours, theirs, _) = exclusive_pair(&trial)?;
    let gap = diagram.problem.segments[ours.segment].gap()?;
    let numbers = [ours.number, theirs.number];
    let divided = |kept: &Element| {
        let mut problem = diagram.problem.clone();
        let part = |range: fn(&[Element], usize) -> &[Element]| {
            Segment::Gap([0, 1].map(|side| range(&gap[side], numbers[side]).to_vec()))
        };
        let parts = [
            part(|elements, number| &elements[..number]),
            Segment::Fixed(kept.clone()),
            part(|elements, number| &elements[number + 1..]),
        ];
        problem.segments.splice(ours.segment..=ours.segment, parts);
        problem
    };
    if ours.segment != theirs.segment {
        return None;
    }
    let [rest, other] = [0, 1].map(|side| divided(&gap[side][numbers[side]]));
    (trial.is_possible(&rest) && trial.is_possible(&other)).then_some(Rivals {
        segment: ours.segment,
        numbers,
        rest,
    })
}

/// Returns the fewest choices of a diagram, by index, without which the others have a merge.
pub(in crate::merge) fn fewest_choices(problem: &OrderProblem) -> Vec<usize> {
    let gaps = problem.gaps();
    let suffices = |numbers: &Vec<usize>| {
        let emptied = problem.emptied(&numbers.iter().map(|number| gaps[*number]).collect::<Vec<_>>());
        MergeGraph::within(&emptied, MOST_NODES).is_some_and(|graph| graph.is_possible())
    };
    let all = 0..gaps.len();
    let one = all.clone().map(|number| vec![number]);
    let two = all.clone().flat_map(|one| (one + 1..gaps.len()).map(move |other| vec![one, other]));
    one.chain(two.take(MOST_PAIRS)).find(suffices).unwrap_or_else(|| all.collect())
}

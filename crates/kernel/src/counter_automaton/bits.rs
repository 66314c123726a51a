//! The history in an array of bits: two states and a transition for each occurrence, plus one (P3, section 5).
//!
//! In a loop each lifeline has a counter besides, and its bits speak of its present iteration; this is the shape of the
//! observers that P3 writes for SPIN.

use super::cycle::{Cycle, RestStates};
use super::order::OccurrenceOrder;
use super::{
    Compact, CounterChange, CounterGuard, CounterRole, CounterState, CounterTransition, CounterVariable,
};
use crate::model::Loop;

/// The automaton of messages in an order.
pub(crate) fn of_order(order: &OccurrenceOrder) -> Compact {
    let mut made = Compact {
        states: vec![CounterState::default(), CounterState { accepting: true, ..CounterState::default() }],
        ..Compact::default()
    };
    add_bits(&mut made, order);
    for (place, occurrence) in order.occurrences.iter().enumerate() {
        let needs = occurrence.needs.iter().map(|need| CounterGuard::Bit(*need, true));
        let guard =
            CounterGuard::All([CounterGuard::Bit(place, false)].into_iter().chain(needs).collect()).plain();
        let (event, action) = (Some(occurrence.event.clone()), vec![(place, CounterChange::To(1))]);
        made.transitions.push(CounterTransition { from: 0, to: 0, event, guard, action });
    }
    let all = (0..order.occurrences.len()).map(|place| CounterGuard::Bit(place, true)).collect();
    let guard = CounterGuard::All(all).plain();
    made.transitions.push(CounterTransition { from: 0, to: 1, event: None, guard, action: Vec::new() });
    made
}

fn add_bits(made: &mut Compact, order: &OccurrenceOrder) {
    for (number, occurrence) in order.occurrences.iter().enumerate() {
        let role = CounterRole::Happened(occurrence.event.clone());
        made.variables.push(CounterVariable { name: format!("h[{number}]"), role });
    }
}

/// The automaton of a loop.
pub(crate) fn of_loop(order: &OccurrenceOrder, bounds: Loop) -> Result<Compact, String> {
    let mut cycle = Cycle::new(order, bounds)?;
    add_bits(&mut cycle.made, order);
    cycle.made.states.push(CounterState::default());
    let rest = cycle.rest(0);
    for place in 0..order.occurrences.len() {
        step(&mut cycle, rest, place);
    }
    let nothing = all_bits(order, |_| true, false);
    Ok(cycle.leave(rest, nothing))
}

/// The variable of an occurrence, behind the counters.
fn bit(order: &OccurrenceOrder, place: usize) -> usize {
    order.lines.len() + place
}

/// Whether the bits of some occurrences are all set, or all not.
fn all_bits(order: &OccurrenceOrder, which: impl Fn(usize) -> bool, is_set: bool) -> CounterGuard {
    let places = (0..order.occurrences.len()).filter(|place| which(*place));
    CounterGuard::All(places.map(|place| CounterGuard::Bit(bit(order, place), is_set)).collect())
}

fn step(cycle: &mut Cycle<'_>, rest: RestStates, place: usize) {
    let order = cycle.order;
    let occurrence = &order.occurrences[place];
    let line = occurrence.line;
    let is_own = |other: usize| order.occurrences[other].line == line;
    let others: Vec<usize> = order.on(line).filter(|other| *other != place).collect();
    let mut guard = vec![CounterGuard::Bit(bit(order, place), false)];
    for need in &occurrence.needs {
        let has_happened = CounterGuard::Bit(bit(order, *need), true);
        guard.push(if is_own(*need) { has_happened } else { cycle.need(place, *need, has_happened) });
    }
    // One of the others has begun the iteration, or this one does.
    let begun = others.iter().map(|other| CounterGuard::Bit(bit(order, *other), true));
    let needs_own = occurrence.needs.iter().any(|need| is_own(*need));
    if !needs_own {
        guard.push(CounterGuard::Any([cycle.may_begin(line)].into_iter().chain(begun).collect()));
    }
    let event = Some(occurrence.event.clone());
    let with = |more: Option<CounterGuard>, action| CounterTransition {
        from: 0,
        to: 0,
        event: event.clone(),
        guard: CounterGuard::All(guard.iter().cloned().chain(more).collect()).plain(),
        action,
    };
    let is_after = before(order, place);
    let is_always_last = others.iter().all(|other| is_after.contains(other));
    // Where nothing orders the lifeline's occurrences, each may be the last.
    let may_be_last = others.iter().all(|other| !before(order, *other).contains(&place));
    if !is_always_last {
        let left = others.iter().map(|other| CounterGuard::Bit(bit(order, *other), false)).collect();
        let left = may_be_last.then_some(CounterGuard::Any(left));
        cycle.made.transitions.push(with(left, vec![(bit(order, place), CounterChange::To(1))]));
    }
    if may_be_last {
        let done = (!is_always_last).then(|| all_bits(order, |other| is_own(other) && other != place, true));
        let forget = others.iter().map(|other| (bit(order, *other), CounterChange::To(0)));
        let finishing = with(done, forget.chain([(line, CounterChange::Up)]).collect());
        let quiet = all_bits(order, |other| !is_own(other), false);
        cycle.finish(line, finishing, rest, Some(quiet));
    }
}

/// What happens before an occurrence on its own lifeline, directly or not.
fn before(order: &OccurrenceOrder, place: usize) -> Vec<usize> {
    let line = order.occurrences[place].line;
    let mut found = Vec::new();
    let mut open = vec![place];
    while let Some(at) = open.pop() {
        for need in &order.occurrences[at].needs {
            if order.occurrences[*need].line == line && !found.contains(need) {
                found.push(*need);
                open.push(*need);
            }
        }
    }
    found
}

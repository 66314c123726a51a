//! A loop with a counter for each lifeline: a state is what the lifelines have done of their present iterations (figure 3
//! of P3).

use std::collections::{BTreeMap, BTreeSet};

use super::cycle::{Cycle, RestStates};
use super::order::OccurrenceOrder;
use super::{Compact, CounterChange, CounterGuard, CounterState, CounterTransition};
use crate::model::Loop;

/// More states are nothing to look at.
const MOST_STATES: usize = 10_000;

/// What has happened, occurrence by occurrence.
type OccurrenceHistory = BTreeSet<usize>;

/// The automaton of a loop.
pub(crate) fn automaton(order: &OccurrenceOrder, bounds: Loop) -> Result<Compact, String> {
    let mut cycle = Cycle::new(order, bounds)?;
    let mut numbers: BTreeMap<OccurrenceHistory, usize> = BTreeMap::new();
    let mut histories: Vec<OccurrenceHistory> = vec![OccurrenceHistory::new()];
    numbers.insert(OccurrenceHistory::new(), 0);
    cycle.made.states.push(CounterState::default());
    let mut at = 0;
    let mut steps: Vec<(usize, usize, usize)> = Vec::new();
    while at < histories.len() {
        let history = histories[at].clone();
        for place in possible(order, &history) {
            let next = after(order, &history, place);
            let number = *numbers.entry(next.clone()).or_insert_with(|| {
                cycle.made.states.push(state(order, &next));
                histories.push(next);
                histories.len() - 1
            });
            steps.push((at, place, number));
        }
        if histories.len() > MOST_STATES {
            return Err(format!("there are more than {MOST_STATES} states; the form `bits` has two"));
        }
        at += 1;
    }
    let rest = cycle.rest(0);
    for (from, place, to) in steps {
        step(&mut cycle, &histories[from], rest, [from, place, to]);
    }
    Ok(cycle.leave(rest, CounterGuard::ALWAYS))
}

/// Occurrences that a history lets happen, whatever the counters: their own lifelines are ready for them.
fn possible(order: &OccurrenceOrder, history: &OccurrenceHistory) -> Vec<usize> {
    let occurrences = &order.occurrences;
    let is_ready = |place: &usize| {
        let mut own = occurrences[*place]
            .needs
            .iter()
            .filter(|need| occurrences[**need].line == occurrences[*place].line);
        !history.contains(place) && own.all(|need| history.contains(need))
    };
    (0..occurrences.len()).filter(is_ready).collect()
}

/// The history after an occurrence: a lifeline that has done everything forgets it.
fn after(order: &OccurrenceOrder, history: &OccurrenceHistory, place: usize) -> OccurrenceHistory {
    let mut next = history.clone();
    next.insert(place);
    let line = order.occurrences[place].line;
    if order.on(line).all(|own| next.contains(&own)) {
        order.on(line).for_each(|own| {
            next.remove(&own);
        });
    }
    next
}

fn state(order: &OccurrenceOrder, history: &OccurrenceHistory) -> CounterState {
    let history = history.iter().map(|place| order.occurrences[*place].event.clone()).collect();
    CounterState { history, ..CounterState::default() }
}

fn step(cycle: &mut Cycle<'_>, history: &OccurrenceHistory, rest: RestStates, [from, place, to]: [usize; 3]) {
    let order = cycle.order;
    let occurrence = &order.occurrences[place];
    let line = occurrence.line;
    let others = occurrence.needs.iter().filter(|need| order.occurrences[**need].line != line);
    let mut guard: Vec<CounterGuard> = Vec::new();
    if order.on(line).all(|own| !history.contains(&own)) {
        guard.push(cycle.may_begin(line));
    }
    for need in others {
        let has_happened =
            if history.contains(need) { CounterGuard::ALWAYS } else { CounterGuard::Any(Vec::new()) };
        guard.push(cycle.need(place, *need, has_happened));
    }
    let is_over = order.on(line).all(|own| own == place || history.contains(&own));
    let action = if is_over { vec![(line, CounterChange::Up)] } else { Vec::new() };
    let event = Some(occurrence.event.clone());
    let transition = CounterTransition { from, to, event, guard: CounterGuard::All(guard).plain(), action };
    match is_over {
        true => cycle.finish(line, transition, rest, (to == rest.between).then_some(CounterGuard::ALWAYS)),
        false => cycle.made.transitions.push(transition),
    }
}

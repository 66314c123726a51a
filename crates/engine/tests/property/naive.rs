//! The product of a system and an observer, written out with the kernel's interpreter and searched by definition.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::property::{Marks, Moment, Observer, all_marks};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::{Config, Fairness, RuleId, Step, Strength, System, TermId};

use super::Lot;

/// More states are not written out.
const MOST: usize = 250;

/// A state of the product: a configuration or how the run ended, and what the observer remembers.
type Place = (Result<Config, Moment>, u32);

struct Edge {
    from: usize,
    to: usize,
    marks: Marks,
    rules: Vec<RuleId>,
    is_position: bool,
}

/// Whether some run is accepted; `None` if there are too many states.
pub(crate) fn finds(system: &System, observer: &Lot) -> Option<bool> {
    let first = system.initial();
    if system.holds(system.void, &first) {
        return Some(false);
    }
    let starts = read(observer, observer.first(), Moment::Start);
    let mut places: Vec<Place> = Vec::new();
    let mut numbers: BTreeMap<Place, usize> = BTreeMap::new();
    let mut edges = Vec::new();
    let mut number = |place: Place, places: &mut Vec<Place>| {
        *numbers.entry(place.clone()).or_insert_with(|| {
            places.push(place);
            places.len() - 1
        })
    };
    for (state, _) in starts {
        number((Ok(first.clone()), state), &mut places);
    }
    let mut from = 0;
    while from < places.len() {
        if places.len() > MOST {
            return None;
        }
        for (place, marks, rules, is_position) in successors(system, observer, &places[from].clone()) {
            let to = number(place, &mut places);
            edges.push(Edge { from, to, marks, rules, is_position });
        }
        from += 1;
    }
    Some(has_circle(system, observer, &places, &edges))
}

/// Where a state leads: by steps, or by ending.
fn successors(system: &System, observer: &Lot, place: &Place) -> Vec<(Place, Marks, Vec<RuleId>, bool)> {
    let (config, state) = place;
    let mut all = Vec::new();
    let ends = |all: &mut Vec<_>, last: Moment| {
        for (state, marks) in read(observer, *state, last) {
            all.push(((Err(last), state), marks, Vec::new(), true));
        }
    };
    let config = match config {
        Ok(config) => config,
        Err(last) => {
            ends(&mut all, *last);
            return all;
        }
    };
    let steps = system.steps(config);
    // Only valid runs are followed.
    if system.holds(system.invalid, config) || system.holds(system.inconclusive, config) {
        return all;
    }
    if system.holds(system.complete, config) {
        ends(&mut all, Moment::End);
    } else if steps.is_empty() {
        ends(&mut all, Moment::Stuck);
    }
    for step in due(system, steps) {
        let next = system.take(&step, config).expect("the step is possible");
        if system.holds(system.void, &next) {
            continue;
        }
        let event = system.events(&step).next();
        let ways = match event {
            Some(event) => read(observer, *state, Moment::Event(event)),
            None => vec![(*state, 0)],
        };
        for (state, marks) in ways {
            all.push(((Ok(next.clone()), state), marks, step.0.clone(), event.is_some()));
        }
    }
    all
}

/// Urgent steps come first.
pub(crate) fn due(system: &System, steps: Vec<Step>) -> Vec<Step> {
    let is_urgent = |step: &Step| system.rules[step.0[0]].urgent;
    match steps.iter().any(is_urgent) {
        true => steps.into_iter().filter(is_urgent).collect(),
        false => steps,
    }
}

fn read(observer: &Lot, state: u32, moment: Moment) -> Vec<(u32, Marks)> {
    let mut ways = Vec::new();
    observer.read(&state, moment, &mut |_: TermId| unreachable!("it reads events only"), &mut ways);
    ways
}

/// Whether some states lie on a circle that counts and is accepted; every state is reached.
fn has_circle(system: &System, observer: &Lot, places: &[Place], edges: &[Edge]) -> bool {
    let mut open: Vec<BTreeSet<usize>> = vec![(0..places.len()).collect()];
    while let Some(states) = open.pop() {
        let within: Vec<&Edge> =
            edges.iter().filter(|edge| states.contains(&edge.from) && states.contains(&edge.to)).collect();
        let reaches = closure(places.len(), within.iter().map(|edge| (edge.from, edge.to)));
        let part_of = |state: usize| -> BTreeSet<usize> {
            let is_in = |other: &usize| reaches[state][*other] && reaches[*other][state];
            states.iter().copied().filter(is_in).collect()
        };
        let parts: BTreeSet<BTreeSet<usize>> =
            states.iter().map(|state| part_of(*state)).filter(|part| !part.is_empty()).collect();
        for part in parts {
            let inside: Vec<&&Edge> =
                within.iter().filter(|edge| part.contains(&edge.from) && part.contains(&edge.to)).collect();
            let constraints = || system.endless.iter().flat_map(|endless| &endless.owed);
            let is_paid = |one: &&Fairness| {
                inside.iter().any(|edge| edge.rules.iter().any(|rule| one.payers.contains(rule)))
            };
            let may_happen = |one: &Fairness, state: &usize| {
                enabled(system, &places[*state]).iter().any(|rule| one.when.contains(rule))
            };
            // A run that counts stays away from where something may happen that never does.
            let is_unfair = |one: &&Fairness| {
                one.strength == Strength::Strong
                    && !is_paid(one)
                    && part.iter().any(|state| may_happen(one, state))
            };
            if constraints().any(|one| is_unfair(&one)) {
                let unfair: Vec<&Fairness> = constraints().filter(is_unfair).collect();
                let is_left = |state: &usize| !unfair.iter().any(|one| may_happen(one, state));
                open.push(part.iter().copied().filter(is_left).collect());
                continue;
            }
            let is_just = |one: &Fairness| {
                one.strength == Strength::Strong
                    || is_paid(&one)
                    || part.iter().any(|state| !may_happen(one, state))
            };
            let all = all_marks(observer.marks());
            let seen = inside.iter().fold(0, |seen, edge| seen | edge.marks);
            let is_read = inside.iter().any(|edge| edge.is_position) && seen & all == all;
            if is_read && constraints().all(is_just) && rests(system, places, &part) {
                return true;
            }
        }
    }
    false
}

/// The rules that take part in the steps of a state; at the end of a run there are none.
fn enabled(system: &System, (config, _): &Place) -> BTreeSet<RuleId> {
    let steps = config.as_ref().map_or(Vec::new(), |config| due(system, system.steps(config)));
    steps.into_iter().flat_map(|step| step.0).collect()
}

/// Whether what must hold again and again does; the end of a run repeats itself, and everything is as it is.
fn rests(system: &System, places: &[Place], part: &BTreeSet<usize>) -> bool {
    let configs: Vec<&Config> = part.iter().filter_map(|state| places[*state].0.as_ref().ok()).collect();
    match &system.endless {
        _ if configs.is_empty() => true,
        Some(endless) => {
            endless.rests.iter().all(|rest| configs.iter().any(|config| system.holds(*rest, config)))
        }
        None => false,
    }
}

/// Which state reaches which (Warshall 1962).
fn closure(count: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<bool>> {
    let mut reaches = vec![vec![false; count]; count];
    edges.for_each(|(from, to)| reaches[from][to] = true);
    for middle in 0..count {
        let beyond = reaches[middle].clone();
        for row in reaches.iter_mut().filter(|row| row[middle]) {
            row.iter_mut().zip(&beyond).for_each(|(to, reached)| *to |= reached);
        }
    }
    reaches
}

/// Whether an observer accepts a run, read along it again and again.
pub(crate) fn accepts(system: &System, run: &Run, observer: &Lot) -> bool {
    let configs = replay(system, run).expect("it is a run");
    let is_complete = configs.last().is_some_and(|last| system.holds(system.complete, last));
    let moments: Vec<(usize, Moment)> = run
        .steps
        .iter()
        .enumerate()
        .filter_map(|(number, step)| Some((number, Moment::Event(system.events(step).next()?))))
        .collect();
    let split = run.cycle.unwrap_or(run.steps.len());
    let mut word: Vec<Moment> = vec![Moment::Start];
    word.extend(moments.iter().filter(|(step, _)| *step < split).map(|(_, moment)| *moment));
    let start = word.len();
    word.extend(moments.iter().filter(|(step, _)| *step >= split).map(|(_, moment)| *moment));
    if run.cycle.is_none() {
        word.push(if is_complete { Moment::End } else { Moment::Stuck });
    }
    // Positions of the word with what is remembered before each; the last leads back to the start of the circle.
    let states = observer.states as usize + 1;
    let count = word.len() * states;
    let mut edges: Vec<(usize, usize, Marks)> = Vec::new();
    for (at, moment) in word.iter().enumerate() {
        let next = if at + 1 == word.len() { start } else { at + 1 };
        for state in 0..states {
            for (to, marks) in read(observer, state as u32, *moment) {
                edges.push((at * states + state, next * states + to as usize, marks));
            }
        }
    }
    let mut reached = vec![false; count];
    reached[observer.first() as usize] = true;
    for _ in 0..count {
        edges.iter().for_each(|(from, to, _)| reached[*to] |= reached[*from]);
    }
    let reaches = closure(count, edges.iter().map(|(from, to, _)| (*from, *to)));
    (0..count).filter(|state| reached[*state] && reaches[*state][*state]).any(|state| {
        let in_part = |other: usize| reaches[state][other] && reaches[other][state];
        let inside = edges.iter().filter(|(from, to, _)| in_part(*from) && in_part(*to));
        let seen = inside.fold(0, |seen, (_, _, marks)| seen | marks);
        let all = all_marks(observer.marks());
        seen & all == all
    })
}

//! Proposals: what would give a diagram a merge. Each is tried before it is made.

use sequent_kernel::id::Id;

use super::trial::Trial;
use crate::merge::order::{AcceptorId, Added, SymbolId, fewest};

/// The most proposals of a kind.
pub(super) const MOST_PROPOSALS: usize = 3;

/// Returns the fewest additions to leave out, an addition to move, a transition to add to a machine.
pub(super) fn proposals(trial: &Trial<'_>) -> Vec<String> {
    [omissions(trial), moves(trial), transitions(trial)].concat()
}

/// Words the proposal to leave out additions, given in words.
pub(super) fn leave_out(names: &[String]) -> String {
    format!("leave out {}", names.join(" and "))
}

/// Words the proposal to add a transition.
pub(super) fn add_transition(machine: &str, [from, to]: [&str; 2], trigger: &str, line: &str) -> String {
    format!("give `{machine}` a transition {from} --> {to} : {trigger} ({line})")
}

/// Returns all pairs of states, loops first.
pub(super) fn pairs<T: Copy + PartialEq>(states: &[T]) -> Vec<(T, T)> {
    let loops = states.iter().map(|state| (*state, *state));
    let others = states.iter().flat_map(|from| states.iter().map(|to| (*from, *to)));
    loops.chain(others.filter(|(from, to)| from != to)).collect()
}

/// Proposes the fewest additions to leave out.
fn omissions(trial: &Trial<'_>) -> Vec<String> {
    let sets = fewest(trial.problem(), MOST_PROPOSALS).unwrap_or_default();
    let told = |set: &Vec<Added>| leave_out(&set.iter().map(|one| trial.told(*one)).collect::<Vec<_>>());
    sets.iter().filter(|set| !set.is_empty()).map(told).collect()
}

/// Proposes to move one addition to another place of its own gap, or to another gap.
fn moves(trial: &Trial<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for one in trial.problem().added() {
        if trial.is_spent() {
            break;
        }
        let element = trial.problem().element(one);
        let rest = trial.without(|other| other == one);
        for segment in rest.gaps() {
            let length = rest.segments[segment].gap().map_or(0, |gap| gap[one.side as usize].len());
            for number in 0..=length {
                if (segment, number) == (one.segment, one.number) || found.len() == MOST_PROPOSALS {
                    continue;
                }
                let mut moved = rest.clone();
                if let Some(gap) = moved.segments[segment].gap_mut() {
                    gap[one.side as usize].insert(number, element.clone());
                }
                if trial.is_possible(&moved) {
                    found.push(told_move(trial, one, segment, number));
                }
            }
        }
    }
    found
}

fn told_move(trial: &Trial<'_>, one: Added, segment: usize, number: usize) -> String {
    let all = trial.diagram.names[segment][one.side as usize].iter().enumerate();
    let names: Vec<&String> =
        all.filter(|(at, _)| (segment, *at) != (one.segment, one.number)).map(|(_, name)| name).collect();
    let place = match (number.checked_sub(1).and_then(|at| names.get(at)), names.get(number)) {
        (Some(before), _) => format!("after `{before}`"),
        (None, Some(after)) => format!("before `{after}`"),
        (None, None) => "to another place".to_owned(),
    };
    format!("move {} {place}", trial.told(one))
}

/// Proposes one transition; those that leave the state come last.
fn transitions(trial: &Trial<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for id in trial.problem().acceptors.ids() {
        let limit = trial.limit(id);
        let states: Vec<usize> = (0..limit.states.len()).collect();
        for (symbol, trigger) in symbols(trial, id) {
            for (from, to) in pairs(&states) {
                if found.len() == MOST_PROPOSALS || trial.is_spent() {
                    return found;
                }
                let mut changed = trial.problem().clone();
                changed.acceptors[id].moves[symbol][from].insert(to);
                if trial.is_possible(&changed) {
                    let machine = &trial.model.reading.model.machines[limit.machine];
                    let line = trial.model.line(machine.vertices[limit.states[from]].place.0);
                    let ends = [from, to].map(|state| trial.state(limit, state));
                    found.push(add_transition(&machine.name, ends, trigger, &line));
                }
            }
        }
    }
    found
}

/// Returns the symbols that stand for one message of the sides that a lifeline receives, with its name.
fn symbols<'t>(trial: &'t Trial<'_>, id: AcceptorId) -> Vec<(SymbolId, &'t str)> {
    let mut symbols: Vec<(SymbolId, &str)> = Vec::new();
    for one in trial.problem().added() {
        if let [(own, symbol)] = trial.problem().element(one)[..] {
            let trigger = trial.limit(id).triggers.iter().nth(symbol.index()).and_then(Option::as_deref);
            if own == id && !symbols.iter().any(|(known, _)| *known == symbol) {
                symbols.extend(trigger.map(|trigger| (symbol, trigger)));
            }
        }
    }
    symbols
}

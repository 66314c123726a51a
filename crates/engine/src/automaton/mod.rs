//! Automata: the traces of a system as states and transitions (P3, section 3).
//!
//! The sets of configurations of the subset construction are the states. [`prune`] removes states from which
//! no trace is accepted, neither at an accepting state nor in a cycle that carries every recurrence mark;
//! [`minimal`] merges equivalent states.

mod circle;
mod minimal;

pub use minimal::minimal;

use sequent_kernel::automaton::{Automaton, AutomatonEdge, AutomatonState};
use sequent_kernel::system::TraceClass;

use crate::traces::{SetId, Sets, Traces};

/// The automaton of the traces of a class.
pub fn automaton(traces: Traces<'_>, class: TraceClass) -> Automaton {
    let mut sets = traces.into_sets();
    let system = sets.system();
    let mut states = Vec::new();
    let mut arrows = Vec::new();
    for set in sets.ids() {
        states.push(state(&mut sets, set, class));
        let next = sets.next(set);
        arrows.extend(next.map(|(event, to)| (set.index(), to.index(), system.events[event].text.as_str())));
    }
    Automaton { states, edges: grouped(arrows), sets: system.recurrent.len() }
}

fn state(sets: &mut Sets<'_>, set: SetId, class: TraceClass) -> AutomatonState {
    let system = sets.system();
    let accepting = sets.class(set) == Some(class);
    let recurrent = system.recurrent.iter().map(|term| sets.any_holds(set, *term)).collect();
    AutomatonState { accepting, recurrent }
}

/// From one state to another by one event.
type AutomatonArrow<'a> = (usize, usize, &'a str);

/// One edge for all events from a state to another.
fn grouped(mut arrows: Vec<AutomatonArrow<'_>>) -> Vec<AutomatonEdge> {
    arrows.sort_unstable();
    arrows.dedup();
    let edge = |group: &[AutomatonArrow<'_>]| {
        let events = group.iter().map(|(.., event)| (*event).to_owned()).collect();
        AutomatonEdge { from: group[0].0, to: group[0].1, events }
    };
    arrows.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(edge).collect()
}

/// Every event of every edge on its own.
fn single(automaton: &Automaton) -> impl Iterator<Item = AutomatonArrow<'_>> {
    let edges = automaton.edges.iter();
    edges.flat_map(|edge| edge.events.iter().map(|event| (edge.from, edge.to, event.as_str())))
}

/// Leaves out states from which no trace comes to an end, finite or infinite. The initial state stays.
pub fn prune(automaton: &Automaton) -> Automaton {
    let mut alive = circle::recurrent(automaton);
    for (alive, state) in alive.iter_mut().zip(&automaton.states) {
        *alive |= state.accepting;
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); automaton.states.len()];
    for edge in &automaton.edges {
        before[edge.to].push(edge.from);
    }
    let mut open: Vec<usize> = (0..alive.len()).filter(|state| alive[*state]).collect();
    while let Some(state) = open.pop() {
        for earlier in &before[state] {
            if !std::mem::replace(&mut alive[*earlier], true) {
                open.push(*earlier);
            }
        }
    }
    if let Some(first) = alive.first_mut() {
        *first = true;
    }
    only(automaton, &alive)
}

/// The automaton of some of the states, the first among them.
fn only(automaton: &Automaton, kept: &[bool]) -> Automaton {
    let mut names = Vec::new();
    let mut states = Vec::new();
    for (state, kept) in automaton.states.iter().zip(kept) {
        names.push(states.len());
        if *kept {
            states.push(state.clone());
        }
    }
    let edges = automaton.edges.iter().filter(|edge| kept[edge.from] && kept[edge.to]);
    let edges = edges.map(|edge| AutomatonEdge {
        from: names[edge.from],
        to: names[edge.to],
        events: edge.events.clone(),
    });
    Automaton { edges: edges.collect(), states, sets: automaton.sets }
}

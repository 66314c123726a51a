//! Automata as Hanoi Omega-Automata, version 1 (Babiak et al., CAV 2015).
//!
//! - [`hoa`]: the traces of a diagram.
//! - [`hoa_question`]: the observer of a question, which accepts the runs that answer it.
//!
//! Both use the same letters, so that tools can compose them. An event is an atomic proposition, and at most
//! one is true at a position. Omega-automata know infinite words only, so a run that ends goes on with `end`,
//! forever.

mod header;
mod letters;
mod question;

pub use question::{ObserverReader, hoa_question};

use std::fmt::Write;

use sequent_kernel::automaton::{Automaton, AutomatonState};

use header::{Acceptance, HoaHeader};
use letters::{IdleMoment, Letters};

/// The traces of a diagram. Each accepting state has an edge to a sink in which nothing happens any more. The sink lies in every
/// acceptance set; infinite runs are accepted as the recurrent sets say, and not at all if there are none.
/// `alphabet` are the texts of all events that might have happened.
pub fn hoa<'a>(automaton: &'a Automaton, name: &str, alphabet: impl IntoIterator<Item = &'a str>) -> String {
    let mut events: Vec<&str> = events(automaton).chain(alphabet).collect();
    events.sort_unstable();
    events.dedup();
    // No trace is stuck; the proposition is needed in a product with the automaton of a question.
    let letters = Letters::new(&events, &[IdleMoment::End, IdleMoment::Stuck], &[]);
    let sink = automaton.states.len();
    let sets = automaton.sets.max(1);
    let header = HoaHeader {
        name,
        comment: vec![
            "Each event is a proposition of which one is true, and once all is over it is `end`.".to_owned(),
        ],
        states: sink + 1,
        // Without any state there is no run.
        start: automaton.states.first().map(|_| 0).into_iter().collect(),
        letters: &letters,
        acceptance: Acceptance::States(sets),
        is_deterministic: is_deterministic(automaton),
    };
    let mut text = header.text();
    let mut leaving: Vec<String> = vec![String::new(); automaton.states.len()];
    for edge in &automaton.edges {
        let label = edge.events.iter().filter_map(|event| events.binary_search(&event.as_str()).ok());
        let label: Vec<&str> = label.map(|event| letters.event(event)).collect();
        let label = if label.is_empty() { "f".to_owned() } else { label.join("|") };
        let _ = writeln!(leaving[edge.from], "[{label}] {}", edge.to);
    }
    for (number, (state, edges)) in automaton.states.iter().zip(leaving).enumerate() {
        let _ = writeln!(text, "State: {number}{}", membership(automaton, state));
        text += &edges;
        if state.accepting {
            let _ = writeln!(text, "[{}] {sink}", letters.moment(IdleMoment::End));
        }
    }
    let all: Vec<String> = (0..sets).map(|set| set.to_string()).collect();
    let end = letters.moment(IdleMoment::End);
    let _ = writeln!(text, "State: {sink} \"over\" {{{}}}\n[{end}] {sink}\n--END--", all.join(" "));
    text
}

/// The events on the edges.
fn events(automaton: &Automaton) -> impl Iterator<Item = &str> {
    automaton.edges.iter().flat_map(|edge| &edge.events).map(String::as_str)
}

/// Whether no event leads from a state to two.
fn is_deterministic(automaton: &Automaton) -> bool {
    let edges = automaton.edges.iter();
    let mut ways: Vec<(usize, &str, usize)> =
        edges.flat_map(|edge| edge.events.iter().map(|event| (edge.from, event.as_str(), edge.to))).collect();
    ways.sort_unstable();
    ways.dedup();
    ways.windows(2).all(|pair| (pair[0].0, pair[0].1) != (pair[1].0, pair[1].1))
}

/// The acceptance sets of a state; without recurrent sets the only one is the sink's.
fn membership(automaton: &Automaton, state: &AutomatonState) -> String {
    let member = |set: &usize| state.recurrent.get(*set).copied().unwrap_or(false);
    let sets: Vec<String> = (0..automaton.sets).filter(member).map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}

//! Automata as Hanoi Omega-Automata, version 1 (Babiak et al., CAV 2015).
//!
//! Events are atomic propositions, of which one is true in each step. Omega-automata know infinite words only, so a run
//! that ends goes on without event: each accepting state has an edge to a sink in which nothing happens any more. The
//! sink lies in every acceptance set; infinite runs are accepted as the recurrent sets say, and not at all if there are
//! none.

use std::collections::BTreeMap;
use std::fmt::Write;

use sequent_kernel::automaton::{Automaton, State};

/// An automaton as a HOA file.
pub fn hoa(automaton: &Automaton, name: &str) -> String {
    let events: Vec<&str> = events(automaton);
    let sink = automaton.states.len();
    let sets = automaton.sets.max(1);
    let mut text = format!("HOA: v1\nname: {}\ntool: \"sequent\"\n", quoted(name));
    let _ = writeln!(text, "States: {}\nStart: {}", sink + 1, if sink == 0 { sink } else { 0 });
    let names: String = events.iter().map(|event| format!(" {}", quoted(event))).collect();
    let _ = writeln!(text, "AP: {}{names}", events.len());
    text += &acceptance(sets);
    text += "properties: trans-labels explicit-labels state-acc\n";
    text += &aliases(events.len());
    text += "--BODY--\n";
    let numbers: BTreeMap<&str, usize> = (0..).zip(&events).map(|(number, event)| (*event, number)).collect();
    let mut leaving: Vec<String> = vec![String::new(); automaton.states.len()];
    for edge in &automaton.edges {
        let label: Vec<String> =
            edge.events.iter().map(|event| format!("@e{}", numbers[event.as_str()])).collect();
        let label = if label.is_empty() { "f".to_owned() } else { label.join("|") };
        let _ = writeln!(leaving[edge.from], "[{label}] {}", edge.to);
    }
    for (number, (state, edges)) in automaton.states.iter().zip(leaving).enumerate() {
        let _ = writeln!(text, "State: {number}{}", membership(automaton, state));
        text += &edges;
        if state.accepting {
            let _ = writeln!(text, "[@none] {sink}");
        }
    }
    let all: Vec<String> = (0..sets).map(|set| set.to_string()).collect();
    let _ = writeln!(text, "State: {sink} {{{}}}\n[@none] {sink}\n--END--", all.join(" "));
    text
}

/// The events in lexicographic order, each once.
fn events(automaton: &Automaton) -> Vec<&str> {
    let mut events: Vec<&str> =
        automaton.edges.iter().flat_map(|edge| &edge.events).map(String::as_str).collect();
    events.sort_unstable();
    events.dedup();
    events
}

fn acceptance(sets: usize) -> String {
    let name = if sets == 1 { "Buchi".to_owned() } else { format!("generalized-Buchi {sets}") };
    let all: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    format!("acc-name: {name}\nAcceptance: {sets} {}\n", all.join("&"))
}

/// One alias per event, which says that it happens and no other does; and one for no event.
fn aliases(count: usize) -> String {
    let only = |event: Option<usize>| -> String {
        let all: Vec<String> = (0..count)
            .map(|other| if Some(other) == event { other.to_string() } else { format!("!{other}") })
            .collect();
        if all.is_empty() { "t".to_owned() } else { all.join("&") }
    };
    let each: String = (0..count).map(|event| format!("Alias: @e{event} {}\n", only(Some(event)))).collect();
    format!("{each}Alias: @none {}\n", only(None))
}

/// The acceptance sets of a state; without recurrent sets the only one is the sink's.
fn membership(automaton: &Automaton, state: &State) -> String {
    let member = |set: &usize| state.recurrent.get(*set).copied().unwrap_or(false);
    let sets: Vec<String> = (0..automaton.sets).filter(member).map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

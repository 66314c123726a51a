//! Automata for Graphviz: accepting states have two circles, recurrent ones name their sets.

use std::fmt::Write;

use sequent_kernel::automaton::{Automaton, AutomatonState};

/// An automaton as a Graphviz file.
pub fn dot(automaton: &Automaton, name: &str) -> String {
    let mut text = format!("digraph {} {{\n", quoted(name));
    text += "  rankdir=LR;\n  node [shape=circle];\n  start [shape=point, label=\"\"];\n";
    for (number, state) in automaton.states.iter().enumerate() {
        let shape = if state.accepting { ", shape=doublecircle" } else { "" };
        let _ = writeln!(text, "  {number} [label={}{shape}];", quoted(&label(number, state)));
    }
    if !automaton.states.is_empty() {
        text += "  start -> 0;\n";
    }
    for edge in &automaton.edges {
        let events: Vec<String> = edge.events.iter().map(|event| event.replace('\n', " ")).collect();
        let _ = writeln!(text, "  {} -> {} [label={}];", edge.from, edge.to, quoted(&events.join("\n")));
    }
    text + "}\n"
}

fn label(number: usize, state: &AutomatonState) -> String {
    let sets: Vec<String> = (0..)
        .zip(&state.recurrent)
        .filter(|(_, is_in)| **is_in)
        .map(|(set, _): (usize, _)| set.to_string())
        .collect();
    match sets.as_slice() {
        [] => number.to_string(),
        sets => format!("{number}\n{{{}}}", sets.join(",")),
    }
}

/// A text in quotes: backslashes would begin an escape, a quote would end it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

//! State spaces: every state and every step, for tools that compare and check transition systems, and for eyes.
//!
//! - [`aut`]: Aldebaran's format, read by CADP, mCRL2 and LTSmin. A step that shows nothing is `i`, as CADP calls it.
//! - [`dot_space`]: Graphviz. Proper ends have two circles, states from which nothing goes on are boxes.

use std::fmt::Write;

use super::dot::quoted;

/// All states and steps of something that runs; the first state is the one in which it begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExportedSpace {
    /// What it is called.
    pub name: String,
    /// The states.
    pub states: Vec<SpaceState>,
    /// The steps: from where, the texts of the events that are seen, to where.
    pub steps: Vec<(usize, Vec<String>, usize)>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpaceState {
    /// How things stand, a line for each who takes part; may be empty.
    pub text: String,
    /// Whether a run may end here.
    pub is_end: bool,
    /// Whether nothing goes on although no run may end here.
    pub is_stuck: bool,
}

/// A state space in Aldebaran's format.
pub fn aut(space: &ExportedSpace) -> String {
    let mut text = format!("des (0, {}, {})\n", space.steps.len(), space.states.len());
    for (from, events, to) in &space.steps {
        let _ = match events.is_empty() {
            true => writeln!(text, "({from}, i, {to})"),
            false => writeln!(text, "({from}, {}, {to})", label(events)),
        };
    }
    text
}

/// Quotes may not stand in a label of that format, so they become apostrophes.
fn label(events: &[String]) -> String {
    format!("\"{}\"", events.join(" ").replace('"', "'").replace(['\n', '\r'], " "))
}

/// A state space as a Graphviz file.
pub fn dot_space(space: &ExportedSpace) -> String {
    let mut text = format!("digraph {} {{\n", quoted(&space.name));
    text += "  node [shape=ellipse];\n  start [shape=point, label=\"\"];\n";
    for (number, state) in space.states.iter().enumerate() {
        let shape = match (state.is_end, state.is_stuck) {
            (true, _) => ", peripheries=2",
            (false, true) => ", shape=box, style=bold",
            (false, false) => "",
        };
        let standing = if state.text.is_empty() { number.to_string() } else { state.text.clone() };
        let _ = writeln!(text, "  {number} [label={}{shape}];", quoted(&standing));
    }
    if !space.states.is_empty() {
        text += "  start -> 0;\n";
    }
    for (from, events, to) in &space.steps {
        let _ = writeln!(text, "  {from} -> {to} [label={}];", quoted(&events.join("\n")));
    }
    text + "}\n"
}

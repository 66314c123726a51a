//! What stands above the states of an automaton.

use std::fmt::Write;

use super::letters::{Letters, line};

/// How runs that go on forever are accepted: every set is met again and again.
#[derive(Clone, Copy)]
pub(crate) enum Acceptance {
    /// This number of sets of states.
    States(usize),
    /// This number of sets of edges.
    Edges(usize),
}

/// A header.
pub(crate) struct HoaHeader<'a> {
    pub name: &'a str,
    /// Comment lines.
    pub comment: Vec<String>,
    pub states: usize,
    /// The states in which runs begin.
    pub start: Vec<usize>,
    pub letters: &'a Letters,
    pub acceptance: Acceptance,
    /// Whether there is at most one way for each letter.
    pub(crate) is_deterministic: bool,
}

impl HoaHeader<'_> {
    /// The text up to the first state.
    pub(crate) fn text(&self) -> String {
        let mut text = "HOA: v1\n".to_owned();
        for comment in &self.comment {
            // Comments may stand in each other.
            let plain = line(comment).replace("*/", "* /").replace("/*", "/ *");
            let _ = writeln!(text, "/* {plain} */");
        }
        let _ = writeln!(text, "name: {}\ntool: \"sequent\"\nStates: {}", quoted(self.name), self.states);
        for state in &self.start {
            let _ = writeln!(text, "Start: {state}");
        }
        let Letters { propositions, aliases, .. } = self.letters;
        let names: String = propositions.iter().map(|name| format!(" {}", quoted(name))).collect();
        let _ = writeln!(text, "AP: {}{names}", propositions.len());
        let (sets, kind) = match self.acceptance {
            Acceptance::States(sets) => (sets, "state-acc"),
            Acceptance::Edges(sets) => (sets, "trans-acc"),
        };
        text += &acceptance(sets);
        let deterministic = if self.is_deterministic { " deterministic" } else { "" };
        let _ = writeln!(text, "properties: trans-labels explicit-labels {kind}{deterministic}");
        for (name, meaning) in aliases {
            let _ = writeln!(text, "Alias: {name} {meaning}");
        }
        text + "--BODY--\n"
    }
}

fn acceptance(sets: usize) -> String {
    let name = match sets {
        0 => return "acc-name: all\nAcceptance: 0 t\n".to_owned(),
        1 => "Buchi".to_owned(),
        sets => format!("generalized-Buchi {sets}"),
    };
    let all: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    format!("acc-name: {name}\nAcceptance: {sets} {}\n", all.join("&"))
}

/// A text as a string of the format.
fn quoted(text: &str) -> String {
    format!("\"{}\"", line(text).replace('\\', "\\\\").replace('"', "\\\""))
}

//! Loops with a count: a global variable says how many iterations there are, and every lifeline counts its own.
//!
//! What is chosen in an iteration is an array, with a place for each iteration; the counter of a loop has the same name in all processes.

use std::collections::BTreeMap;
use std::fmt::Write;

use sequent_kernel::id::IdVec;
use sequent_kernel::templates::{LoopRounds, NodeId, RigidId, TemplateTree};

use super::super::lexicon::comment;
use super::Identifiers;

/// A loop with a count.
#[derive(Clone, Debug)]
pub(crate) struct LoopCounter {
    /// How many iterations there are.
    pub total: String,
    /// The variable without its index.
    variable: String,
    /// How the variable is declared behind its name.
    places: String,
    /// The counter of an iteration, from 0.
    pub counter: String,
    /// How often it may run.
    pub rounds: LoopRounds,
    /// The loops around it, outermost first.
    pub around: Vec<NodeId>,
    /// What the diagram calls it.
    name: String,
}

/// The loops of a diagram.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopCounters(pub BTreeMap<NodeId, LoopCounter>);

/// The type of a variable that counts so far.
pub(crate) fn counting(most: usize) -> &'static str {
    if most <= 255 { "byte" } else { "short" }
}

impl LoopCounters {
    /// The loops of a tree that are kept.
    pub(crate) fn new(tree: &TemplateTree, names: &mut Identifiers) -> LoopCounters {
        let mut made = LoopCounters::default();
        for (node, rounds) in &tree.kept {
            let around = tree.kept_around(*node);
            let name = tree.fragment(*node).map_or_else(String::new, |fragment| fragment.name.clone());
            let variable = names.give(&name.replace(' ', ""));
            let counter = names.give(&format!("i_{variable}"));
            // A number that is fixed needs no place for each iteration around it.
            let is_fixed = rounds.min == rounds.max;
            let index = if is_fixed { String::new() } else { made.index(&around) };
            let total = format!("{variable}{index}");
            let places = if is_fixed { String::new() } else { made.places(&around) };
            made.0.insert(
                *node,
                LoopCounter { total, variable, places, counter, rounds: *rounds, around, name },
            );
        }
        made
    }

    /// Which copy of something in loops is meant in their current iterations: `[i_loop1]`, or nothing without loops.
    fn index(&self, around: &[NodeId]) -> String {
        let index = around.iter().fold(String::new(), |index, one| {
            let LoopCounter { counter, rounds, .. } = &self.0[one];
            match index.is_empty() {
                true => counter.clone(),
                false => format!("({index}) * {} + {counter}", rounds.max),
            }
        });
        if index.is_empty() { index } else { format!("[{index}]") }
    }

    /// How many copies there are of something in loops.
    fn copies(&self, around: &[NodeId]) -> usize {
        around.iter().map(|one| self.0[one].rounds.max as usize).fold(1, usize::saturating_mul)
    }

    /// Propositions by the names of their variables, in the current iterations of the loops around each.
    pub(crate) fn words(
        &self,
        tree: &TemplateTree,
        plain: &IdVec<RigidId, String>,
    ) -> IdVec<RigidId, String> {
        let one = |(rigid, name): (RigidId, &String)| format!("{name}{}", self.index(&tree.homes[rigid]));
        plain.enumerate().map(one).collect()
    }

    /// What is declared behind the name of something in loops: `[3]`, or nothing without loops.
    pub(crate) fn places(&self, around: &[NodeId]) -> String {
        match around.is_empty() {
            true => String::new(),
            false => format!("[{}]", self.copies(around).max(1)),
        }
    }

    /// The most copies there are of anything.
    pub(crate) fn most_copies(&self) -> usize {
        let around = |count: &LoopCounter| self.copies(&count.around) * count.rounds.max as usize;
        self.0.values().map(around).max().unwrap_or(1)
    }

    /// The counters of some loops, as parameters or as variables.
    pub(crate) fn declared<'c>(&'c self, loops: impl Iterator<Item = &'c NodeId>) -> Vec<String> {
        loops
            .map(|one| {
                let LoopCounter { counter, rounds, .. } = &self.0[one];
                format!("{} {counter}", counting(rounds.max as usize))
            })
            .collect()
    }

    /// The numbers of iterations.
    pub(crate) fn declarations(&self) -> String {
        let mut text = String::new();
        for LoopCounter { variable, places, rounds, name, .. } in self.0.values() {
            let kind = counting(rounds.max as usize);
            let first = if rounds.min == rounds.max { format!(" = {}", rounds.max) } else { String::new() };
            let told = comment(name);
            let _ = writeln!(text, "{kind} {variable}{places}{first}; /* iterations of {told} */");
        }
        text
    }
}

//! What must hold in every run of a model, for a diagram that forbids or demands (section VI of P0), as a formula.
//!
//! The paper's omega templates take it that every occurrence comes once in a run. `sequent check` does not: what a `neg` forbids
//! and an `assert` demands is an [observer](crate::property) of runs, which accepts those that must not be. The formula is made
//! from that observer, so that it says what is checked wherever messages are repeated, ignored, or sent with arguments.
//!
//! The observer must come back to a memory only by staying there (a very weak automaton). Then what it accepts from a memory on
//! is `stays U (leaves & X later)`; or `G stays` where it may stay forever; or that nothing happens any more, where runs may end.

use std::collections::{BTreeMap, BTreeSet};

use super::write::{all, any, binary, exact, globally, name, next, none, not, truth, unary};
use crate::formula::{Binary, Formula, Unary};
use crate::id::Id;
use crate::property::all_marks;
use crate::property::table::{MemoryNumber, ObserverTable};
use crate::source::Place;

/// An observer of runs that must not be, where guards have some values.
#[derive(Clone, Debug)]
pub struct ForbiddenRuns {
    /// What it does.
    pub table: ObserverTable,
    /// The texts of the events that it reads, by their numbers.
    pub events: Vec<String>,
    /// Guards that have one value throughout the runs that it is about.
    pub guards: BTreeMap<String, bool>,
}

/// Why an observer is no formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NotAFormula {
    /// It has a cycle of several memories: it counts, or waits for one thing after the other infinitely
    /// often.
    Circles,
    /// It looks at states, or tells an end from a run that is stuck.
    States,
    /// The formula would be too long.
    Length,
}

impl NotAFormula {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            NotAFormula::Circles => "it follows a loop without bound, which takes an automaton",
            NotAFormula::States => "it looks at states",
            NotAFormula::Length => "the formula would be too long",
        }
    }
}

/// Longer formulas are not written.
const LONGEST: usize = 20_000;

/// Deeper ones neither.
const DEEPEST: usize = 200;

impl ForbiddenRuns {
    /// What must hold in every run, read from the first occurrence on.
    pub fn formula(&self, place: Place) -> Result<Formula, NotAFormula> {
        let mut speller = Speller { observed: self, place, known: BTreeMap::new(), open: BTreeSet::new() };
        let mut ways = Vec::new();
        let mut length = 0;
        for memory in &self.table.first {
            let (way, size) = speller.accepted(*memory)?;
            length += size;
            ways.push(way);
        }
        if length > LONGEST {
            return Err(NotAFormula::Length);
        }
        let guards = self.guards.iter().map(|(guard, value)| {
            let guard = name(guard, place);
            if *value { guard } else { not(guard) }
        });
        Ok(binary(Binary::Implies, all(guards.collect(), place), not(any(ways, place))))
    }
}

struct Speller<'o> {
    observed: &'o ForbiddenRuns,
    place: Place,
    /// Formulas that are made, with their sizes.
    known: BTreeMap<MemoryNumber, (Formula, usize)>,
    /// Memories whose formulas are under construction.
    open: BTreeSet<MemoryNumber>,
}

/// What becomes of a memory: the events by which it stays, those by which it stays with all marks, and where others lead.
#[derive(Default)]
struct MemoryRow {
    stays: BTreeSet<usize>,
    marked: BTreeSet<usize>,
    leaves: BTreeMap<MemoryNumber, BTreeSet<usize>>,
}

impl Speller<'_> {
    /// What is accepted from a memory on, and how long the formula is.
    fn accepted(&mut self, memory: MemoryNumber) -> Result<(Formula, usize), NotAFormula> {
        if let Some(known) = self.known.get(&memory) {
            return Ok(known.clone());
        }
        let table = &self.observed.table;
        let at = memory as usize;
        if table.accepts_all[at] {
            return Ok((truth(true, self.place), 1));
        }
        if !self.open.insert(memory) {
            return Err(NotAFormula::Circles);
        }
        if self.open.len() > DEEPEST {
            return Err(NotAFormula::Length);
        }
        let row = self.row(memory)?;
        let mut length = self.observed.events.len();
        let mut exits = Vec::new();
        for (to, events) in &row.leaves {
            let (later, size) = self.accepted(*to)?;
            length += size + events.len();
            exits.push(binary(Binary::And, self.some(events), next(later)));
        }
        let [end, stuck] = &table.ends[at];
        if end.is_empty() != stuck.is_empty() || end.iter().chain(stuck).any(|when| !when.is_empty()) {
            return Err(NotAFormula::States);
        }
        if !end.is_empty() {
            exits.push(self.quiet(&(0..self.observed.events.len()).collect()));
        }
        if length > LONGEST {
            return Err(NotAFormula::Length);
        }
        let found = self.until(&row.stays, any(exits, self.place));
        let forever = match row.marked.is_empty() || table.is_safety {
            true => truth(false, self.place),
            false => globally(self.some(&row.marked)),
        };
        let found = (any(vec![found, forever], self.place), length);
        self.open.remove(&memory);
        self.known.insert(memory, found.clone());
        Ok(found)
    }

    fn row(&self, memory: MemoryNumber) -> Result<MemoryRow, NotAFormula> {
        let table = &self.observed.table;
        let mut row = MemoryRow::default();
        for class in &table.reads[memory as usize] {
            let events = || class.events.iter().map(|event| event.index());
            for branch in &class.branches {
                if !branch.conditions.is_empty() {
                    return Err(NotAFormula::States);
                }
                for (to, marks) in &branch.ways {
                    match *to == memory {
                        true => row.stays.extend(events()),
                        false => row.leaves.entry(*to).or_default().extend(events()),
                    }
                    if *to == memory && *marks == all_marks(table.marks) {
                        row.marked.extend(events());
                    }
                }
            }
        }
        Ok(row)
    }

    /// Some events happen until something holds. Nothing that is read happens after the end, so it does no harm to pass by.
    fn until(&self, stays: &BTreeSet<usize>, exits: Formula) -> Formula {
        let others: BTreeSet<usize> =
            (0..self.observed.events.len()).filter(|event| !stays.contains(event)).collect();
        match (stays.is_empty(), others.is_empty()) {
            (true, _) => exits,
            (false, true) => unary(Unary::Finally, exits),
            (false, false) => {
                let stays = match others.len() <= stays.len() {
                    true => self.quiet(&others),
                    false => self.some(stays),
                };
                binary(Binary::Until, stays, exits)
            }
        }
    }

    fn exactly(&self, events: &BTreeSet<usize>) -> Vec<Formula> {
        events.iter().map(|event| exact(&self.observed.events[*event], self.place)).collect()
    }

    fn some(&self, events: &BTreeSet<usize>) -> Formula {
        any(self.exactly(events), self.place)
    }

    fn quiet(&self, events: &BTreeSet<usize>) -> Formula {
        none(self.exactly(events), self.place)
    }
}

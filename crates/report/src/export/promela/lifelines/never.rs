//! What no `ltl` block says, as a never claim over the flags: formulas with `X`, with the past or with many operators, and what `neg` and
//! `assert` diagrams forbid and demand.
//!
//! The claim is an observer that was [written out](Table): it accepts the runs that must not be. It reads every occurrence once; as the
//! flags stay until the next one, `beat` changes with each, and every state of the claim knows the value that it has read. Where the run is
//! over (`phase`) an assertion fails if the observer accepts that. Runs of lifelines have an end, so nobody looks for cycles.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

use sequent_kernel::id::Id;
use sequent_kernel::property::table::{Memory, Table};
use sequent_kernel::system::EventId;

use super::Author;

/// An observer of the runs of a diagram that accepts those which must not be.
#[derive(Clone, Debug)]
pub struct Observed {
    /// What it does.
    pub table: Table,
    /// The texts of the events that it reads, by their numbers.
    pub events: Vec<String>,
}

/// Longer claims are not written.
const LONGEST: usize = 2_000_000;

impl Author<'_> {
    /// The claim of a name; an error says why it is not written.
    pub(super) fn never(&self, name: &str, observed: &Observed) -> Result<String, String> {
        let table = &observed.table;
        if !table.predicates().is_empty() {
            return Err("it speaks of guards".to_owned());
        }
        let events = self.read(observed)?;
        let mut text = format!("never {name} {{\n  if\n");
        let mut known: BTreeSet<(Memory, u8)> = BTreeSet::new();
        let mut open: VecDeque<(Memory, u8)> = VecDeque::new();
        let mut goto = |memory: Memory, beat: u8, open: &mut VecDeque<(Memory, u8)>| {
            if known.insert((memory, beat)) {
                open.push_back((memory, beat));
            }
            format!("goto m{memory}_{beat}")
        };
        for memory in &table.first {
            let _ = writeln!(text, "  :: true -> {}", goto(*memory, 0, &mut open));
        }
        text += if table.first.is_empty() { "  :: false\n  fi;\n" } else { "  fi;\n" };
        while let Some((memory, beat)) = open.pop_front() {
            let row = memory as usize;
            let _ = writeln!(text, "m{memory}_{beat}:\n  if");
            for (phase, ends) in (2..).zip(&table.ends[row]) {
                if !ends.is_empty() {
                    let _ = writeln!(text, "  :: atomic {{ phase == {phase} -> assert(false) }}");
                }
            }
            let _ = writeln!(text, "  :: phase < 2 && beat == {beat} -> goto m{memory}_{beat}");
            for class in &table.reads[row] {
                let told: Vec<&str> =
                    class.events.iter().filter_map(|event| events.get(event).map(String::as_str)).collect();
                let ways: BTreeSet<Memory> =
                    class.branches.iter().flat_map(|branch| &branch.ways).map(|(to, _)| *to).collect();
                if told.is_empty() {
                    continue;
                }
                for to in ways {
                    let to = goto(to, 1 - beat, &mut open);
                    let _ = writeln!(text, "  :: beat != {beat} && ({}) -> {to}", told.join(" || "));
                }
            }
            text += "  fi;\n";
            if text.len() > LONGEST {
                return Err("it is too long once it is written out".to_owned());
            }
        }
        Ok(text + "}\n")
    }

    /// The events that happen in the diagram, by the flags.
    fn read(&self, observed: &Observed) -> Result<BTreeMap<EventId, String>, String> {
        let mut found = BTreeMap::new();
        for (number, event) in observed.events.iter().enumerate() {
            if self.tree.occurrences.iter().any(|one| one.event == *event) {
                found.insert(EventId::from_index(number), self.exactly(event)?);
            }
        }
        Ok(found)
    }
}

//! What no `ltl` block says, as a never claim over the flags: formulas with `X`, with the past or with many operators, and what `neg` and
//! `assert` diagrams forbid and demand.
//!
//! The claim is the [table](ForbiddenRuns) of an observer: it accepts the counterexamples. It reads every
//! occurrence once; as the flags stay until the next one, `beat` changes with each, and every state of the
//! claim knows the value that it has read. Where the run is over (`phase`) an assertion fails if the observer
//! accepts that. Runs of lifelines are finite, so cycles are not searched.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

use sequent_kernel::id::Id;
use sequent_kernel::property::table::MemoryNumber;
use sequent_kernel::system::EventId;
use sequent_kernel::templates::ForbiddenRuns;

use super::LifelineWriter;

/// Longer claims are not written.
const LONGEST: usize = 2_000_000;

/// A state of a claim: the observer it belongs to, what that remembers, and the beat that it has read.
type NeverState = (usize, MemoryNumber, u8);

impl LifelineWriter<'_> {
    /// The claim of a name that some observers make, of which one may accept; an error says why it is not written.
    pub(super) fn never(&self, name: &str, observers: &[ForbiddenRuns]) -> Result<String, String> {
        let mut events = Vec::new();
        let mut guards = Vec::new();
        for observed in observers {
            if !observed.table.predicates().is_empty() {
                return Err("it speaks of states".to_owned());
            }
            events.push(self.read(observed)?);
            guards.push(self.fallen(observed)?);
        }
        let prefix = self.names.prefix("m");
        let mut text = format!("never {name} {{\n  if\n");
        let mut known: BTreeSet<NeverState> = BTreeSet::new();
        let mut open: VecDeque<NeverState> = VecDeque::new();
        let mut goto = |spot: NeverState, open: &mut VecDeque<NeverState>| {
            if known.insert(spot) {
                open.push_back(spot);
            }
            format!("goto {}", label(&prefix, spot, observers))
        };
        for (number, observed) in observers.iter().enumerate() {
            for memory in &observed.table.first {
                let _ = writeln!(text, "  :: true -> {}", goto((number, *memory, 0), &mut open));
            }
        }
        text += if open.is_empty() { "  :: false\n  fi;\n" } else { "  fi;\n" };
        while let Some(spot @ (number, memory, beat)) = open.pop_front() {
            let table = &observers[number].table;
            let row = memory as usize;
            let own = label(&prefix, spot, observers);
            let _ = writeln!(text, "{own}:\n  if");
            for (phase, ends) in (2..).zip(&table.ends[row]) {
                if !ends.is_empty() {
                    let fallen = &guards[number];
                    let _ = writeln!(text, "  :: atomic {{ phase == {phase}{fallen} -> assert(false) }}");
                }
            }
            let _ = writeln!(text, "  :: phase < 2 && beat == {beat} -> goto {own}");
            for class in &table.reads[row] {
                let told: Vec<&str> = class
                    .events
                    .iter()
                    .filter_map(|event| events[number].get(event).map(String::as_str))
                    .collect();
                let ways: BTreeSet<MemoryNumber> =
                    class.branches.iter().flat_map(|branch| &branch.ways).map(|(to, _)| *to).collect();
                if told.is_empty() {
                    continue;
                }
                for to in ways {
                    let to = goto((number, to, 1 - beat), &mut open);
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

    /// That guards have fallen as an observer has it, to be added to a condition.
    fn fallen(&self, observed: &ForbiddenRuns) -> Result<String, String> {
        let mut text = String::new();
        for (guard, value) in &observed.guards {
            let sign = if *value { "" } else { "!" };
            let _ = write!(text, " && {sign}{}", self.guard(guard)?);
        }
        Ok(text)
    }

    /// The events that happen in the diagram, by the flags.
    fn read(&self, observed: &ForbiddenRuns) -> Result<BTreeMap<EventId, String>, String> {
        let mut found = BTreeMap::new();
        for (number, event) in observed.events.iter().enumerate() {
            if self.tree.occurrences.iter().any(|one| one.event == *event) {
                found.insert(EventId::from_index(number), self.exactly(event)?);
            }
        }
        Ok(found)
    }
}

/// The label of a state; where there is one observer it needs no number.
fn label(prefix: &str, (number, memory, beat): NeverState, observers: &[ForbiddenRuns]) -> String {
    match observers {
        [_] => format!("{prefix}{memory}_{beat}"),
        _ => format!("{prefix}{number}_{memory}_{beat}"),
    }
}

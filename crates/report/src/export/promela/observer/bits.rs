//! A basic scenario as an observer with bits and counters (P3, section 5.1): two states, an array with a bit for each
//! occurrence, and in a loop a counter for each lifeline.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::counter_automaton::{
    Compact, CounterChange, CounterGuard, CounterRole, CounterTransition, CounterValue, ValueRelation,
};
use sequent_kernel::system::EventId;

use super::states::{opening, state};

/// A scenario that is looked for, as an automaton with bits and counters.
#[derive(Clone, Debug)]
pub struct Basic {
    /// The automaton.
    pub compact: Compact,
    /// For the events of the automaton those of the system.
    pub letters: BTreeMap<String, BTreeSet<EventId>>,
    /// Events of the system that do not matter.
    pub ignored: BTreeSet<EventId>,
    /// Whether an attempt may begin anywhere, and not only at the start.
    pub is_anywhere: bool,
    /// The iterations from which on counters are counted down together; `None` if a loop has a bound, or there is none.
    pub floor: Option<u32>,
}

/// The process; `numbers` maps an event of the system to the numbers that the observer receives for it.
pub(crate) fn process(basic: &Basic, numbers: &dyn Fn(EventId) -> Vec<usize>) -> String {
    let writer = MemoryBits { basic, numbers };
    let first = if basic.is_anywhere { "true -> goto at_idle" } else { "true -> goto at_0" };
    let mut text = opening(&writer.variables(), &[first.to_owned()]);
    if basic.is_anywhere {
        // An attempt begins with this event, or it does not.
        let ways = ["true -> event = 0; goto end_idle".to_owned()].into_iter().chain(writer.reads(0));
        text += &writer.arrival("idle", 0);
        text += &state("end_idle", &ways.collect::<Vec<_>>());
    }
    for (number, known) in basic.compact.states.iter().enumerate() {
        if known.accepting {
            text += &format!("at_{number}:\n  event = 0; goto accept_found;\n");
            continue;
        }
        if known.recurrent {
            let back = writer.transitions(number).find(|one| one.event.is_none());
            let (to, action) = back.map_or((number, String::new()), |one| (one.to, writer.action(one)));
            text += &format!("at_{number}:\n  event = 0; goto accept_again_{number};\n");
            text += &format!("accept_again_{number}:\n  atomic {{ {action}goto at_{to} }};\n");
            continue;
        }
        text += &writer.arrival(&number.to_string(), number);
        let mut ways = writer.reads(number);
        ways.extend(
            writer.told(&basic.ignored).map(|when| format!("{when} -> event = 0; goto end_{number}")),
        );
        ways.push("else -> hold = 1; event = 0; goto end_failed".to_owned());
        text += &state(&format!("end_{number}"), &ways);
    }
    text
}

struct MemoryBits<'b> {
    basic: &'b Basic,
    numbers: &'b dyn Fn(EventId) -> Vec<usize>,
}

impl MemoryBits<'_> {
    fn variables(&self) -> String {
        let mut text = String::new();
        for (number, variable) in self.basic.compact.variables.iter().enumerate() {
            let name = self.name(number);
            text += &match &variable.role {
                CounterRole::Iterations(line) => {
                    format!("  short {name}; /* iterations of {} */\n", plain(line))
                }
                CounterRole::Happened(event) => format!("  bool {name}; /* {} */\n", plain(event)),
            };
        }
        text
    }

    fn name(&self, variable: usize) -> String {
        format!("v_{}", variable + 1)
    }

    fn transitions(&self, from: usize) -> impl Iterator<Item = &CounterTransition> {
        self.basic.compact.transitions.iter().filter(move |one| one.from == from)
    }

    /// The condition that the observer receives one of these events; `None` if it never does.
    fn told(&self, events: &BTreeSet<EventId>) -> Option<String> {
        let numbers: BTreeSet<usize> = events.iter().flat_map(|event| (self.numbers)(*event)).collect();
        let each: Vec<String> = numbers.iter().map(|number| format!("event == {number}")).collect();
        (!each.is_empty()).then(|| format!("({})", each.join(" || ")))
    }

    /// The ways on which an event is read.
    fn reads(&self, from: usize) -> Vec<String> {
        let read = |one: &CounterTransition| {
            let events = self.basic.letters.get(one.event.as_ref()?)?;
            let when = self.told(events)?;
            Some(format!(
                "{when} && {} -> {}hold = 1; goto at_{}",
                self.guard(&one.guard),
                self.action(one),
                one.to
            ))
        };
        self.transitions(from).filter_map(read).collect()
    }

    /// What comes before a state waits: ways on which nothing is read. Meanwhile nothing else moves.
    fn arrival(&self, name: &str, state: usize) -> String {
        let silent: String = self.silent(state).iter().map(|way| format!("  :: {way}\n")).collect();
        format!("at_{name}:\n  if\n{silent}  :: else -> hold = 0; event = 0; goto end_{name}\n  fi;\n")
    }

    /// The ways on which nothing is read.
    fn silent(&self, from: usize) -> Vec<String> {
        let silent = self.transitions(from).filter(|one| one.event.is_none());
        silent
            .map(|one| format!("{} -> {}goto at_{}", self.guard(&one.guard), self.action(one), one.to))
            .collect()
    }

    fn action(&self, transition: &CounterTransition) -> String {
        let one = |(variable, change): &(usize, CounterChange)| match change {
            CounterChange::To(value) => format!("{} = {value}; ", self.name(*variable)),
            CounterChange::Up => format!("{}++; ", self.name(*variable)),
        };
        let mut text: String = transition.action.iter().map(one).collect();
        let rises = transition.action.iter().any(|(_, change)| *change == CounterChange::Up);
        if let Some(floor) = self.basic.floor.filter(|_| rises) {
            // Only how far lifelines are apart matters once all have been round often enough.
            let all = self.basic.compact.variables.iter().enumerate();
            let counters: Vec<String> = all
                .filter(|(_, variable)| matches!(variable.role, CounterRole::Iterations(_)))
                .map(|(number, _)| self.name(number))
                .collect();
            let above: Vec<String> = counters.iter().map(|name| format!("{name} > {floor}")).collect();
            let down: Vec<String> = counters.iter().map(|name| format!("{name}--")).collect();
            text += &format!("if :: {} -> {} :: else fi; ", above.join(" && "), down.join("; "));
        }
        text
    }

    fn guard(&self, guard: &CounterGuard) -> String {
        let joined = |parts: &[CounterGuard], with: &str, empty: &str| match parts {
            [] => empty.to_owned(),
            parts => {
                let each: Vec<String> = parts.iter().map(|part| self.guard(part)).collect();
                format!("({})", each.join(with))
            }
        };
        match guard {
            CounterGuard::All(parts) => joined(parts, " && ", "true"),
            CounterGuard::Any(parts) => joined(parts, " || ", "false"),
            CounterGuard::Bit(bit, true) => self.name(*bit),
            CounterGuard::Bit(bit, false) => format!("!{}", self.name(*bit)),
            CounterGuard::Compare(left, relation, right) => {
                let sign = match relation {
                    ValueRelation::Less => "<",
                    ValueRelation::AtLeast => ">=",
                    ValueRelation::Equal => "==",
                    ValueRelation::Different => "!=",
                };
                format!("({} {sign} {})", self.value(*left), self.value(*right))
            }
        }
    }

    fn value(&self, value: CounterValue) -> String {
        match value {
            CounterValue::Number(number) => number.to_string(),
            CounterValue::Counter(counter) => self.name(counter),
            CounterValue::Next(counter) => format!("({} + 1)", self.name(counter)),
        }
    }
}

/// A text that may stand in a comment.
fn plain(text: &str) -> String {
    super::super::lexicon::comment(text)
}

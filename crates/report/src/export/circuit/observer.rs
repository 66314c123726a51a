//! The observer of a question, as registers.
//!
//! The memory of the observer is a register, `memory`: it reads the step that is taken, and evaluates
//! predicates in the state after it. It is nondeterministic; an input, `way`, selects the transition. If
//! there is none the memory is a sink. The first memory may be any of several, so there is one more that
//! stands for all of them until something is read.
//!
//! A run that ends here and is accepted is a bad state. An infinite run is accepted if its marks are met
//! infinitely often. Each fairness constraint is met infinitely often, or may be met only finitely often: an
//! input guesses when that is so from now on, and a register remembers if the guess was wrong. In the same
//! way it is guessed that nothing is read any more.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::property::Marks;
use sequent_kernel::property::table::{MemoryNumber, ObserverTable, PredicateValues, TableBranch};
use sequent_kernel::system::{Endless, EventId, RuleId, Strength, System, TermId, VariableId};

use super::super::question::shows;
use super::builder::{CircuitBuilder, Register, chosen, is_constant};

/// Where a run is accepted, and the lists of what is met again and again in those that go on forever.
type Accepted = (TermId, Vec<(String, Vec<TermId>)>);

/// One way to read something.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ReadAlternative {
    conditions: PredicateValues,
    to: MemoryNumber,
    marks: Marks,
}

/// What was read in one tick.
struct TickRead {
    is_read: TermId,
    to: TermId,
    marks: Marks,
}

/// Adds an observer to a machine.
pub(crate) fn add(builder: &mut CircuitBuilder<'_>, original: &System, table: &ObserverTable) -> Accepted {
    let mut watch = CircuitObserver::new(builder, original, table);
    let reads = watch.read();
    let ends = watch.ends();
    let endless = watch.endless(&reads);
    (ends, endless)
}

struct CircuitObserver<'w, 'b> {
    builder: &'w mut CircuitBuilder<'b>,
    original: &'w System,
    table: &'w ObserverTable,
    memory: VariableId,
    /// The memories of the register: those of the table, a sink, and one that stands for the initial ones.
    lost: usize,
}

impl<'w, 'b> CircuitObserver<'w, 'b> {
    fn new(builder: &'w mut CircuitBuilder<'b>, original: &'w System, table: &'w ObserverTable) -> Self {
        let lost = table.memories;
        let (most, first) = match table.first.as_slice() {
            [] => (lost, lost),
            [only] => (lost, *only as usize),
            _ => (lost + 1, lost + 1),
        };
        let memory = builder.variable("memory", most, first);
        CircuitObserver { builder, original, table, memory, lost }
    }

    /// The memories of the table that a value of the register stands for.
    fn values(&self) -> Vec<(usize, Vec<MemoryNumber>)> {
        let mut all: Vec<(usize, Vec<MemoryNumber>)> =
            (0..self.lost).map(|memory| (memory, vec![memory as MemoryNumber])).collect();
        if self.table.first.len() > 1 {
            all.push((self.lost + 1, self.table.first.clone()));
        }
        all
    }

    fn is(&mut self, memory: usize) -> TermId {
        self.builder.system.terms.is(self.memory, memory as i32)
    }

    /// Values of predicates, now or after the step.
    fn all(&mut self, conditions: &PredicateValues, is_after: bool) -> TermId {
        let mut parts = Vec::new();
        for (term, value) in conditions {
            let term = if is_after { self.builder.after(*term) } else { *term };
            parts.push(if *value { term } else { self.builder.system.terms.not(term) });
        }
        match parts.as_slice() {
            // A number by itself is no truth value.
            [only] => {
                let twice = self.builder.system.terms.not(*only);
                self.builder.system.terms.not(twice)
            }
            _ => self.builder.system.terms.and(parts),
        }
    }

    /// The register and what it reads.
    fn read(&mut self) -> Vec<TickRead> {
        let situations = self.situations();
        let mut found = Vec::new();
        let mut most = 0;
        for (when, ways) in &situations {
            let numbers = numbered(ways);
            most = numbers.iter().flatten().copied().max().unwrap_or(0).max(most);
            found.push((*when, ways.clone(), numbers));
        }
        let input = (most > 0).then(|| self.builder.input("way", most));
        let mut reads = Vec::new();
        for (when, ways, numbers) in found {
            for (way, number) in ways.iter().zip(numbers) {
                let fits = self.all(&way.conditions, true);
                let terms = &mut self.builder.system.terms;
                let taken = number.zip(input).map(|(number, input)| terms.is(input, number as i32));
                let is_read = terms.and([when, fits].into_iter().chain(taken));
                let to = terms.constant(way.to as i32);
                reads.push(TickRead { is_read, to, marks: way.marks });
            }
        }
        let terms = &mut self.builder.system.terms;
        let reading = terms.or(situations.iter().map(|(when, _)| *when).collect::<Vec<_>>());
        let (now, lost) = (terms.variable(self.memory), terms.constant(self.lost as i32));
        let ways: Vec<(TermId, TermId)> = reads.iter().map(|read| (read.is_read, read.to)).collect();
        let read = chosen(terms, &ways, lost);
        let next = terms.choose(reading, read, now);
        self.builder.registers.push(Register { variable: self.memory, next });
        reads
    }

    /// What may have to be read, and in which ways it can be.
    fn situations(&mut self) -> Vec<(TermId, Vec<ReadAlternative>)> {
        let (shows, numbers) = shows(self.original, self.builder.steps);
        let mut showing: BTreeMap<usize, Vec<TermId>> = BTreeMap::new();
        for (taken, show) in self.builder.taken.iter().zip(numbers) {
            showing.entry(show).or_default().push(*taken);
        }
        let silent = showing.remove(&0).and_then(|unseen| self.silent(unseen));
        let mut situations = Vec::new();
        for (value, memories) in self.values() {
            let here = self.is(value);
            let mut alike: BTreeMap<Vec<ReadAlternative>, Vec<TermId>> = BTreeMap::new();
            for (show, taken) in &showing {
                alike.entry(self.after(&memories, &shows[*show])).or_default().extend(taken);
            }
            if let Some(silent) = silent {
                let branches = memories.iter().flat_map(|memory| &self.table.silent[*memory as usize]);
                alike.entry(flat(branches)).or_default().push(silent);
            }
            for (ways, taken) in alike {
                let taken = self.builder.system.terms.or(taken);
                let when = self.builder.system.terms.and([here, taken]);
                situations.push((when, ways));
            }
        }
        situations
    }

    fn after(&self, memories: &[MemoryNumber], events: &[EventId]) -> Vec<ReadAlternative> {
        let branches: Vec<TableBranch> =
            memories.iter().flat_map(|memory| self.table.after(*memory, events)).collect();
        flat(&branches)
    }

    /// Whether a step that shows nothing is a position.
    fn silent(&mut self, unseen: Vec<TermId>) -> Option<TermId> {
        let taken = self.builder.system.terms.or(unseen);
        if self.table.counts_steps {
            return Some(taken);
        }
        let mut changes = Vec::new();
        for term in &self.table.watched {
            let after = self.builder.after(*term);
            let terms = &mut self.builder.system.terms;
            let [now, after] = [*term, after].map(|term| terms.not(term));
            let same = terms.equal(now, after);
            changes.push(terms.not(same));
        }
        let terms = &mut self.builder.system.terms;
        let changes = (!changes.is_empty()).then(|| terms.or(changes))?;
        Some(terms.and([taken, changes]))
    }

    /// Where a run is accepted that ends, or whatever comes.
    fn ends(&mut self) -> TermId {
        let is_free = self.original.is_free();
        let strained = self.original.strained;
        let CircuitBuilder { any, urgent, alive, .. } = *self.builder;
        let terms = &mut self.builder.system.terms;
        let unbroken = match is_free && !self.original.is_never(strained) {
            true => terms.not(strained),
            false => terms.truth(true),
        };
        let (over, open) = (terms.not(any), terms.not(self.original.complete));
        // In a free system a run ends only where no step is possible.
        let calm = if is_free { over } else { terms.not(urgent) };
        let may_end = terms.and([calm, self.original.complete, alive, unbroken]);
        let may_stop = terms.and([over, open, alive, unbroken]);
        let mut ways = Vec::new();
        for (value, memories) in self.values() {
            let here = self.is(value);
            for memory in &memories {
                let ends = &self.table.ends[*memory as usize];
                for (last, ends) in [may_end, may_stop].into_iter().zip(ends) {
                    for conditions in ends {
                        let fits = self.all(conditions, false);
                        ways.push(self.builder.system.terms.and([here, last, fits]));
                    }
                }
            }
            if is_free && memories.iter().any(|memory| self.table.accepts_all[*memory as usize]) {
                ways.push(here);
            }
        }
        self.builder.system.terms.or(ways)
    }

    /// What is met again and again in runs that are accepted and go on forever.
    fn endless(&mut self, reads: &[TickRead]) -> Vec<(String, Vec<TermId>)> {
        let Some(endless) = &self.original.endless else { return Vec::new() };
        let all: Vec<TermId> = reads.iter().map(|read| read.is_read).collect();
        let position = self.builder.system.terms.or(all);
        let mut fair: Vec<TermId> = endless.rests.clone();
        fair.extend(self.owed(endless));
        let mut found = Vec::new();
        if !(self.table.is_safety && self.original.is_free()) {
            let mut needs = vec![position];
            for mark in 0..self.table.marks {
                let marked = reads.iter().filter(|read| read.marks >> mark & 1 == 1);
                let marked: Vec<TermId> = marked.map(|read| read.is_read).collect();
                needs.push(self.builder.system.terms.or(marked));
            }
            needs.extend(&fair);
            found.push(("accepted".to_owned(), needs));
        }
        let unread = self.unread();
        if !endless.is_seen && !is_constant(&self.builder.system, unread, 0) {
            let terms = &mut self.builder.system.terms;
            let idle = terms.not(position);
            let still = terms.and([unread, idle]);
            let ends = terms.not(still);
            let settled = self.guess("unseen", ends);
            let moves = self.builder.system.terms.or(self.builder.taken.clone());
            let needs = [settled, moves].into_iter().chain(fair).collect();
            found.push(("accepted unseen".to_owned(), needs));
        }
        // What never holds is met in no run.
        let may = |(_, needs): &(String, Vec<TermId>)| {
            needs.iter().all(|need| !is_constant(&self.builder.system, *need, 0))
        };
        found.into_iter().filter(may).collect()
    }

    /// What the observer accepts if nothing more is read, unless it accepts everything and has said so.
    fn unread(&mut self) -> TermId {
        let mut ways = Vec::new();
        let is_free = self.original.is_free();
        for (value, memories) in self.values() {
            let here = self.is(value);
            let is_sure = |memory: &MemoryNumber| is_free && self.table.accepts_all[*memory as usize];
            for memory in memories.into_iter().filter(|memory| !is_sure(memory)).collect::<Vec<_>>() {
                for conditions in &self.table.ends[memory as usize][1] {
                    let fits = self.all(conditions, false);
                    ways.push(self.builder.system.terms.and([here, fits]));
                }
            }
        }
        self.builder.system.terms.or(ways)
    }

    /// What is not put off forever.
    fn owed(&mut self, endless: &Endless) -> Vec<TermId> {
        let mut all = Vec::new();
        for fairness in &endless.owed {
            let with = |rules: &BTreeSet<RuleId>, those: &[TermId]| -> Vec<TermId> {
                let steps = self.builder.steps.iter().zip(those);
                let own = steps.filter(|(step, _)| step.0.iter().any(|rule| rules.contains(rule)));
                own.map(|(_, term)| *term).collect()
            };
            let may = with(&fairness.when, &self.builder.can);
            let paid = with(&fairness.payers, &self.builder.taken);
            let terms = &mut self.builder.system.terms;
            let (may, paid) = (terms.or(may), terms.or(paid));
            let over = match fairness.strength {
                Strength::Weak => terms.not(may),
                Strength::Strong => self.guess("never again", may),
            };
            all.push(self.builder.system.terms.or([paid, over]));
        }
        all
    }

    /// Whether it was guessed, and is true so far, that something does not hold any more.
    fn guess(&mut self, name: &str, what: TermId) -> TermId {
        let number = self.builder.registers.len();
        let input = self.builder.input(&format!("guess {number}: {name}"), 1);
        let guessed = self.builder.variable(&format!("guessed {number}: {name}"), 1, 0);
        let wrong = self.builder.variable(&format!("wrong {number}: {name}"), 1, 0);
        let terms = &mut self.builder.system.terms;
        let [now, known, failed] = [input, guessed, wrong].map(|one| terms.is(one, 1));
        let holds = terms.and([known, what]);
        let (next_known, next_failed) = (terms.or([known, now]), terms.or([failed, holds]));
        let right = terms.not(failed);
        let good = terms.and([known, right]);
        self.builder.registers.push(Register { variable: guessed, next: next_known });
        self.builder.registers.push(Register { variable: wrong, next: next_failed });
        good
    }
}

fn flat<'t>(branches: impl IntoIterator<Item = &'t TableBranch>) -> Vec<ReadAlternative> {
    let mut all: Vec<ReadAlternative> = Vec::new();
    for branch in branches {
        let ways = branch.ways.iter();
        all.extend(ways.map(|(to, marks)| ReadAlternative {
            conditions: branch.conditions.clone(),
            to: *to,
            marks: *marks,
        }));
    }
    all.sort();
    all.dedup();
    all
}

/// Numbers for ways, so that two which are possible at the same time have different ones; none for a way that is never possible
/// together with another.
fn numbered(ways: &[ReadAlternative]) -> Vec<Option<usize>> {
    let excludes = |one: &ReadAlternative, other: &ReadAlternative| {
        one.conditions.iter().any(|(term, value)| other.conditions.contains(&(*term, !value)))
    };
    let mut numbers: Vec<usize> = Vec::new();
    for (at, way) in ways.iter().enumerate() {
        let taken: BTreeSet<usize> =
            (0..at).filter(|before| !excludes(&ways[*before], way)).map(|before| numbers[before]).collect();
        numbers.push((0..).find(|number| !taken.contains(number)).unwrap_or(0));
    }
    let is_alone = |at: usize| (0..ways.len()).all(|other| other == at || excludes(&ways[at], &ways[other]));
    numbers.into_iter().enumerate().map(|(at, number)| (!is_alone(at)).then_some(number)).collect()
}

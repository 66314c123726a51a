//! Tables: an observer as an explicit transition table, so that it can become clauses.
//!
//! An [`Observer`] is a function that reads one moment after the other and may evaluate predicates of the
//! system while it does. The table is computed by calling it: for every memory and every event once for each
//! outcome of its predicates. Most events have the same effect, and are one class.

use std::collections::BTreeMap;

use sequent_kernel::property::{Moment, Observer};
use sequent_kernel::question::{Case, Visitor, Watcher};
use sequent_kernel::system::{EventId, System, TermId};

pub use sequent_kernel::property::table::{
    EventClass, MemoryNumber, ObserverTable, PredicateValues, TableBranch,
};

use crate::property::reading::Readings;
use crate::sat::encode::NotEncodable;

/// Larger tables are not written.
const MOST_MEMORIES: usize = 3_000;
/// More questions are not asked.
const MOST_QUESTIONS: usize = 3_000_000;

/// The observer of a case, written out.
pub fn of(case: &Case, watcher: &Watcher) -> Result<ObserverTable, NotEncodable> {
    if let (Watcher::Forever(_), Some(_)) = (watcher, case.begins) {
        return Err(NotEncodable("what may go on forever begins within some steps".to_owned()));
    }
    watcher.visit(case.begins.is_some(), TableWriter { system: &case.system })
}

struct TableWriter<'s> {
    system: &'s System,
}

impl Visitor for TableWriter<'_> {
    type Output = Result<ObserverTable, NotEncodable>;

    fn visit<O: Observer>(self, observer: &O, depth: &dyn Fn(&O::State) -> Option<usize>) -> Self::Output {
        measured(self.system, observer, depth)
    }
}

/// Writes an observer of a system out.
pub fn written<O: Observer>(system: &System, observer: &O) -> Result<ObserverTable, NotEncodable> {
    measured(system, observer, |_| Some(0))
}

/// Writes an observer of a system out, and how far it has come with each thing that it remembers; `None` is further than
/// anything else.
pub fn measured<O: Observer>(
    system: &System,
    observer: &O,
    depth: impl Fn(&O::State) -> Option<usize>,
) -> Result<ObserverTable, NotEncodable> {
    let mut author = ObserverEncoder { readings: Readings::new(observer, system.events.len()), asked: 0 };
    let initial = system.terms.values(&system.initial());
    let unread = author.readings.first();
    let mut ways = Vec::new();
    author.readings.read(unread, Moment::Start, &mut |term| initial[term] != 0, &mut ways);
    let mut first: Vec<MemoryNumber> = ways.into_iter().map(|(memory, _)| memory).collect();
    first.sort_unstable();
    first.dedup();
    let mut table = ObserverTable {
        memories: 0,
        first,
        reads: Vec::new(),
        silent: Vec::new(),
        ends: Vec::new(),
        accepts_all: Vec::new(),
        marks: observer.marks(),
        is_safety: observer.is_safety(),
        watched: observer.watched().to_vec(),
        counts_steps: observer.counts_steps(),
        depths: Vec::new(),
    };
    // Memories are numbered as they are met; the unread one and those after it are all written.
    let (mut memory, mut depths): (MemoryNumber, Vec<Option<usize>>) = (0, Vec::new());
    while author.readings.knows(memory) {
        if memory as usize >= MOST_MEMORIES || author.asked > MOST_QUESTIONS {
            return Err(NotEncodable("the question has too many stages".to_owned()));
        }
        row(&mut table, system, memory, &mut author);
        depths.push(depth(author.readings.state(memory)));
        memory += 1;
    }
    table.memories = memory as usize;
    let beyond = depths.iter().flatten().max().map_or(0, |depth| depth + 1);
    table.depths = depths.into_iter().map(|depth| depth.unwrap_or(beyond)).collect();
    table.keep_possible_ends(&|term| initial[term] != 0);
    Ok(table)
}

fn row<O: Observer>(
    table: &mut ObserverTable,
    system: &System,
    memory: MemoryNumber,
    author: &mut ObserverEncoder<'_, O>,
) {
    let mut classes: BTreeMap<Vec<TableBranch>, Vec<EventId>> = BTreeMap::new();
    for event in system.events.ids() {
        classes.entry(author.branches(memory, Moment::Event(event))).or_default().push(event);
    }
    let mut classes: Vec<EventClass> =
        classes.into_iter().map(|(branches, events)| EventClass { events, branches }).collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.events.len()));
    table.reads.push(classes);
    let is_position = table.counts_steps || !table.watched.is_empty();
    table.silent.push(if is_position { author.branches(memory, Moment::Silent) } else { Vec::new() });
    table.ends.push([Moment::End, Moment::Stuck].map(|last| author.ends(memory, last)));
    table.accepts_all.push(author.readings.accepts_all(memory));
}

/// Asks an observer.
struct ObserverEncoder<'o, O: Observer> {
    readings: Readings<'o, O>,
    asked: usize,
}

/// Predicates with the values of an earlier reading; all others are false.
#[derive(Default)]
struct PredicateReading {
    answers: PredicateValues,
}

impl PredicateReading {
    fn look(&mut self, term: TermId) -> bool {
        match self.answers.iter().find(|(known, _)| *known == term) {
            Some((_, answer)) => *answer,
            None => {
                self.answers.push((term, false));
                false
            }
        }
    }

    /// The next way in which looks turn out; none if all were tried.
    fn next(&mut self) -> bool {
        while let Some((term, answer)) = self.answers.pop() {
            if !answer {
                self.answers.push((term, true));
                return true;
            }
        }
        false
    }
}

impl<O: Observer> ObserverEncoder<'_, O> {
    fn branches(&mut self, memory: MemoryNumber, moment: Moment) -> Vec<TableBranch> {
        let mut branches = Vec::new();
        let mut looks = PredicateReading::default();
        loop {
            let mut ways = Vec::new();
            self.readings.read(memory, moment, &mut |term| looks.look(term), &mut ways);
            ways.sort_unstable();
            ways.dedup();
            branches.push(TableBranch { conditions: looks.answers.clone(), ways });
            self.asked += 1;
            if !looks.next() || self.asked > MOST_QUESTIONS {
                return branches;
            }
        }
    }

    fn ends(&mut self, memory: MemoryNumber, last: Moment) -> Vec<PredicateValues> {
        let mut accepted = Vec::new();
        let mut looks = PredicateReading::default();
        loop {
            if self.readings.accepts_end(memory, last, &mut |term| looks.look(term)) {
                accepted.push(looks.answers.clone());
            }
            self.asked += 1;
            if !looks.next() || self.asked > MOST_QUESTIONS {
                return accepted;
            }
        }
    }
}

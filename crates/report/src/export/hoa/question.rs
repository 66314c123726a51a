//! The observer of a question, as an automaton.
//!
//! The memories of the observer are the states, its marks are sets of edges. The start of the run is already
//! read. A run that is over repeats its last state, so whether the observer accepts that is known at once,
//! and leads to an accepting sink; so does a memory that accepts every continuation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sequent_kernel::id::Id;
use sequent_kernel::property::table::{MemoryNumber, ObserverTable, PredicateValues, TableBranch};
use sequent_kernel::property::{Marks, all_marks};
use sequent_kernel::system::{Event, EventId, System, TermId};

use super::super::question::{Legend, Unwritten};
use super::super::told::told;
use super::header::{Acceptance, HoaHeader};
use super::letters::{IdleMoment, Letters};

/// Longer files are not written.
const LONGEST: usize = 50_000_000;

/// An observer, and the system that it observes.
#[derive(Clone, Copy)]
pub struct ObserverReader<'a> {
    /// The system whose runs are read.
    pub system: &'a System,
    /// What the values of its variables are called.
    pub legend: &'a Legend,
    /// The observer, written out.
    pub table: &'a ObserverTable,
}

/// The automaton of an observer; `comment` says in lines where it comes from.
pub fn hoa_question(
    reader: &ObserverReader<'_>,
    name: &str,
    comment: &[String],
) -> Result<String, Unwritten> {
    let sheet = ObserverSheet::new(reader);
    let rows: Vec<ObserverRow> = sheet.states.iter().map(|memory| sheet.row(*memory)).collect();
    let numbers: BTreeMap<MemoryNumber, usize> =
        (0..).zip(&sheet.states).map(|(at, one)| (*one, at)).collect();
    let over = sheet.states.len();
    let has_end = rows.iter().flatten().any(|edge| edge.to.is_none());
    let table = reader.table;
    let all: Vec<String> = (0..table.marks).map(|mark| mark.to_string()).collect();
    let mut lines = comment.to_vec();
    lines.push(
        "An event is a proposition; of those and the moments without event at most one is true.".to_owned(),
    );
    lines.push("A run that is over goes on with `end`, or with `stuck`, forever.".to_owned());
    if reader.system.events.iter().any(|event| event.goes_on) {
        lines.push(format!("After an event that ends in `{AMID}` another of the same step follows."));
    }
    if sheet.has_others {
        lines.push("At all other events no event is true.".to_owned());
    }
    let header = HoaHeader {
        name,
        comment: lines,
        states: over + usize::from(has_end),
        start: table.first.iter().map(|memory| numbers[memory]).collect(),
        letters: &sheet.letters,
        acceptance: Acceptance::Edges(table.marks as usize),
        is_deterministic: table.first.len() <= 1 && rows.iter().all(is_deterministic),
    };
    let mut text = header.text();
    let sets = |marks: Marks| -> String {
        let seen: Vec<String> =
            (0..table.marks).filter(|mark| marks >> mark & 1 == 1).map(|mark| mark.to_string()).collect();
        if seen.is_empty() { String::new() } else { format!(" {{{}}}", seen.join(" ")) }
    };
    for (number, (memory, row)) in sheet.states.iter().zip(&rows).enumerate() {
        let is_sure = table.accepts_all[*memory as usize];
        let _ = writeln!(text, "State: {number}{}", if is_sure { " \"accepted\"" } else { "" });
        for edge in row {
            let to = edge.to.map_or(over, |to| numbers[&to]);
            let _ = writeln!(text, "[{}] {to}{}", sheet.label(edge), sets(edge.marks));
        }
        if text.len() > LONGEST {
            return Err(Unwritten("the automaton would be too long".to_owned()));
        }
    }
    if has_end {
        let moments = [IdleMoment::End, IdleMoment::Stuck].map(|moment| sheet.letters.moment(moment));
        let sets = if all.is_empty() { String::new() } else { format!(" {{{}}}", all.join(" ")) };
        let _ = writeln!(text, "State: {over} \"over\"\n[{}] {over}{sets}", moments.join("|"));
    }
    Ok(text + "--END--\n")
}

/// What is read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum HoaLetter {
    /// One of these events: those with a proposition, and whether one of the others may be it.
    Events(Vec<usize>, bool),
    End,
    Stuck,
    Silent,
}

impl HoaLetter {
    /// Whether nothing is both.
    fn excludes(&self, other: &HoaLetter) -> bool {
        match (self, other) {
            (HoaLetter::Events(own, others), HoaLetter::Events(its, more)) => {
                !(*others && *more) && own.iter().all(|event| !its.contains(event))
            }
            (HoaLetter::End, HoaLetter::End)
            | (HoaLetter::Stuck, HoaLetter::Stuck)
            | (HoaLetter::Silent, HoaLetter::Silent) => false,
            (HoaLetter::Events(..) | HoaLetter::End | HoaLetter::Stuck | HoaLetter::Silent, _) => true,
        }
    }
}

/// What is read, where predicates have some values.
type PredicateCase = (HoaLetter, PredicateValues);

/// A way from a state: to what is remembered then, or to the sink, with all cases in which it is taken; none for any letter whatsoever.
struct HoaEdge {
    to: Option<MemoryNumber>,
    marks: Marks,
    cases: Vec<PredicateCase>,
}

type ObserverRow = Vec<HoaEdge>;

/// The same cases, with all events together that are read where the same predicates hold.
fn together(cases: BTreeSet<PredicateCase>) -> Vec<PredicateCase> {
    let mut events: BTreeMap<PredicateValues, (BTreeSet<usize>, bool)> = BTreeMap::new();
    let mut all = Vec::new();
    for (letter, conditions) in cases {
        match letter {
            HoaLetter::Events(named, others) => {
                let known = events.entry(conditions).or_default();
                known.0.extend(named);
                known.1 |= others;
            }
            HoaLetter::End | HoaLetter::Stuck | HoaLetter::Silent => all.push((letter, conditions)),
        }
    }
    let events = events.into_iter().map(|(conditions, (named, others))| {
        (HoaLetter::Events(named.into_iter().collect(), others), conditions)
    });
    events.chain(all).collect()
}

/// Whether no letter has two ways.
fn is_deterministic(row: &ObserverRow) -> bool {
    let excludes = |(letter, conditions): &PredicateCase, (other, others): &PredicateCase| {
        letter.excludes(other) || conditions.iter().any(|(term, value)| others.contains(&(*term, !value)))
    };
    row.iter().enumerate().all(|(at, edge)| {
        row[at + 1..]
            .iter()
            .all(|later| edge.cases.iter().all(|case| later.cases.iter().all(|other| excludes(case, other))))
    })
}

/// An observer on its way into a file.
struct ObserverSheet<'a> {
    table: &'a ObserverTable,
    letters: Letters,
    /// Events by their proposition; none for those that are not distinguished.
    places: BTreeMap<EventId, Option<usize>>,
    has_others: bool,
    predicates: Vec<TermId>,
    /// What is remembered in some run.
    states: Vec<MemoryNumber>,
}

impl<'a> ObserverSheet<'a> {
    fn new(reader: &ObserverReader<'a>) -> Self {
        let ObserverReader { system, legend, table } = *reader;
        let states = reached(table);
        let alike = alike(system, table, &states);
        let named: Vec<EventId> = system.events.ids().filter(|event| !alike.contains(event)).collect();
        let predicates = predicates(table, &states);
        let words: Vec<String> = (1..)
            .zip(&predicates)
            .map(|(number, term): (usize, _)| {
                told(system, legend, *term).unwrap_or_else(|| format!("condition {number}"))
            })
            .collect();
        let written: Vec<String> = named.iter().map(|event| written(&system.events[*event])).collect();
        let texts: Vec<&str> = written.iter().map(String::as_str).collect();
        let has_silence = states.iter().any(|memory| !table.silent[*memory as usize].is_empty());
        let moments = [IdleMoment::End, IdleMoment::Stuck, IdleMoment::Silent];
        let moments = if has_silence { &moments[..] } else { &moments[..2] };
        let letters = Letters::new(&texts, moments, &words).with_others(!alike.is_empty());
        let mut places: BTreeMap<EventId, Option<usize>> = alike.iter().map(|event| (*event, None)).collect();
        places.extend(named.iter().enumerate().map(|(place, event)| (*event, Some(place))));
        ObserverSheet { table, letters, places, has_others: !alike.is_empty(), predicates, states }
    }

    /// All ways from a state, each once.
    fn row(&self, memory: MemoryNumber) -> ObserverRow {
        let at = memory as usize;
        let all = all_marks(self.table.marks);
        if self.table.accepts_all[at] {
            return vec![HoaEdge { to: Some(memory), marks: all, cases: Vec::new() }];
        }
        let mut ways: BTreeMap<(Option<MemoryNumber>, Marks), BTreeSet<PredicateCase>> = BTreeMap::new();
        let mut add = |letter: &HoaLetter, branches: &[TableBranch]| {
            for branch in branches {
                for (to, marks) in &branch.ways {
                    let case = (letter.clone(), branch.conditions.clone());
                    ways.entry((Some(*to), *marks)).or_default().insert(case);
                }
            }
        };
        for class in &self.table.reads[at] {
            add(&self.events(&class.events), &class.branches);
        }
        add(&HoaLetter::Silent, &self.table.silent[at]);
        for (letter, ends) in [HoaLetter::End, HoaLetter::Stuck].into_iter().zip(&self.table.ends[at]) {
            let cases = ends.iter().map(|conditions| (letter.clone(), conditions.clone()));
            let own: Vec<PredicateCase> = cases.collect();
            if !own.is_empty() {
                ways.entry((None, all)).or_default().extend(own);
            }
        }
        ways.into_iter().map(|((to, marks), cases)| HoaEdge { to, marks, cases: together(cases) }).collect()
    }

    fn events(&self, events: &[EventId]) -> HoaLetter {
        let mut named: Vec<usize> = events.iter().filter_map(|event| self.places[event]).collect();
        named.sort_unstable();
        HoaLetter::Events(named, events.iter().any(|event| self.places[event].is_none()))
    }

    fn label(&self, edge: &HoaEdge) -> String {
        let cases: Vec<String> = edge.cases.iter().map(|case| self.case(case)).collect();
        if cases.is_empty() { "t".to_owned() } else { cases.join(" | ") }
    }

    fn case(&self, (letter, conditions): &PredicateCase) -> String {
        let named = self.places.values().flatten().count();
        let letter = match letter {
            HoaLetter::Events(events, others) if events.len() == named && *others == self.has_others => {
                "@event".to_owned()
            }
            HoaLetter::Events(events, others) => {
                let mut all: Vec<&str> = events.iter().map(|event| self.letters.event(*event)).collect();
                all.extend(others.then_some("@other"));
                match (all.len(), conditions.is_empty()) {
                    (0, _) => "f".to_owned(),
                    (1, _) | (_, true) => all.join("|"),
                    (_, false) => format!("({})", all.join("|")),
                }
            }
            HoaLetter::End => self.letters.moment(IdleMoment::End),
            HoaLetter::Stuck => self.letters.moment(IdleMoment::Stuck),
            HoaLetter::Silent => self.letters.moment(IdleMoment::Silent),
        };
        let mut parts = vec![letter];
        for (term, value) in conditions {
            let place = self.predicates.binary_search(term).unwrap_or(usize::MAX);
            parts.push(self.letters.predicate(place, *value));
        }
        parts.join("&")
    }
}

/// What is remembered in some run, in order.
fn reached(table: &ObserverTable) -> Vec<MemoryNumber> {
    let mut known: BTreeSet<MemoryNumber> = BTreeSet::new();
    let mut open = table.first.clone();
    while let Some(memory) = open.pop() {
        if !known.insert(memory) || table.accepts_all[memory as usize] {
            continue;
        }
        let read = table.reads[memory as usize].iter().flat_map(|class| &class.branches);
        let branches = read.chain(&table.silent[memory as usize]);
        open.extend(branches.flat_map(|branch| &branch.ways).map(|(to, _)| *to));
    }
    known.into_iter().collect()
}

/// The predicates that are looked at.
fn predicates(table: &ObserverTable, states: &[MemoryNumber]) -> Vec<TermId> {
    let mut all = BTreeSet::new();
    for memory in states.iter().filter(|memory| !table.accepts_all[**memory as usize]) {
        let at = *memory as usize;
        let read = table.reads[at].iter().flat_map(|class| &class.branches).chain(&table.silent[at]);
        all.extend(read.flat_map(|branch| &branch.conditions).map(|(term, _)| *term));
        all.extend(table.ends[at].iter().flatten().flatten().map(|(term, _)| *term));
    }
    all.into_iter().collect()
}

/// What an event ends in that is amid a step.
const AMID: &str = " ..";

/// An event as a proposition.
fn written(event: &Event) -> String {
    format!("{}{}", event.text, if event.goes_on { AMID } else { "" })
}

/// The largest set of events that the observer never distinguishes. If all are singletons every event has a
/// proposition.
fn alike(system: &System, table: &ObserverTable, states: &[MemoryNumber]) -> BTreeSet<EventId> {
    let mut classes: BTreeMap<EventId, Vec<usize>> =
        system.events.ids().map(|event| (event, Vec::new())).collect();
    for memory in states {
        for (number, class) in table.reads[*memory as usize].iter().enumerate() {
            for event in &class.events {
                if let Some(own) = classes.get_mut(event) {
                    own.push(number);
                }
            }
        }
    }
    let mut sets: BTreeMap<Vec<usize>, BTreeSet<EventId>> = BTreeMap::new();
    for (event, classes) in classes {
        sets.entry(classes).or_default().insert(event);
    }
    // Of sets of the same size the one with the last event.
    let largest = sets.into_values().max_by_key(|set| (set.len(), set.last().map(|event| event.index())));
    largest.filter(|set| set.len() > 1).unwrap_or_default()
}

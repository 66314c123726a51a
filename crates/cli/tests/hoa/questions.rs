//! Questions of the examples: automata read words as the observers do that they come from, and accept the runs that are found.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use sequent::export::{ExportTarget, ExportedCase};
use sequent_engine::sat::bounded::reach::reach;
use sequent_engine::sat::outcome::Bounded;
use sequent_kernel::id::Id;
use sequent_kernel::property::all_marks;
use sequent_kernel::property::table::{MemoryNumber, ObserverTable, PredicateValues, TableBranch};
use sequent_kernel::random::Random;
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::{Config, EventId, System, TermId};
use sequent_report::export::{ObserverReader, hoa_question};

use crate::reader::{Automaton, read};
use crate::words::Word;
use crate::{cases, word};

/// What is read at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Event(EventId),
    Silent,
    End,
    Stuck,
}

/// A position, and the predicates that hold there.
type Letter = (What, BTreeSet<TermId>);

/// The automaton of a part of a question, if it has one.
pub(crate) fn automaton(part: &ExportedCase, name: &str) -> Option<(Automaton, String)> {
    let ExportTarget::Accepted(table) = &part.target else { return None };
    part.unbounded().ok()?;
    let reader = ObserverReader { system: &part.case.system, legend: &part.case.names.values, table };
    let file = hoa_question(&reader, name, &["a test */ of /* comments".to_owned()]).ok()?;
    let [automaton] = read(&file).try_into().expect("one automaton");
    assert_eq!(automaton.name, name.split_whitespace().collect::<Vec<_>>().join(" "));
    Some((automaton, file))
}

/// What an observer may remember, and what it looks at then.
struct Lore<'a> {
    table: &'a ObserverTable,
    system: &'a System,
    /// The names of predicates in the file, which are the last propositions, in the order of their numbers.
    names: BTreeMap<TermId, String>,
}

impl<'a> Lore<'a> {
    fn new(part: &'a ExportedCase, table: &'a ObserverTable, automaton: &Automaton) -> Self {
        let (mut known, mut open) = (BTreeSet::new(), table.first.clone());
        let mut looks: BTreeSet<TermId> = BTreeSet::new();
        while let Some(memory) = open.pop() {
            let at = memory as usize;
            if !known.insert(memory) || table.accepts_all[at] {
                continue;
            }
            let read = table.reads[at].iter().flat_map(|class| &class.branches);
            for branch in read.chain(&table.silent[at]) {
                open.extend(branch.ways.iter().map(|(to, _)| *to));
                looks.extend(branch.conditions.iter().map(|(term, _)| *term));
            }
            looks.extend(table.ends[at].iter().flatten().flatten().map(|(term, _)| *term));
        }
        let last = &automaton.propositions[automaton.propositions.len() - looks.len()..];
        let names = looks.into_iter().zip(last.iter().cloned()).collect();
        Lore { table, system: &part.case.system, names }
    }

    fn letter(&self, (what, holds): &Letter) -> Vec<String> {
        let mut letter: Vec<String> = holds.iter().filter_map(|term| self.names.get(term)).cloned().collect();
        letter.push(match what {
            What::Event(event) => {
                let event = &self.system.events[*event];
                format!("{}{}", event.text, if event.goes_on { " .." } else { "" })
            }
            What::Silent => "silent".to_owned(),
            What::End => "end".to_owned(),
            What::Stuck => "stuck".to_owned(),
        });
        letter
    }

    fn word(&self, prefix: &[Letter], cycle: &[Letter]) -> Word {
        let letters = |all: &[Letter]| all.iter().map(|one| self.letter(one)).collect();
        Word { prefix: letters(prefix), cycle: letters(cycle) }
    }

    /// What the observer makes of a letter, in so many words.
    fn read(&self, memory: MemoryNumber, (what, holds): &Letter) -> Vec<(MemoryNumber, u64)> {
        let at = memory as usize;
        let branches: Vec<&TableBranch> = match what {
            What::Event(event) => {
                let class = self.table.reads[at].iter().find(|class| class.events.contains(event));
                class.map(|class| class.branches.iter().collect()).unwrap_or_default()
            }
            What::Silent => self.table.silent[at].iter().collect(),
            What::End | What::Stuck => Vec::new(),
        };
        let fitting = branches.into_iter().filter(|branch| fits(&branch.conditions, holds));
        fitting.flat_map(|branch| branch.ways.iter().copied()).collect()
    }

    /// Whether the observer accepts a lasso.
    fn accepts(&self, prefix: &[Letter], cycle: &[Letter]) -> bool {
        let mut nodes: Vec<(usize, MemoryNumber)> =
            self.table.first.iter().map(|memory| (0, *memory)).collect();
        let mut edges: Vec<Vec<(usize, u64)>> = Vec::new();
        let all = all_marks(self.table.marks);
        while let Some((at, memory)) = nodes.get(edges.len()).copied() {
            let here = edges.len();
            if self.table.accepts_all[memory as usize] {
                edges.push(vec![(here, all)]);
                continue;
            }
            let letter = if at < prefix.len() { &prefix[at] } else { &cycle[at - prefix.len()] };
            let ends = &self.table.ends[memory as usize][usize::from(letter.0 == What::Stuck)];
            if matches!(letter.0, What::End | What::Stuck) {
                let is_accepted = ends.iter().any(|conditions| fits(conditions, &letter.1));
                edges.push(if is_accepted { vec![(here, all)] } else { Vec::new() });
                continue;
            }
            let next = if at + 1 == prefix.len() + cycle.len() { prefix.len() } else { at + 1 };
            let mut own = Vec::new();
            for (to, marks) in self.read(memory, letter) {
                let known = nodes.iter().position(|node| *node == (next, to));
                own.push((known.unwrap_or(nodes.len()), marks));
                if known.is_none() {
                    nodes.push((next, to));
                }
            }
            edges.push(own);
        }
        word::has_circle(&edges, all)
    }

    /// A random lasso.
    fn random(&self, numbers: &mut Random) -> (Vec<Letter>, Vec<Letter>) {
        let count = self.system.events.len();
        let one = |what: Option<What>, numbers: &mut Random| -> Letter {
            let holds = self.names.keys().copied().filter(|_| numbers.below(2) == 0).collect();
            let has_silence = self.table.silent.iter().any(|branches| !branches.is_empty());
            let what = what.unwrap_or_else(|| match has_silence && numbers.below(5) == 0 || count == 0 {
                true => What::Silent,
                false => What::Event(EventId::from_index(numbers.below(count))),
            });
            (what, holds)
        };
        let length = numbers.below(7);
        let prefix = (0..length).map(|_| one(None, numbers)).collect();
        let cycle = match numbers.below(4) {
            0 => vec![one(Some(What::End), numbers)],
            1 => vec![one(Some(What::Stuck), numbers)],
            more => (1..more).map(|_| one(None, numbers)).collect(),
        };
        (prefix, cycle)
    }

    /// The positions of a run, and those that are repeated.
    fn told(&self, run: &Run) -> (Vec<Letter>, Vec<Letter>) {
        let configs = replay(self.system, run).expect("it is a run");
        let holds = |config: &Config| -> BTreeSet<TermId> {
            self.names.keys().copied().filter(|term| self.system.holds(*term, config)).collect()
        };
        let mut letters = Vec::new();
        let mut turn = None;
        for (at, step) in run.steps.iter().enumerate() {
            if run.cycle == Some(at) {
                turn = Some(letters.len());
            }
            let after = holds(&configs[at + 1]);
            let events: Vec<EventId> = self.system.events(step).collect();
            let differs = |term: &TermId| {
                self.system.holds(*term, &configs[at]) != self.system.holds(*term, &configs[at + 1])
            };
            if events.is_empty() && (self.table.counts_steps || self.table.watched.iter().any(differs)) {
                letters.push((What::Silent, after.clone()));
            }
            letters.extend(events.into_iter().map(|event| (What::Event(event), after.clone())));
        }
        let last = configs.last().expect("there is a first");
        let is_over = self.system.holds(self.system.complete, last);
        let end = if is_over { What::End } else { What::Stuck };
        match turn {
            Some(turn) if turn < letters.len() => {
                let cycle = letters.split_off(turn);
                (letters, cycle)
            }
            // Nothing is seen on the way round.
            Some(_) => (letters, vec![(What::Stuck, holds(last))]),
            None => (letters, vec![(end, holds(last))]),
        }
    }
}

fn fits(conditions: &PredicateValues, holds: &BTreeSet<TermId>) -> bool {
    conditions.iter().all(|(term, value)| holds.contains(term) == *value)
}

/// A run of a few steps that answers a question.
fn found(part: &ExportedCase) -> Option<Run> {
    let question = part.question().ok()?;
    match reach(&question.encoding, question.wanted, 12, &|_| ControlFlow::Continue(())) {
        Bounded::Found(run, _) => Some(run),
        Bounded::Nothing(_) | Bounded::Proved(_) => None,
        Bounded::Stopped(_) => panic!("nobody stops it"),
    }
}

#[test]
fn automata_of_the_examples_read_as_their_observers_do() {
    let (mut written, mut accepted, mut runs) = (0, 0, 0);
    for case in cases::all() {
        let session = cases::read(&case);
        let agenda = sequent::pipeline::agenda(&session.reading, &session.settings);
        for (number, words) in agenda.queries.iter().enumerate() {
            for part in sequent::export::parts(&agenda, number).unwrap_or_default() {
                let name = format!("{}: {}", case.name, words.text());
                let Some((automaton, file)) = automaton(&part, &name) else { continue };
                let ExportTarget::Accepted(table) = &part.target else { unreachable!("it has an automaton") };
                automaton.keeps_its_word();
                written += 1;
                let lore = Lore::new(&part, table, &automaton);
                let mut numbers = Random::new(number as u64);
                for _ in 0..60 {
                    let (prefix, cycle) = lore.random(&mut numbers);
                    let expected = lore.accepts(&prefix, &cycle);
                    let word = lore.word(&prefix, &cycle);
                    assert_eq!(automaton.accepts(&word), expected, "{name}: {prefix:?} {cycle:?}\n{file}");
                    accepted += usize::from(expected);
                }
                if let Some(run) = found(&part) {
                    let (prefix, cycle) = lore.told(&run);
                    let word = lore.word(&prefix, &cycle);
                    assert!(automaton.accepts(&word), "{name}: {:?} {:?}\n{file}", word.prefix, word.cycle);
                    runs += 1;
                }
            }
        }
    }
    println!("{written} written, {accepted} words accepted, {runs} runs");
    assert!(written > 60 && accepted > 300 && runs > 20, "{written}, {accepted}, {runs}");
}

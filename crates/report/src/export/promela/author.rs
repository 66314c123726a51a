//! The [table](ObserverTable) of an observer as states that read what steps show: the same for a never claim and for
//! an observing process.
//!
//! A state is a memory of the observer, and the obligation it waits for, of those that must be met infinitely
//! often in an infinite run: the marks in turn, and the fairness constraints of the system. The state that
//! has met the last one is accepting.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sequent_kernel::property::Marks;
use sequent_kernel::property::table::{MemoryNumber, ObserverTable, PredicateValues, TableBranch};
use sequent_kernel::system::{EventId, Step, TermId};

use super::super::question::{Unwritten, shows};
use super::terms::PromelaTermWriter;

/// What must be met again and again.
#[derive(Clone, Copy)]
enum RepeatedNeed {
    Mark(u32),
    Rest(TermId),
    Position,
}

/// A state: what the observer remembers, and the number of the need that is waited for; the last number says that all were
/// met.
pub(crate) type ObserverPlace = (MemoryNumber, usize);

/// Where a way leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum To {
    /// Whatever comes, the run is one that is looked for.
    Accepted,
    /// On.
    Place(ObserverPlace),
}

/// A state in which something is read. Conditions are expressions over `event`, the number of what the last step showed, and
/// `over`, which says how a run has ended.
pub(crate) struct Sketch {
    /// Which one it is.
    pub place: ObserverPlace,
    /// When the run has come to an end that is looked for.
    pub ends: Vec<String>,
    /// When a run is looked for that goes on forever and shows nothing more.
    pub unread: Vec<String>,
    /// Where it leads when nothing is to be read.
    pub stays: Vec<(String, To)>,
    /// Where it leads when something is read.
    pub reads: Vec<(String, To)>,
}

/// Writes states.
pub(crate) struct ObserverStateWriter<'c> {
    writer: &'c PromelaTermWriter<'c>,
    table: &'c ObserverTable,
    /// The different lists of events that steps show, the first of which is empty.
    pub shows: Vec<Vec<EventId>>,
    /// For each step the number of its list.
    pub numbers: Vec<usize>,
    needs: Vec<RepeatedNeed>,
    /// Whether everything goes on that is not stuck.
    pub is_free: bool,
    /// Whether a run may go on unseen.
    is_unseen: bool,
    open: VecDeque<ObserverPlace>,
    known: BTreeSet<ObserverPlace>,
}

impl<'c> ObserverStateWriter<'c> {
    /// Nothing is written yet; an error if there are runs that no state can tell from others.
    pub(crate) fn new(
        writer: &'c PromelaTermWriter<'c>,
        steps: &[Step],
        table: &'c ObserverTable,
    ) -> Result<Self, Unwritten> {
        let system = writer.system;
        let is_free = system.is_free();
        let endless = system.endless.as_ref();
        // What is accepted at once, whatever comes, needs no fairness.
        let is_safe = table.is_safety && is_free;
        if !is_safe && endless.is_some_and(|endless| !endless.owed.is_empty()) {
            return Err(Unwritten("fairness is more than a claim for SPIN can say".to_owned()));
        }
        let rests = endless.map(|endless| endless.rests.clone()).unwrap_or_default();
        let is_unseen = endless.is_some_and(|endless| !endless.is_seen);
        if is_unseen && !rests.is_empty() {
            return Err(Unwritten("it may go on forever unseen, but must come to rest".to_owned()));
        }
        let (shows, numbers) = shows(system, steps);
        let mut needs: Vec<RepeatedNeed> = (0..table.marks)
            .map(RepeatedNeed::Mark)
            .chain(rests.into_iter().map(RepeatedNeed::Rest))
            .collect();
        if table.marks == 0 {
            needs.push(RepeatedNeed::Position);
        }
        // For a safety observer only cycles in which nothing is read are searched.
        if endless.is_none() || table.is_safety && is_free {
            needs.clear();
        }
        let (open, known) = (VecDeque::new(), BTreeSet::new());
        Ok(ObserverStateWriter { writer, table, shows, numbers, needs, is_free, is_unseen, open, known })
    }

    /// The number that stands for a step which shows nothing and is read all the same.
    pub(crate) fn silent(&self) -> usize {
        self.shows.len()
    }

    /// Where the observer begins.
    pub(crate) fn first(&mut self) -> Vec<To> {
        self.table.first.iter().map(|memory| self.go((*memory, 0))).collect()
    }

    /// The next state that some way leads to and that was not written yet.
    pub(crate) fn next(&mut self) -> Option<Sketch> {
        let place = self.open.pop_front()?;
        let (memory, met) = place;
        let row = memory as usize;
        let met = if self.is_accepting(place) { 0 } else { met };
        let mut ends = Vec::new();
        for (kind, all) in (1..).zip(&self.table.ends[row]) {
            ends.extend(all.iter().map(|conditions| format!("over == {kind}{}", self.and(conditions))));
        }
        let unread = self.unread(memory);
        // Steps that show nothing leave the observer as it is.
        let stays = self.arrive("event == 0 && !over", memory, 0, met, false);
        let mut reads = Vec::new();
        for (events, branches) in self.readings(row) {
            for branch in branches {
                let when = format!("{events}{}", self.and(&branch.conditions));
                for (to, marks) in &branch.ways {
                    reads.extend(self.arrive(&when, *to, *marks, met, true));
                }
            }
        }
        Some(Sketch { place, ends, unread, stays, reads })
    }

    /// Whether a state is passed again and again by the runs that are looked for.
    pub(crate) fn is_accepting(&self, (_, met): ObserverPlace) -> bool {
        met == self.needs.len() && met > 0
    }

    /// The name of a state.
    pub(crate) fn label(&self, place: ObserverPlace) -> String {
        match self.is_accepting(place) {
            true => format!("accept_m{}", place.0),
            false => format!("m{}_{}", place.0, place.1),
        }
    }

    /// The conditions under which nothing more is seen and the observer accepts that.
    pub(crate) fn unread(&self, memory: MemoryNumber) -> Vec<String> {
        self.rests(memory).iter().map(|conditions| format!("event == 0 && !over{conditions}")).collect()
    }

    /// What must hold of the state besides, to be added to a condition.
    pub(crate) fn rests(&self, memory: MemoryNumber) -> Vec<String> {
        match self.is_unseen {
            true => self.table.ends[memory as usize][1].iter().map(|one| self.and(one)).collect(),
            false => Vec::new(),
        }
    }

    /// Some way leads to a state.
    pub(crate) fn meet(&mut self, place: ObserverPlace) {
        self.go(place);
    }

    fn go(&mut self, place: ObserverPlace) -> To {
        if self.table.accepts_all[place.0 as usize] && self.is_free {
            return To::Accepted;
        }
        if self.known.insert(place) {
            self.open.push_back(place);
        }
        To::Place(place)
    }

    /// Goes on to what is remembered, with the need that is waited for then.
    fn arrive(
        &mut self,
        when: &str,
        to: MemoryNumber,
        marks: Marks,
        met: usize,
        is_read: bool,
    ) -> Vec<(String, To)> {
        let is_met = match self.needs.get(met) {
            Some(RepeatedNeed::Mark(bit)) => marks >> bit & 1 == 1,
            Some(RepeatedNeed::Position) => is_read,
            Some(RepeatedNeed::Rest(term)) => {
                let text = self.writer.term(*term).to_owned();
                let [yes, no] = [met + 1, met].map(|met| self.go((to, met)));
                return vec![(format!("{when} && {text}"), yes), (format!("{when} && !({text})"), no)];
            }
            None => false,
        };
        vec![(when.to_owned(), self.go((to, met + usize::from(is_met))))]
    }

    /// Values of predicates, to be added to a condition.
    fn and(&self, conditions: &PredicateValues) -> String {
        let one = |(term, value): &(TermId, bool)| match value {
            true => format!(" && {}", self.writer.term(*term)),
            false => format!(" && !({})", self.writer.term(*term)),
        };
        conditions.iter().map(one).collect()
    }

    /// What becomes of what steps show: for the lists that mean the same one condition.
    fn readings(&self, row: usize) -> Vec<(String, Vec<TableBranch>)> {
        let mut alike: BTreeMap<Vec<TableBranch>, Vec<usize>> = BTreeMap::new();
        for (number, list) in self.shows.iter().enumerate().skip(1) {
            alike.entry(self.table.after(row as MemoryNumber, list)).or_default().push(number);
        }
        let mut all = Vec::new();
        let largest = alike.values().map(Vec::len).max().unwrap_or(0);
        let mut rest = largest > 3;
        let silent = self.silent();
        for (branches, numbers) in &alike {
            if branches.iter().all(|branch| branch.ways.is_empty()) {
                continue;
            }
            let condition = match rest && numbers.len() == largest {
                true => {
                    rest = false;
                    let others = (1..silent).filter(|number| !numbers.contains(number));
                    let others: String = others.map(|number| format!(" && event != {number}")).collect();
                    format!("event != 0 && event != {silent}{others}")
                }
                false => {
                    let each: Vec<String> =
                        numbers.iter().map(|number| format!("event == {number}")).collect();
                    if each.len() == 1 { each.concat() } else { format!("({})", each.join(" || ")) }
                }
            };
            all.push((condition, branches.clone()));
        }
        if !self.table.silent[row].is_empty() {
            all.push((format!("event == {silent}"), self.table.silent[row].clone()));
        }
        all
    }
}

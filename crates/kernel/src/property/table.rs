//! Tables: an observer as an explicit transition table.
//!
//! An [`Observer`](super::Observer) is a function. To turn it into clauses, or into a claim for another tool,
//! its whole transition relation is needed: for each memory and event the successors, under which conditions.
//! An engine calls the observer for all of them and makes a table; reports print it.

use super::Marks;
use crate::system::{EventId, TermId};

/// What an observer remembers, by number.
pub type MemoryNumber = u32;

/// An observer written out. What it remembers is numbered.
#[derive(Clone, Debug)]
pub struct ObserverTable {
    /// How many things it may remember.
    pub memories: usize,
    /// What it may remember where runs begin, the start being read.
    pub first: Vec<MemoryNumber>,
    /// The transitions on events: for each memory the classes of events, the largest first.
    pub reads: Vec<Vec<EventClass>>,
    /// The transitions on a step that shows nothing, where that is a position.
    pub silent: Vec<Vec<TableBranch>>,
    /// In which states a run may end that it accepts: where everything is over, and where nothing goes on.
    pub ends: Vec<[Vec<PredicateValues>; 2]>,
    /// Whether everything is accepted from here on.
    pub accepts_all: Vec<bool>,
    /// How many marks there are.
    pub marks: u32,
    /// Whether what it accepts is seen to be after finitely many positions.
    pub is_safety: bool,
    /// The predicates that make a step a position which shows nothing.
    pub watched: Vec<TermId>,
    /// Whether every step is a position.
    pub counts_steps: bool,
    /// For each memory how far the observer has come, for observers that measure it.
    pub depths: Vec<usize>,
}

/// Predicates of the state that is read, and their values.
pub type PredicateValues = Vec<(TermId, bool)>;

/// Events that mean the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventClass {
    /// The events.
    pub events: Vec<EventId>,
    /// What comes of them.
    pub branches: Vec<TableBranch>,
}

/// What is remembered afterwards where some predicates have some values: one of these, with these marks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TableBranch {
    /// The predicates.
    pub conditions: PredicateValues,
    /// What may be remembered.
    pub ways: Vec<(MemoryNumber, Marks)>,
}

impl ObserverTable {
    /// All predicates that the observer looks at.
    pub fn predicates(&self) -> Vec<TermId> {
        let read = self.reads.iter().flatten().flat_map(|class| &class.branches);
        let read = read.chain(self.silent.iter().flatten()).flat_map(|branch| &branch.conditions);
        let ends = self.ends.iter().flatten().flatten().flatten();
        let mut all: Vec<TermId> =
            read.chain(ends).map(|(term, _)| *term).chain(self.watched.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether it can be seen that no run whatsoever is accepted: nothing that is ever remembered accepts an end or all that comes, and
    /// some mark is never seen.
    pub fn accepts_nothing(&self) -> bool {
        let mut is_reached = vec![false; self.memories];
        let mut open = self.first.clone();
        let (mut marks, mut has_circle) = (0, false);
        while let Some(memory) = open.pop() {
            let at = memory as usize;
            if std::mem::replace(&mut is_reached[at], true) {
                continue;
            }
            if self.accepts_all[at] || self.ends[at].iter().any(|ends| !ends.is_empty()) {
                return false;
            }
            let read = self.reads[at].iter().flat_map(|class| &class.branches);
            for (to, seen) in read.chain(&self.silent[at]).flat_map(|branch| &branch.ways) {
                marks |= seen;
                // Every cycle has a transition to a memory with a number that is no larger.
                has_circle |= *to <= memory;
                open.push(*to);
            }
        }
        self.is_safety || !has_circle || marks != super::all_marks(self.marks)
    }

    /// Leaves out ends that contradict what was read on every way to their memory: a change of a watched predicate would have been
    /// read. `holds` says what is true where runs begin.
    pub fn keep_possible_ends(&mut self, holds: &dyn Fn(TermId) -> bool) {
        let mut before: Vec<Vec<&PredicateValues>> = vec![Vec::new(); self.memories];
        let read = self.reads.iter().flatten().flat_map(|class| &class.branches);
        for branch in read.chain(self.silent.iter().flatten()) {
            for (to, _) in &branch.ways {
                before[*to as usize].push(&branch.conditions);
            }
        }
        let excludes = |read: &PredicateValues, (term, value): &(TermId, bool)| {
            self.watched.contains(term) && read.contains(&(*term, !value))
        };
        let starts = |(term, value): &(TermId, bool)| !self.watched.contains(term) || holds(*term) == *value;
        let is_possible = |memory: usize, end: &PredicateValues| {
            let is_first = self.first.contains(&(memory as MemoryNumber));
            let agrees = |read: &&PredicateValues| !end.iter().any(|one| excludes(read, one));
            is_first && end.iter().all(starts)
                || before[memory].iter().any(agrees)
                || !is_first && before[memory].is_empty()
        };
        let possible = self.ends.iter().enumerate().map(|(memory, ends)| {
            let kept = |ends: &Vec<PredicateValues>| {
                ends.iter().filter(|end| is_possible(memory, end)).cloned().collect()
            };
            [kept(&ends[0]), kept(&ends[1])]
        });
        self.ends = possible.collect();
    }

    /// What becomes of events that one step shows one after the other; all predicates are those of the state after it.
    pub fn after(&self, memory: MemoryNumber, events: &[EventId]) -> Vec<TableBranch> {
        let Some((first, rest)) = events.split_first() else {
            return vec![TableBranch { conditions: Vec::new(), ways: vec![(memory, 0)] }];
        };
        let class = self.reads[memory as usize].iter().find(|class| class.events.contains(first));
        let Some(class) = class else { return Vec::new() };
        if rest.is_empty() {
            return class.branches.clone();
        }
        let mut all = Vec::new();
        for branch in &class.branches {
            for (to, marks) in &branch.ways {
                for later in self.after(*to, rest) {
                    let mut conditions = branch.conditions.clone();
                    conditions.extend(later.conditions);
                    let ways = later.ways.into_iter().map(|(to, more)| (to, more | marks)).collect();
                    all.push(TableBranch { conditions, ways });
                }
            }
        }
        all
    }

    /// Whether a memory can be kept whatever is read, so that nothing needs to be read: what is looked for has not begun.
    pub fn is_patient(&self, memory: MemoryNumber) -> bool {
        let stays = |class: &EventClass| {
            class.branches.iter().all(|branch| branch.ways.iter().any(|(to, _)| *to == memory))
        };
        let classes = &self.reads[memory as usize];
        !self.accepts_all[memory as usize] && !classes.is_empty() && classes.iter().all(stays)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id;

    /// Remembers one thing, and comes back to it with these marks of one.
    fn circle(marks: Marks) -> ObserverTable {
        let branches = vec![TableBranch { conditions: Vec::new(), ways: vec![(0, marks)] }];
        ObserverTable {
            memories: 1,
            first: vec![0],
            reads: vec![vec![EventClass { events: Vec::new(), branches }]],
            silent: vec![Vec::new()],
            ends: vec![[Vec::new(), Vec::new()]],
            accepts_all: vec![false],
            marks: 1,
            is_safety: false,
            watched: Vec::new(),
            counts_steps: false,
            depths: vec![0],
        }
    }

    #[test]
    fn ends_agree_with_what_was_read_before() {
        let [read, other] = [0, 1].map(TermId::from_index);
        let ends = |watched: Vec<TermId>, first: Vec<MemoryNumber>, starts: bool| {
            let branches = vec![TableBranch { conditions: vec![(read, false)], ways: vec![(0, 0)] }];
            let mut table = ObserverTable {
                reads: vec![vec![EventClass { events: Vec::new(), branches }]],
                ends: vec![[vec![vec![(read, true)]], vec![vec![(read, false)], vec![(other, true)]]]],
                watched,
                first,
                ..circle(0)
            };
            table.keep_possible_ends(&|_| starts);
            table.ends[0].each_ref().map(Vec::len)
        };
        assert_eq!(ends(vec![read, other], Vec::new(), false), [0, 2]);
        assert_eq!(ends(vec![read, other], vec![0], false), [0, 2]);
        assert_eq!(ends(vec![read, other], vec![0], true), [1, 2]);
        assert_eq!(ends(vec![other], vec![0], false), [1, 2], "it may have changed unseen");
    }

    #[test]
    fn nothing_is_accepted_where_a_mark_is_never_seen() {
        assert!(circle(0).accepts_nothing());
        assert!(!circle(1).accepts_nothing());
        assert!(ObserverTable { is_safety: true, ..circle(1) }.accepts_nothing());
        assert!(ObserverTable { reads: vec![Vec::new()], ..circle(1) }.accepts_nothing());
        assert!(!ObserverTable { accepts_all: vec![true], ..circle(0) }.accepts_nothing());
        assert!(!ObserverTable { ends: vec![[vec![Vec::new()], Vec::new()]], ..circle(0) }.accepts_nothing());
        assert!(ObserverTable { first: Vec::new(), accepts_all: vec![true], ..circle(1) }.accepts_nothing());
    }
}

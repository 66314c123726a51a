//! Readings: the transitions of an observer at a position, memoised.
//!
//! What observers remember is numbered. Most read events alone, so a reading is asked for once per number and moment; one
//! that looked at the state of the system is asked for every time.

use std::collections::HashMap;
use std::ops::Range;

use sequent_kernel::id::Id;
use sequent_kernel::property::{Marks, Moment, Observer, all_marks};
use sequent_kernel::system::{EventId, TermId};

use crate::scc::components;

pub(crate) use sequent_kernel::property::table::MemoryNumber;

/// An observer's readings.
pub(crate) struct Readings<'o, O: Observer> {
    observer: &'o O,
    /// How many events the system has.
    events: usize,
    memories: Vec<O::State>,
    numbers: HashMap<O::State, MemoryNumber>,
    /// For each memory and moment where its ways stand in `ways`.
    known: Vec<Vec<ReadingState>>,
    ways: Vec<(MemoryNumber, Marks)>,
    /// For each memory whether it accepts a run that ends, and one that is stuck.
    endings: Vec<[Option<bool>; 2]>,
    raw: Vec<(O::State, Marks)>,
}

#[derive(Clone, Copy)]
enum ReadingState {
    No,
    Ways(usize, u32),
    DependsOnState,
}

impl<'o, O: Observer> Readings<'o, O> {
    /// Nothing was read yet.
    pub(crate) fn new(observer: &'o O, events: usize) -> Self {
        Readings {
            observer,
            events,
            memories: Vec::new(),
            numbers: HashMap::new(),
            known: Vec::new(),
            ways: Vec::new(),
            endings: Vec::new(),
            raw: Vec::new(),
        }
    }

    /// What is remembered before anything was read.
    pub(crate) fn first(&mut self) -> MemoryNumber {
        self.number(self.observer.first())
    }

    /// Whether there is such a memory.
    pub(crate) fn knows(&self, memory: MemoryNumber) -> bool {
        (memory as usize) < self.memories.len()
    }

    /// What a memory stands for.
    pub(crate) fn state(&self, memory: MemoryNumber) -> &O::State {
        &self.memories[memory as usize]
    }

    /// Whether everything is accepted from here on.
    pub(crate) fn accepts_all(&self, memory: MemoryNumber) -> bool {
        self.observer.accepts_all(&self.memories[memory as usize])
    }

    /// Whether what is accepted is seen to be after finitely many positions.
    pub(crate) fn is_safety(&self) -> bool {
        self.observer.is_safety()
    }

    /// The predicates that make a step a position which shows nothing.
    pub(crate) fn watched(&self) -> &'o [TermId] {
        self.observer.watched()
    }

    /// Whether every step is a position.
    pub(crate) fn counts_steps(&self) -> bool {
        self.observer.counts_steps()
    }

    /// All marks of the observer.
    pub(crate) fn marks(&self) -> Marks {
        all_marks(self.observer.marks())
    }

    fn number(&mut self, state: O::State) -> MemoryNumber {
        if let Some(known) = self.numbers.get(&state) {
            return *known;
        }
        let number = self.memories.len() as MemoryNumber;
        self.memories.push(state.clone());
        self.numbers.insert(state, number);
        self.known.push(Vec::new());
        self.endings.push([None; 2]);
        number
    }

    /// Where the ways to go on after an event stand, if they are known.
    #[inline]
    pub(crate) fn known(&self, memory: MemoryNumber, event: EventId) -> Option<Range<usize>> {
        match self.known[memory as usize].get(event.index()) {
            Some(ReadingState::Ways(start, length)) => Some(*start..*start + *length as usize),
            Some(ReadingState::No | ReadingState::DependsOnState) | None => None,
        }
    }

    /// The way at a place.
    #[inline]
    pub(crate) fn way(&self, place: usize) -> (MemoryNumber, Marks) {
        self.ways[place]
    }

    /// Appends to `ways` the successors of `memory` at a position. Returns whether they depend on the state
    /// of the system.
    pub(crate) fn read(
        &mut self,
        memory: MemoryNumber,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(MemoryNumber, Marks)>,
    ) -> bool {
        let slot = match moment {
            Moment::Event(event) => event.index(),
            Moment::End => self.events,
            Moment::Start => self.events + 1,
            Moment::Stuck => self.events + 2,
            Moment::Silent => self.events + 3,
        };
        if self.known[memory as usize].is_empty() {
            self.known[memory as usize] = vec![ReadingState::No; self.events + 4];
        }
        match self.known[memory as usize][slot] {
            ReadingState::Ways(start, length) => {
                ways.extend_from_slice(&self.ways[start..start + length as usize]);
                false
            }
            ReadingState::DependsOnState => {
                self.ask(memory, moment, holds, ways);
                true
            }
            ReadingState::No => {
                let (mut looked, start) = (false, ways.len());
                let mut looks = |term| {
                    looked = true;
                    holds(term)
                };
                self.ask(memory, moment, &mut looks, ways);
                self.known[memory as usize][slot] = match looked {
                    true => ReadingState::DependsOnState,
                    false => {
                        let from = self.ways.len();
                        self.ways.extend_from_slice(&ways[start..]);
                        ReadingState::Ways(from, (ways.len() - start) as u32)
                    }
                };
                looked
            }
        }
    }

    fn ask(
        &mut self,
        memory: MemoryNumber,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(MemoryNumber, Marks)>,
    ) {
        let mut raw = std::mem::take(&mut self.raw);
        raw.clear();
        self.observer.read(&self.memories[memory as usize], moment, holds, &mut raw);
        for (state, marks) in raw.drain(..) {
            let way = (self.number(state), marks);
            ways.push(way);
        }
        self.raw = raw;
    }

    /// Whether the run is accepted if it ends here, or is stuck: that is read forever.
    pub(crate) fn accepts_end(
        &mut self,
        memory: MemoryNumber,
        last: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
    ) -> bool {
        let kind = usize::from(last == Moment::Stuck);
        if let Some(known) = self.endings[memory as usize][kind] {
            return known;
        }
        let mut depends = false;
        let mut looks = |term| {
            depends = true;
            holds(term)
        };
        let state = self.memories[memory as usize].clone();
        let accepts = accepts_end(self.observer, state, last, &mut looks);
        if !depends {
            self.endings[memory as usize][kind] = Some(accepts);
        }
        accepts
    }
}

/// Whether an observer accepts a run of which nothing more is seen, but that it ends or is stuck: that is read forever.
pub(crate) fn accepts_end<O: Observer>(
    observer: &O,
    state: O::State,
    last: Moment,
    holds: &mut dyn FnMut(TermId) -> bool,
) -> bool {
    let mut places: HashMap<O::State, u32> = HashMap::from([(state.clone(), 0)]);
    let mut reached = vec![state];
    let mut edges: Vec<Vec<(u32, Marks)>> = Vec::new();
    while let Some(from) = reached.get(edges.len()).cloned() {
        let mut ways = Vec::new();
        observer.read(&from, last, holds, &mut ways);
        let number = |(to, marks): (O::State, Marks)| {
            let place = *places.entry(to.clone()).or_insert_with(|| {
                reached.push(to);
                reached.len() as u32 - 1
            });
            (place, marks)
        };
        edges.push(ways.into_iter().map(number).collect());
    }
    has_accepting_circle(&edges, all_marks(observer.marks()))
}

/// Whether some strongly connected part has an edge inside, and all marks on such edges.
fn has_accepting_circle(edges: &[Vec<(u32, Marks)>], all: Marks) -> bool {
    let mut found = false;
    let next = |state: usize, pool: &mut Vec<u32>| pool.extend(edges[state].iter().map(|(to, _)| *to));
    components(edges.len(), next, |part| {
        let inside = part.iter().flat_map(|state| &edges[*state as usize]);
        let mut inside = inside.filter(|(to, _)| part.contains(to)).map(|(_, marks)| *marks).peekable();
        found |= inside.peek().is_some() && inside.fold(0, |seen, marks| seen | marks) & all == all;
    });
    found
}

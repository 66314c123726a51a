//! Observed states: the product of a System and the automaton of a formula, searched like the states of a System.
//!
//! What the automaton remembers is a number in some bits beside the variables, which the steps of a [`Program`] leave as they
//! are. So a state of the product is a few words in the one [store](crate::store), no edge is kept, and all cores take part
//! ([`search`](crate::search)). That suffices wherever a violation is seen after finitely many positions:
//!
//! - where no infinite run counts, every violation ends;
//! - of a safety formula, where every prefix of a run can be extended to one that counts. An infinite run
//!   that shows nothing is stuck, to the automaton; where that would be a violation, `circle` or `emptiness`
//!   must look for cycles.
//!
//! Workers of a cluster search any formula like this: first for violations that end, and then for cycles among the states that
//! were visited ([`rounds`](super::rounds)).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use sequent_kernel::id::Id;
use sequent_kernel::property::ltl::{LtlAutomaton, LtlState};
use sequent_kernel::property::{Marks, Moment, Observer};
use sequent_kernel::system::{Step, System, TermId};

use super::PropertyFinding;
use super::completion::completion;
use super::reading::accepts_end;
use crate::graph::{StateGraph, end};
use crate::packed::{Field, Program, TermMemory, copy, support};
use crate::search::expand::{Expander, ExpansionScratch as Seen, StepPath};
use crate::search::space::StateSpace;

use crate::search::{Progress, ProgressWatch, SearchAnswer, SearchOptions, Visited};

/// More bits than this are not kept beside the variables.
const WIDEST: u32 = 31;

/// Readings are kept for at most this many pairs of something remembered and an event.
const MOST_SLOTS: usize = 1 << 16;

/// Searches a run that violates a formula, on all cores; `None` if that needs a search for cycles.
pub fn find(
    graph: &mut StateGraph<'_>,
    automaton: &LtlAutomaton,
    options: &SearchOptions,
    watch: ProgressWatch<'_>,
) -> Option<PropertyFinding> {
    let system = graph.system();
    if !is_enough(system, automaton) {
        return None;
    }
    let space = ObservedStates::new(graph.program(), automaton);
    let mut visited = Visited::new(space.words);
    let first = space.first(&mut visited.is_strained);
    let found = visited.search(&space, &first, options, watch);
    if space.is_open() {
        return None;
    }
    let answer = match found {
        Ok(None) => SearchAnswer::Exhausted,
        Ok(Some(id)) => {
            let mut run = visited.run_to(&space, &first, id);
            run.steps.extend(space.rest(visited.store.state(id), graph)?);
            SearchAnswer::Found(run)
        }
        Err(stop) => SearchAnswer::Stopped(stop),
    };
    let progress = Progress { states: visited.store.len(), ..visited.progress };
    Some(PropertyFinding { answer, progress, is_strained: visited.is_strained })
}

/// Whether every violation is seen after finitely many positions, unless a run goes on forever unseen.
pub fn is_enough(system: &System, automaton: &LtlAutomaton) -> bool {
    let is_seen_to_end = system.endless.is_none() || automaton.is_safety() && system.is_free();
    is_seen_to_end && fits(automaton)
}

/// Whether what the automaton remembers has room beside the variables.
pub fn fits(automaton: &LtlAutomaton) -> bool {
    automaton.width() <= WIDEST
}

/// The states of a System with what an automaton remembers of the runs to them.
pub(crate) struct ObservedStates<'a> {
    expander: Expander<'a>,
    automaton: &'a LtlAutomaton,
    /// Where that lies, and how many words a state takes with it.
    memory: Field,
    words: usize,
    /// For how many pairs of something remembered and an event it is kept what is remembered next.
    slots: usize,
    /// The bits on which depends what the automaton looks at, by word.
    watched: Vec<(usize, u64)>,
    /// Whether cycles are looked for afterwards.
    has_cycles: bool,
    /// Whether a run may count as a violation that goes on forever unseen.
    is_open: AtomicBool,
}

/// What one thread needs.
#[derive(Default)]
pub(crate) struct ObservedScratch {
    /// What is seen of the System.
    pub seen: Seen,
    pub(super) reading: ReadingDraft,
    next: Vec<u64>,
    /// Whether a run is accepted that ends, or gets stuck, by what is remembered then; where that is all it depends on.
    endings: HashMap<(u64, Moment), bool>,
}

/// A reading under construction.
#[derive(Default)]
pub(super) struct ReadingDraft {
    /// What holds in the state that is expanded, and in the one that a step leads to.
    pub here: TermMemory,
    there: TermMemory,
    /// What is remembered after the step that was asked for, and what is marked.
    pub ways: Vec<(LtlState, Marks)>,
    before: Vec<(LtlState, Marks)>,
    /// What is remembered after the step, each way once.
    codes: Vec<u64>,
    known: KnownReadings,
}

/// What the automaton remembers after an event, by what it remembered before, where that does not depend on the state.
#[derive(Default)]
struct KnownReadings {
    /// By what was remembered and the event.
    slots: Vec<KnownReading>,
    codes: Vec<u64>,
}

impl KnownReadings {
    fn keep(&mut self, codes: &[u64]) -> KnownReading {
        let start = self.codes.len() as u32;
        self.codes.extend_from_slice(codes);
        KnownReading::Codes { start, length: codes.len() as u32 }
    }
}

/// What the automaton was asked for, besides the ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ReadingKind {
    /// Whether the answer depends on the state.
    depends: bool,
    /// Whether the step is a position.
    pub is_read: bool,
}

#[derive(Clone, Copy, Default)]
enum KnownReading {
    #[default]
    Unknown,
    Codes {
        start: u32,
        length: u32,
    },
    DependsOnState,
}

impl<'a> ObservedStates<'a> {
    /// Nothing was read yet.
    pub(crate) fn new(program: &'a Program<'a>, automaton: &'a LtlAutomaton) -> Self {
        let (memory, words) = program.layout.beside(automaton.width());
        let mut masks = vec![0; words];
        for variable in automaton.watched().iter().flat_map(|term| support(&program.system.terms, *term)) {
            let field = program.layout.field(variable);
            masks[field.word as usize] |= field.mask;
        }
        let memories = 1_usize.checked_shl(automaton.width()).unwrap_or(MOST_SLOTS);
        ObservedStates {
            slots: memories.saturating_mul(program.system.events.len()).min(MOST_SLOTS),
            expander: Expander { program, stubborn: None, goal: None },
            automaton,
            memory,
            words,
            watched: masks.into_iter().enumerate().filter(|(_, mask)| *mask != 0).collect(),
            has_cycles: false,
            is_open: AtomicBool::new(false),
        }
    }

    /// Only violations that end are what is looked for: cycles are looked for afterwards.
    pub(crate) fn before_cycles(self) -> Self {
        ObservedStates { has_cycles: true, ..self }
    }

    /// What is run.
    pub(super) fn expander(&self) -> Expander<'a> {
        self.expander
    }

    /// The bits in use of each word of a state.
    pub(crate) fn masks(&self) -> Vec<u64> {
        let mut masks = self.expander.program.layout.masks();
        masks.resize(self.words, 0);
        masks[self.memory.word as usize] |= self.memory.mask;
        masks
    }

    /// How many words a state takes.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Whether a run may count as a violation that goes on forever unseen.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Relaxed)
    }

    fn system(&self) -> &'a System {
        self.expander.program.system
    }

    /// The states with which runs begin, and the steps before them: the start has been read.
    pub(crate) fn first(&self, is_strained: &mut bool) -> Vec<(Vec<u64>, Vec<Step>)> {
        let mut room = ObservedScratch::default();
        let first = self.expander.first(&mut room.seen);
        *is_strained |= room.seen.is_strained;
        let Some((mut state, steps)) = first else { return Vec::new() };
        state.resize(self.words, 0);
        let (program, automaton) = (self.expander.program, self.automaton);
        let mut ways = Vec::new();
        program.look_at(&state, &mut room.reading.here);
        let holds = &mut |term| program.holds(term, &state, &mut room.reading.here);
        automaton.read(&automaton.first(), Moment::Start, holds, &mut ways);
        let begin = |(memory, _): (LtlState, Marks)| {
            let mut state = state.clone();
            self.remember(&memory, &mut state);
            (state, steps.clone())
        };
        ways.into_iter().map(begin).collect()
    }

    pub(super) fn remember(&self, memory: &LtlState, state: &mut [u64]) {
        self.memory.write(state, self.automaton.code(memory) as i32);
    }

    pub(super) fn remembered(&self, state: &[u64]) -> LtlState {
        self.automaton.decode(self.memory.read(state) as u64)
    }

    /// Whether a step may change what the automaton looks at.
    fn touches(&self, state: &[u64], next: &[u64]) -> bool {
        self.watched.iter().any(|(word, mask)| (state[*word] ^ next[*word]) & mask != 0)
    }

    /// What the automaton makes of a step: what it remembers then.
    #[inline]
    fn read<'r>(
        &self,
        state: &[u64],
        memory: &LtlState,
        next: &[u64],
        way: StepPath<'_>,
        reading: &'r mut ReadingDraft,
    ) -> &'r [u64] {
        let slot = self.slot(memory, way);
        let known = slot.and_then(|slot| reading.known.slots.get(slot).copied()).unwrap_or_default();
        if let KnownReading::Codes { start, length } = known {
            return &reading.known.codes[start as usize..][..length as usize];
        }
        let ReadingKind { depends, .. } = self.ask(state, memory, next, way, reading);
        reading.codes.clear();
        reading.codes.extend(reading.ways.iter().map(|(memory, _)| self.automaton.code(memory)));
        if let (Some(slot), KnownReading::Unknown) = (slot, known) {
            reading.known.slots.resize(self.slots, KnownReading::Unknown);
            reading.known.slots[slot] = match depends {
                true => KnownReading::DependsOnState,
                false => reading.known.keep(&reading.codes),
            };
        }
        &reading.codes
    }

    /// Where it is known what the automaton makes of a step that shows one event.
    fn slot(&self, memory: &LtlState, way: StepPath<'_>) -> Option<usize> {
        let [rule] = way.first else { return None };
        let event = self.system().rules[*rule].event?;
        let slot = self.automaton.code(memory) as usize * self.system().events.len() + event.index();
        (slot < self.slots).then_some(slot)
    }

    /// Asks the automaton what it makes of a step. An invisible step is no position unless it changes what the automaton looks at.
    pub(super) fn ask(
        &self,
        state: &[u64],
        memory: &LtlState,
        next: &[u64],
        way: StepPath<'_>,
        reading: &mut ReadingDraft,
    ) -> ReadingKind {
        let (program, automaton) = (self.expander.program, self.automaton);
        let ReadingDraft { here, there, ways, before, .. } = reading;
        ways.clear();
        let is_touched = self.touches(state, next);
        if is_touched {
            program.look_at(next, there);
        }
        let mut events = self.system().shown(way.first);
        let first = events.next();
        if first.is_none() {
            let mut changes =
                |term: &TermId| program.holds(*term, state, here) != program.holds(*term, next, there);
            if !is_touched || !automaton.watched().iter().any(&mut changes) {
                ways.push((*memory, 0));
                return ReadingKind { depends: true, is_read: false };
            }
        }
        // Where nothing of it is touched, what held before still does, and is known.
        let mut depends = false;
        let mut holds = |term: TermId| {
            depends = true;
            match is_touched {
                true => program.holds(term, next, there),
                false => program.holds(term, state, here),
            }
        };
        automaton.read(memory, first.map_or(Moment::Silent, Moment::Event), &mut holds, ways);
        // Most steps show one event; of several each is read, one after the other.
        for event in events {
            std::mem::swap(ways, before);
            ways.clear();
            for (memory, marks) in &*before {
                let start = ways.len();
                automaton.read(memory, Moment::Event(event), &mut holds, ways);
                ways[start..].iter_mut().for_each(|(_, more)| *more |= marks);
            }
        }
        ReadingKind { depends, is_read: true }
    }

    /// Whether a run is accepted of which nothing more is seen.
    pub(super) fn accepts(
        &self,
        state: &[u64],
        memory: &LtlState,
        last: Moment,
        room: &mut ObservedScratch,
    ) -> bool {
        let (program, automaton) = (self.expander.program, self.automaton);
        let ObservedScratch { reading: ReadingDraft { here, ways, .. }, endings, .. } = room;
        let key = (automaton.code(memory), last);
        if let Some(known) = endings.get(&key) {
            return *known;
        }
        let mut depends = false;
        let mut holds = |term| {
            depends = true;
            program.holds(term, state, here)
        };
        ways.clear();
        automaton.read(memory, last, &mut holds, ways);
        // What leaves a safety automaton as it is, is no violation.
        let is_idle = automaton.is_safety()
            && !automaton.accepts_all(memory)
            && ways.iter().all(|(next, _)| next == memory);
        let accepts = !is_idle && accepts_end(automaton, *memory, last, &mut holds);
        if !depends {
            endings.insert(key, accepts);
        }
        accepts
    }

    /// Whether a state, of which it is known whether it has a step, ends a violation.
    fn is_violated(
        &self,
        state: &[u64],
        memory: &LtlState,
        has_step: bool,
        room: &mut ObservedScratch,
    ) -> bool {
        let (program, system) = (self.expander.program, self.system());
        let ReadingDraft { here, .. } = &mut room.reading;
        let is_complete = program.holds(system.complete, state, here);
        let is_strained = program.holds(system.strained, state, here);
        if end(system, is_complete, has_step, is_strained)
            .is_some_and(|last| self.accepts(state, memory, last, room))
        {
            return true;
        }
        let is_open = system.endless.is_some() && self.accepts(state, memory, Moment::Stuck, room);
        if is_open {
            self.is_open.store(true, Ordering::Relaxed);
        }
        is_open && !self.has_cycles
    }

    /// The steps from a state that was found to some end of a run, none if it is one, or if any run counts; `None` if there is no such end.
    pub(crate) fn rest(&self, state: &[u64], graph: &mut StateGraph<'_>) -> Option<Vec<Step>> {
        if self.system().is_free() || !self.automaton.accepts_all(&self.remembered(state)) {
            return Some(Vec::new());
        }
        let mut state = state[..self.expander.program.words()].to_vec();
        if let Some(word) = state.get_mut(self.memory.word as usize) {
            *word &= !self.memory.mask;
        }
        let node = graph.enter(&state);
        completion(graph, node)
    }
}

impl StateSpace for &ObservedStates<'_> {
    type Room = ObservedScratch;

    fn expand(self, state: &[u64], room: &mut ObservedScratch, mut visit: impl FnMut(&[u64])) -> bool {
        let memory = self.remembered(state);
        if self.automaton.accepts_all(&memory) && (!self.has_cycles || self.system().is_free()) {
            return true;
        }
        let (program, system) = (self.expander.program, self.system());
        program.look_at(state, &mut room.reading.here);
        let mut holds = |term| program.holds(term, state, &mut room.reading.here);
        if holds(system.invalid) || holds(system.inconclusive) {
            return false;
        }
        let code = self.automaton.code(&memory);
        let ObservedScratch { seen, reading, next: room_for_next, .. } = room;
        let found = self.expander.expand(state, seen, |next, way| {
            for after in self.read(state, &memory, next, way, reading) {
                if *after == code {
                    visit(next);
                    continue;
                }
                room_for_next.clear();
                copy(next, room_for_next);
                self.memory.write(room_for_next, *after as i32);
                visit(room_for_next);
            }
        });
        self.is_violated(state, &memory, found.has_step, room)
    }

    fn steps(self, state: &[u64], next: &[u64], room: &mut ObservedScratch) -> Option<(Vec<Step>, Vec<u64>)> {
        let after = next.to_vec();
        let memory = self.remembered(state);
        let wanted = self.memory.read(next) as u64;
        let mut reached = next.to_vec();
        self.remember(&memory, &mut reached);
        let mut taken = None;
        let ObservedScratch { seen, reading, .. } = room;
        self.expander.program.look_at(state, &mut reading.here);
        self.expander.expand(state, seen, |next, way| {
            if taken.is_none() && next == reached {
                let is_taken = self.read(state, &memory, next, way, reading).contains(&wanted);
                taken = is_taken.then(|| way.steps().collect());
            }
        });
        taken.map(|taken| (taken, after))
    }

    fn rules(self) -> usize {
        self.system().rules.len()
    }

    fn seen(room: &mut ObservedScratch) -> &mut Seen {
        &mut room.seen
    }

    fn reduced(self, _is_reduced: bool) -> Self {
        self
    }
}

//! Sets: the configurations that the same events lead to, computed on demand.
//!
//! Two runs that show the same events are one trace, so configurations are taken together in sets (the subset
//! construction). A configuration is expanded once; a set is a sorted list of numbers of configurations, kept once, and
//! known by its own number. Invisible steps are taken at once: a set holds whatever they lead to, except configurations
//! that wait for an urgent step. Configurations whose choices contradict each other are dropped.

use sequent_kernel::id::IdVec;
use sequent_kernel::system::{Config, EventId, System, TermId, TraceClass};

use super::together;
use crate::packed::Program;
use crate::search::expand::{Expander, ExpansionScratch};
use crate::store::{Batch, NO_PARENT, NumberTable, StateShard, hash};

/// A set of configurations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SetId(pub(super) u32);

impl SetId {
    /// Its number: sets are numbered as they are found.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An event by its place in the order of the texts, or none.
pub(super) type TraceLetter = u32;

/// No event.
const TAU: TraceLetter = u32::MAX;

const NOT_YET: [u32; 2] = [u32::MAX; 2];

/// All sets found so far.
pub struct Sets<'a> {
    program: Program<'a>,
    room: ExpansionScratch,
    states: StateShard,
    facts: Vec<ConfigurationFacts>,
    moves: Vec<(TraceLetter, u32)>,
    /// The members of all sets, and where those of each end.
    members: Vec<u32>,
    ends: Vec<u32>,
    table: NumberTable,
    /// For each set where its events and their target sets stand, once it is expanded.
    ranges: Vec<[u32; 2]>,
    edges: Vec<(TraceLetter, SetId)>,
    /// Configurations marked with this turn's number have been seen in it.
    turn: u32,
    marks: Vec<u32>,
    letters: Vec<EventId>,
    ranks: IdVec<EventId, TraceLetter>,
    is_strained: bool,
    /// More configurations are not kept; whether there were.
    most_states: usize,
    is_full: bool,
    /// How often a configuration was looked at.
    visits: usize,
    /// The configuration that is expanded, and where its steps lead.
    current: Vec<u64>,
    next: Batch,
}

/// While a large set is computed, `may_go_on` is called once per this many configurations.
const BEAT: usize = 1 << 12;

/// What is known of a configuration.
#[derive(Clone, Copy)]
struct ConfigurationFacts {
    /// Where its moves stand, once it was expanded.
    moves: [u32; 2],
    /// Its class, if it is complete.
    class: Option<TraceClass>,
    /// Whether it waits for an urgent step.
    is_urgent: bool,
}

impl ConfigurationFacts {
    /// Of one that was not expanded.
    const UNKNOWN: Self = ConfigurationFacts { moves: NOT_YET, class: None, is_urgent: false };
}

impl<'a> Sets<'a> {
    /// Prepares a system; the first set is [`first`](Self::first).
    pub fn new(system: &'a System) -> Self {
        Self::with_room(system, usize::MAX)
    }

    /// The same with room for `most_states` configurations. Beyond that sets are not complete: see
    /// [`is_full`](Self::is_full).
    pub fn with_room(system: &'a System, most_states: usize) -> Self {
        Self::with_room_while(system, most_states, &mut |_| true)
    }

    /// The same while `may_go_on` returns true; it is called repeatedly if the first set is large.
    pub(super) fn with_room_while(
        system: &'a System,
        most_states: usize,
        may_go_on: &mut dyn FnMut(&Self) -> bool,
    ) -> Self {
        let mut letters: Vec<EventId> = system.events.ids().collect();
        letters.sort_by(|a, b| system.events[*a].text.cmp(&system.events[*b].text));
        let mut ranks: IdVec<EventId, TraceLetter> = system.events.iter().map(|_| 0).collect();
        letters.iter().zip(0..).for_each(|(event, rank)| ranks[*event] = rank);
        let program = Program::new(system);
        let mut sets = Sets {
            states: StateShard::new(program.words()),
            program,
            room: ExpansionScratch::default(),
            facts: Vec::new(),
            moves: Vec::new(),
            members: Vec::new(),
            ends: Vec::new(),
            table: NumberTable::default(),
            ranges: Vec::new(),
            edges: Vec::new(),
            turn: 0,
            marks: Vec::new(),
            letters,
            ranks,
            is_strained: false,
            most_states,
            is_full: false,
            visits: 0,
            current: Vec::new(),
            next: Batch::default(),
        };
        let first = expander(&sets.program).first(&mut sets.room).map(|(state, _)| state);
        let first: Vec<u32> = first.map(|state| sets.state(&state)).into_iter().collect();
        let first = sets.close(first, may_go_on);
        sets.set(&first);
        sets
    }

    /// Whether there was no room for all configurations.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The set in which every trace begins.
    pub fn first(&self) -> SetId {
        SetId(0)
    }

    /// All sets found so far.
    pub fn ids(&self) -> impl Iterator<Item = SetId> + use<> {
        (0..self.ends.len() as u32).map(SetId)
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none, which never happens.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many configurations were looked at.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// How often configurations were looked at, as members of sets.
    pub fn visits(&self) -> usize {
        self.visits
    }

    /// How much memory all of it takes.
    pub fn bytes(&self) -> usize {
        let numbers = self.members.capacity() + self.ends.capacity();
        let pairs = self.moves.capacity() + self.ranges.capacity() + self.edges.capacity();
        self.states.bytes()
            + self.table.bytes()
            + numbers * size_of::<u32>()
            + pairs * size_of::<[u32; 2]>()
            + self.facts.capacity() * size_of::<ConfigurationFacts>()
    }

    /// Whether a configuration was strained: the system has fewer runs than the diagram.
    pub fn is_strained(&self) -> bool {
        self.is_strained
    }

    /// The configurations of a set, in order.
    pub fn configs(&self, set: SetId) -> Vec<Config> {
        let states = self.members_of(set).iter().map(|state| self.states.state(*state as usize));
        let mut configs: Vec<Config> = states.map(|state| self.program.layout.unpack(state)).collect();
        configs.sort_unstable();
        configs
    }

    /// What a trace that ends in this set is worth; `None` if it is not complete.
    pub fn class(&self, set: SetId) -> Option<TraceClass> {
        let classes = self.members_of(set).iter().filter_map(|state| self.facts[*state as usize].class);
        classes.reduce(together)
    }

    /// Whether some configuration of a set satisfies a predicate.
    pub fn any_holds(&mut self, set: SetId, term: TermId) -> bool {
        let expander = expander(&self.program);
        let [start, end] = span(&self.ends, set.0);
        let members = self.members[start..end].iter();
        let mut states = members.map(|state| self.states.state(*state as usize));
        states.any(|state| expander.holds(term, state, &mut self.room))
    }

    /// The events that can come next, in the order of their texts, and the set each leads to.
    pub fn next(&mut self, set: SetId) -> impl Iterator<Item = (EventId, SetId)> + '_ {
        self.expand(set);
        self.edges_of(set).iter().map(|(letter, next)| (self.letters[*letter as usize], *next))
    }

    /// The set that an event leads to, by the text of the event.
    pub fn after(&mut self, set: SetId, text: &str) -> Option<SetId> {
        let events = &self.program.system.events;
        let letter = self.letters.binary_search_by(|event| events[*event].text.as_str().cmp(text)).ok()?;
        self.expand(set);
        let edges = self.edges_of(set);
        edges.binary_search_by_key(&(letter as TraceLetter), |(letter, _)| *letter).ok().map(|at| edges[at].1)
    }

    /// The edges of a set that was expanded.
    pub(super) fn edges_of(&self, set: SetId) -> &[(TraceLetter, SetId)] {
        let [start, end] = self.ranges[set.0 as usize];
        &self.edges[start as usize..end as usize]
    }

    /// The event behind a letter.
    pub(super) fn event(&self, letter: TraceLetter) -> EventId {
        self.letters[letter as usize]
    }

    /// The system that is looked at.
    pub fn system(&self) -> &'a System {
        self.program.system
    }

    fn members_of(&self, set: SetId) -> &[u32] {
        let [start, end] = span(&self.ends, set.0);
        &self.members[start..end]
    }

    /// Finds out what can come next, unless it is known.
    pub(super) fn expand(&mut self, set: SetId) {
        self.expand_while(set, &mut |_| true);
    }

    /// The same while `may_go_on` returns true; it is called repeatedly if sets are large. After false, sets
    /// are not complete.
    pub(super) fn expand_while(&mut self, set: SetId, may_go_on: &mut dyn FnMut(&Self) -> bool) {
        if self.ranges[set.0 as usize] != NOT_YET {
            return;
        }
        let mut moves: Vec<(TraceLetter, u32)> = Vec::new();
        for member in self.members_of(set).to_vec() {
            self.expand_state(member);
            let [start, end] = self.facts[member as usize].moves;
            let seen = self.moves[start as usize..end as usize].iter();
            moves.extend(seen.filter(|(letter, _)| *letter != TAU));
        }
        moves.sort_unstable();
        moves.dedup();
        let mut edges = Vec::new();
        for group in moves.chunk_by(|a, b| a.0 == b.0) {
            let members = self.close(group.iter().map(|(_, state)| *state).collect(), may_go_on);
            // An event after which nothing counts cannot happen.
            if !members.is_empty() {
                edges.push((group[0].0, self.set(&members)));
            }
        }
        let start = self.edges.len() as u32;
        self.edges.extend(edges);
        self.ranges[set.0 as usize] = [start, self.edges.len() as u32];
    }

    /// Some configurations and whatever invisible steps lead to, in order.
    fn close(&mut self, mut open: Vec<u32>, may_go_on: &mut dyn FnMut(&Self) -> bool) -> Vec<u32> {
        self.turn += 1;
        for state in &open {
            mark(&mut self.marks, *state, self.turn);
        }
        let mut at = 0;
        while at < open.len() {
            self.visits += 1;
            let is_beat = self.visits.is_multiple_of(BEAT);
            if self.is_full || self.states.len() > self.most_states || is_beat && !may_go_on(self) {
                self.is_full = true;
                break;
            }
            self.expand_state(open[at]);
            let [start, end] = self.facts[open[at] as usize].moves;
            for (letter, next) in &self.moves[start as usize..end as usize] {
                if *letter == TAU && mark(&mut self.marks, *next, self.turn) {
                    open.push(*next);
                }
            }
            at += 1;
        }
        open.retain(|state| !self.facts[*state as usize].is_urgent);
        open.sort_unstable();
        open
    }

    /// The number of a set, made if it is new.
    fn set(&mut self, members: &[u32]) -> SetId {
        let (all, ends) = (&self.members, &self.ends);
        let known = |set: u32| {
            let [start, end] = span(ends, set);
            &all[start..end]
        };
        self.table.make_room(|set| hash_of(known(set)));
        match self.table.find(hash_of(members), |set| known(set) == members) {
            Ok(set) => SetId(set),
            Err(at) => {
                let set = self.ends.len() as u32;
                self.table.put(at, set);
                self.members.extend_from_slice(members);
                self.ends.push(self.members.len() as u32);
                self.ranges.push(NOT_YET);
                SetId(set)
            }
        }
    }

    /// The number of a configuration, made if it is new.
    fn state(&mut self, state: &[u64]) -> u32 {
        state_in(&mut self.states, &mut self.facts, state)
    }

    fn expand_state(&mut self, id: u32) {
        if self.facts[id as usize].moves != NOT_YET {
            return;
        }
        let Sets { program, room, states, facts, moves, ranks, current, next, .. } = self;
        current.clear();
        current.extend_from_slice(states.state(id as usize));
        next.clear();
        let (start, system) = (moves.len() as u32, program.system);
        let expander = expander(program);
        let found = expander.expand(current, room, |state, way| {
            let event = system.shown(way.first).next();
            moves.push((event.map_or(TAU, |event| ranks[event]), id));
            next.push(state, hash(state), NO_PARENT);
        });
        let mut at = start as usize;
        states.add_all(next, |number| {
            if number == facts.len() {
                facts.push(ConfigurationFacts::UNKNOWN);
            }
            moves[at].1 = number as u32;
            at += 1;
        });
        let facts = &mut facts[id as usize];
        facts.moves = [start, moves.len() as u32];
        facts.is_urgent = found.is_urgent;
        facts.class = class_of(expander, current, room);
        self.is_strained |= room.is_strained;
    }
}

fn expander<'p>(program: &'p Program<'_>) -> Expander<'p> {
    Expander { program, stubborn: None, goal: None }
}

fn state_in(states: &mut StateShard, facts: &mut Vec<ConfigurationFacts>, state: &[u64]) -> u32 {
    let (id, is_new) = states.add(hash(state), state, NO_PARENT);
    if is_new {
        facts.push(ConfigurationFacts::UNKNOWN);
    }
    id as u32
}

fn class_of(expander: Expander<'_>, state: &[u64], room: &mut ExpansionScratch) -> Option<TraceClass> {
    let system = expander.program.system;
    let mut holds = |term| expander.holds(term, state, room);
    match holds(system.complete) {
        true if holds(system.invalid) => Some(TraceClass::Invalid),
        true if holds(system.inconclusive) => Some(TraceClass::Inconclusive),
        true => Some(TraceClass::Valid),
        false => None,
    }
}

/// Marks a configuration with a number; whether it had another one.
fn mark(marks: &mut Vec<u32>, state: u32, turn: u32) -> bool {
    let state = state as usize;
    if marks.len() <= state {
        marks.resize(state + 1, 0);
    }
    std::mem::replace(&mut marks[state], turn) != turn
}

/// Where the members of a set stand.
fn span(ends: &[u32], set: u32) -> [usize; 2] {
    let start = if set == 0 { 0 } else { ends[set as usize - 1] };
    [start as usize, ends[set as usize] as usize]
}

fn hash_of(members: &[u32]) -> u64 {
    members.iter().fold(members.len() as u64, |so_far, member| hash(&[so_far, u64::from(*member)]))
}

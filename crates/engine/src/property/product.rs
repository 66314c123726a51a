//! The product of a system and an observer, state by state.

use std::collections::VecDeque;

use sequent_kernel::id::Id;
use sequent_kernel::property::{Marks, Moment, Observer};
use sequent_kernel::system::{EventId, Step};

use super::reading::{MemoryNumber, Readings};
use crate::explore::Progress;
use crate::graph::{GraphEdge, NodeId, StateGraph};
use crate::origins::Origins;
use crate::store::{AT_ONCE, NumberTable, hash};

/// More states than this have no numbers.
pub(crate) const MOST: usize = u32::MAX as usize - 1;

/// The product: its states are numbered in the order in which they were reached.
pub(crate) struct Product<'g, 'a, O: Observer> {
    /// The system.
    pub graph: &'g mut StateGraph<'a>,
    /// The observer.
    pub readings: Readings<'g, O>,
    /// Where runs begin.
    origins: &'g Origins,
    states: Vec<(NodeId, MemoryNumber)>,
    parents: Vec<u32>,
    table: NumberTable,
    /// Whether some state of the system is known in which a run may end.
    has_ends: bool,
    ways: Vec<(MemoryNumber, Marks)>,
    /// Where the steps of the state lead that is being expanded.
    next: Vec<(NodeId, MemoryNumber)>,
    /// How many steps from states to states were added.
    transitions: usize,
}

/// A way from one state of the product to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProductEdge {
    /// The number of the edge in the graph.
    pub edge: usize,
    /// Where it leads.
    pub to: usize,
    /// What the observer marks.
    pub marks: Marks,
    /// Whether the observer reads anything.
    pub is_read: bool,
}

/// What an observer remembers amid a step that shows several events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amid {
    /// The number of the edge in the graph.
    pub edge: usize,
    /// What it remembered before the event that it read last.
    pub from: MemoryNumber,
    /// What it remembers now.
    pub memory: MemoryNumber,
    /// The event that it reads next.
    pub next: EventId,
}

impl<'g, 'a, O: Observer> Product<'g, 'a, O> {
    /// A product without states.
    pub(crate) fn new(graph: &'g mut StateGraph<'a>, origins: &'g Origins, observer: &'g O) -> Self {
        let readings = Readings::new(observer, graph.system().events.len());
        Product {
            graph,
            readings,
            origins,
            states: Vec::new(),
            parents: Vec::new(),
            table: NumberTable::default(),
            has_ends: false,
            ways: Vec::new(),
            next: Vec::new(),
            transitions: 0,
        }
    }

    /// Adds the states in which runs begin: the start has been read.
    pub(crate) fn begin(&mut self) {
        let first = self.readings.first();
        for node in self.origins.nodes() {
            let mut ways = Vec::new();
            self.readings.read(first, Moment::Start, &mut |term| self.graph.holds(term, node), &mut ways);
            for (memory, _) in ways {
                self.add(node, memory, None);
            }
        }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// How far it goes.
    pub(crate) fn progress(&self) -> Progress {
        let (states, bytes, transitions) = (self.len(), self.bytes(), self.transitions);
        Progress { states, bytes, transitions, ..Progress::default() }
    }

    /// How much memory the product takes, the graph included.
    pub(crate) fn bytes(&self) -> usize {
        self.graph.bytes()
            + self.states.capacity() * size_of::<(NodeId, MemoryNumber)>()
            + self.parents.capacity() * size_of::<u32>()
            + self.table.bytes()
    }

    /// The state of the system in a state of the product.
    pub(crate) fn node(&self, at: usize) -> NodeId {
        self.states[at].0
    }

    /// The state from which a state was reached first; itself if a run begins there.
    pub(crate) fn parent(&self, at: usize) -> usize {
        self.parents[at] as usize
    }

    /// What the observer remembers in a state of the product.
    pub(crate) fn memory(&self, at: usize) -> &O::State {
        self.readings.state(self.states[at].1)
    }

    fn add(&mut self, node: NodeId, memory: MemoryNumber, parent: Option<usize>) -> usize {
        let (states, table) = (&self.states, &mut self.table);
        let key = |number: u32| states[number as usize];
        table.make_room(|number| code(key(number)));
        match table.find(code((node, memory)), |number| key(number) == (node, memory)) {
            Ok(known) => known as usize,
            Err(slot) => {
                let number = self.states.len();
                table.put(slot, number as u32);
                self.states.push((node, memory));
                self.parents.push(parent.unwrap_or(number) as u32);
                number
            }
        }
    }

    /// The number of a state, if it was reached.
    fn find(&self, node: NodeId, memory: MemoryNumber) -> Option<usize> {
        let known =
            self.table.find(code((node, memory)), |number| self.states[number as usize] == (node, memory));
        known.ok().map(|number| number as usize)
    }

    /// Adds the successors of a state.
    pub(crate) fn expand(&mut self, at: usize) {
        let (node, memory) = self.states[at];
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        for place in self.graph.places(node) {
            let edge = self.graph.at(place);
            let known = match self.graph.events(edge.shows) {
                [event] => self.readings.known(memory, *event),
                _ => None,
            };
            if let Some(known) = known {
                next.extend(known.map(|way| (edge.to, self.readings.way(way).0)));
                continue;
            }
            let (mut ways, _) = self.read(node, memory, edge);
            next.extend(ways.drain(..).map(|(memory, _)| (edge.to, memory)));
            self.ways = ways;
        }
        self.transitions += next.len();
        next.chunks(AT_ONCE).for_each(|some| self.add_all(some, at));
        self.next = next;
    }

    /// Adds a few successors of a state. Most are known already, so first all slots are looked at and then all states: the machine
    /// waits for all of them at once.
    fn add_all(&mut self, some: &[(NodeId, MemoryNumber)], from: usize) {
        let mut numbers = [0_u32; AT_ONCE];
        for (number, key) in numbers.iter_mut().zip(some) {
            *number = self.table.first_guess(code(*key));
        }
        let mut is_known = [false; AT_ONCE];
        for ((is_known, number), key) in is_known.iter_mut().zip(&numbers).zip(some) {
            *is_known = *number != 0 && self.states[*number as usize - 1] == *key;
        }
        for ((node, memory), _) in some.iter().zip(is_known).filter(|(_, is_known)| !is_known) {
            self.add(*node, *memory, Some(from));
        }
    }

    /// Adds the successors of a state, and appends the ways there.
    pub(crate) fn branch(&mut self, at: usize, all: &mut Vec<ProductEdge>) {
        let (node, memory) = self.states[at];
        for (number, place) in self.graph.places(node).enumerate() {
            let edge = self.graph.at(place);
            let (mut ways, is_read) = self.read(node, memory, edge);
            self.transitions += ways.len();
            for (memory, marks) in ways.drain(..) {
                let to = self.add(edge.to, memory, Some(at));
                all.push(ProductEdge { edge: number, to, marks, is_read });
            }
            self.ways = ways;
        }
    }

    /// Lets every state that runs reach by way of some states be reached on a shortest such way.
    pub(crate) fn straighten(&mut self, is_known: impl Fn(usize) -> bool) {
        let is_first: Vec<bool> = self.parents.iter().zip(0..).map(|(parent, at)| *parent == at).collect();
        let mut queue: VecDeque<usize> = (0..self.len()).filter(|at| is_first[*at]).collect();
        let mut is_seen = is_first;
        while let Some(at) = queue.pop_front() {
            if !is_known(at) {
                continue;
            }
            for way in self.ways(at) {
                if !std::mem::replace(&mut is_seen[way.to], true) {
                    self.parents[way.to] = at as u32;
                    queue.push_back(way.to);
                }
            }
        }
    }

    /// How many states lie before a state on the way to it.
    pub(crate) fn depth(&self, at: usize) -> usize {
        let next = |at: &usize| Some(self.parent(*at)).filter(|parent| parent != at);
        std::iter::successors(Some(at), next).count()
    }

    /// What the observer makes of an edge, and whether it read anything: an invisible step is no position unless it
    /// changes what the observer looks at.
    fn read(
        &mut self,
        from: NodeId,
        memory: MemoryNumber,
        edge: GraphEdge,
    ) -> (Vec<(MemoryNumber, Marks)>, bool) {
        let mut ways = std::mem::take(&mut self.ways);
        ways.clear();
        if !edge.shows.is_visible() && !self.changes(from, edge.to) {
            ways.push((memory, 0));
            return (ways, false);
        }
        // Most steps show one event; of several each is read, one after the other.
        for number in 0..self.graph.events(edge.shows).len().max(1) {
            let moment = match self.graph.events(edge.shows).get(number) {
                Some(event) => Moment::Event(*event),
                None => Moment::Silent,
            };
            let mut holds = |term| self.graph.holds(term, edge.to);
            if number == 0 {
                self.readings.read(memory, moment, &mut holds, &mut ways);
                continue;
            }
            for (memory, marks) in std::mem::take(&mut ways) {
                let start = ways.len();
                self.readings.read(memory, moment, &mut holds, &mut ways);
                ways[start..].iter_mut().for_each(|(_, more)| *more |= marks);
            }
        }
        (ways, true)
    }

    /// Whether a step that shows nothing is a position all the same.
    fn changes(&mut self, from: NodeId, to: NodeId) -> bool {
        let watched = self.readings.watched();
        self.readings.counts_steps()
            || watched.iter().any(|term| self.graph.holds(*term, from) != self.graph.holds(*term, to))
    }

    /// The ways from a state that was expanded.
    pub(crate) fn ways(&mut self, at: usize) -> Vec<ProductEdge> {
        let (node, memory) = self.states[at];
        let mut all = Vec::new();
        for (number, place) in self.graph.places(node).enumerate() {
            let edge = self.graph.at(place);
            let (mut ways, is_read) = self.read(node, memory, edge);
            for (memory, marks) in ways.drain(..) {
                let to = self.find(edge.to, memory).expect("the successors of an expanded state were added");
                all.push(ProductEdge { edge: number, to, marks, is_read });
            }
            self.ways = ways;
        }
        all
    }

    /// What the observer remembers amid the steps from a state that was expanded, where these show several events: all but the last are
    /// read, each in turn.
    pub(crate) fn amid(&mut self, at: usize) -> Vec<Amid> {
        let (node, memory) = self.states[at];
        let mut all = Vec::new();
        for (number, place) in self.graph.places(node).enumerate() {
            let edge = self.graph.at(place);
            let mut before = vec![memory];
            for next in 1..self.graph.events(edge.shows).len() {
                let event = Moment::Event(self.graph.events(edge.shows)[next - 1]);
                let mut ways = Vec::new();
                for from in before {
                    let start = ways.len();
                    let mut holds = |term| self.graph.holds(term, edge.to);
                    self.readings.read(from, event, &mut holds, &mut ways);
                    let next = self.graph.events(edge.shows)[next];
                    let read = ways[start..].iter().map(|(memory, _)| *memory);
                    all.extend(read.map(|memory| Amid { edge: number, from, memory, next }));
                }
                before = ways.into_iter().map(|(memory, _)| memory).collect();
            }
        }
        all
    }

    /// Whether a run may end in a state and is accepted then.
    pub(crate) fn ends(&mut self, at: usize) -> bool {
        let node = self.node(at);
        let Some(last) = self.graph.end(node) else { return false };
        self.has_ends = true;
        self.accepts_last(at, last)
    }

    /// Whether a run is accepted of which nothing more is seen from a state on.
    pub(crate) fn accepts_last(&mut self, at: usize, last: Moment) -> bool {
        let (node, memory) = self.states[at];
        self.readings.accepts_end(memory, last, &mut |term| self.graph.holds(term, node))
    }

    /// Whether everything is accepted from a state on.
    pub(crate) fn accepts_all(&self, at: usize) -> bool {
        self.readings.accepts_all(self.states[at].1)
    }

    /// Whether it is worth looking for ends: one was seen, or nothing goes on forever.
    pub(crate) fn has_ends(&self) -> bool {
        self.has_ends || self.graph.system().endless.is_none()
    }

    /// The steps from the beginning to a state.
    pub(crate) fn steps_to(&mut self, at: usize) -> Vec<Step> {
        let mut path = vec![at];
        while let Some(last) = path.last().copied().filter(|last| self.parents[*last] as usize != *last) {
            path.push(self.parents[last] as usize);
        }
        path.reverse();
        let mut steps = self.origins.steps_to(self.node(path[0]));
        for pair in path.windows(2) {
            let ways = self.ways(pair[0]);
            let way = ways.iter().find(|way| way.to == pair[1]).expect("a state is reached from its parent");
            steps.extend(self.graph.steps(self.node(pair[0]), way.edge));
        }
        steps
    }
}

fn code((node, memory): (NodeId, MemoryNumber)) -> u64 {
    hash(&[(node.index() as u64) << 32 | u64::from(memory)])
}

//! Graph: the states of a System, each expanded once, on demand.
//!
//! Several questions about one system search the same states. The graph stores the successors of a state, so
//! a second question does not expand a state again, and states that no question reaches are never expanded.
//!
//! What a step shows is one event at most, or several where more than two meet; the different ways to show something are few,
//! and numbered.
//!
//! It is the graph of the valid runs: where a run has become invalid or inconclusive (rule I12) it is not followed further.

use std::collections::HashMap;
use std::ops::Range;

use sequent_kernel::id;
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::property::Moment;
use sequent_kernel::system::{EventId, Fairness, RuleId, Step, System, TermId};

use crate::packed::Program;
use crate::search::expand::{Expander, ExpansionScratch};
use crate::search::stubborn::Stubborn;
use crate::store::{Batch, NO_PARENT, StateShard, hash};

id! {
    /// A state of a graph.
    NodeId
}

/// A step between two states, with the urgent steps that follow it at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GraphEdge {
    /// What is seen.
    pub shows: Shows,
    /// Where it leads.
    pub to: NodeId,
}

/// What a step shows: a number of the graph it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shows(u32);

impl Shows {
    /// Whether anything is seen.
    pub fn is_visible(self) -> bool {
        self != Shows(0)
    }
}

/// The states of a system, expanded on demand.
pub struct StateGraph<'a> {
    program: &'a Program<'a>,
    /// Which steps may be left out; `None` for none.
    stubborn: Option<Stubborn>,
    room: ExpansionScratch,
    states: StateShard,
    /// For each state where its edges begin; `None` while it is not expanded.
    nodes: Vec<Option<GraphNode>>,
    edges: Vec<GraphEdge>,
    fairness: Option<Fair>,
    shown: EventLists,
    first: Option<(NodeId, Vec<Step>)>,
    /// The state that is being expanded, and where its steps lead.
    current: Vec<u64>,
    next: Batch,
}

#[derive(Clone, Copy)]
struct GraphNode {
    start: usize,
    length: u32,
    end: Option<Moment>,
}

impl<'a> StateGraph<'a> {
    /// A graph of which nothing is known but its first state.
    pub fn new(program: &'a Program<'a>) -> Self {
        Self::with(program, None)
    }

    /// The graph for who asks in which order some events happen, in a system whose runs all end: of runs that differ only
    /// in the order of others it has at least one, with the same steps.
    pub fn of_order(program: &'a Program<'a>, is_seen: impl Fn(EventId) -> bool) -> Self {
        Self::with(program, Some(Stubborn::seeing(program, is_seen)))
    }

    fn with(program: &'a Program<'a>, stubborn: Option<Stubborn>) -> Self {
        let mut room = ExpansionScratch::default();
        let mut states = StateShard::new(program.words());
        let first = expander(program, None).first(&mut room);
        let first = first.map(|(state, steps)| (add(&mut states, &state), steps));
        let nodes = first.iter().map(|_| None).collect();
        StateGraph {
            program,
            stubborn,
            room,
            states,
            nodes,
            edges: Vec::new(),
            fairness: None,
            shown: EventLists::new(program.system),
            first,
            current: Vec::new(),
            next: Batch::default(),
        }
    }

    /// The system that it is the graph of, ready to be run.
    pub fn program(&self) -> &'a Program<'a> {
        self.program
    }

    /// What the graph is of.
    pub fn system(&self) -> &'a System {
        self.program.system
    }

    /// The state in which every run begins, and the steps that lead there; `None` if no run counts.
    pub fn first(&self) -> Option<(NodeId, &[Step])> {
        self.first.as_ref().map(|(node, steps)| (*node, steps.as_slice()))
    }

    /// The node of a state that was reached elsewhere.
    pub(crate) fn enter(&mut self, state: &[u64]) -> NodeId {
        let node = add(&mut self.states, state);
        self.nodes.resize(self.states.len(), None);
        node
    }

    /// How many states are known.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        self.states.bytes()
            + self.nodes.capacity() * size_of::<Option<GraphNode>>()
            + self.edges.capacity() * size_of::<GraphEdge>()
            + self.fairness.as_ref().map_or(0, Fair::bytes)
    }

    /// Whether a state was looked at from which on the system has fewer runs than the diagram.
    pub fn is_strained(&self) -> bool {
        self.room.is_strained
    }

    /// The steps of a state.
    pub fn edges(&mut self, node: NodeId) -> &[GraphEdge] {
        let places = self.places(node);
        &self.edges[places]
    }

    /// Where the steps of a state stand among all that are known.
    pub fn places(&mut self, node: NodeId) -> Range<usize> {
        let GraphNode { start, length, .. } = self.node(node);
        start..start + length as usize
    }

    /// The step at a place.
    pub fn at(&self, place: usize) -> GraphEdge {
        self.edges[place]
    }

    /// The events that a step shows, in order.
    pub fn events(&self, shows: Shows) -> &[EventId] {
        &self.shown.lists[shows.0 as usize]
    }

    /// Notes from now on which fairness constraints the rules of each step pay for and which are due in each state; nothing is
    /// known of states any more. `false` if that cannot be noted, or there are none.
    pub(crate) fn note_fairness(&mut self) -> bool {
        if self.fairness.is_none() {
            self.fairness = Fair::new(self.program.system);
            if self.fairness.is_some() {
                self.nodes.iter_mut().for_each(|node| *node = None);
                self.edges.clear();
            }
        }
        self.fairness.is_some()
    }

    /// The fairness constraints that the step at a place pays for, a bit each.
    pub(crate) fn paid(&self, place: usize) -> u64 {
        self.fairness.as_ref().map_or(0, |fair| fair.paid[place])
    }

    /// The fairness constraints of which some rule may fire in a state that was asked for, a bit each.
    pub(crate) fn due(&self, node: NodeId) -> u64 {
        self.fairness.as_ref().and_then(|fair| fair.due.get(node.index())).copied().unwrap_or(0)
    }

    /// How a run may end in a state, if it may: it is complete there, or stuck.
    pub fn end(&mut self, node: NodeId) -> Option<Moment> {
        self.node(node).end
    }

    /// Whether a run may end in a state.
    pub fn is_end(&mut self, node: NodeId) -> bool {
        self.end(node).is_some()
    }

    /// Whether a predicate holds in a state.
    pub fn holds(&mut self, term: TermId, node: NodeId) -> bool {
        expander(self.program, self.stubborn.as_ref()).holds(
            term,
            self.states.state(node.index()),
            &mut self.room,
        )
    }

    /// For each edge of a state, in order, the rules that fire.
    pub fn rules(&mut self, node: NodeId) -> Vec<Vec<RuleId>> {
        let mut rules = Vec::new();
        let state = self.states.state(node.index());
        expander(self.program, self.stubborn.as_ref())
            .expand(state, &mut self.room, |_, way| rules.push(way.rules().collect()));
        rules
    }

    /// The steps of edge `number` of a node.
    pub fn steps(&mut self, node: NodeId, number: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = 0;
        let state = self.states.state(node.index());
        expander(self.program, self.stubborn.as_ref()).expand(state, &mut self.room, |_, way| {
            if at == number {
                steps = way.steps().collect();
            }
            at += 1;
        });
        steps
    }

    fn node(&mut self, node: NodeId) -> GraphNode {
        match self.nodes[node.index()] {
            Some(known) => known,
            None => self.expand(node),
        }
    }

    fn expand(&mut self, id: NodeId) -> GraphNode {
        let StateGraph {
            program, stubborn, room, states, nodes, edges, fairness, shown, current, next, ..
        } = self;
        current.clear();
        current.extend_from_slice(states.state(id.index()));
        let start = edges.len();
        let expander = expander(program, stubborn.as_ref());
        let [invalid, inconclusive] = [program.system.invalid, program.system.inconclusive];
        if expander.holds(invalid, current, room) || expander.holds(inconclusive, current, room) {
            let node = GraphNode { start, length: 0, end: None };
            nodes[id.index()] = Some(node);
            return node;
        }
        next.clear();
        let found = expander.expand(current, room, |state, way| {
            // Where it leads is written when all are known, as they are looked up at once.
            edges.push(GraphEdge { shows: shown.of(program.system, way.first), to: id });
            next.push(state, hash(state), NO_PARENT);
            if let Some(fair) = fairness {
                fair.note(id, way.rules());
            }
        });
        let mut place = start;
        states.add_all(next, |number| {
            edges[place].to = NodeId::from_index(number);
            place += 1;
        });
        if let Some(fair) = fairness {
            fair.fit(states.len());
        }
        let is_complete = expander.holds(program.system.complete, current, room);
        let is_strained = expander.holds(program.system.strained, current, room);
        let end = end(program.system, is_complete, found.has_step, is_strained);
        nodes.resize(states.len(), None);
        let node = GraphNode { start, length: (edges.len() - start) as u32, end };
        nodes[id.index()] = Some(node);
        node
    }
}

/// The fairness constraints of a System, a bit each: which steps pay for them, and in which states they are due.
struct Fair {
    /// For each rule those that want it or another to fire, and those that it pays for.
    rules: IdVec<RuleId, [u64; 2]>,
    /// By the places of steps.
    paid: Vec<u64>,
    /// By the numbers of states.
    due: Vec<u64>,
}

impl Fair {
    /// `None` if there are more constraints than bits, or none.
    fn new(system: &System) -> Option<Self> {
        let owed = &system.endless.as_ref()?.owed;
        if owed.is_empty() || owed.len() > u64::BITS as usize {
            return None;
        }
        let rules = owed_by_rule(system, owed);
        Some(Fair { rules, paid: Vec::new(), due: Vec::new() })
    }

    fn bytes(&self) -> usize {
        (self.paid.capacity() + self.due.capacity()) * size_of::<u64>()
    }

    fn note(&mut self, from: NodeId, fired: impl Iterator<Item = RuleId>) {
        let [due, paid] = fired.fold([0; 2], |[due, paid], rule| {
            let [more, other] = self.rules[rule];
            [due | more, paid | other]
        });
        self.fit(from.index() + 1);
        self.due[from.index()] |= due;
        self.paid.push(paid);
    }

    fn fit(&mut self, states: usize) {
        if self.due.len() < states {
            self.due.resize(states, 0);
        }
    }
}

/// For each rule the fairness constraints that want it or another to fire, and those that it pays for: a bit each, of which there are
/// enough.
pub(crate) fn owed_by_rule(system: &System, owed: &[Fairness]) -> IdVec<RuleId, [u64; 2]> {
    let mut rules: IdVec<RuleId, [u64; 2]> = system.rules.iter().map(|_| [0; 2]).collect();
    for (number, fairness) in owed.iter().enumerate() {
        fairness.when.iter().for_each(|rule| rules[*rule][0] |= 1 << number);
        fairness.payers.iter().for_each(|rule| rules[*rule][1] |= 1 << number);
    }
    rules
}

/// How a run may end in a state, if it may.
pub(crate) fn end(system: &System, is_complete: bool, has_step: bool, is_strained: bool) -> Option<Moment> {
    match (is_complete, has_step) {
        // How a run would go on that was broken off is not known.
        (_, false) if is_strained && system.is_free() => None,
        // In a free system a run ends only where no step is possible.
        (true, true) if system.is_free() => None,
        (true, _) => Some(Moment::End),
        (false, false) => Some(Moment::Stuck),
        (false, true) => None,
    }
}

/// The lists of events that steps show, each once; the first is empty.
struct EventLists {
    lists: Vec<Box<[EventId]>>,
    numbers: HashMap<Box<[EventId]>, Shows>,
    /// For each rule what is shown where it fires alone, once it did.
    alone: IdVec<RuleId, Option<Shows>>,
    list: Vec<EventId>,
}

impl EventLists {
    fn new(system: &System) -> Self {
        EventLists {
            lists: vec![Box::default()],
            numbers: HashMap::from([(Box::default(), Shows(0))]),
            alone: system.rules.iter().map(|_| None).collect(),
            list: Vec::new(),
        }
    }

    /// What rules show that fire together.
    fn of(&mut self, system: &System, together: &[RuleId]) -> Shows {
        let [rule] = together else { return self.number(system.shown(together)) };
        if let Some(known) = self.alone[*rule] {
            return known;
        }
        let shows = self.number(system.shown(together));
        self.alone[*rule] = Some(shows);
        shows
    }

    fn number(&mut self, events: impl Iterator<Item = EventId>) -> Shows {
        self.list.clear();
        self.list.extend(events);
        if let Some(known) = self.numbers.get(self.list.as_slice()) {
            return *known;
        }
        let shows = Shows(self.lists.len() as u32);
        self.lists.push(self.list.as_slice().into());
        self.numbers.insert(self.list.as_slice().into(), shows);
        shows
    }
}

fn expander<'a>(program: &'a Program<'a>, stubborn: Option<&'a Stubborn>) -> Expander<'a> {
    Expander { program, stubborn, goal: None }
}

fn add(states: &mut StateShard, state: &[u64]) -> NodeId {
    // The searches keep parents, as several may use one graph.
    NodeId::from_index(states.add(hash(state), state, NO_PARENT).0)
}

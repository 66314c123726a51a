//! Where a machine may be after it has received something: the trigger-based paths of P4 (D13, D14).
//!
//! For machines without nesting this is exact up to guards, which count as satisfiable. A machine with composite states is taken as the
//! set of its innermost states that may be active, which forgets which of them are active together, which of two transitions wins, and
//! whether a region is over: what is found impossible is impossible.

use std::collections::{BTreeMap, BTreeSet};

use crate::id::Id;
use crate::model::{Machine, RegionId, Transition, TransitionKind, Trigger, VertexId, VertexKind};

/// Innermost states that may be active, or where a machine has ended.
pub type ActiveStates = BTreeSet<VertexId>;

/// A machine as it receives.
pub struct Paths<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Transitions by the name that sets them off.
    by_name: BTreeMap<&'a str, Vec<&'a Transition>>,
    /// Transitions that take any message.
    any: Vec<&'a Transition>,
    /// Transitions that need no message.
    free: Vec<&'a Transition>,
    /// Messages that some state keeps for later.
    deferred: BTreeSet<&'a str>,
    /// The composite states around each vertex, innermost first, the vertex itself before them.
    around: Vec<Vec<VertexId>>,
    /// Where a transition to each vertex may end.
    landings: Vec<ActiveStates>,
}

impl<'a> Paths<'a> {
    /// Looks at a machine.
    pub fn of(machine: &'a Machine) -> Self {
        let mut paths = Paths {
            machine,
            by_name: BTreeMap::new(),
            any: Vec::new(),
            free: Vec::new(),
            deferred: BTreeSet::new(),
            around: Vec::new(),
            landings: Vec::new(),
        };
        for transition in machine.transitions.iter() {
            paths.sort_in(transition);
        }
        let bodies = machine.vertices.iter().filter_map(|vertex| vertex.kind.body());
        paths.deferred = bodies.flat_map(|body| body.deferred.iter()).filter_map(name_of).collect();
        paths.around = machine.vertices.ids().map(|vertex| leavable(machine, vertex)).collect();
        let mut outgoing = vec![Vec::new(); machine.vertices.len()];
        machine.transitions.iter().for_each(|one| outgoing[one.source.index()].push(one.target));
        paths.landings = machine.vertices.ids().map(|vertex| landing(machine, &outgoing, vertex)).collect();
        paths
    }

    fn sort_in(&mut self, transition: &'a Transition) {
        if transition.triggers.is_empty() {
            self.free.push(transition);
        }
        for trigger in &transition.triggers {
            match trigger {
                Trigger::Event { name, .. } => self.by_name.entry(name).or_default().push(transition),
                Trigger::Any => self.any.push(transition),
                Trigger::After(_) | Trigger::When(_) => self.free.push(transition),
            }
        }
    }

    /// Whether some transition takes messages of this name.
    pub fn knows(&self, name: &str) -> bool {
        !self.any.is_empty() || self.by_name.contains_key(name)
    }

    /// The names that it takes.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.by_name.keys().copied()
    }

    /// Messages that some state keeps for later: they may be taken at any time after they have come.
    pub fn deferred(&self) -> impl Iterator<Item = &'a str> {
        self.deferred.iter().copied()
    }

    /// All states: a path may begin anywhere (D13).
    pub fn anywhere(&self) -> ActiveStates {
        self.machine.vertices.ids().filter(|vertex| is_innermost(self.machine, *vertex)).collect()
    }

    /// Where it may be once a message has come.
    pub fn take(&self, states: &ActiveStates, name: &str) -> ActiveStates {
        let named = self.by_name.get(name).into_iter().flatten();
        let mut after = ActiveStates::new();
        named.chain(&self.any).for_each(|transition| self.fire(transition, states, &mut after));
        after
    }

    /// The states after any number of steps that need no message, or a message that the diagram does not
    /// draw.
    pub fn settle(&self, states: ActiveStates, silent: &BTreeSet<&str>) -> ActiveStates {
        let unseen = silent.iter().filter_map(|name| self.by_name.get(name)).flatten();
        let any = self.any.iter().filter(|_| !silent.is_empty());
        let steps: Vec<&Transition> = self.free.iter().chain(unseen).chain(any).copied().collect();
        let (mut settled, mut fresh) = (states.clone(), states);
        while !fresh.is_empty() {
            let mut after = ActiveStates::new();
            steps.iter().for_each(|transition| self.fire(transition, &fresh, &mut after));
            fresh = after.difference(&settled).copied().collect();
            settled.extend(&fresh);
        }
        settled
    }

    /// The states in which a message of this name is taken, outermost as drawn.
    pub fn takers(&self, name: &str) -> BTreeSet<VertexId> {
        self.by_name.get(name).into_iter().flatten().map(|transition| transition.source).collect()
    }

    fn fire(&self, transition: &Transition, states: &ActiveStates, after: &mut ActiveStates) {
        let is_inside = |state: &&VertexId| self.around[state.index()].contains(&transition.source);
        let mut leaving = states.iter().filter(is_inside).peekable();
        if leaving.peek().is_none() {
            return;
        }
        match transition.kind {
            TransitionKind::Internal => after.extend(leaving),
            TransitionKind::External | TransitionKind::Local => {
                after.extend(&self.landings[transition.target.index()]);
            }
        }
        // Regions beside the one in which something happens stay as they are, unless the whole object ends.
        if self.is_end(transition) {
            return;
        }
        after.extend(states.iter().filter(|state| self.is_beside(**state, transition.source)));
    }

    /// Whether a transition ends the whole object, in all its regions.
    fn is_end(&self, transition: &Transition) -> bool {
        transition.kind != TransitionKind::Internal
            && self.machine.vertices[transition.target].kind == VertexKind::Terminate
    }

    /// Whether two vertices can be active together, neither of them around the other.
    fn is_beside(&self, one: VertexId, other: VertexId) -> bool {
        let of = |vertex: VertexId| &self.around[vertex.index()];
        let region = |vertex: VertexId| self.machine.vertices[vertex].region;
        of(one).iter().any(|outer| {
            of(other).iter().any(|beside| {
                let (here, there) = (region(*outer), region(*beside));
                here != there && self.machine.regions[here].owner == self.machine.regions[there].owner
            })
        })
    }
}

fn name_of(trigger: &Trigger) -> Option<&str> {
    match trigger {
        Trigger::Event { name, .. } => Some(name),
        Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
    }
}

/// Deeper nesting is cut off by the readers.
const MOST_DEPTH: usize = 256;

fn around(machine: &Machine, vertex: VertexId) -> Vec<VertexId> {
    std::iter::successors(Some(vertex), |inner| machine.parent(*inner)).take(MOST_DEPTH).collect()
}

/// The states whose transitions lead away from a vertex: nothing leads away from where an object has terminated.
fn leavable(machine: &Machine, vertex: VertexId) -> Vec<VertexId> {
    let is_over = machine.vertices[vertex].kind == VertexKind::Terminate;
    if is_over { vec![vertex] } else { around(machine, vertex) }
}

/// Whether a vertex can be active with nothing active inside of it.
fn is_innermost(machine: &Machine, vertex: VertexId) -> bool {
    match &machine.vertices[vertex].kind {
        VertexKind::State(body) => {
            body.regions.iter().all(|region| machine.regions[*region].vertices.is_empty())
        }
        VertexKind::Final | VertexKind::Terminate => true,
        VertexKind::Initial
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::ShallowHistory
        | VertexKind::DeepHistory
        | VertexKind::Entry
        | VertexKind::Exit => false,
    }
}

/// Where a transition that ends at a vertex may end in fact.
fn landing(machine: &Machine, outgoing: &[Vec<VertexId>], vertex: VertexId) -> ActiveStates {
    let (seen, states) = (BTreeSet::new(), ActiveStates::new());
    let mut search = Landing { machine, outgoing, seen, open: vec![vertex], states };
    while let Some(at) = search.open.pop() {
        if search.seen.insert(at) {
            search.reach(at);
        }
    }
    search.states
}

struct Landing<'a> {
    machine: &'a Machine,
    outgoing: &'a [Vec<VertexId>],
    seen: BTreeSet<VertexId>,
    open: Vec<VertexId>,
    states: ActiveStates,
}

impl Landing<'_> {
    fn reach(&mut self, vertex: VertexId) {
        let kind = &self.machine.vertices[vertex].kind;
        if *kind == VertexKind::Terminate {
            // The object has ended, whatever else it was about to enter.
            self.states.insert(vertex);
            return;
        }
        self.surround(vertex);
        match kind {
            VertexKind::State(_) | VertexKind::Final if is_innermost(self.machine, vertex) => {
                self.states.insert(vertex);
            }
            VertexKind::State(body) => body.regions.iter().for_each(|region| self.begin(*region)),
            VertexKind::Final | VertexKind::Terminate => {}
            VertexKind::ShallowHistory | VertexKind::DeepHistory => {
                self.history(vertex);
            }
            VertexKind::Initial
            | VertexKind::Choice
            | VertexKind::Junction
            | VertexKind::Fork
            | VertexKind::Join
            | VertexKind::Entry
            | VertexKind::Exit => {
                let before = self.open.len();
                self.follow(vertex);
                if self.open.len() == before {
                    // Nothing is said about the way on: an entry point begins its state, anything else may lead anywhere.
                    match self.machine.parent(vertex) {
                        Some(parent) => self.open.push(parent),
                        None => self.open.extend(self.machine.vertices.ids()),
                    }
                }
            }
        }
    }

    fn follow(&mut self, vertex: VertexId) {
        self.open.extend(&self.outgoing[vertex.index()]);
    }

    /// Enters a region where it begins, or anywhere if it does not say where.
    fn begin(&mut self, region: RegionId) {
        let vertices = &self.machine.regions[region].vertices;
        let is_initial =
            |vertex: &&VertexId| matches!(self.machine.vertices[**vertex].kind, VertexKind::Initial);
        match vertices.iter().find(is_initial) {
            Some(initial) => self.open.push(*initial),
            None => self.open.extend(vertices),
        }
    }

    /// History leads back to any state inside its region.
    fn history(&mut self, vertex: VertexId) {
        self.follow(vertex);
        let region = self.machine.vertices[vertex].region;
        let inside = self.machine.vertices.ids().filter(|other| {
            around(self.machine, *other).iter().any(|outer| self.machine.vertices[*outer].region == region)
        });
        self.open.extend(inside);
    }

    /// Regions beside a vertex, in all states around it, begin too.
    fn surround(&mut self, vertex: VertexId) {
        for inner in around(self.machine, vertex) {
            let region = self.machine.vertices[inner].region;
            let owner = self.machine.regions[region].owner.map(|owner| &self.machine.vertices[owner].kind);
            let Some(VertexKind::State(body)) = owner else { continue };
            body.regions.iter().filter(|beside| **beside != region).for_each(|beside| self.begin(*beside));
        }
    }
}

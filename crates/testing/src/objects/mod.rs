//! Systems of objects, transcribed from docs/objects.md without any cleverness: a global state is written out, and its
//! successors are listed one by one. Nothing here is shared with the lowering.

pub mod data;
pub mod fire;
mod guard;
pub mod media;
mod meet;
pub mod oracle;
mod queues;
mod route;
pub mod shape;
pub mod state;
pub mod task;
pub mod value;
mod work;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::Id;
use sequent_kernel::model::{
    Communication, Completion, Machine, Model, Steps, TransitionId, TransitionKind, VertexId, VertexKind,
};
use sequent_kernel::semantics::objects::{InstanceId, Structure};

use data::Type;
use shape::{body, outgoing};
use state::{Event, Object, State};
use task::{Task, Way, par};
use value::{Message, Value};

/// A system of objects.
pub struct Naive<'a> {
    /// What the diagrams say.
    pub model: &'a Model,
    /// The objects and their links.
    pub structure: &'a Structure,
    /// The communication of the objects.
    pub medium: Communication,
    /// How much a queue holds.
    pub capacity: usize,
    /// How a step is taken under rendezvous.
    pub steps: Steps,
    /// Whether completion events wait in a line.
    pub completion: Completion,
    /// Whether nothing comes from outside, and nothing goes there.
    pub is_closed: bool,
    /// The attributes of each object with their types and first values.
    pub attributes: Vec<BTreeMap<String, (Type, Value)>>,
    /// Everything that the environment may send at some time.
    offers: OnceCell<Vec<(Option<InstanceId>, InstanceId, Message)>>,
    /// The states in which runs begin.
    initial: OnceCell<BTreeSet<State>>,
}

/// A step: what is seen, and what it leads to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Successor {
    /// At most one; under rendezvous one per receiver.
    pub events: Vec<Event>,
    /// The object that acts.
    pub actor: Option<InstanceId>,
    /// The transitions that begin to fire in the acting object.
    pub fired: Vec<TransitionId>,
    /// The state after the step.
    pub state: State,
}

impl<'a> Naive<'a> {
    /// The system of a model with its settings.
    pub fn new(model: &'a Model, structure: &'a Structure) -> Self {
        let settings = &model.system;
        let mut naive = Naive {
            attributes: Vec::new(),
            offers: OnceCell::new(),
            initial: OnceCell::new(),
            model,
            structure,
            medium: settings.communication.unwrap_or(Communication::Queue),
            capacity: settings.capacity.map_or(4, |capacity| usize::try_from(capacity).expect("it is small")),
            steps: settings.steps.unwrap_or(Steps::Intermediate),
            completion: settings.completion.unwrap_or(Completion::Queued),
            is_closed: settings.closed.unwrap_or(false),
        };
        naive.attributes = structure.objects.ids().map(|id| naive.attributes(id)).collect();
        naive
    }

    /// Whether an object has no machine.
    pub fn is_environment(&self, id: InstanceId) -> bool {
        self.structure.objects[id].machine.is_none()
    }

    /// The machine of an object that has one.
    pub fn machine(&self, id: InstanceId) -> &Machine {
        &self.model.machines[self.structure.objects[id].machine.expect("it is no environment")]
    }

    fn machines(&self) -> impl Iterator<Item = InstanceId> {
        self.structure.objects.ids().filter(|id| !self.is_environment(*id))
    }

    /// The states in which runs begin.
    pub fn initial(&self) -> &BTreeSet<State> {
        self.initial.get_or_init(|| self.beginnings())
    }

    /// An object begins at once, if nothing can come of it but one thing; else it does so in a step of its own.
    fn beginnings(&self) -> BTreeSet<State> {
        let objects = self.structure.objects.ids().map(|id| self.unborn(id).into()).collect();
        let mut state = State { objects, fault: None };
        for id in self.machines() {
            let begun = self.begun(&state, id);
            let is_somewhere = |state: &State| {
                let mut regions = self.machine(id).top_regions();
                state.fault.is_none()
                    && regions.all(|region| state.objects[id.index()].active[region.index()].is_some())
            };
            let is_plain = begun.len() == 1 && begun.iter().all(is_somewhere);
            match begun.into_iter().next().filter(|_| is_plain) {
                Some(only) => state = only,
                None => {
                    state.objects[id.index()].work = self.birth(id);
                    state.objects[id.index()].is_unborn = true;
                }
            }
        }
        BTreeSet::from([state])
    }

    /// What an object does first.
    fn birth(&self, id: InstanceId) -> Task {
        par(self.machine(id).top_regions().map(|region| Task::Default(region, Way::default())))
    }

    /// An object begins, and nothing is done yet.
    fn born(&self, state: &State, id: InstanceId) -> State {
        let mut state = state.clone();
        state.objects[id.index()].work = self.birth(id);
        state.objects[id.index()].is_unborn = false;
        state
    }

    /// The states after an object has begun.
    fn begun(&self, state: &State, id: InstanceId) -> BTreeSet<State> {
        self.run_on(self.born(state, id), id)
    }

    fn unborn(&self, id: InstanceId) -> Object {
        if self.is_environment(id) {
            return Object::default();
        }
        let regions = self.machine(id).regions.len();
        let attributes = self.attributes[id.index()].iter();
        let attributes = attributes.map(|(name, (_, value))| (name.clone(), value.clone())).collect();
        Object { active: vec![None; regions], history: vec![None; regions], attributes, ..Object::default() }
    }

    /// All steps of a state.
    pub fn successors(&self, state: &State) -> BTreeSet<Successor> {
        let mut found = BTreeSet::new();
        if state.fault.is_some() {
            return found;
        }
        match self.medium {
            Communication::Queue | Communication::Bag => {
                for id in self.machines() {
                    self.goes_on(state, id, &mut found);
                    self.at_rest(state, id, &mut found);
                }
                self.environment(state, &mut found);
            }
            Communication::Rendezvous => self.meetings(state, &mut found),
        }
        // A step that ends in a fault changes nothing else.
        let told = |successor: Successor| match successor.state.fault {
            Some(fault) => {
                let state = State { fault: Some(fault), ..state.clone() };
                Successor { state, ..successor }
            }
            None => successor,
        };
        found.into_iter().map(told).collect()
    }

    /// All ways in which one object finishes what it is busy with, while the others do nothing.
    pub fn finished(&self, state: State, id: InstanceId) -> BTreeSet<State> {
        let mut finished = BTreeSet::new();
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            let mut next = BTreeSet::new();
            match state.fault.is_some() || state.objects[id.index()].is_at_rest() {
                true => drop(finished.insert(state)),
                false => self.goes_on(&state, id, &mut next),
            }
            open.extend(next.into_iter().map(|successor| successor.state));
        }
        finished
    }

    /// Whether a state without steps is a proper end.
    pub fn is_end(&self, state: &State) -> bool {
        state.fault.is_none() && self.machines().all(|id| self.is_at_end(id, &state.objects[id.index()]))
    }

    fn is_at_end(&self, id: InstanceId, object: &Object) -> bool {
        if object.terminated {
            return true;
        }
        if !object.is_at_rest() || !object.waiting.is_empty() {
            return false;
        }
        let machine = self.machine(id);
        let is_final = |vertex: VertexId| machine.vertices[vertex].kind == VertexKind::Final;
        let is_over = machine.top_regions().all(|region| object.active[region.index()].is_some_and(is_final));
        let is_kept = object.active.iter().flatten().all(|vertex| {
            let leaves = |one: &TransitionId| machine.transitions[*one].kind != TransitionKind::Internal;
            body(machine, *vertex).is_none() || !outgoing(machine, *vertex).iter().any(leaves)
        });
        let unborn = State {
            objects: self.structure.objects.ids().map(|id| self.unborn(id).into()).collect(),
            fault: None,
        };
        let began = |first: &State| first.objects[id.index()].active == object.active;
        is_over || is_kept || self.begun(&unborn, id).iter().any(began)
    }
}

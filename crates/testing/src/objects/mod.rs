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

use data::NaiveType;
use shape::{body, outgoing};
use state::{NaiveEvent, NaiveObject, NaiveState};
use task::{NaiveTask, SegmentChoice, par};
use value::{NaiveMessage, NaiveValue};

/// A system of objects.
pub struct NaiveObjects<'a> {
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
    pub attributes: Vec<BTreeMap<String, (NaiveType, NaiveValue)>>,
    /// Everything that the environment may send at some time.
    offers: OnceCell<Vec<(Option<InstanceId>, InstanceId, NaiveMessage)>>,
    /// The states in which runs begin.
    initial: OnceCell<BTreeSet<NaiveState>>,
}

/// A step: what is seen, and what it leads to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Successor {
    /// At most one; under rendezvous one per receiver.
    pub events: Vec<NaiveEvent>,
    /// The object that acts.
    pub actor: Option<InstanceId>,
    /// The transitions that begin to fire in the acting object.
    pub fired: Vec<TransitionId>,
    /// The state after the step.
    pub state: NaiveState,
}

impl<'a> NaiveObjects<'a> {
    /// The system of a model with its settings.
    pub fn new(model: &'a Model, structure: &'a Structure) -> Self {
        let settings = &model.system;
        let mut naive = NaiveObjects {
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
    pub fn initial(&self) -> &BTreeSet<NaiveState> {
        self.initial.get_or_init(|| self.beginnings())
    }

    /// An object begins at once, if nothing can come of it but one thing; else it does so in a step of its own.
    fn beginnings(&self) -> BTreeSet<NaiveState> {
        let objects = self.structure.objects.ids().map(|id| self.unborn(id).into()).collect();
        let mut state = NaiveState { objects, fault: None };
        for id in self.machines() {
            let begun = self.begun(&state, id);
            let is_somewhere = |state: &NaiveState| {
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
    fn birth(&self, id: InstanceId) -> NaiveTask {
        par(self.machine(id).top_regions().map(|region| NaiveTask::Default(region, SegmentChoice::default())))
    }

    /// An object begins, and nothing is done yet.
    fn born(&self, state: &NaiveState, id: InstanceId) -> NaiveState {
        let mut state = state.clone();
        state.objects[id.index()].work = self.birth(id);
        state.objects[id.index()].is_unborn = false;
        state
    }

    /// The states after an object has begun.
    fn begun(&self, state: &NaiveState, id: InstanceId) -> BTreeSet<NaiveState> {
        self.run_on(self.born(state, id), id)
    }

    fn unborn(&self, id: InstanceId) -> NaiveObject {
        if self.is_environment(id) {
            return NaiveObject::default();
        }
        let regions = self.machine(id).regions.len();
        let attributes = self.attributes[id.index()].iter();
        let attributes = attributes.map(|(name, (_, value))| (name.clone(), value.clone())).collect();
        NaiveObject {
            active: vec![None; regions],
            history: vec![None; regions],
            attributes,
            ..NaiveObject::default()
        }
    }

    /// All steps of a state.
    pub fn successors(&self, state: &NaiveState) -> BTreeSet<Successor> {
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
                let state = NaiveState { fault: Some(fault), ..state.clone() };
                Successor { state, ..successor }
            }
            None => successor,
        };
        found.into_iter().map(told).collect()
    }

    /// All ways in which one object finishes what it is busy with, while the others do nothing.
    pub fn finished(&self, state: NaiveState, id: InstanceId) -> BTreeSet<NaiveState> {
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
    pub fn is_end(&self, state: &NaiveState) -> bool {
        state.fault.is_none() && self.machines().all(|id| self.is_at_end(id, &state.objects[id.index()]))
    }

    fn is_at_end(&self, id: InstanceId, object: &NaiveObject) -> bool {
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
        let unborn = NaiveState {
            objects: self.structure.objects.ids().map(|id| self.unborn(id).into()).collect(),
            fault: None,
        };
        let began = |first: &NaiveState| first.objects[id.index()].active == object.active;
        is_over || is_kept || self.begun(&unborn, id).iter().any(began)
    }
}

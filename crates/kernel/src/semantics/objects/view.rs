//! A lowered system of objects: its System, and the mapping back to the names of the diagrams.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::World;
use super::body::{self, AttributeSlot, ObjectBody};
use super::data::{Enumerations, ValueType};
use super::message::Signatures;
use super::open::OpenUse;
use super::path::InvisiblePath;
use super::structure::{InstanceId, Structure};
use crate::id::{Id, IdVec};
use crate::model::{
    Communication, Machine, Model, RegionId, Scheduling, Steps, TransitionId, VertexId, VertexKind,
};
use crate::replay::{Run, replay};
use crate::source::Place;
use crate::system::{
    ComponentId, Config, EventId, QueueOrder, RuleId, System, TermId, VariableId, VariableRole,
};

/// A system of objects.
#[derive(Clone, Debug)]
pub struct Objects {
    /// What it does. Its components are the objects, in their order; what comes from outside may be one more.
    pub system: System,
    /// The objects.
    pub structure: Structure,
    /// How they communicate.
    pub communication: Communication,
    /// How steps are taken under rendezvous.
    pub steps: Steps,
    /// Which infinite runs count.
    pub scheduling: Scheduling,
    /// The enumerations that attributes use.
    pub enumerations: Arc<Enumerations>,
    /// What may go wrong.
    pub faults: Vec<Fault>,
    /// The transitions that fire in a rule, if it is the one that starts them.
    pub fired: BTreeMap<RuleId, Vec<(InstanceId, TransitionId)>>,
    /// The ways out of choices that are taken in a rule, or before the first one.
    pub chosen: BTreeMap<Option<RuleId>, BTreeSet<(InstanceId, TransitionId)>>,
    /// The rules by which messages are received and lost.
    pub lost: BTreeMap<RuleId, LostMessage>,
    /// The rules by which messages are taken, transitions for which depend on a value that is not known.
    pub(super) taken: BTreeMap<RuleId, (InstanceId, String)>,
    /// The sendings and receipts of replies to calls.
    pub replies: BTreeSet<EventId>,
    /// The transitions that depend on arguments whose values are not known.
    pub open: Vec<OpenUse>,
    pub(super) layouts: IdVec<InstanceId, Option<ObjectLayout>>,
    pub(super) inboxes: IdVec<InstanceId, Waiting>,
    /// Intermediate states from which nothing is left but to reach a state.
    pub(super) arrivals: Arrivals,
    pub(super) signatures: Signatures,
}

impl Objects {
    /// The first transition that a run takes and that depends on an argument whose value is not known, or one that it might have taken
    /// instead.
    pub fn open_use(&self, run: &Run) -> Option<&OpenUse> {
        if self.open.is_empty() {
            return None;
        }
        let of = |rule: &RuleId| {
            let fired = self.fired.get(rule).into_iter().flatten();
            fired.chain(self.chosen.get(&Some(*rule)).into_iter().flatten()).copied().collect::<Vec<_>>()
        };
        let mut taken = run.steps.iter().flat_map(|step| &step.0).flat_map(of);
        let taken =
            taken.find_map(|taken| self.open.iter().find(|open| (open.object, open.transition) == taken));
        taken.or_else(|| self.open_choice(run))
    }

    /// The first transition that might have taken a message which a run takes otherwise, or loses, if a value were known.
    fn open_choice(&self, run: &Run) -> Option<&OpenUse> {
        let configs = replay(&self.system, run).ok()?;
        let mut taken = run.steps.iter().zip(&configs).flat_map(|(step, config)| {
            step.0.iter().filter_map(|rule| self.taken.get(rule)).map(move |taken| (taken, config))
        });
        let decides = |open: &&OpenUse, config: &Config| {
            open.decides.is_some_and(|decides| self.system.holds(decides, config))
        };
        let of = |(object, name): &(InstanceId, String), config: &Config| {
            let mut own = self.open.iter().filter(|open| open.object == *object && open.message == *name);
            own.find(|open| decides(open, config))
        };
        taken.find_map(|(taken, config)| of(taken, config))
    }
}

/// Something that ends a run: a value that leaves its range, a queue that is full.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fault {
    /// Of which kind it is.
    pub kind: FaultKind,
    /// What it is.
    pub text: String,
    /// Where it happens.
    pub place: Place,
}

/// The kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultKind {
    /// A value leaves this range.
    Range(i32, i32),
    /// A number is divided by zero.
    Division,
    /// A message is sent to no object.
    Nobody,
    /// The queue or the bag of this object is full.
    Full(InstanceId),
    /// No way leads on from a choice.
    NoWay,
    /// A pre- or postcondition is broken.
    Contract,
}

/// A message that is received in a state in which nothing takes it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LostMessage {
    /// The receiver.
    pub object: InstanceId,
    /// The sender.
    pub from: Option<InstanceId>,
    /// Whether the environment did.
    pub is_guest: bool,
    /// The message with its values.
    pub message: String,
    /// The message without them.
    pub name: String,
}

/// Places in the code of an object from which nothing is left but to reach a state, each with when.
pub(super) type Arrivals = BTreeMap<(InstanceId, VertexId), Vec<(i32, TermId)>>;

/// Where the state of an object lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ObjectLayout {
    regions: IdVec<RegionId, VariableId>,
    values: IdVec<VertexId, i32>,
    at: VariableId,
    attributes: BTreeMap<String, AttributeSlot>,
}

/// The messages that may wait at an object, by their numbers in its queue.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Waiting {
    texts: Vec<String>,
    names: Vec<String>,
    senders: Vec<Option<InstanceId>>,
}

impl ObjectLayout {
    pub(crate) fn of(body: &ObjectBody<'_>) -> Self {
        ObjectLayout {
            regions: body.regions.clone(),
            values: body.values.clone(),
            at: body.at,
            attributes: body.attributes.clone(),
        }
    }
}

/// The states of a machine that a name means: its name, its label, or the last part of `A.B`.
pub(crate) fn vertices_named<'m>(machine: &'m Machine, name: &'m str) -> impl Iterator<Item = VertexId> + 'm {
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    let exact = machine.vertices.iter().any(|vertex| vertex.name == name || vertex.label == name);
    let wanted = if exact { name } else { last };
    machine
        .vertices
        .enumerate()
        .filter(move |(id, vertex)| {
            (vertex.name == wanted || vertex.label == wanted) && body::state(machine, *id).is_some()
        })
        .map(|(id, _)| id)
}

impl World<'_> {
    /// Whether an object is in a state of this name.
    pub(crate) fn in_state(&mut self, object: InstanceId, name: &str) -> Option<TermId> {
        let body = self.bodies[object].as_ref()?;
        let found: Vec<(VariableId, i32)> = vertices_named(body.machine, name)
            .map(|vertex| (body.regions[body.machine.vertices[vertex].region], body.values[vertex]))
            .collect();
        let at = body.at;
        if found.is_empty() {
            return None;
        }
        let all: Vec<TermId> =
            found.into_iter().map(|(variable, value)| self.terms.is(variable, value)).collect();
        let any = self.terms.or(all);
        if !(self.is_rendezvous() && self.steps == Steps::Intermediate) {
            return Some(any);
        }
        let rests = self.terms.is(at, 0);
        Some(self.terms.and([any, rests]))
    }

    /// Whether an object is where it may end.
    pub(super) fn proper_end(&mut self, object: InstanceId) -> TermId {
        let body = self.body(object);
        let (at, machine) = (body.at, body.machine);
        let regions: Vec<RegionId> = machine.top_regions().collect();
        let own: Vec<VariableId> = body.regions.iter().copied().collect();
        let ended: Vec<TermId> = regions.iter().map(|region| self.has_ended(object, *region, 0)).collect();
        let ended = self.terms.and(ended);
        let gone: Vec<TermId> = own.iter().map(|variable| self.terms.is(*variable, 0)).collect();
        let gone = self.terms.and(gone);
        let mut ways = vec![ended, gone];
        for values in self.starts.get(&object).cloned().unwrap_or_default() {
            let begun: Vec<TermId> =
                values.into_iter().map(|(variable, value)| self.terms.is(variable, value)).collect();
            ways.push(self.terms.and(begun));
        }
        let rests = self.terms.is(at, 0);
        let any = self.terms.or(ways);
        self.terms.and([rests, any])
    }

    /// Whether what is active in a region is a final vertex, or a state that nothing leaves.
    fn has_ended(&mut self, object: InstanceId, region: RegionId, depth: usize) -> TermId {
        let body = self.body(object);
        let machine = body.machine;
        let variable = body.regions[region];
        let mut ways = Vec::new();
        for vertex in machine.regions[region].vertices.clone() {
            let value = self.body(object).values[vertex];
            if value == 0 || depth > body::MOST_DEPTH {
                continue;
            }
            let is_active = self.terms.is(variable, value);
            let inner = match &machine.vertices[vertex].kind {
                VertexKind::State(state) => {
                    let leaves = self.body(object).outgoing[vertex]
                        .iter()
                        .any(|id| machine.transitions[*id].kind != crate::model::TransitionKind::Internal);
                    if leaves {
                        continue;
                    }
                    let inner: Vec<TermId> = state
                        .regions
                        .iter()
                        .map(|region| self.has_ended(object, *region, depth + 1))
                        .collect();
                    self.terms.and(inner)
                }
                _ => self.terms.truth(true),
            };
            ways.push(self.terms.and([is_active, inner]));
        }
        if !machine.regions[region]
            .vertices
            .iter()
            .any(|vertex| machine.vertices[*vertex].kind == VertexKind::Initial)
        {
            ways.push(self.terms.is(variable, 0));
        }
        self.terms.or(ways)
    }

    /// The states that intermediate states without sends lead to, whatever else is done on the way, each with the condition under which no
    /// other end is possible.
    pub(super) fn arrivals(&mut self) -> Arrivals {
        let mut all = Arrivals::new();
        for (object, process) in self.paused.clone() {
            let Some(place) = self.place_numbers.get(&(object, process)).copied() else { continue };
            let yes = self.terms.truth(true);
            let shown = self.advance(object, InvisiblePath::new(yes, BTreeMap::new(), process));
            if shown.iter().any(|one| one.event.is_some() || one.join != crate::system::Join::Alone) {
                continue;
            }
            let body = self.body(object);
            let values: Vec<(VertexId, i32, VariableId)> = body
                .values
                .enumerate()
                .filter(|(_, value)| **value > 0)
                .map(|(vertex, value)| (vertex, *value, body.regions[body.machine.vertices[vertex].region]))
                .collect();
            for (vertex, value, region) in values {
                let (here, elsewhere): (Vec<_>, Vec<_>) = shown.iter().partition(|one| {
                    let reached = one.path.store.get(&region).and_then(|term| self.terms.as_constant(*term));
                    one.path.fault.is_none() && reached == Some(value)
                });
                if here.is_empty() {
                    continue;
                }
                let here = self.terms.or(here.iter().map(|one| one.path.condition).collect::<Vec<_>>());
                let elsewhere =
                    self.terms.or(elsewhere.iter().map(|one| one.path.condition).collect::<Vec<_>>());
                let nowhere = self.terms.not(elsewhere);
                let condition = self.terms.and([here, nowhere]);
                all.entry((object, vertex)).or_default().push((place, condition));
            }
        }
        all
    }

    pub(super) fn inbox_view(&self, object: InstanceId) -> Waiting {
        if self.bodies[object].is_none() {
            return Waiting::default();
        }
        let texts =
            self.messages[object].iter().map(|ground| self.message_text(&ground.name, &ground.values));
        let senders = self.messages[object].iter().map(|ground| ground.from).collect();
        let names = self.messages[object].iter().map(|ground| ground.name.clone());
        Waiting { texts: texts.collect(), names: names.collect(), senders }
    }
}

impl Objects {
    /// The machine of an object.
    pub fn machine<'m>(&self, model: &'m Model, object: InstanceId) -> Option<&'m Machine> {
        self.structure.objects[object].machine.map(|machine| &model.machines[machine])
    }

    /// The object of a name.
    pub fn named(&self, name: &str) -> Option<InstanceId> {
        self.structure.objects.find(|object| object.name == name)
    }

    /// Whether an object is in a state of this name, as a predicate; `None` if it has none of that name.
    pub fn in_state(&mut self, model: &Model, object: InstanceId, name: &str) -> Option<TermId> {
        self.state_term(model, object, name, false)
    }

    /// The same for a goal that is to be reached: an intermediate state from which nothing is left but to reach a state counts as
    /// that state (P4, definitions D26 and D27).
    pub fn in_goal(&mut self, model: &Model, object: InstanceId, name: &str) -> Option<TermId> {
        self.state_term(model, object, name, true)
    }

    fn state_term(&mut self, model: &Model, object: InstanceId, name: &str, is_goal: bool) -> Option<TermId> {
        let machine = self.machine(model, object)?;
        let layout = self.layouts[object].as_ref()?;
        let terms = &mut self.system.terms;
        let is_direct =
            !(self.communication == Communication::Rendezvous && self.steps == Steps::Intermediate);
        let rests = terms.is(layout.at, 0);
        let mut all = Vec::new();
        for vertex in vertices_named(machine, name) {
            let variable = layout.regions[machine.vertices[vertex].region];
            let is_active = terms.is(variable, layout.values[vertex]);
            all.push(if is_direct { is_active } else { terms.and([is_active, rests]) });
            let arrivals = self.arrivals.get(&(object, vertex)).into_iter().flatten();
            for (place, condition) in arrivals.filter(|_| is_goal) {
                let is_there = terms.is(layout.at, *place);
                all.push(terms.and([is_there, *condition]));
            }
        }
        (!all.is_empty()).then(|| terms.or(all))
    }

    /// An attribute of an object: its value and its type.
    pub fn attribute(&mut self, object: InstanceId, name: &str) -> Option<(TermId, ValueType)> {
        let slot = self.layouts[object].as_ref()?.attributes.get(name)?.clone();
        Some((self.system.terms.variable(slot.variable), slot.kind))
    }

    /// The names of an object's attributes.
    pub fn attributes(&self, object: InstanceId) -> impl Iterator<Item = (&str, &AttributeSlot)> {
        let all = self.layouts[object].as_ref().map(|layout| &layout.attributes);
        all.into_iter().flatten().map(|(name, slot)| (name.as_str(), slot))
    }

    /// The types of a message's arguments, as far as they are known.
    pub fn signature(&self, message: &str) -> &[Option<ValueType>] {
        self.signatures.get(message).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether an object is in the middle of a step.
    pub fn is_busy(&self, config: &Config, object: InstanceId) -> bool {
        self.layouts[object].as_ref().is_some_and(|layout| value(config, layout.at) != 0)
    }

    /// The innermost active vertices of an object, in the order of its regions.
    pub fn active(&self, model: &Model, config: &Config, object: InstanceId) -> Vec<VertexId> {
        let (Some(machine), Some(layout)) = (self.machine(model, object), &self.layouts[object]) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        let mut open: Vec<RegionId> = machine.top_regions().collect();
        open.reverse();
        while let Some(region) = open.pop() {
            let now = value(config, layout.regions[region]);
            let vertex =
                machine.regions[region].vertices.iter().find(|id| now > 0 && layout.values[**id] == now);
            let Some(vertex) = vertex else { continue };
            let inner =
                body::state(machine, *vertex).map(|state| state.regions.as_slice()).unwrap_or_default();
            let is_entered = |region: &&RegionId| value(config, layout.regions[**region]) > 0;
            match inner.iter().any(|region| is_entered(&region)) {
                true => open.extend(inner.iter().rev()),
                false => all.push(*vertex),
            }
        }
        all
    }

    /// The active states of an object as text: `Verifying(CardValid, PINCorrect)`; empty if none is.
    pub fn states(&self, model: &Model, config: &Config, object: InstanceId) -> String {
        let (Some(machine), Some(layout)) = (self.machine(model, object), &self.layouts[object]) else {
            return String::new();
        };
        let of = |region: RegionId| self.region_text(machine, layout, config, region, 0);
        machine.top_regions().filter_map(of).collect::<Vec<_>>().join(", ")
    }

    fn region_text(
        &self,
        machine: &Machine,
        layout: &ObjectLayout,
        config: &Config,
        region: RegionId,
        depth: usize,
    ) -> Option<String> {
        let now = value(config, layout.regions[region]);
        let vertex =
            machine.regions[region].vertices.iter().find(|id| now > 0 && layout.values[**id] == now)?;
        let Some(state) = body::state(machine, *vertex) else { return Some("end".to_owned()) };
        let name = &machine.vertices[*vertex].name;
        let inner: Vec<String> = match depth > body::MOST_DEPTH {
            true => Vec::new(),
            false => state
                .regions
                .iter()
                .filter_map(|region| self.region_text(machine, layout, config, *region, depth + 1))
                .collect(),
        };
        Some(match inner.as_slice() {
            [] => name.clone(),
            inner => format!("{name}({})", inner.join(", ")),
        })
    }

    /// The messages that wait at an object, each with its sender: in their order, or for a bag in that of
    /// their names.
    pub fn waiting(&self, config: &Config, object: InstanceId) -> Vec<(Option<InstanceId>, String)> {
        let inbox = &self.inboxes[object];
        let numbers = self.queued(config, object).into_iter();
        numbers.map(|number| (inbox.senders[number], inbox.texts[number].clone())).collect()
    }

    /// The names of the messages that wait at an object and may be taken next: the first of a queue, all of a bag.
    pub(super) fn first_waiting(&self, config: &Config, object: InstanceId) -> Vec<&str> {
        let inbox = &self.inboxes[object];
        let most = match self.queue(object) {
            Some(QueueOrder::Fifo(_)) => 1,
            Some(QueueOrder::Bag { .. }) | None => usize::MAX,
        };
        let numbers = self.queued(config, object).into_iter().take(most);
        numbers.map(|number| inbox.names[number].as_str()).collect()
    }

    /// The numbers of the messages that wait at an object.
    fn queued(&self, config: &Config, object: InstanceId) -> Vec<usize> {
        match self.queue(object) {
            Some(QueueOrder::Fifo(places)) => {
                let numbers = places.iter().map(|place| value(config, *place)).filter(|now| *now > 0);
                numbers.map(|now| now as usize - 1).collect()
            }
            Some(QueueOrder::Bag { counts, .. }) => {
                let copies = |(at, count): (usize, &VariableId)| (0..value(config, *count)).map(move |_| at);
                counts.iter().enumerate().flat_map(copies).collect()
            }
            None => Vec::new(),
        }
    }

    fn queue(&self, object: InstanceId) -> Option<&QueueOrder> {
        self.system.queue_of(ComponentId::from_index(object.index())).map(|queue| &queue.order)
    }

    /// The variables in which the messages lie that wait at an object.
    pub fn inbox(&self, object: InstanceId) -> &[VariableId] {
        self.queue(object).map(QueueOrder::slots).unwrap_or_default()
    }

    /// For each region inside of a state its variable, and the variable and the value that say that the state is active: while
    /// anything is active in the region, so is the state.
    pub fn nesting(&self, model: &Model) -> Vec<(VariableId, (VariableId, i32))> {
        let mut nesting = Vec::new();
        for object in self.structure.objects.ids() {
            let (Some(machine), Some(layout)) = (self.machine(model, object), &self.layouts[object]) else {
                continue;
            };
            for (region, inside) in machine.regions.enumerate() {
                let Some(owner) = inside.owner else { continue };
                let around = layout.regions[machine.vertices[owner].region];
                nesting.push((layout.regions[region], (around, layout.values[owner])));
            }
        }
        nesting
    }

    /// Names for values of variables: states of regions, messages that wait in queues.
    pub fn legend(&self, model: &Model) -> BTreeMap<VariableId, BTreeMap<i32, String>> {
        let mut legend: BTreeMap<VariableId, BTreeMap<i32, String>> = BTreeMap::new();
        for object in self.structure.objects.ids() {
            let (Some(machine), Some(layout)) = (self.machine(model, object), &self.layouts[object]) else {
                continue;
            };
            for (vertex, value) in layout.values.enumerate().filter(|(_, value)| **value > 0) {
                let region = layout.regions[machine.vertices[vertex].region];
                let name = match body::state(machine, vertex) {
                    Some(_) => machine.vertices[vertex].name.clone(),
                    None => "end".to_owned(),
                };
                legend.entry(region).or_default().insert(*value, name);
            }
            if let Some(QueueOrder::Fifo(places)) = self.queue(object) {
                for place in places {
                    let named = (1..).zip(self.inboxes[object].texts.iter().cloned());
                    legend.entry(*place).or_default().extend(named);
                }
            }
        }
        legend
    }

    /// The value of an attribute as text.
    pub fn value_text(&self, config: &Config, slot: &AttributeSlot) -> String {
        slot.kind.text(value(config, slot.variable), &self.enumerations, &self.structure)
    }

    /// Holds where a run has ended in a fault.
    pub fn any_fault(&mut self) -> TermId {
        let broken = self.broken();
        let terms = &mut self.system.terms;
        let whole: Vec<TermId> = broken.iter().map(|variable| terms.is(*variable, 0)).collect();
        let is_whole = terms.and(whole);
        terms.not(is_whole)
    }

    /// The variables that say that something is broken, in the order of their components.
    fn broken(&self) -> Vec<VariableId> {
        let mut all: Vec<VariableId> = self.system.variables_for(VariableRole::Fault).collect();
        all.sort_by_key(|variable| self.system.variables[*variable].owner);
        all
    }

    /// The fault in which a run has ended.
    pub fn fault_in(&self, config: &Config) -> Option<&Fault> {
        let numbers = self.broken().into_iter().map(|variable| value(config, variable));
        let number = numbers.into_iter().find(|number| *number > 0)?;
        self.faults.get(usize::try_from(number - 1).ok()?)
    }
}

fn value(config: &Config, variable: VariableId) -> i32 {
    config.0[variable.index()]
}

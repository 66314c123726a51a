//! Objects: from state machines and the structure of a system to a [`System`] (rules M1 to M5).
//!
//! What is done here is said exactly in docs/objects.md. The way through it:
//!
//! - An object is laid out as variables ([`body`]); the messages that may reach it are listed with their values ([`message`], [`data`]).
//! - For each message and completion event the transitions that fire are found with their conditions ([`select`], [`own`], [`guard`],
//!   [`join`], [`defer`]).
//! - What they do is a process, deeds in sequence and in parallel ([`mod@process`]), whose order comes from the diagram ([`route`]). It is
//!   run on terms instead of values as far as it shows nothing ([`execute`], [`change`], [`turn`]).
//! - What is seen and what others notice ([`send`], [`group`], [`call`]) divides it into steps, which become rules ([`rules`],
//!   [`dispatch`], [`meeting`]).
//!
//! Nothing is multiplied out between objects.

mod arguments;
mod blocked;
mod body;
mod call;
mod change;
mod contract;
mod data;
mod defer;
mod dispatch;
mod division;
mod domain;
mod execute;
mod gap;
mod group;
mod guard;
mod join;
mod local;
mod meeting;
mod message;
mod names;
mod open;
mod orders;
mod own;
mod path;
mod process;
mod protocol;
mod record;
mod route;
mod rules;
mod select;
mod send;
mod sense;
mod structure;
mod turn;
mod view;
mod width;

pub(crate) use arguments::parameter_lists;
pub use arguments::{Misplaced, in_order};
pub(crate) use body::is_passed;
pub use body::{AttributeSlot, attribute_type, attributes, triggers};
pub(crate) use call::{called, is_return};
pub(crate) use data::unknowns;
pub use data::{
    ArgumentPattern, Enumerations, ExpressionScope, PLAIN_INT, Typed, Unfit, UnknownPart, ValueType,
    enumerations, evaluate, pattern, truth,
};
pub use local::local;
pub(crate) use names::{asked_state, is_state_call};
pub(crate) use open::open_uses;
pub use open::{Doubt, OpenUse};
pub use orders::effects_matter;
pub use record::{Remark, transition_text};
pub use sense::{Manner, Sense};
pub use structure::{
    Instance, InstanceId, LifelineBinding, OutsideNames, SendTarget, Structure, TooManyBindings, structure,
};
pub(crate) use structure::{Kinds, contradictions, double, followed};
pub(crate) use view::vertices_named;
pub use view::{Fault, FaultKind, LostMessage, Objects};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::id::{Id, IdVec};
use crate::model::{
    Communication, Completion, Effect, Effects, Model, Scheduling, Steps, SystemSettings, TransitionId,
};
use crate::source::Place;
use crate::system::{
    ComponentId, Endless, Event, EventId, Fairness, Join, LabelId, Queue, QueueOrder, Rule, RuleId, Strength,
    System, TermId, Terms, Variable, VariableId, VariableRole,
};
use body::ObjectBody;
use message::{GroundMessage, Signatures};
use process::{Binding, BindingId, ProcessId};

use super::Unsupported;

/// The default capacity of a queue, in messages.
pub(crate) const CAPACITY: u32 = 4;

/// More places in the code of an object than this are not made.
const MOST_PLACES: usize = 4_000;

/// The greatest number of different messages that may wait at an object.
const MOST_MESSAGES: usize = 20_000;

/// What joins a sender and a receiver under rendezvous.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct RendezvousLabel {
    /// The sender, where that matters to a receiver.
    from: Option<InstanceId>,
    /// The receiver, if the message has a target.
    to: Option<InstanceId>,
    name: String,
    values: Vec<Option<i32>>,
    /// Whether more is sent after it in the same step, where that is kept apart.
    goes_on: bool,
}

/// A system of objects while it is lowered.
struct World<'a> {
    model: &'a Model,
    structure: Structure,
    communication: Communication,
    capacity: u32,
    steps: Steps,
    completion: Completion,
    /// Whether nothing comes from outside of the system, and nothing goes there.
    is_closed: bool,
    scheduling: Scheduling,
    /// Messages of one step that are shown in this order too.
    inversions: Arc<orders::Inversions>,
    /// Whether a message after which its step goes on is another event than one that ends it.
    is_whole: bool,
    enumerations: Arc<Enumerations>,
    terms: Terms,
    variables: IdVec<VariableId, Variable>,
    components: IdVec<ComponentId, String>,
    events: IdVec<EventId, Event>,
    event_ids: BTreeMap<(String, bool), EventId>,
    rules: IdVec<RuleId, Rule>,
    labels: BTreeMap<RendezvousLabel, LabelId>,
    label_list: Vec<RendezvousLabel>,
    meetings: BTreeMap<(LabelId, ComponentId, ComponentId), EventId>,
    /// The objects that offer a label.
    offered: BTreeMap<LabelId, BTreeSet<InstanceId>>,
    bodies: IdVec<InstanceId, Option<ObjectBody<'a>>>,
    /// The objects whose machines wait for a message.
    waiting: BTreeMap<&'a str, Vec<InstanceId>>,
    /// Attributes to which nothing is assigned, with their values.
    constants: BTreeMap<VariableId, i32>,
    /// Operations whose caller waits for a reply.
    results: call::Results,
    /// Where replies lie.
    desks: BTreeMap<InstanceId, call::ReplySlots>,
    signatures: Signatures,
    /// Arguments whose values are not known, by their message and place in its list.
    doubts: BTreeMap<(String, usize), Doubt>,
    /// Messages with arguments that some effect sends, and none ever does.
    unsent: BTreeSet<String>,
    /// The messages that may wait at each object.
    messages: IdVec<InstanceId, Vec<GroundMessage>>,
    /// What the environment sends to each object.
    guests: BTreeMap<InstanceId, BTreeSet<(Option<InstanceId>, String)>>,
    /// Whether a message of the environment waits at an object.
    guest_bits: BTreeMap<InstanceId, VariableId>,
    outside: Option<ComponentId>,
    fault_variable: VariableId,
    /// The faults of objects that take something under rendezvous: in one step several may break.
    taking_faults: BTreeMap<ComponentId, VariableId>,
    faults: Vec<Fault>,
    /// Processes that objects may have left to do, by their place.
    places: IdVec<InstanceId, Vec<ProcessId>>,
    place_numbers: BTreeMap<(InstanceId, ProcessId), i32>,
    gone_on: BTreeMap<InstanceId, usize>,
    /// The events of replies.
    reply_events: BTreeSet<EventId>,
    /// Processes that are intermediate states.
    paused: BTreeSet<(InstanceId, ProcessId)>,
    /// The active vertices with which an object may begin.
    starts: BTreeMap<InstanceId, Vec<Vec<(VariableId, i32)>>>,
    deferrals: BTreeMap<InstanceId, Vec<(usize, TermId)>>,
    /// When no transition without trigger is enabled.
    idle: BTreeMap<InstanceId, TermId>,
    fired: BTreeMap<RuleId, Vec<(InstanceId, TransitionId)>>,
    chosen: BTreeMap<Option<RuleId>, BTreeSet<(InstanceId, TransitionId)>>,
    lost: BTreeMap<RuleId, (InstanceId, GroundMessage)>,
    /// Who takes which message by a rule.
    taken: BTreeMap<RuleId, (InstanceId, String)>,
    /// How many junctions were passed to find ways behind transitions.
    junctions: usize,
    is_too_large: bool,
}

/// Lowers a system of objects.
pub fn lower_objects(
    model: &Model,
    structure: &Structure,
    settings: &SystemSettings,
) -> Result<Objects, Unsupported> {
    ObjectsLowering::new(model, settings).lower(structure)
}

/// What systems of objects of one model have in common, found out once where several are lowered.
pub struct ObjectsLowering<'a> {
    model: &'a Model,
    settings: &'a SystemSettings,
    inversions: Arc<orders::Inversions>,
    enumerations: Arc<Enumerations>,
}

impl<'a> ObjectsLowering<'a> {
    /// Finds it out.
    pub fn new(model: &'a Model, settings: &'a SystemSettings) -> Self {
        let inversions = Arc::new(orders::inversions(model, settings.effects));
        ObjectsLowering { model, settings, inversions, enumerations: Arc::new(enumerations(model)) }
    }

    /// Lowers a system of these objects.
    pub fn lower(&self, structure: &Structure) -> Result<Objects, Unsupported> {
        lowered(self.model, structure, World::new(self, structure))
    }
}

fn lowered(model: &Model, structure: &Structure, mut world: World<'_>) -> Result<Objects, Unsupported> {
    world.furnish();
    let objects: Vec<InstanceId> = structure.objects.ids().collect();
    for object in objects.iter().filter(|object| structure.objects[**object].machine.is_some()) {
        world.lower_object(*object);
        world.within_bounds(*object)?;
    }
    match world.is_rendezvous() {
        true => world.lower_meetings(),
        false => world.lower_guests(),
    }
    for object in objects {
        world.within_bounds(object)?;
    }
    let lowered = world.finish();
    match width::too_wide(&lowered.system).and_then(|rule| lowered.structure.objects[rule].machine) {
        Some(machine) => Err(so_many(model.machines[machine].place)),
        None => Ok(lowered),
    }
}

fn so_many(place: Place) -> Unsupported {
    Unsupported { what: "a state machine with too many ways through one step".to_owned(), place }
}

/// The default communication of the objects of a system: by queues, unless no send names its target and some
/// machine takes what another one sends (rule M3).
pub fn communication(model: &Model, structure: &Structure, settings: &SystemSettings) -> Communication {
    if let Some(chosen) = settings.communication {
        return chosen;
    }
    let machines: Vec<_> =
        structure.objects.iter().filter_map(|object| object.machine).map(|id| &model.machines[id]).collect();
    let mut waiting: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for machine in &machines {
        for name in triggers(machine).into_keys() {
            waiting.entry(name).or_default().insert(&machine.name);
        }
    }
    let waits = |name: &str, own: &crate::model::Machine| {
        waiting.get(name).is_some_and(|all| all.iter().any(|other| *other != own.name))
    };
    let mut is_met = false;
    for machine in &machines {
        if !calls(machine, model).is_empty() {
            return Communication::Queue;
        }
        for send in machine.sends() {
            if !send.target.is_empty() {
                return Communication::Queue;
            }
            is_met |= waits(&send.name, machine);
        }
    }
    if is_met { Communication::Rendezvous } else { Communication::Queue }
}

/// The messages of a machine that call an operation whose result it keeps.
pub(crate) fn calls(machine: &crate::model::Machine, model: &Model) -> Vec<crate::model::Send> {
    let has_result = |name: &str| {
        let mut operations = model.classes.iter().flat_map(|class| &class.operations);
        operations.any(|one| one.name == name && one.result.is_some())
    };
    let call = |effect: &Effect| match effect {
        Effect::Assign(assign) => called(assign).filter(|send| has_result(&send.name)),
        Effect::Send(_) | Effect::Opaque { .. } => None,
    };
    machine.effects().filter_map(call).collect()
}

impl<'a> World<'a> {
    fn new(lowering: &ObjectsLowering<'a>, structure: &Structure) -> Self {
        let ObjectsLowering { model, settings, .. } = *lowering;
        let mut variables = IdVec::new();
        let fault_variable = variables.push(Variable::new("fault", 0, 0, 0).with_role(VariableRole::Fault));
        World {
            model,
            communication: communication(model, structure, settings),
            capacity: settings.capacity.unwrap_or(CAPACITY).max(1),
            steps: settings.steps.unwrap_or(Steps::Intermediate),
            completion: settings.completion.unwrap_or(Completion::Queued),
            is_closed: settings.closed.unwrap_or(false),
            scheduling: settings.fairness.unwrap_or_default(),
            inversions: Arc::clone(&lowering.inversions),
            is_whole: settings.effects == Effects::Together,
            enumerations: Arc::clone(&lowering.enumerations),
            terms: Terms::default(),
            variables,
            components: structure.objects.iter().map(|object| object.name.clone()).collect(),
            events: IdVec::new(),
            event_ids: BTreeMap::new(),
            rules: IdVec::new(),
            labels: BTreeMap::new(),
            label_list: Vec::new(),
            meetings: BTreeMap::new(),
            offered: BTreeMap::new(),
            bodies: structure.objects.iter().map(|_| None).collect(),
            waiting: BTreeMap::new(),
            constants: BTreeMap::new(),
            results: BTreeMap::new(),
            desks: BTreeMap::new(),
            signatures: BTreeMap::new(),
            doubts: BTreeMap::new(),
            unsent: BTreeSet::new(),
            messages: structure.objects.iter().map(|_| Vec::new()).collect(),
            guests: BTreeMap::new(),
            guest_bits: BTreeMap::new(),
            outside: None,
            fault_variable,
            taking_faults: BTreeMap::new(),
            faults: Vec::new(),
            places: structure.objects.iter().map(|_| Vec::new()).collect(),
            place_numbers: BTreeMap::new(),
            gone_on: BTreeMap::new(),
            reply_events: BTreeSet::new(),
            paused: BTreeSet::new(),
            starts: BTreeMap::new(),
            deferrals: BTreeMap::new(),
            idle: BTreeMap::new(),
            fired: BTreeMap::new(),
            chosen: BTreeMap::new(),
            lost: BTreeMap::new(),
            taken: BTreeMap::new(),
            junctions: 0,
            is_too_large: false,
            structure: structure.clone(),
        }
    }

    /// Lays out all objects and lists all messages.
    fn furnish(&mut self) {
        let model = self.model;
        let has_pool = !self.is_rendezvous() && self.completion == Completion::Queued;
        for (id, object) in self.structure.objects.enumerate() {
            let Some(machine) = object.machine else { continue };
            let component = ComponentId::from_index(id.index());
            let mut body = ObjectBody::new(
                &model.machines[machine],
                component,
                &object.name,
                has_pool,
                &mut self.variables,
            );
            let all = attributes(model, &self.structure, id, &self.enumerations);
            let assigned = self.assigned(id, &body);
            for (name, (kind, initial)) in all {
                let (low, high) = kind.bounds(&self.enumerations, self.structure.objects.len());
                let title = format!("{}.{name}", object.name);
                let variable = Variable::new(title, low, high, initial).owned_by(component);
                let variable = self.variables.push(variable);
                if !assigned.contains(&name) {
                    self.constants.insert(variable, initial);
                }
                body.attributes.insert(name, AttributeSlot { variable, kind });
            }
            for name in body.triggers().keys() {
                self.waiting.entry(*name).or_default().push(id);
            }
            self.bodies[id] = Some(body);
        }
        self.find_calls();
        let waiting = self.find_senders();
        self.find_signatures();
        self.list_messages(waiting);
        for (id, object) in self.structure.objects.clone().enumerate() {
            let count = self.messages[id].len().min(MOST_MESSAGES);
            let Some(component) = self.bodies[id].as_ref().map(|body| body.component) else { continue };
            let Some(inbox) = self.inbox(component, &object.name, count) else { continue };
            self.body_mut(id).inbox = Some(inbox);
            if self.guests.get(&id).is_some_and(|messages| !messages.is_empty()) {
                let bit = Variable::new(format!("{}.guest", object.name), 0, 1, 0).owned_by(component);
                let bit = self.variables.push(bit);
                self.guest_bits.insert(id, bit);
            }
        }
    }

    /// The attributes to which an object assigns something.
    fn assigned(&self, object: InstanceId, body: &ObjectBody<'_>) -> BTreeSet<String> {
        let effects = body.sites().into_iter().flat_map(|site| body.effects(site));
        let own = effects.filter_map(|effect| match effect {
            Effect::Assign(assign) => self.structure.own_part(object, &assign.target),
            Effect::Send(_) | Effect::Opaque { .. } => None,
        });
        own.cloned().collect()
    }

    /// Variables for the `messages` different messages that may wait for an object; `None` under rendezvous.
    fn inbox(&mut self, owner: ComponentId, name: &str, messages: usize) -> Option<QueueOrder> {
        let variables = &mut self.variables;
        let mut row = |name: String, count: usize, most: i32| -> Vec<VariableId> {
            let slot = |at: usize| Variable::in_row(name.clone(), at, most).owned_by(owner);
            (0..count).map(|at| variables.push(slot(at))).collect()
        };
        let capacity = self.capacity as i32;
        match self.communication {
            Communication::Rendezvous => None,
            Communication::Queue => {
                let slots = if messages == 0 { 0 } else { self.capacity as usize };
                Some(QueueOrder::Fifo(row(format!("{name}.queue"), slots, messages as i32)))
            }
            Communication::Bag => {
                let counts = row(format!("{name}.bag"), messages, capacity);
                let total = Variable::new(format!("{name}.bag"), 0, capacity, 0).owned_by(owner);
                Some(QueueOrder::Bag { counts, total: self.variables.push(total) })
            }
        }
    }

    fn is_rendezvous(&self) -> bool {
        self.communication == Communication::Rendezvous
    }

    /// The object's machine and where it lies.
    fn body(&self, object: InstanceId) -> &ObjectBody<'a> {
        self.bodies[object].as_ref().expect("only objects with a machine are lowered")
    }

    fn body_mut(&mut self, object: InstanceId) -> &mut ObjectBody<'a> {
        self.bodies[object].as_mut().expect("only objects with a machine are lowered")
    }

    /// The number of a fault, from 0. What goes wrong in two places is two faults, though places compare equal.
    fn fault(&mut self, kind: FaultKind, text: String, place: Place) -> usize {
        let fault = Fault { kind, text, place };
        let is_known = |known: &Fault| known.text == fault.text && known.place.0 == fault.place.0;
        if let Some(known) = self.faults.iter().position(is_known) {
            return known;
        }
        self.faults.push(fault);
        self.faults.len() - 1
    }

    /// That a fault has happened. No rule goes on then.
    fn broken(&mut self) -> TermId {
        let most = self.faults.len() as i32;
        self.variables[self.fault_variable].max = most;
        let mut all = vec![self.terms.is(self.fault_variable, 0)];
        for variable in self.taking_faults.values() {
            self.variables[*variable].max = most;
            all.push(self.terms.is(*variable, 0));
        }
        let is_whole = self.terms.and(all);
        if !self.taking_faults.is_empty() {
            for rule in self.rules.iter_mut() {
                rule.guard = self.terms.and([is_whole, rule.guard]);
            }
        }
        self.terms.not(is_whole)
    }

    /// Where a rule keeps the fault in which it ends.
    fn fault_place(&mut self, component: ComponentId, join: &Join) -> VariableId {
        let variables = &mut self.variables;
        match join {
            Join::Take(_) => *self.taking_faults.entry(component).or_insert_with(|| {
                let title = format!("fault of {}", self.components[component]);
                variables
                    .push(Variable::new(title, 0, 0, 0).with_role(VariableRole::Fault).owned_by(component))
            }),
            Join::Alone | Join::Offer(_) | Join::Listen(_) => self.fault_variable,
        }
    }

    fn event(&mut self, event: Event) -> EventId {
        let events = &mut self.events;
        *self.event_ids.entry((event.text.clone(), event.goes_on)).or_insert_with(|| events.push(event))
    }

    fn label(
        &mut self,
        from: InstanceId,
        to: Option<InstanceId>,
        name: &str,
        values: &[Option<i32>],
    ) -> LabelId {
        let asks = |id: InstanceId| self.bodies[id].as_ref().is_some_and(|body| body.asks_for_sender);
        let is_open = self.structure.links.is_empty() && self.structure.channels.is_empty();
        let matters = match to {
            Some(to) => asks(to),
            None => !is_open || self.structure.objects.ids().any(asks),
        };
        self.label_id(RendezvousLabel {
            from: matters.then_some(from),
            to,
            name: name.to_owned(),
            values: values.to_vec(),
            goes_on: false,
        })
    }

    fn label_id(&mut self, label: RendezvousLabel) -> LabelId {
        if let Some(known) = self.labels.get(&label) {
            return *known;
        }
        let id = LabelId::from_index(self.label_list.len());
        self.label_list.push(label.clone());
        self.labels.insert(label, id);
        id
    }

    /// The component of the environment's rules.
    fn guest_component(&mut self, from: Option<InstanceId>) -> ComponentId {
        match from {
            Some(from) => ComponentId::from_index(from.index()),
            None => *self.outside.get_or_insert_with(|| self.components.push("environment".to_owned())),
        }
    }

    fn within_bounds(&self, object: InstanceId) -> Result<(), Unsupported> {
        let is_too_large = self.is_too_large || self.messages[object].len() > MOST_MESSAGES;
        match (is_too_large, self.structure.objects[object].machine) {
            (true, Some(machine)) => Err(so_many(self.model.machines[machine].place)),
            (_, _) => Ok(()),
        }
    }

    /// Every object with a machine moves if it can (rule M6). Where it can do more than take messages of the environment that
    /// enable nothing, it does: the environment may send in vain forever.
    fn owed(&self, lost: &BTreeMap<RuleId, LostMessage>) -> Vec<Fairness> {
        let strength = match self.scheduling {
            Scheduling::Weak => Strength::Weak,
            Scheduling::Strong => Strength::Strong,
            Scheduling::Unfair => return Vec::new(),
        };
        let mut moves: BTreeMap<ComponentId, BTreeSet<RuleId>> =
            self.bodies.iter().flatten().map(|body| (body.component, BTreeSet::new())).collect();
        for (id, rule) in self.rules.enumerate() {
            moves.entry(rule.component).and_modify(|rules| _ = rules.insert(id));
        }
        let is_in_vain = |rule: &RuleId| lost.get(rule).is_some_and(|lost| lost.is_guest);
        let constraint = |rules: BTreeSet<RuleId>| Fairness { when: rules.clone(), payers: rules, strength };
        let mut owed = Vec::new();
        for all in moves.into_values() {
            let useful: BTreeSet<RuleId> = all.iter().copied().filter(|rule| !is_in_vain(rule)).collect();
            owed.extend((useful != all).then(|| constraint(useful)));
            owed.push(constraint(all));
        }
        owed
    }

    fn finish(mut self) -> Objects {
        for (object, places) in self.places.enumerate() {
            if let Some(body) = &self.bodies[object] {
                self.variables[body.at].max = places.len() as i32;
            }
        }
        let objects: Vec<InstanceId> =
            self.structure.objects.ids().filter(|id| self.bodies[*id].is_some()).collect();
        let ends: Vec<TermId> = objects.into_iter().map(|id| self.proper_end(id)).collect();
        let ends = self.terms.and(ends);
        let is_broken = self.broken();
        let complete = self.terms.or([ends, is_broken]);
        let arrivals = self.arrivals();
        let label_text = |label: &RendezvousLabel| self.message_text(&label.name, &label.values);
        let labels = self.label_list.iter().map(label_text).collect();
        let lost = self.lost.iter().map(|(rule, (object, ground))| {
            let lost = LostMessage {
                object: *object,
                from: ground.from,
                is_guest: ground.from.is_none_or(|from| self.bodies[from].is_none()),
                message: self.message_text(&ground.name, &ground.values),
                name: ground.name.clone(),
            };
            (*rule, lost)
        });
        let lost: BTreeMap<RuleId, LostMessage> = lost.collect();
        let owed = self.owed(&lost);
        let layouts = self.bodies.iter().map(|body| body.as_ref().map(view::ObjectLayout::of)).collect();
        let inboxes = self.structure.objects.ids().map(|id| self.inbox_view(id)).collect();
        let capacity = self.capacity as usize;
        let queue = |body: &ObjectBody<'_>| {
            let order = body.inbox.clone().filter(|order| order.variables().next().is_some())?;
            Some(Queue { owner: body.component, capacity, order })
        };
        let open = self.open_uses();
        let is_open = |(object, name): &(InstanceId, String)| {
            open.iter().any(|open| open.decides.is_some() && open.object == *object && open.message == *name)
        };
        self.taken.retain(|_, taken| is_open(taken));
        let system = System {
            queues: self.bodies.iter().flatten().filter_map(queue).collect(),
            variables: self.variables,
            components: self.components,
            events: self.events,
            labels,
            rules: self.rules,
            meetings: self.meetings,
            complete,
            endless: Some(Endless { owed, ..Endless::default() }),
            strained: is_broken,
            ..System::bare(self.terms)
        };
        Objects {
            system,
            structure: self.structure,
            communication: self.communication,
            steps: self.steps,
            scheduling: self.scheduling,
            enumerations: self.enumerations,
            faults: self.faults,
            fired: self.fired,
            chosen: self.chosen,
            lost,
            taken: self.taken,
            replies: self.reply_events,
            layouts,
            inboxes,
            arrivals,
            open,
            signatures: self.signatures,
        }
    }
}

impl ObjectBody<'_> {
    /// The id of what parameters stand for.
    fn bind(&mut self, binding: Binding) -> BindingId {
        if let Some(known) = self.bindings.iter().position(|known| *known == binding) {
            return BindingId::from_index(known);
        }
        self.bindings.push(binding);
        BindingId::from_index(self.bindings.len() - 1)
    }
}

//! Sends: what is seen of an object, and what it does to others (rule M3).

use super::World;
use super::data::{self, ValueType};
use super::message::{GroundMessage, MessageReceiver};
use super::path::InvisiblePath;
use super::process::{BindingId, ProcessId, ProcessStep};
use super::structure::InstanceId;
use super::view::FaultKind;
use crate::id::Id;
use crate::model::{Effect, Send, Vertex, VertexKind};
use crate::source::Place;
use crate::system::{Event, EventId, EventKind, Join, QueueOrder, TermId, TermNode};

/// A step under construction: a visible action, or none, and all that happens invisibly with it.
pub(super) struct SendStep {
    pub path: InvisiblePath,
    pub event: Option<EventId>,
    pub join: Join,
}

impl World<'_> {
    /// What an object does next: the invisible, the first visible action, and what follows that invisibly.
    pub(crate) fn advance(&mut self, object: InstanceId, path: InvisiblePath) -> Vec<SendStep> {
        let mut all = Vec::new();
        for path in self.settle(object, path) {
            let fronts = self.body_mut(object).processes.fronts(path.rest);
            // A `do` that begins goes on beside what follows.
            let begins = self.begins_activity(object, &path);
            if fronts.is_empty() || path.fault.is_some() || begins {
                all.push(SendStep { path, event: None, join: Join::Alone });
                continue;
            }
            for (deed, left) in fronts {
                let path = InvisiblePath { seen: self.written(object, &deed), ..path.clone() };
                for SendStep { path, event, join } in self.show(object, &path, &deed, left) {
                    let settled = self.settle(object, path);
                    all.extend(settled.into_iter().map(|path| SendStep { path, event, join: join.clone() }));
                }
            }
        }
        all
    }

    /// Where a visible deed is written; `None` if no effect says it.
    fn written(&self, object: InstanceId, deed: &ProcessStep) -> Option<Place> {
        match deed {
            ProcessStep::Effect(site, at, _)
            | ProcessStep::Group(site, at, _, _)
            | ProcessStep::Address(site, at, _, _) => {
                self.body(object).effects(*site).get(*at).map(Effect::place)
            }
            ProcessStep::Await(..)
            | ProcessStep::Reply(..)
            | ProcessStep::Terminate
            | ProcessStep::Set(..)
            | ProcessStep::Save(_)
            | ProcessStep::Forget(_)
            | ProcessStep::Leave(_)
            | ProcessStep::LeaveRegion(_)
            | ProcessStep::Enter(..)
            | ProcessStep::EnterRegion(_)
            | ProcessStep::Restore(..)
            | ProcessStep::Arrive(_)
            | ProcessStep::Segment(..)
            | ProcessStep::Decide(..)
            | ProcessStep::Gather(..)
            | ProcessStep::Check(..)
            | ProcessStep::Sound(..)
            | ProcessStep::Fork(..)
            | ProcessStep::Complete(_)
            | ProcessStep::Finish => None,
        }
    }

    pub(crate) fn begins_activity(&self, object: InstanceId, path: &InvisiblePath) -> bool {
        let begun =
            |variable| path.store.get(variable).is_some_and(|term| self.terms.as_constant(*term) == Some(1));
        self.body(object).activities.values().any(begun)
    }

    /// The ways in which a visible deed happens.
    pub(crate) fn show(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        deed: &ProcessStep,
        left: ProcessId,
    ) -> Vec<SendStep> {
        let after = InvisiblePath { rest: left, ..path.clone() };
        match deed {
            ProcessStep::Effect(site, at, binding) => {
                let effect = self.body(object).effects(*site).get(*at).cloned();
                match effect.and_then(|effect| self.as_send(object, &effect)) {
                    Some((send, kept)) => self.send(object, after, &send, kept, *binding),
                    None => Vec::new(),
                }
            }
            ProcessStep::Await(callee, operation, kept) => {
                self.await_reply(object, &after, *callee, operation, kept.as_deref())
            }
            ProcessStep::Reply(caller, operation) => self.reply(object, &after, *caller, operation),
            ProcessStep::Group(site, from, to, binding) => {
                self.meet(object, after, *site, *from, *to, *binding)
            }
            ProcessStep::Address(site, from, told, binding) => {
                self.address(object, after, *site, *from, told, *binding)
            }
            ProcessStep::Terminate => vec![self.terminate(object, after)],
            ProcessStep::Set(..)
            | ProcessStep::Save(_)
            | ProcessStep::Forget(_)
            | ProcessStep::Leave(_)
            | ProcessStep::LeaveRegion(_)
            | ProcessStep::Enter(..)
            | ProcessStep::EnterRegion(_)
            | ProcessStep::Restore(..)
            | ProcessStep::Arrive(_)
            | ProcessStep::Segment(..)
            | ProcessStep::Decide(..)
            | ProcessStep::Gather(..)
            | ProcessStep::Check(..)
            | ProcessStep::Sound(..)
            | ProcessStep::Fork(..)
            | ProcessStep::Complete(_)
            | ProcessStep::Finish => Vec::new(),
        }
    }

    /// The object ends: nothing of it is active, and nothing waits for it.
    pub(crate) fn terminate(&mut self, object: InstanceId, mut path: InvisiblePath) -> SendStep {
        let body = self.body(object);
        let mut cleared: Vec<_> = body.regions.iter().copied().collect();
        cleared.extend(body.activities.values());
        cleared.extend(&body.pool);
        cleared.extend(body.inbox.iter().flat_map(|order| order.variables()));
        cleared.extend(self.guest_bits.get(&object));
        let component = body.component;
        let zero = self.terms.constant(0);
        path.store.extend(cleared.into_iter().map(|variable| (variable, zero)));
        path.rest = self.body_mut(object).processes.done();
        let name = &self.structure.objects[object].name;
        let event = Event::termination(component, name);
        SendStep { path, event: Some(self.event(event)), join: Join::Alone }
    }

    /// The ways in which one message is sent.
    pub(crate) fn send(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        send: &Send,
        kept: Option<String>,
        binding: BindingId,
    ) -> Vec<SendStep> {
        let mut all = Vec::new();
        for (path, values) in self.argued(object, path, send, binding) {
            if path.fault.is_some() {
                all.push(SendStep { path, event: None, join: Join::Alone });
                continue;
            }
            for (path, to) in self.aimed(object, path, send, binding) {
                match to {
                    Receiver::Object(to) => {
                        let path = self.waiting_for(object, path, to, &send.name, kept.clone());
                        all.extend(self.deliver(object, path, to, &send.name, &values, send.place));
                    }
                    Receiver::Outside(name) => {
                        let kind = if self.is_rendezvous() { EventKind::Rendezvous } else { EventKind::Send };
                        let event = self.told(Some(object), None, name.as_deref(), &send.name, &values, kind);
                        all.push(SendStep { path, event: Some(event), join: Join::Alone });
                    }
                    Receiver::Nobody => {
                        let owner = &self.structure.objects[object].name;
                        let text = format!("{owner} sends {} to nobody", send.name);
                        let fault = Some(self.fault(FaultKind::Nobody, text, send.place));
                        all.push(SendStep {
                            path: InvisiblePath { fault, ..path },
                            event: None,
                            join: Join::Alone,
                        });
                    }
                }
            }
        }
        all
    }

    /// The caller of an operation waits for the reply before it does anything else.
    pub(crate) fn waiting_for(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        to: InstanceId,
        name: &str,
        kept: Option<String>,
    ) -> InvisiblePath {
        let waits = self.is_call(Some(object), name) && self.desks.contains_key(&to) && to != object;
        if !waits {
            return path;
        }
        let wait = self.in_sequence(object, vec![ProcessStep::Await(to, name.to_owned(), kept)]);
        let rest = self.body_mut(object).processes.then(wait, path.rest);
        InvisiblePath { rest, ..path }
    }

    /// The values of a send's arguments, each way with its condition.
    pub(crate) fn argued(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        send: &Send,
        binding: BindingId,
    ) -> Vec<(InvisiblePath, Vec<Option<i32>>)> {
        let types = self.signatures.get(&send.name).cloned().unwrap_or_default();
        let arguments = send.arguments.as_deref().unwrap_or_default();
        let values = arguments.iter().filter_map(|argument| argument.value.as_ref());
        let [path, broken] = self.sound(object, path, values, binding, send.place);
        let mut ways: Vec<(InvisiblePath, Vec<Option<i32>>)> =
            path.into_iter().map(|path| (path, Vec::new())).collect();
        for (at, kind) in types.iter().enumerate() {
            let Some(kind) = kind else {
                ways.iter_mut().for_each(|(_, values)| values.push(None));
                continue;
            };
            let (low, high) = kind.bounds(&self.enumerations, self.structure.objects.len());
            let mut next = Vec::new();
            for (path, values) in ways {
                let expression = arguments.get(at).and_then(|argument| argument.value.as_ref());
                let found = expression.and_then(|value| self.value(object, &path, value, binding));
                let found = found.filter(|typed| typed.kind.is_comparable(kind));
                let with = |value: i32| values.iter().copied().chain([Some(value)]).collect();
                let Some(typed) = found else {
                    // The value is unknown: any of its type is sent.
                    next.extend((low..=high).map(|value| (path.clone(), with(value))));
                    continue;
                };
                let known = match self.terms.node(typed.term) {
                    TermNode::Variable(variable) => self.constants.get(variable).copied(),
                    _ => None,
                };
                for value in (low..=high).filter(|value| known.is_none_or(|known| known == *value)) {
                    let constant = self.terms.constant(value);
                    let is_it = self.terms.equal(typed.term, constant);
                    next.extend(self.given(&path, is_it).map(|path| (path, with(value))));
                }
                let fits = self.within(typed.term, low, high);
                let misfit = self.terms.not(fits);
                let narrow =
                    matches!(typed.kind, ValueType::Range(least, most) if low <= least && most <= high);
                if let Some(mut broken) =
                    self.given(&path, misfit).filter(|_| !narrow && *kind != ValueType::Bool)
                {
                    let owner = &self.structure.objects[object].name;
                    let text = format!("{owner} sends {} with a value outside of {low}..{high}", send.name);
                    broken.fault = Some(self.fault(FaultKind::Range(low, high), text, send.place));
                    next.push((broken, with(low)));
                }
            }
            ways = next;
        }
        ways.extend(broken.map(|path| (path, vec![None; types.len()])));
        ways
    }

    /// The receivers of a message, each with its condition.
    pub(crate) fn aimed(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        send: &Send,
        binding: BindingId,
    ) -> Vec<(InvisiblePath, Receiver)> {
        let sender = self.body(object).bindings[binding.index()].sender;
        match self.target(object, send, sender) {
            MessageReceiver::Objects(all) | MessageReceiver::Anyone(all) => {
                all.into_iter().map(|to| (path.clone(), Receiver::Object(to))).collect()
            }
            MessageReceiver::Outside(name) => vec![(path, Receiver::Outside(name))],
            MessageReceiver::Attribute(name) => {
                let variable = self.body(object).attributes[&name].variable;
                let value = self.current(&path, variable);
                let nobody = [(0, Receiver::Nobody)];
                let everybody =
                    self.structure.objects.ids().map(|id| (data::reference(id), Receiver::Object(id)));
                let known = self.constants.get(&variable).copied();
                let possible = nobody
                    .into_iter()
                    .chain(everybody)
                    .filter(|(wanted, _)| known.is_none_or(|known| known == *wanted));
                let mut ways = Vec::new();
                for (wanted, receiver) in possible.collect::<Vec<_>>() {
                    let wanted = self.terms.constant(wanted);
                    let is_it = self.terms.equal(value, wanted);
                    ways.extend(self.given(&path, is_it).map(|path| (path, receiver)));
                }
                ways
            }
        }
    }

    /// A message reaches an object: it waits there, or is gone if the object is environment.
    pub(crate) fn deliver(
        &mut self,
        from: InstanceId,
        path: InvisiblePath,
        to: InstanceId,
        name: &str,
        values: &[Option<i32>],
        place: Place,
    ) -> Vec<SendStep> {
        let is_met = self.is_rendezvous();
        let kind = if is_met { EventKind::Rendezvous } else { EventKind::Send };
        let event = Some(self.told(Some(from), Some(to), None, name, values, kind));
        if self.bodies[to].is_none() || is_met {
            return vec![SendStep { path, event, join: Join::Alone }];
        }
        let ground = GroundMessage { from: Some(from), name: name.to_owned(), values: values.to_vec() };
        let paths = self.put(path, to, &ground, place);
        paths
            .into_iter()
            .map(|path| {
                let event = if path.fault.is_some() { None } else { event };
                SendStep { path, event, join: Join::Alone }
            })
            .collect()
    }

    /// Puts a message where it waits; that there is no room is a fault.
    pub(crate) fn put(
        &mut self,
        path: InvisiblePath,
        to: InstanceId,
        ground: &GroundMessage,
        place: Place,
    ) -> Vec<InvisiblePath> {
        let Some(number) = self.messages[to].iter().position(|known| known == ground) else {
            return vec![path];
        };
        let mut paths = Vec::new();
        let mut path = path;
        // An object that sends to itself is not terminated.
        let is_over = if ground.from == Some(to) { None } else { self.is_terminated(to, &path) };
        if let Some(is_over) = is_over {
            paths.extend(self.given(&path, is_over));
            let goes_on = self.terms.not(is_over);
            match self.given(&path, goes_on) {
                Some(rest) => path = rest,
                None => return paths,
            }
        }
        let owner = self.structure.objects[to].name.clone();
        let capacity = self.capacity;
        let full = |world: &mut Self| {
            let messages = if capacity == 1 { "message" } else { "messages" };
            let text = format!("the queue of {owner} holds {capacity} {messages} and is full");
            world.fault(FaultKind::Full(to), text, place)
        };
        match self.body(to).inbox.clone() {
            None => paths.push(path),
            Some(QueueOrder::Bag { counts, total }) => {
                let now = self.current(&path, counts[number]);
                let all = self.current(&path, total);
                let most = self.terms.constant(self.capacity as i32);
                let has_room = self.terms.less(all, most);
                let no_room = self.terms.not(has_room);
                if let Some(mut broken) = self.given(&path, no_room) {
                    broken.fault = Some(full(self));
                    paths.push(broken);
                }
                if let Some(mut path) = self.given(&path, has_room) {
                    let one = self.terms.constant(1);
                    let more = self.terms.plus(now, one);
                    path.store.insert(counts[number], more);
                    let more = self.terms.plus(all, one);
                    path.store.insert(total, more);
                    paths.push(path);
                }
            }
            Some(QueueOrder::Fifo(slots)) => {
                let code = self.terms.constant(number as i32 + 1);
                let zero = self.terms.constant(0);
                let mut before = Some(path);
                for slot in slots {
                    let Some(path) = before.take() else { break };
                    let now = self.current(&path, slot);
                    let is_free = self.terms.equal(now, zero);
                    if let Some(mut path) = self.given(&path, is_free) {
                        path.store.insert(slot, code);
                        paths.push(path);
                    }
                    let is_taken = self.terms.not(is_free);
                    before = self.given(&path, is_taken);
                }
                if let Some(mut broken) = before {
                    broken.fault = Some(full(self));
                    paths.push(broken);
                }
            }
        }
        paths
    }

    /// Whether an object has terminated; `None` if it never does.
    pub(crate) fn is_terminated(&mut self, object: InstanceId, path: &InvisiblePath) -> Option<TermId> {
        let body = self.body(object);
        let machine = body.machine;
        let terminates = |vertex: &Vertex| vertex.kind == VertexKind::Terminate;
        if !self.structure.stopped.contains(&object) && !machine.vertices.iter().any(terminates) {
            return None;
        }
        let mut variables: Vec<_> = machine.top_regions().map(|region| body.regions[region]).collect();
        variables.push(body.at);
        let zero = self.terms.constant(0);
        let mut all = Vec::new();
        for variable in variables {
            let now = self.current(path, variable);
            all.push(self.terms.equal(now, zero));
        }
        Some(self.terms.and(all))
    }

    /// An event of a message.
    pub(crate) fn told(
        &mut self,
        from: Option<InstanceId>,
        to: Option<InstanceId>,
        outside: Option<&str>,
        name: &str,
        values: &[Option<i32>],
        kind: EventKind,
    ) -> EventId {
        let arguments = self.arguments(name, values);
        self.told_as(from, to, outside, (name, arguments), kind)
    }

    /// The same, for arguments as text.
    pub(crate) fn told_as(
        &mut self,
        from: Option<InstanceId>,
        to: Option<InstanceId>,
        outside: Option<&str>,
        message: (&str, Option<Vec<String>>),
        kind: EventKind,
    ) -> EventId {
        let event = self.event_of(from, to, outside, message, kind);
        self.event(event)
    }

    /// What is seen of a message.
    pub(crate) fn event_of(
        &self,
        from: Option<InstanceId>,
        to: Option<InstanceId>,
        outside: Option<&str>,
        (name, arguments): (&str, Option<Vec<String>>),
        kind: EventKind,
    ) -> Event {
        let named = |object: Option<InstanceId>| {
            object.map_or("", |object| self.structure.objects[object].name.as_str())
        };
        let component = |object: InstanceId| crate::system::ComponentId::from_index(object.index());
        let from = (from.map(component), named(from));
        let to = (to.map(component), outside.unwrap_or(named(to)));
        Event::of_message(kind, from, to, name, arguments)
    }
}

/// The receiver of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Receiver {
    Object(InstanceId),
    Outside(Option<String>),
    Nobody,
}

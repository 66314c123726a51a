//! Messages: the receivers of a send, what the environment sends, and assignments (docs/objects.md, "Who
//! exists", "Data", "Messages").

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_kernel::model::{Argument, Assign, Communication, Effect, Machine, Send, Trigger, VertexKind};
use sequent_kernel::semantics::objects::{self, InstanceId};
use sequent_kernel::system::EventKind;

use super::Naive;
use super::data::Type;
use super::shape::body;
use super::state::{Event, Fault, Object};
use super::value::{Bindings, Message, Target, Value};

impl<'a> Naive<'a> {
    /// Whether every target that is called by a name exists; otherwise the model is wrong (E602).
    pub fn has_targets(&self) -> bool {
        self.structure.objects.ids().filter(|id| !self.is_environment(*id)).all(|id| {
            let attributes = &self.attributes[id.index()];
            effects(self.machine(id)).all(|effect| match effect {
                Effect::Send(send) => match send.target.last().map(String::as_str) {
                    None | Some("self" | "sender") => true,
                    Some(name) => attributes.contains_key(name) || !self.called(id, name).is_empty(),
                },
                Effect::Assign(_) | Effect::Opaque { .. } => true,
            })
        })
    }

    /// Carries out an assignment.
    pub fn assign(
        &self,
        object: &mut Object,
        id: InstanceId,
        assign: &Assign,
        bindings: &Bindings,
    ) -> Result<(), Fault> {
        let name = assign.target.last().expect("a path has parts");
        let value = self.value(id, object, bindings, &assign.value).expect("it is over known names")?;
        let (type_of, _) = &self.attributes[id.index()][name];
        if !self.has(type_of, &value) {
            return Err(Fault(format!("{name} leaves its range")));
        }
        object.attributes.insert(name.clone(), value);
        Ok(())
    }

    /// The targets of a send; it is a fault if there are none.
    pub fn targets(&self, id: InstanceId, object: &Object, send: &Send) -> Result<Vec<Target>, Fault> {
        let nobody = || Fault(format!("{} is sent to nobody", send.name));
        let targets = match send.target.last().map(String::as_str) {
            None => self.whoever(id, &send.name),
            Some("self") => vec![Target::Object(id)],
            Some("sender") => vec![object.sender.ok_or_else(nobody)?.map_or(Target::Outside, Target::Object)],
            Some(name) => match object.attributes.get(name) {
                Some(Value::Object(Some(one))) => vec![Target::Object(*one)],
                Some(Value::Object(None)) => return Err(nobody()),
                Some(Value::Bool(_) | Value::Int(_) | Value::Literal(_)) | None => self.called(id, name),
            },
        };
        // In a closed system under rendezvous a sender waits, even if no receiver exists.
        let waits = self.is_closed && self.medium == Communication::Rendezvous;
        match targets.as_slice() {
            [] => Err(nobody()),
            [Target::Outside] if waits => Ok(Vec::new()),
            _ => Ok(targets),
        }
    }

    /// The targets of a name in an object; none if the name is a mistake.
    fn called(&self, id: InstanceId, name: &str) -> Vec<Target> {
        match self.structure.target(id, name) {
            objects::Target::Objects(found) => found.into_iter().map(Target::Object).collect(),
            objects::Target::Outside => vec![Target::Outside],
            objects::Target::Unknown => Vec::new(),
        }
    }

    /// The objects that take a message without a target.
    fn whoever(&self, id: InstanceId, name: &str) -> Vec<Target> {
        let takes = |one: &InstanceId| self.triggers(*one).contains(name);
        let lets = |one: &InstanceId| *one != id && self.structure.lets_through(id, *one, name);
        let ids = || self.structure.objects.ids().filter(lets);
        let others: Vec<Target> = ids().filter(takes).map(Target::Object).collect();
        if !others.is_empty() {
            return others;
        }
        let is_lone = self.structure.is_sketch_of(id) && !self.machine(id).is_heard_inside(name);
        if takes(&id) && self.medium != Communication::Rendezvous && !is_lone {
            return vec![Target::Object(id)];
        }
        let is_drawn = |one: &InstanceId| {
            self.is_environment(*one) && self.structure.drawn.contains(&(id, *one, name.to_owned()))
        };
        let drawn: Vec<Target> = ids().filter(is_drawn).map(Target::Object).collect();
        if drawn.is_empty() { vec![Target::Outside] } else { drawn }
    }

    /// The messages that set off transitions of an object, or are deferred.
    pub fn triggers(&self, id: InstanceId) -> BTreeSet<&'a str> {
        let Some(machine) = self.structure.objects[id].machine else { return BTreeSet::new() };
        let machine = &self.model.machines[machine];
        let of_transitions = machine.transitions.iter().flat_map(|one| &one.triggers);
        let of_states = machine.vertices.ids().filter_map(|vertex| body(machine, vertex));
        let triggers = of_transitions.chain(of_states.flat_map(|body| &body.deferred));
        let name = |trigger: &'a Trigger| match trigger {
            Trigger::Event { name, .. } => Some(name.as_str()),
            Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
        };
        triggers.filter_map(name).collect()
    }

    /// What arguments are worth.
    pub fn arguments(
        &self,
        id: InstanceId,
        object: &Object,
        bindings: &Bindings,
        send: &Send,
    ) -> Result<Vec<Value>, Fault> {
        let arguments = send.arguments.as_deref().unwrap_or_default();
        let value = |argument: &Argument| {
            let value = argument.value.as_ref().and_then(|value| self.value(id, object, bindings, value));
            value.unwrap_or_else(|| Ok(self.constant(&argument.text)))
        };
        arguments.iter().map(value).collect()
    }

    /// A message and its possible receivers.
    pub fn prepared(
        &self,
        id: InstanceId,
        object: &Object,
        bindings: &Bindings,
        send: &Send,
    ) -> Result<(Vec<Target>, Message), Fault> {
        let arguments = self.arguments(id, object, bindings, send)?;
        let message = Message { from: Some(id), name: send.name.clone(), arguments };
        Ok((self.targets(id, object, send)?, message))
    }

    /// Everything that the environment may send at some time: sender, receiver, message.
    pub fn offers(&self) -> &[(Option<InstanceId>, InstanceId, Message)] {
        self.offers.get_or_init(|| self.offered())
    }

    fn offered(&self) -> Vec<(Option<InstanceId>, InstanceId, Message)> {
        let ids: Vec<InstanceId> = self.structure.objects.ids().collect();
        let guests: Vec<InstanceId> = ids.iter().copied().filter(|one| self.is_environment(*one)).collect();
        let mut offers = Vec::new();
        for to in ids.iter().copied().filter(|to| !self.is_environment(*to)) {
            for name in self.triggers(to) {
                let near = guests.iter().filter(|from| self.structure.lets_through(**from, to, name));
                let mut near: Vec<Option<InstanceId>> = near.copied().map(Some).collect();
                if near.is_empty() && !self.is_closed {
                    near.push(None);
                }
                let is_sent = ids.iter().any(|other| self.may_send(*other, to, name));
                for from in near {
                    let is_drawn =
                        from.is_some_and(|from| self.structure.drawn.contains(&(from, to, name.to_owned())));
                    if is_sent && !is_drawn {
                        continue;
                    }
                    let messages = self.made_up(to, name).into_iter();
                    let message = |arguments| Message { from, name: name.to_owned(), arguments };
                    offers.extend(messages.map(|arguments| (from, to, message(arguments))));
                }
            }
        }
        offers
    }

    /// Whether some effect of an object may send this to another.
    fn may_send(&self, from: InstanceId, to: InstanceId, name: &str) -> bool {
        if self.is_environment(from) {
            return false;
        }
        let machine = self.machine(from);
        let mut sends = effects(machine).filter_map(|effect| match effect {
            Effect::Send(send) => Some(send).filter(|send| send.name == name),
            Effect::Assign(_) | Effect::Opaque { .. } => None,
        });
        let attributes = &self.attributes[from.index()];
        sends.any(|send| match send.target.last().map(String::as_str) {
            None => self.whoever(from, name).contains(&Target::Object(to)),
            Some("self") => from == to,
            Some("sender") => from == to || self.structure.lets_through(from, to, name),
            Some(target) => match attributes.get(target) {
                Some((Type::Reference, _)) => true,
                Some(_) | None => self.called(from, target).contains(&Target::Object(to)),
            },
        })
    }

    /// All lists of arguments that a message may have according to the operation that declares it.
    fn made_up(&self, to: InstanceId, name: &str) -> Vec<Vec<Value>> {
        let class = self.structure.objects[to].class.as_deref().and_then(|class| self.class(class));
        let operation =
            class.and_then(|class| class.operations.iter().find(|operation| operation.name == name));
        let mut lists = vec![Vec::new()];
        for parameter in operation.iter().flat_map(|operation| &operation.parameters) {
            let values =
                parameter.type_name.as_deref().map_or(Vec::new(), |text| self.type_of(text).values());
            let longer = |list: &Vec<Value>| -> Vec<Vec<Value>> {
                values.iter().map(|value| [list.as_slice(), std::slice::from_ref(value)].concat()).collect()
            };
            lists = lists.iter().flat_map(longer).collect();
        }
        lists
    }

    /// An event with its text.
    pub fn event(&self, kind: EventKind, from: Option<InstanceId>, to: Target, message: &Message) -> Event {
        let name = |id: InstanceId| self.structure.objects[id].name.clone();
        let text = |value: &Value| match value {
            Value::Bool(truth) => truth.to_string(),
            Value::Int(number) => number.to_string(),
            Value::Literal(literal) => literal.clone(),
            Value::Object(object) => object.map_or("none".to_owned(), name),
        };
        let to = match to {
            Target::Object(id) => Some(name(id)),
            Target::Outside => None,
        };
        let arguments = message.arguments.iter().map(text).collect();
        Event { kind, from: from.map(name), to, name: message.name.clone(), arguments }
    }

    /// The event of an object that ends.
    pub fn termination(&self, id: InstanceId) -> Event {
        let message = Message { from: None, name: String::new(), arguments: Vec::new() };
        self.event(EventKind::Termination, Some(id), Target::Outside, &message)
    }
}

/// All effects of a machine.
pub fn effects(machine: &Machine) -> impl Iterator<Item = &Effect> {
    let of_states = machine.vertices.iter().flat_map(|vertex| match &vertex.kind {
        VertexKind::State(body) => [&body.entry[..], &body.exit, &body.activity],
        VertexKind::Initial
        | VertexKind::Final
        | VertexKind::Choice
        | VertexKind::Junction
        | VertexKind::Fork
        | VertexKind::Join
        | VertexKind::ShallowHistory
        | VertexKind::DeepHistory
        | VertexKind::Entry
        | VertexKind::Exit
        | VertexKind::Terminate => [&[][..], &[], &[]],
    });
    let of_transitions = machine.transitions.iter().map(|transition| &transition.effects[..]);
    of_states.chain(of_transitions).flatten()
}

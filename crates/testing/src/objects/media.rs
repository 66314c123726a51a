//! Messages: the receivers of a send, what the environment sends, and assignments (docs/objects.md, "Who
//! exists", "Data", "Messages").

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_kernel::model::{Argument, Assign, Communication, Effect, Machine, Send, Trigger, VertexKind};
use sequent_kernel::semantics::objects::{self, InstanceId};
use sequent_kernel::system::EventKind;

use super::NaiveObjects;
use super::data::NaiveType;
use super::shape::body;
use super::state::{NaiveEvent, NaiveFault, NaiveObject};
use super::value::{Bindings, NaiveMessage, NaiveReceiver, NaiveValue};

impl<'a> NaiveObjects<'a> {
    /// Whether every target that is called by a name exists; otherwise the model is wrong (E602).
    pub fn has_targets(&self) -> bool {
        self.structure.objects.ids().filter(|id| !self.is_environment(*id)).all(|id| {
            let attributes = &self.attributes[id.index()];
            effects(self.machine(id)).all(|effect| match effect {
                Effect::Send(send) => match send.target.last().map(String::as_str) {
                    None | Some("self" | "sender") => true,
                    Some(name) => {
                        attributes.contains_key(name) || !self.called(id, name, &send.name).is_empty()
                    }
                },
                Effect::Assign(_) | Effect::Opaque { .. } => true,
            })
        })
    }

    /// Carries out an assignment.
    pub fn assign(
        &self,
        object: &mut NaiveObject,
        id: InstanceId,
        assign: &Assign,
        bindings: &Bindings,
    ) -> Result<(), NaiveFault> {
        let name = assign.target.last().expect("a path has parts");
        let value = self.value(id, object, bindings, &assign.value).expect("it is over known names")?;
        let (type_of, _) = &self.attributes[id.index()][name];
        if !self.has(type_of, &value) {
            return Err(NaiveFault(format!("{name} leaves its range")));
        }
        object.attributes.insert(name.clone(), value);
        Ok(())
    }

    /// The targets of a send; it is a fault if there are none.
    pub fn targets(
        &self,
        id: InstanceId,
        object: &NaiveObject,
        send: &Send,
    ) -> Result<Vec<NaiveReceiver>, NaiveFault> {
        let nobody = || NaiveFault(format!("{} is sent to nobody", send.name));
        let targets = match send.target.last().map(String::as_str) {
            None => self.whoever(id, &send.name),
            Some("self") => vec![NaiveReceiver::Object(id)],
            Some("sender") => {
                vec![object.sender.ok_or_else(nobody)?.map_or(NaiveReceiver::Outside, NaiveReceiver::Object)]
            }
            Some(name) => match object.attributes.get(name) {
                Some(NaiveValue::Object(Some(one))) => vec![NaiveReceiver::Object(*one)],
                Some(NaiveValue::Object(None)) => return Err(nobody()),
                Some(NaiveValue::Bool(_) | NaiveValue::Int(_) | NaiveValue::Literal(_)) | None => {
                    self.called(id, name, &send.name)
                }
            },
        };
        // In a closed system under rendezvous a sender waits, even if no receiver exists.
        let waits = self.is_closed && self.medium == Communication::Rendezvous;
        match targets.as_slice() {
            [] => Err(nobody()),
            [NaiveReceiver::Outside] if waits => Ok(Vec::new()),
            _ => Ok(targets),
        }
    }

    /// The targets of a name in an object for a message, outside if none may be sent it; none if the name is a mistake.
    fn called(&self, id: InstanceId, name: &str, message: &str) -> Vec<NaiveReceiver> {
        match self.structure.target(id, name) {
            objects::SendTarget::Objects(mut found) => {
                found.retain(|to| self.structure.lets_through(id, *to, message));
                match found.is_empty() {
                    true => vec![NaiveReceiver::Outside],
                    false => found.into_iter().map(NaiveReceiver::Object).collect(),
                }
            }
            objects::SendTarget::Outside => vec![NaiveReceiver::Outside],
            objects::SendTarget::Unknown => Vec::new(),
        }
    }

    /// The objects that take a message without a target.
    fn whoever(&self, id: InstanceId, name: &str) -> Vec<NaiveReceiver> {
        let takes = |one: &InstanceId| self.triggers(*one).contains(name);
        let lets = |one: &InstanceId| *one != id && self.structure.lets_through(id, *one, name);
        let ids = || self.structure.objects.ids().filter(lets);
        let others: Vec<NaiveReceiver> = ids().filter(takes).map(NaiveReceiver::Object).collect();
        if !others.is_empty() {
            return others;
        }
        let draws = self.structure.drawn.contains(&(id, id, name.to_owned()));
        let is_heard = self.is_closed || draws || self.machine(id).is_heard_inside(name);
        let is_lone = self.structure.is_sketch_of(id) && !is_heard;
        if takes(&id) && self.medium != Communication::Rendezvous && !is_lone {
            return vec![NaiveReceiver::Object(id)];
        }
        let is_drawn = |one: &InstanceId| {
            self.is_environment(*one) && self.structure.drawn.contains(&(id, *one, name.to_owned()))
        };
        let drawn: Vec<NaiveReceiver> = ids().filter(is_drawn).map(NaiveReceiver::Object).collect();
        if drawn.is_empty() { vec![NaiveReceiver::Outside] } else { drawn }
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
        object: &NaiveObject,
        bindings: &Bindings,
        send: &Send,
    ) -> Result<Vec<NaiveValue>, NaiveFault> {
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
        object: &NaiveObject,
        bindings: &Bindings,
        send: &Send,
    ) -> Result<(Vec<NaiveReceiver>, NaiveMessage), NaiveFault> {
        let arguments = self.arguments(id, object, bindings, send)?;
        let message = NaiveMessage { from: Some(id), name: send.name.clone(), arguments };
        Ok((self.targets(id, object, send)?, message))
    }

    /// Everything that the environment may send at some time: sender, receiver, message.
    pub fn offers(&self) -> &[(Option<InstanceId>, InstanceId, NaiveMessage)] {
        self.offers.get_or_init(|| self.offered())
    }

    fn offered(&self) -> Vec<(Option<InstanceId>, InstanceId, NaiveMessage)> {
        let ids: Vec<InstanceId> = self.structure.objects.ids().collect();
        let guests: Vec<InstanceId> = ids.iter().copied().filter(|one| self.is_environment(*one)).collect();
        let mut offers = Vec::new();
        for to in ids.iter().copied().filter(|to| !self.is_environment(*to)) {
            for name in self.triggers(to) {
                let near = guests.iter().filter(|from| self.structure.lets_through(**from, to, name));
                let mut near: Vec<Option<InstanceId>> = near.copied().map(Some).collect();
                if near.is_empty() && !self.is_closed && self.structure.lets_in(to, name) {
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
                    let message = |arguments| NaiveMessage { from, name: name.to_owned(), arguments };
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
            None => self.whoever(from, name).contains(&NaiveReceiver::Object(to)),
            Some("self") => from == to,
            Some("sender") => from == to || self.structure.lets_through(from, to, name),
            Some(target) => match attributes.get(target) {
                Some((NaiveType::Reference, _)) => true,
                Some(_) | None => self.called(from, target, name).contains(&NaiveReceiver::Object(to)),
            },
        })
    }

    /// All lists of arguments that a message may have according to the operation that declares it.
    fn made_up(&self, to: InstanceId, name: &str) -> Vec<Vec<NaiveValue>> {
        let class = self.structure.objects[to].class.as_deref().and_then(|class| self.class(class));
        let operation =
            class.and_then(|class| class.operations.iter().find(|operation| operation.name == name));
        let mut lists = vec![Vec::new()];
        for parameter in operation.iter().flat_map(|operation| &operation.parameters) {
            let values =
                parameter.type_name.as_deref().map_or(Vec::new(), |text| self.type_of(text).values());
            let longer = |list: &Vec<NaiveValue>| -> Vec<Vec<NaiveValue>> {
                values.iter().map(|value| [list.as_slice(), std::slice::from_ref(value)].concat()).collect()
            };
            lists = lists.iter().flat_map(longer).collect();
        }
        lists
    }

    /// An event with its text.
    pub fn event(
        &self,
        kind: EventKind,
        from: Option<InstanceId>,
        to: NaiveReceiver,
        message: &NaiveMessage,
    ) -> NaiveEvent {
        let name = |id: InstanceId| self.structure.objects[id].name.clone();
        let text = |value: &NaiveValue| match value {
            NaiveValue::Bool(truth) => truth.to_string(),
            NaiveValue::Int(number) => number.to_string(),
            NaiveValue::Literal(literal) => literal.clone(),
            NaiveValue::Object(object) => object.map_or("none".to_owned(), name),
        };
        let to = match to {
            NaiveReceiver::Object(id) => Some(name(id)),
            NaiveReceiver::Outside => None,
        };
        let arguments = message.arguments.iter().map(text).collect();
        NaiveEvent { kind, from: from.map(name), to, name: message.name.clone(), arguments }
    }

    /// The event of an object that ends.
    pub fn termination(&self, id: InstanceId) -> NaiveEvent {
        let message = NaiveMessage { from: None, name: String::new(), arguments: Vec::new() };
        self.event(EventKind::Termination, Some(id), NaiveReceiver::Outside, &message)
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

//! Messages: possible senders, receivers and values (rules M3, M4).
//!
//! Every message that may ever wait at an object is listed before anything is lowered, with the values of its arguments:
//! queues hold numbers of this list, and a rendezvous has a label for each.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::data::{self, ArgumentPattern, ValueType, pattern};
use super::process::Binding;
use super::structure::{self, InstanceId};
use crate::model::Send;
use crate::system::message_text;

/// A message with all its values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct GroundMessage {
    /// The sender; `None` outside.
    pub from: Option<InstanceId>,
    pub name: String,
    /// `None` for an argument with an unknown value.
    pub values: Vec<Option<i32>>,
}

/// The types of the arguments of each message, as far as they are known.
pub(super) type Signatures = BTreeMap<String, Vec<Option<ValueType>>>;

/// What each object is sent: by whom, and the names of the messages.
pub(super) type Sent = BTreeMap<InstanceId, BTreeSet<(Option<InstanceId>, String)>>;

/// The receiver of a message.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum MessageReceiver {
    /// One of these.
    Objects(Vec<InstanceId>),
    /// The object that an attribute refers to.
    Attribute(String),
    /// Outside of the system, perhaps with a name.
    Outside(Option<String>),
    /// Any of these objects that takes it.
    Anyone(Vec<InstanceId>),
}

impl World<'_> {
    /// The target of a send of an object. `sender` is the sender of the message being handled.
    pub(crate) fn target(
        &self,
        object: InstanceId,
        send: &Send,
        sender: Option<InstanceId>,
    ) -> MessageReceiver {
        match self.open_target(object, send, sender) {
            // In a closed system under rendezvous the sender waits for a partner that does not exist (P4,
            // definition D19).
            MessageReceiver::Outside(_) if self.is_closed && self.is_rendezvous() => {
                MessageReceiver::Anyone(Vec::new())
            }
            target => target,
        }
    }

    fn open_target(&self, object: InstanceId, send: &Send, sender: Option<InstanceId>) -> MessageReceiver {
        let body = self.body(object);
        match structure::followed(&send.target) {
            [] if send.target.is_empty() => self.takers(object, &send.name),
            [] => MessageReceiver::Objects(vec![object]),
            [word] if word == "sender" => match sender {
                Some(sender) => MessageReceiver::Objects(vec![sender]),
                None => MessageReceiver::Outside(None),
            },
            [word] if body.attributes.get(word).is_some_and(|slot| slot.kind == ValueType::Object) => {
                MessageReceiver::Attribute(word.clone())
            }
            path => {
                let found = path
                    .iter()
                    .map(|word| self.structure.named(object, word))
                    .find(|found| !found.is_empty());
                let outside = || MessageReceiver::Outside(Some(path.join(".")));
                // Of several the ports may rule some out; if all, it reaches none of them (W605, W609).
                let lets_through = |to: &InstanceId| self.structure.lets_through(object, *to, &send.name);
                let passing = |all: Vec<InstanceId>| all.into_iter().filter(lets_through).collect::<Vec<_>>();
                let found = found.map(passing).filter(|through| !through.is_empty());
                found.map_or_else(outside, MessageReceiver::Objects)
            }
        }
    }

    /// The objects that take a message without target.
    fn takers(&self, object: InstanceId, name: &str) -> MessageReceiver {
        let waiting = self.waiting.get(name).map(Vec::as_slice).unwrap_or_default();
        let others = waiting.iter().copied();
        let takers: Vec<InstanceId> =
            others.filter(|id| *id != object && self.structure.lets_through(object, *id, name)).collect();
        if !takers.is_empty() {
            return MessageReceiver::Anyone(takers);
        }
        if waiting.contains(&object) && !self.is_rendezvous() && !self.talks_outside(object, name) {
            return MessageReceiver::Objects(vec![object]);
        }
        let is_drawn = |id: &InstanceId| self.structure.drawn.contains(&(object, *id, name.to_owned()));
        let guest = self.structure.objects.ids().find(|id| self.bodies[*id].is_none() && is_drawn(id));
        guest.map_or(MessageReceiver::Outside(None), |id| MessageReceiver::Objects(vec![id]))
    }

    /// Whether an object sends a message without target to its environment although it has that trigger itself: one without partner, as
    /// sketches show, of which no orthogonal region takes what another sends and no diagram draws it so. A closed system has no environment.
    fn talks_outside(&self, object: InstanceId, name: &str) -> bool {
        let is_drawn = self.structure.drawn.contains(&(object, object, name.to_owned()));
        !self.is_closed
            && !is_drawn
            && self.structure.is_sketch_of(object)
            && !self.body(object).machine.is_heard_inside(name)
    }

    /// The objects that a send may ever go to.
    pub(super) fn everybody(&self, object: InstanceId, send: &Send) -> Vec<InstanceId> {
        let is_sender = matches!(send.target.as_slice(), [word] if word == "sender");
        if is_sender {
            // `sender` is the object itself if it sends to itself, whatever its links are.
            let may_ask = |id: &InstanceId| *id == object || self.structure.is_linked(object, *id);
            return self.structure.objects.ids().filter(may_ask).collect();
        }
        match self.target(object, send, None) {
            MessageReceiver::Objects(all) | MessageReceiver::Anyone(all) => all,
            MessageReceiver::Attribute(_) => self.structure.objects.ids().collect(),
            MessageReceiver::Outside(_) => Vec::new(),
        }
    }

    /// Whether one of these objects is really sent something: an attribute to which nothing is assigned always refers to the
    /// same one.
    pub(super) fn may_reach(&self, object: InstanceId, send: &Send, to: InstanceId) -> bool {
        match self.target(object, send, None) {
            MessageReceiver::Attribute(name) => {
                let variable = self.body(object).attributes[&name].variable;
                self.constants.get(&variable).is_none_or(|known| *known == data::reference(to))
            }
            MessageReceiver::Objects(_) | MessageReceiver::Anyone(_) | MessageReceiver::Outside(_) => true,
        }
    }

    /// Finds out who sends what to whom: what may wait at each object.
    pub(crate) fn find_senders(&mut self) -> Sent {
        let objects: Vec<InstanceId> = self.structure.objects.ids().collect();
        // What an object is sent by others its environment does not send, wherever else an attribute could refer to.
        let (mut all, mut waiting) = (Sent::new(), Sent::new());
        for object in &objects {
            let Some(body) = &self.bodies[*object] else { continue };
            for effect in body.sites().into_iter().flat_map(|site| body.effects(site)) {
                let Some((send, _)) = self.as_send(*object, effect) else { continue };
                for to in self.everybody(*object, &send) {
                    let message = (Some(*object), send.name.clone());
                    if self.may_reach(*object, &send, to) {
                        waiting.entry(to).or_default().insert(message.clone());
                    }
                    all.entry(to).or_default().insert(message);
                }
            }
        }
        let guests = self.guests(&all);
        for (to, messages) in &guests {
            waiting.entry(*to).or_default().extend(messages.iter().cloned());
        }
        self.guests = guests;
        waiting
    }

    /// Lists the messages that may wait at each object, with all their values.
    pub(crate) fn list_messages(&mut self, waiting: Sent) {
        for (to, messages) in waiting {
            let ground = |(from, name): (Option<InstanceId>, String)| {
                let of = move |values| GroundMessage { from, name: name.clone(), values };
                self.valuations(&of(Vec::new()).name).into_iter().map(of).collect::<Vec<_>>()
            };
            self.messages[to] = messages.into_iter().flat_map(ground).collect();
        }
    }

    /// What the environment sends to each object.
    fn guests(&self, sent: &Sent) -> Sent {
        let guests: Vec<InstanceId> =
            self.structure.objects.ids().filter(|id| self.bodies[*id].is_none()).collect();
        let mut all = Sent::new();
        for (to, body) in self.bodies.enumerate() {
            let Some(body) = body else { continue };
            // `any` takes what is drawn, whatever it is called.
            let drawn = body.machine.takes_all().then_some(&self.structure.drawn).into_iter().flatten();
            let drawn = drawn.filter(|(from, at, _)| *at == to && guests.contains(from));
            let drawn = drawn.map(|(_, _, name)| name.as_str());
            let names: BTreeSet<&str> = body.triggers().keys().copied().chain(drawn).collect();
            for name in names {
                let is_sent = sent.get(&to).is_some_and(|all| all.iter().any(|(_, known)| known == name));
                let is_drawn =
                    |from: &InstanceId| self.structure.drawn.contains(&(*from, to, name.to_owned()));
                let is_drawn_at_all = guests.iter().any(is_drawn);
                let near = guests.iter().filter(|from| self.structure.lets_through(**from, to, name));
                let from: Vec<InstanceId> = near
                    .filter(|from| if is_sent || is_drawn_at_all { is_drawn(from) } else { true })
                    .copied()
                    .collect();
                let own = all.entry(to).or_default();
                own.extend(from.iter().map(|from| (Some(*from), name.to_owned())));
                let is_arriving = self.structure.arriving.contains(&(to, name.to_owned()));
                let may_come = !self.is_closed && self.structure.lets_in(to, name);
                if from.is_empty() && (!is_sent || is_arriving) && may_come {
                    own.insert((None, name.to_owned()));
                }
            }
        }
        all
    }

    /// All values that the arguments of a message may have; none if it is never sent.
    pub(crate) fn valuations(&self, name: &str) -> Vec<Vec<Option<i32>>> {
        if self.unsent.contains(name) {
            return Vec::new();
        }
        self.values_of(self.signatures.get(name).map(Vec::as_slice).unwrap_or_default())
    }

    /// All values of some types together; one whose type is not known has no value.
    pub(crate) fn values_of(&self, types: &[Option<ValueType>]) -> Vec<Vec<Option<i32>>> {
        let mut all: Vec<Vec<Option<i32>>> = vec![Vec::new()];
        for kind in types {
            let values: Vec<Option<i32>> = match kind {
                None => vec![None],
                Some(kind) => {
                    let (low, high) = kind.bounds(&self.enumerations, self.structure.objects.len());
                    (low..=high).map(Some).collect()
                }
            };
            let with =
                |some: &Vec<Option<i32>>, value: &Option<i32>| some.iter().copied().chain([*value]).collect();
            all = all.iter().flat_map(|some| values.iter().map(move |value| with(some, value))).collect();
        }
        all
    }

    /// A message as text: its name with its values.
    pub(crate) fn message_text(&self, name: &str, values: &[Option<i32>]) -> String {
        message_text(name, self.arguments(name, values).as_deref())
    }

    /// The arguments of a message as text; `None` if it has none.
    pub(crate) fn arguments(&self, name: &str, values: &[Option<i32>]) -> Option<Vec<String>> {
        let types = self.signatures.get(name).map(Vec::as_slice).unwrap_or_default();
        let one = |(value, kind): (&Option<i32>, &Option<ValueType>)| match (value, kind) {
            (Some(value), Some(kind)) => kind.text(*value, &self.enumerations, &self.structure),
            (Some(_) | None, _) => "_".to_owned(),
        };
        (!values.is_empty()).then(|| values.iter().zip(types).map(one).collect())
    }

    /// What the parameters of a trigger stand for when a message is taken; `None` if it waits for other values: `result(false)`,
    /// `result(ok = false)`.
    pub(crate) fn fits(&self, names: &[String], ground: &GroundMessage) -> Option<Binding> {
        let types = self.signatures.get(&ground.name).map(Vec::as_slice).unwrap_or_default();
        let mut parameters = Vec::new();
        for (name, (value, kind)) in names.iter().zip(ground.values.iter().zip(types)) {
            let (Some(value), Some(kind)) = (*value, kind) else { continue };
            match pattern(name, kind, &self.enumerations, &self.structure) {
                ArgumentPattern::Value(wanted) if wanted == value => {}
                ArgumentPattern::Value(_) | ArgumentPattern::Never(_) => return None,
                ArgumentPattern::Name => parameters.push((name.clone(), value, kind.clone())),
            }
        }
        Some(Binding { parameters, sender: ground.from, call: None })
    }

    /// The type that a name stands for, given the names of all classes.
    pub(crate) fn type_named(&self, name: &str, classes: &BTreeSet<&str>) -> Option<ValueType> {
        ValueType::named(name, &self.enumerations, |name| classes.contains(name))
    }
}

//! Meetings: what objects take from each other under rendezvous, and what the environment gives and sends (rule M3).

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::body;
use super::message::GroundMessage;
use super::path::InvisiblePath;
use super::select::Stimulus;
use super::send::SendStep;
use super::structure::InstanceId;
use crate::id::Id;
use crate::system::{ComponentId, Event, EventId, EventKind, Join, LabelId, QueueOrder, TermId};

impl World<'_> {
    /// Under rendezvous: what objects take from the environment, and from each other by label. The effects of
    /// a transition that takes a message may offer more.
    pub(crate) fn lower_meetings(&mut self) {
        let objects: Vec<InstanceId> =
            self.structure.objects.ids().filter(|id| self.bodies[*id].is_some()).collect();
        for object in &objects {
            for (from, name) in self.guests.get(object).cloned().unwrap_or_default() {
                for values in self.valuations(&name) {
                    let ground = GroundMessage { from, name: name.clone(), values };
                    let event =
                        self.told(from, Some(*object), None, &name, &ground.values, EventKind::Rendezvous);
                    self.take(*object, &ground, &Join::Alone, Some(event));
                }
            }
            self.go_on(*object);
        }
        let mut taken: BTreeSet<(LabelId, InstanceId)> = BTreeSet::new();
        let mut known = 0;
        while known < self.label_list.len() && !self.is_too_large {
            let (id, label) = (LabelId::from_index(known), self.label_list[known].clone());
            known += 1;
            for object in &objects {
                let is_for = self.is_for(&label, *object);
                let ground = GroundMessage {
                    from: label.from,
                    name: label.name.clone(),
                    values: label.values.clone(),
                };
                if is_for && self.take(*object, &ground, &Join::Take(id), None) {
                    taken.insert((id, *object));
                }
                self.go_on(*object);
            }
        }
        for (id, to) in taken {
            let label = self.label_list[id.index()].clone();
            self.meet_all(id, &label, to);
        }
    }

    /// Whether a label is offered to an object.
    pub(crate) fn is_for(&self, label: &super::RendezvousLabel, object: InstanceId) -> bool {
        let is_meant = match label.to {
            Some(to) => to == object,
            None => self.body(object).triggers().contains_key(label.name.as_str()),
        };
        let is_near = |from| from != object && self.structure.lets_through(from, object, &label.name);
        is_meant && label.from.is_none_or(is_near)
    }

    /// What is seen when others offer a label to an object.
    pub(crate) fn meet_all(&mut self, id: LabelId, label: &super::RendezvousLabel, to: InstanceId) {
        let senders: BTreeSet<InstanceId> = self.offered.get(&id).cloned().unwrap_or_default();
        for from in senders.into_iter().filter(|from| *from != to) {
            let event = self.met(from, to, label);
            let ends = [from, to].map(|object| ComponentId::from_index(object.index()));
            self.meetings.insert((id, ends[0], ends[1]), event);
        }
    }

    /// What is seen of a meeting.
    fn met(&mut self, from: InstanceId, to: InstanceId, label: &super::RendezvousLabel) -> EventId {
        let arguments = self.arguments(&label.name, &label.values);
        let message = (label.name.as_str(), arguments);
        let event = self.event_of(Some(from), Some(to), None, message, EventKind::Rendezvous);
        self.event(Event { goes_on: label.goes_on, ..event })
    }

    /// Rules by which an object takes a message under rendezvous; whether there are any.
    pub(crate) fn take(
        &mut self,
        object: InstanceId,
        ground: &GroundMessage,
        join: &Join,
        event: Option<EventId>,
    ) -> bool {
        let mut has = false;
        for (condition, set) in self.firings(object, &Stimulus::Message(ground.clone())).sets {
            let rest = self.at_rest(object);
            let Some(path) = self.given(&rest, condition) else { continue };
            let Some(path) = self.standing(object, path, &set) else { continue };
            has = true;
            let process = self.process(object, &set);
            let process = self.contracted(object, &ground.name, process, set[0].binding);
            let place = self.place(object, &set);
            let path = InvisiblePath { rest: process, ..path };
            let paths = match self.has_intermediate() {
                true => {
                    self.paused.insert((object, process));
                    self.sound_set(object, path, &set)
                }
                false => self.settle(object, path),
            };
            for path in paths {
                let rule = self.emit(object, SendStep { path, event, join: join.clone() }, &set, place);
                self.taken.insert(rule, (object, ground.name.clone()));
            }
        }
        has
    }

    /// What the environment sends: as long as none of its messages waits.
    pub(crate) fn lower_guests(&mut self) {
        for (to, messages) in self.guests.clone() {
            let Some(bit) = self.guest_bits.get(&to).copied() else { continue };
            let deferred = self.all_deferred(to);
            for (from, name) in messages {
                for values in self.valuations(&name) {
                    let ground = GroundMessage { from, name: name.clone(), values };
                    let event = self.told(from, Some(to), None, &name, &ground.values, EventKind::Send);
                    let is_whole = self.terms.is(self.fault_variable, 0);
                    let is_free = self.terms.is(bit, 0);
                    let has_room = deferred.unwrap_or(is_free);
                    let condition = self.terms.and([is_whole, has_room]);
                    let facts = BTreeMap::from([(self.fault_variable, 0)]);
                    let done = self.body_mut(to).processes.done();
                    let path = InvisiblePath::new(condition, facts, done);
                    let place = self.body(to).machine.place;
                    for mut path in self.put(path, to, &ground, place) {
                        // The environment sends only what causes no fault, and nothing to an object that has
                        // terminated.
                        let is_put = self.is_put(to, &path);
                        if path.fault.is_some() || !is_put {
                            continue;
                        }
                        if deferred.is_none() {
                            path.store.insert(bit, self.terms.constant(1));
                        }
                        let component = self.guest_component(from);
                        self.rule(component, path, Some(event), Join::Alone, None, place);
                    }
                }
            }
        }
    }

    /// For an object that defers messages: whether all messages of the environment that wait there are named by a `defer` of an active
    /// state.
    fn all_deferred(&mut self, to: InstanceId) -> Option<TermId> {
        let machine = self.body(to).machine;
        let defers = |vertex| body::state(machine, vertex).is_some_and(|state| !state.deferred.is_empty());
        if !machine.vertices.ids().any(defers) {
            return None;
        }
        let is_guest = |ground: &GroundMessage| ground.from.is_none_or(|from| self.bodies[from].is_none());
        let guests: Vec<usize> =
            (0..self.messages[to].len()).filter(|at| is_guest(&self.messages[to][*at])).collect();
        let inbox = self.body(to).inbox.clone();
        let mut all = Vec::new();
        for number in guests {
            let name = self.messages[to][number].name.clone();
            let deferred: Vec<TermId> =
                self.deferring_states(to, &name).into_iter().map(|(_, is_active)| is_active).collect();
            let deferred = self.terms.or(deferred);
            let places: Vec<TermId> = match &inbox {
                Some(QueueOrder::Fifo(slots)) => {
                    slots.iter().map(|slot| self.terms.is(*slot, number as i32 + 1)).collect()
                }
                Some(QueueOrder::Bag { counts, .. }) => {
                    let none = self.terms.is(counts[number], 0);
                    vec![self.terms.not(none)]
                }
                None => Vec::new(),
            };
            let waits = self.terms.or(places);
            let is_gone = self.terms.not(waits);
            all.push(self.terms.or([is_gone, deferred]));
        }
        Some(self.terms.and(all))
    }

    pub(crate) fn is_put(&self, to: InstanceId, path: &InvisiblePath) -> bool {
        let slots = self.body(to).inbox.iter().flat_map(|order| order.slots());
        slots.into_iter().any(|slot| path.store.contains_key(slot))
    }
}

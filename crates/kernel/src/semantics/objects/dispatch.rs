//! Dispatch: what an object at rest takes up: completion events, messages, and transitions that need neither.

use std::collections::BTreeMap;

use super::World;
use super::body;
use super::guard::CompoundTransition;
use super::message::GroundMessage;
use super::path::InvisiblePath;
use super::process::BindingId;
use super::select::Stimulus;
use super::send::SendStep;
use super::structure::InstanceId;
use crate::id::Id;
use crate::model::{Completion, TransitionId, Trigger, VertexId};
use crate::system::{EventKind, Join, QueueOrder, TermId};

impl World<'_> {
    /// Completion events, oldest first.
    pub(crate) fn dispatch_completions(&mut self, object: InstanceId) {
        let Some(first) = self.body(object).pool.first().copied() else { return };
        let completing: Vec<(VertexId, i32)> =
            self.body(object).completing.iter().map(|(v, c)| (*v, *c)).collect();
        for (vertex, code) in completing {
            let at = self.body(object).at;
            let [is_whole, rests, waits] =
                [self.terms.is(self.fault_variable, 0), self.terms.is(at, 0), self.terms.is(first, code)];
            let condition = self.terms.and([is_whole, rests, waits]);
            let facts = BTreeMap::from([(at, 0), (first, code), (self.fault_variable, 0)]);
            let done = self.body_mut(object).processes.done();
            let mut path = InvisiblePath::new(condition, facts, done);
            let pool = self.body(object).pool.clone();
            let zero = self.terms.constant(0);
            let old: Vec<TermId> = pool.iter().map(|slot| self.current(&path, *slot)).collect();
            for (number, slot) in pool.iter().enumerate() {
                path.store.insert(*slot, old.get(number + 1).copied().unwrap_or(zero));
            }
            let place = self.body(object).machine.vertices[vertex].place;
            let firings = self.firings(object, &Stimulus::Completion(vertex));
            for (condition, set) in firings.sets {
                let Some(path) = self.given(&path, condition) else { continue };
                let Some(path) = self.standing(object, path, &set) else { continue };
                let rest = self.process(object, &set);
                let place = self.place(object, &set);
                for shown in self.advance(object, InvisiblePath { rest, ..path }) {
                    self.emit(object, shown, &set, place);
                }
            }
            if let Some(path) = self.given(&path, firings.none) {
                self.emit(object, SendStep { path, event: None, join: Join::Alone }, &[], place);
            }
        }
    }

    /// Messages that are taken from where they wait.
    pub(crate) fn dispatch_messages(&mut self, object: InstanceId) {
        let messages = self.messages[object].clone();
        let mut known: BTreeMap<GroundMessage, _> = BTreeMap::new();
        let asks = self.body(object).asks_for_sender || self.desks.contains_key(&object);
        for (number, ground) in messages.iter().enumerate() {
            // The sender of a message matters only to machines that use it.
            let key = GroundMessage { from: ground.from.filter(|_| asks), ..ground.clone() };
            if !known.contains_key(&key) {
                let stimulus = Stimulus::Message(ground.clone());
                known.insert(key.clone(), self.firings(object, &stimulus));
            }
            let firings = known[&key].clone();
            let event =
                self.told(ground.from, Some(object), None, &ground.name, &ground.values, EventKind::Receive);
            for path in self.taking(object, number, ground) {
                for (condition, set) in &firings.sets {
                    let Some(path) = self.given(&path, *condition) else { continue };
                    let Some(path) = self.standing(object, path, set) else { continue };
                    let rest = self.process(object, set);
                    let rest = self.contracted(object, &ground.name, rest, set[0].binding);
                    let answer = self.answering(object, ground.from, &ground.name);
                    let answer = self.in_sequence(object, answer);
                    let rest = self.body_mut(object).processes.then(rest, answer);
                    let place = self.place(object, set);
                    for path in self.settle(object, InvisiblePath { rest, ..path }) {
                        let shown = SendStep { path, event: Some(event), join: Join::Alone };
                        let rule = self.emit(object, shown, set, place);
                        self.taken.insert(rule, (object, ground.name.clone()));
                    }
                }
                if let Some(path) = self.given(&path, firings.none) {
                    let place = self.body(object).machine.place;
                    let answer = self.answering(object, ground.from, &ground.name);
                    let rest = self.in_sequence(object, answer);
                    let path = InvisiblePath { rest, ..path };
                    let shown = SendStep { path, event: Some(event), join: Join::Alone };
                    let rule = self.emit(object, shown, &[], place);
                    self.taken.insert(rule, (object, ground.name.clone()));
                    self.lost.insert(rule, (object, ground.clone()));
                }
            }
        }
    }

    /// The ways to take a message: from the front of a queue, or behind messages that are all deferred.
    pub(crate) fn taking(
        &mut self,
        object: InstanceId,
        number: usize,
        ground: &GroundMessage,
    ) -> Vec<InvisiblePath> {
        let rest = self.at_rest(object);
        let idle = self.nothing_completed(object);
        let Some(rest) = self.given(&rest, idle) else { return Vec::new() };
        let is_guest = ground.from.is_none_or(|from| self.bodies[from].is_none());
        let bit = self.guest_bits.get(&object).copied().filter(|_| is_guest);
        let zero = self.terms.constant(0);
        let mut paths = Vec::new();
        match self.body(object).inbox.clone() {
            None => {}
            Some(QueueOrder::Bag { counts, total }) => {
                let now = self.terms.variable(counts[number]);
                let is_there = self.terms.less(zero, now);
                if let Some(mut path) = self.given(&rest, is_there) {
                    let minus = self.terms.constant(-1);
                    let less = self.terms.plus(now, minus);
                    path.store.insert(counts[number], less);
                    let all = self.terms.variable(total);
                    let less = self.terms.plus(all, minus);
                    path.store.insert(total, less);
                    paths.push(path);
                }
            }
            Some(QueueOrder::Fifo(slots)) => {
                let deferrable = self.deferrable(object);
                let reach = if deferrable.is_empty() { 1 } else { slots.len() };
                let mut before = rest;
                for (at, slot) in slots.iter().enumerate().take(reach) {
                    let is_it = self.terms.is(*slot, number as i32 + 1);
                    if let Some(mut path) = self.given(&before, is_it) {
                        for (index, slot) in slots.iter().enumerate().skip(at) {
                            let next = slots.get(index + 1).map(|next| self.terms.variable(*next));
                            path.store.insert(*slot, next.unwrap_or(zero));
                        }
                        paths.push(path);
                    }
                    let mut waits = Vec::new();
                    for (code, deferred) in &deferrable {
                        let is_it = self.terms.is(*slot, *code as i32 + 1);
                        waits.push(self.terms.and([is_it, *deferred]));
                    }
                    let waits = self.terms.or(waits);
                    match self.given(&before, waits) {
                        Some(path) => before = path,
                        None => break,
                    }
                }
            }
        }
        for path in &mut paths {
            path.store.extend(bit.map(|bit| (bit, zero)));
        }
        paths
    }

    /// The messages that an object may defer, by number, each with when it does.
    pub(crate) fn deferrable(&mut self, object: InstanceId) -> Vec<(usize, TermId)> {
        if let Some(known) = self.deferrals.get(&object) {
            return known.clone();
        }
        let mut all = Vec::new();
        let machine = self.body(object).machine;
        let defers = |vertex| body::state(machine, vertex).is_some_and(|state| !state.deferred.is_empty());
        let messages = match machine.vertices.ids().any(defers) {
            true => self.messages[object].clone(),
            false => Vec::new(),
        };
        for (number, ground) in messages.into_iter().enumerate() {
            let deferred = self.firings(object, &Stimulus::Message(ground)).deferred;
            if self.terms.as_constant(deferred) != Some(0) {
                all.push((number, deferred));
            }
        }
        self.deferrals.insert(object, all.clone());
        all
    }

    /// Transitions that fire by themselves, at any time.
    pub(crate) fn dispatch_spontaneous(&mut self, object: InstanceId) {
        let machine = self.body(object).machine;
        let is_spontaneous = |trigger: &Trigger| matches!(trigger, Trigger::After(_) | Trigger::When(_));
        let all: Vec<TransitionId> = machine
            .transitions
            .enumerate()
            .filter(|(_, transition)| transition.triggers.iter().any(is_spontaneous))
            .map(|(id, _)| id)
            .collect();
        for id in all {
            let rest = self.at_rest(object);
            let rest = self.when_true(object, id, rest);
            for (condition, set) in self.firings(object, &Stimulus::Spontaneous(id)).sets {
                for path in &rest {
                    let Some(path) = self.given(path, condition) else { continue };
                    self.start(object, path, &set);
                }
            }
        }
    }

    /// The paths on which one of the conditions of a transition's triggers holds.
    pub(crate) fn when_true(
        &mut self,
        object: InstanceId,
        id: TransitionId,
        rest: InvisiblePath,
    ) -> Vec<InvisiblePath> {
        let triggers = self.body(object).machine.transitions[id].triggers.clone();
        let mut paths = Vec::new();
        for trigger in triggers {
            match trigger {
                Trigger::After(_) => paths.push(rest.clone()),
                Trigger::When(condition) => {
                    let none = BindingId::from_index(0);
                    let value = condition
                        .expression
                        .as_ref()
                        .and_then(|value| self.value(object, &rest, value, none));
                    match value {
                        Some(value) => {
                            let expression = condition.expression.as_ref();
                            let [rest, broken] =
                                self.sound(object, rest.clone(), expression, none, condition.place);
                            paths.extend(rest.and_then(|rest| self.given(&rest, value.term)));
                            paths.extend(broken);
                        }
                        None => paths.push(rest.clone()),
                    }
                }
                Trigger::Event { .. } | Trigger::Any => {}
            }
        }
        paths
    }

    /// A step without message: what fires goes on to its first visible action, or, where every transition has an intermediate
    /// state, only gets ready.
    pub(crate) fn start(&mut self, object: InstanceId, path: InvisiblePath, set: &[CompoundTransition]) {
        let Some(path) = self.standing(object, path, set) else { return };
        let rest = self.process(object, set);
        let place = self.place(object, set);
        let path = InvisiblePath { rest, ..path };
        if self.has_intermediate() {
            self.paused.insert((object, rest));
            for path in self.sound_set(object, path, set) {
                self.emit(object, SendStep { path, event: None, join: Join::Alone }, set, place);
            }
            return;
        }
        for shown in self.advance(object, path) {
            self.emit(object, shown, set, place);
        }
    }

    /// Where completion events are in no order: no transition without trigger is enabled.
    pub(crate) fn nothing_completed(&mut self, object: InstanceId) -> TermId {
        if let Some(known) = self.idle.get(&object) {
            return *known;
        }
        let mut all = Vec::new();
        if self.completion == Completion::Free {
            for (path, vertex) in self.completed(object) {
                let none = self.firings(object, &Stimulus::Completion(vertex)).none;
                let not_there = self.terms.not(path.condition);
                all.push(self.terms.or([not_there, none]));
            }
        }
        let idle = self.terms.and(all);
        self.idle.insert(object, idle);
        idle
    }

    /// Under rendezvous, and where completion events are in no order: transitions without trigger fire at any time.
    pub(crate) fn unprompted(&mut self, object: InstanceId) {
        for (path, set) in self.unprompted_firings(object) {
            self.start(object, path, &set);
        }
    }

    pub(crate) fn unprompted_firings(
        &mut self,
        object: InstanceId,
    ) -> Vec<(InvisiblePath, Vec<CompoundTransition>)> {
        let mut all = Vec::new();
        for (path, vertex) in self.completed(object) {
            for (condition, set) in self.firings(object, &Stimulus::Completion(vertex)).sets {
                // A join is found from each of its sources.
                let is_known = |(_, known): &(InvisiblePath, Vec<CompoundTransition>)| {
                    *known == set && !set[0].joined.is_empty()
                };
                if !all.iter().any(is_known) {
                    all.extend(self.given(&path, condition).map(|path| (path, set)));
                }
            }
        }
        all
    }

    /// The states with transitions without trigger, each with when it is active and has completed.
    pub(crate) fn completed(&mut self, object: InstanceId) -> Vec<(InvisiblePath, VertexId)> {
        let mut all = Vec::new();
        let machine = self.body(object).machine;
        for vertex in machine.vertices.ids() {
            if self.body(object).values[vertex] == 0 || self.body(object).completions(vertex).next().is_none()
            {
                continue;
            }
            let rest = self.at_rest(object);
            let region = machine.vertices[vertex].region;
            let is_active =
                self.terms.is(self.body(object).regions[region], self.body(object).values[vertex]);
            let is_complete = self.has_completed(object, &rest, vertex);
            let Some(path) = self.given(&rest, is_active) else { continue };
            all.extend(self.given(&path, is_complete).map(|path| (path, vertex)));
        }
        all
    }
}

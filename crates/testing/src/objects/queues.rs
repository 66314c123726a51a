//! Queues and bags: what objects do by themselves, and what they find in their queues (docs/objects.md, "Run to completion",
//! "Messages").

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_kernel::model::{Communication, Completion, Effect, Send, TransitionId, Trigger, VertexId};
use sequent_kernel::semantics::objects::InstanceId;
use sequent_kernel::system::EventKind;

use super::fire::{Fire, FiringAttempt, Occasion};
use super::oracle::{Oracle, all};
use super::state::{NaiveEvent, NaiveFault, NaiveObject, NaiveState};
use super::task::{Held, NaiveBehaviour, NaiveTask};
use super::value::{Bindings, NaiveMessage, NaiveReceiver, NaiveValue};
use super::{NaiveObjects, Successor};

impl NaiveObjects<'_> {
    /// The next visible action of a busy object, and the next action of each `do`.
    pub fn goes_on(&self, state: &NaiveState, id: InstanceId, found: &mut BTreeSet<Successor>) {
        match state.objects[id.index()].is_unborn {
            true => self.onward(self.born(state, id), id, &[], found),
            false => self.works(state, id, found),
        }
        self.goes_on_doing(state, id, found);
    }

    /// Steps that begin with something that is not seen: they go on to the first action that is, unless a `do` has begun that
    /// may come before it.
    pub(crate) fn onward(
        &self,
        ready: NaiveState,
        id: InstanceId,
        fires: &[Fire],
        found: &mut BTreeSet<Successor>,
    ) {
        for (state, does) in self.run_telling(ready, id) {
            let object = &state.objects[id.index()];
            if state.fault.is_some() || object.is_at_rest() || does {
                self.add_fired(Vec::new(), id, fires, BTreeSet::from([state]), found);
                continue;
            }
            let mut next = BTreeSet::new();
            match self.medium {
                Communication::Queue | Communication::Bag => self.works(&state, id, &mut next),
                Communication::Rendezvous => self.acts(&state, id, &mut next),
            }
            let fired: Vec<TransitionId> = fires.iter().flat_map(|fire| fire.firsts.clone()).collect();
            found.extend(next.into_iter().map(|one| Successor { fired: fired.clone(), ..one }));
        }
    }

    /// The next visible action of a busy object.
    fn works(&self, state: &NaiveState, id: InstanceId, found: &mut BTreeSet<Successor>) {
        let object = &state.objects[id.index()];
        let machine = self.machine(id);
        for (path, task) in self.visible(object) {
            let (behaviour, from, bindings) = match task {
                NaiveTask::Behave(behaviour, from, bindings, _) => (behaviour, from, bindings),
                _ => {
                    self.terminates(state, id, found);
                    continue;
                }
            };
            let Effect::Send(send) = &behaviour.effects(machine)[from] else { unreachable!("it is visible") };
            let rest = object
                .work
                .with(&path, NaiveTask::Behave(behaviour, from + 1, bindings.clone(), Held::new()));
            self.sends(state, id, send, &bindings, found, &|state| {
                let mut state = state.clone();
                state.objects[id.index()].work = rest.clone();
                self.run_on(state, id)
            });
        }
    }

    /// The next action of each `do`.
    fn goes_on_doing(&self, state: &NaiveState, id: InstanceId, found: &mut BTreeSet<Successor>) {
        let object = &state.objects[id.index()];
        let machine = self.machine(id);
        for (vertex, next) in &object.doing {
            let after = |state: &NaiveState| {
                let mut state = state.clone();
                self.did(&mut state, id, *vertex, *next);
                BTreeSet::from([state])
            };
            match &NaiveBehaviour::Do(*vertex).effects(machine)[*next] {
                Effect::Send(send) => self.sends(state, id, send, &Bindings::new(), found, &after),
                effect => {
                    let mut state = state.clone();
                    self.silent(&mut state, id, effect);
                    let after = if state.fault.is_some() { BTreeSet::from([state]) } else { after(&state) };
                    self.add(Vec::new(), id, after, found);
                }
            }
        }
    }

    /// One action of a `do` that is not seen.
    pub fn silent(&self, state: &mut NaiveState, id: InstanceId, effect: &Effect) {
        match effect {
            Effect::Assign(assign) => {
                let object = &mut state.objects[id.index()];
                if let Err(fault) = self.assign(object, id, assign, &Bindings::new()) {
                    state.fault = Some(fault);
                }
            }
            Effect::Opaque { .. } => {}
            Effect::Send(_) => unreachable!("a send is seen"),
        }
    }

    /// A `do` has done one action more.
    pub fn did(&self, state: &mut NaiveState, id: InstanceId, vertex: VertexId, next: usize) {
        let object = &mut state.objects[id.index()];
        if next + 1 < NaiveBehaviour::Do(vertex).effects(self.machine(id)).len() {
            object.doing.insert(vertex, next + 1);
        } else {
            object.doing.remove(&vertex);
            self.complete(id, object, vertex);
        }
    }

    /// A send into a queue or bag, to each of its targets; `after` says what its sender does then.
    pub fn sends(
        &self,
        state: &NaiveState,
        id: InstanceId,
        send: &Send,
        bindings: &Bindings,
        found: &mut BTreeSet<Successor>,
        after: &dyn Fn(&NaiveState) -> BTreeSet<NaiveState>,
    ) {
        let fails = |fault: NaiveFault| NaiveState { fault: Some(fault), ..state.clone() };
        let (targets, message) = match self.prepared(id, &state.objects[id.index()], bindings, send) {
            Ok(prepared) => prepared,
            Err(fault) => return self.add(Vec::new(), id, BTreeSet::from([fails(fault)]), found),
        };
        for target in targets {
            let mut next = state.clone();
            match self.put(&mut next, target, &message) {
                Ok(()) => {
                    let event = self.event(EventKind::Send, Some(id), target, &message);
                    self.add(vec![event], id, after(&next), found);
                }
                Err(fault) => self.add(Vec::new(), id, BTreeSet::from([fails(fault)]), found),
            }
        }
    }

    /// Puts a message into a queue or bag; the environment takes it at once.
    pub fn put(
        &self,
        state: &mut NaiveState,
        target: NaiveReceiver,
        message: &NaiveMessage,
    ) -> Result<(), NaiveFault> {
        let NaiveReceiver::Object(to) = target else { return Ok(()) };
        if self.is_environment(to) || state.objects[to.index()].terminated {
            return Ok(());
        }
        let messages = &mut state.objects[to.index()].messages;
        if messages.len() == self.capacity {
            return Err(NaiveFault(format!("the queue of {} is full", self.structure.objects[to].name)));
        }
        messages.push(message.clone());
        if self.medium == Communication::Bag {
            messages.sort();
        }
        Ok(())
    }

    /// Ends an object that has reached its end.
    pub fn terminates(&self, state: &NaiveState, id: InstanceId, found: &mut BTreeSet<Successor>) {
        self.add(vec![self.termination(id)], id, BTreeSet::from([self.ended(state, id)]), found);
    }

    /// An object has ended: nothing of it is left but its attributes.
    pub fn ended(&self, state: &NaiveState, id: InstanceId) -> NaiveState {
        let mut state = state.clone();
        let object = &mut state.objects[id.index()];
        let attributes = object.attributes.clone();
        **object = NaiveObject { attributes, terminated: true, ..self.unborn(id) };
        state
    }

    /// Adds a successor.
    pub fn add(
        &self,
        events: Vec<NaiveEvent>,
        id: InstanceId,
        states: BTreeSet<NaiveState>,
        found: &mut BTreeSet<Successor>,
    ) {
        self.add_fired(events, id, &[], states, found);
    }

    /// Adds a successor after a step that fired.
    pub(crate) fn add_fired(
        &self,
        events: Vec<NaiveEvent>,
        id: InstanceId,
        fires: &[Fire],
        states: BTreeSet<NaiveState>,
        found: &mut BTreeSet<Successor>,
    ) {
        let fired: Vec<TransitionId> = fires.iter().flat_map(|fire| &fire.firsts).copied().collect();
        let one = |state| Successor { events: events.clone(), actor: Some(id), fired: fired.clone(), state };
        found.extend(states.into_iter().map(one));
    }

    /// What an object does at rest.
    pub fn at_rest(&self, state: &NaiveState, id: InstanceId, found: &mut BTreeSet<Successor>) {
        let object = &state.objects[id.index()];
        if !object.is_at_rest() || object.terminated {
            return;
        }
        if let Some(oldest) = object.completions.first() {
            let mut next = state.clone();
            next.objects[id.index()].completions.remove(0);
            return self.dispatch(&next, id, Occasion::Completed(*oldest), found);
        }
        if self.completion == Completion::Free {
            let look = FiringAttempt { naive: self, id, object, machine: self.machine(id) };
            for completed in object.completed.iter().copied().map(Occasion::Completed) {
                self.dispatch(state, id, completed, found);
            }
            let is_idle = |oracle: &mut Oracle| {
                let mut completed = object.completed.iter().copied().map(Occasion::Completed);
                completed.all(|one| look.enabled(one, oracle).is_ok_and(|enabled| enabled.is_empty()))
            };
            if all(is_idle).contains(&true) {
                self.takes(state, id, found);
            }
        } else {
            self.takes(state, id, found);
        }
        for timed in self.timed(id, object) {
            self.dispatch(state, id, Occasion::Timed(timed), found);
        }
    }

    /// The first message that is not deferred is taken; in a bag any that is not.
    pub fn takes(&self, state: &NaiveState, id: InstanceId, found: &mut BTreeSet<Successor>) {
        let object = &state.objects[id.index()];
        let look = FiringAttempt { naive: self, id, object, machine: self.machine(id) };
        let taken = all(|oracle| {
            let first = match self.medium {
                Communication::Bag if !object.messages.is_empty() => oracle.choose(object.messages.len()),
                Communication::Bag | Communication::Queue | Communication::Rendezvous => 0,
            };
            for at in first..object.messages.len() {
                let message = &object.messages[at];
                let enabled = match look.enabled(Occasion::Message(message), oracle) {
                    Ok(enabled) => enabled,
                    Err(fault) => return Some((at, Err(fault))),
                };
                if !look.is_deferred(message, &enabled) {
                    return Some((at, look.chosen(&enabled, oracle)));
                }
                if self.medium == Communication::Bag {
                    return None;
                }
            }
            None
        });
        for (at, fires) in taken.into_iter().flatten() {
            let message = &object.messages[at];
            let event = self.event(EventKind::Receive, message.from, NaiveReceiver::Object(id), message);
            let mut next = state.clone();
            next.objects[id.index()].messages.remove(at);
            next.objects[id.index()].sender = Some(message.from);
            match fires {
                Ok(fires) => self.add_fired(vec![event], id, &fires, self.fired(&next, id, &fires), found),
                Err(fault) => {
                    let next = NaiveState { fault: Some(fault), ..next };
                    self.add(vec![event], id, BTreeSet::from([next]), found);
                }
            }
        }
    }

    /// An occasion that is not seen. A completion event that enables nothing is over; time goes on by itself.
    pub fn dispatch(
        &self,
        state: &NaiveState,
        id: InstanceId,
        occasion: Occasion,
        found: &mut BTreeSet<Successor>,
    ) {
        let object = &state.objects[id.index()];
        let look = FiringAttempt { naive: self, id, object, machine: self.machine(id) };
        let is_timed = matches!(occasion, Occasion::Timed(_));
        for fires in all(|oracle| look.chosen(&look.enabled(occasion, oracle)?, oracle)) {
            match fires {
                Ok(fires) if fires.is_empty() && (is_timed || self.completion == Completion::Free) => {}
                Ok(fires) => self.onward(self.with_work(state, id, &fires), id, &fires, found),
                Err(fault) => {
                    let next = NaiveState { fault: Some(fault), ..state.clone() };
                    self.add(Vec::new(), id, BTreeSet::from([next]), found);
                }
            }
        }
    }

    /// Transitions fire, and nothing is done yet.
    fn with_work(&self, state: &NaiveState, id: InstanceId, fires: &[Fire]) -> NaiveState {
        let mut state = state.clone();
        state.objects[id.index()].work = self.firing(id, fires);
        state
    }

    fn fired(&self, state: &NaiveState, id: InstanceId, fires: &[Fire]) -> BTreeSet<NaiveState> {
        self.run_on(self.with_work(state, id, fires), id)
    }

    /// Transitions that time, or a condition that holds, may set off; their guards are not looked at.
    pub fn timed(&self, id: InstanceId, object: &NaiveObject) -> Vec<TransitionId> {
        let machine = self.machine(id);
        let is_due = |trigger: &Trigger| match trigger {
            Trigger::After(_) => true,
            Trigger::When(condition) => {
                let value = condition.expression.as_ref();
                let value = value.and_then(|value| self.value(id, object, &Bindings::new(), value));
                !matches!(value, Some(Ok(NaiveValue::Bool(false))))
            }
            Trigger::Event { .. } | Trigger::Any => false,
        };
        let transitions = machine.transitions.enumerate().filter(|(_, one)| object.is_active(one.source));
        transitions.filter(|(_, one)| one.triggers.iter().any(is_due)).map(|(id, _)| id).collect()
    }

    /// What the environment sends into queues and bags.
    pub fn environment(&self, state: &NaiveState, found: &mut BTreeSet<Successor>) {
        for (from, to, message) in self.offers().iter().cloned() {
            let is_guest = |message: &NaiveMessage| message.from.is_none_or(|from| self.is_environment(from));
            let look = FiringAttempt {
                naive: self,
                id: to,
                object: &state.objects[to.index()],
                machine: self.machine(to),
            };
            let is_kept = |message: &NaiveMessage| look.is_deferred(message, &[]);
            let waits = look.object.messages.iter().any(|message| is_guest(message) && !is_kept(message));
            if waits || state.objects[to.index()].terminated {
                continue;
            }
            let mut next = state.clone();
            // It does not send where there is no room.
            if self.put(&mut next, NaiveReceiver::Object(to), &message).is_ok() {
                let events = vec![self.event(EventKind::Send, from, NaiveReceiver::Object(to), &message)];
                found.insert(Successor { events, actor: from, fired: Vec::new(), state: next });
            }
        }
    }
}

//! Rendezvous: sender and receivers move together (docs/objects.md, "Messages"; P4, definitions D16 to D22).
//!
//! An object is at rest, or it has taken a trigger and done nothing yet (*pending*), or it is in the middle of its work.
//! With intermediate steps every transition passes the second; with direct steps an object that takes a message does at once
//! what is not seen.

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_kernel::model::{Effect, Steps};
use sequent_kernel::semantics::objects::InstanceId;
use sequent_kernel::system::EventKind;

use super::fire::{FiringAttempt, Occasion};
use super::oracle::all;
use super::state::{NaiveEvent, NaiveState};
use super::task::{Held, NaiveBehaviour, NaiveTask};
use super::value::{Bindings, NaiveMessage, NaiveReceiver};
use super::{NaiveObjects, Successor};

impl NaiveObjects<'_> {
    /// All steps of a state.
    pub fn meetings(&self, state: &NaiveState, found: &mut BTreeSet<Successor>) {
        for id in self.machines() {
            let object = &state.objects[id.index()];
            if object.terminated {
                continue;
            }
            if object.is_unborn {
                self.onward(self.born(state, id), id, &[], found);
            } else if object.is_at_rest() {
                self.by_itself(state, id, found);
            } else if object.pending {
                self.second(state, id, found);
            } else {
                self.acts(state, id, found);
            }
            self.does(state, id, found);
        }
        for (from, to, message) in self.offers().iter().cloned() {
            let events = vec![self.event(EventKind::Rendezvous, from, NaiveReceiver::Object(to), &message)];
            for state in self.receives(state, to, &message) {
                found.insert(Successor { events: events.clone(), actor: from, fired: Vec::new(), state });
            }
        }
    }

    /// Transitions without message.
    fn by_itself(&self, state: &NaiveState, id: InstanceId, found: &mut BTreeSet<Successor>) {
        let object = &state.objects[id.index()];
        let completed = object.completed.iter().copied().map(Occasion::Completed);
        let timed = self.timed(id, object).into_iter().map(Occasion::Timed);
        for occasion in completed.chain(timed) {
            for begun in self.begins(state, id, occasion) {
                match self.steps {
                    _ if begun.fault.is_some() => self.add(Vec::new(), id, BTreeSet::from([begun]), found),
                    Steps::Intermediate => self.add(Vec::new(), id, BTreeSet::from([begun]), found),
                    Steps::Direct => self.second(&begun, id, found),
                }
            }
        }
    }

    /// The states in which an object has taken a trigger and done nothing yet.
    fn begins(&self, state: &NaiveState, id: InstanceId, occasion: Occasion) -> BTreeSet<NaiveState> {
        let object = &state.objects[id.index()];
        let look = FiringAttempt { naive: self, id, object, machine: self.machine(id) };
        let ways = all(|oracle| match look.enabled(occasion, oracle) {
            Ok(enabled) if enabled.is_empty() => None,
            Ok(enabled) => {
                let fires = look.chosen(&enabled, oracle).expect("joins fire at once");
                let mut next = state.clone();
                let object = &mut next.objects[id.index()];
                object.work = self.firing(id, &fires);
                object.pending = true;
                Some(next)
            }
            Err(fault) => Some(NaiveState { fault: Some(fault), ..state.clone() }),
        });
        ways.into_iter().flatten().collect()
    }

    /// What a pending object does: all that is not seen, and with it the first action that is.
    fn second(&self, state: &NaiveState, id: InstanceId, found: &mut BTreeSet<Successor>) {
        let mut begun = state.clone();
        begun.objects[id.index()].pending = false;
        self.onward(begun, id, &[], found);
    }

    /// The next visible action of a busy object.
    pub fn acts(&self, state: &NaiveState, id: InstanceId, found: &mut BTreeSet<Successor>) {
        let object = &state.objects[id.index()];
        for (path, task) in self.visible(object) {
            let NaiveTask::Behave(behaviour, from, bindings, mut held) = task else {
                self.terminates(state, id, found);
                continue;
            };
            let Effect::Send(send) = &behaviour.effects(self.machine(id))[from] else {
                unreachable!("it is visible")
            };
            let prepared = match self.prepared(id, object, &bindings, send) {
                Ok(prepared) => prepared,
                Err(fault) => {
                    let state = NaiveState { fault: Some(fault), ..state.clone() };
                    self.add(Vec::new(), id, BTreeSet::from([state]), found);
                    continue;
                }
            };
            let is_alone =
                !prepared.0.is_empty() && !prepared.0.iter().any(|target| self.is_machine(*target));
            held.push(prepared);
            let (now, later) =
                if is_alone { (held.split_off(held.len() - 1), held) } else { (held, Vec::new()) };
            let rest = object.work.with(&path, NaiveTask::Behave(behaviour, from + 1, bindings, later));
            self.meet(state, id, &now, found, &|state| {
                let mut state = state.clone();
                state.objects[id.index()].work = rest.clone();
                self.run_on(state, id)
            });
        }
    }

    /// The next action of each `do`.
    fn does(&self, state: &NaiveState, id: InstanceId, found: &mut BTreeSet<Successor>) {
        let object = &state.objects[id.index()];
        for (vertex, next) in &object.doing {
            let after = |state: &NaiveState| {
                let mut state = state.clone();
                self.did(&mut state, id, *vertex, *next);
                BTreeSet::from([state])
            };
            match &NaiveBehaviour::Do(*vertex).effects(self.machine(id))[*next] {
                Effect::Send(send) => match self.prepared(id, object, &Bindings::new(), send) {
                    Ok(prepared) => self.meet(state, id, &vec![prepared], found, &after),
                    Err(fault) => {
                        let state = NaiveState { fault: Some(fault), ..state.clone() };
                        self.add(Vec::new(), id, BTreeSet::from([state]), found);
                    }
                },
                effect => {
                    let mut state = state.clone();
                    self.silent(&mut state, id, effect);
                    let after = if state.fault.is_some() { BTreeSet::from([state]) } else { after(&state) };
                    self.add(Vec::new(), id, after, found);
                }
            }
        }
    }

    /// Messages that are sent in one step, with their receivers; `after` says what the sender does then.
    fn meet(
        &self,
        state: &NaiveState,
        id: InstanceId,
        held: &Held,
        found: &mut BTreeSet<Successor>,
        after: &dyn Fn(&NaiveState) -> BTreeSet<NaiveState>,
    ) {
        let ways = all(|oracle| {
            let mut sent: Vec<(NaiveReceiver, &NaiveMessage)> = Vec::new();
            for (targets, message) in held {
                if targets.is_empty() {
                    return None;
                }
                let target = targets[oracle.choose(targets.len())];
                if self.is_machine(target)
                    && (target == NaiveReceiver::Object(id) || sent.iter().any(|(other, _)| *other == target))
                {
                    return None;
                }
                sent.push((target, message));
            }
            Some(sent)
        });
        let is_ready = |(target, message): &(NaiveReceiver, &NaiveMessage)| match target {
            NaiveReceiver::Object(to) => {
                self.is_environment(*to) || !self.receives(state, *to, message).is_empty()
            }
            NaiveReceiver::Outside => true,
        };
        for sent in ways.into_iter().flatten().filter(|sent| sent.iter().all(is_ready)) {
            let event = |(to, message): &(NaiveReceiver, &NaiveMessage)| {
                self.event(EventKind::Rendezvous, Some(id), *to, message)
            };
            let events: Vec<NaiveEvent> = sent.iter().map(event).collect();
            let mut states = after(state);
            for (target, message) in sent {
                match target {
                    NaiveReceiver::Object(to) if !self.is_environment(to) => {
                        states = states.iter().flat_map(|state| self.receives(state, to, message)).collect();
                    }
                    NaiveReceiver::Object(_) | NaiveReceiver::Outside => {}
                }
            }
            self.add(events, id, states, found);
        }
    }

    /// The states after an object has taken a message; none if it cannot.
    fn receives(&self, state: &NaiveState, id: InstanceId, message: &NaiveMessage) -> BTreeSet<NaiveState> {
        let object = &state.objects[id.index()];
        if state.fault.is_some() {
            return BTreeSet::from([state.clone()]);
        }
        if !object.is_at_rest() || object.terminated {
            return BTreeSet::new();
        }
        let mut asked = state.clone();
        asked.objects[id.index()].sender = Some(message.from);
        let begun = self.begins(&asked, id, Occasion::Message(message));
        match self.steps {
            Steps::Intermediate => begun,
            Steps::Direct => begun.into_iter().flat_map(|state| self.directly(state, id)).collect(),
        }
    }

    /// All at once until something of it is seen.
    fn directly(&self, mut state: NaiveState, id: InstanceId) -> BTreeSet<NaiveState> {
        state.objects[id.index()].pending = false;
        self.run_on(state, id)
    }
}

//! Rules: what an object may do, at rest and busy, as rules of a System.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::body::Inbox;
use super::execute::Path;
use super::message::Ground;
use super::process::{Deed, ProcessId, Site};
use super::select::{Compound, Stimulus};
use super::send::Shown;
use super::structure::InstanceId;
use crate::id::Id;
use crate::model::{Completion, Steps, TransitionId, Trigger, VertexId};
use crate::source::Place;
use crate::system::{ComponentId, EventId, EventKind, Join, LabelId, Rule, RuleId, TermId, VariableId};

impl World<'_> {
    /// Everything an object may do.
    pub fn lower_object(&mut self, object: InstanceId) {
        self.begin(object);
        match self.is_rendezvous() || self.completion == Completion::Free {
            true => self.unprompted(object),
            false => self.dispatch_completions(object),
        }
        if !self.is_rendezvous() {
            self.dispatch_messages(object);
        }
        self.dispatch_spontaneous(object);
        self.run_activities(object);
        self.go_on(object);
    }

    /// The condition under which an object is at rest and nothing is broken.
    fn at_rest(&mut self, object: InstanceId) -> Path {
        let at = self.body(object).at;
        let mut facts = BTreeMap::from([(at, 0)]);
        let is_whole = self.terms.is(self.fault_variable, 0);
        let rests = self.terms.is(at, 0);
        let mut all = vec![is_whole, rests];
        // Completion events come first.
        if let Some(first) = self.body(object).pool.first().copied() {
            all.push(self.terms.is(first, 0));
            facts.insert(first, 0);
        }
        facts.insert(self.fault_variable, 0);
        let condition = self.terms.and(all);
        let done = self.body_mut(object).processes.done();
        Path::new(condition, facts, done)
    }

    /// The first states: entered before anything is seen, or in a step of its own if there is something to see or choose.
    fn begin(&mut self, object: InstanceId) {
        let regions: Vec<_> = self.body(object).machine.top_regions().collect();
        let parts: Vec<ProcessId> = regions
            .into_iter()
            .map(|region| self.in_sequence(object, vec![Deed::EnterRegion(region)]))
            .collect();
        let whole = self.body_mut(object).processes.parallel(parts);
        let yes = self.terms.truth(true);
        let mut facts = BTreeMap::new();
        let own = self.variables.enumerate().map(|(id, variable)| (id, variable.initial));
        facts.extend(own);
        let paths = self.settle(object, Path::new(yes, facts, whole));
        let constants = |path: &Path| -> Option<Vec<(VariableId, i32)>> {
            path.store
                .iter()
                .map(|(variable, term)| Some((*variable, self.terms.as_constant(*term)?)))
                .collect()
        };
        let settled = match paths.as_slice() {
            [only] if only.fault.is_none() => constants(only),
            _ => None,
        };
        let starts = paths.iter().filter(|path| path.fault.is_none()).map(|path| self.start_of(object, path));
        let starts = starts.collect();
        self.starts.insert(object, starts);
        let at = self.body(object).at;
        match settled {
            Some(values) => {
                for (variable, value) in values {
                    self.variables[variable].initial = value;
                }
                let rest = paths[0].rest;
                self.variables[at].initial = self.place_of(object, rest);
            }
            None => self.variables[at].initial = self.place_of(object, whole),
        }
    }

    /// The active vertices at the end of a path that begins with the machine.
    fn start_of(&self, object: InstanceId, path: &Path) -> Vec<(VariableId, i32)> {
        let value = |variable: VariableId| {
            let term = path.store.get(&variable);
            term.and_then(|term| self.terms.as_constant(*term)).unwrap_or(self.variables[variable].initial)
        };
        self.body(object).regions.iter().map(|variable| (*variable, value(*variable))).collect()
    }

    /// Completion events, oldest first.
    fn dispatch_completions(&mut self, object: InstanceId) {
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
            let mut path = Path::new(condition, facts, done);
            let pool = self.body(object).pool.clone();
            let zero = self.terms.constant(0);
            let old: Vec<TermId> = pool.iter().map(|slot| self.current(&path, *slot)).collect();
            for (number, slot) in pool.iter().enumerate() {
                path.store.insert(*slot, old.get(number + 1).copied().unwrap_or(zero));
            }
            let place = self.body(object).machine.vertices[vertex].place;
            let (firings, none) = self.firings(object, &Stimulus::Completion(vertex));
            for (condition, set) in firings {
                let Some(path) = self.given(&path, condition) else { continue };
                let rest = self.process(object, &set);
                for shown in self.advance(object, Path { rest, ..path }) {
                    self.emit(object, shown, &set, place);
                }
            }
            if let Some(path) = self.given(&path, none) {
                self.emit(object, Shown { path, event: None, join: Join::Alone }, &[], place);
            }
        }
    }

    /// Messages that are taken from where they wait.
    fn dispatch_messages(&mut self, object: InstanceId) {
        let messages = self.messages[object].clone();
        let mut known: BTreeMap<Ground, _> = BTreeMap::new();
        let asks =
            super::message::asks_for_sender(self.body(object).machine) || self.desks.contains_key(&object);
        for (number, ground) in messages.iter().enumerate() {
            // Who sent a message matters only to those who ask.
            let key = Ground { from: ground.from.filter(|_| asks), ..ground.clone() };
            if !known.contains_key(&key) {
                let stimulus = Stimulus::Message(ground.clone());
                let firings = self.firings(object, &stimulus);
                let deferring = self.deferring(object, &stimulus);
                known.insert(key.clone(), (firings, deferring));
            }
            let ((firings, none), deferring) = known[&key].clone();
            let event =
                self.told(ground.from, Some(object), None, &ground.name, &ground.values, EventKind::Receive);
            for path in self.taking(object, number, ground) {
                for (condition, set) in &firings {
                    let held = self.is_held_back(object, &deferring, set);
                    let goes = self.terms.not(held);
                    let Some(path) = self.given(&path, goes) else { continue };
                    let Some(path) = self.given(&path, *condition) else { continue };
                    let rest = self.process(object, set);
                    let rest = self.contracted(object, &ground.name, rest, set[0].binding);
                    let answer = self.answering(object, ground.from, &ground.name);
                    let answer = self.in_sequence(object, answer);
                    let rest = self.body_mut(object).processes.then(rest, answer);
                    let place = self.place(object, set);
                    for path in self.settle(object, Path { rest, ..path }) {
                        let shown = Shown { path, event: Some(event), join: Join::Alone };
                        self.emit(object, shown, set, place);
                    }
                }
                let held = self.is_held_back(object, &deferring, &[]);
                let goes = self.terms.not(held);
                let lost = self.terms.and([goes, none]);
                if let Some(path) = self.given(&path, lost) {
                    let place = self.body(object).machine.place;
                    let answer = self.answering(object, ground.from, &ground.name);
                    let rest = self.in_sequence(object, answer);
                    let path = Path { rest, ..path };
                    let shown = Shown { path, event: Some(event), join: Join::Alone };
                    let rule = self.emit(object, shown, &[], place);
                    self.lost.insert(rule, (object, ground.clone()));
                }
            }
        }
    }

    /// The ways to take a message: from the front of a queue, or behind messages that are all deferred.
    fn taking(&mut self, object: InstanceId, number: usize, ground: &Ground) -> Vec<Path> {
        let rest = self.at_rest(object);
        let idle = self.nothing_completed(object);
        let Some(rest) = self.given(&rest, idle) else { return Vec::new() };
        let is_guest = ground.from.is_none_or(|from| self.bodies[from].is_none());
        let bit = self.guest_bits.get(&object).copied().filter(|_| is_guest);
        let zero = self.terms.constant(0);
        let mut paths = Vec::new();
        match self.body(object).inbox.clone() {
            Inbox::Nothing => {}
            Inbox::Bag(counts, size) => {
                let now = self.terms.variable(counts[number]);
                let is_there = self.terms.less(zero, now);
                if let Some(mut path) = self.given(&rest, is_there) {
                    let minus = self.terms.constant(-1);
                    let less = self.terms.plus(now, minus);
                    path.store.insert(counts[number], less);
                    let all = self.terms.variable(size);
                    let less = self.terms.plus(all, minus);
                    path.store.insert(size, less);
                    paths.push(path);
                }
            }
            Inbox::Queue(slots) => {
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
    fn deferrable(&mut self, object: InstanceId) -> Vec<(usize, TermId)> {
        if let Some(known) = self.deferrals.get(&object) {
            return known.clone();
        }
        let mut all = Vec::new();
        for (number, ground) in self.messages[object].clone().into_iter().enumerate() {
            let deferred = self.is_deferred(object, &Stimulus::Message(ground));
            if self.terms.as_constant(deferred) != Some(0) {
                all.push((number, deferred));
            }
        }
        self.deferrals.insert(object, all.clone());
        all
    }

    /// Transitions that fire by themselves, at any time.
    fn dispatch_spontaneous(&mut self, object: InstanceId) {
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
            let (firings, _) = self.firings(object, &Stimulus::Spontaneous(id));
            for (condition, set) in firings {
                for path in &rest {
                    let Some(path) = self.given(path, condition) else { continue };
                    self.start(object, path, &set);
                }
            }
        }
    }

    /// The paths on which one of the conditions of a transition's triggers holds.
    fn when_true(&mut self, object: InstanceId, id: TransitionId, rest: Path) -> Vec<Path> {
        let triggers = self.body(object).machine.transitions[id].triggers.clone();
        let mut paths = Vec::new();
        for trigger in triggers {
            match trigger {
                Trigger::After(_) => paths.push(rest.clone()),
                Trigger::When(condition) => {
                    let none = super::process::BindingId::from_index(0);
                    let value =
                        condition.expression.and_then(|value| self.value(object, &rest, &value, none));
                    match value {
                        Some(value) => paths.extend(self.given(&rest, value.term)),
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
    fn start(&mut self, object: InstanceId, path: Path, set: &[Compound]) {
        let rest = self.process(object, set);
        let place = self.place(object, set);
        let path = Path { rest, ..path };
        if self.has_intermediate() {
            self.paused.insert((object, rest));
            self.emit(object, Shown { path, event: None, join: Join::Alone }, set, place);
            return;
        }
        for shown in self.advance(object, path) {
            self.emit(object, shown, set, place);
        }
    }

    /// Where completion events are in no order: no transition without trigger is enabled.
    fn nothing_completed(&mut self, object: InstanceId) -> TermId {
        if let Some(known) = self.idle.get(&object) {
            return *known;
        }
        let mut all = Vec::new();
        if self.completion == Completion::Free {
            for (path, vertex) in self.completed(object) {
                let (_, none) = self.firings(object, &Stimulus::Completion(vertex));
                let not_there = self.terms.not(path.condition);
                all.push(self.terms.or([not_there, none]));
            }
        }
        let idle = self.terms.and(all);
        self.idle.insert(object, idle);
        idle
    }

    /// Under rendezvous, and where completion events are in no order: transitions without trigger fire at any time.
    fn unprompted(&mut self, object: InstanceId) {
        for (path, set) in self.unprompted_firings(object) {
            self.start(object, path, &set);
        }
    }

    fn unprompted_firings(&mut self, object: InstanceId) -> Vec<(Path, Vec<Compound>)> {
        let mut all = Vec::new();
        for (path, vertex) in self.completed(object) {
            let (firings, _) = self.firings(object, &Stimulus::Completion(vertex));
            for (condition, set) in firings {
                // A join is found from each of its sources.
                let is_known =
                    |(_, known): &(Path, Vec<Compound>)| *known == set && !set[0].joined.is_empty();
                if !all.iter().any(is_known) {
                    all.extend(self.given(&path, condition).map(|path| (path, set)));
                }
            }
        }
        all
    }

    /// The states with transitions without trigger, each with when it is active and has completed.
    fn completed(&mut self, object: InstanceId) -> Vec<(Path, VertexId)> {
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

    /// Under rendezvous: what objects take from the environment, and from each other by label. Whoever takes something may
    /// offer more.
    pub fn lower_meetings(&mut self) {
        let objects: Vec<InstanceId> =
            self.structure.objects.ids().filter(|id| self.bodies[*id].is_some()).collect();
        for object in &objects {
            for (from, name) in self.guests.get(object).cloned().unwrap_or_default() {
                for values in self.valuations(&name) {
                    let ground = Ground { from, name: name.clone(), values };
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
                let ground =
                    Ground { from: label.from, name: label.name.clone(), values: label.values.clone() };
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
    fn is_for(&self, label: &super::Label, object: InstanceId) -> bool {
        let is_meant = match label.to {
            Some(to) => to == object,
            None => self.body(object).triggers().contains_key(label.name.as_str()),
        };
        let is_near = |from| from != object && self.structure.lets_through(from, object, &label.name);
        is_meant && label.from.is_none_or(is_near)
    }

    /// What is seen when others offer a label to an object.
    fn meet_all(&mut self, id: LabelId, label: &super::Label, to: InstanceId) {
        let senders: BTreeSet<InstanceId> = self.offered.get(&id).cloned().unwrap_or_default();
        for from in senders.into_iter().filter(|from| *from != to) {
            let event =
                self.told(Some(from), Some(to), None, &label.name, &label.values, EventKind::Rendezvous);
            let ends = [from, to].map(|object| ComponentId::from_index(object.index()));
            self.meetings.insert((id, ends[0], ends[1]), event);
        }
    }

    /// Rules by which an object takes a message under rendezvous; whether there are any.
    fn take(&mut self, object: InstanceId, ground: &Ground, join: &Join, event: Option<EventId>) -> bool {
        let (firings, _) = self.firings(object, &Stimulus::Message(ground.clone()));
        let mut has = false;
        for (condition, set) in firings {
            let rest = self.at_rest(object);
            let Some(path) = self.given(&rest, condition) else { continue };
            has = true;
            let process = self.process(object, &set);
            let process = self.contracted(object, &ground.name, process, set[0].binding);
            let place = self.place(object, &set);
            let path = Path { rest: process, ..path };
            let paths = match self.has_intermediate() {
                true => {
                    self.paused.insert((object, process));
                    vec![path]
                }
                false => self.settle(object, path),
            };
            for path in paths {
                self.emit(object, Shown { path, event, join: join.clone() }, &set, place);
            }
        }
        has
    }

    /// What the environment sends: as long as none of its messages waits.
    pub fn lower_guests(&mut self) {
        for (to, messages) in self.guests.clone() {
            let Some(bit) = self.guest_bits.get(&to).copied() else { continue };
            for (from, name) in messages {
                for values in self.valuations(&name) {
                    let ground = Ground { from, name: name.clone(), values };
                    let event = self.told(from, Some(to), None, &name, &ground.values, EventKind::Send);
                    let is_whole = self.terms.is(self.fault_variable, 0);
                    let has_room = self.terms.is(bit, 0);
                    let condition = self.terms.and([is_whole, has_room]);
                    let facts = BTreeMap::from([(bit, 0), (self.fault_variable, 0)]);
                    let done = self.body_mut(to).processes.done();
                    let path = Path::new(condition, facts, done);
                    let place = self.body(to).machine.place;
                    for mut path in self.put(path, to, &ground, place) {
                        // The environment waits rather than to break something, and nobody hears what it tells the dead.
                        let is_put = self.is_put(to, &path);
                        if path.fault.is_some() || !is_put {
                            continue;
                        }
                        path.store.insert(bit, self.terms.constant(1));
                        let component = self.guest_component(from);
                        self.rule(component, path, Some(event), Join::Alone, None, place);
                    }
                }
            }
        }
    }

    fn is_put(&self, to: InstanceId, path: &Path) -> bool {
        match &self.body(to).inbox {
            Inbox::Queue(slots) | Inbox::Bag(slots, _) => {
                slots.iter().any(|slot| path.store.contains_key(slot))
            }
            Inbox::Nothing => false,
        }
    }

    /// `do` behaviours go on by themselves.
    fn run_activities(&mut self, object: InstanceId) {
        let activities: Vec<(VertexId, VariableId)> =
            self.body(object).activities.iter().map(|(vertex, variable)| (*vertex, *variable)).collect();
        for (vertex, variable) in activities {
            let site = Site::Activity(vertex);
            let count = self.body(object).effects(site).len();
            let place = self.body(object).machine.vertices[vertex].place;
            let none = super::process::BindingId::from_index(0);
            for at in 0..count {
                let deed = match self.is_rendezvous() && self.is_met(object, site, at) {
                    true => Deed::Group(site, at, at + 1, none),
                    false => Deed::Effect(site, at, none),
                };
                let now = at as i32 + 1;
                let mut deeds = vec![deed, Deed::Set(variable, now + 1)];
                deeds.extend((at + 1 == count).then_some(Deed::Complete(vertex)));
                let rest = self.in_sequence(object, deeds);
                let [is_whole, is_here] =
                    [self.terms.is(self.fault_variable, 0), self.terms.is(variable, now)];
                let condition = self.terms.and([is_whole, is_here]);
                let facts = BTreeMap::from([(variable, now), (self.fault_variable, 0)]);
                for shown in self.advance(object, Path::new(condition, facts, rest)) {
                    let component = self.body(object).component;
                    self.rule(component, shown.path, shown.event, shown.join, None, place);
                }
            }
        }
    }

    /// Whether an effect is a send to another machine.
    fn is_met(&self, object: InstanceId, site: Site, at: usize) -> bool {
        let none = super::process::BindingId::from_index(0);
        self.grouped(object, site, none)
            .iter()
            .any(|deed| matches!(deed, Deed::Group(_, from, to, _) if (*from..*to).contains(&at)))
            && matches!(self.body(object).effects(site).get(at), Some(crate::model::Effect::Send(_)))
    }

    /// What is left to do in the middle of a step.
    fn go_on(&mut self, object: InstanceId) {
        let mut at = self.gone_on.get(&object).copied().unwrap_or(0);
        while at < self.places[object].len() && !self.is_too_large {
            let rest = self.places[object][at];
            at += 1;
            let variable = self.body(object).at;
            let [is_whole, is_here] =
                [self.terms.is(self.fault_variable, 0), self.terms.is(variable, at as i32)];
            let condition = self.terms.and([is_whole, is_here]);
            let facts = BTreeMap::from([(variable, at as i32), (self.fault_variable, 0)]);
            let place = self.body(object).machine.place;
            for shown in self.advance(object, Path::new(condition, facts, rest)) {
                self.emit(object, shown, &[], place);
            }
        }
        self.gone_on.insert(object, at);
    }

    /// Adds a rule of an object: what is left to do becomes its place.
    fn emit(&mut self, object: InstanceId, shown: Shown, set: &[Compound], place: Place) -> RuleId {
        let Shown { path, event, join } = shown;
        let component = self.body(object).component;
        let at = self.place_of(object, path.rest);
        let rule = self.rule(component, path, event, join, Some((self.body(object).at, at)), place);
        let fired = set.iter().flat_map(|one| {
            [one.transition].into_iter().chain(one.via.iter().copied()).chain(one.joined.iter().copied())
        });
        self.fired.entry(rule).or_default().extend(fired.map(|transition| (object, transition)));
        rule
    }

    /// Adds a rule of a component.
    fn rule(
        &mut self,
        component: ComponentId,
        path: Path,
        event: Option<EventId>,
        join: Join,
        at: Option<(VariableId, i32)>,
        place: Place,
    ) -> RuleId {
        let mut updates: Vec<(VariableId, TermId)> = Vec::new();
        match path.fault {
            Some(fault) => updates.push((self.fault_variable, self.terms.constant(fault as i32 + 1))),
            None => {
                let mut store = path.store;
                if let Some((variable, value)) = at {
                    store.insert(variable, self.terms.constant(value));
                }
                for (variable, term) in store {
                    let is_known = path.facts.get(&variable).copied();
                    let is_same = is_known.is_some() && is_known == self.terms.as_constant(term);
                    if !is_same && self.terms.variable(variable) != term {
                        updates.push((variable, term));
                    }
                }
            }
        }
        if let Join::Offer(labels) = &join {
            let object = InstanceId::from_index(component.index());
            for label in labels {
                self.offered.entry(*label).or_default().insert(object);
            }
        }
        self.rules.push(Rule { component, guard: path.condition, event, updates, join, urgent: false, place })
    }

    /// The number of a process as a place in an object's code; 0 for nothing left to do.
    fn place_of(&mut self, object: InstanceId, rest: ProcessId) -> i32 {
        if self.body(object).processes.is_done(rest) {
            return 0;
        }
        if let Some(known) = self.place_numbers.get(&(object, rest)) {
            return *known;
        }
        self.places[object].push(rest);
        let number = self.places[object].len() as i32;
        self.place_numbers.insert((object, rest), number);
        self.is_too_large |= self.places[object].len() > super::MOST_PLACES;
        number
    }

    /// Where the first transition of a set stands.
    fn place(&self, object: InstanceId, set: &[Compound]) -> Place {
        let machine = self.body(object).machine;
        set.first().map_or(machine.place, |one| machine.transitions[one.transition].place)
    }

    fn has_intermediate(&self) -> bool {
        self.is_rendezvous() && self.steps == Steps::Intermediate
    }
}

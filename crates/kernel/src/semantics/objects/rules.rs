//! Rules: what an object may do, at rest and busy, as rules of a System.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::guard::CompoundTransition;
use super::path::InvisiblePath;
use super::process::{BindingId, EffectSite, ProcessId, ProcessStep};
use super::send::SendStep;
use super::structure::InstanceId;
use crate::id::Id;
use crate::model::{Completion, Steps, TransitionId, VertexId};
use crate::source::Place;
use crate::system::{ComponentId, EventId, Join, Rule, RuleId, TermId, VariableId};

impl World<'_> {
    /// Everything an object may do.
    pub(crate) fn lower_object(&mut self, object: InstanceId) {
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
    pub(crate) fn at_rest(&mut self, object: InstanceId) -> InvisiblePath {
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
        InvisiblePath::new(condition, facts, done)
    }

    /// The first states: entered before anything is seen, or in a step of its own if there is something to see or choose.
    pub(crate) fn begin(&mut self, object: InstanceId) {
        let regions: Vec<_> = self.body(object).machine.top_regions().collect();
        let parts: Vec<ProcessId> = regions
            .into_iter()
            .map(|region| self.in_sequence(object, vec![ProcessStep::EnterRegion(region)]))
            .collect();
        let whole = self.body_mut(object).processes.parallel(parts);
        let yes = self.terms.truth(true);
        let mut facts = BTreeMap::new();
        let own = self.variables.enumerate().map(|(id, variable)| (id, variable.initial));
        facts.extend(own);
        let paths = self.settle(object, InvisiblePath::new(yes, facts, whole));
        let constants = |path: &InvisiblePath| -> Option<Vec<(VariableId, i32)>> {
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
                let (rest, chosen) = (paths[0].rest, paths[0].chosen.clone());
                self.variables[at].initial = self.place_of(object, rest);
                self.choose(self.body(object).component, None, chosen);
            }
            None => self.variables[at].initial = self.place_of(object, whole),
        }
    }

    /// The active vertices at the end of a path that begins with the machine.
    pub(crate) fn start_of(&self, object: InstanceId, path: &InvisiblePath) -> Vec<(VariableId, i32)> {
        let value = |variable: VariableId| {
            let term = path.store.get(&variable);
            term.and_then(|term| self.terms.as_constant(*term)).unwrap_or(self.variables[variable].initial)
        };
        self.body(object).regions.iter().map(|variable| (*variable, value(*variable))).collect()
    }

    /// `do` behaviours go on by themselves.
    pub(crate) fn run_activities(&mut self, object: InstanceId) {
        let activities: Vec<(VertexId, VariableId)> =
            self.body(object).activities.iter().map(|(vertex, variable)| (*vertex, *variable)).collect();
        for (vertex, variable) in activities {
            let site = EffectSite::Activity(vertex);
            let count = self.body(object).effects(site).len();
            let place = self.body(object).machine.vertices[vertex].place;
            let none = BindingId::from_index(0);
            for at in 0..count {
                let now = at as i32 + 1;
                let [is_whole, is_here] =
                    [self.terms.is(self.fault_variable, 0), self.terms.is(variable, now)];
                let condition = self.terms.and([is_whole, is_here]);
                let facts = BTreeMap::from([(variable, now), (self.fault_variable, 0)]);
                let done = self.body_mut(object).processes.done();
                for (path, is_met) in
                    self.goes_now(object, InvisiblePath::new(condition, facts, done), site, at)
                {
                    let deed = match is_met {
                        true => ProcessStep::Group(site, at, at + 1, none),
                        false => ProcessStep::Effect(site, at, none),
                    };
                    let mut deeds = vec![deed, ProcessStep::Set(variable, now + 1)];
                    deeds.extend((at + 1 == count).then_some(ProcessStep::Complete(vertex)));
                    let rest = self.in_sequence(object, deeds);
                    for shown in self.advance(object, InvisiblePath { rest, ..path }) {
                        let component = self.body(object).component;
                        let place = shown.path.seen.unwrap_or(place);
                        self.rule(component, shown.path, shown.event, shown.join, None, place);
                    }
                }
            }
        }
    }

    /// What is left to do in the middle of a step.
    pub(crate) fn go_on(&mut self, object: InstanceId) {
        let mut at = self.gone_on.get(&object).copied().unwrap_or(0);
        while at < self.places[object].len() && !self.is_too_large {
            let rest = self.places[object][at];
            at += 1;
            let variable = self.body(object).at;
            let [is_whole, is_here] =
                [self.terms.is(self.fault_variable, 0), self.terms.is(variable, at as i32)];
            let condition = self.terms.and([is_whole, is_here]);
            let facts = BTreeMap::from([(variable, at as i32), (self.fault_variable, 0)]);
            let whole = self.body(object).machine.place;
            for shown in self.advance(object, InvisiblePath::new(condition, facts, rest)) {
                let place = shown.path.seen.unwrap_or(whole);
                self.emit(object, shown, &[], place);
            }
        }
        self.gone_on.insert(object, at);
    }

    /// Adds a rule of an object: what is left to do becomes its place.
    pub(crate) fn emit(
        &mut self,
        object: InstanceId,
        shown: SendStep,
        set: &[CompoundTransition],
        place: Place,
    ) -> RuleId {
        let SendStep { path, event, join } = shown;
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
    pub(crate) fn rule(
        &mut self,
        component: ComponentId,
        path: InvisiblePath,
        event: Option<EventId>,
        join: Join,
        at: Option<(VariableId, i32)>,
        place: Place,
    ) -> RuleId {
        let mut updates: Vec<(VariableId, TermId)> = Vec::new();
        match path.fault {
            Some(fault) => {
                let variable = self.fault_place(component, &join);
                updates.push((variable, self.terms.constant(fault as i32 + 1)));
            }
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
        let guard = path.condition;
        let rule = self.rules.push(Rule { component, guard, event, updates, join, urgent: false, place });
        self.choose(component, Some(rule), path.chosen);
        rule
    }

    /// Keeps which ways out of choices are taken in a rule, or before the first.
    fn choose(&mut self, component: ComponentId, rule: Option<RuleId>, chosen: BTreeSet<TransitionId>) {
        if !chosen.is_empty() {
            let object = InstanceId::from_index(component.index());
            let chosen = chosen.into_iter().map(|transition| (object, transition));
            self.chosen.entry(rule).or_default().extend(chosen);
        }
    }

    /// The number of a process as a place in an object's code; 0 for nothing left to do.
    pub(crate) fn place_of(&mut self, object: InstanceId, rest: ProcessId) -> i32 {
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
    pub(crate) fn place(&self, object: InstanceId, set: &[CompoundTransition]) -> Place {
        let machine = self.body(object).machine;
        set.first().map_or(machine.place, |one| machine.transitions[one.transition].place)
    }

    pub(crate) fn has_intermediate(&self) -> bool {
        self.is_rendezvous() && self.steps == Steps::Intermediate
    }
}

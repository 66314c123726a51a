//! Joins: regions that wait for each other, or fire together where completion is free (docs/objects.md, "Joins").

use super::World;
use super::body;
use super::guard::CompoundTransition;
use super::path::InvisiblePath;
use super::process::{Binding, BindingId, EffectSite, ProcessId, ProcessStep};
use super::route;
use super::select::Stimulus;
use super::structure::InstanceId;
use crate::model::{RegionId, TransitionId, VertexId, VertexKind};
use crate::system::TermId;

impl World<'_> {
    /// The transitions into a vertex.
    pub(crate) fn incoming(&self, object: InstanceId, vertex: VertexId) -> Vec<TransitionId> {
        let machine = self.body(object).machine;
        machine.transitions.enumerate().filter(|(_, one)| one.target == vertex).map(|(id, _)| id).collect()
    }

    /// Whether regions wait at the join of these transitions, instead of going through it together.
    pub(crate) fn waits_at(&self, object: InstanceId, incoming: &[TransitionId]) -> bool {
        incoming.iter().any(|id| self.body(object).parked.contains_key(id))
    }

    /// Joins whose sources lie in several of these regions and that a message enables.
    pub(crate) fn joins_inside(
        &mut self,
        object: InstanceId,
        regions: &[RegionId],
        stimulus: &Stimulus,
    ) -> Vec<(TermId, CompoundTransition)> {
        let machine = self.body(object).machine;
        if regions.len() < 2 || !matches!(stimulus, Stimulus::Message(_)) {
            return Vec::new();
        }
        let joins: Vec<VertexId> = machine
            .vertices
            .enumerate()
            .filter(|(_, one)| one.kind == VertexKind::Join)
            .map(|(id, _)| id)
            .collect();
        let mut all = Vec::new();
        for join in joins {
            let incoming = self.incoming(object, join);
            let machine = self.body(object).machine;
            let is_below = |id: &TransitionId| {
                let around = body::regions_around(machine, machine.transitions[*id].source);
                regions.iter().position(|region| around.contains(region))
            };
            let places: Vec<Option<usize>> = incoming.iter().map(is_below).collect();
            let is_across = incoming.len() > 1
                && places.iter().all(Option::is_some)
                && places.windows(2).any(|pair| pair[0] != pair[1]);
            if is_across && !self.waits_at(object, &incoming) {
                all.extend(self.join(object, join, &incoming, stimulus));
            }
        }
        all
    }

    /// Joins that fire when a state completes.
    pub(crate) fn joins_from(
        &mut self,
        object: InstanceId,
        vertex: VertexId,
        stimulus: &Stimulus,
    ) -> Vec<(TermId, CompoundTransition)> {
        let body = self.body(object);
        let machine = body.machine;
        let joins: Vec<VertexId> = body
            .completions(vertex)
            .map(|id| machine.transitions[id].target)
            .filter(|target| machine.vertices[*target].kind == VertexKind::Join)
            .collect();
        let mut all = Vec::new();
        for join in joins {
            let incoming = self.incoming(object, join);
            if incoming.len() > 1 && !self.waits_at(object, &incoming) {
                all.extend(self.join(object, join, &incoming, stimulus));
            }
        }
        all
    }

    /// A join and when it fires: all its sources are active, those without trigger have completed, and one of them is meant.
    pub(crate) fn join(
        &mut self,
        object: InstanceId,
        join: VertexId,
        incoming: &[TransitionId],
        stimulus: &Stimulus,
    ) -> Option<(TermId, CompoundTransition)> {
        let out = self.body(object).outgoing[join].first().copied()?;
        let mut all = Vec::new();
        let mut is_meant = matches!(stimulus, Stimulus::Completion(_));
        let mut binding = Binding::default();
        for id in incoming {
            let body = self.body(object);
            let transition = body.machine.transitions[*id].clone();
            let region = body.machine.vertices[transition.source].region;
            let (variable, value) = (body.regions[region], body.values[transition.source]);
            all.push(self.terms.is(variable, value));
            if transition.triggers.is_empty() {
                let (yes, done) = (self.terms.truth(true), self.body_mut(object).processes.done());
                let path = InvisiblePath::new(yes, Default::default(), done);
                all.push(self.has_completed(object, &path, transition.source));
            } else {
                let Stimulus::Message(ground) = stimulus else { return None };
                binding = self.bound(&transition.triggers, ground)?;
                is_meant = true;
            }
        }
        if !is_meant {
            return None;
        }
        let binding = self.body_mut(object).bind(binding);
        for id in incoming.iter().chain([&out]) {
            let guard = self.body(object).machine.transitions[*id].guard.clone();
            if let Some(term) = guard.and_then(|guard| self.condition(object, None, &guard, binding)) {
                let broken = self.broken_guard(object, None, *id, binding);
                all.push(self.terms.or([term, broken]));
            }
        }
        let condition = self.terms.and(all);
        Some((
            condition,
            CompoundTransition {
                transition: out,
                via: Vec::new(),
                binding,
                joined: incoming.to_vec(),
                parks: false,
            },
        ))
    }

    /// A source of a join is left, the effect happens, and its region waits for the others.
    pub(crate) fn park(&mut self, object: InstanceId, compound: &CompoundTransition) -> ProcessId {
        let first = self.source_joined(object, compound.transition, compound.binding);
        let body = self.body(object);
        let variable = body.regions[body.region_of_source(compound.transition)];
        let join = body.machine.transitions[compound.transition].target;
        let value = body.parked.get(&compound.transition).copied().unwrap_or(0);
        let rest = vec![ProcessStep::Set(variable, value), ProcessStep::Gather(join, compound.binding)];
        let rest = self.in_sequence(object, rest);
        self.body_mut(object).processes.then(first, rest)
    }

    /// A source of a join is left, and the effect of its transition happens.
    pub(crate) fn source_joined(
        &mut self,
        object: InstanceId,
        transition: TransitionId,
        binding: BindingId,
    ) -> ProcessId {
        let source = self.body(object).machine.transitions[transition].source;
        let leave = self.in_sequence(object, vec![ProcessStep::Leave(source)]);
        let effect = self.behaviour(object, EffectSite::Transition(transition), binding);
        self.body_mut(object).processes.then(leave, effect)
    }

    /// The states around the sources of a join in which it does not lie, inner ones left with them.
    pub(crate) fn around_joined(&self, object: InstanceId, joined: &[TransitionId]) -> Vec<VertexId> {
        let body = self.body(object);
        let mut all: Vec<VertexId> = Vec::new();
        for transition in joined {
            let source = body.machine.transitions[*transition].source;
            let around =
                route::scope(body, *transition).and_then(|scope| body::child_in(body.machine, scope, source));
            all.extend(around.filter(|around| *around != source && !all.contains(around)));
        }
        all
    }
}

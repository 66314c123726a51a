//! Turns: deeds that branch on the state before them: what is left in a region, what a history remembers,
//! where a choice leads, whether all regions have come to a join.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::body::{self, MOST_DEPTH};
use super::guard::Alternatives;
use super::path::InvisiblePath;
use super::process::{BindingId, ProcessStep, TransitionAim};
use super::structure::InstanceId;
use super::view::FaultKind;
use crate::id::Id;
use crate::model::{RegionId, TransitionId, VertexId};
use crate::system::TermId;

impl World<'_> {
    /// Leaves what is active in a region: where nothing is done on the way out, without looking what it is.
    pub(crate) fn leave_region(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        deed: &ProcessStep,
        region: RegionId,
    ) -> Vec<InvisiblePath> {
        let body = self.body(object);
        let variable = body.regions[region];
        let machine = body.machine;
        let active: Vec<(VertexId, i32)> = machine.regions[region]
            .vertices
            .iter()
            .map(|vertex| (*vertex, body.values[*vertex]))
            .filter(|(_, value)| *value > 0)
            .collect();
        let now = self.current(path, variable);
        let known = self.terms.as_constant(now);
        if known.is_none() && self.is_silent(object, region) {
            let deeds = self.leave_silently(object, region);
            let expansion = self.in_sequence(object, deeds);
            return vec![self.expanded(object, path, deed, expansion)];
        }
        let body = self.body(object);
        let parked = body.parked.iter().filter(|(id, _)| body.region_of_source(**id) == region);
        let others = [0].into_iter().chain(parked.map(|(_, value)| *value));
        let others: Vec<(VertexId, i32)> = others.map(|value| (VertexId::from_index(0), value)).collect();
        let is_vertex = |value: i32| active.iter().any(|(_, known)| *known == value);
        let mut paths = Vec::new();
        for (vertex, value) in active.iter().copied().chain(others) {
            if known.is_some_and(|known| known != value) {
                continue;
            }
            let constant = self.terms.constant(value);
            let is_it = self.terms.equal(now, constant);
            let Some(path) = self.given(path, is_it) else { continue };
            let is_state = is_vertex(value) && body::state(self.body(object).machine, vertex).is_some();
            let then = match is_state {
                true => vec![ProcessStep::Leave(vertex)],
                false => vec![ProcessStep::Save(region), ProcessStep::Set(variable, 0)],
            };
            let expansion = self.in_sequence(object, then);
            paths.push(self.expanded(object, &path, deed, expansion));
        }
        paths
    }

    /// Whether nothing but the change of state happens when a region is left.
    pub(crate) fn is_silent(&self, object: InstanceId, region: RegionId) -> bool {
        let body = self.body(object);
        body.regions_within(region).into_iter().all(|region| {
            let mut states = body.machine.regions[region]
                .vertices
                .iter()
                .filter_map(|one| body::state(body.machine, *one));
            states.all(|state| state.exit.is_empty())
        })
    }

    /// What happens when a region is left in which no state does anything on its way out, whatever is active there.
    fn leave_silently(&self, object: InstanceId, region: RegionId) -> Vec<ProcessStep> {
        let body = self.body(object);
        let mut deeds = Vec::new();
        for region in body.regions_within(region) {
            for vertex in &body.machine.regions[region].vertices {
                deeds.extend(body.activities.get(vertex).map(|activity| ProcessStep::Set(*activity, 0)));
                let is_awaited = body.pool.len() > 1 && body.completing.contains_key(vertex);
                deeds.extend(is_awaited.then_some(ProcessStep::Forget(*vertex)));
            }
            deeds.extend([ProcessStep::Save(region), ProcessStep::Set(body.regions[region], 0)]);
        }
        deeds
    }

    /// Enters a region as it was left.
    pub(crate) fn restore(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        deed: &ProcessStep,
        region: RegionId,
        is_deep: bool,
    ) -> Vec<InvisiblePath> {
        let body = self.body(object);
        let machine = body.machine;
        let Some(history) = body.histories.get(&region).copied() else {
            let expansion = self.in_sequence(object, vec![ProcessStep::EnterRegion(region)]);
            return vec![self.expanded(object, path, deed, expansion)];
        };
        let states: Vec<(VertexId, i32)> = machine.regions[region]
            .vertices
            .iter()
            .map(|vertex| (*vertex, body.values[*vertex]))
            .filter(|(vertex, value)| *value > 0 && body::state(machine, *vertex).is_some())
            .collect();
        let known: Vec<i32> = states.iter().map(|(_, value)| *value).collect();
        let past = self.current(path, history);
        let mut paths = Vec::new();
        for (vertex, value) in states {
            let constant = self.terms.constant(value);
            let is_it = self.terms.equal(past, constant);
            let Some(path) = self.given(path, is_it) else { continue };
            let expansion = self.enter_again(object, vertex, is_deep);
            paths.push(self.expanded(object, &path, deed, expansion));
        }
        let mut none = Vec::new();
        for value in known {
            let constant = self.terms.constant(value);
            let is_it = self.terms.equal(past, constant);
            none.push(self.terms.not(is_it));
        }
        let none = self.terms.and(none);
        if let Some(path) = self.given(path, none) {
            let expansion = self.enter_first(object, region, is_deep);
            paths.push(self.expanded(object, &path, deed, expansion));
        }
        paths
    }

    /// Decides which way to go on from a choice.
    pub(crate) fn decide(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        deed: &ProcessStep,
        vertex: VertexId,
        binding: BindingId,
    ) -> Vec<InvisiblePath> {
        let outgoing = self.body(object).outgoing[vertex].clone();
        let options = self.alternatives(object, Some(path), &outgoing, binding);
        let mut paths = Vec::new();
        for (condition, transition) in options.enabled {
            let Some(mut path) = self.given(path, condition) else { continue };
            path.chosen.insert(transition);
            let sound = self.sound_guards(object, [transition], binding).into_iter();
            let deeds = sound.chain([ProcessStep::Segment(transition, Vec::new(), binding)]).collect();
            let expansion = self.in_sequence(object, deeds);
            paths.push(self.expanded(object, &path, deed, expansion));
        }
        if let Some(mut stuck) = self.given(path, options.none) {
            let owner = &self.structure.objects[object].name;
            let name = &self.body(object).machine.vertices[vertex].name;
            let text = format!("{owner} has no way to go on from {name}");
            let place = self.body(object).machine.vertices[vertex].place;
            stuck.fault = Some(self.fault(FaultKind::NoWay, text, place));
            paths.push(stuck);
        }
        paths
    }

    /// Goes on from a join if all its sources have come and its guard holds: the states around are left, and
    /// no region waits any more.
    pub(crate) fn gather(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        deed: &ProcessStep,
        join: VertexId,
        binding: BindingId,
    ) -> Vec<InvisiblePath> {
        let outgoing = self.body(object).outgoing[join].clone();
        let Alternatives { enabled, none } = self.alternatives(object, Some(path), &outgoing, binding);
        let all = self.gathered(object, Some(path), join, None);
        let missing = self.terms.not(all);
        let waits = self.terms.or([missing, none]);
        let body = self.body(object);
        let parked = body.parked.keys().filter(|id| body.machine.transitions[**id].target == join);
        let parked: Vec<TransitionId> = parked.copied().collect();
        let regions: BTreeSet<RegionId> = parked.iter().map(|id| body.region_of_source(*id)).collect();
        let over = regions.iter().map(|region| ProcessStep::Set(body.regions[*region], 0));
        let around = self.around_joined(object, &parked).into_iter().map(ProcessStep::Leave);
        let before: Vec<ProcessStep> = around.chain(over).collect();
        let mut ways = vec![(waits, Vec::new())];
        for (condition, transition) in enabled {
            let segment = ProcessStep::Segment(transition, Vec::new(), binding);
            let sound = self.sound_guards(object, [transition], binding).into_iter();
            let deeds = sound.chain(before.iter().cloned()).chain([segment]).collect();
            ways.push((self.terms.and([all, condition]), deeds));
        }
        let mut paths = Vec::new();
        for (term, deeds) in ways {
            if let Some(path) = self.given(path, term) {
                let expansion = self.in_sequence(object, deeds);
                paths.push(self.expanded(object, &path, deed, expansion));
            }
        }
        paths
    }

    /// Whether every region with a way to a join waits there, apart from one.
    pub(crate) fn gathered(
        &mut self,
        object: InstanceId,
        path: Option<&InvisiblePath>,
        join: VertexId,
        apart: Option<RegionId>,
    ) -> TermId {
        let body = self.body(object);
        let mut ways: BTreeMap<RegionId, Vec<i32>> = BTreeMap::new();
        for (transition, value) in &body.parked {
            let region = body.region_of_source(*transition);
            if body.machine.transitions[*transition].target == join && Some(region) != apart {
                ways.entry(region).or_default().push(*value);
            }
        }
        let mut all = Vec::new();
        for (region, values) in ways {
            let variable = self.body(object).regions[region];
            let now = match path {
                Some(path) => self.current(path, variable),
                None => self.terms.variable(variable),
            };
            all.push(self.terms.is_one_of(now, values));
        }
        self.terms.and(all)
    }

    /// Aims that lie in a region.
    pub(crate) fn aims_in(
        &self,
        object: InstanceId,
        region: RegionId,
        aims: &[TransitionAim],
    ) -> Vec<TransitionAim> {
        let machine = self.body(object).machine;
        let is_inside = |aim: &&TransitionAim| body::regions_around(machine, aim.target).contains(&region);
        aims.iter().filter(is_inside).take(MOST_DEPTH).cloned().collect()
    }
}

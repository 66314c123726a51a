//! Changes: the effect of invisible deeds on attributes and on pending completion events.

use super::World;
use super::body;
use super::data::{MOST_VALUES, ValueType};
use super::path::InvisiblePath;
use super::process::{BindingId, ProcessId, ProcessStep};
use super::structure::InstanceId;
use super::view::FaultKind;
use crate::model::{Assign, RegionId, VertexId, VertexKind};
use crate::system::{TermId, VariableId};

impl World<'_> {
    pub(crate) fn assign(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        assign: &Assign,
        binding: BindingId,
    ) -> Vec<InvisiblePath> {
        // What belongs to another object is not changed; that is reported (E619).
        let Some(name) = self.structure.own_part(object, &assign.target) else { return vec![path] };
        let Some(slot) = self.body(object).attributes.get(name).cloned() else { return vec![path] };
        let (low, high) = slot.kind.bounds(&self.enumerations, self.structure.objects.len());
        let [path, broken] = self.sound(object, path, [&assign.value], binding, assign.place);
        let mut paths: Vec<InvisiblePath> = broken.into_iter().collect();
        let Some(mut path) = path else { return paths };
        let value = self.value(object, &path, &assign.value, binding);
        let Some(value) = value.filter(|value| value.kind.is_comparable(&slot.kind)) else {
            // The value is unknown: any of its type.
            paths.extend(self.any_of(&path, slot.variable, low, high));
            return paths;
        };
        let is_fine = match &value.kind {
            ValueType::Range(least, most) => low <= *least && *most <= high,
            ValueType::Bool | ValueType::Enumeration(_) | ValueType::Object => value.kind == slot.kind,
        };
        let fits = if is_fine { self.terms.truth(true) } else { self.within(value.term, low, high) };
        let misfit = self.terms.not(fits);
        if let Some(mut broken) = self.given(&path, misfit) {
            let owner = &self.structure.objects[object].name;
            let text = format!("{owner}.{name} leaves its range {low}..{high}");
            broken.fault = Some(self.fault(FaultKind::Range(low, high), text, assign.place));
            paths.push(broken);
        }
        path.store.insert(slot.variable, value.term);
        paths.extend(self.given(&path, fits));
        paths
    }

    /// A path for each value that a variable may have then.
    fn any_of(
        &mut self,
        path: &InvisiblePath,
        variable: VariableId,
        low: i32,
        high: i32,
    ) -> Vec<InvisiblePath> {
        if i64::from(high) - i64::from(low) >= MOST_VALUES {
            self.is_too_large = true;
            return vec![path.clone()];
        }
        let with = |value| {
            let mut path = path.clone();
            path.store.insert(variable, self.terms.constant(value));
            path
        };
        (low..=high).map(with).collect()
    }

    /// Whether a value lies in a range.
    pub(crate) fn within(&mut self, term: TermId, low: i32, high: i32) -> TermId {
        let [low, high] = [low, high].map(|bound| self.terms.constant(bound));
        let [below, above] = [self.terms.less(term, low), self.terms.less(high, term)];
        let outside = self.terms.or([below, above]);
        self.terms.not(outside)
    }

    /// Forgets a completion event that waits: the younger ones move up.
    pub(crate) fn forget(
        &mut self,
        object: InstanceId,
        mut path: InvisiblePath,
        vertex: VertexId,
    ) -> InvisiblePath {
        let body = self.body(object);
        let (Some(code), pool) = (body.completing.get(&vertex).copied(), body.pool.clone()) else {
            return path;
        };
        let code = self.terms.constant(code);
        let slots: Vec<TermId> = pool.iter().map(|slot| self.current(&path, *slot)).collect();
        let zero = self.terms.constant(0);
        let mut is_gone = self.terms.truth(false);
        for (at, slot) in pool.iter().enumerate() {
            let is_here = self.terms.equal(slots[at], code);
            is_gone = self.terms.or([is_gone, is_here]);
            let next = slots.get(at + 1).copied().unwrap_or(zero);
            let value = self.terms.choose(is_gone, next, slots[at]);
            path.store.insert(*slot, value);
        }
        path
    }

    /// Queues the completion event of a state if it has completed.
    pub(crate) fn complete(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        vertex: VertexId,
    ) -> Vec<InvisiblePath> {
        let body = self.body(object);
        let Some(code) = body.completing.get(&vertex).copied() else { return vec![path] };
        let pool = body.pool.clone();
        let is_complete = self.has_completed(object, &path, vertex);
        let waits = self.terms.not(is_complete);
        let mut paths: Vec<InvisiblePath> = self.given(&path, waits).into_iter().collect();
        let Some(mut path) = self.given(&path, is_complete) else { return paths };
        let code = self.terms.constant(code);
        let zero = self.terms.constant(0);
        let mut is_placed = self.terms.truth(false);
        for slot in pool {
            let old = self.current(&path, slot);
            let is_free = self.terms.equal(old, zero);
            let unplaced = self.terms.not(is_placed);
            let here = self.terms.and([is_free, unplaced]);
            let value = self.terms.choose(here, code, old);
            is_placed = self.terms.or([is_placed, here]);
            path.store.insert(slot, value);
        }
        paths.push(path);
        paths
    }

    /// Terminates an object if all its outermost regions have reached their final states.
    pub(crate) fn end_if_over(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        deed: &ProcessStep,
        left: ProcessId,
    ) -> Vec<InvisiblePath> {
        let regions = self.body(object).machine.top_regions().collect();
        let all = self.at_ends(object, path, regions);
        let is_over = self.terms.and(all);
        let is_active = self.terms.not(is_over);
        let goes_on = self.given(path, is_active).map(|path| InvisiblePath { rest: left, ..path });
        let ends = self.given(path, is_over).map(|path| {
            let end = self.in_sequence(object, vec![ProcessStep::Terminate]);
            self.expanded(object, &path, deed, end)
        });
        goes_on.into_iter().chain(ends).collect()
    }

    /// Whether a state's regions have reached their ends and its `do` is over.
    pub(crate) fn has_completed(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        vertex: VertexId,
    ) -> TermId {
        let body = self.body(object);
        let state = body::state(body.machine, vertex);
        let regions = state.map(|state| state.regions.clone()).unwrap_or_default();
        let activity = body.activities.get(&vertex).copied();
        let length = state.map_or(0, |state| state.activity.len()) as i32;
        let mut all = self.at_ends(object, path, regions);
        if let Some(activity) = activity {
            let now = self.current(path, activity);
            let over = self.terms.constant(length + 1);
            all.push(self.terms.equal(now, over));
        }
        self.terms.and(all)
    }

    /// For each of some regions, whether it has reached a final state.
    fn at_ends(&mut self, object: InstanceId, path: &InvisiblePath, regions: Vec<RegionId>) -> Vec<TermId> {
        let body = self.body(object);
        let machine = body.machine;
        let mut finals: Vec<(VariableId, Vec<i32>)> = Vec::new();
        for region in regions {
            let is_final = |vertex: &&VertexId| machine.vertices[**vertex].kind == VertexKind::Final;
            let ends = machine.regions[region].vertices.iter().filter(is_final);
            let mut values: Vec<i32> = ends.map(|vertex| body.values[*vertex]).collect();
            // A region without initial state that is not entered counts as completed.
            if !machine.regions[region]
                .vertices
                .iter()
                .any(|vertex| machine.vertices[*vertex].kind == VertexKind::Initial)
            {
                values.push(0);
            }
            finals.push((body.regions[region], values));
        }
        let mut all = Vec::new();
        for (variable, values) in finals {
            let now = self.current(path, variable);
            all.push(self.terms.is_one_of(now, values));
        }
        all
    }
}

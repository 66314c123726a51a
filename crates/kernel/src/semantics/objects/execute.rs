//! Execution: a process run as far as it shows nothing, on terms instead of values.
//!
//! A [`Path`] says under which condition it is taken, what the variables are then, and what is left to do. What an object does
//! invisibly between two visible actions thus becomes one rule, however many assignments and changes of state that are.
//! Where the order of parallel invisible deeds matters, each order is a path of its own; equal paths are one.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::body::{self, MOST_DEPTH};
use super::call;
use super::data::{self, Scope, Type, Typed};
use super::process::{Aim, Binding, BindingId, Deed, ProcessId, Site};
use super::structure::InstanceId;
use crate::id::Id;
use crate::model::{Assign, Effect, Expression, RegionId, VertexId, VertexKind};
use crate::system::{TermId, Terms, VariableId};

/// More paths than this of one step are not followed.
const MOST_PATHS: usize = 20_000;

/// What has been done so far, invisibly.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Path {
    /// What must hold before.
    pub condition: TermId,
    /// Variables whose value is known before.
    pub facts: BTreeMap<VariableId, i32>,
    /// What variables are now, in terms of what they were.
    pub store: BTreeMap<VariableId, TermId>,
    /// What is left to do.
    pub rest: ProcessId,
    /// The fault that ended it.
    pub fault: Option<usize>,
}

impl Path {
    pub fn new(condition: TermId, facts: BTreeMap<VariableId, i32>, rest: ProcessId) -> Self {
        Path { condition, facts, store: BTreeMap::new(), rest, fault: None }
    }
}

/// An object's names and what they stand for at a moment.
pub(super) struct View<'w, 'a, 'b> {
    world: &'w mut World<'a>,
    object: InstanceId,
    path: Option<&'b Path>,
    binding: &'b Binding,
    /// Parameters have a type but no value.
    is_static: bool,
}

impl<'w, 'a, 'b> View<'w, 'a, 'b> {
    pub fn new(
        world: &'w mut World<'a>,
        object: InstanceId,
        path: Option<&'b Path>,
        binding: &'b Binding,
    ) -> Self {
        View { world, object, path, binding, is_static: false }
    }

    /// For who asks for types only.
    pub fn of_types(world: &'w mut World<'a>, object: InstanceId, binding: &'b Binding) -> Self {
        View { world, object, path: None, binding, is_static: true }
    }

    fn attribute(&mut self, object: InstanceId, name: &str) -> Option<Typed> {
        let slot = self.world.bodies[object].as_ref()?.attributes.get(name)?.clone();
        let term = match self.path {
            Some(path) => self.world.current(path, slot.variable),
            None => self.world.terms.variable(slot.variable),
        };
        Some(Typed { term, kind: self.narrowed(slot.kind, term) })
    }

    /// The type of a term; a number that is known is its own range.
    fn narrowed(&self, kind: Type, term: TermId) -> Type {
        match (kind, self.world.terms.as_constant(term)) {
            (Type::Range(..), Some(value)) => Type::Range(value, value),
            (kind, _) => kind,
        }
    }

    fn constant(&mut self, value: i32, kind: Type) -> Option<Typed> {
        Some(Typed { term: self.world.terms.constant(value), kind })
    }

    fn literal(&mut self, of: Option<&str>, name: &str) -> Option<Typed> {
        let mut found = self.world.enumerations.iter().filter(|(known, _)| of.is_none_or(|of| of == **known));
        let (kind, at) =
            found.find_map(|(kind, all)| Some((kind.clone(), all.iter().position(|one| one == name)?)))?;
        self.constant(at as i32, Type::Enumeration(kind))
    }

    fn object_named(&self, name: &str) -> Option<InstanceId> {
        self.world.structure.objects.find(|object| object.name == name)
    }
}

impl Scope for View<'_, '_, '_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.world.terms
    }

    fn name(&mut self, path: &[String]) -> Option<Typed> {
        match path {
            [name] => {
                if let Some((_, value, kind)) =
                    self.binding.parameters.iter().find(|(known, ..)| known == name)
                {
                    let (value, kind) = (*value, kind.clone());
                    let narrow = match kind {
                        Type::Range(..) if !self.is_static => Type::Range(value, value),
                        kind => kind,
                    };
                    return self.constant(value, narrow);
                }
                if let Some(found) = self.attribute(self.object, name) {
                    return Some(found);
                }
                match name.as_str() {
                    "self" | "this" => return self.constant(data::reference(self.object), Type::Object),
                    "sender" => {
                        let value = self.binding.sender.map_or(0, data::reference);
                        return self.constant(value, Type::Object);
                    }
                    "none" | "null" => return self.constant(0, Type::Object),
                    _ => {}
                }
                if let Some(found) = self.literal(None, name) {
                    return Some(found);
                }
                let object = self.object_named(name)?;
                self.constant(data::reference(object), Type::Object)
            }
            [first, second] if first == "self" || first == "this" => self.attribute(self.object, second),
            [first, second] => {
                if let Some(found) = self.literal(Some(first), second) {
                    return Some(found);
                }
                let near = self.world.structure.named(self.object, first);
                match near.as_slice() {
                    [only] => self.attribute(*only, second),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn call(&mut self, path: &[String], arguments: &[Expression]) -> Option<Typed> {
        let [word] = path else { return None };
        let (object, state) = match (word.as_str(), arguments) {
            ("in" | "inState" | "isIn", [Expression::Name(state)]) => (self.object, state.last()?),
            ("in" | "inState" | "isIn", [Expression::Name(object), Expression::Name(state)]) => {
                let name = object.last()?;
                let near = self.world.structure.named(self.object, name);
                (near.first().copied().or_else(|| self.object_named(name))?, state.last()?)
            }
            _ => return None,
        };
        let term = self.world.in_state(object, state)?;
        Some(Typed { term, kind: Type::Bool })
    }
}

impl World<'_> {
    /// Runs a path until nothing invisible is left to do next.
    pub fn settle(&mut self, object: InstanceId, path: Path) -> Vec<Path> {
        let mut settled: BTreeSet<Path> = BTreeSet::new();
        let mut seen: BTreeSet<Path> = BTreeSet::new();
        let mut open = vec![path];
        while let Some(path) = open.pop() {
            if path.fault.is_some() || seen.len() > MOST_PATHS {
                self.is_too_large |= seen.len() > MOST_PATHS;
                settled.insert(path);
                continue;
            }
            if !seen.insert(path.clone()) {
                continue;
            }
            let body = self.body_mut(object);
            let fronts = body.processes.fronts(path.rest);
            let quiet: Vec<(Deed, ProcessId)> =
                fronts.into_iter().filter(|(deed, _)| !self.is_visible(object, deed)).collect();
            let first = quiet.iter().find(|(deed, _)| !self.is_sensitive(object, deed));
            let next = match first {
                Some(first) => std::slice::from_ref(first),
                None => &quiet,
            };
            if next.is_empty() {
                settled.insert(path);
                continue;
            }
            for (deed, left) in next {
                open.extend(self.perform(object, &path, deed, *left));
            }
        }
        settled.into_iter().collect()
    }

    /// Whether a deed is seen, or needs others.
    pub fn is_visible(&self, object: InstanceId, deed: &Deed) -> bool {
        match deed {
            Deed::Effect(site, at, _) => {
                let effect = self.body(object).effects(*site).get(*at);
                effect.is_some_and(|effect| self.as_send(effect).is_some())
            }
            Deed::Group(..) | Deed::Terminate | Deed::Await(..) | Deed::Reply(..) => true,
            Deed::Set(..)
            | Deed::Save(_)
            | Deed::Forget(_)
            | Deed::Leave(_)
            | Deed::LeaveRegion(_)
            | Deed::Enter(..)
            | Deed::EnterRegion(_)
            | Deed::Restore(..)
            | Deed::Arrive(_)
            | Deed::Segment(..)
            | Deed::Decide(..)
            | Deed::Fork(..)
            | Deed::Gather(..)
            | Deed::Check(..)
            | Deed::Complete(_) => false,
        }
    }

    /// Whether it may matter when a quiet deed happens among parallel ones.
    fn is_sensitive(&self, object: InstanceId, deed: &Deed) -> bool {
        match deed {
            Deed::Effect(..) | Deed::Decide(..) | Deed::Gather(..) | Deed::Check(..) => true,
            Deed::Complete(_) => self.body(object).pool.len() > 1,
            Deed::Group(..)
            | Deed::Await(..)
            | Deed::Reply(..)
            | Deed::Terminate
            | Deed::Set(..)
            | Deed::Save(_)
            | Deed::Forget(_)
            | Deed::Leave(_)
            | Deed::LeaveRegion(_)
            | Deed::Enter(..)
            | Deed::EnterRegion(_)
            | Deed::Restore(..)
            | Deed::Arrive(_)
            | Deed::Fork(..)
            | Deed::Segment(..) => false,
        }
    }

    /// Does one quiet deed.
    fn perform(&mut self, object: InstanceId, path: &Path, deed: &Deed, left: ProcessId) -> Vec<Path> {
        match deed {
            Deed::Effect(site, at, binding) => {
                let after = Path { rest: left, ..path.clone() };
                match self.body(object).effects(*site).get(*at).cloned() {
                    Some(Effect::Assign(assign)) => self.assign(object, after, &assign, *binding),
                    Some(Effect::Send(send)) if call::is_return(&send) => {
                        self.keep_result(object, after, &send, *binding)
                    }
                    Some(Effect::Send(_) | Effect::Opaque { .. }) | None => vec![after],
                }
            }
            Deed::Set(variable, value) => {
                let mut after = Path { rest: left, ..path.clone() };
                after.store.insert(*variable, self.terms.constant(*value));
                vec![after]
            }
            Deed::Save(region) => {
                let mut after = Path { rest: left, ..path.clone() };
                let body = self.body(object);
                let (from, to) = (body.regions[*region], body.histories.get(region).copied());
                if let Some(to) = to {
                    let value = self.current(&after, from);
                    after.store.insert(to, value);
                }
                vec![after]
            }
            Deed::Forget(vertex) => {
                let after = Path { rest: left, ..path.clone() };
                vec![self.forget(object, after, *vertex)]
            }
            Deed::Complete(vertex) => {
                let after = Path { rest: left, ..path.clone() };
                self.complete(object, after, *vertex)
            }
            Deed::LeaveRegion(region) => self.leave_region(object, path, deed, *region),
            Deed::Restore(region, is_deep) => self.restore(object, path, deed, *region, *is_deep),
            Deed::Decide(vertex, binding) => self.decide(object, path, deed, *vertex, *binding),
            Deed::Fork(fork, binding) => {
                let ways = self.fork(object, *fork, *binding);
                ways.into_iter().map(|way| self.expanded(object, path, deed, way)).collect()
            }
            Deed::Gather(join, binding) => self.gather(object, path, deed, *join, *binding),
            Deed::Check(contract, binding) => {
                let after = Path { rest: left, ..path.clone() };
                self.check(object, after, *contract, *binding)
            }
            Deed::Leave(_) | Deed::Enter(..) | Deed::EnterRegion(_) | Deed::Arrive(_) | Deed::Segment(..) => {
                let expansion = self.expand(object, deed);
                vec![self.expanded(object, path, deed, expansion)]
            }
            Deed::Group(..) | Deed::Terminate | Deed::Await(..) | Deed::Reply(..) => {
                vec![Path { rest: left, ..path.clone() }]
            }
        }
    }

    /// The path with a deed written out.
    fn expanded(&mut self, object: InstanceId, path: &Path, deed: &Deed, expansion: ProcessId) -> Path {
        let rest = self.body_mut(object).processes.replaced(expansion, deed, path.rest);
        Path { rest, ..path.clone() }
    }

    /// What a variable is at the end of a path.
    pub fn current(&mut self, path: &Path, variable: VariableId) -> TermId {
        if let Some(known) = path.store.get(&variable) {
            return *known;
        }
        match path.facts.get(&variable) {
            Some(value) => self.terms.constant(*value),
            None => self.terms.variable(variable),
        }
    }

    /// The path where a term is true besides; `None` if it cannot be. What a variable was is remembered.
    pub fn given(&mut self, path: &Path, term: TermId) -> Option<Path> {
        if self.terms.as_constant(term) == Some(0) {
            return None;
        }
        let mut path = path.clone();
        if let Some((variable, value)) = self.terms.as_literal(term) {
            match path.facts.get(&variable) {
                Some(known) if *known != value => return None,
                _ => {
                    path.facts.insert(variable, value);
                }
            }
        }
        path.condition = self.terms.and([path.condition, term]);
        (self.terms.as_constant(path.condition) != Some(0)).then_some(path)
    }

    /// The value of an expression at the end of a path.
    pub fn value(
        &mut self,
        object: InstanceId,
        path: &Path,
        expression: &Expression,
        binding: BindingId,
    ) -> Option<Typed> {
        let binding = self.body(object).bindings[binding.index()].clone();
        let mut view = View::new(self, object, Some(path), &binding);
        data::evaluate(expression, &mut view).ok()
    }

    pub fn assign(
        &mut self,
        object: InstanceId,
        mut path: Path,
        assign: &Assign,
        binding: BindingId,
    ) -> Vec<Path> {
        let name = match assign.target.as_slice() {
            [name] => name,
            [word, name] if word == "self" || word == "this" => name,
            _ => return vec![path],
        };
        let Some(slot) = self.body(object).attributes.get(name).cloned() else { return vec![path] };
        let Some(value) = self.value(object, &path, &assign.value, binding) else { return vec![path] };
        if !value.kind.is_comparable(&slot.kind) {
            return vec![path];
        }
        let (low, high) = slot.kind.bounds(&self.enumerations, self.structure.objects.len());
        let fits = match value.kind {
            Type::Range(least, most) if low <= least && most <= high => self.terms.truth(true),
            _ => self.within(value.term, low, high),
        };
        let mut paths = Vec::new();
        let misfit = self.terms.not(fits);
        if let Some(mut broken) = self.given(&path, misfit) {
            let owner = &self.structure.objects[object].name;
            let text = format!("{owner}.{name} leaves its range {low}..{high}");
            broken.fault = Some(self.fault(text, assign.place));
            paths.push(broken);
        }
        path.store.insert(slot.variable, value.term);
        paths.extend(self.given(&path, fits));
        paths
    }

    /// Whether a value lies in a range.
    pub fn within(&mut self, term: TermId, low: i32, high: i32) -> TermId {
        let [low, high] = [low, high].map(|bound| self.terms.constant(bound));
        let [below, above] = [self.terms.less(term, low), self.terms.less(high, term)];
        let outside = self.terms.or([below, above]);
        self.terms.not(outside)
    }

    /// Forgets a completion event that waits: the younger ones move up.
    fn forget(&mut self, object: InstanceId, mut path: Path, vertex: VertexId) -> Path {
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
    fn complete(&mut self, object: InstanceId, path: Path, vertex: VertexId) -> Vec<Path> {
        let body = self.body(object);
        let Some(code) = body.completing.get(&vertex).copied() else { return vec![path] };
        let pool = body.pool.clone();
        let is_complete = self.has_completed(object, &path, vertex);
        let waits = self.terms.not(is_complete);
        let mut paths: Vec<Path> = self.given(&path, waits).into_iter().collect();
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

    /// Whether a state's regions have reached their ends and its `do` is over.
    pub fn has_completed(&mut self, object: InstanceId, path: &Path, vertex: VertexId) -> TermId {
        let body = self.body(object);
        let machine = body.machine;
        let mut finals: Vec<(VariableId, Vec<i32>)> = Vec::new();
        for region in body::state(machine, vertex).map(|state| state.regions.clone()).unwrap_or_default() {
            let is_final = |vertex: &&VertexId| machine.vertices[**vertex].kind == VertexKind::Final;
            let ends = machine.regions[region].vertices.iter().filter(is_final);
            let mut values: Vec<i32> = ends.map(|vertex| body.values[*vertex]).collect();
            // A region that is never entered keeps nobody waiting.
            if !machine.regions[region]
                .vertices
                .iter()
                .any(|vertex| machine.vertices[*vertex].kind == VertexKind::Initial)
            {
                values.push(0);
            }
            finals.push((body.regions[region], values));
        }
        let activity = body.activities.get(&vertex).copied();
        let length = body::state(machine, vertex).map_or(0, |state| state.activity.len()) as i32;
        let mut all = Vec::new();
        for (variable, values) in finals {
            let now = self.current(path, variable);
            let values: Vec<TermId> = values
                .into_iter()
                .map(|value| {
                    let value = self.terms.constant(value);
                    self.terms.equal(now, value)
                })
                .collect();
            all.push(self.terms.or(values));
        }
        if let Some(activity) = activity {
            let now = self.current(path, activity);
            let over = self.terms.constant(length + 1);
            all.push(self.terms.equal(now, over));
        }
        self.terms.and(all)
    }

    /// Leaves what is active in a region: where nothing is done on the way out, without looking what it is.
    fn leave_region(&mut self, object: InstanceId, path: &Path, deed: &Deed, region: RegionId) -> Vec<Path> {
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
            let inner = self.body(object).regions_within(region);
            let mut deeds = Vec::new();
            for region in inner {
                let body = self.body(object);
                deeds.push(Deed::Save(region));
                deeds.push(Deed::Set(body.regions[region], 0));
            }
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
                true => vec![Deed::Leave(vertex)],
                false => vec![Deed::Save(region), Deed::Set(variable, 0)],
            };
            let expansion = self.in_sequence(object, then);
            paths.push(self.expanded(object, &path, deed, expansion));
        }
        paths
    }

    /// Whether nothing but the change of state happens when a region is left.
    fn is_silent(&self, object: InstanceId, region: RegionId) -> bool {
        let body = self.body(object);
        body.regions_within(region).into_iter().all(|region| {
            body.machine.regions[region].vertices.iter().all(|vertex| {
                let state = body::state(body.machine, *vertex);
                let is_awaited = body.pool.len() > 1 && body.completing.contains_key(vertex);
                state.is_none_or(|state| state.exit.is_empty() && state.activity.is_empty()) && !is_awaited
            })
        })
    }

    /// Enters a region as it was left.
    fn restore(
        &mut self,
        object: InstanceId,
        path: &Path,
        deed: &Deed,
        region: RegionId,
        is_deep: bool,
    ) -> Vec<Path> {
        let body = self.body(object);
        let machine = body.machine;
        let Some(history) = body.histories.get(&region).copied() else {
            let expansion = self.in_sequence(object, vec![Deed::EnterRegion(region)]);
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
    fn decide(
        &mut self,
        object: InstanceId,
        path: &Path,
        deed: &Deed,
        vertex: VertexId,
        binding: BindingId,
    ) -> Vec<Path> {
        let outgoing = self.body(object).outgoing[vertex].clone();
        let options = self.alternatives(object, Some(path), &outgoing, binding);
        let mut paths = Vec::new();
        for (condition, transition) in options.enabled {
            let Some(path) = self.given(path, condition) else { continue };
            let expansion = self.in_sequence(object, vec![Deed::Segment(transition, Vec::new(), binding)]);
            paths.push(self.expanded(object, &path, deed, expansion));
        }
        if let Some(mut stuck) = self.given(path, options.none) {
            let owner = &self.structure.objects[object].name;
            let name = &self.body(object).machine.vertices[vertex].name;
            let text = format!("{owner} has no way to go on from {name}");
            let place = self.body(object).machine.vertices[vertex].place;
            stuck.fault = Some(self.fault(text, place));
            paths.push(stuck);
        }
        paths
    }

    /// Goes on from a join if all have come.
    fn gather(
        &mut self,
        object: InstanceId,
        path: &Path,
        deed: &Deed,
        join: VertexId,
        binding: BindingId,
    ) -> Vec<Path> {
        let all = self.gathered(object, Some(path), join, None);
        let waits = self.terms.not(all);
        let mut paths = Vec::new();
        for (term, deeds) in [(waits, Vec::new()), (all, vec![Deed::Decide(join, binding)])] {
            if let Some(path) = self.given(path, term) {
                let expansion = self.in_sequence(object, deeds);
                paths.push(self.expanded(object, &path, deed, expansion));
            }
        }
        paths
    }

    /// Whether every region with a way to a join waits there, apart from one.
    pub fn gathered(
        &mut self,
        object: InstanceId,
        path: Option<&Path>,
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
            let values: Vec<TermId> = values
                .into_iter()
                .map(|value| {
                    let value = self.terms.constant(value);
                    self.terms.equal(now, value)
                })
                .collect();
            all.push(self.terms.or(values));
        }
        self.terms.and(all)
    }

    /// Deeds in sequence as a process.
    pub fn in_sequence(&mut self, object: InstanceId, deeds: Vec<Deed>) -> ProcessId {
        let processes = &mut self.body_mut(object).processes;
        let parts: Vec<ProcessId> = deeds.into_iter().map(|deed| processes.deed(deed)).collect();
        processes.sequence(parts)
    }

    /// The effects at a place as a process.
    pub fn behaviour(&mut self, object: InstanceId, site: Site, binding: BindingId) -> ProcessId {
        let count = self.body(object).effects(site).len();
        let deeds = match self.is_rendezvous() {
            false => (0..count).map(|at| Deed::Effect(site, at, binding)).collect(),
            true => self.grouped(object, site, binding),
        };
        self.in_sequence(object, deeds)
    }

    /// Aims that lie in a region.
    pub fn aims_in(&self, object: InstanceId, region: RegionId, aims: &[Aim]) -> Vec<Aim> {
        let machine = self.body(object).machine;
        let is_inside = |aim: &&Aim| body::regions_around(machine, aim.target).contains(&region);
        aims.iter().filter(is_inside).take(MOST_DEPTH).cloned().collect()
    }
}

//! Selection: which transitions fire (rule M1).
//!
//! For an event the enabled transitions of each region are listed with the condition under which they fire, from the inside out: what is
//! enabled inside a state keeps the state's own transitions from firing. Transitions of orthogonal regions fire together, unless
//! one of them leaves the state around: then it fires alone.

use super::World;
use super::body::{self, MOST_DEPTH};
use super::data;
use super::execute::{Path, View};
use super::message::Ground;
use super::process::{Binding, BindingId, Deed, ProcessId};
use super::route;
use super::structure::InstanceId;
use crate::id::Id;
use crate::model::{Condition, RegionId, TransitionId, TransitionKind, Trigger, VertexId, VertexKind};
use crate::system::TermId;

/// Combinations of transitions beyond this are not listed.
const MOST_COMBINATIONS: usize = 4_096;

/// What an object reacts to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stimulus {
    /// A message.
    Message(Ground),
    /// A state has completed.
    Completion(VertexId),
    /// Time has passed, or a condition has become true, for one transition.
    Spontaneous(TransitionId),
}

/// Transitions of one source and trigger, with what must hold for each.
pub(super) struct Alternatives {
    pub enabled: Vec<(TermId, TransitionId)>,
    /// None of them may be enabled.
    pub none: TermId,
    /// Those that are decided freely.
    prose: Vec<TransitionId>,
    /// Those that are taken if no other is.
    fallback: Vec<TransitionId>,
}

/// A transition with the way behind junctions, and what its parameters stand for; or all transitions into a join, and the one out of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Compound {
    pub transition: TransitionId,
    pub via: Vec<TransitionId>,
    pub binding: BindingId,
    /// The transitions into a join, from all of its sources, if they fire together.
    pub joined: Vec<TransitionId>,
    /// It leads to a join and waits there for others.
    pub parks: bool,
}

/// What may fire in a region, or in a state.
#[derive(Clone, Debug)]
struct Options {
    /// Sets that fire together and leave nothing around the region, each with its condition.
    staying: Vec<(TermId, Vec<Compound>)>,
    /// Transitions that leave a state around the region.
    leaving: Vec<(TermId, Compound)>,
    /// Nothing is enabled.
    none: TermId,
    /// Nothing that stays is enabled.
    none_staying: TermId,
}

impl World<'_> {
    /// What fires for a stimulus: sets of transitions with their conditions, and when nothing does.
    pub fn firings(
        &mut self,
        object: InstanceId,
        stimulus: &Stimulus,
    ) -> (Vec<(TermId, Vec<Compound>)>, TermId) {
        if let Stimulus::Completion(vertex) = stimulus {
            return self.completion_firings(object, *vertex);
        }
        let regions: Vec<RegionId> = self.body(object).machine.top_regions().collect();
        let options: Vec<Options> =
            regions.into_iter().map(|region| self.region_options(object, region, stimulus, 0)).collect();
        let whole = self.combined(options, None);
        let alone = whole.leaving.into_iter().map(|(condition, compound)| (condition, vec![compound]));
        (whole.staying.into_iter().chain(alone).collect(), whole.none)
    }

    /// What fires when a state has completed.
    fn completion_firings(
        &mut self,
        object: InstanceId,
        vertex: VertexId,
    ) -> (Vec<(TermId, Vec<Compound>)>, TermId) {
        let (own, none) = self.own_options(object, vertex, &Stimulus::Completion(vertex));
        (own.into_iter().map(|(condition, compound)| (condition, vec![compound])).collect(), none)
    }

    /// When a message is kept for later: an active state defers it, and nothing in that state takes it.
    pub fn is_deferred(&mut self, object: InstanceId, stimulus: &Stimulus) -> TermId {
        let all: Vec<TermId> = self.deferring(object, stimulus).into_iter().map(|(_, term)| term).collect();
        self.terms.or(all)
    }

    /// When a message is kept for later although a set of transitions could fire: by a state in which none of them begins.
    pub fn is_held_back(
        &mut self,
        object: InstanceId,
        deferring: &[(VertexId, TermId)],
        set: &[Compound],
    ) -> TermId {
        let machine = self.body(object).machine;
        let is_inside = |state: VertexId, compound: &Compound| {
            let mut at = Some(machine.transitions[compound.transition].source);
            while let Some(here) = at {
                if here == state {
                    return true;
                }
                at = machine.parent(here);
            }
            false
        };
        let others = deferring.iter().filter(|(state, _)| !set.iter().any(|one| is_inside(*state, one)));
        let all: Vec<TermId> = others.map(|(_, term)| *term).collect();
        self.terms.or(all)
    }

    /// The states that defer a message, each with when it does.
    pub fn deferring(&mut self, object: InstanceId, stimulus: &Stimulus) -> Vec<(VertexId, TermId)> {
        let Stimulus::Message(ground) = stimulus else { return Vec::new() };
        let machine = self.body(object).machine;
        let names_it = |trigger: &Trigger| match trigger {
            Trigger::Event { name, .. } => *name == ground.name,
            Trigger::Any => true,
            Trigger::After(_) | Trigger::When(_) => false,
        };
        let mut all = Vec::new();
        for vertex in machine.vertices.ids() {
            let defers =
                body::state(machine, vertex).is_some_and(|state| state.deferred.iter().any(names_it));
            if !defers {
                continue;
            }
            let region = machine.vertices[vertex].region;
            let is_active =
                self.terms.is(self.body(object).regions[region], self.body(object).values[vertex]);
            let options = self.state_options(object, region, vertex, stimulus, 0);
            all.push((vertex, self.terms.and([is_active, options.none])));
        }
        all
    }

    fn region_options(
        &mut self,
        object: InstanceId,
        region: RegionId,
        stimulus: &Stimulus,
        depth: usize,
    ) -> Options {
        let body = self.body(object);
        let variable = body.regions[region];
        let vertices: Vec<VertexId> = body.machine.regions[region].vertices.clone();
        let mut all = Options {
            staying: Vec::new(),
            leaving: Vec::new(),
            none: variable_none(),
            none_staying: variable_none(),
        };
        let mut none = Vec::new();
        let mut none_staying = Vec::new();
        let mut others = Vec::new();
        for vertex in vertices {
            let value = self.body(object).values[vertex];
            if value == 0 {
                continue;
            }
            let is_active = self.terms.is(variable, value);
            others.push(self.terms.not(is_active));
            if body::state(self.body(object).machine, vertex).is_none() || depth > MOST_DEPTH {
                none.push(is_active);
                none_staying.push(is_active);
                continue;
            }
            let options = self.state_options(object, region, vertex, stimulus, depth);
            for (condition, set) in options.staying {
                let condition = self.terms.and([is_active, condition]);
                all.staying.push((condition, set));
            }
            for (condition, one) in options.leaving {
                let condition = self.terms.and([is_active, condition]);
                all.leaving.push((condition, one));
            }
            none.push(self.terms.and([is_active, options.none]));
            none_staying.push(self.terms.and([is_active, options.none_staying]));
        }
        let inactive = self.terms.and(others);
        all.none = self.terms.or(none.into_iter().chain([inactive]));
        all.none_staying = self.terms.or(none_staying.into_iter().chain([inactive]));
        all
    }

    /// What may fire in an active state, as seen from the region in which it lies.
    fn state_options(
        &mut self,
        object: InstanceId,
        region: RegionId,
        vertex: VertexId,
        stimulus: &Stimulus,
        depth: usize,
    ) -> Options {
        let body = self.body(object);
        let regions =
            body::state(body.machine, vertex).map(|state| state.regions.clone()).unwrap_or_default();
        let inside: Vec<Options> =
            regions.iter().map(|inner| self.region_options(object, *inner, stimulus, depth + 1)).collect();
        let joins = self.joins_inside(object, &regions, stimulus);
        let inner = self.combined(inside, Some(joins));
        let (own, own_none) = self.own_options(object, vertex, stimulus);
        let mut all = Options {
            staying: inner.staying,
            leaving: Vec::new(),
            none: self.terms.and([inner.none, own_none]),
            none_staying: inner.none_staying,
        };
        let mut stays = Vec::new();
        let outward =
            inner.leaving.into_iter().map(|(condition, compound)| (condition, compound, inner.none));
        let own = own.into_iter().map(|(condition, compound)| {
            let condition = self.terms.and([condition, inner.none]);
            (condition, compound, own_none)
        });
        let own: Vec<(TermId, Compound, TermId)> = own.collect();
        for (condition, compound, otherwise) in outward.chain(own) {
            match self.stays_in(object, region, &compound) {
                true => {
                    stays.push(otherwise);
                    all.staying.push((condition, vec![compound]));
                }
                false => all.leaving.push((condition, compound)),
            }
        }
        all.none_staying = self.terms.and(stays.into_iter().chain([all.none_staying]));
        all
    }

    /// Whether firing a transition leaves nothing around a region.
    fn stays_in(&self, object: InstanceId, region: RegionId, compound: &Compound) -> bool {
        if compound.parks {
            return true;
        }
        let body = self.body(object);
        let last = compound.via.iter().chain([&compound.transition]);
        let machine = body.machine;
        last.into_iter().all(|transition| {
            if machine.transitions[*transition].kind == TransitionKind::Internal {
                return true;
            }
            let Some(scope) = route::scope(body, *transition) else { return true };
            // The scope is the region itself or one inside of it.
            let mut at = Some(scope);
            while let Some(here) = at {
                if here == region {
                    return true;
                }
                at = machine.regions[here].owner.map(|owner| machine.vertices[owner].region);
            }
            false
        })
    }

    /// What orthogonal regions do together; `joins` fire across them.
    fn combined(&mut self, regions: Vec<Options>, joins: Option<Vec<(TermId, Compound)>>) -> Options {
        let mut sets: Vec<(TermId, Vec<Compound>)> = vec![(self.terms.truth(true), Vec::new())];
        let mut leaving: Vec<(TermId, Compound)> = joins.unwrap_or_default();
        let join_conditions: Vec<TermId> = leaving.iter().map(|(condition, _)| *condition).collect();
        let none: Vec<TermId> = regions.iter().map(|options| options.none).collect();
        let none_staying: Vec<TermId> = regions.iter().map(|options| options.none_staying).collect();
        for options in regions {
            let mut next = Vec::new();
            for (condition, set) in &sets {
                let idle = self.terms.and([*condition, options.none_staying]);
                next.push((idle, set.clone()));
                for (other, more) in &options.staying {
                    let both = self.terms.and([*condition, *other]);
                    next.push((both, set.iter().chain(more).cloned().collect()));
                }
            }
            next.retain(|(condition, _)| self.terms.as_constant(*condition) != Some(0));
            self.is_too_large |= next.len() > MOST_COMBINATIONS;
            next.truncate(MOST_COMBINATIONS);
            sets = next;
            leaving.extend(options.leaving);
        }
        sets.retain(|(_, set)| !set.is_empty());
        let any_join = self.terms.or(join_conditions);
        let no_join = self.terms.not(any_join);
        let none = self.terms.and(none.into_iter().chain([no_join]));
        let none_staying = self.terms.and(none_staying);
        Options { staying: sets, leaving, none, none_staying }
    }

    /// The transitions of a state itself that a stimulus enables.
    fn own_options(
        &mut self,
        object: InstanceId,
        vertex: VertexId,
        stimulus: &Stimulus,
    ) -> (Vec<(TermId, Compound)>, TermId) {
        // One name is enough for a parameter, wherever it stands: guards of all transitions are seen together.
        let mut binding = Binding::default();
        let mut group: Vec<TransitionId> = Vec::new();
        let mut fallback: Vec<TransitionId> = Vec::new();
        let body = self.body(object);
        for id in &body.outgoing[vertex] {
            let transition = &body.machine.transitions[*id];
            let is_join = body.machine.vertices[transition.target].kind == VertexKind::Join
                && !body.parked.contains_key(id)
                && self.incoming(object, transition.target).len() > 1;
            let fits = match stimulus {
                Stimulus::Completion(_) => {
                    let is_it = transition.triggers.is_empty() && transition.kind != TransitionKind::Internal;
                    (is_it && !is_join).then(Binding::default)
                }
                Stimulus::Spontaneous(wanted) => {
                    let wanted = &body.machine.transitions[*wanted];
                    let is_rival = wanted.source == vertex && wanted.triggers == transition.triggers;
                    is_rival.then(Binding::default)
                }
                Stimulus::Message(_) if is_join => None,
                Stimulus::Message(ground) => {
                    if transition.triggers.contains(&Trigger::Any) {
                        fallback.push(*id);
                    }
                    self.bound(&transition.triggers, ground)
                }
            };
            let Some(found) = fits else { continue };
            group.push(*id);
            for parameter in found.parameters {
                if binding.parameters.iter().all(|(known, ..)| *known != parameter.0) {
                    binding.parameters.push(parameter);
                }
            }
        }
        if let Stimulus::Message(ground) = stimulus {
            binding.sender = ground.from;
            binding.call = self.is_call(ground.from, &ground.name).then(|| ground.name.clone());
        }
        let sender = binding.sender;
        let binding = self.body_mut(object).bind(binding);
        let (mut enabled, mut none) = self.compounds(object, &group, binding);
        if let Stimulus::Spontaneous(wanted) = stimulus {
            enabled.retain(|(_, compound)| compound.transition == *wanted);
        }
        if let Stimulus::Completion(_) = stimulus {
            let joined = self.joins_from(object, vertex, stimulus);
            let conditions: Vec<TermId> = joined.iter().map(|(condition, _)| *condition).collect();
            enabled.extend(joined);
            let any = self.terms.or(conditions);
            let no = self.terms.not(any);
            none = self.terms.and([none, no]);
        }
        if !fallback.is_empty() {
            let binding = self.body_mut(object).bind(Binding { sender, ..Binding::default() });
            let (found, otherwise) = self.compounds(object, &fallback, binding);
            for (condition, compound) in found {
                enabled.push((self.terms.and([none, condition]), compound));
            }
            none = self.terms.and([none, otherwise]);
        }
        (enabled, none)
    }

    /// What the parameters of triggers stand for, if one of them is for a message.
    fn bound(&self, triggers: &[Trigger], ground: &Ground) -> Option<Binding> {
        triggers.iter().find_map(|trigger| match trigger {
            Trigger::Event { name, parameters } if *name == ground.name => self.fits(parameters, ground),
            Trigger::Event { .. } | Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
        })
    }

    /// The guards of transitions of one source and trigger, and the ways behind junctions.
    fn compounds(
        &mut self,
        object: InstanceId,
        group: &[TransitionId],
        binding: BindingId,
    ) -> (Vec<(TermId, Compound)>, TermId) {
        let Alternatives { enabled, none, prose, fallback } = self.alternatives(object, None, group, binding);
        let mut found = Vec::new();
        // A transition that leads nowhere behind a junction is as good as not enabled.
        let mut may_fail = Vec::new();
        let mut may_fail_freely = Vec::new();
        let mut is_straight = true;
        for (condition, transition) in enabled {
            let dead = match self.body(object).parked.contains_key(&transition) {
                true => {
                    let (ways, dead) = self.ways_to_join(object, transition, condition, binding);
                    found.extend(ways);
                    dead
                }
                false => {
                    let (ways, dead) = self.ways(object, transition, binding, 0);
                    for (more, via) in ways {
                        let condition = self.terms.and([condition, more]);
                        let joined = Vec::new();
                        found.push((condition, Compound { transition, via, binding, joined, parks: false }));
                    }
                    dead
                }
            };
            is_straight &= self.terms.as_constant(dead) == Some(0);
            match prose.contains(&transition) || fallback.contains(&transition) {
                true => may_fail_freely.push(dead),
                false => {
                    let idle = self.terms.not(condition);
                    may_fail.push(self.terms.or([idle, dead]));
                }
            }
        }
        if is_straight {
            return (found, none);
        }
        let may_fail = self.terms.and(may_fail);
        let freely = match (prose.len(), fallback.is_empty()) {
            (0 | 1, true) => self.terms.truth(true),
            (_, _) => self.terms.or(may_fail_freely),
        };
        (found, self.terms.and([may_fail, freely]))
    }

    /// What a transition into a join does: the last to come goes on, if it can; the others wait. And when it can do neither.
    fn ways_to_join(
        &mut self,
        object: InstanceId,
        transition: TransitionId,
        condition: TermId,
        binding: BindingId,
    ) -> (Vec<(TermId, Compound)>, TermId) {
        let body = self.body(object);
        let join = body.machine.transitions[transition].target;
        let (region, outgoing) = (body.region_of_source(transition), body.outgoing[join].clone());
        let is_last = self.gathered(object, None, join, Some(region));
        let Alternatives { enabled, none, .. } = self.alternatives(object, None, &outgoing, binding);
        let waits = self.terms.not(is_last);
        let waits = self.terms.and([condition, waits]);
        let plain = Compound { transition, via: Vec::new(), binding, joined: Vec::new(), parks: true };
        let mut ways = vec![(waits, plain.clone())];
        for (more, next) in enabled {
            let condition = self.terms.and([condition, is_last, more]);
            ways.push((condition, Compound { via: vec![next], parks: false, ..plain.clone() }));
        }
        (ways, self.terms.and([condition, is_last, none]))
    }

    /// The ways behind a transition as far as junctions decide them beforehand, and when there is none.
    fn ways(
        &mut self,
        object: InstanceId,
        transition: TransitionId,
        binding: BindingId,
        depth: usize,
    ) -> (Vec<(TermId, Vec<TransitionId>)>, TermId) {
        let yes = self.terms.truth(true);
        let body = self.body(object);
        let target = body.machine.transitions[transition].target;
        let outgoing = body.outgoing[target].clone();
        let is_static = match body.machine.vertices[target].kind {
            VertexKind::Junction | VertexKind::Exit => true,
            VertexKind::Entry => outgoing.len() == 1,
            VertexKind::State(_)
            | VertexKind::Initial
            | VertexKind::Final
            | VertexKind::Choice
            | VertexKind::Fork
            | VertexKind::Join
            | VertexKind::ShallowHistory
            | VertexKind::DeepHistory
            | VertexKind::Terminate => false,
        };
        if depth > 20 {
            return (Vec::new(), yes);
        }
        if !is_static {
            let dead = self.dead_inside(object, target, depth);
            return (vec![(self.terms.not(dead), Vec::new())], dead);
        }
        let Alternatives { enabled, none, .. } = self.alternatives(object, None, &outgoing, binding);
        let mut all = Vec::new();
        let mut dead = vec![none];
        for (condition, next) in enabled {
            let (ways, nowhere) = self.ways(object, next, binding, depth + 1);
            dead.push(self.terms.and([condition, nowhere]));
            for (more, via) in ways {
                let condition = self.terms.and([condition, more]);
                all.push((condition, [next].into_iter().chain(via).collect()));
            }
        }
        let dead = self.terms.or(dead);
        (all, dead)
    }

    /// Whether a state cannot be entered, as one of its regions begins at a junction behind which no guard is true.
    fn dead_inside(&mut self, object: InstanceId, vertex: VertexId, depth: usize) -> TermId {
        let body = self.body(object);
        let machine = body.machine;
        let regions = body::state(machine, vertex).map(|state| state.regions.as_slice()).unwrap_or_default();
        let members = regions.iter().flat_map(|region| &machine.regions[*region].vertices);
        let initial = members.filter(|vertex| machine.vertices[**vertex].kind == VertexKind::Initial);
        let begun: Vec<TransitionId> = initial
            .filter_map(|vertex| match body.outgoing[*vertex].as_slice() {
                [only] => Some(*only),
                _ => None,
            })
            .collect();
        let mut dead = Vec::new();
        for transition in begun {
            let (_, nowhere) = self.ways(object, transition, BindingId::from_index(0), depth + 1);
            dead.push(nowhere);
        }
        self.terms.or(dead)
    }

    /// The guards of transitions of one source and trigger: on a path, or in the state before.
    pub fn alternatives(
        &mut self,
        object: InstanceId,
        path: Option<&Path>,
        group: &[TransitionId],
        binding: BindingId,
    ) -> Alternatives {
        let machine = self.body(object).machine;
        let guards: Vec<(TransitionId, Option<Condition>)> =
            group.iter().map(|id| (*id, machine.transitions[*id].guard.clone())).collect();
        let is_else = |guard: &Condition| guard.expression.is_none() && guard.text == "else";
        let mut enabled = Vec::new();
        let mut known = Vec::new();
        let mut prose = Vec::new();
        let mut fallback = Vec::new();
        for (id, guard) in &guards {
            match guard {
                None => {
                    let yes = self.terms.truth(true);
                    known.push(yes);
                    enabled.push((yes, *id));
                }
                Some(guard) if is_else(guard) => fallback.push(*id),
                Some(guard) => match self.condition(object, path, guard, binding) {
                    Some(term) => {
                        known.push(term);
                        enabled.push((term, *id));
                    }
                    None => prose.push(*id),
                },
            }
        }
        let any = self.terms.or(known);
        let otherwise = self.terms.not(any);
        let yes = self.terms.truth(true);
        enabled.extend(prose.iter().map(|id| (yes, *id)));
        enabled.extend(fallback.iter().map(|id| (otherwise, *id)));
        enabled.retain(|(condition, _)| self.terms.as_constant(*condition) != Some(0));
        enabled.sort_by_key(|(_, id)| *id);
        let none = match (fallback.is_empty(), prose.len()) {
            // Of several guards in prose one is true.
            (false, _) | (true, 2..) => self.terms.truth(false),
            (true, 0 | 1) => otherwise,
        };
        Alternatives { enabled, none, prose, fallback }
    }

    /// A guard as a term; `None` for one that is decided freely.
    fn condition(
        &mut self,
        object: InstanceId,
        path: Option<&Path>,
        guard: &Condition,
        binding: BindingId,
    ) -> Option<TermId> {
        let expression = guard.expression.as_ref()?;
        let binding = self.body(object).bindings[binding.index()].clone();
        let mut view = View::new(self, object, path, &binding);
        data::truth(expression, &mut view).ok()
    }

    /// The transitions into a vertex.
    fn incoming(&self, object: InstanceId, vertex: VertexId) -> Vec<TransitionId> {
        let machine = self.body(object).machine;
        machine.transitions.enumerate().filter(|(_, one)| one.target == vertex).map(|(id, _)| id).collect()
    }

    /// Whether regions wait at the join of these transitions, instead of going through it together.
    fn waits_at(&self, object: InstanceId, incoming: &[TransitionId]) -> bool {
        incoming.iter().any(|id| self.body(object).parked.contains_key(id))
    }

    /// Joins whose sources lie in several of these regions and that a message enables.
    fn joins_inside(
        &mut self,
        object: InstanceId,
        regions: &[RegionId],
        stimulus: &Stimulus,
    ) -> Vec<(TermId, Compound)> {
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
    fn joins_from(
        &mut self,
        object: InstanceId,
        vertex: VertexId,
        stimulus: &Stimulus,
    ) -> Vec<(TermId, Compound)> {
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
    fn join(
        &mut self,
        object: InstanceId,
        join: VertexId,
        incoming: &[TransitionId],
        stimulus: &Stimulus,
    ) -> Option<(TermId, Compound)> {
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
                let path = Path::new(yes, Default::default(), done);
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
                all.push(term);
            }
        }
        let condition = self.terms.and(all);
        Some((
            condition,
            Compound { transition: out, via: Vec::new(), binding, joined: incoming.to_vec(), parks: false },
        ))
    }

    /// A set of transitions that fire together as a process.
    pub fn process(&mut self, object: InstanceId, set: &[Compound]) -> ProcessId {
        let parts: Vec<ProcessId> = set
            .iter()
            .map(|compound| {
                let sources: Vec<ProcessId> = compound
                    .joined
                    .iter()
                    .map(|id| self.source_joined(object, *id, compound.binding))
                    .collect();
                let deed = Deed::Segment(compound.transition, compound.via.clone(), compound.binding);
                let rest = match compound.parks {
                    true => self.park(object, compound),
                    false => self.in_sequence(object, vec![deed]),
                };
                let processes = &mut self.body_mut(object).processes;
                let first = processes.parallel(sources);
                processes.then(first, rest)
            })
            .collect();
        self.body_mut(object).processes.parallel(parts)
    }

    /// A source of a join is left, the effect happens, and its region waits for the others.
    fn park(&mut self, object: InstanceId, compound: &Compound) -> ProcessId {
        let first = self.source_joined(object, compound.transition, compound.binding);
        let body = self.body(object);
        let variable = body.regions[body.region_of_source(compound.transition)];
        let join = body.machine.transitions[compound.transition].target;
        let value = body.parked.get(&compound.transition).copied().unwrap_or(0);
        let rest = vec![Deed::Set(variable, value), Deed::Gather(join, compound.binding)];
        let rest = self.in_sequence(object, rest);
        self.body_mut(object).processes.then(first, rest)
    }

    /// A source of a join is left, and the effect of its transition happens.
    fn source_joined(
        &mut self,
        object: InstanceId,
        transition: TransitionId,
        binding: BindingId,
    ) -> ProcessId {
        let source = self.body(object).machine.transitions[transition].source;
        let leave = self.in_sequence(object, vec![Deed::Leave(source)]);
        let effect = self.behaviour(object, super::process::Site::Transition(transition), binding);
        self.body_mut(object).processes.then(leave, effect)
    }
}

/// Stands for a term that is computed later.
fn variable_none() -> TermId {
    TermId::from_index(0)
}

//! Selection: which transitions fire (rule M1).
//!
//! For an event the enabled transitions of each region are listed with the condition under which they fire, from the inside out: what is
//! enabled inside a state keeps the state's own transitions from firing. Transitions of orthogonal regions fire together, unless
//! one of them leaves the state around: then it fires alone. All this is done once for each way to decide the guards in prose.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::body::{self, MOST_DEPTH};
use super::guard::{CompoundTransition, Guess, MOST_COMBINATIONS};
use super::message::GroundMessage;
use super::process::{ProcessId, ProcessStep};
use super::route;
use super::structure::InstanceId;
use crate::model::{RegionId, TransitionId, TransitionKind, VertexId};
use crate::system::TermId;

/// What an object reacts to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stimulus {
    /// A message.
    Message(GroundMessage),
    /// A state has completed.
    Completion(VertexId),
    /// Time has passed, or a condition has become true, for one transition.
    Spontaneous(TransitionId),
}

/// A stimulus, and where in a machine to look for what reacts to it.
struct StimulusScope<'s> {
    stimulus: &'s Stimulus,
    /// The vertices of each region that it concerns, or in which it concerns others.
    concerned: BTreeMap<RegionId, BTreeSet<VertexId>>,
}

/// What may fire in a region, or in a state, if guards in prose are decided in one way.
#[derive(Clone, Debug)]
struct FiringOptions {
    /// Sets that fire together and leave nothing around the region, each with its condition.
    staying: Vec<(TermId, Vec<CompoundTransition>)>,
    /// Transitions that leave a state around the region.
    leaving: Vec<(TermId, CompoundTransition)>,
    /// Nothing is enabled.
    none: TermId,
    /// Nothing that stays is enabled.
    none_staying: TermId,
    /// A state defers the message.
    deferred: TermId,
}

/// What fires for a stimulus.
#[derive(Clone, Debug)]
pub(super) struct Firings {
    /// Sets of transitions, each with its condition.
    pub sets: Vec<(TermId, Vec<CompoundTransition>)>,
    /// Nothing fires, and nothing keeps the message for later.
    pub none: TermId,
    /// A state keeps the message for later.
    pub deferred: TermId,
}

impl World<'_> {
    /// What fires for a stimulus, however guards in prose are decided.
    pub(crate) fn firings(&mut self, object: InstanceId, stimulus: &Stimulus) -> Firings {
        let options = match stimulus {
            Stimulus::Completion(vertex) => self.completion_options(object, *vertex),
            Stimulus::Message(_) | Stimulus::Spontaneous(_) => {
                let cause = StimulusScope { stimulus, concerned: self.concerned(object, stimulus) };
                let regions: Vec<RegionId> = self.body(object).machine.top_regions().collect();
                let inside: Vec<Vec<FiringOptions>> = regions
                    .into_iter()
                    .map(|region| self.region_options(object, region, &cause, 0))
                    .collect();
                let combinations = self.combinations(inside);
                combinations.into_iter().map(|options| self.combined(options, &[])).collect()
            }
        };
        let mut sets: Vec<(Vec<CompoundTransition>, Vec<TermId>)> = Vec::new();
        let mut known: BTreeMap<Vec<CompoundTransition>, usize> = BTreeMap::new();
        let (mut none, mut deferred) = (Vec::new(), Vec::new());
        for one in options {
            let goes = self.terms.not(one.deferred);
            let alone = one.leaving.into_iter().map(|(condition, compound)| (condition, vec![compound]));
            for (condition, set) in one.staying.into_iter().chain(alone) {
                let at = *known.entry(set).or_insert_with_key(|set| {
                    sets.push((set.clone(), Vec::new()));
                    sets.len() - 1
                });
                sets[at].1.push(self.terms.and([condition, goes]));
            }
            none.push(self.terms.and([one.none, goes]));
            deferred.push(one.deferred);
        }
        let whole =
            |(set, conditions): (Vec<CompoundTransition>, Vec<TermId>)| (self.terms.or(conditions), set);
        let sets = sets.into_iter().map(whole).collect();
        Firings { sets, none: self.terms.or(none), deferred: self.terms.or(deferred) }
    }

    /// What may fire when a state has completed.
    fn completion_options(&mut self, object: InstanceId, vertex: VertexId) -> Vec<FiringOptions> {
        let no = self.terms.truth(false);
        let alone = |(condition, compound): (TermId, CompoundTransition)| (condition, vec![compound]);
        let options = |own: Guess| FiringOptions {
            staying: own.enabled.into_iter().map(alone).collect(),
            leaving: Vec::new(),
            none: own.none,
            none_staying: own.none,
            deferred: no,
        };
        self.own_options(object, vertex, &Stimulus::Completion(vertex)).into_iter().map(options).collect()
    }

    /// What may fire in a region. Of its states one is active, so their guards in prose are decided side by side.
    fn region_options(
        &mut self,
        object: InstanceId,
        region: RegionId,
        cause: &StimulusScope<'_>,
        depth: usize,
    ) -> Vec<FiringOptions> {
        let body = self.body(object);
        let variable = body.regions[region];
        let of_vertex = |vertex: &VertexId| (body.values[*vertex], *vertex);
        let concerned = cause.concerned.get(&region).into_iter().flatten();
        let active: BTreeMap<i32, VertexId> = concerned.map(of_vertex).filter(|one| one.0 > 0).collect();
        let mut states: Vec<(TermId, Vec<FiringOptions>)> = Vec::new();
        for (value, vertex) in active {
            let is_state = body::state(self.body(object).machine, vertex).is_some();
            if is_state && depth <= MOST_DEPTH {
                let is_active = self.terms.is(variable, value);
                states.push((is_active, self.state_options(object, region, vertex, cause, depth)));
            }
        }
        let count = states.iter().map(|(_, options)| options.len()).max().unwrap_or(0).max(1);
        (0..count).map(|guess| self.one_of(&states, guess)).collect()
    }

    /// What may fire in the state that is active, in one of the ways to decide its guards: one of some states, or none of them, in
    /// which case nothing fires.
    fn one_of(&mut self, states: &[(TermId, Vec<FiringOptions>)], guess: usize) -> FiringOptions {
        let (mut staying, mut leaving) = (Vec::new(), Vec::new());
        let (mut none, mut none_staying, mut deferred) = (Vec::new(), Vec::new(), Vec::new());
        let mut others = Vec::new();
        for (is_active, options) in states {
            others.push(self.terms.not(*is_active));
            let Some(options) = options.get(guess).or(options.last()) else { continue };
            for (condition, set) in &options.staying {
                staying.push((self.terms.and([*is_active, *condition]), set.clone()));
            }
            for (condition, one) in &options.leaving {
                leaving.push((self.terms.and([*is_active, *condition]), one.clone()));
            }
            none.push(self.terms.and([*is_active, options.none]));
            none_staying.push(self.terms.and([*is_active, options.none_staying]));
            deferred.push(self.terms.and([*is_active, options.deferred]));
        }
        let others = self.terms.and(others);
        FiringOptions {
            staying,
            leaving,
            none: self.terms.or(none.into_iter().chain([others])),
            none_staying: self.terms.or(none_staying.into_iter().chain([others])),
            deferred: self.terms.or(deferred),
        }
    }

    /// The vertices of each region that a stimulus concerns, or in which it concerns others.
    fn concerned(&self, object: InstanceId, stimulus: &Stimulus) -> BTreeMap<RegionId, BTreeSet<VertexId>> {
        let body = self.body(object);
        let own: Vec<VertexId> = match stimulus {
            Stimulus::Message(ground) => body.listeners(&ground.name).collect(),
            Stimulus::Completion(vertex) => vec![*vertex],
            Stimulus::Spontaneous(wanted) => vec![body.machine.transitions[*wanted].source],
        };
        let mut concerned: BTreeMap<RegionId, BTreeSet<VertexId>> = BTreeMap::new();
        for vertex in own {
            let mut next = Some(vertex);
            while let Some(at) = next {
                let region = body.machine.vertices[at].region;
                let is_new = concerned.entry(region).or_default().insert(at);
                next = body.machine.regions[region].owner.filter(|_| is_new);
            }
        }
        concerned
    }

    /// What may fire in an active state, as seen from the region in which it lies.
    fn state_options(
        &mut self,
        object: InstanceId,
        region: RegionId,
        vertex: VertexId,
        cause: &StimulusScope<'_>,
        depth: usize,
    ) -> Vec<FiringOptions> {
        let stimulus = cause.stimulus;
        let body = self.body(object);
        let regions =
            body::state(body.machine, vertex).map(|state| state.regions.clone()).unwrap_or_default();
        let inside: Vec<Vec<FiringOptions>> =
            regions.iter().map(|inner| self.region_options(object, *inner, cause, depth + 1)).collect();
        let joins = self.joins_inside(object, &regions, stimulus);
        let combinations = self.combinations(inside);
        let own = self.own_options(object, vertex, stimulus);
        let defers = self.defers(object, vertex, stimulus);
        self.is_too_large |= combinations.len() * own.len() > MOST_COMBINATIONS;
        let mut all = Vec::new();
        for inside in combinations {
            let inner = self.combined(inside, &joins);
            for guess in own.iter().take(MOST_COMBINATIONS) {
                let mut options = self.with_own(object, region, &inner, guess);
                let defers = self.terms.truth(defers);
                let own = self.terms.and([options.none, defers]);
                options.deferred = self.terms.or([inner.deferred, own]);
                all.push(options);
            }
        }
        all
    }

    /// A state's own transitions fire only where nothing inside of it is enabled.
    fn with_own(
        &mut self,
        object: InstanceId,
        region: RegionId,
        inner: &FiringOptions,
        own: &Guess,
    ) -> FiringOptions {
        let inner_sets = inner.staying.iter().map(|(condition, _)| *condition);
        let inner_any: Vec<TermId> =
            inner_sets.chain(inner.leaving.iter().map(|(condition, _)| *condition)).collect();
        let inner_any = self.terms.or(inner_any);
        // Each with when it may be that it is not enabled.
        let mut options = Vec::new();
        for (condition, compound) in &inner.leaving {
            let condition = self.terms.and([*condition, own.valid]);
            let is_off = self.terms.not(condition);
            options.push((condition, compound, self.terms.or([is_off, inner.none])));
        }
        for (condition, compound) in &own.enabled {
            let is_off = self.terms.not(*condition);
            let is_off = self.terms.or([is_off, own.none, inner_any]);
            options.push((self.terms.and([*condition, inner.none]), compound, is_off));
        }
        let mut staying: Vec<(TermId, Vec<CompoundTransition>)> = Vec::new();
        for (condition, set) in &inner.staying {
            staying.push((self.terms.and([*condition, own.valid]), set.clone()));
        }
        let mut leaving = Vec::new();
        let mut stays = vec![inner.none_staying, own.valid];
        for (condition, compound, is_off) in options {
            match self.stays_in(object, region, compound) {
                true => {
                    stays.push(is_off);
                    staying.push((condition, vec![compound.clone()]));
                }
                false => leaving.push((condition, compound.clone())),
            }
        }
        FiringOptions {
            staying,
            leaving,
            none: self.terms.and([inner.none, own.none]),
            none_staying: self.terms.and(stays),
            deferred: inner.deferred,
        }
    }

    /// One way for each region, in all combinations.
    fn combinations(&mut self, regions: Vec<Vec<FiringOptions>>) -> Vec<Vec<FiringOptions>> {
        let mut all: Vec<Vec<FiringOptions>> = vec![Vec::new()];
        for ways in regions {
            self.is_too_large |= all.len() * ways.len() > MOST_COMBINATIONS;
            let with =
                |some: &Vec<FiringOptions>, way: &FiringOptions| some.iter().chain([way]).cloned().collect();
            let longer = all.iter().flat_map(|some| ways.iter().map(move |way| with(some, way)));
            all = longer.take(MOST_COMBINATIONS).collect();
        }
        all
    }

    /// Whether firing a transition leaves nothing around a region.
    pub(crate) fn stays_in(
        &self,
        object: InstanceId,
        region: RegionId,
        compound: &CompoundTransition,
    ) -> bool {
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
    fn combined(
        &mut self,
        regions: Vec<FiringOptions>,
        joins: &[(TermId, CompoundTransition)],
    ) -> FiringOptions {
        let mut sets: Vec<(TermId, Vec<CompoundTransition>)> = vec![(self.terms.truth(true), Vec::new())];
        let mut leaving: Vec<(TermId, CompoundTransition)> = joins.to_vec();
        let join_conditions: Vec<TermId> = leaving.iter().map(|(condition, _)| *condition).collect();
        let none: Vec<TermId> = regions.iter().map(|options| options.none).collect();
        let none_staying: Vec<TermId> = regions.iter().map(|options| options.none_staying).collect();
        let deferred: Vec<TermId> = regions.iter().map(|options| options.deferred).collect();
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
        FiringOptions { staying: sets, leaving, none, none_staying, deferred: self.terms.or(deferred) }
    }

    /// A set of transitions that fire together as a process.
    pub(crate) fn process(&mut self, object: InstanceId, set: &[CompoundTransition]) -> ProcessId {
        let parts: Vec<ProcessId> = set
            .iter()
            .map(|compound| {
                let sources: Vec<ProcessId> = compound
                    .joined
                    .iter()
                    .map(|id| self.source_joined(object, *id, compound.binding))
                    .collect();
                let deed = ProcessStep::Segment(compound.transition, compound.via.clone(), compound.binding);
                let rest = match compound.parks {
                    true => self.park(object, compound),
                    false => self.in_sequence(object, vec![deed]),
                };
                let around = self.around_joined(object, &compound.joined);
                let around = self.in_sequence(object, around.into_iter().map(ProcessStep::Leave).collect());
                let sound = self.sound_guards(object, compound.guarded(), compound.binding);
                let sound = self.in_sequence(object, sound);
                let processes = &mut self.body_mut(object).processes;
                let first = processes.parallel(sources);
                processes.sequence([sound, first, around, rest])
            })
            .collect();
        self.body_mut(object).processes.parallel(parts)
    }
}

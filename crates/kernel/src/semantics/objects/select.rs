//! Selection: which transitions fire (rule M1).
//!
//! For an event the enabled transitions of each region are listed with the condition under which they fire, from the inside out: what is
//! enabled inside a state keeps the state's own transitions from firing. Transitions of orthogonal regions fire together, unless
//! one of them leaves the state around: then it fires alone.

use super::World;
use super::body::{self, MOST_DEPTH};
use super::message::Ground;
use super::process::{Binding, BindingId, Deed, ProcessId};
use super::route;
use super::structure::InstanceId;
use crate::id::Id;
use crate::model::{RegionId, TransitionId, TransitionKind, Trigger, VertexId, VertexKind};
use crate::system::TermId;

/// Combinations of transitions beyond this are not listed.
pub(super) const MOST_COMBINATIONS: usize = 1_024;

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
    pub prose: Vec<TransitionId>,
    /// Those that are taken if no other is.
    pub fallback: Vec<TransitionId>,
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
pub(super) struct Options {
    /// Sets that fire together and leave nothing around the region, each with its condition.
    staying: Vec<(TermId, Vec<Compound>)>,
    /// Transitions that leave a state around the region.
    leaving: Vec<(TermId, Compound)>,
    /// Nothing is enabled.
    pub none: TermId,
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
    pub fn completion_firings(
        &mut self,
        object: InstanceId,
        vertex: VertexId,
    ) -> (Vec<(TermId, Vec<Compound>)>, TermId) {
        let (own, none) = self.own_options(object, vertex, &Stimulus::Completion(vertex));
        (own.into_iter().map(|(condition, compound)| (condition, vec![compound])).collect(), none)
    }

    pub fn region_options(
        &mut self,
        object: InstanceId,
        region: RegionId,
        stimulus: &Stimulus,
        depth: usize,
    ) -> Options {
        if !self.concerns(object, region, stimulus) {
            let yes = self.terms.truth(true);
            return Options { staying: Vec::new(), leaving: Vec::new(), none: yes, none_staying: yes };
        }
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

    /// Whether anything in a region may react to a stimulus.
    fn concerns(&self, object: InstanceId, region: RegionId, stimulus: &Stimulus) -> bool {
        let body = self.body(object);
        let machine = body.machine;
        let fits = |id: &TransitionId| match stimulus {
            Stimulus::Completion(_) => machine.transitions[*id].triggers.is_empty(),
            Stimulus::Spontaneous(wanted) => wanted == id,
            Stimulus::Message(ground) => {
                machine.transitions[*id].triggers.iter().any(|trigger| match trigger {
                    Trigger::Event { name, .. } => *name == ground.name,
                    Trigger::Any => true,
                    Trigger::After(_) | Trigger::When(_) => false,
                })
            }
        };
        let vertices =
            body.regions_within(region).into_iter().flat_map(|inner| &machine.regions[inner].vertices);
        vertices.into_iter().any(|vertex| body.outgoing[*vertex].iter().any(fits))
    }

    /// What may fire in an active state, as seen from the region in which it lies.
    pub fn state_options(
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
        // Each with when it may be that it is not enabled.
        let mut stays = Vec::new();
        let inner_sets = all.staying.iter().map(|(condition, _)| *condition);
        let inner_any: Vec<TermId> =
            inner_sets.chain(inner.leaving.iter().map(|(condition, _)| *condition)).collect();
        let inner_any = self.terms.or(inner_any);
        let mut options = Vec::new();
        for (condition, compound) in inner.leaving {
            let is_off = self.terms.not(condition);
            options.push((condition, compound, self.terms.or([is_off, inner.none])));
        }
        let leaves = own.iter().any(|(_, compound)| !self.stays_in(object, region, compound));
        for (condition, compound) in own {
            // Of guards in prose another may be the true one.
            let may_be_other = leaves && self.is_prose(object, compound.transition, compound.binding);
            let other = self.terms.truth(may_be_other);
            let is_off = self.terms.not(condition);
            let is_off = self.terms.or([is_off, own_none, inner_any, other]);
            options.push((self.terms.and([condition, inner.none]), compound, is_off));
        }
        for (condition, compound, is_off) in options {
            match self.stays_in(object, region, &compound) {
                true => {
                    stays.push(is_off);
                    all.staying.push((condition, vec![compound]));
                }
                false => all.leaving.push((condition, compound)),
            }
        }
        all.none_staying = self.terms.and(stays.into_iter().chain([all.none_staying]));
        all
    }

    /// Whether firing a transition leaves nothing around a region.
    pub fn stays_in(&self, object: InstanceId, region: RegionId, compound: &Compound) -> bool {
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
    pub fn combined(&mut self, regions: Vec<Options>, joins: Option<Vec<(TermId, Compound)>>) -> Options {
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
    pub fn own_options(
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
    pub fn bound(&self, triggers: &[Trigger], ground: &Ground) -> Option<Binding> {
        triggers.iter().find_map(|trigger| match trigger {
            Trigger::Event { name, parameters } if *name == ground.name => self.fits(parameters, ground),
            Trigger::Event { .. } | Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
        })
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
                let around = self.around_joined(object, &compound.joined);
                let around = self.in_sequence(object, around.into_iter().map(Deed::Leave).collect());
                let processes = &mut self.body_mut(object).processes;
                let first = processes.parallel(sources);
                processes.sequence([first, around, rest])
            })
            .collect();
        self.body_mut(object).processes.parallel(parts)
    }
}

/// Stands for a term that is computed later.
fn variable_none() -> TermId {
    TermId::from_index(0)
}

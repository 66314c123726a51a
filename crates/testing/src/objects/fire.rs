//! What fires (docs/objects.md, "Run to completion"): the transitions that an occasion enables, and the sets of them
//! that fire together.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::{
    Machine, RegionId, Transition, TransitionId, TransitionKind, Trigger, VertexId, VertexKind,
};
use sequent_kernel::semantics::objects::InstanceId;

use super::NaiveObjects;
use super::oracle::Oracle;
use super::shape::{body, in_region, incoming, initial, is_inside, is_join, joining_region, left, outgoing};
use super::state::{NaiveFault, NaiveObject};
use super::task::SegmentChoice;
use super::value::{Bindings, NaiveMessage};

/// What sets transitions off.
#[derive(Clone, Copy)]
pub enum Occasion<'a> {
    /// A message is taken.
    Message(&'a NaiveMessage),
    /// A state has completed.
    Completed(VertexId),
    /// Time, or a condition, lets this transition fire.
    Timed(TransitionId),
}

/// A transition that may fire, with all its segments up to states or choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fire {
    /// Its first segments; several if they join.
    pub firsts: Vec<TransitionId>,
    /// The join to which they lead, if they do.
    pub joins: Option<VertexId>,
    /// How it goes on.
    pub way: SegmentChoice,
    /// Active states that it leaves.
    pub leaves: BTreeSet<VertexId>,
}

/// One look at an object on an occasion.
pub(crate) struct FiringAttempt<'a> {
    /// The system.
    pub naive: &'a NaiveObjects<'a>,
    /// The object.
    pub id: InstanceId,
    /// As it is.
    pub object: &'a NaiveObject,
    /// Its machine.
    pub machine: &'a Machine,
}

impl FiringAttempt<'_> {
    /// All transitions that an occasion enables, before any of them wins over others.
    pub(crate) fn enabled(&self, occasion: Occasion, oracle: &mut Oracle) -> Result<Vec<Fire>, NaiveFault> {
        oracle.prose.clear();
        let mut enabled = Vec::new();
        for with_any in [false, true] {
            let before = enabled.clone();
            for first in self.machine.transitions.ids() {
                let source = self.machine.transitions[first].source;
                let is_taken = before.iter().any(|fire: &Fire| self.has_source(fire, source));
                if (self.is_joining(first) && !self.naive.joins_one_by_one()) || (with_any && is_taken) {
                    continue;
                }
                if let Some(bindings) = self.holds(first, occasion, with_any, oracle)? {
                    enabled.extend(match self.is_joining(first) {
                        true => self.comes(first, bindings, oracle)?,
                        false => self.fires(&[first], bindings, oracle)?,
                    });
                }
            }
        }
        for join in self.machine.vertices.ids() {
            if is_join(self.machine, join) && !self.naive.joins_one_by_one() {
                enabled.extend(self.joined(join, occasion, oracle)?);
            }
        }
        Ok(enabled)
    }

    /// Whether a state that is active defers a message that enables these.
    pub(crate) fn is_deferred(&self, message: &NaiveMessage, enabled: &[Fire]) -> bool {
        let states = self.object.active.iter().flatten();
        states.copied().any(|state| {
            let named = body(self.machine, state).is_some_and(|body| {
                body.deferred.iter().any(|trigger| match trigger {
                    Trigger::Event { name, .. } => *name == message.name,
                    Trigger::Any => true,
                    Trigger::After(_) | Trigger::When(_) => false,
                })
            });
            let takes = |fire: &Fire| {
                let mut sources = fire.firsts.iter().map(|first| self.machine.transitions[*first].source);
                sources.any(|source| source == state || is_inside(self.machine, source, state))
            };
            named && !enabled.iter().any(takes)
        })
    }

    /// One of the largest sets without conflict, of those over which none wins.
    pub(crate) fn chosen(&self, enabled: &[Fire], oracle: &mut Oracle) -> Result<Vec<Fire>, NaiveFault> {
        let wins = |inner: &Fire, outer: &Fire| {
            let sources = |fire: &Fire| -> Vec<VertexId> {
                fire.firsts.iter().map(|first| self.machine.transitions[*first].source).collect()
            };
            let outers = sources(outer);
            sources(inner).iter().any(|one| outers.iter().any(|other| is_inside(self.machine, *one, *other)))
        };
        let left: Vec<&Fire> =
            enabled.iter().filter(|fire| !enabled.iter().any(|other| wins(other, fire))).collect();
        let conflict = |one: &Fire, other: &Fire| !one.leaves.is_disjoint(&other.leaves);
        let is_free = |set: u32| {
            let members: Vec<&&Fire> = members(&left, set);
            members
                .iter()
                .enumerate()
                .all(|(at, one)| members[..at].iter().all(|other| !conflict(one, other)))
        };
        let free: Vec<u32> = (0..1_u32 << left.len()).filter(|set| is_free(*set)).collect();
        let largest: Vec<u32> = free
            .iter()
            .copied()
            .filter(|set| !free.iter().any(|other| other != set && other & set == *set))
            .collect();
        let set = largest[oracle.choose(largest.len())];
        self.meeting(members(&left, set).into_iter().map(|fire| (*fire).clone()).collect(), oracle)
    }

    /// Transitions that come to a join together, and are all that it waits for, are one.
    fn meeting(&self, fires: Vec<Fire>, oracle: &mut Oracle) -> Result<Vec<Fire>, NaiveFault> {
        let comes =
            |fire: &Fire, join: VertexId| fire.joins == Some(join) && !fire.way.plan.contains_key(&join);
        let mut fires = fires;
        for join in self.machine.vertices.ids().filter(|_| self.naive.joins_one_by_one()) {
            let firsts: Vec<TransitionId> =
                fires.iter().filter(|fire| comes(fire, join)).flat_map(|fire| fire.firsts.clone()).collect();
            let regions: Vec<RegionId> =
                firsts.iter().map(|first| joining_region(self.machine, *first)).collect();
            let is_whole = incoming(self.machine, join).iter().all(|other| {
                let region = joining_region(self.machine, *other);
                regions.contains(&region) || self.object.waiting.get(&region) == Some(&join)
            });
            if firsts.len() < 2 || !is_whole {
                continue;
            }
            let bindings: Bindings = fires
                .iter()
                .filter(|fire| comes(fire, join))
                .flat_map(|fire| fire.way.bindings.clone())
                .collect();
            let mut whole = self.fires(&firsts, bindings, oracle)?;
            if whole.is_empty() {
                continue;
            }
            let mut one = whole.swap_remove(oracle.choose(whole.len()));
            one.joins = Some(join);
            fires.retain(|fire| !comes(fire, join));
            fires.push(one);
        }
        Ok(fires)
    }

    fn has_source(&self, fire: &Fire, source: VertexId) -> bool {
        fire.firsts.iter().any(|first| self.machine.transitions[*first].source == source)
    }

    fn is_joining(&self, first: TransitionId) -> bool {
        is_join(self.machine, self.machine.transitions[first].target)
    }

    /// A transition in every way it can go on.
    fn fires(
        &self,
        firsts: &[TransitionId],
        bindings: Bindings,
        oracle: &mut Oracle,
    ) -> Result<Vec<Fire>, NaiveFault> {
        let first = &self.machine.transitions[firsts[0]];
        let plans = match first.kind {
            TransitionKind::Internal => vec![BTreeMap::new()],
            TransitionKind::External | TransitionKind::Local => {
                self.plans(first.target, &bindings, &BTreeMap::new(), oracle)?
            }
        };
        let fire = |plan: BTreeMap<VertexId, TransitionId>| {
            let leaves = self.leaves(firsts, &plan);
            let way = SegmentChoice { plan, bindings: bindings.clone() };
            Fire { firsts: firsts.to_vec(), joins: None, way, leaves }
        };
        Ok(plans.into_iter().map(fire).collect())
    }

    /// All ways from a vertex to states and choices; `so_far` is what was planned on the way to it.
    pub(crate) fn plans(
        &self,
        vertex: VertexId,
        bindings: &Bindings,
        so_far: &BTreeMap<VertexId, TransitionId>,
        oracle: &mut Oracle,
    ) -> Result<Vec<BTreeMap<VertexId, TransitionId>>, NaiveFault> {
        let outgoing = outgoing(self.machine, vertex);
        match self.machine.vertices[vertex].kind {
            VertexKind::State(ref body) => {
                let begins = body.regions.iter().filter_map(|region| initial(self.machine, *region));
                let begins = begins.flat_map(|vertex| self::outgoing(self.machine, vertex));
                let mut plans = vec![so_far.clone()];
                for next in begins {
                    let target = self.machine.transitions[next].target;
                    let mut longer = Vec::new();
                    for plan in &plans {
                        longer.extend(self.plans(target, bindings, plan, oracle)?);
                    }
                    plans = longer;
                }
                Ok(plans)
            }
            VertexKind::Initial
            | VertexKind::Final
            | VertexKind::Choice
            | VertexKind::ShallowHistory
            | VertexKind::DeepHistory
            | VertexKind::Terminate => Ok(vec![so_far.clone()]),
            VertexKind::Junction | VertexKind::Exit | VertexKind::Join => {
                if so_far.contains_key(&vertex) {
                    return Ok(Vec::new());
                }
                let mut plans = Vec::new();
                for next in self.open(&outgoing, bindings, oracle)? {
                    let mut plan = so_far.clone();
                    plan.insert(vertex, next);
                    let target = self.machine.transitions[next].target;
                    plans.extend(self.plans(target, bindings, &plan, oracle)?);
                }
                Ok(plans)
            }
            VertexKind::Fork | VertexKind::Entry => {
                let mut plans = vec![so_far.clone()];
                for next in outgoing {
                    let target = self.machine.transitions[next].target;
                    let mut longer = Vec::new();
                    for plan in &plans {
                        longer.extend(self.plans(target, bindings, plan, oracle)?);
                    }
                    plans = longer;
                }
                Ok(plans)
            }
        }
    }

    fn leaves(&self, firsts: &[TransitionId], plan: &BTreeMap<VertexId, TransitionId>) -> BTreeSet<VertexId> {
        let mut leaves = BTreeSet::new();
        for id in firsts.iter().chain(plan.values()) {
            let Transition { source, kind, .. } = self.machine.transitions[*id];
            if kind == TransitionKind::Internal {
                leaves.insert(source);
            }
            let Some(top) = left(self.machine, &self.object.active, *id) else { continue };
            leaves.extend(self.within(top));
        }
        leaves
    }

    /// A join: all its sources are active; the occasion belongs to one of them at least, and the others that have no
    /// trigger have completed.
    fn joined(
        &self,
        join: VertexId,
        occasion: Occasion,
        oracle: &mut Oracle,
    ) -> Result<Vec<Fire>, NaiveFault> {
        let firsts = incoming(self.machine, join);
        let mut bindings = Bindings::new();
        let mut is_due = false;
        for first in &firsts {
            let transition = &self.machine.transitions[*first];
            if let Some(bound) = self.holds(*first, occasion, false, oracle)? {
                bindings.extend(bound);
                is_due = true;
                continue;
            }
            let is_ready = transition.triggers.is_empty()
                && self.object.completed.contains(&transition.source)
                && self.fits(*first, occasion, false).is_none()
                && self.guard(*first, &[(*first, Bindings::new())], false, oracle)?;
            if !is_ready {
                return Ok(Vec::new());
            }
        }
        if !is_due {
            return Ok(Vec::new());
        }
        let mut fires = self.fires(&firsts, bindings, oracle)?;
        fires.iter_mut().for_each(|fire| fire.joins = Some(join));
        Ok(fires)
    }

    /// A transition into a join by itself. It goes on if all other regions wait there.
    fn comes(
        &self,
        first: TransitionId,
        bindings: Bindings,
        oracle: &mut Oracle,
    ) -> Result<Vec<Fire>, NaiveFault> {
        let join = self.machine.transitions[first].target;
        let own = joining_region(self.machine, first);
        let mut others = incoming(self.machine, join).into_iter();
        let is_last = others.all(|other| {
            let region = joining_region(self.machine, other);
            region == own || self.object.waiting.get(&region) == Some(&join)
        });
        let mut fires = match is_last {
            true => self.fires(&[first], bindings, oracle)?,
            false => {
                let way = SegmentChoice { plan: BTreeMap::new(), bindings };
                let source = in_region(self.machine, own, self.machine.transitions[first].source);
                let top = source.expect("it lies in its region");
                vec![Fire { firsts: vec![first], joins: None, way, leaves: self.within(top) }]
            }
        };
        fires.iter_mut().for_each(|fire| fire.joins = Some(join));
        Ok(fires)
    }

    /// A state and all that is active inside.
    fn within(&self, top: VertexId) -> BTreeSet<VertexId> {
        let states = self.object.active.iter().flatten().copied();
        states.filter(|state| *state == top || is_inside(self.machine, *state, top)).collect()
    }
}

fn members<T>(all: &[T], set: u32) -> Vec<&T> {
    all.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, one)| one).collect()
}

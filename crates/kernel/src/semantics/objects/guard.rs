//! Guards: which of the transitions of one source and trigger may be taken, the ways behind junctions included (docs/objects.md, "Guards").

use super::World;
use super::body;
use super::data;
use super::division::{divides, undefined};
use super::names::VisibleNames;
use super::path::InvisiblePath;
use super::process::BindingId;
use super::structure::InstanceId;
use crate::id::Id;
use crate::model::{BinaryOperator, Condition, Expression, TransitionId, VertexId, VertexKind};
use crate::system::TermId;

/// Combinations of transitions beyond this are not listed.
pub(super) const MOST_COMBINATIONS: usize = 1_024;

/// More junctions than this are not passed.
const MOST_JUNCTIONS: usize = 100_000;

/// Transitions of one source and trigger, with what must hold for each.
pub(super) struct Alternatives {
    pub enabled: Vec<(TermId, TransitionId)>,
    /// None of them may be enabled.
    pub none: TermId,
}

/// A transition with the way behind junctions, and what its parameters stand for; or all transitions into a join, and the one out of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct CompoundTransition {
    pub transition: TransitionId,
    pub via: Vec<TransitionId>,
    pub binding: BindingId,
    /// The transitions into a join, from all of its sources, if they fire together.
    pub joined: Vec<TransitionId>,
    /// It leads to a join and waits there for others.
    pub(crate) parks: bool,
}

impl CompoundTransition {
    /// The transitions whose guards must hold for it to fire.
    pub(crate) fn guarded(&self) -> impl Iterator<Item = TransitionId> + '_ {
        [self.transition].into_iter().chain(self.via.iter().chain(&self.joined).copied())
    }
}

/// Transitions of one source and trigger, sorted by their guards, each with what must hold of its guard.
struct SortedGuards {
    /// Guards over known names, or none at all.
    known: Vec<(TermId, TransitionId)>,
    /// Guards that are decided freely: what is known of them must hold in any case.
    prose: Vec<(TermId, TransitionId)>,
    /// `else`.
    fallback: Vec<TransitionId>,
    /// None of those that are decided freely may be true.
    may_be_none: bool,
}

/// What a source does if its guards in prose are decided in one way. There is one decision in a step: it counts for the transition
/// itself, and for all that have to stand back behind it.
pub(super) struct Guess {
    /// What may fire.
    pub enabled: Vec<(TermId, CompoundTransition)>,
    /// Nothing does.
    pub none: TermId,
    /// The guards can be decided in this way.
    pub valid: TermId,
}

impl World<'_> {
    /// All ways to decide the guards of transitions of one source and trigger. Rivals are not taken by themselves, but `else` looks at
    /// their guards too.
    pub(crate) fn guesses(
        &mut self,
        object: InstanceId,
        group: &[TransitionId],
        rivals: &[TransitionId],
        binding: BindingId,
    ) -> Vec<Guess> {
        let guards = self.guards(object, None, group, binding);
        let rivals = self.guards(object, None, rivals, binding);
        let may_be_none = guards.may_be_none;
        let chosen = guards.prose.iter().copied().map(Some);
        let choices: Vec<Option<(TermId, TransitionId)>> =
            chosen.chain(may_be_none.then_some(None)).collect();
        let mut all = Vec::new();
        for choice in choices {
            let mut enabled: Vec<(TermId, TransitionId)> =
                guards.known.iter().copied().chain(choice).collect();
            let others = enabled.iter().chain(&rivals.known).map(|(condition, _)| *condition);
            let others = others.collect::<Vec<_>>();
            let any = self.terms.or(others);
            let otherwise = self.terms.not(any);
            enabled.extend(guards.fallback.iter().map(|id| (otherwise, *id)));
            // Of several guards in prose one is true, if what is known of them lets it.
            let valid = match (choice, may_be_none) {
                (Some((part, _)), false) => {
                    let parts: Vec<TermId> = guards.prose.iter().map(|(part, _)| *part).collect();
                    let some = self.terms.or(parts);
                    let none = self.terms.not(some);
                    self.terms.or([part, none])
                }
                (Some(_) | None, _) => self.terms.truth(true),
            };
            let is_certain = !guards.fallback.is_empty() && rivals.known.is_empty();
            let (enabled, none) = self.compounds(object, enabled, is_certain, binding);
            let enabled =
                enabled.into_iter().map(|(term, one)| (self.terms.and([term, valid]), one)).collect();
            all.push(Guess { enabled, none: self.terms.and([none, valid]), valid });
        }
        all
    }

    /// Transitions with the ways behind junctions, and when none of them can be taken. One of them is enabled if that is certain.
    fn compounds(
        &mut self,
        object: InstanceId,
        mut enabled: Vec<(TermId, TransitionId)>,
        is_certain: bool,
        binding: BindingId,
    ) -> (Vec<(TermId, CompoundTransition)>, TermId) {
        enabled.retain(|(condition, _)| self.terms.as_constant(*condition) != Some(0));
        enabled.sort_by_key(|(_, id)| *id);
        let mut found = Vec::new();
        // A transition that leads nowhere behind a junction is as good as not enabled.
        let mut may_fail = Vec::new();
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
                        found.push((
                            condition,
                            CompoundTransition { transition, via, binding, joined, parks: false },
                        ));
                    }
                    dead
                }
            };
            is_straight &= self.terms.as_constant(dead) == Some(0);
            let idle = self.terms.not(condition);
            may_fail.push(self.terms.or([idle, dead]));
        }
        match is_straight && is_certain {
            true => (found, self.terms.truth(false)),
            false => (found, self.terms.and(may_fail)),
        }
    }

    /// What a transition into a join does: the last to come goes on, if it can; the others wait. And when it can do neither.
    pub(crate) fn ways_to_join(
        &mut self,
        object: InstanceId,
        transition: TransitionId,
        condition: TermId,
        binding: BindingId,
    ) -> (Vec<(TermId, CompoundTransition)>, TermId) {
        let body = self.body(object);
        let join = body.machine.transitions[transition].target;
        let (region, outgoing) = (body.region_of_source(transition), body.outgoing[join].clone());
        let is_last = self.gathered(object, None, join, Some(region));
        let Alternatives { enabled, none, .. } = self.alternatives(object, None, &outgoing, binding);
        let waits = self.terms.not(is_last);
        let waits = self.terms.and([condition, waits]);
        let plain =
            CompoundTransition { transition, via: Vec::new(), binding, joined: Vec::new(), parks: true };
        let mut ways = vec![(waits, plain.clone())];
        for (more, next) in enabled {
            let condition = self.terms.and([condition, is_last, more]);
            ways.push((condition, CompoundTransition { via: vec![next], parks: false, ..plain.clone() }));
        }
        (ways, self.terms.and([condition, is_last, none]))
    }

    /// The ways behind a transition as far as junctions decide them beforehand, and when there is none.
    pub(crate) fn ways(
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
        // A cycle of junctions leads nowhere; chains are followed up to a limit.
        self.junctions += 1;
        self.is_too_large |= self.junctions > MOST_JUNCTIONS;
        if depth > 20 || self.is_too_large {
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
            self.is_too_large |= all.len() > MOST_COMBINATIONS;
        }
        let dead = self.terms.or(dead);
        (all, dead)
    }

    /// Whether a state cannot be entered, as one of its regions begins at a junction behind which no guard is true.
    pub(crate) fn dead_inside(&mut self, object: InstanceId, vertex: VertexId, depth: usize) -> TermId {
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

    /// The transitions of one source and trigger that may be taken, whatever is decided of their guards: on a path, or in the state
    /// before.
    pub(crate) fn alternatives(
        &mut self,
        object: InstanceId,
        path: Option<&InvisiblePath>,
        group: &[TransitionId],
        binding: BindingId,
    ) -> Alternatives {
        let SortedGuards { known, prose, fallback, may_be_none } = self.guards(object, path, group, binding);
        let conditions = |all: &[(TermId, TransitionId)]| all.iter().map(|(one, _)| *one).collect::<Vec<_>>();
        let any = self.terms.or(conditions(&known));
        let otherwise = self.terms.not(any);
        let none = match (fallback.is_empty(), may_be_none) {
            (false, _) => self.terms.truth(false),
            // Of several guards in prose one is true.
            (true, false) => {
                let any = self.terms.or(conditions(&prose));
                let none = self.terms.not(any);
                self.terms.and([otherwise, none])
            }
            (true, true) => otherwise,
        };
        let fallback = fallback.into_iter().map(|id| (otherwise, id));
        let mut enabled: Vec<(TermId, TransitionId)> =
            known.into_iter().chain(prose).chain(fallback).collect();
        enabled.retain(|(condition, _)| self.terms.as_constant(*condition) != Some(0));
        enabled.sort_by_key(|(_, id)| *id);
        Alternatives { enabled, none }
    }

    fn guards(
        &mut self,
        object: InstanceId,
        path: Option<&InvisiblePath>,
        group: &[TransitionId],
        binding: BindingId,
    ) -> SortedGuards {
        let (known, prose, fallback) = (Vec::new(), Vec::new(), Vec::new());
        let mut guards = SortedGuards { known, prose, fallback, may_be_none: true };
        for id in group {
            let waits = self.waits_for_unknown(object, *id);
            let Some(guard) = self.body(object).machine.transitions[*id].guard.clone() else {
                let sorted = if waits { &mut guards.prose } else { &mut guards.known };
                sorted.push((self.terms.truth(true), *id));
                continue;
            };
            if guard.expression.is_none() && guard.text == "else" {
                guards.fallback.push(*id);
                continue;
            }
            match self.condition(object, path, &guard, binding) {
                Some(term) if waits => guards.prose.push((term, *id)),
                Some(term) => guards.known.push((term, *id)),
                None => {
                    let part = guard.expression.as_ref();
                    let part = part.map(|part| self.known_part(object, path, part, binding));
                    guards.prose.push((part.unwrap_or_else(|| self.terms.truth(true)), *id));
                }
            }
        }
        let prose: Vec<TransitionId> = guards.prose.iter().map(|(_, id)| *id).collect();
        guards.may_be_none = prose.len() < 2 || !guards.fallback.is_empty() || self.leave_gap(object, &prose);
        self.break_off(object, path, &mut guards, binding);
        guards
    }

    /// Where one of the guards divides by zero none of the others counts.
    fn break_off(
        &mut self,
        object: InstanceId,
        path: Option<&InvisiblePath>,
        guards: &mut SortedGuards,
        binding: BindingId,
    ) {
        let broken: Vec<TermId> =
            guards.known.iter().map(|(_, id)| self.broken_guard(object, path, *id, binding)).collect();
        let any = self.terms.or(broken.clone());
        if self.terms.as_constant(any) == Some(0) {
            return;
        }
        let none = self.terms.not(any);
        for ((term, _), broken) in guards.known.iter_mut().zip(broken) {
            let holds = self.terms.and([*term, none]);
            *term = self.terms.or([broken, holds]);
        }
        for (term, _) in &mut guards.prose {
            *term = self.terms.and([*term, none]);
        }
    }

    /// Breaks off where a guard of transitions that fire together divides by zero.
    pub(crate) fn sound_set(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        set: &[CompoundTransition],
    ) -> Vec<InvisiblePath> {
        let mut paths = vec![path];
        for (transition, binding) in set.iter().flat_map(|one| one.guarded().map(move |id| (id, one.binding)))
        {
            let split = |path: InvisiblePath| match path.fault {
                Some(_) => vec![path],
                None => self.sound_guard(object, path, transition, binding),
            };
            paths = paths.into_iter().flat_map(split).collect();
        }
        paths
    }

    /// Where the guard of a transition divides by zero.
    pub(crate) fn broken_guard(
        &mut self,
        object: InstanceId,
        path: Option<&InvisiblePath>,
        transition: TransitionId,
        binding: BindingId,
    ) -> TermId {
        let guard = self.body(object).machine.transitions[transition].guard.as_ref();
        let expression =
            guard.and_then(|guard| guard.expression.as_ref()).filter(|one| divides(one)).cloned();
        let binding = self.body(object).bindings[binding.index()].clone();
        match expression {
            Some(expression) => undefined(&expression, &mut VisibleNames::new(self, object, path, &binding)),
            None => self.terms.truth(false),
        }
    }

    /// What of a conjunction is known.
    pub(crate) fn known_part(
        &mut self,
        object: InstanceId,
        path: Option<&InvisiblePath>,
        expression: &Expression,
        binding: BindingId,
    ) -> TermId {
        if let Expression::Binary(BinaryOperator::And, left, right) = expression {
            let [left, right] = [left, right].map(|part| self.known_part(object, path, part, binding));
            return self.terms.and([left, right]);
        }
        let binding = self.body(object).bindings[binding.index()].clone();
        let mut view = VisibleNames::new(self, object, path, &binding);
        let known = data::truth(expression, &mut view).ok();
        known.unwrap_or_else(|| self.terms.truth(true))
    }

    /// A guard as a term; `None` for one that is decided freely.
    pub(crate) fn condition(
        &mut self,
        object: InstanceId,
        path: Option<&InvisiblePath>,
        guard: &Condition,
        binding: BindingId,
    ) -> Option<TermId> {
        let expression = guard.expression.as_ref()?;
        let binding = self.body(object).bindings[binding.index()].clone();
        let mut view = VisibleNames::new(self, object, path, &binding);
        data::truth(expression, &mut view).ok()
    }
}

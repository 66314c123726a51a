//! Guards: which of the transitions of one source and trigger may be taken, the ways behind junctions included (docs/objects.md, "Guards").

use super::World;
use super::body;
use super::data;
use super::execute::Path;
use super::names::View;
use super::process::BindingId;
use super::select::{Alternatives, Compound, MOST_COMBINATIONS};
use super::structure::InstanceId;
use crate::id::Id;
use crate::model::{BinaryOperator, Condition, Expression, TransitionId, VertexId, VertexKind};
use crate::system::TermId;

/// More junctions than this are not passed.
const MOST_JUNCTIONS: usize = 100_000;

impl World<'_> {
    /// The guards of transitions of one source and trigger, and the ways behind junctions.
    pub fn compounds(
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
    pub fn ways_to_join(
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
    pub fn ways(
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
        // Junctions in a circle lead nowhere; so many in a row are not followed.
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
    pub fn dead_inside(&mut self, object: InstanceId, vertex: VertexId, depth: usize) -> TermId {
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
        let mut parts = Vec::new();
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
                    None => {
                        // What is known of it must hold in any case.
                        let part = guard.expression.as_ref();
                        let part = part.map(|part| self.known_part(object, path, part, binding));
                        let part = part.unwrap_or_else(|| self.terms.truth(true));
                        enabled.push((part, *id));
                        parts.push(part);
                        prose.push(*id);
                    }
                },
            }
        }
        let any = self.terms.or(known);
        let otherwise = self.terms.not(any);
        enabled.extend(fallback.iter().map(|id| (otherwise, *id)));
        enabled.retain(|(condition, _)| self.terms.as_constant(*condition) != Some(0));
        enabled.sort_by_key(|(_, id)| *id);
        let none = match (fallback.is_empty(), prose.len()) {
            // Of several guards in prose one is true.
            (false, _) => self.terms.truth(false),
            (true, 2..) => {
                let any = self.terms.or(parts);
                let none = self.terms.not(any);
                self.terms.and([otherwise, none])
            }
            (true, 0 | 1) => otherwise,
        };
        Alternatives { enabled, none, prose, fallback }
    }

    /// What of a conjunction is known.
    fn known_part(
        &mut self,
        object: InstanceId,
        path: Option<&Path>,
        expression: &Expression,
        binding: BindingId,
    ) -> TermId {
        if let Expression::Binary(BinaryOperator::And, left, right) = expression {
            let [left, right] = [left, right].map(|part| self.known_part(object, path, part, binding));
            return self.terms.and([left, right]);
        }
        let binding = self.body(object).bindings[binding.index()].clone();
        let mut view = View::new(self, object, path, &binding);
        let known = data::truth(expression, &mut view).ok();
        known.unwrap_or_else(|| self.terms.truth(true))
    }

    /// Whether a transition has a guard that is decided freely.
    pub fn is_prose(&mut self, object: InstanceId, transition: TransitionId, binding: BindingId) -> bool {
        let guard = self.body(object).machine.transitions[transition].guard.clone();
        guard.is_some_and(|guard| {
            guard.text != "else" && self.condition(object, None, &guard, binding).is_none()
        })
    }

    /// A guard as a term; `None` for one that is decided freely.
    pub fn condition(
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
}

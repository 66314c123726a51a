//! Execution: a process run as far as it shows nothing, on terms instead of values.
//!
//! A [`InvisiblePath`] says under which condition it is taken, what the variables are then, and what is left to do. What an object does
//! invisibly between two visible actions thus becomes one rule, however many assignments and changes of state that are.
//! Where the order of parallel invisible deeds matters, each order is a path of its own; equal paths are one.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::call;
use super::data::{self, Typed};
use super::names::VisibleNames;
use super::path::InvisiblePath;
use super::process::{BindingId, EffectSite, ProcessId, ProcessStep};
use super::structure::InstanceId;
use crate::id::Id;
use crate::model::{Effect, Expression, TransitionId};
use crate::system::{TermId, VariableId};

/// More paths than this of one step are not followed.
const MOST_PATHS: usize = 4_000;

/// The greatest number of processes of one object.
const MOST_PROCESSES: usize = 50_000;

/// More branches than this are not run in parallel.
const MOST_BRANCHES: usize = 220;

impl World<'_> {
    /// Runs a path until nothing invisible is left to do next.
    pub(crate) fn settle(&mut self, object: InstanceId, path: InvisiblePath) -> Vec<InvisiblePath> {
        // Paths that differ only in the choices behind them are one.
        let mut settled: BTreeMap<InvisiblePath, BTreeSet<TransitionId>> = BTreeMap::new();
        let mut keep = |mut path: InvisiblePath| {
            let chosen = std::mem::take(&mut path.chosen);
            settled.entry(path).or_default().extend(chosen);
        };
        let mut seen: BTreeSet<InvisiblePath> = BTreeSet::new();
        let mut open = vec![path];
        while let Some(path) = open.pop() {
            // A cycle of forks makes ever larger processes.
            let is_large = seen.len() > MOST_PATHS || self.body(object).processes.len() > MOST_PROCESSES;
            if path.fault.is_some() || is_large || self.is_too_large {
                self.is_too_large |= is_large;
                keep(path);
                continue;
            }
            if !seen.insert(path.clone()) {
                continue;
            }
            let body = self.body_mut(object);
            let fronts = body.processes.fronts(path.rest);
            self.is_too_large |= fronts.len() > MOST_BRANCHES;
            let quiet: Vec<(ProcessStep, ProcessId)> =
                fronts.into_iter().filter(|(deed, _)| !self.is_visible(object, deed)).collect();
            let first = quiet.iter().find(|(deed, _)| !self.is_sensitive(object, deed));
            let next = match first {
                Some(first) => std::slice::from_ref(first),
                None => &quiet,
            };
            if next.is_empty() {
                keep(path);
                continue;
            }
            for (deed, left) in next {
                open.extend(self.perform(object, &path, deed, *left));
            }
        }
        settled.into_iter().map(|(path, chosen)| InvisiblePath { chosen, ..path }).collect()
    }

    /// Whether a deed is seen, or needs others.
    pub(crate) fn is_visible(&self, object: InstanceId, deed: &ProcessStep) -> bool {
        match deed {
            ProcessStep::Effect(site, at, _) => {
                let effect = self.body(object).effects(*site).get(*at);
                effect.is_some_and(|effect| self.as_send(object, effect).is_some())
            }
            ProcessStep::Group(..)
            | ProcessStep::Address(..)
            | ProcessStep::Terminate
            | ProcessStep::Await(..)
            | ProcessStep::Reply(..) => true,
            ProcessStep::Set(..)
            | ProcessStep::Save(_)
            | ProcessStep::Forget(_)
            | ProcessStep::Leave(_)
            | ProcessStep::LeaveRegion(_)
            | ProcessStep::Enter(..)
            | ProcessStep::EnterRegion(_)
            | ProcessStep::Restore(..)
            | ProcessStep::Arrive(_)
            | ProcessStep::Segment(..)
            | ProcessStep::Decide(..)
            | ProcessStep::Fork(..)
            | ProcessStep::Gather(..)
            | ProcessStep::Check(..)
            | ProcessStep::Sound(..)
            | ProcessStep::Complete(_)
            | ProcessStep::Finish => false,
        }
    }

    /// Whether it may matter when a quiet deed happens among parallel ones.
    pub(crate) fn is_sensitive(&self, object: InstanceId, deed: &ProcessStep) -> bool {
        match deed {
            ProcessStep::Effect(..)
            | ProcessStep::Decide(..)
            | ProcessStep::Gather(..)
            | ProcessStep::Check(..)
            | ProcessStep::Sound(..)
            | ProcessStep::Finish => true,
            ProcessStep::Complete(vertex) => {
                self.body(object).pool.len() > 1 && self.body(object).completing.contains_key(vertex)
            }
            ProcessStep::Group(..)
            | ProcessStep::Address(..)
            | ProcessStep::Await(..)
            | ProcessStep::Reply(..)
            | ProcessStep::Terminate
            | ProcessStep::Set(..)
            | ProcessStep::Save(_)
            | ProcessStep::Forget(_)
            | ProcessStep::Leave(_)
            | ProcessStep::LeaveRegion(_)
            | ProcessStep::Enter(..)
            | ProcessStep::EnterRegion(_)
            | ProcessStep::Restore(..)
            | ProcessStep::Arrive(_)
            | ProcessStep::Fork(..)
            | ProcessStep::Segment(..) => false,
        }
    }

    /// Does one quiet deed.
    pub(crate) fn perform(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        deed: &ProcessStep,
        left: ProcessId,
    ) -> Vec<InvisiblePath> {
        match deed {
            ProcessStep::Effect(site, at, binding) => {
                let after = InvisiblePath { rest: left, ..path.clone() };
                match self.body(object).effects(*site).get(*at).cloned() {
                    Some(Effect::Assign(assign)) => self.assign(object, after, &assign, *binding),
                    Some(Effect::Send(send)) if call::is_return(&send) => {
                        self.keep_result(object, after, &send, *binding)
                    }
                    Some(Effect::Send(_) | Effect::Opaque { .. }) | None => vec![after],
                }
            }
            ProcessStep::Set(variable, value) => {
                let mut after = InvisiblePath { rest: left, ..path.clone() };
                after.store.insert(*variable, self.terms.constant(*value));
                vec![after]
            }
            ProcessStep::Save(region) => {
                let mut after = InvisiblePath { rest: left, ..path.clone() };
                let body = self.body(object);
                let (from, to) = (body.regions[*region], body.histories.get(region).copied());
                if let Some(to) = to {
                    // Where nothing is active, or something waits at a join, what was left before is still the last.
                    let count = self.body(object).vertices_in(*region);
                    let [now, last] = [self.current(&after, from), self.current(&after, to)];
                    let is_active = self.within(now, 1, count);
                    let value = self.terms.choose(is_active, now, last);
                    after.store.insert(to, value);
                }
                vec![after]
            }
            ProcessStep::Forget(vertex) => {
                let after = InvisiblePath { rest: left, ..path.clone() };
                vec![self.forget(object, after, *vertex)]
            }
            ProcessStep::Complete(vertex) => {
                let after = InvisiblePath { rest: left, ..path.clone() };
                self.complete(object, after, *vertex)
            }
            ProcessStep::Finish => self.end_if_over(object, path, deed, left),
            ProcessStep::LeaveRegion(region) => self.leave_region(object, path, deed, *region),
            ProcessStep::Restore(region, is_deep) => self.restore(object, path, deed, *region, *is_deep),
            ProcessStep::Decide(vertex, binding) => self.decide(object, path, deed, *vertex, *binding),
            ProcessStep::Fork(fork, binding) => {
                let ways = self.fork(object, *fork, *binding);
                ways.into_iter().map(|way| self.expanded(object, path, deed, way)).collect()
            }
            ProcessStep::Gather(join, binding) => self.gather(object, path, deed, *join, *binding),
            ProcessStep::Check(contract, binding) => {
                let after = InvisiblePath { rest: left, ..path.clone() };
                self.check(object, after, *contract, *binding)
            }
            ProcessStep::Sound(transition, binding) => {
                let after = InvisiblePath { rest: left, ..path.clone() };
                self.sound_guard(object, after, *transition, *binding)
            }
            ProcessStep::Leave(_)
            | ProcessStep::Enter(..)
            | ProcessStep::EnterRegion(_)
            | ProcessStep::Arrive(_)
            | ProcessStep::Segment(..) => {
                let expansion = self.expand(object, deed);
                vec![self.expanded(object, path, deed, expansion)]
            }
            ProcessStep::Group(..)
            | ProcessStep::Address(..)
            | ProcessStep::Terminate
            | ProcessStep::Await(..)
            | ProcessStep::Reply(..) => {
                vec![InvisiblePath { rest: left, ..path.clone() }]
            }
        }
    }

    /// The path with a deed written out.
    pub(crate) fn expanded(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        deed: &ProcessStep,
        expansion: ProcessId,
    ) -> InvisiblePath {
        let rest = self.body_mut(object).processes.replaced(expansion, deed, path.rest);
        InvisiblePath { rest, ..path.clone() }
    }

    /// What a variable is at the end of a path.
    pub(crate) fn current(&mut self, path: &InvisiblePath, variable: VariableId) -> TermId {
        if let Some(known) = path.store.get(&variable) {
            return *known;
        }
        match path.facts.get(&variable) {
            Some(value) => self.terms.constant(*value),
            None => self.terms.variable(variable),
        }
    }

    /// The path where a term is true besides; `None` if it cannot be. What a variable was is remembered.
    pub(crate) fn given(&mut self, path: &InvisiblePath, term: TermId) -> Option<InvisiblePath> {
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
    pub(crate) fn value(
        &mut self,
        object: InstanceId,
        path: &InvisiblePath,
        expression: &Expression,
        binding: BindingId,
    ) -> Option<Typed> {
        let binding = self.body(object).bindings[binding.index()].clone();
        let mut view = VisibleNames::new(self, object, Some(path), &binding);
        data::evaluate(expression, &mut view).ok()
    }

    /// Deeds in sequence as a process.
    pub(crate) fn in_sequence(&mut self, object: InstanceId, deeds: Vec<ProcessStep>) -> ProcessId {
        let processes = &mut self.body_mut(object).processes;
        let parts: Vec<ProcessId> = deeds.into_iter().map(|deed| processes.deed(deed)).collect();
        processes.sequence(parts)
    }

    /// The effects at a place as a process.
    pub(crate) fn behaviour(
        &mut self,
        object: InstanceId,
        site: EffectSite,
        binding: BindingId,
    ) -> ProcessId {
        let count = self.body(object).effects(site).len();
        let deeds = match self.is_rendezvous() {
            false => (0..count).map(|at| ProcessStep::Effect(site, at, binding)).collect(),
            true => self.grouped(object, site, 0, binding),
        };
        self.in_sequence(object, deeds)
    }
}

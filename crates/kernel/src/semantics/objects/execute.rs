//! Execution: a process run as far as it shows nothing, on terms instead of values.
//!
//! A [`Path`] says under which condition it is taken, what the variables are then, and what is left to do. What an object does
//! invisibly between two visible actions thus becomes one rule, however many assignments and changes of state that are.
//! Where the order of parallel invisible deeds matters, each order is a path of its own; equal paths are one.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::call;
use super::data::{self, Typed};
use super::names::View;
use super::path::Path;
use super::process::{BindingId, Deed, ProcessId, Site};
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
    pub fn settle(&mut self, object: InstanceId, path: Path) -> Vec<Path> {
        // Paths that differ only in the choices behind them are one.
        let mut settled: BTreeMap<Path, BTreeSet<TransitionId>> = BTreeMap::new();
        let mut keep = |mut path: Path| {
            let chosen = std::mem::take(&mut path.chosen);
            settled.entry(path).or_default().extend(chosen);
        };
        let mut seen: BTreeSet<Path> = BTreeSet::new();
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
            let quiet: Vec<(Deed, ProcessId)> =
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
        settled.into_iter().map(|(path, chosen)| Path { chosen, ..path }).collect()
    }

    /// Whether a deed is seen, or needs others.
    pub fn is_visible(&self, object: InstanceId, deed: &Deed) -> bool {
        match deed {
            Deed::Effect(site, at, _) => {
                let effect = self.body(object).effects(*site).get(*at);
                effect.is_some_and(|effect| self.as_send(object, effect).is_some())
            }
            Deed::Group(..) | Deed::Address(..) | Deed::Terminate | Deed::Await(..) | Deed::Reply(..) => true,
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
            | Deed::Sound(..)
            | Deed::Complete(_)
            | Deed::Finish => false,
        }
    }

    /// Whether it may matter when a quiet deed happens among parallel ones.
    pub fn is_sensitive(&self, object: InstanceId, deed: &Deed) -> bool {
        match deed {
            Deed::Effect(..)
            | Deed::Decide(..)
            | Deed::Gather(..)
            | Deed::Check(..)
            | Deed::Sound(..)
            | Deed::Finish => true,
            Deed::Complete(vertex) => {
                self.body(object).pool.len() > 1 && self.body(object).completing.contains_key(vertex)
            }
            Deed::Group(..)
            | Deed::Address(..)
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
    pub fn perform(&mut self, object: InstanceId, path: &Path, deed: &Deed, left: ProcessId) -> Vec<Path> {
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
                    // Where nothing is active, or something waits at a join, what was left before is still the last.
                    let count = self.body(object).vertices_in(*region);
                    let [now, last] = [self.current(&after, from), self.current(&after, to)];
                    let is_active = self.within(now, 1, count);
                    let value = self.terms.choose(is_active, now, last);
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
            Deed::Finish => self.end_if_over(object, path, deed, left),
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
            Deed::Sound(transition, binding) => {
                let after = Path { rest: left, ..path.clone() };
                self.sound_guard(object, after, *transition, *binding)
            }
            Deed::Leave(_) | Deed::Enter(..) | Deed::EnterRegion(_) | Deed::Arrive(_) | Deed::Segment(..) => {
                let expansion = self.expand(object, deed);
                vec![self.expanded(object, path, deed, expansion)]
            }
            Deed::Group(..) | Deed::Address(..) | Deed::Terminate | Deed::Await(..) | Deed::Reply(..) => {
                vec![Path { rest: left, ..path.clone() }]
            }
        }
    }

    /// The path with a deed written out.
    pub fn expanded(&mut self, object: InstanceId, path: &Path, deed: &Deed, expansion: ProcessId) -> Path {
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
            true => self.grouped(object, site, 0, binding),
        };
        self.in_sequence(object, deeds)
    }
}

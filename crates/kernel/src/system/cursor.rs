//! Cursor: the interpreter, for configurations of which each is little different from the one before.
//!
//! [`System::steps`] evaluates every term of the system, which makes the time to follow a long diagram grow with the square of its
//! length. A cursor keeps the values of all terms in the configuration that it looked at last, and computes again only those with
//! a part that has another value now. Of a conjunction it counts the parts that are false, of a disjunction those that
//! are true, so that a term with many parts costs no more than one with few.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::term::value_of;
use super::{Config, RuleId, Step, System, TermId, TermNode, TraceClass, VariableId};
use crate::id::{Id, IdVec};

/// The values of all terms in one configuration of a system.
#[derive(Clone, Debug)]
pub struct ConfigurationCursor {
    config: Config,
    values: IdVec<TermId, i32>,
    /// For a conjunction how many of its parts are false, for a disjunction how many are true.
    decisive: IdVec<TermId, u32>,
    /// Where the terms of which one is a part end in `wholes`.
    ends: IdVec<TermId, u32>,
    wholes: Vec<TermId>,
    /// The terms that are variables.
    variables: IdVec<VariableId, Option<TermId>>,
    /// Rules by their guards, sorted.
    guards: Vec<(TermId, RuleId)>,
    /// The rules whose guards hold.
    enabled: BTreeSet<RuleId>,
    /// Terms that are to be computed again, parts before wholes, each once.
    open: BinaryHeap<Reverse<TermId>>,
    is_open: IdVec<TermId, bool>,
}

/// Variables that are compared at once.
const BLOCK: usize = 256;

impl ConfigurationCursor {
    /// A cursor that looks at the initial configuration.
    pub fn new(system: &System) -> Self {
        let config = system.initial();
        let values = system.terms.values(&config);
        let mut ends: IdVec<TermId, u32> = values.iter().map(|_| 0).collect();
        for part in system.terms.ids().flat_map(|id| system.terms.parts(id)) {
            ends[part] += 1;
        }
        let mut sum = 0;
        for id in system.terms.ids() {
            sum += ends[id];
            ends[id] = sum - ends[id];
        }
        let mut wholes = vec![TermId::from_index(0); sum as usize];
        let mut variables: IdVec<VariableId, Option<TermId>> =
            system.variables.iter().map(|_| None).collect();
        let mut decisive: IdVec<TermId, u32> = values.iter().map(|_| 0).collect();
        for id in system.terms.ids() {
            for part in system.terms.parts(id) {
                wholes[ends[part] as usize] = id;
                ends[part] += 1;
            }
            let node = system.terms.node(id);
            if let TermNode::Variable(variable) = node {
                variables[*variable] = Some(id);
            }
            if let TermNode::And(parts) | TermNode::Or(parts) = node {
                let is_and = matches!(node, TermNode::And(_));
                decisive[id] = parts.iter().filter(|part| (values[**part] == 0) == is_and).count() as u32;
            }
        }
        let mut guards: Vec<(TermId, RuleId)> =
            system.rules.enumerate().map(|(id, rule)| (rule.guard, id)).collect();
        guards.sort_unstable();
        let enabled = guards.iter().filter(|(guard, _)| values[*guard] != 0).map(|(_, rule)| *rule).collect();
        let is_open = values.iter().map(|_| false).collect();
        let open = BinaryHeap::new();
        ConfigurationCursor {
            config,
            values,
            decisive,
            ends,
            wholes,
            variables,
            guards,
            enabled,
            open,
            is_open,
        }
    }

    /// The configuration that it looks at.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The steps that are possible in a configuration: [`System::steps`].
    pub fn steps(&mut self, system: &System, config: &Config) -> Vec<Step> {
        self.look_at(system, config);
        self.steps_here(system)
    }

    /// The steps that are possible in the configuration that it looks at.
    pub fn steps_here(&self, system: &System) -> Vec<Step> {
        let enabled: Vec<RuleId> = self.enabled.iter().copied().collect();
        let mut steps = system.steps_among(&enabled);
        steps.retain(|step| system.changes(step, |term| self.values[term]).is_some());
        steps
    }

    /// The configuration after a step: [`System::take`].
    pub fn take(&mut self, system: &System, step: &Step, config: &Config) -> Option<Config> {
        self.look_at(system, config);
        system.taken_with(step, config, |term| self.values[term])
    }

    /// Turns to the configuration after a step; what the step changed, as it was before. `None` if the step cannot be taken.
    pub fn advance(&mut self, system: &System, step: &Step) -> Option<Vec<(VariableId, i32)>> {
        let changes = system.changes(step, |term| self.values[term])?;
        let before = changes.keys().map(|variable| (*variable, self.config.0[variable.index()])).collect();
        self.assign(system, changes);
        Some(before)
    }

    /// Turns to the configuration in which some variables have other values.
    pub fn assign(&mut self, system: &System, values: impl IntoIterator<Item = (VariableId, i32)>) {
        for (variable, value) in values {
            self.set(system, variable, value);
        }
        self.compute(system);
    }

    /// Whether a predicate holds in the configuration that it looks at.
    pub fn holds_here(&self, term: TermId) -> bool {
        self.values[term] != 0
    }

    /// Whether a predicate holds in a configuration.
    pub fn holds(&mut self, system: &System, term: TermId, config: &Config) -> bool {
        self.look_at(system, config);
        self.values[term] != 0
    }

    /// What a run that ends in a configuration is worth: [`System::class`].
    pub fn class(&mut self, system: &System, config: &Config) -> Option<TraceClass> {
        self.look_at(system, config);
        system.class_with(&self.values)
    }

    /// Turns to another configuration.
    fn look_at(&mut self, system: &System, config: &Config) {
        for (block, now) in config.0.chunks(BLOCK).enumerate() {
            let start = block * BLOCK;
            if self.config.0[start..start + now.len()] == *now {
                continue;
            }
            for (at, value) in (start..).zip(now) {
                self.set(system, VariableId::from_index(at), *value);
            }
        }
        self.compute(system);
    }

    /// Gives a variable a value; what depends on it is still to be computed.
    fn set(&mut self, system: &System, variable: VariableId, value: i32) {
        if std::mem::replace(&mut self.config.0[variable.index()], value) != value {
            if let Some(term) = self.variables[variable] {
                self.change(system, term, value);
            }
        }
    }

    /// Computes what depends on variables that have changed.
    fn compute(&mut self, system: &System) {
        while let Some(Reverse(term)) = self.open.pop() {
            self.is_open[term] = false;
            let value = match system.terms.node(term) {
                TermNode::And(_) => i32::from(self.decisive[term] == 0),
                TermNode::Or(_) => i32::from(self.decisive[term] != 0),
                node => value_of(node, &self.config, |part| self.values[part]),
            };
            if value != self.values[term] {
                self.change(system, term, value);
            }
        }
    }

    /// Gives a term its value, and marks what is to be computed again.
    fn change(&mut self, system: &System, term: TermId, value: i32) {
        let was = std::mem::replace(&mut self.values[term], value);
        let first = self.guards.partition_point(|(guard, _)| *guard < term);
        for (_, rule) in self.guards[first..].iter().take_while(|(guard, _)| *guard == term) {
            match value != 0 {
                true => self.enabled.insert(*rule),
                false => self.enabled.remove(rule),
            };
        }
        let start = term.index().checked_sub(1).map_or(0, |before| self.ends[TermId::from_index(before)]);
        for at in start..self.ends[term] {
            let whole = self.wholes[at as usize];
            let (falls, rises) = (was != 0 && value == 0, was == 0 && value != 0);
            let counted = match system.terms.node(whole) {
                TermNode::And(_) => Some((falls, rises)),
                TermNode::Or(_) => Some((rises, falls)),
                _ => None,
            };
            match counted {
                Some((true, _)) => self.decisive[whole] += 1,
                Some((_, true)) => self.decisive[whole] -= 1,
                Some((false, false)) => continue,
                None => {}
            }
            if !std::mem::replace(&mut self.is_open[whole], true) {
                self.open.push(Reverse(whole));
            }
        }
    }
}

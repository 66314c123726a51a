//! Searches by the interpreter, as a reference for those of the engine.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{Config, RuleId, Step, System};

/// All configurations that count, with the steps to be taken in each.
pub struct NaiveSpace {
    /// The configurations that can be reached, with the steps in each.
    pub steps: BTreeMap<Config, Vec<(Step, Config)>>,
    /// How many steps away from the beginning.
    pub depth: BTreeMap<Config, usize>,
}

/// Reaches all configurations.
pub fn explore(system: &System) -> NaiveSpace {
    let mut space = NaiveSpace { steps: BTreeMap::new(), depth: BTreeMap::new() };
    let first = system.initial();
    if system.holds(system.void, &first) {
        return space;
    }
    space.depth.insert(first.clone(), 0);
    let mut level = vec![first];
    for depth in 1.. {
        let mut next = Vec::new();
        for config in level {
            let steps: Vec<(Step, Config)> = urgent_first(system, &config)
                .into_iter()
                .filter_map(|step| Some((step.clone(), system.take(&step, &config)?)))
                .collect();
            for (_, to) in steps.iter().filter(|(_, to)| !system.holds(system.void, to)) {
                if !space.depth.contains_key(to) {
                    space.depth.insert(to.clone(), depth);
                    next.push(to.clone());
                }
            }
            space.steps.insert(config, steps);
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    space
}

/// The urgent steps of the first component that has one, or all steps.
fn urgent_first(system: &System, config: &Config) -> Vec<Step> {
    let steps = system.steps(config);
    let is_urgent = |step: &&Step| system.rules[step.0[0]].urgent;
    match steps.iter().find(is_urgent).map(|step| system.actor(step)) {
        Some(component) => {
            let rivals = steps.iter().filter(is_urgent).filter(|step| system.actor(step) == component);
            rivals.cloned().collect()
        }
        None => steps,
    }
}

impl NaiveSpace {
    /// Configurations in which no step can be taken.
    pub fn ends(&self) -> BTreeSet<Config> {
        self.steps.iter().filter(|(_, steps)| steps.is_empty()).map(|(config, _)| config.clone()).collect()
    }

    /// Configurations that an engine keeps for certain: those without a single urgent step to follow.
    pub fn kept(&self, system: &System) -> BTreeSet<Config> {
        let passes = |steps: &Vec<(Step, Config)>| match steps.as_slice() {
            [(step, _)] => system.rules[step.0[0]].urgent,
            _ => false,
        };
        self.steps.iter().filter(|(_, steps)| !passes(steps)).map(|(config, _)| config.clone()).collect()
    }

    /// The rules that fire in runs to these configurations.
    pub fn firing(&self, ends: &BTreeSet<Config>) -> BTreeSet<RuleId> {
        let mut good = ends.clone();
        loop {
            let leads = |steps: &Vec<(Step, Config)>| steps.iter().any(|(_, to)| good.contains(to));
            let more: Vec<Config> = self
                .steps
                .iter()
                .filter(|(config, steps)| !good.contains(*config) && leads(steps))
                .map(|(config, _)| config.clone())
                .collect();
            if more.is_empty() {
                break;
            }
            good.extend(more);
        }
        let taken = self.steps.values().flatten().filter(|(_, to)| good.contains(to));
        taken.flat_map(|(step, _)| step.0.iter().copied()).collect()
    }
}

//! Replay: checks a run step by step, before it is reported.
//!
//! A [`Run`] is what an engine claims a System can do. The replay trusts no engine: it starts in the initial
//! configuration, and takes each step only if the System [offers](System::offers) it there.

use std::collections::BTreeSet;

use crate::id::Id;
use crate::system::{Config, EventId, RuleId, Step, System, TraceClass};

/// Steps from the beginning; those from `cycle` on are repeated forever.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// The steps.
    pub steps: Vec<Step>,
    /// Where the part begins that is repeated forever, if the run is infinite.
    pub cycle: Option<usize>,
}

/// Where a run is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slip {
    /// The step of this number is not possible.
    Impossible(usize),
    /// The run does not come back to the configuration in which its cycle begins.
    Open,
}

impl Run {
    /// What is seen of the run, its cycle once.
    pub fn events<'a>(&'a self, system: &'a System) -> impl Iterator<Item = EventId> + 'a {
        self.steps.iter().flat_map(|step| system.events(step))
    }
}

/// Takes a run step by step; the configurations it passes, the first and the last included.
pub fn replay(system: &System, run: &Run) -> Result<Vec<Config>, Slip> {
    let mut replayer = Replayer::new(system);
    replayer.replay(run)?;
    Ok(replayer.configs)
}

/// Whether a run without a cycle can be taken, and where it ends; what it passes is not kept.
pub fn replay_to_end(system: &System, steps: &[Step]) -> Result<Config, Slip> {
    let listening = system.listening();
    let mut config = system.initial();
    for (number, step) in steps.iter().enumerate() {
        let changes = system.offered(step, &config, &listening).ok_or(Slip::Impossible(number))?;
        for (variable, value) in changes {
            config.0[variable.index()] = value;
        }
    }
    Ok(config)
}

/// Replays one run after the other; what a run shares with the one before is not taken again.
pub struct Replayer<'a> {
    system: &'a System,
    /// The rules that listen.
    listening: Vec<RuleId>,
    steps: Vec<Step>,
    /// The configurations before, between and after the steps.
    configs: Vec<Config>,
}

impl<'a> Replayer<'a> {
    /// A replayer that has done nothing yet.
    pub fn new(system: &'a System) -> Self {
        let listening = system.listening();
        Replayer { system, listening, steps: Vec::new(), configs: vec![system.initial()] }
    }

    /// Takes a run step by step.
    pub fn replay(&mut self, run: &Run) -> Result<&[Config], Slip> {
        let shared = self.steps.iter().zip(&run.steps).take_while(|(old, new)| old == new).count();
        self.steps.truncate(shared);
        self.configs.truncate(shared + 1);
        for (number, step) in run.steps.iter().enumerate().skip(shared) {
            let config = &self.configs[number];
            let changes = self.system.offered(step, config, &self.listening);
            let mut next = config.clone();
            for (variable, value) in changes.ok_or(Slip::Impossible(number))? {
                next.0[variable.index()] = value;
            }
            self.configs.push(next);
            self.steps.push(step.clone());
        }
        let last = self.configs.len() - 1;
        match run.cycle {
            Some(start) if start >= last || self.configs[start] != self.configs[last] => Err(Slip::Open),
            Some(_) | None => Ok(&self.configs),
        }
    }
}

/// A complete run of a class that shows these events, if there is one.
pub fn retrace(system: &System, events: &[impl AsRef<str>], class: TraceClass) -> Option<Run> {
    let mut seen: BTreeSet<(usize, Config)> = BTreeSet::new();
    // Configurations on the way, each with the events shown before it and the steps not tried yet.
    let mut path = vec![(0, system.initial(), None)];
    let mut steps: Vec<Step> = Vec::new();
    while let Some((shown, config, left)) = path.last_mut() {
        if left.is_none() && *shown == events.len() && system.class(config) == Some(class) {
            return Some(Run { steps, cycle: None });
        }
        let left = left.get_or_insert_with(|| system.steps(config));
        let Some(step) = left.pop() else {
            path.pop();
            steps.pop();
            continue;
        };
        let texts: Vec<&str> = system.events(&step).map(|event| system.events[event].text.as_str()).collect();
        let fits = texts
            .iter()
            .enumerate()
            .all(|(index, text)| events.get(*shown + index).is_some_and(|wanted| wanted.as_ref() == *text));
        let next = system.take(&step, config).filter(|_| fits).map(|next| (*shown + texts.len(), next));
        if let Some((shown, next)) = next.filter(|next| seen.insert(next.clone())) {
            path.push((shown, next, None));
            steps.push(step);
        }
    }
    None
}

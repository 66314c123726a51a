//! Replay: whether a run is one, step by step, before anyone sees it.
//!
//! A [`Run`] is what an engine claims a System can do. The replayer believes nothing: it starts in the initial
//! configuration, and takes each step only if the interpreter ([`System::steps`]) offers it there.

use std::collections::BTreeSet;

use crate::system::{Class, Config, EventId, Step, System};

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
    let mut configs = vec![system.initial()];
    for (number, step) in run.steps.iter().enumerate() {
        let config = &configs[number];
        let next = match system.steps(config).contains(step) {
            true => system.take(step, config),
            false => None,
        };
        configs.push(next.ok_or(Slip::Impossible(number))?);
    }
    match run.cycle {
        Some(start) if start >= run.steps.len() || configs[start] != configs[run.steps.len()] => {
            Err(Slip::Open)
        }
        Some(_) | None => Ok(configs),
    }
}

/// A complete run of a class that shows these events, if there is one.
pub fn retrace(system: &System, events: &[impl AsRef<str>], class: Class) -> Option<Run> {
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

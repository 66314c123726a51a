//! Replay: whether a run is one, step by step, before anyone sees it.
//!
//! A [`Run`] is what an engine claims a System can do. The replayer believes nothing: it starts in the initial
//! configuration, and takes each step only if the interpreter ([`System::steps`]) offers it there.

use crate::system::{Config, EventId, Step, System};

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

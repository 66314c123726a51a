//! Simulation: a run of a diagram, step by step.
//!
//! [`Simulation`] is the run so far: what may happen next, one step on, one step back. [`walk`] takes steps at random,
//! the same for the same seed. [`words`] says steps as the diagram's author would, [`Dialogue`] answers the lines that
//! somebody types. Nothing here reads or prints; the interpreter of the kernel does the work, and no one is in a hurry.

mod dialogue;
mod random;
pub mod words;

use sequent_kernel::replay::Run;
use sequent_kernel::system::{Config, Step, System};

pub use dialogue::{Dialogue, Reply, drawn, worth};
pub use random::Random;
pub use words::Subject;

/// A run in the making.
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    system: &'a System,
    steps: Vec<Step>,
    /// The configurations passed: one more than steps.
    configs: Vec<Config>,
}

/// How a run stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// More must happen, and can.
    Open,
    /// It may end here.
    Complete,
    /// More must happen, and nothing can.
    Stuck,
    /// Its choices contradict each other: it does not count.
    Void,
}

impl<'a> Simulation<'a> {
    /// A run of which nothing has happened.
    pub fn new(system: &'a System) -> Self {
        Simulation { system, steps: Vec::new(), configs: vec![system.initial()] }
    }

    /// The system that runs.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// Where the run is.
    pub fn config(&self) -> &Config {
        self.configs.last().expect("a run has a first configuration")
    }

    /// The run so far.
    pub fn run(&self) -> Run {
        Run { steps: self.steps.clone(), cycle: None }
    }

    /// How many steps were taken.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps that are possible now.
    pub fn options(&self) -> Vec<Step> {
        self.system.steps(self.config())
    }

    /// Takes a step; false if it is not possible.
    pub fn take(&mut self, step: &Step) -> bool {
        let next = match self.options().contains(step) {
            true => self.system.take(step, self.config()),
            false => None,
        };
        let Some(next) = next else { return false };
        self.steps.push(step.clone());
        self.configs.push(next);
        true
    }

    /// Takes the last step back; false if there is none.
    pub fn undo(&mut self) -> bool {
        if self.steps.pop().is_none() {
            return false;
        }
        self.configs.pop();
        true
    }

    /// How the run stands.
    pub fn state(&self) -> State {
        let holds = |term| self.system.holds(term, self.config());
        if holds(self.system.void) {
            State::Void
        } else if holds(self.system.complete) {
            State::Complete
        } else if self.options().is_empty() {
            State::Stuck
        } else {
            State::Open
        }
    }

    /// Takes a step at random, one that spoils the run only if there is no other; false if none is possible.
    pub fn wander(&mut self, random: &mut Random) -> bool {
        let options = self.options();
        let is_sound = |step: &&Step| {
            let next = self.system.take(step, self.config());
            next.is_some_and(|next| !self.system.holds(self.system.void, &next))
        };
        let sound: Vec<&Step> = options.iter().filter(is_sound).collect();
        let among = if sound.is_empty() { options.iter().collect() } else { sound };
        match random.pick(&among) {
            Some(step) => self.take(step),
            None => false,
        }
    }
}

/// Steps without event that a random run takes at most between two events.
const SILENCE: usize = 10_000;

/// A random run of at most so many events.
pub fn walk<'a>(system: &'a System, random: &mut Random, events: usize) -> Simulation<'a> {
    let mut simulation = Simulation::new(system);
    let (mut seen, mut silent) = (0, 0);
    while seen < events && silent < SILENCE {
        let may_end = system.holds(system.complete, simulation.config());
        let goes_on = simulation.options().iter().any(|step| system.events(step).next().is_some());
        if may_end && (!goes_on || random.below(2) == 0) {
            break;
        }
        if !simulation.wander(random) {
            break;
        }
        let shown = simulation.steps.last().map_or(0, |step| system.events(step).count());
        seen += shown;
        silent = if shown > 0 { 0 } else { silent + 1 };
    }
    simulation
}

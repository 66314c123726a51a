//! Simulation: a run of a diagram, or of communicating state machines, step by step.
//!
//! [`Simulation`] is the run so far: the possible next steps, one step on, one step back. [`walk`] takes
//! steps at random, the same for the same seed. A [`SimulationSubject`] describes steps in the names of the diagram and
//! draws them, [`Dialogue`] answers lines of input. Nothing here reads or prints; a cursor of the kernel computes
//! what is possible from what the last step changed, so that long runs of long diagrams take no more time for each step.

mod dialogue;
mod objects;
mod subject;

use sequent_kernel::meter::{self, Work};
use sequent_kernel::replay::Run;
use sequent_kernel::system::{Config, ConfigurationCursor, Step, System, TermId, VariableId};

pub use dialogue::{Dialogue, SimulationReply};
pub use sequent_kernel::random::Random;
pub use subject::{SimulationSubject, SubjectContent};

/// A run under construction.
///
/// Steps that are urgent and have no rival decide nothing: they are taken by themselves, and undone with the step that
/// they followed.
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    system: &'a System,
    steps: Vec<Step>,
    /// What each step changed, as it was before.
    before: Vec<Vec<(VariableId, i32)>>,
    /// Where the run is.
    cursor: ConfigurationCursor,
    /// How many steps there were before each move, that is, each step that was chosen.
    moves: Vec<usize>,
    /// The steps that are possible now.
    options: Vec<Step>,
}

/// How a run stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunStatus {
    /// More must happen, and can.
    Open,
    /// It may end here.
    Complete,
    /// More must happen, and nothing can.
    Stuck,
    /// Something went wrong, and nothing can happen any more.
    Broken,
    /// Its choices contradict each other: it does not count.
    Void,
}

impl<'a> Simulation<'a> {
    /// A run of which nothing has happened.
    pub fn new(system: &'a System) -> Self {
        let cursor = ConfigurationCursor::new(system);
        let options = cursor.steps_here(system);
        let (steps, before, moves) = (Vec::new(), Vec::new(), Vec::new());
        let mut simulation = Simulation { system, steps, before, cursor, moves, options };
        simulation.settle();
        simulation
    }

    /// The system that runs.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// Where the run is.
    pub fn config(&self) -> &Config {
        self.cursor.config()
    }

    /// Whether a predicate holds where the run is.
    pub(crate) fn holds(&self, term: TermId) -> bool {
        self.cursor.holds_here(term)
    }

    /// The run so far.
    pub fn run(&self) -> Run {
        Run { steps: self.steps.clone(), cycle: None }
    }

    /// The steps that were chosen, each with its position in the run.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (usize, &Step)> {
        self.moves.iter().map(|position| (*position, &self.steps[*position]))
    }

    /// The steps that are possible now.
    pub fn options(&self) -> &[Step] {
        &self.options
    }

    /// Takes a step; false if it is not possible.
    pub fn take(&mut self, step: &Step) -> bool {
        let position = self.steps.len();
        if !self.options.contains(step) || !self.push(step) {
            return false;
        }
        self.moves.push(position);
        self.settle();
        true
    }

    fn push(&mut self, step: &Step) -> bool {
        let Some(before) = self.cursor.advance(self.system, step) else { return false };
        self.before.push(before);
        self.options = self.cursor.steps_here(self.system);
        self.steps.push(step.clone());
        true
    }

    /// Takes the steps that decide nothing.
    fn settle(&mut self) {
        for _ in 0..SILENCE {
            let Some(step) = self.system.forced(&self.options).into_iter().next() else { return };
            self.push(&step);
        }
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(position) = self.moves.pop() else { return false };
        self.steps.truncate(position);
        self.cursor.assign(self.system, self.before.drain(position..).rev().flatten());
        self.options = self.cursor.steps_here(self.system);
        true
    }

    /// How the run stands.
    pub fn state(&self) -> RunStatus {
        if self.holds(self.system.void) {
            RunStatus::Void
        } else if self.holds(self.system.complete) {
            RunStatus::Complete
        } else if self.options().is_empty() {
            RunStatus::Stuck
        } else {
            RunStatus::Open
        }
    }

    /// Whether nothing can happen but what is not worth taking at random: then all there is comes to nothing.
    pub fn is_idle(&self, is_likely: Likely<'_>) -> bool {
        !self.options.is_empty() && !self.options.iter().any(|step| is_likely(self.config(), step))
    }

    /// Takes a step at random, one that spoils the run only if there is no other, and an unlikely one seldom; false if none is
    /// possible.
    pub(crate) fn wander(&mut self, random: &mut Random, is_likely: Likely<'_>) -> bool {
        let Simulation { system, cursor, options, .. } = &mut *self;
        let mut is_sound = |step: &&Step| {
            let Some(before) = cursor.advance(system, step) else { return false };
            let is_void = cursor.holds_here(system.void);
            cursor.assign(system, before);
            !is_void
        };
        let sound: Vec<&Step> = match system.is_never(system.void) {
            true => Vec::new(),
            false => options.iter().filter(&mut is_sound).collect(),
        };
        let among = if sound.is_empty() { options.iter().collect() } else { sound };
        let likely: Vec<&Step> =
            among.iter().copied().filter(|step| is_likely(cursor.config(), step)).collect();
        let has_rivals = !likely.is_empty() && likely.len() < among.len();
        let among = if has_rivals && random.below(SELDOM) > 0 { likely } else { among };
        match random.pick(&among).map(|step| (*step).clone()) {
            Some(step) => self.take(&step),
            None => false,
        }
    }
}

/// Whether a step is worth taking at random.
pub(crate) type Likely<'l> = &'l dyn Fn(&Config, &Step) -> bool;

/// One random step in this many is any possible one, the others are likely ones.
const SELDOM: usize = 16;

/// Steps without event that are taken at most between two events, lest a run goes on forever without any.
const SILENCE: usize = 10_000;

/// A random run of at most `events` events; in a free system a step without event counts as well.
pub fn walk<'a>(
    system: &'a System,
    random: &mut Random,
    events: usize,
    is_likely: Likely<'_>,
) -> Simulation<'a> {
    let mut simulation = Simulation::new(system);
    let (mut seen, mut silent) = (0, 0);
    while seen < events && silent < SILENCE && !meter::leaves(Work::Steps, events - seen) {
        let may_end = !system.is_free() && simulation.holds(system.complete);
        let goes_on = simulation.options().iter().any(|step| system.events(step).next().is_some());
        if may_end && (!goes_on || random.below(2) == 0) {
            break;
        }
        if simulation.is_idle(is_likely) || !simulation.wander(random, is_likely) {
            break;
        }
        let shown = simulation.moves().next_back().map_or(0, |(_, step)| system.events(step).count());
        seen += if system.is_free() { shown.max(1) } else { shown };
        silent = if shown > 0 { 0 } else { silent + 1 };
    }
    simulation
}

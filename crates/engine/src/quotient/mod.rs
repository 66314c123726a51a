//! Quotient: a System in which messages are one that a question does not tell apart.
//!
//! A queue keeps for each message who sent it and with which values, as receipts show that. Where a question asks for neither,
//! and the receiver goes on in the same way, the contents of a queue multiply for nothing: two-phase commit with six
//! participants has some twenty times as many states as it needs. The quotient puts one message in the place of all that
//! are [alike](merge). It has the same components, variables, rules and events, fewer of the rules ever fire, and its
//! states are the images of those of the System: each step on either side has one on the other that is the same to the
//! question, to fairness and to every predicate. So a run has an image of the same length, and a run of the quotient is
//! [lifted](Quotient::lift) to one of the System by taking at each step a rule that leads to the image of what follows.

mod merge;
mod rewrite;

use std::collections::BTreeMap;
use std::rc::Rc;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::question::{Case, Pace};
use sequent_kernel::replay::Run;
use sequent_kernel::system::{Config, RuleId, Step, System, VariableId};

use merge::{RuleColour, colours, merged};

/// An infinite run goes round at most this often before its queues hold again what they have held before.
const MOST_ROUNDS: usize = 1_000;

/// A case whose queues hold one message for all that are alike.
pub struct Quotient<'c> {
    /// The case, about the quotient of its System.
    pub case: Case,
    system: &'c System,
    places: Places,
    /// Rules of one colour are the same to the question and to fairness.
    colours: IdVec<RuleId, RuleColour>,
}

/// For the places of queues, by the numbers of the messages there, the numbers in the quotient.
type Places = BTreeMap<VariableId, Rc<[i32]>>;

/// Whether a System has queues in which messages may be alike.
pub(crate) fn may_merge(system: &System) -> bool {
    system.fifos().flat_map(|(_, places)| places).any(|place| system.variables[*place].max > 1)
}

impl<'c> Quotient<'c> {
    /// The quotient of a case; `None` if no two messages are known to be alike.
    pub fn new(case: &'c Case) -> Option<Self> {
        if case.begins.is_some() || case.pace != Pace::Single {
            return None;
        }
        let sight = case.sight()?;
        let colours = colours(&case.system, &sight);
        let places = merged(&case.system, &sight, &colours)?;
        let system = rewrite::rewritten(&case.system, &places);
        let case_of_it = Case { system: Rc::new(system), ..case.clone() };
        Some(Quotient { case: case_of_it, system: &case.system, places, colours })
    }

    /// A run of the System whose image is a run of the quotient, or an infinite one that goes round more often; `None` if it
    /// would have to go round too often.
    pub fn lift(&self, run: &Run) -> Option<Run> {
        let mut steps: Vec<Step> = Vec::with_capacity(run.steps.len());
        let (mut config, mut image) = (self.system.initial(), self.case.system.initial());
        let mut lift = |part: &[Step], config: &mut Config, steps: &mut Vec<Step>| {
            for step in part {
                image = self.case.system.take(step, &image)?;
                let (taken, next) = self.step(step, config, &image)?;
                steps.push(taken);
                *config = next;
            }
            Some(())
        };
        let Some(start) = run.cycle else {
            lift(&run.steps, &mut config, &mut steps)?;
            return Some(Run { steps, cycle: None });
        };
        let (stem, cycle) = run.steps.split_at(start);
        lift(stem, &mut config, &mut steps)?;
        // Where each round begins, by the configuration there.
        let mut begun: BTreeMap<Config, usize> = BTreeMap::new();
        for _ in 0..MOST_ROUNDS {
            if let Some(start) = begun.insert(config.clone(), steps.len()) {
                return Some(Run { steps, cycle: Some(start) });
            }
            lift(cycle, &mut config, &mut steps)?;
        }
        None
    }

    /// A step from a configuration of the System to one with this image, by a rule of the same colour: the same rule if that is
    /// possible.
    fn step(&self, step: &Step, config: &Config, image: &Config) -> Option<(Step, Config)> {
        let wanted: Vec<RuleColour> = step.0.iter().map(|rule| self.colours[*rule]).collect();
        let is_it = |(taken, next): &(Step, Config)| {
            taken.0.iter().map(|rule| self.colours[*rule]).eq(wanted.iter().copied())
                && self.image(next) == *image
        };
        let mut ways: Vec<(Step, Config)> = self.system.successors(config);
        ways.retain(is_it);
        let same = ways.iter().position(|(taken, _)| taken == step);
        (!ways.is_empty()).then(|| ways.swap_remove(same.unwrap_or(0)))
    }

    /// The configuration of the quotient for one of the System.
    pub fn image(&self, config: &Config) -> Config {
        let mut image = config.clone();
        for (place, numbers) in &self.places {
            let value = &mut image.0[place.index()];
            *value = numbers[*value as usize];
        }
        image
    }
}

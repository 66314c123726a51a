//! The columns of the tables: which instances they hold.

use sequent_kernel::random::Random;

use super::{ThesisOptions, ThesisTable};
use crate::generate::crafted::Crafted;
use crate::generate::{
    Chance, EnsembleInstance, EnsembleQuestion, EvaluationSize, GeneratedEnsemble, ObjectInState, goal,
};

/// A column: what stands above it, and how to make its instances.
pub struct ThesisColumn {
    /// Name and value of what its instances have in common.
    pub heads: Vec<(&'static str, String)>,
    /// How many instances it has.
    pub instances: usize,
    /// Which column of the printed table it is, if it is one.
    pub printed: Option<usize>,
    make: Box<dyn Fn(usize) -> EnsembleInstance>,
}

impl ThesisColumn {
    /// One of its instances.
    pub fn instance(&self, number: usize) -> EnsembleInstance {
        (self.make)(number)
    }
}

/// The bounds of the crafted instances.
pub const BOUNDS: [u32; 4] = [3, 15, 100, 500];

/// The relative sizes of random goals, in millionths.
const SHARES: [u32; 4] = [250_000, 500_000, 750_000, 1_000_000];

/// The number of random goals of the philosophers in the paper.
const DRAWN: usize = 100;

impl ThesisTable {
    /// Its columns from left to right.
    pub fn columns(self, options: &ThesisOptions) -> Vec<ThesisColumn> {
        match self {
            ThesisTable::Goals(model) => goals(model, options),
            ThesisTable::RandomGoals => random_goals(options),
            ThesisTable::Scenarios(model) => scenarios(model, options),
            ThesisTable::RandomScenarios => random_scenarios(options),
        }
    }
}

fn goals(model: Crafted, options: &ThesisOptions) -> Vec<ThesisColumn> {
    let ensemble = model.ensemble();
    let count = ensemble.players.len();
    let sizes: [usize; 3] = if model == Crafted::Philosophers { [1, 3, 6] } else { [1, 2, 3] };
    let mut columns = Vec::new();
    for (row, size) in sizes.into_iter().enumerate() {
        let mut goals = all_goals(&ensemble, size);
        if model == Crafted::Philosophers && size > 1 {
            Random::new(options.seed).shuffle(&mut goals);
            goals.truncate(DRAWN);
        }
        goals.truncate(options.instances);
        for within in options.bounds.iter().copied() {
            let (ensemble, goals) = (ensemble.clone(), goals.clone());
            columns.push(ThesisColumn {
                heads: vec![("goal size", format!("{size}/{count}")), ("k", within.to_string())],
                instances: goals.len(),
                printed: printed(row, within),
                make: Box::new(move |number| EnsembleInstance {
                    ensemble: ensemble.clone(),
                    asked: EnsembleQuestion::Goal(goals[number].clone()),
                    within: Some(within),
                }),
            });
        }
    }
    columns
}

/// The printed column of a bound, where each of the things in a row has one for every bound.
fn printed(row: usize, within: u32) -> Option<usize> {
    Some(row * BOUNDS.len() + BOUNDS.iter().position(|bound| *bound == within)?)
}

/// All goals that name a state of `size` objects.
fn all_goals(ensemble: &GeneratedEnsemble, size: usize) -> Vec<Vec<ObjectInState>> {
    let mut goals: Vec<Vec<ObjectInState>> = vec![Vec::new()];
    for player in ensemble.players.ids() {
        let mut more = Vec::new();
        for goal in goals.iter().filter(|goal| goal.len() < size) {
            let states = ensemble.plain(player).states.ids();
            more.extend(states.map(|state| goal.iter().copied().chain([(player, state)]).collect()));
        }
        goals.extend(more);
    }
    goals.into_iter().filter(|goal| goal.len() == size).collect()
}

/// Every instance has a seed of its own, so that each can be made without the others.
fn random(seed: u64, column: usize, number: usize) -> Random {
    let mut mixed = Random::new(seed ^ ((column as u64) << 32));
    Random::new(mixed.number().wrapping_add(number as u64))
}

fn random_goals(options: &ThesisOptions) -> Vec<ThesisColumn> {
    let seed = options.seed;
    let mut columns = Vec::new();
    for size in EvaluationSize::ALL {
        for share in SHARES {
            let at = columns.len();
            columns.push(ThesisColumn {
                heads: vec![("group", size.word().to_owned()), ("relGoalSize", share_text(share))],
                instances: options.instances,
                printed: Some(at),
                make: Box::new(move |number| {
                    let mut random = random(seed, at, number);
                    let ensemble = size.shape().machines(&mut random);
                    let goal = goal(&ensemble, Chance::millionths(share), &mut random);
                    EnsembleInstance {
                        ensemble,
                        asked: EnsembleQuestion::Goal(goal),
                        within: Some(size.within()),
                    }
                }),
            });
        }
    }
    columns
}

fn share_text(share: u32) -> String {
    (f64::from(share) / 1e6).to_string()
}

fn scenarios(model: Crafted, options: &ThesisOptions) -> Vec<ThesisColumn> {
    let mut columns = Vec::new();
    let both = [("cons", model.consistent()), ("incons", model.inconsistent())];
    for (row, (word, (ensemble, diagram))) in both.into_iter().enumerate() {
        for within in options.bounds.iter().copied() {
            let (ensemble, diagram) = (ensemble.clone(), diagram.clone());
            columns.push(ThesisColumn {
                heads: vec![("scenario", word.to_owned()), ("k", within.to_string())],
                instances: 1,
                printed: printed(row, within),
                make: Box::new(move |_| EnsembleInstance {
                    ensemble: ensemble.clone(),
                    asked: EnsembleQuestion::Scenario(diagram.clone()),
                    within: Some(within),
                }),
            });
        }
    }
    columns
}

fn random_scenarios(options: &ThesisOptions) -> Vec<ThesisColumn> {
    let seed = options.seed;
    let column = |(at, size): (usize, EvaluationSize)| ThesisColumn {
        heads: vec![("group", size.word().to_owned())],
        instances: options.instances,
        printed: Some(at),
        make: Box::new(move |number| {
            let mut random = random(seed, at, number);
            size.cast().instance(&size.scenario_shape(), Some(size.within()), &mut random).involved()
        }),
    };
    EvaluationSize::ALL.into_iter().enumerate().map(column).collect()
}

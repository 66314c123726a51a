//! Random diagrams and systems that tests compare, and how many of them.

pub mod systems;

use std::collections::BTreeMap;

pub use sequent_evaluation::generate::interaction as random;
use sequent_evaluation::generate::{Asked, Chance, Instance, Lowered, Shape, Size, goal};
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::random::Random;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::System;

use crate::cases::{self, Case};

/// How many random ones are compared, where nobody says more.
pub fn count(few: u64) -> u64 {
    std::env::var("SEQUENT_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// Whether somebody wants more to be compared than is quick.
pub fn is_more() -> bool {
    std::env::var_os("SEQUENT_RANDOM").is_some()
}

/// The examples that are compared: all of them for who wants more, else those that `is_quick` names.
pub fn examples(is_quick: impl Fn(&str) -> bool) -> Vec<Case> {
    cases::all().into_iter().filter(|case| is_more() || is_quick(&case.name)).collect()
}

/// Whether an example is a project.
pub fn is_project(name: &str) -> bool {
    name.starts_with("projects")
}

/// The diagram of a random model that is looked at.
pub fn first() -> InteractionId {
    InteractionId::from_index(0)
}

/// What a random diagram means, with random switches and guards; without what a `neg` forbids, if that is wanted.
pub fn diagram(seed: u64, without_negatives: bool) -> Option<System> {
    let drawn = random::assumptions(seed);
    let without_negatives = without_negatives || drawn.without_negatives;
    lower(&random::model(seed), first(), &Assumptions { without_negatives, ..drawn }).ok()
}

/// So many random machines that meet each other, and a goal.
pub fn machines(seed: u64, machines: usize) -> Option<Lowered> {
    let mut random = Random::new(seed);
    let shape = Shape { machines, ..Size::Small.shape() };
    let ensemble = shape.machines(&mut random);
    let spots = goal(&ensemble, Chance::millionths(500_000), &mut random);
    Instance { ensemble, asked: Asked::Goal(spots), within: None }.lower().ok()
}

/// How many could be compared, and why others could not.
#[derive(Default, Debug)]
pub struct Tally {
    /// How many were compared.
    pub compared: u64,
    /// Why the others were not, with how often.
    pub reasons: BTreeMap<String, usize>,
}

impl Tally {
    /// Counts one.
    pub fn add(&mut self, compared: Result<(), String>) {
        match compared {
            Ok(()) => self.compared += 1,
            Err(reason) => *self.reasons.entry(reason).or_default() += 1,
        }
    }

    /// Tells it, and that it was more than so many.
    pub fn exceeds(&self, few: u64) {
        eprintln!("{self:#?}");
        assert!(self.compared > few, "{self:#?}");
    }
}

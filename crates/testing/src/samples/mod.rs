//! Random diagrams and systems that tests compare, and how many of them.

pub mod claims;
pub mod systems;
pub mod words;

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

pub use sequent_evaluation::generate::interaction as random;
use sequent_evaluation::generate::{
    Chance, EnsembleInstance, EnsembleQuestion, EvaluationSize, LoweredInstance, MachineShape, goal,
};
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::random::Random;
use sequent_kernel::semantics::{Assumptions, lower};
use sequent_kernel::system::System;

use crate::cases::{self, ExampleCase};
use crate::seeds::is_more;

/// The examples that are compared: all of them for who wants more, else those that `is_quick` names.
pub fn examples(is_quick: impl Fn(&str) -> bool) -> Vec<ExampleCase> {
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

/// A system of `machines` random machines under rendezvous, and a goal.
pub fn machines(seed: u64, machines: usize) -> Option<LoweredInstance> {
    let mut random = Random::new(seed);
    let shape = MachineShape { machines, ..EvaluationSize::Small.shape() };
    let ensemble = shape.machines(&mut random);
    let spots = goal(&ensemble, Chance::millionths(500_000), &mut random);
    EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(spots), within: None }.lower().ok()
}

/// How long one question to an outside tool may take.
pub const LIMIT: Duration = Duration::from_secs(20);
/// A tool that was late this often is not asked again by the same test.
pub(crate) const MOST_LATE: u32 = 2;

/// Writes a line to the error stream, also where the test passes: what was not compared must not be hidden.
pub fn tell(line: &str) {
    let test = std::thread::current().name().unwrap_or("main").to_owned();
    let _ = writeln!(std::io::stderr(), "{test}: {line}");
}

/// Why something was not compared.
#[derive(Debug)]
pub enum Omitted {
    /// An outside tool did not answer in time.
    Late(String),
    /// It cannot be asked, or it is too large.
    Unasked(String),
}

impl From<String> for Omitted {
    fn from(reason: String) -> Self {
        Omitted::Unasked(reason)
    }
}

impl From<&str> for Omitted {
    fn from(reason: &str) -> Self {
        Omitted::Unasked(reason.to_owned())
    }
}

/// How many could be compared, and why others could not.
#[derive(Default, Debug)]
pub struct SampleTally {
    /// How many were compared.
    pub compared: u64,
    /// How often an outside tool was late.
    late: u64,
    /// Why the others were not, with how often.
    reasons: BTreeMap<String, usize>,
}

impl SampleTally {
    /// Counts one.
    pub fn add(&mut self, compared: Result<(), impl Into<Omitted>>) {
        let reason = match compared.map_err(Into::into) {
            Ok(()) => {
                self.compared += 1;
                return;
            }
            Err(Omitted::Unasked(reason)) => reason,
            Err(Omitted::Late(reason)) => {
                self.late += 1;
                reason
            }
        };
        *self.reasons.entry(reason).or_default() += 1;
    }

    /// Tells how many were compared, and why others were not.
    pub fn tell(&self) {
        let left_out: usize = self.reasons.values().sum();
        let reasons = self.reasons.iter().map(|(reason, count)| format!("; {count} {reason}"));
        tell(&format!("{} compared, {left_out} left out{}", self.compared, reasons.collect::<String>()));
    }

    /// Prints the tally, and asserts that more than `few` were compared. A tool that does not answer in time
    /// is no failure.
    pub fn exceeds(&self, few: u64) {
        self.tell();
        assert!(self.compared > few || self.late > 0, "{self:#?}");
    }
}

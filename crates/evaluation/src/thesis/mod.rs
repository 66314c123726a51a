//! P4's evaluation repeated (chapter 5): its instances, solved by a current solver, beside the figures it
//! prints.
//!
//! A [`ThesisTable`] has columns, a column is a list of instances, and a [`InstanceSolver`] answers one instance after the
//! other. The figures of the paper stand in [`published`], as they are printed. Times come from the caller's
//! clock, which decides nothing but when to give up. [`merges`] are solved by the merge itself.

mod clauses;
mod columns;
mod explicit;
mod instances;
pub mod merges;
mod published;
mod sat;
mod summary;
mod table;

pub use clauses::{ThesisClauses, clauses};
pub use columns::{BOUNDS, ThesisColumn};
pub use explicit::Explicit;
pub use sat::SatSolver;
pub use summary::{SolutionReport, Summary, SummaryRow};
pub use table::ThesisTable;

use crate::generate::EnsembleInstance;

/// Tells the time in microseconds.
pub type Clock<'c> = &'c dyn Fn() -> u64;

/// What a solver found out about an instance.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Solution {
    /// Whether the goal is reached, or the scenario possible; `None` if it gave up.
    pub verdict: Option<bool>,
    /// The fewest transactions that lead to the goal; those of the run that was found, if the minimum was not
    /// computed.
    pub length: Option<usize>,
    /// How many messages of a scenario must be taken away from its end, so that the rest is possible.
    pub removed: Option<usize>,
    /// Clauses.
    pub clauses: Option<usize>,
    /// Variables.
    pub variables: Option<usize>,
    /// Microseconds until the question was written as clauses, or as whatever the solver needs.
    pub encoding: u64,
    /// Microseconds until it was answered.
    pub solving: u64,
    /// Microseconds until the first message that cannot happen was found.
    pub finding: Option<u64>,
    /// Microseconds that the builtin engine took for the same instance, where it answered it too.
    pub builtin: Option<u64>,
}

impl Solution {
    /// Microseconds until everything was answered.
    pub fn time(&self) -> u64 {
        self.encoding + self.solving + self.finding.unwrap_or(0)
    }
}

/// Something that answers instances.
pub trait InstanceSolver {
    /// What it is called.
    fn name(&self) -> String;
    /// Answers an instance; the bound of the question is that of the instance.
    fn solve(&self, instance: &EnsembleInstance) -> Solution;
}

/// Which instances are solved.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThesisOptions {
    /// The greatest number of instances in a column.
    pub instances: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The bounds of crafted instances.
    pub bounds: Vec<u32>,
}

/// Solves all instances of a table; calls `progress` with the number of solved instances and of all.
pub fn run(
    table: ThesisTable,
    options: &ThesisOptions,
    solver: &dyn InstanceSolver,
    progress: &mut dyn FnMut(usize, usize),
) -> SolutionReport {
    let columns = table.columns(options);
    let total = columns.iter().map(|column| column.instances).sum();
    let mut done = 0;
    let mut summaries = Vec::new();
    for column in &columns {
        let mut solutions = Vec::new();
        for number in 0..column.instances {
            solutions.push(solver.solve(&column.instance(number)));
            done += 1;
            progress(done, total);
        }
        summaries.push(Summary::of(&solutions));
    }
    SolutionReport::new(table, columns, summaries)
}

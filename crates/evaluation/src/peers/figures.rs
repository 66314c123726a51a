//! Measurements: time, number of stored states, and memory.

use sequent_engine::packed::Program;
use sequent_engine::search::{
    Limits, ProgressWatch, Reduction, Search, SearchAnswer, SearchGoal, SearchOptions,
};
use sequent_kernel::system::System;

/// How a search went.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Figures {
    /// Microseconds.
    pub micros: u64,
    /// States that were stored.
    pub states: usize,
    /// Bytes that the states take, with the table that finds them again.
    pub bytes: usize,
}

impl Figures {
    /// States per second.
    pub fn rate(&self) -> f64 {
        self.states as f64 * 1e6 / self.micros.max(1) as f64
    }

    /// Bytes for a state.
    pub(crate) fn bytes_each(&self) -> f64 {
        self.bytes as f64 / self.states.max(1) as f64
    }
}

/// Searches a deadlock of a system; fails if there is one, or if interrupted. The caller measures the time.
pub fn explore(
    system: &System,
    reduction: Reduction,
    threads: usize,
    watch: ProgressWatch<'_>,
) -> Result<Figures, String> {
    let options = SearchOptions { reduction, limits: Limits::default(), threads };
    let program = Program::new(system);
    let search = Search::run(&program, SearchGoal::Stuck, &options, watch);
    match search.answer {
        SearchAnswer::Exhausted => {
            Ok(Figures { micros: 0, states: search.progress.states, bytes: search.progress.bytes })
        }
        SearchAnswer::Found(_) => Err("stuck".to_owned()),
        SearchAnswer::Stopped(_) => Err("given up".to_owned()),
    }
}

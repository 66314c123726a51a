//! Counting traces: the number alone, as libraries and editors ask for it.
//!
//! A loop without bound keeps a window of iterations, which is widened until the number no longer depends on it.

use sequent_engine::search::{ProgressWatch, SearchStop};
use sequent_engine::traces::{self, TraceCount, TraceLimits};
use sequent_kernel::model::{InteractionId, Model};
use sequent_kernel::semantics::{Assumptions, Switches, Unsupported, lower};
use sequent_kernel::system::TraceClass;

/// Wider windows than this are not tried.
const WIDEST: usize = 64;

/// Why traces are not counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Uncounted {
    /// Something in the diagram is not run.
    NotRun(Unsupported),
    /// A limit was reached.
    Stopped(SearchStop),
    /// The number depends on how far the iterations of a loop may be apart.
    TooWide,
}

/// How many traces a diagram has.
pub fn count(
    model: &Model,
    id: InteractionId,
    switches: &Switches,
    limits: TraceLimits,
    watch: ProgressWatch<'_>,
) -> Result<TraceCount, Uncounted> {
    let mut assumptions = Assumptions { switches: switches.clone(), window: 1, ..Assumptions::default() };
    loop {
        let system = lower(model, id, &assumptions).map_err(Uncounted::NotRun)?;
        let counted = traces::count(&system, TraceClass::Valid, limits, watch).map_err(Uncounted::Stopped)?;
        match counted.count {
            TraceCount::Infinite => return Ok(TraceCount::Infinite),
            count if !counted.is_strained => return Ok(count),
            TraceCount::Finite(_) | TraceCount::Beyond if assumptions.window >= WIDEST => {
                return Err(Uncounted::TooWide);
            }
            TraceCount::Finite(_) | TraceCount::Beyond => assumptions.window *= 2,
        }
    }
}

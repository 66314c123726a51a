//! SPIN as a second opinion: it stores as many states as we count, and says what we say.
//!
//! Without SPIN and a C compiler on the PATH nothing is compared, and the tests say so. `tcc` compiles its verifiers in no
//! time and is used where it is there. `SEQUENT_RANDOM=300` compares that many random diagrams and systems.

mod accepted;
mod ltl;
mod models;
mod observer;
mod printed;
mod states;
mod taken;
mod traces;
mod verdicts;

use std::sync::Once;

use sequent_cli::program;
use sequent_cli::spin::{self, SpinPrograms};
use sequent_testing::{cases, opinion, patience, samples};

/// That it is not there is told once.
static TOLD: Once = Once::new();

/// SPIN, if it is there.
fn at_hand() -> Option<SpinPrograms> {
    match SpinPrograms::find(1 << 30) {
        Ok(mut spin) => {
            spin.compiler = program::find("tcc").unwrap_or(spin.compiler);
            Some(spin)
        }
        Err(problem) => {
            TOLD.call_once(|| samples::tell(&format!("SPIN is not asked: {problem}")));
            None
        }
    }
}

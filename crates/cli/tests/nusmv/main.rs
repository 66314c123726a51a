//! NuSMV as a second opinion: it reaches the states that we reach, and says what we say.
//!
//! Without NuSMV or nuXmv on the PATH its answers are not compared, and the tests say so. `SEQUENT_RANDOM=300` compares that many
//! random diagrams and systems.

mod claims;
mod formulas;
mod reader;
mod states;
mod traces;
mod verdicts;

use std::sync::Once;

use sequent_cli::nusmv::{self, NusmvProgram};
use sequent_testing::{cases, opinion, patience, samples};

/// That it is not there is told once.
static TOLD: Once = Once::new();

/// NuSMV, if it is there.
fn at_hand() -> Option<NusmvProgram> {
    match NusmvProgram::find(4 << 30) {
        Ok(checker) => Some(checker),
        Err(problem) => {
            TOLD.call_once(|| samples::tell(&format!("NuSMV is not asked: {problem}")));
            None
        }
    }
}

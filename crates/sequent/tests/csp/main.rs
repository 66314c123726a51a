//! Processes for FDR, read again: their grammar is that of CSPm, and they do what the diagrams do.
//!
//! There is no FDR in the tests. A reader of the part of CSPm that Sequent writes ([`lexer`], [`parser`]) gives the scripts
//! their meaning by the operational semantics of CSP ([`value`], [`process`]); the refinement engine compares what comes out
//! ([`space`]) with the Systems. `SEQUENT_RANDOM=300` compares that many random diagrams and systems.

mod lexer;
mod lifelines;
mod machines;
mod parser;
mod process;
mod refinement;
mod space;
mod steps;
mod value;
mod verdicts;

use sequent_testing::{cases, opinion, samples};

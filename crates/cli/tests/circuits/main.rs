//! Questions in flat formats: what is written is what `check` answers, and whoever reads it back comes to the same verdict.
//! `SEQUENT_RANDOM=300` compares that many random diagrams and systems.

mod aiger;
mod btor;
mod clauses;
mod explicit;
mod files;
mod forever;
mod quantified;
mod questions;
mod replays;
mod tools;

use sequent_testing::{cases, opinion, patience, samples};

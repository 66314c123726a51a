//! Questions in flat formats: what is written is what `check` answers, and whoever reads it back comes to the same verdict.
//! `SEQUENT_RANDOM=300` compares that many random diagrams and systems.

mod aiger;
mod btor;
#[path = "../../../sequent/tests/cases/mod.rs"]
mod cases;
mod clauses;
mod explicit;
mod files;
mod forever;
#[path = "../../../sequent/tests/opinion/mod.rs"]
mod opinion;
mod questions;
mod replays;
#[path = "../../../sequent/tests/samples/mod.rs"]
mod samples;
mod tools;

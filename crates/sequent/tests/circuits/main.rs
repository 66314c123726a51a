//! Questions in flat formats: what is written is what `check` answers, and whoever reads it back comes to the same verdict.
//! `SEQUENT_RANDOM=300` compares that many random diagrams and systems.

mod aiger;
mod btor;
#[path = "../cases/mod.rs"]
mod cases;
mod clauses;
mod explicit;
mod files;
mod forever;
#[path = "../opinion/mod.rs"]
mod opinion;
mod questions;
mod replays;
#[path = "../samples/mod.rs"]
mod samples;
mod tools;

//! Questions in flat formats: what is written is what `check` answers, and whoever reads it back comes to the same verdict.

mod aiger;
mod btor;
#[path = "../cases/mod.rs"]
mod cases;
mod files;
mod questions;
mod tools;

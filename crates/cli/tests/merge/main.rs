//! The commands `merge` and `diff`, and the merge driver as git calls it.

mod command;
mod git;
#[path = "../runner/mod.rs"]
mod runner;

//! Automata that are exported: a reader of their format finds them sound, and they accept what they should. Random formulas are compared
//! with their definitions (`SEQUENT_RANDOM=20000` for more), questions with the observers they come from, and verdicts about diagrams
//! follow from the automata alone.

mod formulas;
mod questions;
mod reader;
mod spot;
mod traces;
mod verdicts;
mod words;

use std::path::PathBuf;

use sequent_testing::ltl::{naive, random, syntax, word};
use sequent_testing::{cases, opinion, patience, samples};

/// A folder of this test's own, emptied first.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a writable folder");
    path
}

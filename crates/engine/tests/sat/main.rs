//! The SAT engines say what the interpreter says: on random systems and goals the same answers and the same lengths.
//!
//! `SEQUENT_RANDOM=100000` looks at more systems.

#[allow(dead_code)] // Other tests read interactions too.
#[path = "../diagram/mod.rs"]
mod diagram;
#[allow(dead_code)] // Other tests ask for more.
#[path = "../agreement/naive.rs"]
mod naive;
#[path = "../agreement/random.rs"]
mod random;

mod far;
mod lrat;
mod objects;
mod observers;
mod reasons;
mod refutation;
mod ring;
mod systems;
mod transactions;
mod unbounded;

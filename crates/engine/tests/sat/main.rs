//! The SAT engines say what the interpreter says: on random systems and goals the same answers and the same lengths.
//!
//! `SEQUENT_RANDOM=100000` looks at more systems.

mod far;
mod lean;
mod objects;
mod observers;
mod portfolio;
mod reasons;
mod refutation;
mod systems;
mod transactions;
mod unbounded;

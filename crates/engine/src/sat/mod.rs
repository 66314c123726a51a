//! SAT: questions about a System answered by a solver instead of an enumeration of its states.
//!
//! - [`solver`]: CaDiCaL, and literals.
//! - [`lean`]: a solver of our own for very many small questions.
//! - [`encode`]: a System, and what is looked for in it, as clauses over one position and the next.
//! - [`unroll`]: the positions of a run, one after the other.
//! - [`prove`]: answers without a bound, certificates of them, and the conditions that they need.
//! - [`schedule`]: Systems whose components share nothing but labels: what each of them does at which position.
//! - [`bounded`]: bounded model checking, and how far runs get.
//! - [`outcome`]: what solvers find.

pub mod bounded;
pub mod encode;
pub mod lean;
pub mod outcome;
pub mod prove;
pub mod schedule;
pub mod solver;
pub mod unroll;

pub use encode::watching::EncodedObserver;

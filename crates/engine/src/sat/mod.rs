//! SAT: questions about a System answered by a solver instead of a walk through its states.
//!
//! - [`solver`]: CaDiCaL, and literals.
//! - [`clauses`], [`number`], [`state`]: logic, numbers and states as clauses.
//! - [`encoding`]: a System as clauses over one position and the next.
//! - [`unrolling`], [`bounded`]: runs of growing length.

pub mod bounded;
pub mod clauses;
pub mod encoding;
pub mod number;
pub mod solver;
pub mod state;
pub mod unrolling;

//! SAT: questions about a System answered by a solver instead of a walk through its states.
//!
//! - [`solver`]: CaDiCaL, and literals.
//! - [`clauses`], [`number`], [`state`]: logic, numbers and states as clauses.
//! - [`encoding`]: a System as clauses over one position and the next.
//! - [`table`]: an observer written out, so that it can be part of it.
//! - [`liveness`]: circles as states.
//! - [`near`]: attempts that begin soon.
//! - [`question`]: what is looked for.
//! - [`unrolling`], [`bounded`]: runs of growing length; [`far`]: runs up to a length that is great.
//! - [`depth`]: how far runs get that do not get to the end.
//! - [`reasons`]: which rules keep runs from getting there.
//! - [`automata`]: a System whose components share nothing but labels; [`timetable`], [`schedule`]: what each of them does at which
//!   position; [`bargain`]: ways that they agree on; [`tail`]: from where messages can follow each other.
//! - [`refutation`]: a bounded question as one formula, for other solvers and for proofs.
//! - [`induction`], [`ic3`]: answers without a bound ([`unbounded`]), and [`certificate`]s of them.

pub mod automata;
pub mod bargain;
pub mod bounded;
pub mod certificate;
pub mod clauses;
pub mod depth;
pub mod encoding;
pub mod far;
pub mod ic3;
pub mod induction;
pub mod liveness;
mod local;
mod near;
pub mod number;
mod possible;
pub mod question;
pub mod reasons;
pub mod refutation;
pub mod schedule;
mod solo;
pub mod solver;
pub mod state;
pub mod table;
pub mod tail;
pub mod timetable;
pub mod unbounded;
pub mod unrolling;
mod watching;
mod wide;
mod writer;

pub use watching::Watch;

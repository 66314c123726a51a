//! Exports: automata and formulas in the formats of other tools.
//!
//! - [`dot`]: Graphviz, for eyes.
//! - [`hoa`], [`hoa_question`]: Hanoi Omega-Automata v1, of traces and of questions, for Spot, Owl and the like.
//! - [`compact`]: automata with counters and bits.
//! - [`ltl`]: the templates of a diagram, as formulas of temporal logic.
//! - [`dimacs`]: formulas, for SAT solvers.
//! - [`invariant`]: proofs that no run reaches a goal, as text and for SMT solvers.
//! - [`aut`], [`dot_space`]: all states and steps.
//! - [`promela`]: models for SPIN.
//! - [`nusmv`]: models for NuSMV.
//! - [`cspm`]: processes for FDR.
//! - [`circuit`]: questions for hardware model checkers and SMT solvers: AIGER, BTOR2, SMT-LIB.
//! - [`itf`]: runs, for the tools around Apalache.
//! - [`json`]: for programs of one's own; described in docs/automata.md.

pub mod circuit;
mod claim;
pub mod compact;
pub mod cspm;
mod dimacs;
mod dot;
mod hoa;
mod invariant;
mod itf;
mod json;
mod ltl;
mod names;
pub mod nusmv;
pub mod promela;
mod question;
mod rigid;
mod space;
mod told;
mod unfolded;

pub use claim::LifelineClaim;
pub use dimacs::dimacs;
pub use dot::dot;
pub use hoa::{ObserverReader, hoa, hoa_question};
pub use invariant::{ExportedInvariant, invariant_lines, invariant_smt, invariant_text};
pub use itf::itf;
pub use json::json;
pub use ltl::{FormulaSpelling, Section, ltl};
pub use names::apart;
pub use question::{Legend, Unwritten, WantedGoal, WrittenSubject};
pub use space::{ExportedSpace, SpaceState, aut, dot_space};

#[cfg(test)]
mod tests;

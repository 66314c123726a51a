//! Exports: automata and formulas in the formats of other tools.
//!
//! - [`dot`]: Graphviz, for eyes.
//! - [`hoa`]: Hanoi Omega-Automata v1, for Spot, Owl, ltl2dstar and the like.
//! - [`compact`]: automata with counters and bits.
//! - [`ltl`]: the templates of a diagram, as formulas of temporal logic.
//! - [`json`]: for programs of one's own; described in docs/automata.md.

pub mod compact;
mod dot;
mod hoa;
mod json;
mod ltl;

pub use dot::dot;
pub use hoa::hoa;
pub use json::json;
pub use ltl::{Section, Spelling, ltl};

#[cfg(test)]
mod tests;

//! Exports: automata in the formats of other tools.
//!
//! - [`dot`]: Graphviz, for eyes.
//! - [`hoa`]: Hanoi Omega-Automata v1, for Spot, Owl, ltl2dstar and the like.
//! - [`json`]: for programs of one's own; described in docs/automata.md.

mod dot;
mod hoa;
mod json;

pub use dot::dot;
pub use hoa::hoa;
pub use json::json;

#[cfg(test)]
mod tests;

//! Mermaid `stateDiagram` and `stateDiagram-v2`, which mermaid reads alike.
//!
//! [`token`] is mermaid's lexer, [`style`] and [`note`] its longer tokens, [`statement`] reads the statements. Some of
//! what mermaid does here surprises people, and the reader says so where it can: `state A` alone declares nothing,
//! a semicolon is part of a name, and `title` is a state.

mod note;
mod statement;
mod style;
mod token;

pub use statement::read;

//! Mermaid `stateDiagram` and `stateDiagram-v2`, which mermaid reads alike.
//!
//! [`token`] is mermaid's lexer, [`scan`] its patterns, [`style`] and [`note`] its longer tokens. [`statement`] reads the
//! statements, [`declaration`] those that start with `state`, on the primitives of [`reader`]; [`rules`] checks what
//! mermaid finds only when it draws. Some of mermaid's rules are unexpected, and the reader warns where it
//! can: `state A` alone declares nothing, a semicolon is part of a name, and `title` is a state.

mod declaration;
mod kind;
mod note;
mod reader;
mod rules;
mod scan;
mod statement;
mod style;
mod token;

pub use statement::read;

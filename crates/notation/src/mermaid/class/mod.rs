//! Mermaid `classDiagram` and `classDiagram-v2`, which mermaid reads alike.
//!
//! Every statement stands on lines of its own, so a cursor that runs over the text is enough; keywords count in their
//! exact case. [`cursor`] knows names, quoted texts and relations, [`statement`] the statements,
//! on the primitives of [`reader`].

mod cursor;
mod reader;
mod statement;

pub use statement::read;

//! Mermaid `sequenceDiagram`.
//!
//! [`token`] is mermaid's lexer, [`kind`] its tokens, [`word`] its keywords, [`scan`] its patterns, [`arrow`] its arrows. [`statement`] reads the statements,
//! [`message`], [`block`], [`participant`] and [`numbering`] those with more inside, on the primitives of [`reader`].
//! [`rules`] checks what mermaid checks only after parsing: who is active, created, destroyed or boxed when.

pub mod arrow;
mod block;
pub(crate) mod colour;
mod kind;
mod message;
mod numbering;
mod participant;
mod reader;
pub mod rules;
pub(crate) mod scan;
mod statement;
mod token;
pub(crate) mod word;

pub(crate) use participant::type_name;
use sequent_kernel::diagnostic::Diagnostic;

use super::script::MermaidScript;
use crate::tree::Statement;
use crate::tree::sequence::SequenceStatement;

/// Reads a sequence diagram.
pub fn read(script: &MermaidScript, diagnostics: &mut Vec<Diagnostic>) -> Vec<Statement<SequenceStatement>> {
    let statements = statement::read(script, diagnostics);
    rules::check(&statements, diagnostics);
    statements
}

//! What tests share: inputs and reference results. Only tests and benches depend on this crate.
//!
//! Inputs:
//! - [`cases`]: the files of `examples/`; [`corpus`]: third-party diagrams, if they are installed;
//!   [`diagram`]: diagrams written in a test.
//! - [`samples`], [`systems`], [`ring`]: random diagrams and machines, random Systems, and a System with more
//!   states than can be listed. Random interactions, systems of objects and ensembles come from
//!   `sequent_evaluation::generate`, which the command prints too.
//! - [`seeds`]: which seeds a test uses, and which one failed.
//! - [`shrink`]: the smallest interaction that keeps a property.
//!
//! Reference results, transcribed from the definitions as simply as possible:
//! - [`interaction`]: the traces of an interaction; [`objects`]: the steps of a system of objects; [`ensemble`]: P4's definitions; [`space`]: the states of a System.
//! - [`ltl`]: formulas on lassos.
//! - [`opinion`]: the states, traces and verdicts that an outside tool should find; [`patience`]: its time
//!   limits.
//! - [`lrat`], [`schema`]: checkers of proofs and of JSON.
//!
//! [`editor`] speaks with the servers as editors do.

pub mod cases;
pub mod corpus;
pub mod diagram;
pub mod editor;
pub mod ensemble;
pub mod interaction;
pub mod lrat;
pub mod ltl;
pub mod objects;
pub mod opinion;
pub mod patience;
pub mod ring;
pub mod samples;
pub mod schema;
pub mod seeds;
pub mod shrink;
pub mod space;
pub mod systems;

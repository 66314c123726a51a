//! What tests share: where their inputs come from, and what the right answers are. Only tests and benches depend on this crate.
//!
//! Inputs:
//! - [`cases`]: the files of `examples/`; [`corpus`]: diagrams of others, where they are at hand; [`diagram`]: diagrams written down in a test.
//! - [`samples`], [`systems`], [`ring`]: random diagrams and machines, random Systems, and a System with more states than can be listed. Random interactions, systems of objects and
//!   ensembles come from `sequent_evaluation::generate`, which the command prints too.
//! - [`seeds`]: which seeds a test looks at, and which one failed.
//! - [`shrink`]: the smallest interaction of which something is still true.
//!
//! Right answers, written down from the definitions without any cleverness:
//! - [`interaction`]: the traces of an interaction; [`objects`]: the steps of a system of objects; [`ensemble`]: P4's definitions; [`space`]: the states of a System.
//! - [`ltl`]: formulas on lassos.
//! - [`opinion`]: the states, traces and verdicts that an outside tool should find; [`patience`]: the time that it has for a question.
//! - [`lrat`], [`schema`]: checkers of proofs and of JSON.

pub mod cases;
pub mod corpus;
pub mod diagram;
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

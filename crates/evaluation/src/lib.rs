//! Evaluation of Sequent: the experiments of the papers, comparisons with other tools, and generated models
//! for both.
//!
//! - [`generate`]: random and crafted models, with questions about them.
//! - [`thesis`]: the evaluation of P4, table by table, beside its published figures.
//! - [`peers`]: models on which other tools are compared.
//!
//! The command `sequent` offers it as `bench` and `generate`. No product crate depends on this crate; it
//! starts no program and reads no clock.

pub mod generate;
pub mod peers;
pub mod thesis;

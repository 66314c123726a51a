//! What measures Sequent: the papers' experiments again, other tools beside it, and generated models for both.
//!
//! - [`generate`]: random and crafted models, with questions about them.
//! - [`thesis`]: the evaluation of P4, table by table, beside its published figures.
//! - [`peers`]: models on which other tools are compared.
//!
//! The command `sequent` shows it as `bench` and `generate`. Nothing of the product depends on this crate; it starts no program and reads no clock.

pub mod generate;
pub mod peers;
pub mod thesis;

//! Sequent as a library: the way from text to report, without I/O.
//!
//! - [`pipeline`]: the arrows from text to findings, on one page.
//! - [`settings`]: `sequent.toml`.

pub mod pipeline;
pub mod settings;

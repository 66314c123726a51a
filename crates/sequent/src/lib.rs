//! Sequent as a library: the way from text to report, without I/O.
//!
//! [`pipeline`] shows the arrows from text to findings on one page; [`settings`] reads `sequent.toml`.

pub mod pipeline;
pub mod settings;

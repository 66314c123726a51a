//! Sequent as a library: the way from text to report, without I/O.
//!
//! [`pipeline`] shows the arrows from text to findings on one page; [`settings`] reads `sequent.toml`,
//! [`simulate`] steps through a diagram.

pub mod pipeline;
pub mod settings;
pub mod simulate;

//! Sequent as a library: the way from text to report, without I/O.

pub mod settings;

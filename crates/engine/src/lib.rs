//! Engines: whatever searches the state space of a System. They know nothing of UML.
//!
//! - [`traces`]: the complete traces of a system, counted without listing them, or listed.

pub mod traces;

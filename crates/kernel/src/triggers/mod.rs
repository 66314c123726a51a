//! Trigger-based paths: how the machine of a lifeline can follow the messages that the lifeline receives (P4,
//! D13 to D15).
//!
//! [`Paths`] computes the states after a message, [`LifelineWalk`] follows a lifeline through an interaction. The
//! lint of scenarios that no machine can follow and the merge of diagrams both use it.

mod path;
mod paths;
mod walk;

pub use paths::{ActiveStates, Paths};
pub use walk::{Death, LifelineWalk, passed};

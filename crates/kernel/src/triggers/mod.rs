//! What the machine of a lifeline makes of the messages that the lifeline receives: trigger-based paths (P4, D13 to D15).
//!
//! [`Paths`] tells where a machine may be after a message, [`Walk`] follows a lifeline through an interaction. The lint of
//! scenarios that no machine can follow and the merge of diagrams both ask here.

mod paths;
mod walk;

pub use paths::{Paths, States};
pub use walk::{Death, Walk};

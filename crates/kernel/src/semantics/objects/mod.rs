//! Objects: from state machines and the structure of a system to a [`System`](crate::system::System) (rules M1 to M5).
//!
//! What is done here is said exactly in docs/objects.md.

mod structure;

pub(crate) use structure::double;
pub use structure::{Instance, InstanceId, Structure, Target, structure};

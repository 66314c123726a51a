//! Models for NuSMV and nuXmv.
//!
//! Two shapes:
//!
//! - [`system`]: any System, its step relation as one module. The variable `step` says which step led to a state, so a
//!   counterexample is read back as a run ([`answer`]). What is asked stands beside it ([`claim`]): an invariant where a state
//!   is looked for, a formula where a run is that goes on forever.
//! - [`lifelines`](mod@lifelines): a sequence diagram in the shape of paper 000, with a module for each lifeline, and in it
//!   modules for combined fragments and their operands. It knows nothing of Systems, and so is a second opinion about what a
//!   diagram means.
//!
//! NuSMV's formulas are true of a run that cannot go on, whatever they say. So every state of what is written has a
//! successor: where nothing goes on the last state is repeated.

mod answer;
mod claim;
mod formula;
mod lexicon;
mod lifelines;
mod system;
mod terms;

pub use super::unfolded::UnfoldedDiagram;
pub use answer::{Said, said};
pub use lifelines::{NusmvLifelines, lifelines};
pub use system::{NuSmv, nusmv};

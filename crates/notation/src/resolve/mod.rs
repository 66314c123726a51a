//! From statements to the model: names are looked up, blocks nested, directives applied.

pub mod class;
pub mod sequence;
pub mod state;

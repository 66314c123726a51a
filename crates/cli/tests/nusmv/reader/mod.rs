//! A reader of NuSMV's language, as far as our models use it, and a search that needs no NuSMV.
//!
//! It knows what the manual says and nothing of how models are written: modules are instantiated, definitions looked up, and
//! states are found by trying values as long as no constraint is false. So what a model means is checked everywhere.

mod explore;
mod flat;
mod parse;

pub(crate) use explore::{State, Value};
pub(crate) use flat::Model;

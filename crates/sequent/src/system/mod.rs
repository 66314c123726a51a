//! Systems of objects: what only a search finds out about communicating state machines.

pub mod story;

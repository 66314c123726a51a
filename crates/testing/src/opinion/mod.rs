//! What tests of outside tools share: which states, traces and verdicts a tool should find.

pub mod states;
pub mod traces;
pub mod verdicts;

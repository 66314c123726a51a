//! What tests of outside tools share: which states, traces and verdicts a tool should find.

// Each test binary uses a part of this.
#![allow(dead_code)]

pub mod states;
pub mod traces;
pub mod verdicts;

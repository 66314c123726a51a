//! Scenarios: what is possible, required and forbidden in systems that are written down state by state.

mod cases;
#[allow(dead_code)]
#[path = "../diagram/mod.rs"]
mod diagram;
mod endless;
mod formulas;
mod guards;
mod random;
mod walk;

//! Circuits: a question about a System as a sequential circuit, whose registers are updated with every tick
//! of a clock.
//!
//! - [`machine`]: a System becomes registers, inputs and next-state functions; the property is a set of
//!   states (`bad`), or conditions that hold infinitely often (`justice`). [`observer`] adds the registers of
//!   an observer.
//! - [`words`]: the functions as gates over words of some bits.
//! - [`aiger`], [`btor`], [`smt`], [`qdimacs`]: the formats.
//!
//! An input selects the step. If that step is not enabled the state stays the same in that tick, so the
//! functions are total, no constraint is needed, and a state is reached after as many ticks as steps are
//! needed to get there.

mod aiger;
mod btor;
mod builder;
mod gates;
mod machine;
mod observer;
mod qdimacs;
mod smt;
mod words;

pub use aiger::{Aiger, aiger};
pub use btor::btor;
pub use builder::Register;
pub use machine::{CircuitMachine, machine};
pub use qdimacs::qdimacs;
pub use smt::smt;

//! Circuits: a System and what is looked for in it, as registers that are computed anew with every tick of a clock.
//!
//! - [`machine`]: a System becomes registers, inputs and functions over them; what is looked for are states (`bad`), or things
//!   that must be met again and again (`justice`). [`observer`] adds whoever reads the runs.
//! - [`words`]: the functions as gates over words of some bits.
//! - [`aiger`], [`btor`], [`smt`]: the formats.
//!
//! An input says which step is taken. Where the step is not possible nothing happens in that tick, so the functions are total, no
//! constraint is needed, and a state is reached after as many ticks as steps are needed to get there.

mod aiger;
mod btor;
mod builder;
mod gates;
mod machine;
mod observer;
mod smt;
mod words;

pub use aiger::{Aiger, aiger};
pub use btor::btor;
pub use builder::Register;
pub use machine::{Machine, machine};
pub use smt::smt;

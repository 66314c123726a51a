//! Models that nobody drew: random ones with their questions, and the crafted ones of P4's evaluation.
//!
//! An [`Ensemble`] is what P4 calls a state machine view: flat machines without data that meet by symbols (definitions D2,
//! D17 to D21). An [`Instance`] is an ensemble and one question about it, and becomes an ordinary [`Model`](crate::model::Model),
//! so that tests and benchmarks need no text. [`Shape`] and [`Cast`] hold the parameters of P4's random models (sections 5.3.1
//! to 5.3.3), [`crafted`] its three crafted ones, [`satisfaction`] the reduction by which it proves the questions hard.
//!
//! The same seed gives the same model on every machine.

pub mod crafted;
mod diagram;
mod ensemble;
mod goal;
mod lowered;
mod machines;
mod model;
mod random;
pub mod satisfaction;

pub use diagram::Cast;
pub use ensemble::{
    Arc, Asked, Diagram, Ensemble, Exchange, Instance, Plain, PlainId, Player, PlayerId, Sizes, Spot,
    StateId, SymbolId,
};
pub use goal::goal;
pub use lowered::Lowered;
pub use machines::{Chance, Shape, Size};
pub use random::Random;

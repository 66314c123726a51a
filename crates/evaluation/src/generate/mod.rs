//! Generated models: random ones with their questions, and the crafted ones of P4's evaluation.
//!
//! An [`GeneratedEnsemble`] is what P4 calls a state machine view: flat machines without data that meet by symbols (definitions D2,
//! D17 to D21). An [`EnsembleInstance`] is an ensemble and one question about it, and becomes an ordinary [`Model`](sequent_kernel::model::Model),
//! so that tests and benchmarks need no text. [`MachineShape`] and [`DiagramShape`] hold the parameters of P4's random models (sections 5.3.1
//! to 5.3.3), [`crafted`] its three crafted ones, [`satisfaction`] the reduction by which it proves the questions hard.
//! [`interaction`] and [`wide`] are random diagrams and systems of objects that use every construct; [`folder`] and [`page`] print
//! an instance as diagrams, [`dimacs`] reads formulas.
//!
//! The same seed gives the same model on every machine.

pub mod crafted;
mod diagram;
pub mod dimacs;
mod ensemble;
mod goal;
pub mod interaction;
mod lowered;
mod machines;
mod model;
mod numbers;
mod print;
pub mod satisfaction;
pub mod wide;

pub use diagram::DiagramShape;
pub(crate) use ensemble::PlainId;
pub use ensemble::{
    Arc, DiagramExchange, EnsembleInstance, EnsembleQuestion, FlatMachine, GeneratedEnsemble, MessageDiagram,
    ObjectInState, Player, PlayerId, Sizes, StateId, SymbolId,
};
pub use goal::goal;
pub use lowered::LoweredInstance;
pub use machines::{Chance, EvaluationSize, MachineShape};
pub use print::{BY_CHANCE, GeneratedNotation, SETTINGS, folder, page};

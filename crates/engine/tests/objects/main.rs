//! Systems of communicating state machines: a naive interpreter of docs/objects.md, the numbers of the literature, and random
//! systems that must mean the same to the lowering (`SEQUENT_RANDOM=50000` for more).

mod account;
mod build;
mod cases;
mod compare;
mod features;
mod graph;
mod kept;
#[allow(dead_code)]
#[path = "../reference/naive/mod.rs"]
mod lister;
mod naive;
#[allow(dead_code)] // The lister uses some of it.
#[path = "../../../sequent/src/generate/interaction.rs"]
mod random;
mod scenario;
#[allow(dead_code)] // Its settings are printed elsewhere.
#[path = "../../../sequent/src/generate/wide/mod.rs"]
mod systems;
mod transactions;

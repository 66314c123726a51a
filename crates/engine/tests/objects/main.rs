//! Systems of communicating state machines: a naive interpreter of docs/objects.md, the numbers of the literature, and random
//! systems that must mean the same to the lowering (`SEQUENT_RANDOM=50000` for more).

mod account;
mod build;
mod cases;
mod compare;
mod features;
mod graph;
mod kept;
mod orbits;
mod quotient;
mod ring;
mod scenario;
mod transactions;

use sequent_evaluation::generate::wide as systems;
use sequent_testing::interaction as lister;

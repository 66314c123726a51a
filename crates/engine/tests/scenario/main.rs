//! Scenarios: what is possible, required and forbidden in systems that are written down state by state.

mod cases;
mod endless;
mod formulas;
mod guards;
mod random;
mod walk;
mod whenever;

use sequent_testing::diagram;

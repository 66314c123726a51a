//! Property diagrams against the listed traces of model diagrams: the worked examples of P0, and random diagrams against the
//! definitions taken literally.

mod cases;
mod definition;
mod simulate;

use sequent_evaluation::generate::interaction as random;
use sequent_testing::interaction as naive;

//! Property diagrams against the listed traces of model diagrams: the worked examples of P0, and random diagrams against the
//! definitions taken literally.

mod cases;
mod definition;
mod simulate;

#[allow(dead_code)]
#[path = "../reference/naive/mod.rs"]
mod naive;

use sequent_evaluation::generate::interaction as random;

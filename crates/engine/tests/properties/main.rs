//! Property diagrams against the listed traces of model diagrams: the worked examples of P0, and random diagrams against the
//! definitions taken literally.

mod cases;
mod definition;
mod simulate;

#[allow(dead_code)]
#[path = "../reference/naive/mod.rs"]
mod naive;
#[allow(dead_code)]
#[path = "../../../sequent/src/generate/interaction.rs"]
mod random;

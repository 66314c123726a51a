//! Verdicts: what SPIN says about formulas, scenarios and goals is what we say.

use sequent::tools::OutsideTool;

use super::at_hand;
use super::opinion::verdicts;

/// SPIN, which is there.
fn asked() -> Box<dyn OutsideTool> {
    Box::new(at_hand().expect("it was there before"))
}

/// The cases that are the most different from each other, so that the test is quick.
const CASES: &[&str] = &[
    "projects/cash-machine",
    "projects/figure-35",
    "projects/guarded-door",
    "projects/insurance-location",
    "projects/overfull-shelf",
    "projects/pin-check",
    "projects/refused-card",
    "projects/two-messages",
];

#[test]
fn examples_get_the_same_verdicts() {
    if at_hand().is_some() {
        verdicts::examples(&asked, CASES, 24);
    }
}

#[test]
fn formulas_about_random_diagrams_get_the_same_verdicts() {
    if at_hand().is_some() {
        verdicts::formulas(&asked);
    }
}

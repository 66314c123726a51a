//! Verdicts: what NuSMV says about formulas, scenarios and goals is what we say.

use sequent::tools::OutsideTool;

use super::at_hand;
use super::opinion::verdicts;

/// NuSMV, which is there.
fn asked() -> Box<dyn OutsideTool> {
    Box::new(at_hand().expect("it was there before"))
}

/// The cases that are the most different from each other, so that the test is quick.
const CASES: &[&str] = &[
    "projects/checkout",
    "projects/coffee",
    "projects/figure-35",
    "projects/guarded-door",
    "projects/insurance-location",
    "projects/refused-card",
    "projects/two-messages",
];

#[test]
fn examples_get_the_same_verdicts() {
    if at_hand().is_some() {
        verdicts::examples(&asked, CASES, 19);
    }
}

#[test]
fn formulas_about_random_diagrams_get_the_same_verdicts() {
    if at_hand().is_some() {
        verdicts::formulas(&asked);
    }
}

//! What `classify` says of a trace is what the definition says of it, on random diagrams under random switches.

use sequent::classify::classify;
use sequent_evaluation::generate::interaction as random;
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::semantics::{Assumptions, Switches};
use sequent_kernel::system::TraceClass;
use sequent_testing::interaction::{ListingBounds, traces};
use sequent_testing::seeds::seeds;

const BOUNDS: ListingBounds = ListingBounds { choices: 300, steps: 2_000, length: 12 };

/// Every complete trace is looked up by `classify`, up to a few for each diagram.
fn compare(usual: u64, assumptions: impl Fn(u64) -> Assumptions) {
    let mut compared = 0;
    for seed in seeds(usual) {
        let (model, assumptions) = (random::model(seed), assumptions(seed));
        let Some(expected) = traces(&model, &assumptions, BOUNDS) else { continue };
        let valid = expected.valid.iter().map(|trace| (trace, TraceClass::Valid));
        let invalid = expected.invalid.iter().map(|trace| (trace, TraceClass::Invalid));
        for (trace, class) in valid.take(4).chain(invalid.take(4)) {
            let trace: Vec<String> = trace.iter().map(ToString::to_string).collect();
            let Ok(found) = classify(&model, InteractionId::from_index(0), &assumptions, &trace) else {
                continue;
            };
            assert_eq!(found.class, class, "seed {seed}: {trace:?}: {found:?}");
            compared += 1;
        }
    }
    assert!(compared > usual, "{compared} traces compared");
}

#[test]
fn complete_traces_are_what_the_definition_says() {
    compare(120, random::assumptions);
}

#[test]
fn complete_traces_through_nested_negs() {
    let switches = |seed| match seed % 3 {
        0 => TraceClass::Invalid,
        1 => TraceClass::Valid,
        _ => TraceClass::Inconclusive,
    };
    compare(120, |seed| Assumptions {
        switches: Switches { double_negation: switches(seed), ..Switches::default() },
        ..random::assumptions(seed)
    });
}

//! Templates and lowering agree, proved by automata: on every example, and on random diagrams.

use sequent::effort::Effort;
use sequent::templates::agree;
use sequent_engine::search::Limits;
use sequent_evaluation::generate::interaction as random;
use sequent_kernel::id::Id;
use sequent_kernel::model::InteractionId;
use sequent_kernel::semantics::Switches;
use sequent_kernel::verdict::Verdict;
use sequent_testing::cases;

/// Little work: what is larger stays undecided.
fn effort() -> Effort<'static> {
    Effort { limits: Limits { states: 400, ..Limits::default() }, ..Effort::default() }
}

#[test]
fn every_example_means_the_same_in_formulas() {
    let mut decided = 0;
    for case in cases::all() {
        let session = cases::read(&case);
        let model = &session.reading.model;
        for id in model.interactions.ids() {
            let answer = agree(model, id, &Switches::default(), &effort());
            assert!(!matches!(answer.verdict, Verdict::Fails(_)), "{}: {answer:?}", case.name);
            decided += usize::from(matches!(answer.verdict, Verdict::Holds(_)));
        }
    }
    assert!(decided > 70, "{decided}");
}

#[test]
fn random_diagrams_mean_the_same_in_formulas() {
    let mut decided = 0;
    for seed in 0..120 {
        let (model, assumptions) = (random::model(seed), random::assumptions(seed));
        let answer = agree(&model, InteractionId::from_index(0), &assumptions.switches, &effort());
        assert!(!matches!(answer.verdict, Verdict::Fails(_)), "seed {seed}: {answer:?}");
        decided += usize::from(matches!(answer.verdict, Verdict::Holds(_)));
    }
    assert!(decided > 70, "{decided}");
}

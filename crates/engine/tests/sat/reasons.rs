//! What rules a goal out: if all other rules could fire anywhere, the goal would still not be reached.

use std::collections::BTreeSet;

use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::question::EncodedQuestion;
use sequent_engine::sat::outcome::{ExclusionReason, UnboundedOutcome};
use sequent_engine::sat::prove::ic3;
use sequent_engine::sat::prove::reasons::{of_invariant, within};
use sequent_evaluation::generate::{Chance, EnsembleInstance, EnsembleQuestion, LoweredInstance, goal};
use sequent_kernel::id::Id;
use sequent_kernel::random::Random;
use sequent_kernel::system::{System, TermId};
use sequent_testing::seeds::seeds;

use crate::transactions::{SMALL, distance, patient};

/// The system in which all rules but some may fire anywhere.
fn relaxed(system: &System, kept: &BTreeSet<usize>) -> System {
    let mut system = system.clone();
    let always = system.terms.constant(1);
    for id in system.rules.ids().collect::<Vec<_>>() {
        if !kept.contains(&id.index()) {
            system.rules[id].guard = always;
        }
    }
    system
}

fn random(seed: u64) -> (System, TermId) {
    let mut random = Random::new(seed);
    let ensemble = SMALL.machines(&mut random);
    let spots = goal(&ensemble, Chance::millionths(400_000), &mut random);
    let instance = EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(spots), within: None };
    let LoweredInstance { objects, goal, .. } = instance.lower().expect("it is small");
    (objects.system, goal.expect("it is a goal"))
}

#[test]
fn what_rules_a_goal_out_suffices() {
    const MOST: usize = 3;
    let (mut bounded, mut proved, mut left, mut all) = (0, 0, 0, 0);
    for seed in seeds(80) {
        let (system, goal) = random(seed);
        let question = EncodedQuestion::goal(&system, Pace::Single, goal).expect("it is small");
        let single = &mut |condition: (sequent_kernel::system::RuleId, _)| Some(condition.0.index());
        if let Some(core) = within(&question, MOST, single, &patient) {
            let relaxed = relaxed(&system, &core.iter().copied().collect());
            let question = EncodedQuestion::goal(&relaxed, Pace::Single, goal).expect("it is small");
            let found = sequent_engine::sat::bounded::reach::reach(
                &question.encoding,
                question.wanted,
                MOST,
                &patient,
            );
            assert!(!matches!(found, sequent_engine::sat::outcome::Bounded::Found(..)), "seed {seed}");
            bounded += 1;
        }
        let argument = ic3::prove(&question.encoding, question.wanted, &patient).0;
        let UnboundedOutcome::Proved(ExclusionReason::Invariant(clauses)) = argument else { continue };
        let core = of_invariant(&question.encoding, &clauses, single, &patient).expect("it is an invariant");
        assert_eq!(distance(&relaxed(&system, &core.iter().copied().collect()), goal), None, "seed {seed}");
        proved += 1;
        left += core.len();
        all += system.rules.len();
    }
    assert!(bounded > 15 && proved > 10, "{bounded} within a bound, {proved} without");
    assert!(left * 2 < all, "most rules do not matter: {left} of {all} do");
}

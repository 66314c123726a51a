//! Random goals: the least number of transactions is that of the definitions.

use std::collections::BTreeSet;

use sequent_evaluation::generate::{
    Chance, EnsembleInstance, EnsembleQuestion, EvaluationSize, MachineShape, goal,
};
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::{is_reachable, least, naive};

#[test]
fn transactions_to_random_goals() {
    let mut seen: BTreeSet<Option<u32>> = BTreeSet::new();
    for seed in seeds(150) {
        let mut random = Random::new(seed);
        let shape = MachineShape {
            machines: 2 + seed as usize % 3,
            transitions: (3, 7),
            ..EvaluationSize::Small.shape()
        };
        let ensemble = shape.machines(&mut random);
        let distances = naive::distances(&ensemble);
        for share in [500_000, 1_000_000] {
            let goal = goal(&ensemble, Chance::millionths(share), &mut random);
            let there = distances.iter().filter(|(global, _)| naive::matches(&ensemble, global, &goal));
            let expected = there.map(|(_, distance)| *distance).min();
            let instance = EnsembleInstance {
                ensemble: ensemble.clone(),
                asked: EnsembleQuestion::Goal(goal),
                within: None,
            };
            assert_eq!(least(&instance), expected, "seed {seed}: {instance:?}");
            assert_eq!(is_reachable(&instance), expected.is_some(), "seed {seed}");
            seen.insert(expected);
        }
    }
    assert!(seen.len() > 5 && seen.contains(&None), "{seen:?}");
}

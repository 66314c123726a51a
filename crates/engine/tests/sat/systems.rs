//! Random Systems, where components share variables: one step at a time, and several.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sequent_engine::sat::bounded::reach::reach;
use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::encoding::Encoding;
use sequent_engine::sat::outcome::Bounded;
use sequent_kernel::random::Random;
use sequent_kernel::replay::replay;
use sequent_kernel::system::{Config, Join, System, TermId};
use sequent_testing::seeds::seeds;
use sequent_testing::space::{NaiveSpace, explore};
use sequent_testing::systems::{Taste, system};

pub(crate) const TASTES: [Taste; 3] = [
    Taste { joins: false, urgent: false, void: false, odd: 0 },
    Taste { joins: false, urgent: false, void: true, odd: 40 },
    Taste { joins: true, urgent: false, void: true, odd: 30 },
];

/// A goal that holds in one configuration alone, which may be reachable or not.
pub(crate) fn goal(system: &mut System, config: &Config) -> TermId {
    let pairs: Vec<_> = system.variables.ids().zip(config.0.clone()).collect();
    let parts: Vec<TermId> = pairs.into_iter().map(|(id, value)| system.terms.is(id, value)).collect();
    system.terms.and(parts)
}

pub(crate) fn any_config(system: &System, dice: &mut Random) -> Config {
    let value = |min: i32, max: i32, dice: &mut Random| min + dice.below((max - min + 1) as usize) as i32;
    Config(system.variables.iter().map(|one| value(one.min, one.max, dice)).collect())
}

/// How far away a predicate is.
pub(crate) fn distance(space: &NaiveSpace, system: &System, goal: TermId) -> Option<usize> {
    let there = space.depth.iter().filter(|(config, _)| system.holds(goal, config));
    there.map(|(_, depth)| *depth).min()
}

#[test]
fn bounded_search_finds_the_nearest_goal() {
    let (mut found, mut missed) = (0, 0);
    for taste in TASTES {
        for seed in seeds(300) {
            let mut system = system(seed, taste);
            let space = explore(&system);
            let mut dice = Random::new(seed + 7);
            let mut goals = vec![system.complete];
            for _ in 0..3 {
                let config = any_config(&system, &mut dice);
                goals.push(goal(&mut system, &config));
            }
            for pace in [Pace::Single, Pace::Together, Pace::Sparse] {
                let encoding = Encoding::new(&system, pace, &goals).expect("it is small");
                for goal in &goals {
                    let literal = encoding.truth(*goal).expect("it was named");
                    let deepest = space.depth.values().max().map_or(0, |depth| depth + 1);
                    let expected = distance(&space, &system, *goal);
                    let hint = format!("seed {seed}, {taste:?}, {pace:?}");
                    match reach(&encoding, literal, deepest, &|_| ControlFlow::Continue(())) {
                        Bounded::Found(run, length) => {
                            found += 1;
                            let configs = replay(&system, &run).expect("a run that is one");
                            assert!(system.holds(*goal, &configs[configs.len() - 1]), "{hint}");
                            assert!(Some(length) <= expected, "{hint}");
                            assert!(pace != Pace::Single || Some(length) == expected, "{hint}");
                        }
                        Bounded::Nothing(_) | Bounded::Proved(_) => {
                            missed += 1;
                            assert_eq!(None, expected, "{hint}");
                        }
                        Bounded::Stopped(_) => panic!("nobody broke it off"),
                    }
                }
            }
        }
    }
    assert!(found > 500 && missed > 500, "{found} found, {missed} missed");
}

#[test]
fn deadlocks_are_found_at_any_pace() {
    let (mut found, mut missed) = (0, 0);
    // Where runs are ruled out later, or somebody listens, nobody writes down what is stuck.
    for taste in TASTES.map(|taste| Taste { void: false, ..taste }) {
        for seed in seeds(200) {
            let system = system(seed, taste);
            if system.rules.iter().any(|rule| matches!(rule.join, Join::Listen(_))) {
                continue;
            }
            let space = explore(&system);
            let stuck: BTreeSet<Config> =
                space.ends().into_iter().filter(|config| !system.holds(system.complete, config)).collect();
            let nearest = stuck.iter().map(|config| space.depth[config]).min();
            let deepest = space.depth.values().max().map_or(0, |depth| depth + 1);
            for pace in [Pace::Single, Pace::Together, Pace::Sparse] {
                let (encoding, wanted) = Encoding::stuck(&system, pace).expect("it is small");
                let hint = format!("seed {seed}, {taste:?}, {pace:?}");
                match reach(&encoding, wanted, deepest, &|_| ControlFlow::Continue(())) {
                    Bounded::Found(run, length) => {
                        found += 1;
                        let configs = replay(&system, &run).expect("a run that is one");
                        assert!(stuck.contains(&configs[configs.len() - 1]), "{hint}");
                        assert!(pace != Pace::Single || Some(length) == nearest, "{hint}");
                        assert!(Some(length) <= nearest, "{hint}");
                    }
                    Bounded::Nothing(_) | Bounded::Proved(_) => {
                        missed += 1;
                        assert_eq!(nearest, None, "{hint}");
                    }
                    Bounded::Stopped(_) => panic!("nobody broke it off"),
                }
            }
        }
    }
    assert!(found > 200 && missed > 200, "{found} found, {missed} missed");
}

//! Induction and IC3 on random Systems: the answers of the naive search, runs that replay, invariants that check.

use std::ops::ControlFlow;

use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::encoding::Encoding;
use sequent_engine::sat::outcome::{ExclusionReason, UnboundedOutcome};
use sequent_engine::sat::prove::certificate::check;
use sequent_engine::sat::{prove::ic3, prove::induction};
use sequent_kernel::random::Random;
use sequent_kernel::replay::replay;
use sequent_kernel::system::{System, TermId};
use sequent_testing::seeds::seeds;
use sequent_testing::space::explore;
use sequent_testing::systems::system;

use crate::systems::{TASTES, any_config, distance, goal};

/// A goal that holds in all configurations in which two variables have some values.
fn wide_goal(system: &mut System, dice: &mut Random) -> TermId {
    let config = any_config(system, dice);
    let ids: Vec<_> = system.variables.ids().collect();
    let parts: Vec<TermId> = (0..2)
        .map(|_| {
            let at = dice.below(ids.len());
            system.terms.is(ids[at], config.0[at])
        })
        .collect();
    system.terms.and(parts)
}

/// Systems that were once told wrong: a rule listens to what it shows itself.
const KNOWN: [u64; 1] = [1_359];

/// How often each answer was given.
#[derive(Default, Debug)]
struct Answers {
    found: usize,
    proved: usize,
    stopped: usize,
}

/// Asks an engine for a few goals of many systems, and compares with what is reachable.
fn compare(few: u64, prove: impl Fn(&Encoding<'_>, TermId) -> UnboundedOutcome) -> Answers {
    let mut answers = Answers::default();
    for taste in TASTES {
        for seed in seeds(few).chain(KNOWN) {
            let mut system = system(seed, taste);
            let space = explore(&system);
            let mut dice = Random::new(seed + 7);
            let mut goals = vec![system.complete, wide_goal(&mut system, &mut dice)];
            let config = any_config(&system, &mut dice);
            goals.push(goal(&mut system, &config));
            let encoding = Encoding::new(&system, Pace::Single, &goals).expect("it is small");
            for goal in goals {
                let expected = distance(&space, &system, goal);
                match prove(&encoding, goal) {
                    UnboundedOutcome::Found(run, length) => {
                        answers.found += 1;
                        let configs = replay(&system, &run).expect("a run that is one");
                        assert!(system.holds(goal, &configs[configs.len() - 1]), "seed {seed}");
                        assert!(expected.is_some_and(|least| length >= least), "seed {seed}");
                        assert_eq!(run.steps.len(), length);
                    }
                    UnboundedOutcome::Proved(argument) => {
                        answers.proved += 1;
                        assert_eq!(None, expected, "seed {seed}, joins {}", taste.joins);
                        if let ExclusionReason::Invariant(clauses) = argument {
                            let literal = encoding.truth(goal).expect("it was named");
                            assert_eq!(check(&encoding, literal, &clauses, &patient), Ok(()));
                        }
                    }
                    UnboundedOutcome::Stopped => answers.stopped += 1,
                }
            }
        }
    }
    answers
}

fn patient(_: sequent_engine::sat::solver::SolverEffort) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn ic3_says_what_is_reachable() {
    let answers = compare(300, |encoding, goal| {
        let literal = encoding.truth(goal).expect("it was named");
        ic3::prove(encoding, literal, &patient).0
    });
    assert_eq!(answers.stopped, 0, "nobody broke it off");
    assert!(answers.found > 500 && answers.proved > 500, "{answers:?}");
}

#[test]
fn induction_says_what_is_reachable() {
    let answers = compare(300, |encoding, goal| {
        let literal = encoding.truth(goal).expect("it was named");
        induction::prove(encoding, literal, 20, &patient)
    });
    assert!(answers.found > 500 && answers.proved > 500, "{answers:?}");
    assert!(answers.stopped * 10 < answers.proved, "few need more states: {answers:?}");
}

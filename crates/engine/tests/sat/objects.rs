//! Systems of objects without a bound: the philosophers of P4 and a ring of stations with queues.

use std::ops::ControlFlow;

use sequent_engine::packed::Program;
use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::encoding::Encoding;
use sequent_engine::sat::outcome::{ExclusionReason, UnboundedOutcome};
use sequent_engine::sat::prove::certificate::{Fact, Flaw, check, fact};
use sequent_engine::sat::prove::ic3;
use sequent_engine::sat::solver::{Literal, SolverEffort};
use sequent_engine::search::{Search, SearchAnswer, SearchGoal, SearchOptions, unwatched};
use sequent_evaluation::generate::{EnsembleInstance, EnsembleQuestion, LoweredInstance, crafted};
use sequent_kernel::replay::replay;
use sequent_kernel::system::{System, TermId};
use sequent_testing::ring::{Ring, ring};

fn patient(_: SolverEffort) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Asks IC3, checks what it says, and tells whether there is a run.
fn is_reachable(system: &System, goal: TermId, pace: Pace) -> bool {
    let encoding = Encoding::new(system, pace, &[goal]).expect("it is small");
    let literal = encoding.truth(goal).expect("it was named");
    match ic3::prove(&encoding, literal, &patient).0 {
        UnboundedOutcome::Found(run, _) => {
            let configs = replay(system, &run).expect("a run that is one");
            assert!(system.holds(goal, &configs[configs.len() - 1]));
            true
        }
        UnboundedOutcome::Proved(ExclusionReason::Invariant(clauses)) => {
            assert_eq!(check(&encoding, literal, &clauses, &patient), Ok(()));
            false
        }
        UnboundedOutcome::Proved(ExclusionReason::Induction(_) | ExclusionReason::Exhausted(_))
        | UnboundedOutcome::Stopped => {
            panic!("IC3 gives invariants")
        }
    }
}

#[test]
fn of_all_full_goals_of_the_philosophers_14_are_reachable() {
    let ensemble = crafted::philosophers(3);
    let mut goals = vec![Vec::new()];
    for player in ensemble.players.ids() {
        let states = || ensemble.plain(player).states.ids();
        let longer = |goal: &Vec<_>| {
            states().map(move |state| [&goal[..], &[(player, state)]].concat()).collect::<Vec<_>>()
        };
        goals = goals.iter().flat_map(longer).collect();
    }
    assert_eq!(goals.len(), 216);
    let mut reachable = 0;
    for (index, spots) in goals.into_iter().enumerate() {
        let instance = EnsembleInstance {
            ensemble: ensemble.clone(),
            asked: EnsembleQuestion::Goal(spots),
            within: None,
        };
        let LoweredInstance { objects, goal, .. } = instance.lower().expect("it is small");
        let pace = if index % 2 == 0 { Pace::Single } else { Pace::Together };
        reachable += usize::from(is_reachable(&objects.system, goal.expect("it is a goal"), pace));
    }
    assert_eq!(reachable, 14);
}

#[test]
fn a_ring_with_one_token_is_safe_and_with_two_it_is_not() {
    let Ring { objects, both, fault } = ring(2, 2, 1);
    let program = Program::new(&objects.system);
    let options = SearchOptions { threads: 1, ..SearchOptions::default() };
    let search = Search::run(&program, SearchGoal::Everything, &options, &unwatched);
    assert_eq!(search.answer, SearchAnswer::Exhausted);
    // Up to two jobs, of which the worker may have one: 7 ways to be free, 2 * 3 to be busy.
    assert!(search.progress.states > 13 * 13, "{}", search.progress.states);
    for goal in [both, fault] {
        assert!(!is_reachable(&objects.system, goal, Pace::Single));
    }
    let Ring { objects, both, fault } = ring(3, 1, 2);
    assert!(is_reachable(&objects.system, both, Pace::Single));
    assert!(is_reachable(&objects.system, fault, Pace::Single), "two tokens and what a worker has done");
}

#[test]
fn what_is_no_invariant_is_refused() {
    let Ring { objects, both, .. } = ring(2, 1, 1);
    let encoding = Encoding::new(&objects.system, Pace::Single, &[both]).expect("it is small");
    let goal = encoding.truth(both).expect("it was named");
    let UnboundedOutcome::Proved(ExclusionReason::Invariant(clauses)) =
        ic3::prove(&encoding, goal, &patient).0
    else {
        panic!("one token is safe")
    };
    let refused =
        |clauses: &[Vec<Literal>]| check(&encoding, goal, clauses, &patient).expect_err("it is none");
    assert_eq!(refused(&[]), Flaw::Goal);
    assert_eq!(refused(&[vec![!goal]]), Flaw::Step);
    let first = encoding.initial();
    assert_eq!(refused(&[vec![!first[0]]]), Flaw::Beginning);
    assert_eq!(refused(&[vec![Literal(encoding.period + 1)]]), Flaw::Foreign);
    // Every clause but the goal's speaks of variables by name and value.
    for literal in clauses.iter().flatten().filter(|literal| **literal != !goal) {
        let Some(Fact::Value(variable, value, _)) = fact(&encoding, *literal) else {
            panic!("all domains are small")
        };
        let domain = &objects.system.variables[variable];
        assert!((domain.min..=domain.max).contains(&value));
    }
}

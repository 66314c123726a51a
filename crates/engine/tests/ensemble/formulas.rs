//! A formula is satisfiable if and only if its state machines reach their goal (P4, section 4.3).

use std::ops::ControlFlow;

use sequent_engine::sat::bounded::reach::reach;
use sequent_engine::sat::encode::Pace;
use sequent_engine::sat::encode::question::EncodedQuestion;
use sequent_engine::sat::outcome::Bounded;
use sequent_evaluation::generate::satisfaction::{CnfFormula, CnfLiteral, VariableId};
use sequent_evaluation::generate::{EnsembleInstance, EnsembleQuestion, LoweredInstance};
use sequent_kernel::id::Id;
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

use crate::{is_reachable, least, naive};

fn formula(variables: usize, clauses: &[&[i32]]) -> CnfFormula {
    let literal = |number: &i32| CnfLiteral {
        variable: VariableId::from_index(number.unsigned_abs() as usize - 1),
        is_positive: *number > 0,
    };
    let clauses = clauses.iter().map(|clause| clause.iter().map(literal).collect()).collect();
    CnfFormula { variables, clauses }
}

fn is_satisfiable(formula: &CnfFormula) -> bool {
    (0..1_u32 << formula.variables).any(|bits| {
        let values: Vec<bool> = (0..formula.variables).map(|at| bits >> at & 1 == 1).collect();
        formula.is_satisfied(&values)
    })
}

#[test]
fn satisfiable_if_and_only_if_reachable() {
    let (mut yes, mut no) = (0, 0);
    for seed in seeds(150) {
        let mut random = Random::new(seed);
        let variables = 2 + seed as usize % 3;
        let formula = CnfFormula::random(variables, &mut random);
        assert!(formula.is_three_by_three());
        let expected = is_satisfiable(&formula);
        assert_eq!(is_reachable(&formula.goal()), expected, "seed {seed}: {formula:?}");
        *if expected { &mut yes } else { &mut no } += 1;
    }
    assert!(yes > 30 && no > 30, "{yes} can be satisfied, {no} cannot");
}

/// The same by SAT, for longer formulas: there is a run of at most as many transactions as the proof allows, or none.
#[test]
fn satisfiable_if_and_only_if_a_solver_finds_a_run() {
    let (mut yes, mut no) = (0, 0);
    for seed in seeds(150) {
        let formula = CnfFormula::random(2 + seed as usize % 5, &mut Random::new(seed));
        let instance = formula.goal();
        let LoweredInstance { objects, goal, .. } = instance.lower().expect("it is flat");
        let goal = goal.expect("a goal is asked about");
        let question = EncodedQuestion::goal(&objects.system, Pace::Together, goal).expect("it is small");
        let patience = |_| ControlFlow::Continue(());
        let expected = is_satisfiable(&formula);
        match reach(&question.encoding, question.wanted, formula.within() as usize, &patience) {
            Bounded::Found(..) => assert!(expected, "seed {seed}: {formula:?}"),
            Bounded::Nothing(_) | Bounded::Proved(_) => assert!(!expected, "seed {seed}: {formula:?}"),
            Bounded::Stopped(_) => panic!("nobody broke it off"),
        }
        *if expected { &mut yes } else { &mut no } += 1;
    }
    assert!(yes > 30 && no > 30, "{yes} can be satisfied, {no} cannot");
}

/// Within the bound of the proof, and as many transactions as the definitions say.
#[test]
fn the_bound_of_the_proof_is_enough() {
    for seed in seeds(30) {
        let formula = CnfFormula::random(1 + seed as usize % 3, &mut Random::new(seed));
        let instance = formula.goal();
        let length = least(&instance);
        let EnsembleInstance { ensemble, asked: EnsembleQuestion::Goal(goal), within: Some(within) } =
            instance
        else {
            panic!("it is a goal with a bound")
        };
        let distances = naive::distances(&ensemble);
        let there = distances.iter().filter(|(global, _)| naive::matches(&ensemble, global, &goal));
        assert_eq!(length, there.map(|(_, distance)| *distance).min(), "seed {seed}");
        assert_eq!(length.is_some_and(|length| length <= within), is_satisfiable(&formula), "seed {seed}");
    }
}

#[test]
fn the_example_of_the_proof() {
    let positive = formula(3, &[&[1, -2], &[1, 2], &[3], &[-1, -2, -3]]).goal();
    assert_eq!((positive.within, least(&positive)), (Some(12), Some(6)));
    let negative = formula(2, &[&[1], &[-1, 2], &[-2]]).goal();
    assert_eq!(least(&negative), None);
    // Nothing reaches a clause that is empty; nothing needs to where there is none.
    assert_eq!(least(&formula(1, &[&[]]).goal()), None);
    assert_eq!(least(&formula(1, &[]).goal()), Some(0));
}

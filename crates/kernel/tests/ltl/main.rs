//! Temporal formulas: automata and truth tables against the definitions on lassos; laws; sizes; limits.

mod laws;
mod limits;
mod patterns;
mod sizes;

use sequent_kernel::formula::Formula;
use sequent_kernel::id::Id;
use sequent_kernel::property::Moment;
use sequent_kernel::property::ltl::{BoundFormula, LtlAutomaton, truth};
use sequent_kernel::random::Random;
use sequent_testing::ltl::naive;
use sequent_testing::ltl::random;
use sequent_testing::ltl::syntax::text;
use sequent_testing::ltl::word::{self, Lasso, accepts, bound, lasso, system};
use sequent_testing::seeds::seeds;

/// Every fourth seed from one of the first, so that four tests run beside each other.
fn agree(first: usize) {
    let system = system();
    let mut refused = 0;
    let seeds = seeds(5_000);
    let tries = seeds.count_left();
    for seed in seeds.skip(first).step_by(4) {
        let mut numbers = Random::new(seed);
        let depth = 1 + numbers.below(5);
        let formula = random::formula(&mut numbers, depth);
        let bound = bound(&formula, &system);
        let name = || format!("seed {seed}: {}", text(&formula));
        let (Ok(yes), Ok(no)) = (LtlAutomaton::of(&bound), LtlAutomaton::violation(&bound)) else {
            refused += 1;
            continue;
        };
        for number in 0..4 {
            let lasso = lasso(&mut numbers);
            let expected = naive::holds(&formula, &lasso, 0);
            assert_eq!(accepts(&yes, &lasso), expected, "{} on {lasso:?}", name());
            assert_eq!(accepts(&no, &lasso), !expected, "not {} on {lasso:?}", name());
            if number == 0 {
                tables_agree(&formula, &bound, &lasso, &name());
            }
        }
    }
    assert!(refused <= tries / 10_000, "{refused} formulas are too large");
}

#[test]
fn automata_and_tables_say_what_the_definitions_say() {
    agree(0);
}

#[test]
fn automata_and_tables_say_what_the_definitions_say_2() {
    agree(1);
}

#[test]
fn automata_and_tables_say_what_the_definitions_say_3() {
    agree(2);
}

#[test]
fn automata_and_tables_say_what_the_definitions_say_4() {
    agree(3);
}

/// Every part of the formula has the right value in every column, and twice round the cycle after the last.
fn tables_agree(formula: &Formula, bound: &BoundFormula, lasso: &Lasso, name: &str) {
    let moments = |positions: &[word::WordPosition]| -> Vec<Moment> {
        positions.iter().map(|position| position.moment).collect()
    };
    let cycle = moments(&lasso.cycle);
    // The end may be left out.
    let cycle = if cycle == [Moment::End] { Vec::new() } else { cycle };
    let table =
        truth(bound, &moments(&lasso.prefix), &cycle, |at, term| lasso.at(at).holds[term.index() - 1]);
    let parts = in_order(formula);
    assert_eq!(parts.len(), bound.parts().len());
    let (columns, round) = (table.positions.len(), lasso.cycle.len());
    for (part, id) in parts.iter().zip(bound.parts().ids()) {
        let mut evaluation = naive::Evaluation::new(part, lasso);
        for column in 0..columns + 2 * round {
            let folded = if column < columns { column } else { table.once + (column - table.once) % round };
            let expected = evaluation.holds(part, column);
            assert_eq!(table.at(id, folded), expected, "{} in {name} at {column} of {lasso:?}", text(part));
        }
    }
    assert_eq!(table.holds(), table.at(bound.whole(), 0));
}

/// The parts of a formula, operands first.
fn in_order(formula: &Formula) -> Vec<&Formula> {
    formula.parts().into_iter().flat_map(in_order).chain([formula]).collect()
}

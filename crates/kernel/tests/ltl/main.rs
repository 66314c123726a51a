//! Temporal formulas: automata against the definitions on lassos, laws, sizes.

mod naive;
mod random;
mod sizes;
mod syntax;
mod word;

use random::Numbers;
use sequent_kernel::property::ltl::Automaton;
use syntax::text;
use word::{accepts, bound, lasso, system};

/// How many random formulas are tried; `SEQUENT_RANDOM=100000` for more.
fn tries(usual: u64) -> u64 {
    std::env::var("SEQUENT_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn automata_accept_what_the_definitions_say() {
    let system = system();
    for seed in 0..tries(1_000) {
        let mut numbers = Numbers(seed);
        let depth = 1 + numbers.below(5);
        let formula = random::formula(&mut numbers, depth);
        let bound = bound(&formula, &system);
        let name = || format!("seed {seed}: {}", text(&formula));
        let yes = Automaton::of(&bound).unwrap_or_else(|error| panic!("{}: {error:?}", name()));
        let no = Automaton::violation(&bound).unwrap_or_else(|error| panic!("{}: {error:?}", name()));
        for _ in 0..4 {
            let lasso = lasso(&mut numbers);
            let expected = naive::holds(&formula, &lasso, 0);
            assert_eq!(accepts(&yes, &lasso), expected, "{} on {lasso:?}", name());
            assert_eq!(accepts(&no, &lasso), !expected, "not {} on {lasso:?}", name());
        }
    }
}

//! Laws of temporal logic: both sides mean the same on every run, whatever stands for `a`, `b` and `c`.

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode};
use sequent_kernel::property::ltl::LtlAutomaton;
use sequent_kernel::random::Random;
use sequent_testing::ltl::random;
use sequent_testing::ltl::syntax::{binary, formula, text};
use sequent_testing::ltl::word::{accepts, bound, lasso, system};

/// About the present and the future.
const FUTURE: [(&str, &str); 39] = [
    ("F a", "true U a"),
    ("G a", "false R a"),
    ("G a", "!F !a"),
    ("F a", "!G !a"),
    ("a R b", "!(!a U !b)"),
    ("a U b", "!(!a R !b)"),
    ("a W b", "(a U b) | G a"),
    ("a W b", "b R (a | b)"),
    ("a W b", "!(!a M !b)"),
    ("a M b", "b U (a & b)"),
    ("a M b", "(a R b) & F a"),
    ("a U b", "(a W b) & F b"),
    ("a R b", "(a M b) | G b"),
    ("a U b", "b | a & X (a U b)"),
    ("a R b", "b & (a | X (a R b))"),
    ("a W b", "b | a & X (a W b)"),
    ("a M b", "b & (a | X (a M b))"),
    ("F a", "a | X F a"),
    ("G a", "a & X G a"),
    ("X !a", "!X a"),
    ("X (a & b)", "X a & X b"),
    ("X (a U b)", "(X a) U (X b)"),
    ("F F a", "F a"),
    ("G G a", "G a"),
    ("F G F a", "G F a"),
    ("G F G a", "F G a"),
    ("X G F a", "G F a"),
    ("a U (a U b)", "a U b"),
    ("(a U b) U b", "a U b"),
    ("a R (a R b)", "a R b"),
    ("(a W b) W b", "a W b"),
    ("F (a | b)", "F a | F b"),
    ("G (a & b)", "G a & G b"),
    ("G F (a | b)", "G F a | G F b"),
    ("F G (a & b)", "F G a & F G b"),
    ("(a & b) U c", "(a U c) & (b U c)"),
    ("a U (b | c)", "(a U b) | (a U c)"),
    ("a R (b & c)", "(a R b) & (a R c)"),
    ("(a | b) R c", "(a R c) | (b R c)"),
];

/// About the past, and about both.
const PAST: [(&str, &str); 36] = [
    ("O a", "true S a"),
    ("H a", "false T a"),
    ("H a", "!O !a"),
    ("O a", "!H !a"),
    ("Z a", "!Y !a"),
    ("Z a", "start | Y a"),
    ("Y a", "!start & Z a"),
    ("a T b", "!(!a S !b)"),
    ("a S b", "!(!a T !b)"),
    ("a S b", "b | a & Y (a S b)"),
    ("a T b", "b & (a | Z (a T b))"),
    ("O a", "a | Y O a"),
    ("H a", "a & Z H a"),
    ("O O a", "O a"),
    ("H H a", "H a"),
    ("a S (a S b)", "a S b"),
    ("(a S b) S b", "a S b"),
    ("a T (a T b)", "a T b"),
    ("Y (a & b)", "Y a & Y b"),
    ("Z (a | b)", "Z a | Z b"),
    ("Y (a S b)", "!start & ((Z a) S (Y b))"),
    ("O (a | b)", "O a | O b"),
    ("H (a & b)", "H a & H b"),
    ("(a & b) S c", "(a S c) & (b S c)"),
    ("a S (b | c)", "(a S b) | (a S c)"),
    ("X Y a", "a"),
    ("X Z a", "a"),
    ("Y X a", "!start & a"),
    ("Z X a", "start | a"),
    ("F O a", "O a | F a"),
    ("O F a", "O a | F a"),
    ("G H a", "H a & G a"),
    ("H G a", "H a & G a"),
    ("O start", "true"),
    ("F end", "F G end"),
    ("G F O a", "O a | F a"),
];

#[test]
fn laws_hold_for_random_parts() {
    let system = system();
    for (number, (left, right)) in FUTURE.into_iter().chain(PAST).enumerate() {
        for seed in 0..6 {
            let mut numbers = Random::new(1_000 * number as u64 + seed);
            let parts: Vec<Formula> = (0..3).map(|_| random::formula(&mut numbers, 2)).collect();
            let [left, right] = [left, right].map(|side| with(&formula(side), &parts));
            let automaton = |side: &Formula| LtlAutomaton::of(&bound(side, &system)).expect("it is small");
            let (one, other) = (automaton(&left), automaton(&right));
            for _ in 0..3 {
                let lasso = lasso(&mut numbers);
                let name = || format!("{} and {} on {lasso:?}", text(&left), text(&right));
                assert_eq!(accepts(&one, &lasso), accepts(&other, &lasso), "{}", name());
            }
        }
    }
}

/// With atoms for parts no run at all breaks a law: nothing is left of the automaton that would accept one.
#[test]
fn laws_about_the_future_hold_on_every_run() {
    let system = system();
    for atoms in [["p", "q", "r"], ["s", "t", "u"], ["p", "s", "end"]] {
        let parts = atoms.map(sequent_testing::ltl::syntax::atom);
        for (left, right) in FUTURE {
            let law = binary(Binary::Iff, formula(left), formula(right));
            let automaton =
                LtlAutomaton::violation(&bound(&with(&law, &parts), &system)).expect("it is small");
            assert_eq!(
                (automaton.size().states, automaton.size().edges),
                (1, 0),
                "{left} = {right}, {atoms:?}"
            );
        }
    }
}

/// A formula with others for `a`, `b` and `c`.
fn with(formula: &Formula, parts: &[Formula]) -> Formula {
    let node = match &formula.node {
        FormulaNode::Atom(Atom::Name(word)) => {
            match ["a", "b", "c"].iter().position(|name| *name == word.text) {
                Some(number) => return parts[number].clone(),
                None => formula.node.clone(),
            }
        }
        FormulaNode::Atom(_) | FormulaNode::Constant(_) => formula.node.clone(),
        FormulaNode::Unary(operator, part) => FormulaNode::Unary(*operator, Box::new(with(part, parts))),
        FormulaNode::Binary(operator, left, right) => {
            FormulaNode::Binary(*operator, Box::new(with(left, parts)), Box::new(with(right, parts)))
        }
    };
    Formula { node, place: formula.place }
}

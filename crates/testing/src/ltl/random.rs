//! Random formulas. The same seed gives the same on every machine.

use sequent_kernel::formula::{Binary, Formula, Unary};
use sequent_kernel::random::Random;

use super::syntax::{atom, binary, unary};

const ATOMS: [&str; 10] = ["p", "p", "q", "q", "r", "s", "t", "s", "start", "end"];

/// A formula of at most some depth.
pub fn formula(numbers: &mut Random, depth: usize) -> Formula {
    if depth == 0 || numbers.below(8) == 0 {
        return atom(match numbers.below(40) {
            0 => "true",
            1 => "false",
            other => ATOMS[other % ATOMS.len()],
        });
    }
    match numbers.below(2) {
        0 => unary(Unary::ALL[numbers.below(Unary::ALL.len())], formula(numbers, depth - 1)),
        _ => {
            let operator = Binary::ALL[numbers.below(Binary::ALL.len())];
            let left = formula(numbers, depth - 1);
            binary(operator, left, formula(numbers, depth - 1))
        }
    }
}

//! Random formulas. The same seed gives the same on every machine.

use sequent_kernel::formula::{Binary, Formula, Unary};
use sequent_kernel::random::Random;

use super::syntax::{atom, binary, unary};

const ATOMS: [&str; 10] = ["p", "p", "q", "q", "r", "s", "t", "s", "start", "end"];
const UNARY: [Unary; 8] = [
    Unary::Not,
    Unary::Next,
    Unary::Finally,
    Unary::Globally,
    Unary::Previous,
    Unary::WeakPrevious,
    Unary::Once,
    Unary::Historically,
];
const BINARY: [Binary; 10] = [
    Binary::And,
    Binary::Or,
    Binary::Implies,
    Binary::Iff,
    Binary::Until,
    Binary::Release,
    Binary::WeakUntil,
    Binary::StrongRelease,
    Binary::Since,
    Binary::Trigger,
];

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
        0 => unary(UNARY[numbers.below(UNARY.len())], formula(numbers, depth - 1)),
        _ => {
            let operator = BINARY[numbers.below(BINARY.len())];
            let left = formula(numbers, depth - 1);
            binary(operator, left, formula(numbers, depth - 1))
        }
    }
}

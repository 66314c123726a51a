//! Random formulas. The same seed gives the same on every machine.

use sequent_kernel::formula::{Binary, Formula, Unary};

use super::syntax::{atom, binary, unary};

/// A sequence of numbers that look random.
pub struct Numbers(pub u64);

impl Numbers {
    /// The next number, below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % bound as u64).expect("below a usize")
    }
}

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
pub fn formula(numbers: &mut Numbers, depth: usize) -> Formula {
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

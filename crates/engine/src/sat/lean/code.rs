//! Literals as numbers: twice the variable, and one more for its negation. Variable 0 is the solver's own.

use crate::sat::solver::Literal;

/// A literal as a place in a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct LiteralCode(pub u32);

impl LiteralCode {
    /// A literal of the clauses that were given, which is no constant.
    pub(super) fn new(literal: Literal) -> Self {
        LiteralCode(2 * literal.0.unsigned_abs() + u32::from(!literal.is_positive()))
    }

    /// The number of its variable.
    pub(super) fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Its place among all literals.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is its variable, not the negation of it.
    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl std::ops::Not for LiteralCode {
    type Output = LiteralCode;

    fn not(self) -> LiteralCode {
        LiteralCode(self.0 ^ 1)
    }
}

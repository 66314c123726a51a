//! What solvers find: a run to a goal, none up to a bound, or an argument why there is none of any length.

use sequent_kernel::replay::Run;

use crate::sat::solver::Literal;

/// What a search without a bound found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unbounded {
    /// A run to the goal, and how many positions it takes.
    Found(Run, usize),
    /// No run leads there.
    Proved(Argument),
    /// Somebody broke it off, or so many positions were not enough.
    Stopped,
}

/// Why no run leads to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// Clauses over the literals of a state and the goal. All hold at the beginning, every step keeps them, and none of the
    /// states in which they hold is a goal.
    Invariant(Vec<Vec<Literal>>),
    /// No goal is among the first so many positions of a run, and none comes after so many different states that are no
    /// goals.
    Induction(usize),
    /// No goal is among the first so many positions of a run, and no run has more.
    Exhausted(usize),
}

/// What a bounded search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bounded {
    /// A run to the goal, and how many positions it takes.
    Found(Run, usize),
    /// No run of up to so many positions leads there.
    Nothing(usize),
    /// No run leads there, whatever its length.
    Proved(Argument),
    /// Somebody broke it off; no run of less than so many positions leads there.
    Stopped(usize),
}

//! What solvers find: a run to a goal, none up to a bound, or an argument why there is none of any length.

use sequent_kernel::replay::Run;

use crate::sat::solver::Literal;

/// What a search without a bound found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnboundedOutcome {
    /// A run to the goal, and how many positions it takes.
    Found(Run, usize),
    /// No run leads there.
    Proved(ExclusionReason),
    /// The solver was interrupted, or the bound on the positions was not enough.
    Stopped,
}

/// Why no run leads to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExclusionReason {
    /// Clauses over the literals of a state and the goal. All hold at the beginning, every step keeps them, and none of the
    /// states in which they hold is a goal.
    Invariant(Vec<Vec<Literal>>),
    /// No goal is among the first k positions of a run, and none follows k different consecutive states that
    /// are no goals.
    Induction(usize),
    /// No goal is among the first k positions of a run, and no run is longer.
    Exhausted(usize),
}

/// What a bounded search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bounded {
    /// A run to the goal, and how many positions it takes.
    Found(Run, usize),
    /// No run of up to this many positions reaches the goal.
    Nothing(usize),
    /// No run leads there, whatever its length.
    Proved(ExclusionReason),
    /// Interrupted; no run of fewer than this many positions reaches the goal.
    Stopped(usize),
}

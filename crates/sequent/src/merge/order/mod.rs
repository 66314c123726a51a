//! Orders: all ways to merge two revisions of a sequence of messages (P4, section 4.2).
//!
//! ```text
//! problem -> lifeline: one automaton per lifeline -> graph: all lifelines -> list: merges, one by one
//! ```
//!
//! Elements that both revisions kept are fixed. Between two fixed elements lies a gap, into which each side has put elements of
//! its own; each side's order is kept, so a merge of a gap is an interleaving, and there are (p+q)!/(p!q!) of them. A
//! lifeline with a machine accepts only some: an [`Acceptor`] reads what the lifeline receives, with sets of states.
//!
//! P4 merges lifeline by lifeline and then combines the results "arbitrarily" (observation 4.2.2). That is not enough:
//! let our side add `p1` to x and then `p2` to y, theirs `q1` to y and then `q2` to x; if x takes only `q2 p1` and y only
//! `p2 q1`, each lifeline alone has a merge, yet `p1 < p2 < q1 < q2 < p1` is no order. So there are two steps:
//!
//! - [`lifeline`]: for each lifeline alone, the minimal automaton of the interleavings that it accepts (P4's table `reach`,
//!   without dead ends and with equivalent nodes joined);
//! - [`graph`]: the product of these automata along the grid of each gap. In a configuration each lifeline has one state of its
//!   automaton, so a path is exactly one merge: paths are counted exactly, and [listed](list) by the number of changes of side.
//!
//! [`divide`] makes conflicts of parts of gaps so that the rest has a merge whichever side is taken. [`omission`] finds the fewest additions to leave out if there is no merge. [`sat`] is P4's encoding for a solver, a second engine that must give the same merges.
//!
//! The first step is polynomial for deterministic machines; the second has as many configurations per cell as there are
//! combinations of memories that lifelines keep, usually one. Beyond a bound the result is `None`, never a wrong number.

mod allow;
mod divide;
mod graph;
mod lifeline;
mod list;
mod omission;
mod problem;
pub mod sat;
mod states;

#[cfg(test)]
mod tests;

pub(super) use self::divide::Cut;
pub use self::graph::MergeGraph;
pub use self::list::Merges;
pub(super) use self::omission::{fewest, subsets};
pub(super) use self::problem::Added;
pub use self::problem::{Acceptor, AcceptorId, OrderElement, OrderProblem, Segment, SymbolId};
pub use self::states::StateSet;

//! Engines: whatever searches the state space of a System. They know nothing of UML.
//!
//! - [`packed`]: a system made ready for millions of states.
//! - [`store`]: the states that were visited.
//! - [`explore`]: the one loop through states, whatever they are.
//! - [`search`]: goals, deadlocks, all states, on all cores.
//! - [`graph`]: the states as they are asked for, shared by several questions.
//! - [`origins`]: states in which a search begins.
//! - [`property`]: runs that an observer accepts.
//! - [`transactions`]: how far states are away if steps of different components happen together.
//! - [`traces`]: the complete traces of a system, counted without listing them, or listed.
//! - [`equivalence`]: whether a system has exactly the traces that observers accept.
//! - [`refine`]: whether one system does only what another may do.
//! - [`survey`]: all states, looked at once for many questions.
//! - [`decision`]: what an engine finds out about a case; [`explicit`]: by looking at states; [`portfolio`]: by several engines, the
//!   first answer counts.
//! - [`distance`]: the fewest steps to a goal.
//! - [`core`](mod@core): what rules out what a case looks for.
//! - [`sat`]: the same questions answered by a SAT solver.
//! - [`automaton`]: the traces as an automaton, pruned and minimal.

#![warn(clippy::print_stdout)]

pub mod automaton;
pub mod core;
pub mod decision;
pub mod distance;
pub mod equivalence;
pub mod explicit;
mod explore;
pub mod graph;
pub mod origins;
pub mod packed;
pub mod portfolio;
pub mod property;
pub mod refine;
pub mod sat;
mod scc;
pub mod search;
pub mod store;
pub mod survey;
pub mod traces;
pub mod transactions;

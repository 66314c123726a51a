//! Engines: search the state space of a System. They know nothing of UML.
//!
//! - [`packed`]: a System compiled to packed states and fast steps.
//! - [`store`]: the states that were visited.
//! - [`explore`]: the one search loop, generic in its states.
//! - [`search`]: goals, deadlocks, all states, on all cores.
//! - [`graph`]: states expanded on demand, shared by several questions.
//! - [`orbit`]: whether a state is reachable, up to which of like components is which.
//! - [`origins`]: the states in which a search begins.
//! - [`property`]: runs that an observer accepts.
//! - [`transactions`]: distances where steps of different components happen together.
//! - [`quotient`]: a System whose queues hold one message for all that a question does not tell apart.
//! - [`traces`]: the complete traces of a System, counted without listing them, or listed.
//! - [`equivalence`]: whether a System has exactly the traces that observers accept.
//! - [`part`]: a worker's part of a search by several processes.
//! - [`refine`]: whether one System refines another.
//! - [`survey`]: all states, explored once for many questions.
//! - [`decision`]: the answer of an engine to a case; [`explicit`]: by enumerating states; [`portfolio`]: by
//!   several engines, the first answer counts.
//! - [`distance`]: the fewest steps to a goal.
//! - [`core`](mod@core): the conditions that make a goal unreachable.
//! - [`sat`]: the same questions answered by a SAT solver.
//! - [`automaton`]: the traces as an automaton, pruned and minimal.

#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used))]

pub mod automaton;
pub mod core;
pub mod decision;
pub mod distance;
pub mod equivalence;
pub mod explicit;
mod explore;
pub mod graph;
pub mod orbit;
pub mod origins;
pub mod packed;
pub mod part;
pub mod portfolio;
pub mod property;
pub mod quotient;
pub mod refine;
pub mod sat;
mod scc;
pub mod search;
pub mod store;
pub mod survey;
pub mod traces;
pub mod transactions;

//! The kernel: what diagrams are and what they mean.
//!
//! Everything else in the workspace stands around this crate. It knows no notation, no file, no terminal:
//! readers (`sequent-notation`) hand it a [`model::Model`], reporters (`sequent-report`) take one from it.
//!
//! - [`source`]: where something stands in which file.
//! - [`diagnostic`]: what can be wrong, one table of codes.
//! - [`expression`]: conditions and values, as they are written.
//! - [`model`]: interactions, state machines, classes, objects, checks.
//! - [`lint`]: findings that need no search.
//! - [`formula`]: temporal formulas, as they are written.
//! - [`property`]: what watches a run for them.
//! - [`question`]: what is asked about the runs of a System, as a value.
//! - [`semantics`]: what an interaction means, as a [`system::System`].
//! - [`triggers`]: what machines make of the messages that lifelines receive.
//! - [`replay`]: whether a run is one.
//! - [`waiting`]: who waits for whom, and why.
//! - [`automaton`]: runs as a finite automaton.
//! - [`counter_automaton`]: automata with counters and bits.
//! - [`templates`]: what an interaction means, as formulas.
//! - [`log`]: a run step by step, in words.
//! - [`verdict`]: what a check found out.
//! - [`random`]: random numbers that are the same everywhere.
//!
//! `scc` finds strongly connected components of graphs.

#![warn(clippy::print_stdout)]

pub mod automaton;
pub mod counter_automaton;
pub mod diagnostic;
pub mod expression;
pub mod formula;
pub mod id;
pub mod lint;
pub mod log;
pub mod meter;
pub mod model;
pub mod property;
pub mod question;
pub mod random;
pub mod replay;
pub mod scc;
pub mod semantics;
pub mod source;
pub mod system;
pub mod templates;
pub mod triggers;
pub mod verdict;
pub mod waiting;

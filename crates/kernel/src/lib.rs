//! The kernel: what diagrams are and what they mean.
//!
//! All other crates depend on this one. It knows no notation, no file, no terminal: readers
//! (`sequent-notation`) make a [`model::Model`], reporters (`sequent-report`) print it.
//!
//! - [`source`]: files and positions in them.
//! - [`diagnostic`]: findings, and one table of their codes.
//! - [`expression`]: conditions and values, as they are written.
//! - [`model`]: interactions, state machines, classes, objects, checks.
//! - [`lint`]: findings that need no search.
//! - [`formula`]: temporal formulas, as they are written.
//! - [`property`]: observers, automata that read runs.
//! - [`question`]: a question about the runs of a System, as a value.
//! - [`semantics`]: the lowering of interactions and state machines to a [`system::System`].
//! - [`triggers`]: trigger-based paths of a machine, for the messages that its lifeline receives.
//! - [`replay`]: checks that a run is one of the System.
//! - [`waiting`]: which lifelines wait for which, and why.
//! - [`automaton`]: traces as a finite automaton.
//! - [`counter_automaton`]: automata with counters and bits.
//! - [`templates`]: the meaning of an interaction as LTL formulas.
//! - [`log`]: a run step by step, as text.
//! - [`verdict`]: the result of a check.
//! - [`random`]: reproducible random numbers.
//!
//! `scc` finds strongly connected components of graphs.

#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used))]

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

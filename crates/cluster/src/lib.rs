//! The search of states by several processes, on this machine or on several.
//!
//! A [`Cluster`] is an engine like others: it decides a case. Each worker owns the states of some shards; successors go to
//! their owners over [timely dataflow](https://github.com/TimelyDataflow/timely-dataflow), with levels as timestamps. Answers, runs
//! and numbers of states are those of the search in one process.
//!
//! - [`task`]: a question as it is sent to workers, with its [`formula`]; [`bytes`]: numbers and texts in bytes.
//! - [`parcel`]: states on their way; [`mail`]: the dataflow; [`owned`]: the states of a worker, in memory or on [`disk`]; [`explore`]: its search; [`cycle`]:
//!   where runs go on forever among its states.
//! - [`link`]: connections and authentication; [`hosts`]: the list of processes; [`report`]: what workers
//!   report.
//! - [`worker`]: a process that joins; [`coordinator`]: the process that decides a case.
//!
//! This crate opens connections, reads the clock and puts states on [`disk`], which others leave to the binary; programs are started,
//! files read and messages printed there.

#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used))]

mod bytes;
mod coordinator;
mod cycle;
mod disk;
mod explore;
mod formula;
mod gather;
mod hosts;
mod link;
mod mail;
mod owned;
mod parcel;
mod report;
mod task;
mod worker;

pub use coordinator::{Cluster, WorkerTraffic};
pub use gather::{Invitation, Start};
pub use hosts::Hosts;
pub use link::{Circle, fingerprint};
pub use worker::{Joining, serve};

/// More processes than this have no states of their own.
pub const MOST: usize = sequent_engine::store::SHARDS;

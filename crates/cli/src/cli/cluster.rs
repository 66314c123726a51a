//! Options for a search by several processes, and the hidden command that runs as a worker.

use std::path::PathBuf;

use clap::Args;
use sequent_engine::portfolio::QUICK;

/// Several processes.
#[derive(Args)]
pub(crate) struct SpreadArguments {
    /// Let this many processes on this machine search the states of questions with many: goals, deadlocks, formulas. Answers and
    /// numbers of states are those of one process. docs/cluster.md says what to expect.
    #[arg(long, help_heading = "Several processes", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64), conflicts_with = "hosts")]
    pub processes: Option<u8>,

    /// Search on several machines: start the same command on each, with its number. The file has a line
    /// HOST:PORT for each process and a line `token SECRET` that authenticates them; for trusted networks.
    #[arg(long, help_heading = "Several processes", value_name = "FILE", requires = "process")]
    pub hosts: Option<PathBuf>,

    /// Which line of --hosts this process is, from 0. The first reads the diagrams and prints the answers.
    #[arg(long, help_heading = "Several processes", value_name = "I", requires = "hosts")]
    pub process: Option<usize>,

    /// With --hosts: wait this many seconds for the others.
    #[arg(long, help_heading = "Several processes", value_name = "SECONDS", value_parser = super::seconds, default_value_t = 10.0)]
    pub join: f64,

    /// Put states that do not fit into --memory on disk, in this folder (of each host). Nothing stays there.
    #[arg(long, help_heading = "Several processes", value_name = "DIR")]
    pub spill: Option<PathBuf>,

    /// Search this many states in this process before the workers are used.
    #[arg(long, value_name = "STATES", hide = true, default_value_t = QUICK)]
    pub quick: usize,
}

/// Search states for another process of this command.
///
/// The token and the fingerprint of the program are read from standard input.
#[derive(Args)]
#[command(hide = true)]
pub(crate) struct WorkerArguments {
    /// Where that process listens.
    #[arg(long, value_name = "HOST:PORT")]
    pub coordinator: String,

    /// The number of this worker.
    #[arg(long, value_name = "I")]
    pub process: usize,

    /// How long to wait for the others.
    #[arg(long, value_name = "SECONDS", value_parser = super::seconds)]
    pub join: f64,

    /// The folder for states that do not fit into memory.
    #[arg(long, value_name = "DIR")]
    pub spill: Option<PathBuf>,
}

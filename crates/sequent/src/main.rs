//! The `sequent` command: finds and reads files, runs the pipeline, prints, exits.

mod cli;
mod command;
mod files;
mod nusmv;
mod output;
mod program;
mod spin;
mod watch;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = cli::Arguments::parse();
    ExitCode::from(command::run(&arguments))
}

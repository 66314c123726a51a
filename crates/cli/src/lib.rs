//! The `sequent` command: finds and reads files, runs the pipeline, prints, exits.
//!
//! It is the only crate that does I/O. [`main`] is the whole command; what starts outside tools ([`program`], [`spin`], [`nusmv`]) is public
//! because tests ask the same tools.

#![cfg_attr(not(test), warn(clippy::too_many_lines, clippy::unwrap_used))]

mod budget;
mod cli;
mod command;
mod files;
mod fonts;
mod guard;
mod library;
mod litter;
pub mod nusmv;
mod output;
mod poll;
pub mod program;
mod roots;
pub mod spin;
mod watch;

use std::process::ExitCode;

use clap::Parser;

/// Does what the command line asks for; what it returns is the exit code of the process.
pub fn main() -> ExitCode {
    let mut arguments = cli::CommandArguments::parse();
    arguments.command.settle_output();
    let budget = arguments.command.budget();
    ExitCode::from(guard::run(budget, move || command::run(&arguments)))
}

//! The `sequent` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    sequent_cli::main()
}

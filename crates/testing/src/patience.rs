//! Time limits of tests with outside tools: every question has a limit, and a tool that is late too often is
//! not asked again.

use std::cell::Cell;
use std::process::Command;
use std::time::Instant;

use sequent_cli::program::{self, Failure, ProgramOutput, end};

use crate::samples::{LIMIT, MOST_LATE, Omitted, tell};

/// How often a tool was late.
#[derive(Default)]
pub struct ToolPatience {
    late: Cell<u32>,
}

impl ToolPatience {
    /// Asks a tool, until a moment at most. Panics if the tool fails in another way than by being late.
    pub fn ask<T>(
        &self,
        name: &str,
        ask: impl FnOnce(Option<Instant>) -> Result<T, Failure>,
    ) -> Result<T, Omitted> {
        if self.late.get() >= MOST_LATE {
            return Err(Omitted::Late("the tool was late too often".to_owned()));
        }
        ask(end(Some(LIMIT))).map_err(|failure| match &failure {
            Failure::TimeOver(_) => {
                self.late.set(self.late.get() + 1);
                tell(&format!("{name}: {failure}"));
                Omitted::Late(failure.to_string())
            }
            Failure::Broken(message) => panic!("{name}: {message}"),
        })
    }

    /// What a program says to a text on its standard input.
    pub fn run(&self, program: &str, arguments: &[&str], input: &str) -> Result<ProgramOutput, Omitted> {
        let ask = |until| program::ask(program, Command::new(program).args(arguments), input, until);
        self.ask(program, ask)
    }
}

/// Whether a program is on the PATH; tells if it is not.
pub fn is_there(program: &str) -> bool {
    let is_there = program::find(program).is_some();
    if !is_there {
        tell(&format!("`{program}` is not on the PATH: it is not asked"));
    }
    is_there
}

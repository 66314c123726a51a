//! Solvers that are installed beside Sequent: each gets a DIMACS file, and tells by its exit code.
//!
//! Every instance is solved by the builtin engine too: an answer that contradicts it is a fault of one of them.

use std::cell::Cell;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use sequent_evaluation::generate::EnsembleInstance;
use sequent_evaluation::thesis::{Clock, InstanceSolver, SatSolver, Solution, clauses};

use crate::program::{end_all, words_of};

/// An installed solver.
pub(crate) struct InstalledSolver<'c> {
    words: Vec<String>,
    builtin: SatSolver<'c>,
    clock: Clock<'c>,
    patience: u64,
    file: PathBuf,
    /// Microseconds that both took where both answered: theirs and ours.
    times: Cell<(u64, u64)>,
    contradictions: Cell<usize>,
}

/// What solvers exit with.
const SATISFIABLE: i32 = 10;
const UNSATISFIABLE: i32 = 20;

impl<'c> InstalledSolver<'c> {
    /// A solver by its command; an error if it cannot be started.
    pub(crate) fn new(
        command: &str,
        builtin: SatSolver<'c>,
        clock: Clock<'c>,
        patience: u64,
    ) -> Result<Self, String> {
        let words = words_of(command);
        let file = std::env::temp_dir().join(format!("sequent-{}.cnf", std::process::id()));
        let times = Cell::new((0, 0));
        let outside =
            InstalledSolver { words, builtin, clock, patience, file, times, contradictions: Cell::new(0) };
        // The empty formula is satisfiable.
        match outside.ask("p cnf 1 1\n1 0\n") {
            Ok(Some(true)) => Ok(outside),
            Ok(_) => {
                Err(format!("`{command}` does not exit with {SATISFIABLE} for a formula that is satisfiable"))
            }
            Err(problem) => Err(format!("`{command}`: {problem}; name it with --solver-command")),
        }
    }

    fn ask(&self, dimacs: &str) -> Result<Option<bool>, String> {
        let (program, arguments) = self.words.split_first().ok_or("it has no name")?;
        std::fs::write(&self.file, dimacs).map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.args(arguments).arg(&self.file);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let start = (self.clock)();
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                return Ok(match status.code() {
                    Some(SATISFIABLE) => Some(true),
                    Some(UNSATISFIABLE) => Some(false),
                    Some(_) | None => None,
                });
            }
            if (self.clock)() - start > self.patience {
                end_all(&mut child);
                return Ok(None);
            }
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// Whether an answer was contradicted.
    pub(crate) fn is_contradicted(&self) -> bool {
        self.contradictions.get() > 0
    }

    /// How both did, in words.
    pub(crate) fn compared(&self) -> String {
        let (theirs, ours) = self.times.get();
        let ratio = theirs as f64 / ours.max(1) as f64;
        let contradictions = match self.contradictions.get() {
            0 => "no answer differs".to_owned(),
            number => format!("{number} ANSWERS DIFFER"),
        };
        let (theirs, ours) = (theirs as f64 / 1e6, ours as f64 / 1e6);
        format!("{}: {theirs:.1} s, builtin: {ours:.1} s, ratio {ratio:.1}; {contradictions}", self.name())
    }
}

impl InstanceSolver for InstalledSolver<'_> {
    fn name(&self) -> String {
        self.words.join(" ")
    }

    fn solve(&self, instance: &EnsembleInstance) -> Solution {
        let own = self.builtin.solve(instance);
        let start = (self.clock)();
        let Some(clauses) = clauses(instance) else { return Solution::default() };
        let dimacs = clauses.dimacs();
        let written = (self.clock)();
        let verdict = self.ask(&dimacs).ok().flatten();
        let solving = (self.clock)() - written;
        // The first failing message is not asked of others.
        let builtin = own.encoding + own.solving;
        if verdict.is_some() && own.verdict.is_some() {
            let (theirs, ours) = self.times.get();
            self.times.set((theirs + written - start + solving, ours + builtin));
            if verdict != own.verdict {
                self.contradictions.set(self.contradictions.get() + 1);
            }
        }
        let (count, variables) = (Some(clauses.len()), Some(clauses.variables));
        let encoding = written - start;
        let builtin = own.verdict.map(|_| builtin);
        Solution { verdict, clauses: count, variables, encoding, solving, builtin, ..Solution::default() }
    }
}

impl Drop for InstalledSolver<'_> {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

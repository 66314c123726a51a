//! Input from people who mean harm, and commands that are ended in the middle: whatever comes, a command ends by itself, within its
//! limits, with an exit code of its own, and leaves whole files behind.
//!
//! Every command runs with little address space and is ended by the test if it does not end. `SEQUENT_RANDOM=20000` for more random inputs.

mod growth;
mod killed;
mod limits;
mod nasty;
mod signals;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use sequent_cli::program::{ProgramOutput, ask, end};

/// Address space in kilobytes: the program, its stack and what its input may cost.
const ADDRESS_SPACE: &str = "2000000";

/// A command without limits of its own that works longer than this does not end; tests run side by side, unoptimised.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a command did.
struct Done {
    output: ProgramOutput,
    time: Duration,
}

impl Done {
    /// Checks that it ended by itself and as it should.
    fn is_orderly(&self) -> bool {
        let is_known = self.output.code.is_some_and(|code| (0..=3).contains(&code));
        is_known && !self.output.stderr.contains("panicked at")
    }
}

/// Runs the command in a folder, with little address space.
fn run(folder: &Path, arguments: &[&str]) -> Done {
    let start = Instant::now();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &format!("ulimit -v {ADDRESS_SPACE}; exec \"$@\""), "sh"]);
    command.arg(env!("CARGO_BIN_EXE_sequent")).args(arguments).current_dir(folder);
    let output = ask("sequent", &mut command, "", end(Some(PATIENCE)));
    let output = output.unwrap_or_else(|failure| panic!("{arguments:?}: {failure}"));
    Done { output, time: start.elapsed() }
}

/// An empty folder of a test's own, which is a repository, so that nothing above it is read.
fn folder(name: &str) -> PathBuf {
    let own = format!("hostile-{name}-{}", std::process::id());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(own);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(path.join(".git")).expect("a writable folder");
    path
}

/// Writes a file of a test.
fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a writable file");
}

/// The files in a folder, without those that only mark it.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a readable folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name != ".git").collect();
    names.sort();
    names
}

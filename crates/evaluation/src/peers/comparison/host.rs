//! The machine on which tools are compared: its programs, its folders, its clocks. The command implements it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::table::TextTable;

/// What a comparison needs of the machine.
pub trait Host {
    /// A program on the PATH.
    fn find(&self, name: &str) -> Option<PathBuf>;

    /// A program on the PATH, or a file.
    fn program(&self, word: &str) -> Option<PathBuf>;

    /// The words by which a command is started.
    fn words(&self, command: &str) -> Vec<String>;

    /// A C compiler.
    fn compiler(&self) -> Option<PathBuf>;

    /// NuSMV, or nuXmv.
    fn nusmv(&self) -> Option<PathBuf>;

    /// The command `sequent` itself.
    fn own(&self) -> Result<PathBuf, String>;

    /// An empty folder.
    fn folder(&self) -> Result<Box<dyn HostFolder>, String>;

    /// Microseconds that this thread worked, or those of the wall clock where the system does not tell.
    fn processor(&self) -> u64;

    /// Microseconds that all threads of this process worked, or those of the wall clock where the system does not tell.
    fn spent(&self) -> u64;

    /// Microseconds by the wall clock.
    fn wall(&self) -> u64;

    /// How many threads work at the same time.
    fn threads(&self) -> usize;

    /// Reports that `done` of the `total` rows of a table are done.
    fn progress(&self, done: usize, total: usize);

    /// A table is ready; it has no rows where it does not apply.
    fn ready(&self, table: &TextTable);
}

/// A folder that goes away with this value.
pub trait HostFolder {
    /// The path of a file in it.
    fn path(&self, name: &str) -> PathBuf;

    /// Whether a file is there.
    fn has(&self, name: &str) -> bool;

    /// Writes a file.
    fn write(&self, name: &str, text: &str) -> Result<(), String>;

    /// Runs a program in it, which is ended when its time is over.
    fn run(&self, program: &Path, arguments: &[&str], time: Duration) -> Result<Ran, String>;
}

/// A program that came to its end.
pub struct Ran {
    /// What it printed, both ways.
    pub said: String,
    /// Its exit code.
    pub code: Option<i32>,
    /// Microseconds that it worked.
    pub micros: u64,
    /// The most memory that it had, in bytes.
    pub peak: Option<usize>,
}

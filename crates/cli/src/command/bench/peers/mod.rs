//! `sequent bench peers`: the same questions for Sequent and for tools that are installed.

mod measure;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sequent_evaluation::peers::comparison::{self, ComparisonOptions, Host, PeerComparison, Ran, compare};
use sequent_evaluation::peers::table::TextTable;
use serde_json::{Value, json};

use super::{ProgressBar, machine, processor};
use crate::cli::FormatArgument;
use crate::cli::bench as cli;
use crate::nusmv::PROGRAMS;
use crate::program::{TemporaryFolder, find, words_of};
use crate::{output, spin};

pub(crate) fn run(options: &cli::Peers) -> Result<u8, String> {
    Duration::try_from_secs_f64(options.time).map_err(|error| format!("--time: {error}"))?;
    let host = HostMachine::new(options.format == FormatArgument::Text);
    let wanted = ComparisonOptions {
        families: options.family.clone(),
        sizes: options.sizes.clone(),
        time: options.time,
        runs: options.runs,
        sat4j: options.sat4j.clone(),
    };
    let comparison = compare(&host, &wanted);
    conclude(options, &comparison);
    Ok(u8::from(!comparison.differences.is_empty()))
}

fn conclude(options: &cli::Peers, comparison: &PeerComparison) {
    let PeerComparison { tables, absent, differences } = comparison;
    let machine = machine();
    match options.format {
        FormatArgument::Json => {
            let value = json!({
                "machine": machine,
                "absent": absent,
                "differences": differences,
                "tables": tables.iter().map(TextTable::json).collect::<Vec<Value>>(),
            });
            output::print_json(&value);
        }
        FormatArgument::Text => {
            let absent = match absent.as_slice() {
                [] => String::new(),
                names => format!("not on the PATH: {}\n", names.join(", ")),
            };
            let differences: String = differences.iter().map(|one| format!("THEY DIFFER: {one}\n")).collect();
            let clock = if processor::own().is_some() { "processor time" } else { "wall clock" };
            output::print(&format!(
                "{absent}{differences}{machine}; {clock}, one thread each; here the mean, of others the best of {}\n",
                options.runs.max(1)
            ));
        }
    }
}

/// This machine.
pub(crate) struct HostMachine {
    start: Instant,
    bar: RefCell<ProgressBar>,
    /// Whether tables are printed as soon as they are ready.
    prints: bool,
}

impl HostMachine {
    /// The machine that prints tables as soon as they are ready, or does not.
    pub(crate) fn new(prints: bool) -> Self {
        let bar = RefCell::new(ProgressBar::new("measuring".to_owned()));
        HostMachine { start: Instant::now(), bar, prints }
    }
}

impl Host for HostMachine {
    fn find(&self, name: &str) -> Option<PathBuf> {
        find(name)
    }

    fn program(&self, word: &str) -> Option<PathBuf> {
        find(word).or_else(|| Some(PathBuf::from(word)).filter(|path| path.is_file()))
    }

    fn words(&self, command: &str) -> Vec<String> {
        words_of(command)
    }

    fn compiler(&self) -> Option<PathBuf> {
        spin::compiler()
    }

    fn nusmv(&self) -> Option<PathBuf> {
        PROGRAMS.iter().find_map(|name| find(name))
    }

    fn own(&self) -> Result<PathBuf, String> {
        std::env::current_exe().map_err(|error| error.to_string())
    }

    fn folder(&self) -> Result<Box<dyn comparison::HostFolder>, String> {
        Ok(Box::new(TemporaryFolder::new()?))
    }

    fn processor(&self) -> u64 {
        processor::own().unwrap_or_else(|| self.wall())
    }

    fn spent(&self) -> u64 {
        processor::whole().unwrap_or_else(|| self.wall())
    }

    fn wall(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn threads(&self) -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }

    fn progress(&self, done: usize, total: usize) {
        self.bar.borrow_mut().show(done, total);
    }

    fn ready(&self, table: &TextTable) {
        self.bar.borrow().clear();
        if self.prints && !table.rows.is_empty() {
            output::print(&format!("{}\n", table.text()));
        }
    }
}

impl comparison::HostFolder for TemporaryFolder {
    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn has(&self, name: &str) -> bool {
        self.path(name).is_file()
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.path(name), text).map_err(|error| error.to_string())
    }

    fn run(&self, program: &Path, arguments: &[&str], time: Duration) -> Result<Ran, String> {
        measure::run(&self.0, program, arguments, time)
    }
}

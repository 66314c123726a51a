//! `sequent bench peers`: the same questions for Sequent and for tools that are installed.

mod measure;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sequent_evaluation::peers::comparison::{self, Comparison, Host, Options, Ran, compare};
use sequent_evaluation::peers::table::Table;
use serde_json::{Value, json};

use super::{Bar, machine, processor};
use crate::cli::Format;
use crate::cli::bench as cli;
use crate::nusmv::PROGRAMS;
use crate::program::{Folder, find, words_of};
use crate::{output, spin};

pub fn run(options: &cli::Peers) -> Result<u8, String> {
    Duration::try_from_secs_f64(options.time).map_err(|error| format!("--time: {error}"))?;
    let host = Machine::new(options.format == Format::Text);
    let wanted = Options {
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

fn conclude(options: &cli::Peers, comparison: &Comparison) {
    let Comparison { tables, absent, differences } = comparison;
    let machine = machine();
    match options.format {
        Format::Json => {
            let value = json!({
                "machine": machine,
                "absent": absent,
                "differences": differences,
                "tables": tables.iter().map(Table::json).collect::<Vec<Value>>(),
            });
            output::print_json(&value);
        }
        Format::Text => {
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
pub struct Machine {
    start: Instant,
    bar: RefCell<Bar>,
    /// Whether tables are printed as soon as they are ready.
    prints: bool,
}

impl Machine {
    /// The machine that prints tables as soon as they are ready, or does not.
    pub fn new(prints: bool) -> Self {
        let bar = RefCell::new(Bar::new("measuring".to_owned()));
        Machine { start: Instant::now(), bar, prints }
    }
}

impl Host for Machine {
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

    fn folder(&self) -> Result<Box<dyn comparison::Folder>, String> {
        Ok(Box::new(Folder::new()?))
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

    fn ready(&self, table: &Table) {
        self.bar.borrow().clear();
        if self.prints && !table.rows.is_empty() {
            output::print(&format!("{}\n", table.text()));
        }
    }
}

impl comparison::Folder for Folder {
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

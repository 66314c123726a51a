//! `sequent bench`: repeats published evaluations, and compares other tools with this one.

mod outside;
mod peers;
mod processor;
mod thesis;

use std::io::{IsTerminal, Write};
use std::time::Instant;

use crate::cli::bench as cli;

pub(crate) fn run(options: &cli::BenchArguments) -> Result<u8, String> {
    match &options.kind {
        cli::BenchKind::Thesis(options) => thesis::run(options),
        cli::BenchKind::Peers(options) => peers::run(options),
    }
}

/// The processor, where the system tells it.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or("an unknown processor", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}, {cores} {}", if cores == 1 { "core" } else { "cores" })
}

/// A line of progress on a terminal.
struct ProgressBar {
    label: String,
    is_shown: bool,
    last: Option<Instant>,
}

impl ProgressBar {
    fn new(label: String) -> Self {
        ProgressBar { label, is_shown: std::io::stderr().is_terminal(), last: None }
    }

    fn show(&mut self, done: usize, total: usize) {
        let is_due = self.last.is_none_or(|last| last.elapsed().as_millis() > 100);
        if !self.is_shown || !is_due {
            return;
        }
        self.last = Some(Instant::now());
        let full = 30 * done / total.max(1);
        let bar: String = (0..30).map(|at| if at < full { '#' } else { '.' }).collect();
        // Progress is optional: a failed write to the terminal is ignored.
        let _ = write!(std::io::stderr(), "\r{} {bar} {done}/{total}", self.label);
    }

    fn clear(&self) {
        if self.last.is_some() {
            let _ = write!(std::io::stderr(), "\r{}\r", " ".repeat(72));
        }
    }
}

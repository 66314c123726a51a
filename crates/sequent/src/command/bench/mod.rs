//! `sequent bench`: published evaluations again.

mod merges;
mod outside;
mod processor;

use std::io::{IsTerminal, Write};
use std::time::Instant;

use sequent::thesis::{self, Explicit, Options, Report, Row, Sat, Solver, Table};
use serde_json::{Map, Value, json};

use crate::cli::Format;
use crate::cli::bench as cli;
use crate::output;
use outside::Outside;

pub fn run(options: &cli::Bench) -> Result<u8, String> {
    match &options.kind {
        cli::Kind::Thesis(options) => thesis(options),
    }
}

fn thesis(options: &cli::Thesis) -> Result<u8, String> {
    let start = Instant::now();
    let wall = || u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    if options.clock == cli::Clock::Processor {
        processor::time().ok_or("the system does not tell how long the processor worked")?;
    }
    let clock = || match options.clock {
        cli::Clock::Wall => wall(),
        cli::Clock::Processor => processor::time().unwrap_or_else(wall),
    };
    let patience = (options.timeout * 1e6) as u64;
    let builtin = Sat { clock: &clock, patience };
    let outside = match options.solver {
        cli::Solver::Builtin | cli::Solver::Explicit => None,
        cli::Solver::Sat4j => Some("sat4j"),
        cli::Solver::Picosat => Some("picosat"),
        cli::Solver::CadicalCli => Some("cadical"),
    };
    let outside = outside.map(|name| {
        let command = options.solver_command.as_deref().unwrap_or(name);
        Outside::new(command, Sat { clock: &clock, patience }, &clock, patience)
    });
    let outside = outside.transpose()?;
    let explicit = Explicit { clock: &clock, patience };
    let solver: &dyn Solver = match (&outside, options.solver) {
        (Some(outside), _) => outside,
        (None, cli::Solver::Explicit) => &explicit,
        (None, _) => &builtin,
    };
    let tables = tables(options, outside.is_some())?;
    let wanted = Options { instances: options.instances.max(1), seed: options.seed };
    let machine = machine();
    let mut reports = Vec::new();
    let mut merged = Vec::new();
    for table in tables {
        let table = match table {
            cli::Wanted::Solved(table) => table,
            cli::Wanted::Merged(model) => {
                merged.push(merges::run(model, &clock, options.format));
                continue;
            }
        };
        let mut bar = Bar::new(table);
        let report = thesis::run(table, &wanted, solver, &mut |done, total| bar.show(done, total));
        bar.clear();
        if options.format == Format::Text {
            output::print(&format!("{}\n", report.text()));
        }
        reports.push(report);
    }
    let compared = outside.as_ref().map(Outside::compared);
    match options.format {
        Format::Json => {
            let value = json!({
                "machine": machine,
                "solver": solver.name(),
                "seed": options.seed,
                "instances": wanted.instances,
                "timeout": options.timeout,
                "clock": clock_word(options.clock),
                "comparison": compared,
                "tables": reports.iter().map(table_json).chain(merged).collect::<Vec<Value>>(),
            });
            output::print(&format!("{value:#}\n"));
        }
        Format::Text => {
            let Options { instances, seed } = wanted;
            let compared = compared.map(|line| format!("{line}\n")).unwrap_or_default();
            output::print(&format!(
                "{compared}{machine}; {}; seed {seed}, at most {instances} instances a column, {} s each; {}\n",
                solver.name(),
                options.timeout,
                clock_word(options.clock)
            ));
        }
    }
    Ok(u8::from(outside.is_some_and(|outside| outside.is_contradicted())))
}

fn clock_word(clock: cli::Clock) -> &'static str {
    match clock {
        cli::Clock::Wall => "wall clock",
        cli::Clock::Processor => "processor time",
    }
}

/// The tables that were asked for; an outside solver is not asked about merges.
fn tables(options: &cli::Thesis, is_outside: bool) -> Result<Vec<cli::Wanted>, String> {
    let is_solved = |table: &cli::Wanted| match table {
        cli::Wanted::Solved(_) => true,
        cli::Wanted::Merged(_) => false,
    };
    if let Some(table) = options.table.iter().find(|table| is_outside && !is_solved(table)) {
        return Err(format!(
            "table {} is about merges: outside solvers are given goals and scenarios only",
            table.number()
        ));
    }
    let all = if options.table.is_empty() { cli::Wanted::all().collect() } else { options.table.clone() };
    Ok(all.into_iter().filter(|table| !is_outside || is_solved(table)).collect())
}

fn table_json(report: &Report) -> Value {
    let column = |at: usize| {
        let mut column = Map::new();
        for (name, value) in &report.columns[at].heads {
            column.insert((*name).to_owned(), json!(value));
        }
        column.insert("instances".to_owned(), json!(report.columns[at].instances));
        column.insert("longest, ms".to_owned(), json!(report.summaries[at].longest / 1_000));
        let rows = Row::ALL.into_iter().map(|row| {
            let cells =
                json!({ "here": report.summaries[at].text(row), "published": report.printed(row, at) });
            (row.title().to_owned(), cells)
        });
        column.insert("rows".to_owned(), Value::Object(rows.collect()));
        Value::Object(column)
    };
    json!({
        "number": report.table.number(),
        "title": report.table.title(),
        "columns": (0..report.columns.len()).map(column).collect::<Vec<Value>>(),
    })
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
struct Bar {
    table: Table,
    is_shown: bool,
    last: Option<Instant>,
}

impl Bar {
    fn new(table: Table) -> Self {
        Bar { table, is_shown: std::io::stderr().is_terminal(), last: None }
    }

    fn show(&mut self, done: usize, total: usize) {
        let is_due = self.last.is_none_or(|last| last.elapsed().as_millis() > 100);
        if !self.is_shown || !is_due {
            return;
        }
        self.last = Some(Instant::now());
        let full = 30 * done / total.max(1);
        let bar: String = (0..30).map(|at| if at < full { '#' } else { '.' }).collect();
        // Nobody is told if the terminal cannot be written.
        let _ = write!(std::io::stderr(), "\rtable {} {bar} {done}/{total}", self.table.number());
    }

    fn clear(&self) {
        if self.last.is_some() {
            let _ = write!(std::io::stderr(), "\r{}\r", " ".repeat(72));
        }
    }
}

//! `sequent bench thesis`: P4's evaluation again.

use std::time::Instant;

use sequent_evaluation::thesis::{self, Explicit, Options, Report, Sat, Solver, merges};
use serde_json::{Value, json};

use super::outside::Outside;
use super::{Bar, machine, processor};
use crate::cli::Format;
use crate::cli::bench as cli;
use crate::output;

pub fn run(options: &cli::Thesis) -> Result<u8, String> {
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
    let wanted =
        Options { instances: options.instances.max(1), seed: options.seed, bounds: options.bounds.clone() };
    let machine = machine();
    let mut reports = Vec::new();
    let mut merged = Vec::new();
    for table in tables {
        let table = match table {
            cli::Wanted::Solved(table) => table,
            cli::Wanted::Merged(model) => {
                let all = merges::run(model, &clock);
                if options.format == Format::Text {
                    output::print(&format!("{}\n", merges::text(model, &all)));
                }
                merged.push(merges::json(model, &all));
                continue;
            }
        };
        let mut bar = Bar::new(format!("table {}", table.number()));
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
                "tables": reports.iter().map(Report::json).chain(merged).collect::<Vec<Value>>(),
            });
            output::print_json(&value);
        }
        Format::Text => {
            let Options { instances, seed, .. } = wanted;
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

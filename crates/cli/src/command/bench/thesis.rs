//! `sequent bench thesis`: P4's evaluation again.

use std::time::Instant;

use sequent_evaluation::thesis::{
    self, Explicit, InstanceSolver, SatSolver, SolutionReport, ThesisOptions, merges,
};
use serde_json::{Value, json};

use super::outside::InstalledSolver;
use super::{ProgressBar, machine, processor};
use crate::cli::FormatArgument;
use crate::cli::bench as cli;
use crate::output;

pub(crate) fn run(options: &cli::Thesis) -> Result<u8, String> {
    let start = Instant::now();
    let wall = || u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    if options.clock == cli::ClockArgument::Processor {
        processor::time().ok_or("the system does not tell how long the processor worked")?;
    }
    let clock = || match options.clock {
        cli::ClockArgument::Wall => wall(),
        cli::ClockArgument::Processor => processor::time().unwrap_or_else(wall),
    };
    let patience = (options.timeout * 1e6) as u64;
    let builtin = SatSolver { clock: &clock, patience };
    let outside = match options.solver {
        cli::SolverArgument::Builtin | cli::SolverArgument::Explicit => None,
        cli::SolverArgument::Sat4j => Some("sat4j"),
        cli::SolverArgument::Picosat => Some("picosat"),
        cli::SolverArgument::CadicalCli => Some("cadical"),
    };
    let outside = outside.map(|name| {
        let command = options.solver_command.as_deref().unwrap_or(name);
        InstalledSolver::new(command, SatSolver { clock: &clock, patience }, &clock, patience)
    });
    let outside = outside.transpose()?;
    let explicit = Explicit { clock: &clock, patience };
    let solver: &dyn InstanceSolver = match (&outside, options.solver) {
        (Some(outside), _) => outside,
        (None, cli::SolverArgument::Explicit) => &explicit,
        (None, _) => &builtin,
    };
    let tables = tables(options, outside.is_some())?;
    let wanted = ThesisOptions {
        instances: options.instances.max(1),
        seed: options.seed,
        bounds: options.bounds.clone(),
    };
    let machine = machine();
    let mut reports = Vec::new();
    let mut merged = Vec::new();
    for table in tables {
        let table = match table {
            cli::WantedTable::Solved(table) => table,
            cli::WantedTable::Merged(model) => {
                let all = merges::run(model, &clock);
                if options.format == FormatArgument::Text {
                    output::print(&format!("{}\n", merges::text(model, &all)));
                }
                merged.push(merges::json(model, &all));
                continue;
            }
        };
        let mut bar = ProgressBar::new(format!("table {}", table.number()));
        let report = thesis::run(table, &wanted, solver, &mut |done, total| bar.show(done, total));
        bar.clear();
        if options.format == FormatArgument::Text {
            output::print(&format!("{}\n", report.text()));
        }
        reports.push(report);
    }
    let compared = outside.as_ref().map(InstalledSolver::compared);
    match options.format {
        FormatArgument::Json => {
            let value = json!({
                "machine": machine,
                "solver": solver.name(),
                "seed": options.seed,
                "instances": wanted.instances,
                "timeout": options.timeout,
                "clock": clock_word(options.clock),
                "comparison": compared,
                "tables": reports.iter().map(SolutionReport::json).chain(merged).collect::<Vec<Value>>(),
            });
            output::print_json(&value);
        }
        FormatArgument::Text => {
            let ThesisOptions { instances, seed, .. } = wanted;
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

fn clock_word(clock: cli::ClockArgument) -> &'static str {
    match clock {
        cli::ClockArgument::Wall => "wall clock",
        cli::ClockArgument::Processor => "processor time",
    }
}

/// The tables that were asked for; an outside solver is not asked about merges.
fn tables(options: &cli::Thesis, is_outside: bool) -> Result<Vec<cli::WantedTable>, String> {
    let is_solved = |table: &cli::WantedTable| match table {
        cli::WantedTable::Solved(_) => true,
        cli::WantedTable::Merged(_) => false,
    };
    if let Some(table) = options.table.iter().find(|table| is_outside && !is_solved(table)) {
        return Err(format!(
            "table {} is about merges: outside solvers are given goals and scenarios only",
            table.number()
        ));
    }
    let all =
        if options.table.is_empty() { cli::WantedTable::all().collect() } else { options.table.clone() };
    Ok(all.into_iter().filter(|table| !is_outside || is_solved(table)).collect())
}

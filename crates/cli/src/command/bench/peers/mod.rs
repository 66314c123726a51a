//! `sequent bench peers`: the same questions for Sequent and for tools that are installed.

mod bounded;
mod measure;
mod membership;
mod papers;
mod spin;
mod states;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sequent_engine::search::Progress;
use sequent_evaluation::peers::{Case, Family, table::Table};
use serde_json::{Value, json};

use super::{Bar, machine, processor};
use crate::cli::Format;
use crate::cli::bench as cli;
use crate::output;

use spin::Spin;

/// Microseconds after which a mean is worth something: Linux looks at its clock a few hundred times in a second.
const LONG_ENOUGH: u64 = 200_000;

/// More runs than this are not made.
const MOST_RUNS: u64 = 2_000;

/// What every table needs.
struct Bench<'o> {
    options: &'o cli::Peers,
    spin: Option<Spin>,
    start: Instant,
    bar: Bar,
}

/// Makes a table of some cases, and tells where tools differ.
type Part = fn(&mut Bench<'_>, &[Case], &mut Vec<String>) -> Table;

pub fn run(options: &cli::Peers) -> Result<u8, String> {
    let time = Duration::try_from_secs_f64(options.time).map_err(|error| format!("--time: {error}"))?;
    let bar = Bar::new("measuring".to_owned());
    let mut bench = Bench { options, spin: Spin::find(time), start: Instant::now(), bar };
    let families = if options.family.is_empty() { Family::ALL.to_vec() } else { options.family.clone() };
    let sizes = |family: Family| match options.sizes.as_slice() {
        [] => family.sizes(),
        sizes => sizes,
    };
    let cases: Vec<Case> = families.iter().flat_map(|family| family.cases(sizes(*family))).collect();
    let (growing, fixed): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|case| case.family.grows());
    let mut tables = Vec::new();
    let mut differences = Vec::new();
    let parts: [Part; 5] = [states::whole, states::reduced, bounded::table, membership::table, papers::table];
    for (part, cases) in parts.into_iter().zip([&growing, &growing, &growing, &growing, &fixed]) {
        let table = part(&mut bench, cases, &mut differences);
        bench.bar.clear();
        if !table.rows.is_empty() {
            if options.format == Format::Text {
                output::print(&format!("{}\n", table.text()));
            }
            tables.push(table);
        }
    }
    let absent = bench.absent();
    bench.conclude(&tables, &absent, &differences);
    Ok(u8::from(!differences.is_empty()))
}

impl Bench<'_> {
    /// Microseconds that this thread worked.
    fn processor(&self) -> u64 {
        processor::own().unwrap_or_else(|| self.wall())
    }

    /// Microseconds since the beginning.
    fn wall(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Does something several times, and gives what took the least.
    fn best<T>(
        &self,
        micros: impl Fn(&T) -> u64,
        mut work: impl FnMut() -> Result<T, String>,
    ) -> Result<T, String> {
        let mut best = work()?;
        for _ in 1..self.options.runs {
            let other = work()?;
            if micros(&other) < micros(&best) {
                best = other;
            }
        }
        Ok(best)
    }

    /// Does something until that took long enough to be measured; with the microseconds that it takes by this clock.
    fn timed<T>(
        &self,
        clock: impl Fn() -> u64,
        mut work: impl FnMut() -> Result<T, String>,
    ) -> Result<(T, u64), String> {
        let (start, mut count) = (clock(), 0);
        loop {
            let result = work()?;
            count += 1;
            let time = clock() - start;
            if count >= self.options.runs.max(1) as u64 && (time >= LONG_ENOUGH || count >= MOST_RUNS) {
                return Ok((result, time / count));
            }
        }
    }

    /// Breaks a search off when its time is over.
    fn watch(&self) -> impl Fn(&Progress) -> ControlFlow<()> + use<> {
        let (start, time) = (Instant::now(), self.options.time);
        move |_| match start.elapsed().as_secs_f64() > time {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// The tools that are not there.
    fn absent(&self) -> Vec<&'static str> {
        let mut absent = Vec::new();
        if self.spin.is_none() {
            absent.push("SPIN with a C compiler");
        }
        absent.extend(bounded::absent(self.options));
        absent.extend(papers::absent());
        absent
    }

    fn conclude(&self, tables: &[Table], absent: &[&str], differences: &[String]) {
        let machine = machine();
        match self.options.format {
            Format::Json => {
                let value = json!({
                    "machine": machine,
                    "absent": absent,
                    "differences": differences,
                    "tables": tables.iter().map(Table::json).collect::<Vec<Value>>(),
                });
                output::print(&format!("{value:#}\n"));
            }
            Format::Text => {
                let absent = match absent {
                    [] => String::new(),
                    names => format!("not on the PATH: {}\n", names.join(", ")),
                };
                let differences: String =
                    differences.iter().map(|one| format!("THEY DIFFER: {one}\n")).collect();
                let clock = if processor::own().is_some() { "processor time" } else { "wall clock" };
                output::print(&format!(
                    "{absent}{differences}{machine}; {clock}, one thread each; here the mean, of others the best of {}\n",
                    self.options.runs.max(1)
                ));
            }
        }
    }
}

//! State by state: the same states here and in SPIN, and what both make of reduction.

use std::collections::BTreeMap;

use sequent::tools;
use sequent_engine::search::Reduction;
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::{Step, System};
use sequent_report::export::promela::{self, Diagram, Subject};
use sequent_report::export::{Legend, Unwritten, Wanted};

use super::Bench;
use super::spin::{Job, Spun};
use crate::peers::table::{Cell, Table};
use crate::peers::{Case, Family, Figures, Read, explore};

/// What is measured of a case here.
#[derive(Clone, Copy)]
struct Here {
    /// The search.
    search: Figures,
    /// From the text to the answer, in microseconds.
    whole: u64,
}

impl Bench<'_> {
    fn here(&self, case: &Case, reduction: Reduction) -> Result<Here, String> {
        let clock = || self.processor();
        let (system, reading) = self.timed(clock, || Read::new(case).system())?;
        let once = || explore(&system, reduction, 1, &self.watch());
        let (search, micros) = self.timed(clock, once)?;
        Ok(Here { search: Figures { micros, ..search }, whole: reading + micros })
    }

    /// The search by all cores, by the wall clock.
    fn all_cores(&self, system: &System) -> Result<Figures, String> {
        let threads = self.host.threads();
        let once = || explore(system, Reduction::None, threads, &self.watch());
        let (search, micros) = self.timed(|| self.host.wall(), once)?;
        Ok(Figures { micros, ..search })
    }

    /// Microseconds in which NuSMV finds out whether a system gets stuck.
    fn by_nusmv_stuck(&self, read: &Read) -> Result<u64, String> {
        let program = self.host.nusmv().ok_or("-")?;
        let model = tools::nusmv::model(&read.system()?, &Wanted::Stuck);
        let model = model.map_err(|Unwritten(reason)| reason)?;
        Ok(self.ask_nusmv(&program, self.host.folder()?.as_ref(), &model.text)?.micros)
    }

    fn spun(&self, text: Result<String, String>, is_reduced: bool, states: usize) -> Result<Spun, String> {
        let spin = self.spin.as_ref().ok_or("-")?;
        let job = Job { text: &text?, is_reduced, seeks_cycles: false, states };
        spin.verify(&job, self.options.runs)
    }
}

/// Every state, one after the other.
pub fn whole(bench: &Bench<'_>, cases: &[Case], differences: &mut Vec<String>) -> Table {
    let mut table = Table {
        name: "states",
        title: "All states, no reduction: the same states here and in SPIN (ms, thousands of states per second, bytes for a state)".to_owned(),
        heads: vec![
            ["", "case"],
            ["", "states"],
            ["here", "search"],
            ["", "states/s"],
            ["", "bytes"],
            ["with", "reading"],
            ["all cores", "(wall)"],
            ["SPIN", "generation"],
            ["", "compilation"],
            ["", "verification"],
            ["", "SPIN states/s"],
            ["", "SPIN bytes"],
            ["ratio", "states/s"],
            ["ratio", "bytes"],
            ["ratio", "all"],
        ],
        ..Table::default()
    };
    let mut ratios: BTreeMap<Family, Vec<(f64, f64)>> = BTreeMap::new();
    for (number, case) in cases.iter().enumerate() {
        bench.host.progress(number, cases.len());
        let system = Read::new(case).system();
        let here = bench.here(case, Reduction::None);
        let cores = system.as_ref().map_err(Clone::clone).and_then(|system| bench.all_cores(system));
        let states = here.as_ref().map_or(1 << 20, |here| here.search.states);
        let text = system.as_ref().map_err(Clone::clone).and_then(steps);
        let spun = bench.spun(text, false, states);
        if let (Ok(here), Ok(spun)) = (&here, &spun) {
            // States between a step and the choice that follows it at once are stored by SPIN alone.
            let has_choices = system.as_ref().is_ok_and(|system| system.rules.iter().any(|rule| rule.urgent));
            let is_same = match has_choices {
                true => here.search.states <= spun.search.states,
                false => here.search.states == spun.search.states,
            };
            if !is_same || spun.is_found {
                differences.push(format!(
                    "{}: {} states here, {} in SPIN{}",
                    case.name,
                    here.search.states,
                    spun.search.states,
                    if spun.is_found { ", which found an error" } else { "" }
                ));
            }
            let rate = here.search.rate() / spun.search.rate();
            let bytes = spun.search.bytes_each() / here.search.bytes_each();
            ratios.entry(case.family).or_default().push((rate, bytes));
        }
        table.rows.push(row(case, &here, &cores, &spun));
    }
    for (family, mut ratios) in ratios {
        ratios.reverse();
        ratios.truncate(3);
        let least = |one: fn(&(f64, f64)) -> f64| ratios.iter().map(one).fold(f64::INFINITY, f64::min);
        table.notes.push(format!(
            "{}: at least {:.1} times the states per second of SPIN, and 1/{:.1} of its memory, for the {} largest",
            family.word(),
            least(|ratio| ratio.0),
            least(|ratio| ratio.1),
            ratios.len()
        ));
    }
    table
}

fn row(
    case: &Case,
    here: &Result<Here, String>,
    cores: &Result<Figures, String>,
    spun: &Result<Spun, String>,
) -> Vec<Cell> {
    let ratio = |of: &dyn Fn(&Here, &Spun) -> f64| match (here, spun) {
        (Ok(here), Ok(spun)) => Cell::amount(of(here, spun)),
        (Err(_), _) | (_, Err(_)) => Cell::none(),
    };
    let rest = |cell: &dyn Fn(&Spun) -> Cell| spun.as_ref().map_or_else(|_| Cell::none(), cell);
    let own = |cell: &dyn Fn(&Here) -> Cell| here.as_ref().map_or_else(|_| Cell::none(), cell);
    vec![
        Cell::text(case.name.clone()),
        own(&|here| Cell::number(here.search.states)),
        Cell::tried(here, |here| Cell::time(here.search.micros)),
        own(&|here| Cell::rate(here.search.rate())),
        own(&|here| Cell::amount(here.search.bytes_each())),
        own(&|here| Cell::time(here.whole)),
        Cell::tried(cores, |cores| Cell::time(cores.micros)),
        Cell::tried(spun, |spun| Cell::time(spun.generation)),
        rest(&|spun| Cell::time(spun.compilation)),
        rest(&|spun| Cell::time(spun.search.micros)),
        rest(&|spun| Cell::rate(spun.search.rate())),
        rest(&|spun| Cell::amount(spun.search.bytes_each())),
        ratio(&|here, spun| here.search.rate() / spun.search.rate()),
        ratio(&|here, spun| spun.search.bytes_each() / here.search.bytes_each()),
        ratio(&|here, spun| spun.micros() as f64 / here.whole.max(1) as f64),
    ]
}

/// Whether it gets stuck, with as few states as each can do with.
pub fn reduced(bench: &Bench<'_>, cases: &[Case], differences: &mut Vec<String>) -> Table {
    let mut table = Table {
        name: "reduced",
        title: "Does it get stuck, with reduction: here, and SPIN with its own (ms)".to_owned(),
        heads: vec![
            ["", "case"],
            ["here", "states"],
            ["", "search"],
            ["with", "reading"],
            ["SPIN", "states"],
            ["", "generation"],
            ["", "compilation"],
            ["", "verification"],
            ["ratio", "search"],
            ["ratio", "all"],
            ["NuSMV", "ms"],
            ["ratio", "NuSMV"],
        ],
        ..Table::default()
    };
    for (number, case) in cases.iter().enumerate() {
        bench.host.progress(number, cases.len());
        let read = Read::new(case);
        let here = bench.here(case, Reduction::Deadlocks);
        let text = match read.diagram() {
            Some(_) => lifelines(&read),
            None => read.system().and_then(|system| steps(&system)),
        };
        let spun = bench.spun(text, true, 1 << 20);
        if spun.as_ref().is_ok_and(|spun| spun.is_found) {
            differences.push(format!("{}: SPIN finds an error", case.name));
        }
        let smv = bench.by_nusmv_stuck(&read);
        let rest = |cell: &dyn Fn(&Spun) -> Cell| spun.as_ref().map_or_else(|_| Cell::none(), cell);
        let ratio = |of: &dyn Fn(&Here, &Spun) -> f64| match (&here, &spun) {
            (Ok(here), Ok(spun)) => Cell::amount(of(here, spun)),
            (Err(_), _) | (_, Err(_)) => Cell::none(),
        };
        table.rows.push(vec![
            Cell::text(case.name.clone()),
            Cell::tried(&here, |here| Cell::number(here.search.states)),
            here.as_ref().map_or_else(|_| Cell::none(), |here| Cell::time(here.search.micros)),
            here.as_ref().map_or_else(|_| Cell::none(), |here| Cell::time(here.whole)),
            Cell::tried(&spun, |spun| Cell::number(spun.search.states)),
            rest(&|spun| Cell::time(spun.generation)),
            rest(&|spun| Cell::time(spun.compilation)),
            rest(&|spun| Cell::time(spun.search.micros)),
            ratio(&|here, spun| spun.search.micros as f64 / here.search.micros.max(1) as f64),
            ratio(&|here, spun| spun.micros() as f64 / here.whole.max(1) as f64),
            Cell::tried(&smv, |micros| Cell::time(*micros)),
            match (&here, &smv) {
                (Ok(here), Ok(micros)) => Cell::amount(*micros as f64 / here.whole.max(1) as f64),
                (Err(_), _) | (_, Err(_)) => Cell::none(),
            },
        ]);
    }
    table
}

/// A system with all its steps as Promela: exactly its states.
fn steps(system: &System) -> Result<String, String> {
    let legend = Legend::new();
    let note = |_: &Step| String::new();
    let subject = Subject { system, title: "A model of Sequent", legend: &legend, note: &note };
    let made = promela::promela(&subject, &Wanted::Stuck);
    made.map(|made| made.text).map_err(|Unwritten(reason)| reason)
}

/// A diagram with its lifelines as processes, as a user of SPIN would write it.
fn lifelines(read: &Read) -> Result<String, String> {
    let id = read.diagram().ok_or("there is no diagram")?;
    let assumptions = Assumptions::default();
    let diagram = Diagram { model: read.model(), id, assumptions: &assumptions, at: &|_| String::new() };
    promela::lifelines(&diagram, &[]).map(|made| made.text).map_err(|Unwritten(reason)| reason)
}

//! State by state: the same states here and in SPIN, and what both make of reduction.

use std::collections::BTreeMap;

use sequent::tools;
use sequent_engine::search::Reduction;
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::{Step, System};
use sequent_report::export::promela::{self, UnfoldedDiagram, WrittenSubject};
use sequent_report::export::{Legend, Unwritten, WantedGoal};

use super::TableContext;
use super::spin::{SpinJob, Spun};
use crate::peers::table::{TableCell, TextTable};
use crate::peers::{CaseReading, Family, Figures, PeerCase, explore};

/// What is measured of a case here.
#[derive(Clone, Copy)]
struct StateMeasurement {
    /// The search.
    search: Figures,
    /// From the text to the answer, in microseconds.
    whole: u64,
}

impl TableContext<'_> {
    fn here(&self, case: &PeerCase, reduction: Reduction) -> Result<StateMeasurement, String> {
        let clock = || self.processor();
        let (system, reading) = self.timed(clock, || CaseReading::new(case).system())?;
        let once = || explore(&system, reduction, 1, &self.watch());
        let (search, micros) = self.timed(clock, once)?;
        Ok(StateMeasurement { search: Figures { micros, ..search }, whole: reading + micros })
    }

    /// The search by all cores, by the wall clock.
    fn all_cores(&self, system: &System) -> Result<Figures, String> {
        let threads = self.host.threads();
        let once = || explore(system, Reduction::None, threads, &self.watch());
        let (search, micros) = self.timed(|| self.host.wall(), once)?;
        Ok(Figures { micros, ..search })
    }

    /// Microseconds in which NuSMV finds out whether a system gets stuck.
    fn by_nusmv_stuck(&self, read: &CaseReading) -> Result<u64, String> {
        let program = self.host.nusmv().ok_or("-")?;
        let model = tools::nusmv::model(&read.system()?, &WantedGoal::Stuck);
        let model = model.map_err(|Unwritten(reason)| reason)?;
        Ok(self.ask_nusmv(&program, self.host.folder()?.as_ref(), &model.text)?.micros)
    }

    fn spun(&self, text: Result<String, String>, is_reduced: bool, states: usize) -> Result<Spun, String> {
        let spin = self.spin.as_ref().ok_or("-")?;
        let job = SpinJob { text: &text?, is_reduced, seeks_cycles: false, states };
        spin.verify(&job, self.options.runs)
    }
}

/// Every state, one after the other.
pub(crate) fn whole(
    bench: &TableContext<'_>,
    cases: &[PeerCase],
    differences: &mut Vec<String>,
) -> TextTable {
    let mut table = TextTable {
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
        ..TextTable::default()
    };
    let mut ratios: BTreeMap<Family, Vec<(f64, f64)>> = BTreeMap::new();
    for (number, case) in cases.iter().enumerate() {
        bench.host.progress(number, cases.len());
        let system = CaseReading::new(case).system();
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
    case: &PeerCase,
    here: &Result<StateMeasurement, String>,
    cores: &Result<Figures, String>,
    spun: &Result<Spun, String>,
) -> Vec<TableCell> {
    let ratio = |of: &dyn Fn(&StateMeasurement, &Spun) -> f64| match (here, spun) {
        (Ok(here), Ok(spun)) => TableCell::amount(of(here, spun)),
        (Err(_), _) | (_, Err(_)) => TableCell::none(),
    };
    let rest = |cell: &dyn Fn(&Spun) -> TableCell| spun.as_ref().map_or_else(|_| TableCell::none(), cell);
    let own = |cell: &dyn Fn(&StateMeasurement) -> TableCell| {
        here.as_ref().map_or_else(|_| TableCell::none(), cell)
    };
    vec![
        TableCell::text(case.name.clone()),
        own(&|here| TableCell::number(here.search.states)),
        TableCell::tried(here, |here| TableCell::time(here.search.micros)),
        own(&|here| TableCell::rate(here.search.rate())),
        own(&|here| TableCell::amount(here.search.bytes_each())),
        own(&|here| TableCell::time(here.whole)),
        TableCell::tried(cores, |cores| TableCell::time(cores.micros)),
        TableCell::tried(spun, |spun| TableCell::time(spun.generation)),
        rest(&|spun| TableCell::time(spun.compilation)),
        rest(&|spun| TableCell::time(spun.search.micros)),
        rest(&|spun| TableCell::rate(spun.search.rate())),
        rest(&|spun| TableCell::amount(spun.search.bytes_each())),
        ratio(&|here, spun| here.search.rate() / spun.search.rate()),
        ratio(&|here, spun| spun.search.bytes_each() / here.search.bytes_each()),
        ratio(&|here, spun| spun.micros() as f64 / here.whole.max(1) as f64),
    ]
}

/// Whether it gets stuck, with as few states as each can do with.
pub(crate) fn reduced(
    bench: &TableContext<'_>,
    cases: &[PeerCase],
    differences: &mut Vec<String>,
) -> TextTable {
    let mut table = TextTable {
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
        ..TextTable::default()
    };
    for (number, case) in cases.iter().enumerate() {
        bench.host.progress(number, cases.len());
        let read = CaseReading::new(case);
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
        let rest = |cell: &dyn Fn(&Spun) -> TableCell| spun.as_ref().map_or_else(|_| TableCell::none(), cell);
        let ratio = |of: &dyn Fn(&StateMeasurement, &Spun) -> f64| match (&here, &spun) {
            (Ok(here), Ok(spun)) => TableCell::amount(of(here, spun)),
            (Err(_), _) | (_, Err(_)) => TableCell::none(),
        };
        table.rows.push(vec![
            TableCell::text(case.name.clone()),
            TableCell::tried(&here, |here| TableCell::number(here.search.states)),
            here.as_ref().map_or_else(|_| TableCell::none(), |here| TableCell::time(here.search.micros)),
            here.as_ref().map_or_else(|_| TableCell::none(), |here| TableCell::time(here.whole)),
            TableCell::tried(&spun, |spun| TableCell::number(spun.search.states)),
            rest(&|spun| TableCell::time(spun.generation)),
            rest(&|spun| TableCell::time(spun.compilation)),
            rest(&|spun| TableCell::time(spun.search.micros)),
            ratio(&|here, spun| spun.search.micros as f64 / here.search.micros.max(1) as f64),
            ratio(&|here, spun| spun.micros() as f64 / here.whole.max(1) as f64),
            TableCell::tried(&smv, |micros| TableCell::time(*micros)),
            match (&here, &smv) {
                (Ok(here), Ok(micros)) => TableCell::amount(*micros as f64 / here.whole.max(1) as f64),
                (Err(_), _) | (_, Err(_)) => TableCell::none(),
            },
        ]);
    }
    table
}

/// A system with all its steps as Promela: exactly its states.
fn steps(system: &System) -> Result<String, String> {
    let legend = Legend::new();
    let note = |_: &Step| String::new();
    let subject = WrittenSubject { system, title: "A model of Sequent", legend: &legend, note: &note };
    let made = promela::promela(&subject, &WantedGoal::Stuck);
    made.map(|made| made.text).map_err(|Unwritten(reason)| reason)
}

/// A diagram with its lifelines as processes, as a user of SPIN would write it.
fn lifelines(read: &CaseReading) -> Result<String, String> {
    let id = read.diagram().ok_or("there is no diagram")?;
    let assumptions = Assumptions::default();
    let diagram =
        UnfoldedDiagram { model: read.model(), id, assumptions: &assumptions, at: &|_| String::new() };
    promela::lifelines(&diagram, &[]).map(|made| made.text).map_err(|Unwritten(reason)| reason)
}

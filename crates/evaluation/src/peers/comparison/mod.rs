//! The comparison: the same questions for Sequent and for tools that are installed, table by table.
//!
//! A [`Host`] runs programs and tells the time; what is asked, and what the answers are held against, stands here.

mod bounded;
mod by_hand;
mod host;
mod membership;
mod papers;
mod spin;
mod states;

use std::ops::ControlFlow;
use std::time::Duration;

use sequent_engine::search::Progress;

use super::table::TextTable;
use super::{Family, PeerCase};
pub use host::{Host, HostFolder, Ran};
use spin::SpinToolchain;

/// Microseconds after which a mean is worth something: Linux looks at its clock a few hundred times in a second.
const LONG_ENOUGH: u64 = 200_000;

/// More runs than this are not made.
const MOST_RUNS: u64 = 2_000;

/// What is compared, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct ComparisonOptions {
    /// The families of models; none are all.
    pub families: Vec<Family>,
    /// The sizes of those that grow; none are the usual ones.
    pub sizes: Vec<usize>,
    /// Seconds that a program may take.
    pub time: f64,
    /// How often something is measured at least.
    pub runs: usize,
    /// The command of SAT4J, if it is another than `sat4j`.
    pub sat4j: Option<String>,
}

/// What came out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PeerComparison {
    /// The tables that have rows.
    pub tables: Vec<TextTable>,
    /// The tools that are not there.
    pub absent: Vec<&'static str>,
    /// Where tools give different answers.
    pub differences: Vec<String>,
}

/// What every table needs.
struct TableContext<'b> {
    host: &'b dyn Host,
    options: &'b ComparisonOptions,
    spin: Option<SpinToolchain<'b>>,
}

/// Makes a table of some cases, and tells where tools differ.
type TableMaker = fn(&TableContext<'_>, &[PeerCase], &mut Vec<String>) -> TextTable;

/// Makes all tables; calls the host when one is ready.
pub fn compare(host: &dyn Host, options: &ComparisonOptions) -> PeerComparison {
    let bench = TableContext { host, options, spin: SpinToolchain::find(host, limit(options.time)) };
    let families = if options.families.is_empty() { Family::ALL.to_vec() } else { options.families.clone() };
    let sizes = |family: Family| match options.sizes.as_slice() {
        [] => family.sizes(),
        sizes => sizes,
    };
    let cases: Vec<PeerCase> = families.iter().flat_map(|family| family.cases(sizes(*family))).collect();
    let (by_hand, others): (Vec<PeerCase>, Vec<PeerCase>) =
        cases.into_iter().partition(|case| case.family.is_by_hand());
    let (growing, fixed): (Vec<PeerCase>, Vec<PeerCase>) =
        others.into_iter().partition(|case| case.family.grows());
    let mut comparison = PeerComparison::default();
    let parts: [(TableMaker, &[PeerCase]); 6] = [
        (by_hand::table, &by_hand),
        (states::whole, &growing),
        (states::reduced, &growing),
        (bounded::table, &growing),
        (membership::table, &growing),
        (papers::table, &fixed),
    ];
    for (part, cases) in parts {
        let table = part(&bench, cases, &mut comparison.differences);
        host.ready(&table);
        if !table.rows.is_empty() {
            comparison.tables.push(table);
        }
    }
    comparison.absent = bench.absent();
    comparison
}

/// Seconds as a limit.
fn limit(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

impl TableContext<'_> {
    /// Microseconds that this thread worked.
    fn processor(&self) -> u64 {
        self.host.processor()
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
    fn watch(&self) -> impl Fn(&Progress) -> ControlFlow<()> {
        let (start, time) = (self.host.wall(), self.options.time);
        move |_| match (self.host.wall() - start) as f64 / 1e6 > time {
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
        absent.extend(bounded::absent(self));
        absent.extend(papers::absent(self.host));
        absent
    }

    /// How long a program may take.
    fn time(&self) -> Duration {
        limit(self.options.time)
    }
}

//! `sequent bench`: its options.

use clap::{Args, Subcommand, ValueEnum};
use sequent_evaluation::generate::crafted::Crafted;
use sequent_evaluation::peers::Family;
use sequent_evaluation::thesis::{BOUNDS, ThesisTable, merges};

use super::FormatArgument;

/// Solve the instances of a published evaluation again, beside its figures; compare with other tools.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent bench thesis --table 5.4.3                 goals of the philosophers
  sequent bench thesis --table 5.4.3 --bounds 100,200,300,400,500
  sequent bench thesis --instances 1000 --seed 7     everything, with as many instances as in the paper
  sequent bench thesis --table 5.4.5 --instances 50 --solver picosat
  sequent bench thesis --table 5.6.1,5.6.2,5.6.3     merges, counted, listed, and by SAT
  sequent bench thesis --format json > tables.json
  sequent bench peers                                the same questions for SPIN and others that are installed
  sequent bench peers --family par --sizes 8,9,10")]
pub(crate) struct BenchArguments {
    #[command(subcommand)]
    pub kind: BenchKind,
}

#[derive(Subcommand)]
pub(crate) enum BenchKind {
    Thesis(Thesis),
    Peers(Peers),
}

/// Ask Sequent and other tools (SPIN, NuSMV, SAT4J, HIBOU) the same questions and compare them.
///
/// Runs the tools that are on the PATH on models of growing size and on the cases of the papers, and names
/// the tools that are missing. SPIN gets exactly the states that Sequent has (`export --to promela --shape
/// steps`, `gcc -O2`), and its own shapes with its reduction. Each tool runs with one thread; times are
/// processor time (Linux) in milliseconds. docs/bench.md explains the columns.
#[derive(Args)]
pub(crate) struct Peers {
    /// The families of models; default: all.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = family)]
    pub family: Vec<Family>,

    /// Sizes of the families that grow, instead of the usual ones.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub sizes: Vec<usize>,

    /// Stop every program after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = super::seconds)]
    pub time: f64,

    /// Measure this many times, and take the best.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub runs: usize,

    /// Command of SAT4J, if it is not `sat4j`; it gets a DIMACS file.
    #[arg(long, value_name = "COMMAND")]
    pub sat4j: Option<String>,

    /// How to print the tables.
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArgument,
}

fn family(text: &str) -> Result<Family, String> {
    let known = || Family::ALL.map(Family::word).join(", ");
    Family::of(text).ok_or_else(|| format!("the families are {}", known()))
}

/// The evaluation in docs/papers.md: goals and scenarios of its crafted and random models, and merges.
///
/// Prints tables 5.4.1 to 5.4.3, 5.4.5, 5.5.1 to 5.5.3, 5.5.5 and 5.6.1 to 5.6.3, each row once as it is here and once as
/// it is printed there (SAT4J, for merges PicoSAT, on an Intel Core i5-540M with 2.53 GHz). docs/generate.md describes the models. An outside solver gets
/// DIMACS files; every instance is then solved by the builtin one too, and their times are compared.
#[derive(Args)]
pub(crate) struct Thesis {
    /// The tables, by number; default: all.
    #[arg(long, value_name = "N.N.N", value_delimiter = ',', value_parser = table)]
    pub table: Vec<WantedTable>,

    /// At most this many instances in a column; the paper has 1000 random ones.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub instances: usize,

    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Bounds k for goals and scenarios of the crafted models; figures are printed beside those of the paper.
    #[arg(long, value_name = "K", value_delimiter = ',', default_values_t = BOUNDS)]
    pub bounds: Vec<u32>,

    /// The solver.
    #[arg(long, value_enum, default_value = "builtin")]
    pub solver: SolverArgument,

    /// Command of an outside solver, if it differs from its name. It gets a DIMACS file and exits with 10 for
    /// satisfiable and 20 for unsatisfiable.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver_command: Option<String>,

    /// Stop an instance after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0, value_parser = super::seconds)]
    pub timeout: f64,

    /// Clock to measure with: processor time does not depend on the load of the machine (Linux).
    #[arg(long, value_enum, default_value = "wall")]
    pub clock: ClockArgument,

    /// How to print the tables.
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArgument,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClockArgument {
    /// Wall-clock time.
    Wall,
    /// Processor time of this program and of an outside solver.
    Processor,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverArgument {
    /// The SAT engine of Sequent.
    Builtin,
    /// The explicit-state search; for the smaller instances.
    Explicit,
    Sat4j,
    Picosat,
    /// CaDiCaL's own command.
    CadicalCli,
}

/// A table that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WantedTable {
    /// Goals or scenarios.
    Solved(ThesisTable),
    /// Merges.
    Merged(Crafted),
}

impl WantedTable {
    /// All of them, as the paper has them.
    pub(crate) fn all() -> impl Iterator<Item = WantedTable> {
        ThesisTable::ALL
            .into_iter()
            .map(WantedTable::Solved)
            .chain(Crafted::ALL.into_iter().map(WantedTable::Merged))
    }

    /// Its number.
    pub(crate) fn number(self) -> &'static str {
        match self {
            WantedTable::Solved(table) => table.number(),
            WantedTable::Merged(model) => merges::number(model),
        }
    }
}

fn table(text: &str) -> Result<WantedTable, String> {
    let known = || WantedTable::all().map(WantedTable::number).collect::<Vec<_>>().join(", ");
    WantedTable::all()
        .find(|table| table.number() == text)
        .ok_or_else(|| format!("the tables are {}", known()))
}

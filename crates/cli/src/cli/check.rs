//! `sequent check`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Engines, Picture, Work};

/// For whom the result is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// People.
    Text,
    /// Other programs.
    Json,
    /// Code hosts and editors: SARIF 2.1.0.
    Sarif,
    /// Build servers: tests as JUnit writes them.
    Junit,
}

/// Read diagrams and report what is wrong with them.
///
/// Exit code: 0 nothing is wrong and every check is as it should be; 1 an error was found, or a check fails or is not as
/// expected; 2 unreadable input; 3 a check is undecided. Warnings and hints count only with --deny.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent check                           every diagram here and below, as `sequent check .`
  sequent check docs/pay.puml             one file, with the machines and classes beside it
  sequent check 'docs/**/*.md'            a pattern
  cat pay.mmd | sequent check -           standard input
  sequent check . --deny warnings         warnings fail the run too
  sequent check pay.mmd --ltl 'received(ok) precedes sent(ship)'
  sequent check . --format json           for other programs
  sequent check . --format sarif > s.sarif  findings for code hosts; junit for build servers
  sequent check . --runs runs/ --to svg   what goes wrong, as pictures")]
pub struct Check {
    /// Files, directories, patterns, or `-` for standard input. A single file is read with the files of its folder that belong to
    /// it, and only what is about it is reported.
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<String>,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: CheckFormat,

    /// Ask whether every run satisfies this formula, or pattern in words; of each diagram that knows its names.
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,

    /// Count these as errors: `warnings`, `hints`, a code, or `vacuous` (checks that hold for nothing but that something
    /// never happens).
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub deny: Vec<String>,

    /// Leave findings of this code out.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub allow: Vec<String>,

    /// Draw every sequence diagram as it was understood, and the run behind every finding that has one.
    #[arg(long)]
    pub draw: bool,

    /// Write the proofs behind verdicts into this directory: the invariant as text, and as SMT-LIB where three questions must
    /// all be `unsat`; a bounded question without an answer in DIMACS, with a proof in LRAT. Engines that look at all states
    /// have none.
    #[arg(long, value_name = "DIR")]
    pub proofs: Option<PathBuf>,

    /// With `--engine spin` or `nusmv`: write the models that it was asked about into this directory.
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,

    /// Write the runs behind findings and verdicts into this directory, one file each.
    #[arg(long, value_name = "DIR")]
    pub runs: Option<PathBuf>,

    /// How --runs draws.
    #[arg(long, value_enum, default_value = "svg", requires = "runs")]
    pub to: Picture,

    /// Print runs step by step, as tables, instead of drawing them.
    #[arg(long)]
    pub table: bool,

    /// Decide a point of dispute, e.g. calls=blocking; all stand in docs/semantics.md.
    #[arg(long, value_name = "NAME=VALUE")]
    pub switch: Vec<String>,

    /// Prove for each sequence diagram that its meaning in temporal logic (`sequent export --to ltl`) has the same traces
    /// as the one that everything else is computed from.
    #[arg(long)]
    pub templates: bool,

    #[command(flatten)]
    pub engine: Engines,

    /// Look for runs of at most so many steps, by SAT; what is not found within them stays undecided.
    #[arg(long, value_name = "STEPS")]
    pub within: Option<usize>,

    #[command(flatten)]
    pub work: Work,

    /// Print findings and answers only, no hints and no summary.
    #[arg(long, short)]
    pub quiet: bool,
}

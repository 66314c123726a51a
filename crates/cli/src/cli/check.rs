//! `sequent check`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Engines, PictureArgument, SEARCH, SpreadArguments, WorkArguments};

/// The headings of its help.
const FINDINGS: &str = "Which findings";
const REPORT: &str = "Report";
const QUESTIONS: &str = "Questions";

/// Output formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Text for a terminal.
    Text,
    /// One line for each finding: `file:line:column: CODE message`.
    Concise,
    /// Annotations on GitHub.
    Github,
    /// JSON, for other programs.
    Json,
    /// SARIF 2.1.0, for code hosts and editors.
    Sarif,
    /// JUnit XML, for build servers.
    Junit,
    /// One HTML file to look at: drawings, findings, and runs to step through.
    Html,
    /// A comment on a pull request: findings, and runs that go wrong as Mermaid diagrams.
    Markdown,
}

/// A report in a file.
#[derive(Clone)]
pub(crate) struct ReportFile {
    /// Its format.
    pub format: CheckFormat,
    /// The file.
    pub file: PathBuf,
}

/// Reads `FORMAT=FILE`.
fn report(text: &str) -> Result<ReportFile, String> {
    let (format, file) = text.split_once('=').ok_or("not FORMAT=FILE, as in `sarif=findings.sarif`")?;
    if file.is_empty() {
        return Err("there is no file after `=`".to_owned());
    }
    Ok(ReportFile { format: CheckFormat::from_str(format, false)?, file: PathBuf::from(file) })
}

/// Check diagrams and report problems.
///
/// Settings come from the nearest `sequent.toml` at or above each file; options on the command line override them.
///
/// Exit codes: 0 no errors and all checks passed; 1 an error was found or a check failed; 2 a file could not be read or the
/// command line is wrong; 3 a check is undecided. Warnings and hints only count with --deny.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent check                           every diagram here and below, as `sequent check .`
  sequent check docs/pay.puml             one file, with the machines and classes beside it
  sequent check 'docs/**/*.md'            a pattern
  cat pay.mmd | sequent check -           standard input
  sequent check . --deny warnings         warnings fail the run too
  sequent check pay.mmd --ltl 'received(ok) precedes sent(ship)'
  sequent check . --format html -o report.html   a page to look at, with runs to step through
  sequent check . --format json           for other programs
  sequent check . --format github         annotations on a pull request; also sarif, junit, concise
  sequent check . --report sarif=a.sarif --report markdown=comment.md   several reports of one check
  sequent check . --processes 4 --time 600   the states of large questions by four processes
  sequent check . --baseline known.json   report only what is new
  sequent check . --fix                   mend misspelt names, missing ends and the like
  sequent check . --watch                 again after every change
  sequent check . --no-suppress           ignore what the repository switches off
  sequent check . --runs runs/ --to svg   what goes wrong, as pictures")]
pub(crate) struct CheckArguments {
    /// Files, directories, patterns, or `-` for standard input. A single file is read with the files of its folder that belong to
    /// it, and only what is about it is reported.
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<String>,

    /// Fix what needs no decision: names that are evidently misspelt, a missing `end`, `}` or `deactivate`, a `;` in
    /// a Mermaid text. Files are changed in place; a change that would leave its finding or bring an error is not made. Then
    /// what is left is reported.
    #[arg(long)]
    pub fix: bool,

    /// Check again whenever a file changes, until Ctrl-C.
    #[arg(long)]
    pub watch: bool,

    /// Treat findings as errors: `warnings`, `hints`, a code (`W201`), a prefix (`W2`), or `vacuous` for checks that hold only
    /// because what they wait for never happens.
    #[arg(help_heading = FINDINGS, long, value_name = "WHAT", value_delimiter = ',')]
    pub deny: Vec<String>,

    /// Do not report findings with this code or prefix.
    #[arg(help_heading = FINDINGS, long, value_name = "CODE", value_delimiter = ',')]
    pub allow: Vec<String>,

    /// Report everything that comments, `@allow`, `@expect` and settings files suppress or exclude.
    #[arg(help_heading = FINDINGS, long)]
    pub(crate) no_suppress: bool,

    /// Report only findings that are not in this file; it is written if it does not exist.
    #[arg(help_heading = FINDINGS, long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write the baseline again, with the findings there are now.
    #[arg(help_heading = FINDINGS, long, requires = "baseline")]
    pub(crate) update_baseline: bool,

    /// Output format.
    #[arg(help_heading = REPORT, long, value_enum, default_value = "text")]
    pub format: CheckFormat,

    /// Write the report into this file instead of printing it.
    #[arg(help_heading = REPORT, long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write another report as well, e.g. `--report sarif=findings.sarif`. Can be repeated; the check runs
    /// once.
    #[arg(help_heading = REPORT, long, value_name = "FORMAT=FILE", value_parser = report)]
    pub report: Vec<ReportFile>,

    /// Print findings and failed checks only: no passed checks, no runs, no summary.
    #[arg(help_heading = REPORT, long, short)]
    pub quiet: bool,

    /// Draw every sequence diagram as it was read, and the run behind every finding and check.
    #[arg(help_heading = REPORT, long)]
    pub draw: bool,

    /// Print runs step by step, as tables, instead of drawing them.
    #[arg(help_heading = REPORT, long)]
    pub table: bool,

    /// Write the runs behind findings and verdicts into this directory, one file each.
    #[arg(help_heading = REPORT, long, value_name = "DIR")]
    pub runs: Option<PathBuf>,

    /// How --runs draws.
    #[arg(help_heading = REPORT, long, value_enum, default_value = "svg", requires = "runs")]
    pub to: PictureArgument,

    /// Ask whether every run satisfies this formula or pattern; of each diagram that has all its names.
    #[arg(help_heading = QUESTIONS, long, value_name = "FORMULA")]
    pub ltl: Vec<String>,

    /// Choose how a construct is read, e.g. calls=blocking; all of them are in docs/semantics.md.
    #[arg(help_heading = QUESTIONS, long, value_name = "NAME=VALUE")]
    pub switch: Vec<String>,

    /// Prove for each sequence diagram that its meaning in temporal logic (`sequent export --to ltl`) has the same traces
    /// as the one that everything else is computed from.
    #[arg(help_heading = QUESTIONS, long)]
    pub templates: bool,

    #[command(flatten)]
    pub engine: Engines,

    /// Look for runs of at most this many steps, by SAT; what is not found within them stays undecided.
    #[arg(help_heading = SEARCH, long, value_name = "STEPS")]
    pub within: Option<usize>,

    /// Write what proves the verdicts into this directory, to be checked by other programs: a condition that is always true, as text
    /// and for SMT solvers (SMT-LIB; all three questions in the file must be `unsat`); or, with `--within`, the question for SAT solvers (DIMACS) and
    /// the proof that it has no solution (LRAT). A verdict for which all states were looked at has no such file.
    #[arg(help_heading = SEARCH, long, value_name = "DIR")]
    pub proofs: Option<PathBuf>,

    /// With `--engine spin` or `nusmv`: write the models that it was asked about into this directory.
    #[arg(help_heading = SEARCH, long, value_name = "DIR")]
    pub models: Option<PathBuf>,

    #[command(flatten)]
    pub spread: SpreadArguments,

    #[command(flatten)]
    pub work: WorkArguments,
}

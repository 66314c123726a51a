//! The command line: one table for parsing, help, completions and man pages.

pub(crate) mod bench;
mod check;
mod classify;
mod cluster;
mod doctor;
mod export;
pub(crate) mod generate;
mod merge;
mod reach;
mod refine;
mod render;
mod serve;
mod simulate;
mod traces;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::budget::Budget;

pub(crate) use check::{CheckArguments, CheckFormat, ReportFile};
pub(crate) use classify::Classify;
pub(crate) use cluster::{SpreadArguments, WorkerArguments};
pub(crate) use doctor::Doctor;
pub(crate) use export::Export;
pub(crate) use export::{ExportFormat, FormulaStyle, PromelaShape};
pub(crate) use merge::{Diff, MergeArguments, MergeLevel, MergeSide};
pub(crate) use reach::Reach;
pub(crate) use refine::{BehaviourArgument, Refine};
pub(crate) use render::{PictureArgument, Render, RenderTarget, ThemeArgument};
pub(crate) use serve::Serve;
pub(crate) use simulate::Simulate;
pub(crate) use traces::{AutomatonForm, AutomatonFormat, TracesArguments};

/// Checks UML sequence diagrams and state machines.
#[derive(Parser)]
#[command(name = "sequent", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  sequent check docs/                  find what is wrong in every diagram below docs/
  sequent check README.md --draw       and draw what was understood
  sequent render pay.puml -o pay.svg   draw a diagram
  sequent simulate pay.puml            step through a diagram
  sequent serve docs/                  look, edit and ask in a browser
  sequent merge --install-driver       let git merge diagrams with Sequent
  sequent explain W201                 what a finding means

`sequent COMMAND --help` says more about a command.")]
pub(crate) struct CommandArguments {
    #[command(subcommand)]
    pub command: Command,

    #[command(flatten)]
    pub common: Common,
}

/// What every command understands.
#[derive(Args, Clone)]
pub(crate) struct Common {
    /// Colours and styles in the output.
    #[arg(
        long,
        global = true,
        help_heading = "Global options",
        value_enum,
        default_value = "auto",
        visible_alias = "color"
    )]
    pub colour: ColourArgument,

    /// Settings file, instead of the nearest `sequent.toml` at or above the first path.
    #[arg(long, global = true, help_heading = "Global options", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Override a setting of `sequent.toml`, e.g. `--set system.communication=rendezvous`.
    #[arg(long, global = true, help_heading = "Global options", value_name = "KEY=VALUE")]
    pub set: Vec<String>,

    /// Let diagrams include files below this folder too. Without it they include only files of the repository that is
    /// checked, or of the folder if there is no repository.
    #[arg(long, global = true, help_heading = "Global options", value_name = "DIR")]
    pub(crate) include_root: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourArgument {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Check(CheckArguments),
    Render(Render),
    Traces(TracesArguments),
    Classify(Classify),
    Simulate(Simulate),
    Reach(Reach),
    Refine(Refine),
    Merge(MergeArguments),
    Diff(Diff),
    Export(Export),
    Serve(Serve),
    Generate(generate::Generate),
    Bench(bench::BenchArguments),
    Ast(Ast),
    Explain(Explain),
    Lsp(Lsp),
    Dap(Dap),
    Mcp(Mcp),
    Doctor(Doctor),
    Completions(Completions),
    Man(Man),
    Worker(WorkerArguments),
}

impl Command {
    /// Takes `-` after `-o` for standard output, which is where results go without the option.
    pub(crate) fn settle_output(&mut self) {
        if let Some(kind) = self.output().filter(|kind| kind.as_deref() == Some(Path::new("-"))) {
            *kind = None;
            match self {
                // A terminal is not asked for steps, and what is written is the drawing.
                Command::Simulate(options) => options.seed = options.seed.or(Some(0)),
                Command::Diff(options) => options.draw = true,
                _ => {}
            }
        }
    }

    /// Where the command is told to write, of those that can be told.
    fn output(&mut self) -> Option<&mut Option<PathBuf>> {
        match self {
            Command::Check(options) => Some(&mut options.output),
            Command::Render(options) => Some(&mut options.output),
            Command::Simulate(options) => Some(&mut options.output),
            Command::Reach(options) => Some(&mut options.output),
            Command::Merge(options) => Some(&mut options.output),
            Command::Diff(options) => Some(&mut options.output),
            Command::Export(options) => Some(&mut options.output),
            Command::Generate(options) => options.kind.output(),
            Command::Traces(_)
            | Command::Refine(_)
            | Command::Classify(_)
            | Command::Serve(_)
            | Command::Bench(_)
            | Command::Ast(_)
            | Command::Explain(_)
            | Command::Lsp(_)
            | Command::Mcp(_)
            | Command::Dap(_)
            | Command::Doctor(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Worker(_) => None,
        }
    }

    /// The limits of time and memory for the whole command.
    pub(crate) fn budget(&self) -> Budget {
        match self {
            Command::Check(options) => options.work.budget(),
            Command::Render(options) => options.bounds.budget().or_default(),
            Command::Traces(options) => options.work.budget().or_default(),
            Command::Classify(options) => options.bounds.budget().or_default(),
            Command::Simulate(options) => options.budget(),
            Command::Reach(options) => options.work.budget(),
            Command::Refine(options) => options.work.budget(),
            Command::Merge(options) => options.budget(),
            Command::Diff(options) => options.bounds.budget(),
            Command::Export(options) => options.work.budget().or_default(),
            Command::Ast(options) => options.bounds.budget(),
            Command::Serve(_)
            | Command::Generate(_)
            | Command::Bench(_)
            | Command::Explain(_)
            | Command::Lsp(_)
            | Command::Dap(_)
            | Command::Mcp(_)
            | Command::Doctor(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Worker(_) => Budget::default(),
        }
    }
}

/// Start the language server, for editors.
///
/// The server speaks the Language Server Protocol on standard input and output. Editors start it themselves;
/// docs/editors.md explains how to set them up. Nothing leaves the machine.
#[derive(Args)]
pub(crate) struct Lsp {
    /// Accepted because editors pass it: the server always uses standard input and output.
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// Step through the run of a verdict, in the debugger of an editor.
///
/// It speaks the Debug Adapter Protocol on standard input and output; editors start it themselves, and docs/editors/debug.md says how. Nothing
/// leaves the machine.
#[derive(Args)]
pub(crate) struct Dap {}

/// Start a Model Context Protocol server for assistants that write diagrams.
///
/// The server speaks the Model Context Protocol on standard input and output; docs/mcp.md lists its tools.
/// Nothing leaves the machine.
#[derive(Args)]
pub(crate) struct Mcp {
    /// Limit each call to this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub time: f64,

    /// Limit each call to this many megabytes.
    #[arg(long, value_name = "MB", default_value = "1000")]
    pub memory: usize,
}

/// Files to read.
#[derive(Args, Clone)]
pub(crate) struct InputArguments {
    /// Files, directories, patterns, or `-` for standard input.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArgument {
    Text,
    Json,
}

/// A number of seconds that a clock can count.
fn seconds(text: &str) -> Result<f64, String> {
    let known = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let counted = known.filter(|seconds| Duration::try_from_secs_f64(*seconds).is_ok());
    counted.ok_or_else(|| "it is a number of seconds above 0, such as 2.5".to_owned())
}

/// The heading of options about how answers are found.
const SEARCH: &str = "Search";

/// Which engines answer.
#[derive(Args)]
pub(crate) struct Engines {
    /// How answers are computed; a verdict does not depend on it, only time does. `auto` suits nearly all diagrams: it looks at the states one by one
    /// and, where there are many, lets a solver of logical formulas (SAT) work on the same question; the first answer counts. `all` uses every engine and
    /// compares the answers. `spin` and `nusmv` use these programs, if they are installed (see `sequent doctor`).
    #[arg(help_heading = SEARCH, long, value_name = "NAME", value_enum, default_value = "auto")]
    pub engine: EngineName,

    /// Name the transitions and guards that make a goal unreachable or a scenario impossible (by SAT).
    #[arg(help_heading = SEARCH, long)]
    pub why: bool,
}

/// The names of engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum EngineName {
    /// A search of the states, joined by a SAT solver where there are many; the first answer counts.
    Auto,
    /// Explicit-state search.
    Explicit,
    /// Bounded model checking by SAT; answers no only if the question has a bound or no run is longer.
    Bounded,
    /// Bounded model checking with k-induction.
    Induction,
    /// IC3: inductive invariants by SAT.
    Ic3,
    /// All engines; their answers are compared.
    All,
    /// SPIN, an outside tool, as a second opinion.
    Spin,
    /// NuSMV or nuXmv, an outside tool, as a second opinion.
    Nusmv,
}

/// Limits of time and memory for the whole command.
#[derive(Args, Clone)]
pub(crate) struct BoundArguments {
    /// Stop after this many seconds, and report what was found until then.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub time: Option<f64>,

    /// Stop when more than this many megabytes are needed, and report what was found until then.
    #[arg(long, value_name = "MB", help_heading = "Limits")]
    pub memory: Option<usize>,
}

impl BoundArguments {
    fn budget(&self) -> Budget {
        Budget {
            time: self.time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            bytes: self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
            is_default: false,
        }
    }
}

/// Limits and threads of a search.
#[derive(Args, Clone)]
pub(crate) struct WorkArguments {
    #[command(flatten)]
    pub bounds: BoundArguments,

    /// Search with this many threads; default: one per core. Answers do not depend on it.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub threads: Option<usize>,
}

impl WorkArguments {
    /// The limits of time and memory for the whole command.
    pub(crate) fn budget(&self) -> Budget {
        self.bounds.budget()
    }
}

/// Options that decide what a diagram leaves open.
#[derive(Args, Clone)]
pub(crate) struct MeaningArguments {
    /// Take a guard to be true or false throughout, e.g. `--assume paid=true`.
    #[arg(long, value_name = "NAME=true|false")]
    pub assume: Vec<String>,

    /// Choose how a construct is read, e.g. calls=blocking, guards=independent, first=on, joined=strictly; all of them are in
    /// docs/semantics.md.
    #[arg(long, value_name = "NAME=VALUE")]
    pub switch: Vec<String>,
}

/// Print the model behind the diagrams as JSON.
///
/// The format is described by the schema in docs/ast.schema.json.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent ast pay.mmd | jq '.interactions[].messages[].text'
  sequent ast docs/ > model.json")]
pub(crate) struct Ast {
    #[command(flatten)]
    pub input: InputArguments,

    /// How to print the model.
    #[arg(long, value_enum, default_value = "json")]
    pub format: AstFormat,

    #[command(flatten)]
    pub bounds: BoundArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AstFormat {
    Json,
}

/// Explain a finding: what is wrong, why it matters, an example, how to suppress it.
///
/// Without an argument all codes are listed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent explain W201        one finding
  sequent explain deadlock    all findings that have to do with it
  sequent explain --all       everything")]
pub(crate) struct Explain {
    /// A code such as `W201`, or a word to search for.
    #[arg(value_name = "CODE|WORD")]
    pub code: Option<String>,

    /// Explain all codes.
    #[arg(long, conflicts_with = "code")]
    pub all: bool,
}

/// Print completions for a shell.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent completions bash > ~/.local/share/bash-completion/completions/sequent
  sequent completions zsh > ~/.zfunc/_sequent")]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Print the manual page, or write one page per command into a directory.
#[derive(Args)]
pub(crate) struct Man {
    /// Directory for sequent.1, sequent-check.1 and so on.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

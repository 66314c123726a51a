//! `sequent traces`: its options.

use clap::{Args, ValueEnum};

use super::{FormatArgument, InputArguments, MeaningArguments, PictureArgument, WorkArguments};

/// Count, list or draw the traces of a sequence diagram.
///
/// A trace is a sequence of events `!a->b:m` (sent) and `?a->b:m` (received) that the diagram allows from beginning to
/// end. Traces are counted exactly, without listing them. If there are infinitely many, shorter ones are listed first.
/// Exit code 3: a limit was reached, or loop iterations had to be kept closer together than the diagram does.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent traces pay.puml                          how many there are
  sequent traces pay.puml --list --max 10          the first ten
  sequent traces pay.puml --draw 2                 the first two as diagrams
  sequent traces pay.puml --invalid --list         those that run through a neg
  sequent traces pay.puml --automaton dot          all of them at once, for graphviz
  sequent traces pay.puml --automaton dot --form bits  the same in two states
  sequent traces pay.puml --assume paid=true       only those in which `paid` holds
  sequent traces pay.puml --switch calls=blocking  callers wait for the reply")]
pub(crate) struct TracesArguments {
    #[command(flatten)]
    pub input: InputArguments,

    /// The diagram, where there are several.
    #[arg(long, visible_alias = "diagram", value_name = "NAME")]
    pub interaction: Option<String>,

    /// List the traces in lexicographic order.
    #[arg(long)]
    pub list: bool,

    /// List at most this many.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub max: usize,

    /// Show the invalid traces, which run through a `neg`, instead of the valid ones (for `assert` see
    /// `classify`).
    #[arg(long)]
    pub invalid: bool,

    /// Draw the first N traces as sequence diagrams.
    #[arg(long, value_name = "N", conflicts_with_all = ["list", "automaton"])]
    pub draw: Option<usize>,

    /// How --draw draws.
    #[arg(long, value_enum, default_value = "text", requires = "draw")]
    pub to: PictureArgument,

    /// Print the automaton that accepts the traces.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "list")]
    pub automaton: Option<AutomatonFormat>,

    /// Make the automaton as small as possible.
    #[arg(long, requires = "automaton")]
    pub minimal: bool,

    /// Make the automaton small with variables, for messages in a fixed order, alone or in one loop around everything:
    /// `counters` has one per lifeline of the loop, `bits` one per event for the history.
    #[arg(long, value_enum, value_name = "FORM", requires = "automaton", conflicts_with_all = ["minimal", "invalid", "assume"])]
    pub form: Option<AutomatonForm>,

    #[command(flatten)]
    pub meaning: MeaningArguments,

    #[command(flatten)]
    pub work: WorkArguments,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArgument,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AutomatonFormat {
    Json,
    Dot,
    Hoa,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AutomatonForm {
    Counters,
    Bits,
}

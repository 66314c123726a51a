//! `sequent refine`: its options.

use clap::{Args, ValueEnum};

use super::{FormatArgument, WorkArguments};

/// Decide whether one diagram does only what another allows.
///
/// SPEC is the specification, IMPL the implementation: each a file with one diagram, or FILE#NAME. Every sequence of
/// messages of IMPL must be one of SPEC; with `--in failures` IMPL may also refuse only what SPEC may refuse, and with
/// `--in failures-divergences` it may also go on without a message for ever only where SPEC may. If IMPL does something else, a
/// shortest run that shows it is printed. Exit code: 0 IMPL refines SPEC, 1 it does not, 3 undecided.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent refine protocol.puml client.puml
  sequent refine design.md#Login design.md#'Login with retry'
  sequent refine protocol.puml client.puml --in failures --hide log,tick")]
pub(crate) struct Refine {
    /// Diagram that is the specification.
    #[arg(value_name = "SPEC")]
    pub specification: String,

    /// Diagram that is the implementation.
    #[arg(value_name = "IMPL")]
    pub implementation: String,

    /// What is compared.
    #[arg(long = "in", value_enum, value_name = "MODEL", default_value = "traces")]
    pub model: BehaviourArgument,

    /// Hide these messages on both sides; or events, such as `!a->b:m`.
    #[arg(long, value_name = "MESSAGE", value_delimiter = ',')]
    pub hide: Vec<String>,

    /// Print the run step by step, as a table, instead of drawing it.
    #[arg(long)]
    pub table: bool,

    /// Choose how a construct is read, e.g. calls=blocking; all of them are in docs/semantics.md.
    #[arg(long, value_name = "NAME=VALUE")]
    pub switch: Vec<String>,

    #[command(flatten)]
    pub work: WorkArguments,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArgument,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BehaviourArgument {
    Traces,
    Failures,
    #[value(alias = "fd")]
    FailuresDivergences,
}

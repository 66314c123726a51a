//! `sequent classify`: its options.

use clap::Args;

use super::{BoundArguments, FormatArgument, MeaningArguments};

/// Say whether a trace is valid, invalid or inconclusive.
///
/// TRACE is a file that holds the events, `-` for standard input, or the events themselves: `!a->b:m ?a->b:m`, one per
/// line or separated by spaces, or a JSON array. `!m` (sent) and `?m` (received) are enough where only one message is called m. If
/// the trace is not valid, the first event that cannot come there is shown, with those that could have come instead.
/// Exit code: 0 valid, 1 invalid, 3 inconclusive.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent classify pay.puml '!order ?order !paid'
  sequent classify pay.puml trace.txt --format json
  sequent traces pay.puml --list --max 1 | sequent classify pay.puml -")]
pub(crate) struct Classify {
    /// The file with the diagram, or a folder if it refers to others.
    #[arg(value_name = "FILE")]
    pub file: String,

    /// The trace.
    #[arg(value_name = "TRACE", allow_hyphen_values = true)]
    pub trace: String,

    /// The diagram, where there are several.
    #[arg(long, visible_alias = "diagram", value_name = "NAME")]
    pub interaction: Option<String>,

    #[command(flatten)]
    pub meaning: MeaningArguments,

    #[command(flatten)]
    pub bounds: BoundArguments,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArgument,
}

//! `sequent doctor`: its options.

use clap::Args;

use super::FormatArgument;

/// List the outside tools that Sequent can use, with their versions.
///
/// None of them is needed: each is a second opinion, or a partner. Exit code 0 whatever is missing.
#[derive(Args)]
pub(crate) struct Doctor {
    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArgument,
}

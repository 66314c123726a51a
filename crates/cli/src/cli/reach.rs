//! `sequent reach`: its options.

use std::path::PathBuf;

use clap::Args;

use super::{Engines, FormatArgument, InputArguments, SEARCH, SpreadArguments, WorkArguments};

/// Decide whether objects can reach a combination of states and values.
///
/// The objects are those of the state machines, object diagrams and settings that are read. A goal joins `object.State`,
/// `object.attribute = value` and other comparisons, and `in(object, State)` by `&`, `|`, `!` and brackets. If it can
/// be reached, a shortest run is drawn; where machines send and receive together (rendezvous), steps that can happen at the same time count once.
/// Exit code: 0 it can be reached, 1 it cannot, 3 undecided.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent reach coffee.puml --goal 'PhD.desperate & CM.error'
  sequent reach coffee.puml --goal 'CM.idle' --from 'CM.error & PhD.waiting'
  sequent reach bank.puml --goal 'bank.tries > 2 & !atm.Idle' --within 20 --format json
  sequent reach bank.puml --goal 'bank.Blocked' -o blocked.svg
  sequent reach ring.puml --goal 'S0.critical & S1.critical' --processes 4 --time 600
  sequent reach ring.puml --goal 'S0.critical & S1.critical' --hosts hosts --process 0")]
pub(crate) struct Reach {
    #[command(flatten)]
    pub input: InputArguments,

    /// Goal to reach.
    #[arg(long, value_name = "GOAL")]
    pub goal: String,

    /// Where it begins, instead of the first state; objects that it does not mention begin as usual.
    #[arg(long, value_name = "STATE")]
    pub from: Option<String>,

    /// In at most this many steps.
    #[arg(long, value_name = "K")]
    pub within: Option<u32>,

    /// Print the run step by step, as a table, instead of drawing it.
    #[arg(long)]
    pub table: bool,

    /// Write the proof that it cannot be reached into this directory: an invariant as text and SMT-LIB, or the question in
    /// DIMACS with a proof in LRAT where it has a bound. Engines that look at all states have none.
    #[arg(help_heading = SEARCH, long, value_name = "DIR")]
    pub proofs: Option<PathBuf>,

    #[command(flatten)]
    pub engine: Engines,

    #[command(flatten)]
    pub spread: SpreadArguments,

    #[command(flatten)]
    pub work: WorkArguments,

    /// How to print the result; default: JSON where `-o` ends in `.json`, else text.
    #[arg(long, value_enum)]
    pub format: Option<FormatArgument>,

    /// Write the answer and its run into this file instead of printing them. Where it ends in .svg, .png, .mmd, .puml or .md, and no
    /// format is given, the run is drawn into it, and the answer is printed.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

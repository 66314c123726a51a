//! `sequent simulate`: its options.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::{BoundArguments, InputArguments, MeaningArguments, PictureArgument};
use crate::budget::Budget;

/// Step through a sequence diagram or communicating state machines, or run them at random.
///
/// State machines that are read run together, unless --interaction names a diagram. In a terminal the run so far is drawn with the steps
/// that are possible next, and you choose one; `?` lists the commands. Otherwise, or with --seed, steps are taken at random, and the
/// events and the run are printed. Exit code: 0 the run is complete or was ended, 1 it is stuck, 2 unreadable input,
/// 3 the diagram cannot be run, or a limit was reached.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent simulate pay.puml                             step by step
  sequent simulate pay.puml --seed 7                    a random run, always the same
  sequent simulate pay.puml --seed 7 -o run.svg         and its drawing
  sequent simulate bank/ --seed 7 --to table            state machines, with their states step by step
  sequent simulate pay.puml --switch calls=blocking     callers wait for the reply")]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub input: InputArguments,

    /// The diagram, where there are several.
    #[arg(long, visible_alias = "diagram", value_name = "NAME")]
    pub interaction: Option<String>,

    /// Run the state machines as the objects of this diagram's lifelines.
    #[arg(long, value_name = "NAME", conflicts_with = "interaction")]
    pub scenario: Option<String>,

    /// Run at random, with this seed.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// End a random run after this many events (with state machines: steps).
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub steps: usize,

    /// Ask for every step even without a terminal.
    #[arg(long)]
    pub interactive: bool,

    #[command(flatten)]
    pub meaning: MeaningArguments,

    #[command(flatten)]
    pub bounds: BoundArguments,

    /// How to draw a random run; default: what the ending of `-o` says, else text.
    #[arg(long, value_enum)]
    pub to: Option<PictureArgument>,

    /// File for the drawing.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

impl Simulate {
    /// Whether somebody is asked for every step.
    pub(crate) fn is_interactive(&self) -> bool {
        let has_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        self.interactive || (self.seed.is_none() && self.output.is_none() && has_terminal)
    }

    /// What the command may cost: people may take their time.
    pub(crate) fn budget(&self) -> Budget {
        let budget = self.bounds.budget();
        if self.is_interactive() { budget } else { budget.or_default() }
    }
}

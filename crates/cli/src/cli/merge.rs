//! `sequent merge` and `sequent diff`: their options.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{BoundArguments, FormatArgument, WorkArguments};
use crate::budget::Budget;

/// Merge two revisions of a file with diagrams.
///
/// BASE is the common ancestor. Text outside of diagrams is merged as git does it. In sequence diagrams what both sides
/// added at the same place is put in an order that keeps each side's own and that the state machines of the lifelines can
/// follow; machines are those of the files themselves, of --machines, and of the folder of --path. UML models are merged by the
/// ids of their elements, and everything else in them stays as it was. What cannot be merged stands between conflict marks. Exit code: 0 merged, 1 there are conflicts, 2 unreadable input, 3 undecided.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent merge base.puml ours.puml theirs.puml                    the merged file
  sequent merge base.puml ours.puml theirs.puml -o ours.puml       written
  sequent merge base.md ours.md theirs.md --machines m.puml --all  every way to merge
  sequent merge base.md ours.md theirs.md --level full --count     how many the machines allow
  sequent merge --install-driver                                   git merge calls Sequent in this repository")]
pub(crate) struct MergeArguments {
    /// BASE, OURS and THEIRS.
    #[arg(value_name = "FILE", num_args = 0..=3)]
    pub files: Vec<PathBuf>,

    /// Files with state machines, and what else belongs to them.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub machines: Vec<PathBuf>,

    /// What merged diagrams must agree with: the order of messages, what each lifeline's state machine can receive, or
    /// what the machines can do together.
    #[arg(long, value_enum, default_value = "trigger")]
    pub level: MergeLevel,

    /// List all ways to merge.
    #[arg(long, conflicts_with_all = ["count", "pick", "interactive"])]
    pub all: bool,

    /// Count the ways to merge.
    #[arg(long, conflicts_with_all = ["pick", "interactive"])]
    pub count: bool,

    /// Take this one of the ways to merge, as --all numbers them.
    #[arg(long, value_name = "N", conflicts_with = "interactive")]
    pub pick: Option<usize>,

    /// Show the ways to merge and ask for one.
    #[arg(long)]
    pub interactive: bool,

    /// List at most this many.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub max: usize,

    /// Whose additions come first where both may.
    #[arg(long, value_enum, default_value = "ours")]
    pub prefer: MergeSide,

    /// Keep together what one side added at one place.
    #[arg(long)]
    pub together: bool,

    /// Count additions that are the same on both sides twice, as messages of their own.
    #[arg(long)]
    pub distinct: bool,

    /// What the file is called in its repository; state machines are looked for in its folder.
    #[arg(long, value_name = "PATH")]
    pub path: Option<PathBuf>,

    /// Draw diagrams that no order suits, with the messages that exclude each other marked.
    #[arg(long)]
    pub draw: bool,

    /// Show the lines of BASE in conflicts too.
    #[arg(long)]
    pub diff3: bool,

    /// File for the result; default: standard output.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Make git in this repository call Sequent to merge and compare files with diagrams.
    #[arg(long, conflicts_with_all = ["files", "output"])]
    pub(crate) install_driver: bool,

    /// With --install-driver: for UML models too (*.uml, *.xmi, *.mdxml).
    #[arg(long, requires = "install_driver")]
    pub models: bool,

    #[command(flatten)]
    pub work: WorkArguments,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArgument,
}

impl MergeArguments {
    /// The limits of time and memory for the whole command. As git waits for its merge driver, a driver has a
    /// default time limit, after which git merges line by line.
    pub(crate) fn budget(&self) -> Budget {
        let asked = self.work.budget();
        let is_driver = self.path.is_some() && self.output.is_some();
        Budget { time: asked.time.or(is_driver.then_some(DRIVER_TIME)), ..asked }
    }
}

/// The time limit of the merge driver without `--time`.
const DRIVER_TIME: Duration = Duration::from_secs(30);

/// Report what changed between two versions of a file, as text and drawn.
///
/// Diagrams are compared statement by statement, UML models element by element: what was added, deleted, changed or moved, with the line in NEW. Exit code: 0 nothing
/// changed, 1 something did, 2 unreadable input.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent diff old.puml new.puml                 in words
  sequent diff old.puml new.puml --draw          and drawn: + added, - deleted, ~ changed
  sequent diff old.puml new.puml -o changes.svg  drawn in colours
  git difftool -t sequent HEAD~1                 after `sequent merge --install-driver`")]
pub(crate) struct Diff {
    /// The version before.
    #[arg(value_name = "OLD")]
    pub old: PathBuf,

    /// The version after.
    #[arg(value_name = "NEW")]
    pub new: PathBuf,

    /// What the file is called, where the names of OLD and NEW do not tell what they hold.
    #[arg(long, value_name = "PATH")]
    pub path: Option<PathBuf>,

    /// Draw every sequence diagram and state machine in which something changed.
    #[arg(long)]
    pub draw: bool,

    #[command(flatten)]
    pub bounds: BoundArguments,

    /// File for the drawing; its ending says what is made.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArgument,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MergeLevel {
    Order,
    Trigger,
    Full,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MergeSide {
    Ours,
    Theirs,
}

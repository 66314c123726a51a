//! The command line: one table for parsing, help, completions and man pages.

pub mod bench;
pub mod generate;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use sequent_engine::contest::Engine;

/// Checks UML sequence diagrams and state machines.
#[derive(Parser)]
#[command(name = "sequent", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  sequent check docs/                  find what is wrong in every diagram below docs/
  sequent check README.md --draw       and draw what was understood
  sequent render pay.puml -o pay.svg   draw a diagram
  sequent simulate pay.puml            step through a diagram
  sequent merge --install-driver       let git merge diagrams with Sequent
  sequent explain W201                 what a finding means

`sequent COMMAND --help` says more about a command.")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    #[command(flatten)]
    pub common: Common,
}

/// What every command understands.
#[derive(Args)]
pub struct Common {
    /// Colours and styles in the output.
    #[arg(long, global = true, value_enum, default_value = "auto", visible_alias = "color")]
    pub colour: Colour,

    /// Settings file, instead of the nearest `sequent.toml` at or above the first path.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Override a setting of `sequent.toml`, e.g. `--set system.communication=rendezvous`.
    #[arg(long, global = true, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
pub enum Command {
    Check(Check),
    Render(Render),
    Traces(Traces),
    Classify(Classify),
    Simulate(Simulate),
    Reach(Reach),
    Refine(Refine),
    Merge(Merge),
    Diff(Diff),
    Export(Export),
    Generate(generate::Generate),
    Bench(bench::Bench),
    Ast(Ast),
    Explain(Explain),
    Completions(Completions),
    Man(Man),
}

/// Read diagrams and report what is wrong with them.
///
/// Exit code: 0 nothing is wrong and every check is as it should be; 1 an error was found, or a check fails or is not as
/// expected; 2 unreadable input; 3 a check is undecided. Warnings and hints count only with --deny.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent check .                         every diagram here and below
  sequent check 'docs/**/*.md'            a pattern
  cat pay.mmd | sequent check -           standard input
  sequent check . --deny warnings         warnings fail the run too
  sequent check pay.mmd --ltl 'received(ok) precedes sent(ship)'
  sequent check . --format json           for other programs
  sequent check . --runs runs/ --to svg   what goes wrong, as pictures")]
pub struct Check {
    #[command(flatten)]
    pub input: Input,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

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
    /// all be `unsat`. Engines that look at all states have none.
    #[arg(long, value_name = "DIR")]
    pub proofs: Option<PathBuf>,

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

/// Files to read.
#[derive(Args)]
pub struct Input {
    /// Files, directories, patterns, or `-` for standard input.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// Draw diagrams, or print them in another notation.
///
/// Without `-o` the result goes to standard output. With `-o` a single diagram is written to that file; several are
/// written into that directory, one file each.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent render pay.puml                        in the terminal
  sequent render pay.puml -o pay.svg             as SVG (the ending decides)
  sequent render docs/ --to png -o pictures/     every sequence diagram as PNG
  sequent render pay.puml --to mermaid           the same diagram as Mermaid text")]
pub struct Render {
    #[command(flatten)]
    pub input: Input,

    /// What to make; default: what the ending of `-o` says, else text.
    #[arg(long, value_enum)]
    pub to: Option<Target>,

    /// File, or directory for several diagrams.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Only the diagram of this name.
    #[arg(long, visible_alias = "interaction", value_name = "NAME")]
    pub diagram: Option<String>,

    /// Colours of the drawing.
    #[arg(long, value_enum, default_value = "light")]
    pub theme: Theme,

    /// Columns of a text drawing; default: as wide as the terminal.
    #[arg(long, value_name = "N")]
    pub width: Option<usize>,

    /// Pixels per unit of a PNG.
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0)]
    pub scale: f32,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    Svg,
    Png,
    Text,
    Mermaid,
    Plantuml,
}

/// What a run is shown as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Picture {
    Svg,
    Png,
    Text,
    Mermaid,
    Plantuml,
    /// Step by step, with the states of the objects.
    Table,
    /// The same in Markdown.
    Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    Light,
    Dark,
}

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
pub struct Traces {
    #[command(flatten)]
    pub input: Input,

    /// The diagram, where there are several.
    #[arg(long, visible_alias = "diagram", value_name = "NAME")]
    pub interaction: Option<String>,

    /// List the traces in lexicographic order.
    #[arg(long)]
    pub list: bool,

    /// List at most so many.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub max: usize,

    /// The invalid traces that run through a `neg`, instead of the valid ones (what leaves an `assert` tells `classify`).
    #[arg(long)]
    pub invalid: bool,

    /// Draw the first N traces as sequence diagrams.
    #[arg(long, value_name = "N", conflicts_with_all = ["list", "automaton"])]
    pub draw: Option<usize>,

    /// How --draw draws.
    #[arg(long, value_enum, default_value = "text", requires = "draw")]
    pub to: Picture,

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
    pub meaning: Meaning,

    #[command(flatten)]
    pub work: Work,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AutomatonFormat {
    Json,
    Dot,
    Hoa,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AutomatonForm {
    Counters,
    Bits,
}

/// A number of seconds that a clock can count.
fn seconds(text: &str) -> Result<f64, String> {
    let known = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let counted = known.filter(|seconds| std::time::Duration::try_from_secs_f64(*seconds).is_ok());
    counted.ok_or_else(|| "it is a number of seconds above 0, such as 2.5".to_owned())
}

/// Which engines answer.
#[derive(Args)]
pub struct Engines {
    /// Who answers. `auto` looks at the states first and asks a SAT solver as well where there are many; the first answer
    /// counts. `all` asks everybody and compares.
    #[arg(long, value_name = "NAME", value_enum, default_value = "auto")]
    pub engine: EngineName,
}

/// The names of engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EngineName {
    /// Whoever is first.
    Auto,
    /// A search of all states.
    Explicit,
    /// Runs of growing length by SAT; never proves anything without a bound.
    Bounded,
    /// The same with k-induction.
    Induction,
    /// IC3: invariants by SAT.
    Ic3,
    /// All of them, compared with each other.
    All,
}

impl EngineName {
    /// The engine.
    pub fn engine(self) -> Engine {
        match self {
            EngineName::Auto => Engine::Auto,
            EngineName::Explicit => Engine::Explicit,
            EngineName::Bounded => Engine::Bounded,
            EngineName::Induction => Engine::Induction,
            EngineName::Ic3 => Engine::Ic3,
            EngineName::All => Engine::All,
        }
    }
}

/// How much an answer may cost.
#[derive(Args)]
pub struct Work {
    /// Give up after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,

    /// Give up when the states take so many megabytes.
    #[arg(long, value_name = "MB")]
    pub memory: Option<usize>,

    /// How many threads search; default: one per core. Answers do not depend on it.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// Say whether a trace is valid, invalid or inconclusive.
///
/// TRACE is a file that holds the events, `-` for standard input, or the events themselves: `!a->b:m ?a->b:m`, one per
/// line or parted by spaces, or a JSON array. `!m` is enough where only one message is called m. If the trace is not valid
/// it is shown where it left the valid ones, and what could have happened there instead.
/// Exit code: 0 valid, 1 invalid, 3 inconclusive.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent classify pay.puml '!order ?order !paid'
  sequent classify pay.puml trace.txt --format json
  sequent traces pay.puml --list --max 1 | sequent classify pay.puml -")]
pub struct Classify {
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
    pub meaning: Meaning,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// What a diagram means where its author left it open.
#[derive(Args)]
pub struct Meaning {
    /// Fix a guard proposition.
    #[arg(long, value_name = "NAME=true|false")]
    pub assume: Vec<String>,

    /// Decide a point of dispute, e.g. calls=blocking, guards=independent, first=on, joined=strictly; all stand in
    /// docs/semantics.md.
    #[arg(long, value_name = "NAME=VALUE")]
    pub switch: Vec<String>,
}

/// Say whether objects can come into a combination of states and values.
///
/// The objects are those of the state machines, object diagrams and settings that are read. A goal joins `object.State`,
/// `object.attribute = value` and other comparisons, and `in(object, State)` by `&`, `|`, `!` and brackets. Shown is a
/// shortest run; under rendezvous the length counts transactions, in which steps of different machines happen together.
/// Exit code: 0 it can be reached, 1 it cannot, 3 undecided.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent reach coffee.puml --goal 'PhD.desperate & CM.error'
  sequent reach coffee.puml --goal 'CM.idle' --from 'CM.error & PhD.waiting'
  sequent reach bank.puml --goal 'bank.tries > 2 & !atm.Idle' --within 20 --format json")]
pub struct Reach {
    #[command(flatten)]
    pub input: Input,

    /// What is to be reached.
    #[arg(long, value_name = "GOAL")]
    pub goal: String,

    /// Where it begins, instead of the first state; objects that it does not mention begin as ever.
    #[arg(long, value_name = "STATE")]
    pub from: Option<String>,

    /// In so many steps at most.
    #[arg(long, value_name = "K")]
    pub within: Option<u32>,

    /// Print the run step by step, as a table, instead of drawing it.
    #[arg(long)]
    pub table: bool,

    #[command(flatten)]
    pub engine: Engines,

    #[command(flatten)]
    pub work: Work,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Say whether one diagram does only what another does.
///
/// SPEC says what is allowed, IMPL is what is looked at: a file with one diagram, or FILE#NAME. Compared are the traces;
/// with `--in failures` also what may be refused where nothing invisible goes on; with `--in failures-divergences` also
/// where something invisible may go on forever. If IMPL does something else, a shortest run that shows it is printed.
/// Exit code: 0 it does only that, 1 it does more, 3 undecided.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent refine protocol.puml client.puml
  sequent refine design.md#Login design.md#'Login with retry'
  sequent refine protocol.puml client.puml --in failures --hide log,tick")]
pub struct Refine {
    /// The diagram that says what is allowed.
    #[arg(value_name = "SPEC")]
    pub specification: String,

    /// The diagram that is looked at.
    #[arg(value_name = "IMPL")]
    pub implementation: String,

    /// By what they are compared.
    #[arg(long = "in", value_enum, value_name = "MODEL", default_value = "traces")]
    pub model: Behaviour,

    /// Messages that are not seen, on either side; or events, such as `!a->b:m`.
    #[arg(long, value_name = "MESSAGE", value_delimiter = ',')]
    pub hide: Vec<String>,

    /// Print the run step by step, as a table, instead of drawing it.
    #[arg(long)]
    pub table: bool,

    /// Decide a point of dispute, e.g. calls=blocking; all stand in docs/semantics.md.
    #[arg(long, value_name = "NAME=VALUE")]
    pub switch: Vec<String>,

    #[command(flatten)]
    pub work: Work,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Behaviour {
    Traces,
    Failures,
    #[value(alias = "fd")]
    FailuresDivergences,
}

/// Step through a sequence diagram or communicating state machines, or run them at random.
///
/// Where there are state machines they run together, unless --interaction names a diagram. In a terminal: shows the run so far as a diagram and what may happen next, and asks which it shall be; `?` lists the
/// commands. Otherwise, or with --seed, takes steps at random and prints the events and the run as a diagram. Exit code:
/// 0 the run is complete or was ended, 1 it is stuck, 2 unreadable input, 3 the diagram cannot be run.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent simulate pay.puml                             step by step
  sequent simulate pay.puml --seed 7                    a random run, always the same
  sequent simulate pay.puml --seed 7 -o run.svg         and its drawing
  sequent simulate bank/ --seed 7 --to table            state machines, with their states step by step
  sequent simulate pay.puml --switch calls=blocking     callers wait for the reply")]
pub struct Simulate {
    #[command(flatten)]
    pub input: Input,

    /// The diagram, where there are several.
    #[arg(long, visible_alias = "diagram", value_name = "NAME")]
    pub interaction: Option<String>,

    /// Run the state machines as the objects of this diagram's lifelines.
    #[arg(long, value_name = "NAME", conflicts_with = "interaction")]
    pub scenario: Option<String>,

    /// Run at random, beginning with this number.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// End a random run after so many events (with state machines: steps).
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub steps: usize,

    /// Ask for every step even without a terminal.
    #[arg(long)]
    pub interactive: bool,

    #[command(flatten)]
    pub meaning: Meaning,

    /// How to draw a random run; default: what the ending of `-o` says, else text.
    #[arg(long, value_enum)]
    pub to: Option<Picture>,

    /// File for the drawing.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Merge two revisions of a file with diagrams.
///
/// BASE is the common ancestor. Text outside of diagrams is merged as git does it. In sequence diagrams what both sides
/// added at the same place is put in an order that keeps each side's own and that the state machines of the lifelines can
/// follow; machines are those of the files themselves, of --machines, and of the folder of --path. What cannot be merged stands
/// between conflict marks. Exit code: 0 merged, 1 there are conflicts, 2 unreadable input, 3 undecided.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent merge base.puml ours.puml theirs.puml                    the merged file
  sequent merge base.puml ours.puml theirs.puml -o ours.puml       written
  sequent merge base.md ours.md theirs.md --machines m.puml --all  every way to merge
  sequent merge base.md ours.md theirs.md --level full --count     how many the machines allow
  sequent merge --install-driver                                   git merge calls Sequent in this repository")]
pub struct Merge {
    /// BASE, OURS and THEIRS.
    #[arg(value_name = "FILE", num_args = 0..=3)]
    pub files: Vec<String>,

    /// Files with state machines, and what else belongs to them.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub machines: Vec<String>,

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

    /// List at most so many.
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
    pub path: Option<String>,

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
    pub install_driver: bool,

    #[command(flatten)]
    pub work: Work,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Tell what changed between two versions of a file, in words and drawn.
///
/// Diagrams are compared statement by statement: what was added, deleted, changed or moved, with the line in NEW. Exit code: 0 nothing
/// changed, 1 something did, 2 unreadable input.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent diff old.puml new.puml                 in words
  sequent diff old.puml new.puml --draw          and drawn: + added, - deleted, ~ changed
  sequent diff old.puml new.puml -o changes.svg  drawn in colours
  git difftool -t sequent HEAD~1                 after `sequent merge --install-driver`")]
pub struct Diff {
    /// The version before.
    #[arg(value_name = "OLD")]
    pub old: String,

    /// The version after.
    #[arg(value_name = "NEW")]
    pub new: String,

    /// What the file is called, where the names of OLD and NEW do not tell what they hold.
    #[arg(long, value_name = "PATH")]
    pub path: Option<String>,

    /// Draw every sequence diagram in which something changed.
    #[arg(long)]
    pub draw: bool,

    /// File for the drawing; its ending says what is made.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MergeLevel {
    Order,
    Trigger,
    Full,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MergeSide {
    Ours,
    Theirs,
}

/// Write what a sequence diagram means for other tools.
///
/// `--to ltl`: formulas of linear temporal logic over occurrences, one per line, each under a comment that names the rule it
/// comes from. The traces of a diagram are the runs on which all of its formulas hold; docs/templates.md describes them.
/// Several diagrams are written as parts of one system, each of which may pause while others go on.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent export pay.puml --to ltl                          formulas as Sequent reads them
  sequent export pay.puml --to ltl --style nusmv -o pay.ltl for NuSMV
  sequent export pay.puml --to ltl --assume paid=true       where `paid` holds
  sequent export docs/ --to ltl --interaction Wrong --model Pay  what Wrong forbids in Pay
  sequent check pay.puml --templates                        that they say the same as the diagram")]
pub struct Export {
    #[command(flatten)]
    pub input: Input,

    /// What to write.
    #[arg(long, value_enum)]
    pub to: ExportFormat,

    /// The diagrams, by name; default: all of them.
    #[arg(long, visible_alias = "diagram", value_name = "NAME")]
    pub interaction: Vec<String>,

    /// What the diagrams forbid (`neg`) and demand (`assert`) of the diagram of this name, instead of their traces.
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,

    /// How formulas are spelt. SPIN has no past operators; its formulas do without.
    #[arg(long, value_enum, default_value = "sequent")]
    pub style: FormulaStyle,

    /// Write out so many iterations of a loop without bound, besides those that it must have.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub unroll: u32,

    #[command(flatten)]
    pub meaning: Meaning,

    /// File; default: standard output.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Linear temporal logic.
    Ltl,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormulaStyle {
    Sequent,
    Spin,
    Nusmv,
}

/// Print the model behind the diagrams as JSON.
///
/// The format is described by the schema in docs/ast.schema.json.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent ast pay.mmd | jq '.interactions[].messages[].text'
  sequent ast docs/ > model.json")]
pub struct Ast {
    #[command(flatten)]
    pub input: Input,

    /// How to print the model.
    #[arg(long, value_enum, default_value = "json")]
    pub format: AstFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AstFormat {
    Json,
}

/// Explain a finding, or list all of them.
#[derive(Args)]
pub struct Explain {
    /// The code, such as W201.
    pub code: Option<String>,
}

/// Print completions for a shell.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent completions bash > ~/.local/share/bash-completion/completions/sequent
  sequent completions zsh > ~/.zfunc/_sequent")]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Print the manual page, or write one page per command into a directory.
#[derive(Args)]
pub struct Man {
    /// Directory for sequent.1, sequent-check.1 and so on.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

//! `sequent generate`: its options.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use sequent_evaluation::generate::Chance;

/// Generate state machines or a diagram, mostly with a question about them.
///
/// What is printed can be read by `sequent check`: as a folder (-o) with its settings, or as one text with the diagrams that
/// says how it is meant. The same seed gives the same model everywhere. docs/generate.md describes the models.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sequent generate machines --seed 7                 a small random model, and a goal
  sequent generate machines --size medium --goal-size 0.5 -o model/
  sequent generate scenario --messages 3 --to mermaid
  sequent generate sat --variables 6 --seed 3        a random formula as state machines
  sequent generate sat formula.cnf -o formula/       satisfiable if and only if the goal can be reached
  sequent generate philosophers --count 5 -o dinner/
  sequent generate wide --communication queue --seed 9   nested states, data, queues
  sequent generate interaction --seed 4                  a sequence diagram with nested fragments")]
pub(crate) struct Generate {
    #[command(subcommand)]
    pub kind: GenerateKind,
}

#[derive(Subcommand)]
pub(crate) enum GenerateKind {
    Machines(MachinesArguments),
    Scenario(ScenarioArguments),
    Sat(SatArguments),
    Philosophers(Philosophers),
    Wide(WideArguments),
    Interaction(InteractionArguments),
}

impl GenerateKind {
    /// The folder that it goes to, if there can be one.
    pub(super) fn output(&mut self) -> Option<&mut Option<PathBuf>> {
        match self {
            GenerateKind::Machines(options) => Some(&mut options.delivery.output),
            GenerateKind::Scenario(options) => Some(&mut options.delivery.output),
            GenerateKind::Sat(options) => Some(&mut options.delivery.output),
            GenerateKind::Philosophers(options) => Some(&mut options.delivery.output),
            GenerateKind::Wide(options) => Some(&mut options.output),
            GenerateKind::Interaction(_) => None,
        }
    }
}

/// Where the result goes.
#[derive(Args)]
pub(crate) struct DeliveryArguments {
    /// The notation of the diagrams.
    #[arg(long, value_enum, default_value = "plantuml")]
    pub to: NotationArgument,

    /// Folder for diagrams and settings; default: the diagrams go to standard output.
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NotationArgument {
    Plantuml,
    Mermaid,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SizeArgument {
    Small,
    Medium,
    Large,
}

/// The parameters of random machines.
#[derive(Args)]
pub(crate) struct MachineShapeArguments {
    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Default sizes; the options below override them.
    #[arg(long, value_enum, default_value = "small")]
    pub size: SizeArgument,

    /// Number of machines.
    #[arg(long, value_name = "N", value_parser = count)]
    pub machines: Option<usize>,

    /// Minimum and maximum number of states of a machine.
    #[arg(long, value_name = "A..B", value_parser = range)]
    pub states: Option<(usize, usize)>,

    /// Minimum and maximum number of transitions of a machine.
    #[arg(long, value_name = "A..B", value_parser = range)]
    pub transitions: Option<(usize, usize)>,

    /// Number of different messages.
    #[arg(long, value_name = "N", value_parser = count)]
    pub symbols: Option<usize>,

    /// Probability that a transition has a trigger.
    #[arg(long, value_name = "P", value_parser = chance)]
    pub trigger: Option<Chance>,

    /// Probability that a transition with a trigger sends a message.
    #[arg(long, value_name = "P", value_parser = chance)]
    pub effect: Option<Chance>,

    /// Ask for at most this many transactions; 0: for any number.
    #[arg(long, value_name = "K")]
    pub within: Option<u32>,
}

/// Random machines, and states of some of them to be reached together.
///
/// Parameters and sizes are those of the evaluation in docs/papers.md: small 4, medium 12, large 30 machines.
#[derive(Args)]
pub(crate) struct MachinesArguments {
    #[command(flatten)]
    pub shape: MachineShapeArguments,

    /// Fraction of the machines for which the goal names a state.
    #[arg(long, value_name = "P", value_parser = chance, default_value = "0.25")]
    pub(crate) goal_size: Chance,

    #[command(flatten)]
    pub(crate) delivery: DeliveryArguments,
}

/// Random machines, and a sequence diagram that may or may not be possible.
///
/// Parameters and sizes are those of the evaluation in docs/papers.md: small 4, medium 12, large 30 lifelines.
#[derive(Args)]
pub(crate) struct ScenarioArguments {
    #[command(flatten)]
    pub shape: MachineShapeArguments,

    /// Number of lifelines.
    #[arg(long, value_name = "N", value_parser = count)]
    pub lifelines: Option<usize>,

    /// Number of messages.
    #[arg(long, value_name = "N", value_parser = count)]
    pub messages: Option<usize>,

    /// Probability that a message is out of place.
    #[arg(long, value_name = "P", value_parser = chance)]
    pub inconsistency: Option<Chance>,

    /// Take for it a message that its sender sends and its receiver takes, in other states.
    #[arg(long)]
    pub plausible: bool,

    #[command(flatten)]
    pub(crate) delivery: DeliveryArguments,
}

/// State machines that can reach a goal if and only if a formula is satisfiable.
///
/// The formula is that of a DIMACS file, or a random one with clauses of at most three literals and variables that occur at
/// most three times (3X3SAT). Such models show that questions about state machines are hard.
#[derive(Args)]
pub(crate) struct SatArguments {
    /// A formula in DIMACS, or `-` for standard input.
    #[arg(value_name = "FILE")]
    pub file: Option<String>,

    /// A random formula of this many variables.
    #[arg(long, value_name = "N", value_parser = count, default_value_t = 4, conflicts_with = "file")]
    pub variables: usize,

    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "file")]
    pub seed: u64,

    /// The question: states to be reached together, or a sequence diagram.
    #[arg(long, value_enum, default_value = "goal")]
    pub ask: QuestionArgument,

    #[command(flatten)]
    pub(crate) delivery: DeliveryArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum QuestionArgument {
    /// Whether states can be reached together.
    Goal,
    /// Whether a sequence diagram is possible.
    Scenario,
}

/// Dining philosophers; asked is whether all can hold their left fork, which is a deadlock.
#[derive(Args)]
pub(crate) struct Philosophers {
    /// How many philosophers and forks.
    #[arg(long, value_name = "N", value_parser = guests, default_value_t = 3)]
    pub count: usize,

    #[command(flatten)]
    pub(crate) delivery: DeliveryArguments,
}

/// State machines with everything: nested states, data, guards, calls of each other, environment; nothing is asked.
///
/// These are the models by which Sequent is tested. Chance makes mistakes too: some have errors.
#[derive(Args)]
pub(crate) struct WideArguments {
    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// How the machines communicate.
    #[arg(long, value_enum, default_value = "queue")]
    pub communication: Medium,

    /// Folder for diagrams and settings; default: standard output, the settings as comments.
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Medium {
    Queue,
    Bag,
    Rendezvous,
}

/// A sequence diagram with nested fragments of all kinds, and sometimes a second one that it refers to.
#[derive(Args)]
pub(crate) struct InteractionArguments {
    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// The notation of the diagram.
    #[arg(long, value_enum, default_value = "plantuml")]
    pub to: NotationArgument,
}

/// The upper limit of every count option.
const MOST: usize = 10_000;

fn count(text: &str) -> Result<usize, String> {
    let known = text.parse().ok().filter(|number| (1..=MOST).contains(number));
    known.ok_or_else(|| format!("it is a whole number from 1 to {MOST}"))
}

fn guests(text: &str) -> Result<usize, String> {
    let known = text.parse().ok().filter(|number| (2..=MOST).contains(number));
    known.ok_or_else(|| format!("it is a whole number from 2 to {MOST}"))
}

fn range(text: &str) -> Result<(usize, usize), String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let wanted = || "it is a number, or two such as 2..3".to_owned();
    let bounds = (count(least).map_err(|_| wanted())?, count(most).map_err(|_| wanted())?);
    if bounds.0 <= bounds.1 { Ok(bounds) } else { Err(wanted()) }
}

fn chance(text: &str) -> Result<Chance, String> {
    let known = text.parse().ok().filter(|share: &f64| (0.0..=1.0).contains(share));
    let share = known.ok_or_else(|| "it is a number from 0 to 1, such as 0.3".to_owned())?;
    Ok(Chance::millionths((share * 1e6).round() as u32))
}

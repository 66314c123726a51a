//! `sequent export`: its options, and one table of formats with what each is made from.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{InputArguments, MeaningArguments, WorkArguments};

/// Export diagrams, or questions about them, for other tools.
///
/// Some formats are made from one sequence diagram, or from communicating state machines: from the machines
/// if there are some and --interaction names no diagram. docs/export.md shows each format and how to use it.
///
/// `--to ltl`: formulas of linear temporal logic over occurrences, one per line, each under a comment that names the rule it
/// comes from. The traces of a diagram are the runs on which all of its formulas hold; docs/templates.md describes them.
/// Several diagrams are written as parts of one system, each of which may pause while others go on.
#[derive(Args, Clone)]
#[command(after_help = "\
Examples:
  sequent export pay.puml --to ltl                          formulas as Sequent reads them
  sequent export pay.puml --to ltl --style nusmv -o pay.ltl for NuSMV
  sequent export pay.puml --to ltl --assume paid=true       where `paid` holds
  sequent export docs/ --to ltl --interaction Wrong --model Pay  what Wrong forbids in Pay
  sequent export pay.puml --to nusmv -o pay.smv             a module for each lifeline, with what is asked about it
  sequent export bank/ --to aut -o bank.aut                 all states and steps, for CADP and mCRL2
  sequent export bank/ --to dot | dot -Tsvg > bank.svg      the same as a picture
  sequent export bank/ --question list                      what `sequent check bank/` answers, with numbers
  sequent export bank/ --to promela --question 2            the second of them, as a model for SPIN
  sequent export bank/ --to hoa --question 2                the automaton that finds its runs, for Spot
  sequent export bank/ --to cspm -o bank.csp                processes and assertions, for FDR
  sequent export bank/ --to aiger --question 2 -o bank.aig  the same for hardware model checkers
  sequent export bank/ --to dimacs --question 2 --within 20 its runs of up to 20 steps, for SAT solvers
  sequent export bank/ --to promela --question all -o spin/ each question as a model of its own
  sequent check pay.puml --templates                        that the formulas say the same as the diagram")]
pub(crate) struct Export {
    #[command(flatten)]
    pub input: InputArguments,

    /// What to write.
    #[arg(long, value_enum, required_unless_present = "question")]
    pub to: Option<ExportFormat>,

    /// The diagrams, by name; default: all of them, or the state machines.
    #[arg(long, visible_alias = "diagram", value_name = "NAME")]
    pub interaction: Vec<String>,

    /// The state machines as the objects of this diagram's lifelines.
    #[arg(long, value_name = "NAME", conflicts_with = "interaction")]
    pub scenario: Option<String>,

    /// The question to write, by its number or name among the answers of `sequent check`; `list` lists them. A question may have
    /// parts: `3.2`. `all` writes each into a file of its own, in the folder of --output. Default: whether it gets stuck.
    #[arg(long, value_name = "N|NAME|list|all", conflicts_with_all = ["interaction", "scenario"])]
    pub question: Option<String>,

    /// With `--to smt`, `--to dimacs` and `--to qdimacs`: runs of at most this many steps. A question with a bound of its own needs none.
    #[arg(long, value_name = "STEPS")]
    pub within: Option<usize>,

    /// With `--to ltl`: what the diagrams forbid (`neg`) and demand (`assert`) of the diagram of this name, instead of their
    /// traces.
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,

    /// With `--to promela`, `--to nusmv` and `--to cspm`: lifelines as processes or modules (of sequence diagrams), with one
    /// event for each message (`joint`, with `--to cspm`), every step of the system by itself, or state machines as processes that are
    /// observed (with `--to promela`).
    #[arg(long, value_enum)]
    pub shape: Option<PromelaShape>,

    /// How formulas are spelt. SPIN has no past operators; its formulas do without.
    #[arg(long, value_enum, default_value = "sequent")]
    pub style: FormulaStyle,

    /// Where loops are written out: cut those without bound after this many iterations more than they must have. Longer runs are
    /// then not in what is written; without this option it is refused.
    #[arg(long, value_name = "N")]
    pub unroll: Option<u32>,

    #[command(flatten)]
    pub meaning: MeaningArguments,

    #[command(flatten)]
    pub work: WorkArguments,

    /// File, with `--question all` a folder; default: standard output.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// The formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Linear temporal logic.
    Ltl,
    /// All states and steps: Aldebaran, for CADP, mCRL2, LTSmin.
    Aut,
    /// All states and steps: Graphviz.
    Dot,
    /// The traces of a diagram, or a question, as an automaton: Hanoi Omega-Automata v1.
    Hoa,
    /// Promela, for SPIN.
    Promela,
    /// CSPm, for FDR.
    Cspm,
    /// A model for NuSMV and nuXmv.
    Nusmv,
    /// A question as a circuit: AIGER 1.9, in binary if the file ends in `.aig`.
    Aiger,
    /// A question word by word: BTOR2.
    Btor2,
    /// A question about runs of at most --within steps, over bit vectors: SMT-LIB 2.
    Smt,
    /// A question about runs of at most --within steps, as clauses: DIMACS.
    Dimacs,
    /// The same with quantifiers, which double the length of runs: QDIMACS; --within is a power of two.
    Qdimacs,
}

impl ExportFormat {
    /// How the names of its files usually end.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            ExportFormat::Ltl => "ltl",
            ExportFormat::Aut => "aut",
            ExportFormat::Dot => "dot",
            ExportFormat::Hoa => "hoa",
            ExportFormat::Promela => "pml",
            ExportFormat::Cspm => "csp",
            ExportFormat::Nusmv => "smv",
            ExportFormat::Aiger => "aag",
            ExportFormat::Btor2 => "btor2",
            ExportFormat::Smt => "smt2",
            ExportFormat::Dimacs => "cnf",
            ExportFormat::Qdimacs => "qdimacs",
        }
    }
}

/// How a model for SPIN or NuSMV is built.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PromelaShape {
    /// Lifelines of a sequence diagram as processes or modules.
    Lifelines,
    /// The same with one event for each message, of sender and receiver (CSPm).
    Joint,
    /// Every step of the system by itself.
    Steps,
    /// State machines as processes with channels, and the scenario as a process that observes them (Promela).
    Observer,
}

/// How formulas are spelt.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormulaStyle {
    Sequent,
    Spin,
    Nusmv,
}

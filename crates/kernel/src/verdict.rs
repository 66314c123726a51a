//! Verdicts: the result of a check, and its evidence (DESIGN section 8).

use std::collections::BTreeSet;
use std::ops::AddAssign;

use crate::id::IdVec;
use crate::log::Log;
use crate::model::{Expectation, Interaction, MessageId, Scheduling};
use crate::property::ltl::AutomatonTooLarge;
use crate::source::Place;

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Yes.
    Holds(Evidence),
    /// No.
    Fails(Evidence),
    /// Not decided, and why.
    Unknown(Reason),
}

/// Why a search did not come to its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SearchStop {
    /// There are more states than allowed.
    States,
    /// They take more memory than allowed.
    Memory,
    /// They lie deeper than allowed.
    Depth,
    /// The caller broke it off, mostly because time is over.
    Watch,
}

/// Why a question is not decided. Reports put it into words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// A search of the states stopped after visiting this many.
    Stopped(SearchStop, usize),
    /// A solver stopped; runs of fewer steps than this were looked at.
    GaveUp(SearchStop, usize),
    /// No run of up to this many steps, where longer ones count too; and how far one gets.
    NothingUpTo(usize, Option<String>),
    /// The states in which attempts may begin are more than the first number; they lie within the second number of steps.
    Origins(usize, u32),
    /// The question cannot be written as clauses, and why.
    Unwritten(String),
    /// This engine does not answer questions of this kind.
    Engine(&'static str, QuestionKind),
    /// The engines contradict each other.
    Contradiction(String),
    /// There was no time to check an invariant that a solver found.
    Unchecked,
    /// A loop lets its lifelines run more than this many iterations apart.
    TooWide(usize),
    /// A construct has no meaning as a System.
    NotRun(String),
    /// A construct of a scenario has none.
    NotLookedFor(String),
    /// A condition of a scenario has none.
    NotLookedAt(String),
    /// The run that was found is none of the System.
    NotReplayed,
    /// The run that was found does not show what it should.
    Refuted(Refuted),
    /// A question depends on this many guards, more than the second number.
    Guards(usize, usize),
    /// A diagram that is asked about has errors.
    BrokenDiagram,
    /// The only diagram that is asked about has errors.
    BrokenSubject,
    /// The question has errors.
    BrokenQuestion,
    /// Nothing here can be asked this.
    NotAskable,
    /// Nothing happens in the diagram that asks.
    NothingHappens,
    /// No other diagram of the folder knows the messages of the diagram that asks.
    NoModel,
    /// No state machine says what the objects do.
    NoMachine,
    /// The state machine cannot be run.
    BrokenMachine,
    /// A formula, or its automaton, is too large.
    TooLarge(AutomatonTooLarge),
    /// The System knows nothing of these atoms of a formula.
    UnknownAtoms(Vec<String>),
    /// A scenario may go on forever in more ways than are followed.
    EndlessWays,
    /// An outside tool found no run, and a search of the states found one.
    ToolRefuted,
    /// Some run breaks off in a fault, and what would help.
    BreaksOff(Option<String>, FaultRemedy),
    /// Whether some run breaks off is not known.
    MayBreakOff,
    /// The run that was found depends on the value of this parameter of this message, which is not known.
    OpenValue(String, String),
    /// A value is drawn of this parameter of a message, and the one that is really sent is not known.
    OpenDrawn(String, String),
    /// A goal is reachable, but the fewest steps that lead there were not counted.
    Uncounted,
    /// An outside tool gave no answer.
    Tool(String),
    /// Two diagrams cannot be compared.
    Incomparable(String),
    /// The templates of a diagram cannot be compared with its System.
    Templates(String),
}

/// The kinds of questions that not all engines answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum QuestionKind {
    /// Whether a diagram does only what another does.
    Refinement,
    /// Whether machines get stuck, where messages come from outside or are lost.
    OpenDeadlock,
}

/// What a run that was found should have shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Refuted {
    /// That it violates a formula.
    Formula,
    /// That it contains what is forbidden.
    Negative,
    /// That it leaves an `assert`.
    Assertion,
    /// That the scenario happens.
    Scenario,
    /// That the scenario does not happen.
    Missing,
}

/// What helps against a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultRemedy {
    /// Nothing general.
    None,
    /// Queues that do not overflow.
    Queue,
    /// Values that stay in their ranges.
    Range,
}

/// What an answer rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// A run, replayed.
    Run(Box<Story>),
    /// Everything that can happen was looked at.
    Exhaustive,
    /// Everything that can happen was looked at, and this is as far as it got.
    Attempt(Box<Story>),
    /// An argument for runs of any length.
    Inductive(Box<Proof>),
    /// Everything that can happen within the bound of the question was looked at; and how far a scenario got, if it is one.
    Bounded(Option<Box<Story>>),
}

/// Why something never happens, without looking at all that does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// What kind of argument it is: `an invariant of 12 clauses`.
    pub words: String,
    /// The invariant line by line, each of which always holds; none if it is none.
    pub invariant: Vec<String>,
    /// The same as SMT-LIB: three questions, none of which has a model.
    pub smt: String,
    /// How far it gets, where it does not get to its end.
    pub attempt: Option<Box<Story>>,
}

/// A run in the words and pictures of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// Event texts from the beginning.
    pub prefix: Vec<String>,
    /// Event texts that are repeated forever; empty if the run is finite.
    pub cycle: Vec<String>,
    /// The run as a sequence diagram.
    pub drawing: Interaction,
    /// The messages of the drawing that matter most.
    pub marked: BTreeSet<MessageId>,
    /// For each message of the drawing the rows of the log in which it is sent and received; the same twice for one that is
    /// drawn by halves.
    pub moments: IdVec<MessageId, [usize; 2]>,
    /// The run as a scenario that asks for it, if state machines run it and something happens in it.
    pub scenario: Option<Interaction>,
    /// The run step by step.
    pub log: Log,
    /// Why the run is shown, line by line.
    pub because: Vec<String>,
}

impl Evidence {
    /// The word for it (DESIGN section 9).
    pub fn name(&self) -> &'static str {
        match self {
            Evidence::Run(_) => "run",
            Evidence::Exhaustive | Evidence::Attempt(_) => "exhaustive",
            Evidence::Inductive(_) => "inductive",
            Evidence::Bounded(_) => "bounded",
        }
    }
}

impl Verdict {
    /// The word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Fails(_) => "fails",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// What it rests on, if it is decided.
    pub fn evidence(&self) -> Option<&Evidence> {
        match self {
            Verdict::Holds(evidence) | Verdict::Fails(evidence) => Some(evidence),
            Verdict::Unknown(_) => None,
        }
    }

    /// The run it shows, if it shows one.
    pub fn story(&self) -> Option<&Story> {
        match self.evidence() {
            Some(Evidence::Run(story) | Evidence::Attempt(story)) => Some(story),
            Some(Evidence::Bounded(attempt)) => attempt.as_deref(),
            Some(Evidence::Inductive(proof)) => proof.attempt.as_deref(),
            Some(Evidence::Exhaustive) | None => None,
        }
    }

    /// The argument it rests on, if it is one.
    pub fn proof(&self) -> Option<&Proof> {
        match self.evidence() {
            Some(Evidence::Inductive(proof)) => Some(proof),
            Some(Evidence::Run(_) | Evidence::Attempt(_) | Evidence::Exhaustive | Evidence::Bounded(_))
            | None => None,
        }
    }

    /// Whether the verdict is the one expected; without expectation, whether it holds.
    pub fn is_welcome(&self, expected: Option<Expectation>) -> bool {
        match expected.unwrap_or(Expectation::Holds) {
            Expectation::Holds => matches!(self, Verdict::Holds(_)),
            Expectation::Fails => matches!(self, Verdict::Fails(_)),
            Expectation::Unknown => matches!(self, Verdict::Unknown(_)),
        }
    }
}

impl Answer {
    /// A verdict about a target, and nothing else.
    pub fn new(name: String, kind: &'static str, target: Option<String>, verdict: Verdict) -> Self {
        Answer {
            name,
            kind,
            target,
            place: None,
            verdict,
            vacuous: None,
            expected: None,
            engine: None,
            states: None,
            millis: None,
            details: Details::default(),
        }
    }

    /// Whether the verdict is as it should be.
    pub fn is_welcome(&self) -> bool {
        self.verdict.is_welcome(self.expected)
    }
}

/// One check with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The check's name, or what it asks.
    pub name: String,
    /// The kind of question: `scenario`, `ltl`, ..
    pub kind: &'static str,
    /// The diagram it is about.
    pub target: Option<String>,
    /// Where it is asked.
    pub place: Option<Place>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why the answer holds although nothing was asked: what the question waits for never happens.
    pub vacuous: Option<String>,
    /// What the author expects.
    pub expected: Option<Expectation>,
    /// The engine that found it; `None` if none was asked.
    pub engine: Option<&'static str>,
    /// How many configurations it visited.
    pub states: Option<usize>,
    /// How long it took.
    pub millis: Option<u64>,
    /// What else there is to say.
    pub details: Details,
}

/// What some answers say besides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Details {
    /// How far the question looks, in steps.
    pub bound: Option<u32>,
    /// The first message of a scenario that cannot happen.
    pub failing_message: Option<String>,
    /// How many steps a goal is away.
    pub length: Option<usize>,
    /// Which infinite runs count, where that matters.
    pub fairness: Option<Scheduling>,
    /// What rules it out.
    pub reasons: Option<Reasons>,
    /// The bounded question as DIMACS, which has no model.
    pub formula: Option<String>,
    /// What it took to decide it.
    pub cost: Cost,
    /// How many states there would be if all variables had all their values: the product of their domains, as a decimal.
    pub space: Option<String>,
}

/// What it took to decide a question, beside the states that were visited; of several parts the sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// The steps between the states, where all of these were visited.
    pub transitions: Option<usize>,
    /// Bytes that the states took.
    pub bytes: usize,
    /// The largest formula that a solver was asked: its variables and clauses.
    pub formula: Option<(usize, usize)>,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.transitions = match (self.transitions, other.transitions) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        self.bytes = self.bytes.max(other.bytes);
        self.formula = self.formula.max(other.formula);
    }
}

/// Which conditions rule something out, whatever all others are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reasons {
    /// Within how many steps; `None` for runs of any length.
    pub within: Option<usize>,
    /// The conditions in words, with the places of their transitions.
    pub conditions: Vec<(String, Place)>,
}

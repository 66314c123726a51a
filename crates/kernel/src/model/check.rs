//! Questions asked about diagrams, by directives in them or by the settings file (DESIGN section 6).

use crate::diagnostic::Code;
use crate::formula::{Formula, FormulaWord};
use crate::model::{InteractionId, MachineId};
use crate::source::Place;

/// One question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// A name for reports.
    pub name: Option<String>,
    /// The diagram it stands in; `None` when it comes from the settings file.
    pub subject: Option<Subject>,
    /// The interaction it is about, by name, where it does not stand in it (`target` of the settings file).
    pub target: Option<FormulaWord>,
    /// What is asked.
    pub question: Question,
    /// Which infinite runs count, where it is not what the system says (`fair=none`).
    pub fairness: Option<Scheduling>,
    /// The verdict the author expects (`@expect fails`).
    pub expected: Option<Expectation>,
    /// Where it is written.
    pub place: Place,
}

impl Check {
    /// Whether it asks of other diagrams what a diagram says.
    pub fn asks_by_diagram(&self) -> bool {
        match self.question {
            Question::Safe(..) | Question::Consistent(_) | Question::Fragments => true,
            Question::Scenario(_)
            | Question::Ltl(_)
            | Question::Reachable(_)
            | Question::Deadlock
            | Question::Refines(_)
            | Question::Triggers(_) => false,
        }
    }
}

/// A finding that the author of a diagram knows about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownFinding {
    /// The finding's code.
    pub code: Code,
    /// Whether it must come (`@expect W201`), rather than only may (`@allow W201`).
    pub must_come: bool,
    /// The diagram in which it is known.
    pub diagram: Place,
    /// The directive.
    pub place: Place,
}

/// A directive that asks something, or says what is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedDirective {
    /// The diagram it is about; `None` for one in a diagram of classes.
    pub subject: Option<Subject>,
    /// What is written after the `@`.
    pub text: String,
}

/// The diagram a question is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// A sequence diagram.
    Interaction(InteractionId),
    /// A state machine.
    Machine(MachineId),
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Does the scenario happen?
    Scenario(Scenario),
    /// Does every run satisfy the formula?
    Ltl(Property),
    /// Can this combination of states and values be reached?
    Reachable(StateGoal),
    /// Can a run get stuck?
    Deadlock,
    /// Does nothing happen that a `neg` diagram forbids?
    Safe(AskingDiagram, Mode),
    /// Does what an `assert` diagram requires always follow?
    Consistent(AskingDiagram),
    /// What the top-level `neg` or `assert` fragments of the subject ask.
    Fragments,
    /// Does the target do only what another diagram does?
    Refines(Refines),
    /// Can the machine of each lifeline receive what a diagram shows, in this order (P4: trigger consistency)?
    Triggers(AskingDiagram),
}

/// What a diagram is compared with, and by what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refines {
    /// The diagram that says what is allowed.
    pub specification: FormulaWord,
    /// By what they are compared.
    pub aspect: Aspect,
    /// Messages that are not seen, on either side.
    pub hidden: Vec<FormulaWord>,
}

/// By what behaviour is compared (P1: the models of CSP).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Aspect {
    /// What may be seen.
    Traces,
    /// What may be refused, too.
    Failures,
    /// Where it may go on invisibly forever, too.
    FailuresDivergences,
}

impl Aspect {
    /// The aspect of a word.
    pub fn of(word: &str) -> Option<Aspect> {
        match word {
            "traces" => Some(Aspect::Traces),
            "failures" => Some(Aspect::Failures),
            "failures-divergences" => Some(Aspect::FailuresDivergences),
            _ => None,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Aspect::Traces => "traces",
            Aspect::Failures => "failures",
            Aspect::FailuresDivergences => "failures-divergences",
        }
    }
}

/// The diagram that asks: by name, or the check's subject.
pub(crate) type AskingDiagram = Option<FormulaWord>;

/// How an invalid trace lies in a run (P0, section VI).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// In order: anything may lie in between.
    Strong,
    /// In one piece: nothing lies in between but what is ignored.
    Weak,
}

impl Mode {
    /// The mode of a word: `strongly` or `weakly`.
    pub fn of(word: &str) -> Option<Mode> {
        match word {
            "strongly" => Some(Mode::Strong),
            "weakly" => Some(Mode::Weak),
            _ => None,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Strong => "strongly",
            Mode::Weak => "weakly",
        }
    }
}

/// A property of runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// As it was written: a formula, or a pattern in words.
    pub text: String,
    /// What it says.
    pub formula: Box<Formula>,
}

/// A combination of states and values that is to be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateGoal {
    /// What is to be true.
    pub goal: Property,
    /// Where it begins, if not where the system does; objects that are not mentioned are in their first states.
    pub from: Option<Property>,
    /// The greatest number of steps.
    pub within: Option<u32>,
}

/// The scenario check's four knobs; the interaction is the check's subject or named here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// The interaction by name, where the check does not stand in it.
    pub interaction: Option<FormulaWord>,
    /// Possible, required, forbidden, or whenever.
    pub quantifier: Quantifier,
    /// Anywhere in a run, or from its start.
    pub anchor: Anchor,
    /// Which events matter.
    pub alphabet: Alphabet,
    /// At most this many steps.
    pub within: Option<u32>,
    /// How messages are drawn that objects send at once.
    pub effects: Effects,
}

/// In which order a scenario may draw the messages that one step of a system shows (P4: the effects of a transition are a set).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Effects {
    /// As the transition lists them.
    #[default]
    Ordered,
    /// In any order.
    Unordered,
    /// In any order, and all of them or none: a scenario begins and ends between two steps.
    Together,
}

impl Effects {
    /// By its word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Effects::Ordered, Effects::Unordered, Effects::Together].into_iter().find(|one| one.word() == word)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Effects::Ordered => "ordered",
            Effects::Unordered => "unordered",
            Effects::Together => "together",
        }
    }
}

/// Some run, no run, every run; every run in which what stands above the `assert` happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Quantifier {
    Possible,
    Forbidden,
    Required,
    Whenever,
}

impl Quantifier {
    /// All of them, with their words.
    pub const ALL: [(&str, Quantifier); 4] = [
        ("possible", Quantifier::Possible),
        ("forbidden", Quantifier::Forbidden),
        ("required", Quantifier::Required),
        ("whenever", Quantifier::Whenever),
    ];

    /// By its word.
    pub fn from_word(word: &str) -> Option<Self> {
        Quantifier::ALL.into_iter().find(|(known, _)| *known == word).map(|(_, quantifier)| quantifier)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Quantifier::Possible => "possible",
            Quantifier::Forbidden => "forbidden",
            Quantifier::Required => "required",
            Quantifier::Whenever => "whenever",
        }
    }
}

/// Where in a run a scenario may begin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Anchor {
    Anywhere,
    Start,
}

/// Which events of the system a scenario speaks about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Alphabet {
    /// Every event.
    All,
    /// Messages named in the diagram.
    Own,
    /// Messages with the names in the diagram, between any objects.
    Channels,
    /// All messages between the objects of the diagram.
    OwnObjects,
}

/// The verdict an author expects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Expectation {
    Holds,
    Fails,
    Unknown,
}

impl Expectation {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Expectation::Holds => "holds",
            Expectation::Fails => "fails",
            Expectation::Unknown => "unknown",
        }
    }
}

/// How the objects of a system communicate (rule M3); `None` leaves it to the machines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SystemSettings {
    /// The medium.
    pub communication: Option<Communication>,
    /// How much a queue holds.
    pub capacity: Option<u32>,
    /// How a step is taken under rendezvous.
    pub steps: Option<Steps>,
    /// In which order completion events are dispatched, apart from rendezvous.
    pub completion: Option<Completion>,
    /// Nothing comes from outside of the system, and nothing goes there.
    pub closed: Option<bool>,
    /// Which infinite runs count.
    pub fairness: Option<Scheduling>,
    /// In which order one step shows several messages.
    pub effects: Effects,
    /// Objects by name and class, each with its place (`[system] objects`).
    pub objects: Vec<(String, String, Place)>,
    /// The linked objects (`[system] links`).
    pub links: Vec<(String, String, Place)>,
}

/// How objects are scheduled: which infinite runs count (rule M6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Scheduling {
    /// Those in which an object that can move all along moves.
    #[default]
    Weak,
    /// Those in which an object that can move again and again moves.
    Strong,
    /// All.
    Unfair,
}

impl Scheduling {
    /// All of them, with their words.
    pub const ALL: [(&str, Scheduling); 3] =
        [("weak", Scheduling::Weak), ("strong", Scheduling::Strong), ("none", Scheduling::Unfair)];

    /// By its word.
    pub fn from_word(word: &str) -> Option<Self> {
        Scheduling::ALL.into_iter().find(|(known, _)| *known == word).map(|(_, scheduling)| scheduling)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Scheduling::Weak => "weak",
            Scheduling::Strong => "strong",
            Scheduling::Unfair => "none",
        }
    }
}

/// In which order an object takes its completion events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Completion {
    /// In the order in which its states completed, each once (PSSM).
    Queued,
    /// In any order, as long as a guard holds (P3).
    Free,
}

/// How a transition is taken under rendezvous (P4, definition D16).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Steps {
    /// Every transition passes an intermediate state.
    Intermediate,
    /// Only a transition that takes and sends does.
    Direct,
}

/// The medium between objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Communication {
    /// One first-in-first-out queue per object.
    Queue,
    /// Messages may overtake.
    Bag,
    /// Sender and receivers move together.
    Rendezvous,
}

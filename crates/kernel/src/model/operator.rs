//! Operators of combined fragments, and the table of what is known of each.
//!
//! A new operator is a new row of [`Operator::facts`]. Those who only need such a fact ask for it; only those who give each
//! operator a meaning of its own (the lowering, the templates) match over all of them.

use crate::model::{Interaction, LifelineId};

/// The operator of a combined fragment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operator {
    /// Weak sequencing; also every frame that is only drawn.
    Seq,
    /// Strict sequencing.
    Strict,
    /// Parallel.
    Par,
    /// Alternatives.
    Alt,
    /// Option.
    Opt,
    /// Break out of the enclosing operand.
    Break,
    /// Repetition.
    Loop(Loop),
    /// Critical region.
    Critical,
    /// Invalid traces.
    Neg,
    /// Mandatory traces.
    Assert,
    /// These message types may happen in between.
    Ignore(Vec<MessageType>),
    /// Only these message types matter.
    Consider(Vec<MessageType>),
    /// Occurrences on this lifeline are unordered.
    Coregion(LifelineId),
    /// Everything but exactly the operand's traces (P3).
    Not,
}

/// A message type in the list of an `ignore` or a `consider` (rule I8).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MessageType {
    /// The name of its messages.
    pub name: String,
    /// Which lifeline sends them to which, by name; `None` if any may send them to any.
    pub ends: Option<[String; 2]>,
}

/// Bounds of a loop (rule I4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loop {
    /// How many iterations happen in any case; `None` means the loop must not end.
    pub min: Option<u32>,
    /// How many iterations happen at most; `None` means any number.
    pub max: Option<u32>,
    /// Iterations are joined strictly (`sloop`).
    pub strict: bool,
}

/// What is known of an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorFacts<'o> {
    /// The word for it in both notations and in directives.
    pub word: &'static str,
    /// How it combines what its operands hold.
    pub combination: Combination,
    /// What follows the word.
    pub parameter: OperatorParameter<'o>,
    /// Whether it has one operand only.
    pub takes_one_operand: bool,
    /// Whether plain text on the line of an operand is its guard.
    pub takes_guards: bool,
    /// Whether what stands in it keeps everything else off its lifelines (rules I5, I6).
    pub is_region: bool,
    /// What it says of the runs through it.
    pub modality: Modality,
}

/// How a fragment combines what its operands hold, seen along a lifeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Combination {
    /// All of it, operand after operand.
    Sequence,
    /// All of it, an operand once the one before is over on every lifeline.
    StrictSequence,
    /// All of it, operands beside each other.
    Parallel,
    /// All of it, without order on this lifeline.
    Unordered(LifelineId),
    /// One of the operands.
    Choice {
        /// It may be left out although it has a single operand without guard.
        is_optional: bool,
    },
    /// Its operand instead of the rest of the operand around it, or nothing.
    Break,
    /// Its operand again and again.
    Repetition(Loop),
    /// Its operand, which makes a run invalid, or nothing.
    Negation,
    /// Anything but its operand.
    Complement,
}

/// What follows the word of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperatorParameter<'o> {
    /// Nothing.
    None,
    /// Bounds.
    Bounds(Loop),
    /// A set of message types.
    Types(MessageSet<'o>),
    /// A lifeline.
    Lifeline(LifelineId),
}

/// The message types that may happen in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageSet<'o> {
    /// These.
    Ignored(&'o [MessageType]),
    /// All but these.
    Considered(&'o [MessageType]),
}

/// What an operator says of the runs through it (rule I12).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Modality {
    /// They are valid.
    Valid,
    /// They are not meant to happen.
    Forbidden,
    /// What is begun must go on so.
    Mandatory,
}

impl Operator {
    /// The operators without parameters.
    pub const PLAIN: [Operator; 10] = [
        Operator::Seq,
        Operator::Strict,
        Operator::Par,
        Operator::Alt,
        Operator::Opt,
        Operator::Break,
        Operator::Critical,
        Operator::Neg,
        Operator::Assert,
        Operator::Not,
    ];

    /// The row of the table.
    pub fn facts(&self) -> OperatorFacts<'_> {
        match self {
            Operator::Seq => several("seq", Combination::Sequence),
            Operator::Strict => several("strict", Combination::StrictSequence),
            Operator::Par => several("par", Combination::Parallel),
            Operator::Alt => guarded(several("alt", Combination::Choice { is_optional: false })),
            Operator::Opt => guarded(single("opt", Combination::Choice { is_optional: true })),
            Operator::Break => guarded(single("break", Combination::Break)),
            Operator::Loop(bounds) => OperatorFacts {
                parameter: OperatorParameter::Bounds(*bounds),
                ..guarded(single(
                    if bounds.strict { "sloop" } else { "loop" },
                    Combination::Repetition(*bounds),
                ))
            },
            Operator::Critical => {
                OperatorFacts { is_region: true, ..single("critical", Combination::Sequence) }
            }
            Operator::Neg => {
                OperatorFacts { modality: Modality::Forbidden, ..single("neg", Combination::Negation) }
            }
            Operator::Assert => OperatorFacts {
                is_region: true,
                modality: Modality::Mandatory,
                ..single("assert", Combination::Sequence)
            },
            Operator::Ignore(types) => OperatorFacts {
                parameter: OperatorParameter::Types(MessageSet::Ignored(types)),
                ..single("ignore", Combination::Sequence)
            },
            Operator::Consider(types) => OperatorFacts {
                parameter: OperatorParameter::Types(MessageSet::Considered(types)),
                ..single("consider", Combination::Sequence)
            },
            Operator::Coregion(lifeline) => OperatorFacts {
                parameter: OperatorParameter::Lifeline(*lifeline),
                ..single("coregion", Combination::Unordered(*lifeline))
            },
            Operator::Not => {
                OperatorFacts { modality: Modality::Forbidden, ..single("not", Combination::Complement) }
            }
        }
    }

    /// The word for it in both notations and in directives.
    pub fn word(&self) -> &'static str {
        self.facts().word
    }

    /// How it combines what its operands hold.
    pub fn combination(&self) -> Combination {
        self.facts().combination
    }

    /// Whether plain text on the line of an operand is its guard.
    pub fn takes_guards(&self) -> bool {
        self.facts().takes_guards
    }

    /// Whether it has one operand only.
    pub fn takes_one_operand(&self) -> bool {
        self.facts().takes_one_operand
    }

    /// What it says of the runs through it.
    pub fn modality(&self) -> Modality {
        self.facts().modality
    }

    /// The message types that may happen in between, if it has a set of them.
    pub fn types(&self) -> Option<MessageSet<'_>> {
        match self.facts().parameter {
            OperatorParameter::Types(types) => Some(types),
            OperatorParameter::None | OperatorParameter::Bounds(_) | OperatorParameter::Lifeline(_) => None,
        }
    }

    /// The bounds, if it repeats its operand.
    pub fn bounds(&self) -> Option<Loop> {
        match self.facts().parameter {
            OperatorParameter::Bounds(bounds) => Some(bounds),
            OperatorParameter::None | OperatorParameter::Types(_) | OperatorParameter::Lifeline(_) => None,
        }
    }
}

/// The facts of an operator without parameters that takes one operand.
fn single(word: &'static str, combination: Combination) -> OperatorFacts<'static> {
    OperatorFacts {
        word,
        combination,
        parameter: OperatorParameter::None,
        takes_one_operand: true,
        takes_guards: false,
        is_region: false,
        modality: Modality::Valid,
    }
}

/// The same for one that takes several.
fn several(word: &'static str, combination: Combination) -> OperatorFacts<'static> {
    OperatorFacts { takes_one_operand: false, ..single(word, combination) }
}

/// The same where plain text is a guard.
fn guarded(facts: OperatorFacts<'static>) -> OperatorFacts<'static> {
    OperatorFacts { takes_guards: true, ..facts }
}

impl MessageType {
    /// The messages of a name, from any sender.
    pub fn named(name: impl Into<String>) -> Self {
        MessageType { name: name.into(), ends: None }
    }

    /// Whether a message of this name between these lifelines is one of the type; an end outside has no name.
    pub fn fits(&self, name: &str, ends: [&str; 2]) -> bool {
        self.name == name && self.ends.as_ref().is_none_or(|own| own.iter().map(String::as_str).eq(ends))
    }
}

/// As it is written: `m1`, `m1: a -> b`.
impl std::fmt::Display for MessageType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.ends {
            None => write!(f, "{}", self.name),
            Some([from, to]) => write!(f, "{}: {from} -> {to}", self.name),
        }
    }
}

impl<'o> MessageSet<'o> {
    /// Whether messages of this name between these lifelines may happen in between.
    pub(crate) fn lets_happen(&self, name: &str, ends: [&str; 2]) -> bool {
        let is_listed = self.listed().iter().any(|one| one.fits(name, ends));
        match self {
            MessageSet::Ignored(_) => is_listed,
            MessageSet::Considered(_) => !is_listed,
        }
    }

    /// The types as they are listed.
    pub fn listed(&self) -> &'o [MessageType] {
        match self {
            MessageSet::Ignored(types) | MessageSet::Considered(types) => types,
        }
    }

    /// The list as it is written: `{m1, m2: a -> b}`.
    pub fn text(&self) -> String {
        let texts: Vec<String> = self.listed().iter().map(MessageType::to_string).collect();
        format!("{{{}}}", texts.join(", "))
    }
}

impl Loop {
    /// The bounds as both notations write them: `(2,5)`, `(1,*)`, `(inf)`.
    pub fn bounds(&self) -> String {
        match (self.min, self.max) {
            (None, _) => "(inf)".to_owned(),
            (Some(min), None) => format!("({min},*)"),
            (Some(min), Some(max)) => format!("({min},{max})"),
        }
    }
}

impl Interaction {
    /// An operator with its parameters, as directives and groups write it: `loop (1,*)`, `ignore {m1, m2}`.
    pub fn operator_text(&self, operator: &Operator) -> String {
        let OperatorFacts { word, parameter, .. } = operator.facts();
        match parameter {
            OperatorParameter::None => word.to_owned(),
            OperatorParameter::Bounds(bounds) => format!("{word} {}", bounds.bounds()),
            OperatorParameter::Types(types) => format!("{word} {}", types.text()),
            OperatorParameter::Lifeline(lifeline) => format!("{word} {}", self.lifelines[lifeline].name),
        }
    }
}

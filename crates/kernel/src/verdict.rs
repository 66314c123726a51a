//! Verdicts: what a check found out.

use crate::model::Expectation;

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Yes.
    Holds,
    /// No.
    Fails,
    /// Not decided, and why.
    Unknown(String),
}

impl Verdict {
    /// The word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// Whether the verdict is the one expected; without expectation, whether it holds.
    pub fn is_welcome(&self, expected: Option<Expectation>) -> bool {
        match expected.unwrap_or(Expectation::Holds) {
            Expectation::Holds => *self == Verdict::Holds,
            Expectation::Fails => *self == Verdict::Fails,
            Expectation::Unknown => matches!(self, Verdict::Unknown(_)),
        }
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
    /// The verdict.
    pub verdict: Verdict,
    /// What the author expects.
    pub expected: Option<Expectation>,
}

//! Verdicts: what a check found out, and what that is worth (DESIGN section 8).

use std::collections::BTreeSet;

use crate::log::Log;
use crate::model::{Expectation, Interaction, MessageId};
use crate::source::Place;

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Yes.
    Holds(Evidence),
    /// No.
    Fails(Evidence),
    /// Not decided, and why.
    Unknown(String),
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
    /// What rules it out.
    pub reasons: Option<Reasons>,
    /// The bounded question as DIMACS, which has no model.
    pub formula: Option<String>,
}

/// Which conditions rule something out, whatever all others are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reasons {
    /// Within how many steps; `None` for runs of any length.
    pub within: Option<usize>,
    /// The conditions in words, with the places of their transitions.
    pub conditions: Vec<(String, Place)>,
}

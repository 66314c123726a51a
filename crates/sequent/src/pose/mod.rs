//! Posing: a query becomes cases, each a question about the runs of one System. Nothing is decided here.
//!
//! A [`Stage`] is one System, and the scenes of all queries about it, so that they share its states. Guards
//! that a query mentions have a value from the start, so an interaction has a stage for each valuation of
//! them; objects have one stage. A run that is found in any scene of a query is its answer. Unbounded loops
//! keep `window` iterations.

mod deadlock;
mod formula;
mod objects;
mod runs;
mod wording;

use std::collections::BTreeMap;
use std::rc::Rc;

use sequent_kernel::formula::Atom;
use sequent_kernel::model::{
    Communication, InteractionId, Mode, Model, Property, Scenario as Asked, StateGoal as Reach,
};
use sequent_kernel::property::ltl::{AtomMeaning, BoundFormula};
use sequent_kernel::property::scenario::SoughtScenario;
use sequent_kernel::property::{Assertion, Negative};
use sequent_kernel::question::{Case, Goal, Pace, Watcher};
use sequent_kernel::semantics::Assumptions;
use sequent_kernel::system::{System, TermId};
use sequent_kernel::verdict::Reason;

use crate::ask::{Agenda, Matter};
use crate::ensemble::Ensemble;
pub use deadlock::{lowered, stuck};
pub use formula::Premise;
pub(crate) use formula::premises;
pub use objects::begins;
pub(crate) use objects::missed_within;
pub use runs::{chosen, claimed};
pub(crate) use wording::QueryWording;

/// Loops keep no more iterations than this apart.
pub const WIDEST: usize = 4;

/// One System, and what is asked about it.
pub struct Stage<'a> {
    /// The System; `None` if there is none, and every scene says why.
    pub system: Option<Rc<System>>,
    /// What some queries, by number, ask about it; or why one cannot be asked.
    pub scenes: Vec<(usize, Result<Scene<'a>, Reason>)>,
}

/// A query about one System.
pub struct Scene<'a> {
    /// What the System is of.
    pub about: About<'a>,
    /// What is looked for.
    pub case: Case,
    /// What it shows if it is found.
    pub view: View<'a>,
}

/// What a System is of.
#[derive(Clone)]
pub enum About<'a> {
    /// An interaction whose guards have fallen one way.
    Interaction(&'a Model, InteractionId, Rc<Assumptions>),
    /// Objects.
    Objects(&'a Ensemble<'a>),
}

/// What a run shows that is looked for.
pub enum View<'a> {
    /// That it violates a formula, whose atoms mean this where it is about objects.
    Formula(&'a Property, Box<BoundFormula>, Option<&'a BTreeMap<Atom, AtomMeaning>>),
    /// That it contains what a `neg` diagram forbids.
    Negative(InteractionId, Mode, Rc<Negative>),
    /// That it leaves an `assert`.
    Assertion(InteractionId, Rc<Assertion>),
    /// That a scenario happens, or does not.
    Scenario(Sought<'a>),
    /// That a goal is reached.
    Goal(&'a Reach, TermId),
    /// That an interaction gets stuck.
    Stuck,
}

/// A scenario that is looked for.
pub struct Sought<'a> {
    /// The diagram.
    pub about: InteractionId,
    /// What is asked.
    pub asked: &'a Asked,
    /// The diagram, as some objects play it.
    pub scenario: Rc<SoughtScenario>,
    /// Who they are where lifelines stand for any object of a class, in words.
    pub players: Option<&'a str>,
}

impl Scene<'_> {
    /// The cases that are the query: a run in any of them is the answer.
    pub fn cases(&self) -> Vec<Case> {
        let forever = self.forever();
        let mut first = self.case.clone();
        if forever.is_some() && first.part.is_empty() {
            first.part = "it comes to its end".to_owned();
        }
        std::iter::once(first).chain(forever).collect()
    }

    /// Whether a scenario that is looked for goes on forever, as a case; `None` if it cannot.
    pub fn forever(&self) -> Option<Case> {
        match &self.case.goal {
            Goal::Accepted(Watcher::Found(scenario)) if scenario.is_endless() => {
                let goal = Goal::Accepted(Watcher::Forever(Rc::clone(scenario)));
                let own = Some(&self.case.part).filter(|part| !part.is_empty());
                let part: Vec<&str> =
                    own.map(String::as_str).into_iter().chain(["it goes on forever"]).collect();
                Some(Case { part: part.join(", "), ..self.case.instead(goal) })
            }
            Goal::Stuck | Goal::State(_) | Goal::Accepted(_) => None,
        }
    }
}

/// The stages of some queries about one thing, with loops that keep this many iterations apart.
pub fn stages<'a>(
    agenda: &'a Agenda<'a>,
    queries: &'a [usize],
    window: usize,
) -> Box<dyn Iterator<Item = Stage<'a>> + 'a> {
    match queries.first().map(|first| &agenda.queries[*first].matter) {
        Some(Matter::Runs(about, _)) => Box::new(runs::stages(agenda, *about, queries, window)),
        Some(Matter::Objects(ensemble, ..)) => {
            Box::new(objects::stage(agenda, *ensemble, queries, window).into_iter())
        }
        Some(Matter::Deadlock(subject)) => {
            Box::new(deadlock::stage(agenda, *subject, queries, window).into_iter())
        }
        Some(Matter::Refines(..) | Matter::Triggers(_) | Matter::Nothing(_)) | None => {
            Box::new(std::iter::empty())
        }
    }
}

/// How much happens at a position where objects communicate like this: transactions, where they meet.
pub fn pace(communication: Communication) -> Pace {
    match communication {
        Communication::Rendezvous => Pace::Together,
        Communication::Queue | Communication::Bag => Pace::Single,
    }
}

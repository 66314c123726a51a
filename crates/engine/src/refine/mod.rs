//! Refinement: whether everything that one System does is something that another may do (P1; C. A. R. Hoare 1985,
//! A. W. Roscoe, "The Theory and Practice of Concurrency", 1997).
//!
//! Behaviour is compared in one of three [models](RefinementModel) of growing strength: traces; stable failures, that
//! is what a system may refuse after a trace in a state without invisible steps; failures and divergences,
//! where a specification that may diverge (take invisible steps forever) allows everything from there on. An
//! implementation refines a specification if its behaviours are a subset of the specification's.
//!
//! Events are compared by the names that the two [parties](Party) give them; an event without a name is
//! invisible. A proper end is an event of its own: a run that may end does so of its own accord, and may
//! refuse everything else meanwhile (Roscoe's tick). Infinite behaviour other than divergence is not
//! compared.
//!
//! The specification is made [deterministic](normal) as far as the search comes to it. The [product] with the
//! implementation is searched by the length of what is seen, so that the first counterexample is a shortest.

mod normal;
mod party;
mod product;
mod tell;

pub use party::{Party, text};

use std::collections::BTreeSet;

use sequent_kernel::replay::Run;

use crate::search::{Limits, ProgressWatch, SearchStop};

/// By what behaviour is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RefinementModel {
    /// Traces: what may be seen.
    Traces,
    /// Traces and stable failures: what may be refused as well.
    Failures,
    /// Failures and divergences: going on invisibly forever is the worst of all.
    FailuresDivergences,
}

/// What came of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refinement {
    /// Whether the implementation refines the specification.
    pub answer: RefinementAnswer,
    /// How many pairs of a state and a set of states were visited.
    pub states: usize,
    /// Whether the specification has fewer runs than its diagram, as far as was looked: "no" may be wrong.
    pub is_specification_strained: bool,
    /// Whether the implementation has: "yes" may be wrong.
    pub is_implementation_strained: bool,
}

/// Whether one refines the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefinementAnswer {
    /// It does.
    Holds,
    /// It does not.
    Fails(Box<Counterexample>),
    /// Not decided.
    Stopped(SearchStop),
}

/// What the implementation does and the specification does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The events seen, by name.
    pub trace: Vec<String>,
    /// What is wrong with it.
    pub excess: Excess,
    /// The run of the implementation that shows it.
    pub run: Run,
}

/// How an implementation goes beyond its specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Excess {
    /// The specification does not have the trace, but has it without its last event.
    Trace,
    /// The implementation may end after the trace, the specification may not.
    End,
    /// After the trace the implementation waits and takes nothing but what it offers.
    Refusal {
        /// What it takes.
        offered: RestOffer,
        /// A least set that it refuses and that the specification never refuses after the trace as a whole. Empty if the
        /// specification never comes to rest there.
        refused: RestOffer,
    },
    /// After the trace the implementation may take invisible steps forever: those from the run's cycle on.
    Divergence,
}

/// What a system takes where it has come to rest.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct RestOffer {
    /// Events by name.
    pub events: BTreeSet<String>,
    /// Whether the proper end is among them.
    pub end: bool,
}

/// Whether an implementation refines a specification.
pub fn check(
    specification: Party<'_>,
    implementation: Party<'_>,
    model: RefinementModel,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> Refinement {
    product::RefinementProduct::new(specification, implementation, model, limits).run(limits, watch)
}

//! Records: how a query was decided, as evidence for its verdict.

use sequent_engine::decision::{Decision, Ground};
use sequent_engine::explicit;
use sequent_kernel::question::Case;
use sequent_kernel::verdict::{Cost, Details, Evidence, Proof, Reason, Reasons, Story, Verdict};

use crate::tell::proof;

/// How a query was decided.
#[derive(Default)]
pub(crate) struct Record {
    /// The engine that answered.
    pub engine: Option<&'static str>,
    /// Why there is no run, if that was not found by looking at all states.
    pub ground: Option<(Ground, Option<Proof>)>,
    /// What rules it out.
    pub reasons: Option<Reasons>,
    /// The question as a formula without a model.
    pub formula: Option<String>,
    /// What it took.
    pub cost: Cost,
}

impl Record {
    /// How a case was decided.
    pub(crate) fn of(case: &Case, decision: &Decision<'_>) -> Self {
        let ground = decision.ground.clone().map(|ground| {
            let proof = match &ground {
                Ground::Argument(argument) => Some(proof::proof(decision, argument, &case.names)),
                Ground::Bounded(_) | Ground::Enough(_) | Ground::Begins(_) => None,
            };
            (ground, proof)
        });
        Record { engine: Some(decision.engine), ground, cost: decision.cost, ..Record::default() }
    }

    /// Without a search or a solver.
    pub(crate) fn by_hand() -> Self {
        Record { engine: Some(explicit::NAME), ..Record::default() }
    }

    /// Adds what is known of another part of the same query.
    pub(crate) fn join(&mut self, other: Record) {
        let is_solver = |engine: &&str| *engine != explicit::NAME;
        self.engine = other.engine.filter(is_solver).or(self.engine).or(other.engine);
        self.reasons = other.reasons.or(self.reasons.take());
        self.formula = other.formula.or(self.formula.take());
        self.cost += other.cost;
        // Something that holds only as far as was looked is not proved by what was proved elsewhere.
        let is_bounded =
            matches!(self.ground, Some((Ground::Bounded(_) | Ground::Enough(_) | Ground::Begins(_), _)));
        if !is_bounded && other.ground.is_some() {
            self.ground = other.ground;
        }
    }

    /// A verdict with the ground it stands on.
    pub(crate) fn settle(self, verdict: Verdict, details: Details) -> (Verdict, Details) {
        let details = Details { reasons: self.reasons, formula: self.formula, cost: self.cost, ..details };
        let Some((ground, proof)) = self.ground else { return (verdict, details) };
        let proved = |attempt: Option<Box<Story>>| {
            Evidence::Inductive(Box::new(Proof { attempt, ..proof.unwrap_or_default() }))
        };
        let verdict = match (verdict, ground) {
            (verdict @ (Verdict::Unknown(_) | Verdict::Holds(Evidence::Run(_))), _) => verdict,
            // Where runs break off, what an engine has proved of the others is not why.
            (verdict @ Verdict::Fails(Evidence::Run(_) | Evidence::Inductive(_)), _) => verdict,
            (Verdict::Holds(_), Ground::Argument(_)) => Verdict::Holds(proved(None)),
            (Verdict::Fails(evidence), Ground::Argument(_)) => Verdict::Fails(proved(attempt(evidence))),
            (Verdict::Holds(_), Ground::Enough(_) | Ground::Begins(_)) => {
                Verdict::Holds(Evidence::Bounded(None))
            }
            (Verdict::Fails(evidence), Ground::Enough(_) | Ground::Begins(_)) => {
                Verdict::Fails(Evidence::Bounded(attempt(evidence)))
            }
            (Verdict::Holds(evidence) | Verdict::Fails(evidence), Ground::Bounded(most)) => {
                let how_far = attempt(evidence).and_then(|story| story.because.first().cloned());
                Verdict::Unknown(Reason::NothingUpTo(most, how_far))
            }
        };
        (verdict, details)
    }
}

/// How far something got.
fn attempt(evidence: Evidence) -> Option<Box<Story>> {
    match evidence {
        Evidence::Attempt(story) => Some(story),
        Evidence::Run(_) | Evidence::Exhaustive | Evidence::Inductive(_) | Evidence::Bounded(_) => None,
    }
}

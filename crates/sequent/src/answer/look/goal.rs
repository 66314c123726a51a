//! Goals: whether objects reach a combination of states and values, and in how few steps.

use std::collections::BTreeSet;

use sequent_engine::distance::{Least, fewest};
use sequent_engine::search::SearchAnswer;
use sequent_kernel::model::{Communication, StateGoal};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::TermId;
use sequent_kernel::verdict::{Details, Evidence, Proof, Reason, Story, Verdict};

use super::{Looker, SceneOutcome};
use crate::ensemble::{Ensemble, excludes_itself};
use crate::pose::About;
use crate::tell::of_ensemble;

impl Looker<'_, '_, '_, '_> {
    /// Whether a goal is reached, and by how many steps.
    pub(super) fn goal(&mut self, goal: &StateGoal, term: TermId) -> Result<SceneOutcome, Reason> {
        let case = &self.scene.case;
        let About::Objects(ensemble) = self.scene.about else { return Err(Reason::NotAskable) };
        let decision = self.search(case);
        let record = self.record(case, &decision);
        let bound = Details { bound: goal.within, ..Details::default() };
        let states = decision.states;
        let is_open = decision.is_truncated || !decision.is_decided();
        let run = match &decision.answer {
            SearchAnswer::Found(run) => match self.open_value(run) {
                Some(open) => return Err(open),
                None => run,
            },
            SearchAnswer::Exhausted | SearchAnswer::Stopped(_)
                if is_open && excludes_itself(ensemble, term) =>
            {
                let verdict = Verdict::Fails(Evidence::Inductive(Box::new(alone())));
                return Ok(SceneOutcome { details: bound, ..SceneOutcome::new(verdict, states, record) });
            }
            SearchAnswer::Exhausted => {
                let unbroken = self.unbroken(ensemble, decision.is_truncated);
                let verdict =
                    unbroken.map_or_else(Verdict::Unknown, |()| Verdict::Fails(Evidence::Exhaustive));
                return Ok(SceneOutcome { details: bound, ..SceneOutcome::new(verdict, states, record) });
            }
            SearchAnswer::Stopped(_) => return Err(decision.obstacle().unwrap_or(Reason::NotAskable)),
        };
        let options = self.effort.options(self.limits);
        let least = fewest(case, &decision, run, self.graph, &options);
        let steps = run.steps.len();
        let (length, run, is_beyond) = match least {
            Least::Known(run, length) => {
                let is_beyond = case.within.is_some_and(|bound| length > bound);
                (Some(length), run, is_beyond)
            }
            Least::Beyond => (None, run.clone(), true),
            Least::Uncounted => (None, run.clone(), false),
        };
        replay(&case.system, &run).map_err(|_| Reason::NotReplayed)?;
        let told = Box::new(reached(ensemble, goal, &run, length));
        let verdict = match (case.within, length) {
            _ if is_beyond => Verdict::Fails(Evidence::Attempt(told)),
            (Some(within), None) if steps > within => Verdict::Unknown(Reason::Uncounted),
            (_, _) => Verdict::Holds(Evidence::Run(told)),
        };
        Ok(SceneOutcome {
            details: Details { length, ..bound },
            ..SceneOutcome::new(verdict, states, record)
        })
    }
}

fn alone() -> Proof {
    let words = "an object is in one state of a region at a time and in those around it, and values lie in their ranges".to_owned();
    Proof { words, ..Proof::default() }
}

/// A run to a goal.
fn reached(ensemble: &Ensemble<'_>, goal: &StateGoal, run: &Run, length: Option<usize>) -> Story {
    let unit = match (ensemble.objects.communication, length) {
        (Communication::Rendezvous, Some(1)) => "transaction",
        (Communication::Rendezvous, _) => "transactions",
        (Communication::Queue | Communication::Bag, Some(1)) => "step",
        (Communication::Queue | Communication::Bag, _) => "steps",
    };
    let text = &goal.goal.text;
    let because = match length {
        Some(length) => format!("{text} after {length} {unit}, and not before"),
        None => format!("{text}; how few steps would do was not counted"),
    };
    of_ensemble(ensemble, None, run, BTreeSet::new(), vec![because])
}

//! Scenarios: whether one is possible, forbidden or required, or happens whenever it is due.

use std::rc::Rc;

use sequent_engine::property::Furthest;
use sequent_engine::search::SearchAnswer;
use sequent_kernel::model::Quantifier;
use sequent_kernel::property::AssertGoal;
use sequent_kernel::property::scenario::{SoughtScenario, Stance};
use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::replay::Run;
use sequent_kernel::verdict::{Details, Evidence, Proof, Reason, Story, Verdict};

use super::{Looker, SceneOutcome};
use crate::ensemble::never_comes;
use crate::pose::{About, Sought, begins, missed_within};
use crate::record::Record;
use crate::tell::scenario::{ScenarioTrail, never_begins};

impl Looker<'_, '_, '_, '_> {
    /// Whether a scenario is possible, forbidden, required.
    pub(super) fn scenario(&mut self, sought: &Sought<'_>) -> Result<SceneOutcome, Reason> {
        let look = match sought.asked.quantifier {
            Quantifier::Possible => self.possible(sought),
            Quantifier::Forbidden => self.forbidden(sought),
            Quantifier::Required => self.required(sought),
            Quantifier::Whenever => self.whenever(sought),
        }?;
        Ok(SceneOutcome { details: Details { bound: sought.asked.within, ..look.details }, ..look })
    }

    fn trail<'r>(&'r self, sought: &'r Sought<'_>, run: &'r Run) -> Result<ScenarioTrail<'r>, Reason> {
        ScenarioTrail::new(self.ensemble()?, sought, run)
    }

    fn possible(&mut self, sought: &Sought<'_>) -> Result<SceneOutcome, Reason> {
        let Sought { about, scenario, .. } = sought;
        let Matched { run, furthest, mut states, is_truncated, record } = self.matched()?;
        if let Some(run) = run {
            if scenario.is_doubtful() {
                return Ok(SceneOutcome::narrow(states, record));
            }
            let (story, length) = self.happening(sought, run, states)?;
            let mut look = SceneOutcome::new(Verdict::Holds(Evidence::Run(Box::new(story))), states, record);
            look.details.length = length;
            return Ok(SceneOutcome { vacuous: idle(scenario).into_iter().collect(), ..look });
        }
        match never_comes(self.ensemble()?, *about, scenario) {
            Some(_) if is_truncated => states = 0,
            Some(_) | None if scenario.is_strained() => return Ok(SceneOutcome::narrow(states, record)),
            Some(_) | None => {
                if let Err(reason) = self.checked(is_truncated) {
                    return Ok(SceneOutcome::new(Verdict::Unknown(reason), 0, record));
                }
            }
        }
        let mut look = SceneOutcome::new(Verdict::Fails(Evidence::Exhaustive), states, record);
        if let Some(furthest) = furthest {
            let (story, failing) = self.trail(sought, &furthest.run)?.stops(&furthest);
            look.verdict = Verdict::Fails(Evidence::Attempt(Box::new(story)));
            look.details.failing_message = failing;
        }
        Ok(look)
    }

    /// The story of a run that has the scenario; where it had to begin soon, of one in which it begins as soon as it can, and how soon that is.
    fn happening(
        &mut self,
        sought: &Sought<'_>,
        run: Run,
        states: usize,
    ) -> Result<(Story, Option<usize>), Reason> {
        let Some(bound) = begins(sought.asked) else {
            return Ok((self.trail(sought, &run)?.happens(None)?, None));
        };
        let (run, least) = match states <= MOST_SOONER {
            true => self.soonest(run, bound),
            false => (run, None),
        };
        let story = self.trail(sought, &run)?.happens(Some(least))?;
        Ok((story, least.map(|least| least as usize)))
    }

    /// The least bound within which a scenario begins that does so within this one, with a run; `None` if that was not found out.
    fn soonest(&mut self, mut run: Run, bound: u32) -> (Run, Option<u32>) {
        let longest = u32::try_from(run.steps.len()).unwrap_or(u32::MAX);
        let (mut low, mut high) = (0, bound.min(longest));
        while low < high {
            let middle = low + (high - low) / 2;
            let case = Case { begins: Some(middle), ..self.scene.case.clone() };
            let Ok(decision) = self.decide(&case) else { return (run, None) };
            match decision.answer {
                SearchAnswer::Found(sooner) => (high, run) = (middle, sooner),
                SearchAnswer::Exhausted if !decision.is_truncated => low = middle + 1,
                SearchAnswer::Exhausted | SearchAnswer::Stopped(_) => return (run, None),
            }
        }
        (run, Some(low))
    }

    fn forbidden(&mut self, sought: &Sought<'_>) -> Result<SceneOutcome, Reason> {
        let Sought { about, scenario, .. } = sought;
        let holds = Verdict::Holds(Evidence::Exhaustive);
        if let Some(strange) = never_comes(self.ensemble()?, *about, scenario) {
            return Ok(SceneOutcome {
                vacuous: [strange].into(),
                ..SceneOutcome::new(holds, 0, Record::by_hand())
            });
        }
        let Matched { run, furthest, states, is_truncated, record } = self.matched()?;
        if let Some(run) = run {
            if scenario.is_doubtful() {
                return Ok(SceneOutcome::narrow(states, record));
            }
            let (story, length) = self.happening(sought, run, states)?;
            let mut look = SceneOutcome::new(Verdict::Fails(Evidence::Run(Box::new(story))), states, record);
            look.details.length = length;
            return Ok(look);
        }
        if scenario.is_strained() {
            return Ok(SceneOutcome::narrow(states, record));
        }
        if let Err(reason) = self.checked(is_truncated) {
            return Ok(SceneOutcome::new(Verdict::Unknown(reason), 0, record));
        }
        let vacuous = furthest.as_ref().and_then(|furthest| never_begins(scenario, furthest));
        Ok(SceneOutcome {
            vacuous: vacuous.into_iter().collect(),
            ..SceneOutcome::new(holds, states, record)
        })
    }

    fn required(&mut self, sought: &Sought<'_>) -> Result<SceneOutcome, Reason> {
        let Sought { asked, scenario, .. } = sought;
        let case = &self.scene.case;
        let never;
        let mut decided = case;
        let mut decision = self.decide(case)?;
        // A run without an end of the scenario may have one that goes on forever; then all runs are looked at for both.
        let goes_on = match &decision.answer {
            SearchAnswer::Found(run) if scenario.is_endless() => self.trail(sought, run)?.goes_on(),
            SearchAnswer::Found(_) | SearchAnswer::Exhausted | SearchAnswer::Stopped(_) => false,
        };
        if goes_on {
            let goal = Goal::Accepted(Watcher::Never(Rc::clone(scenario), missed_within(asked)));
            never = case.instead(goal);
            decided = &never;
            decision = self.decide(&never)?;
        }
        let record = self.record(decided, &decision);
        if let SearchAnswer::Found(run) = &decision.answer {
            // With more room the scenario has more traces, and one of them may be in this run.
            if scenario.is_strained() {
                return Ok(SceneOutcome::narrow(decision.states, record));
            }
            let story = self.trail(sought, run)?.misses()?;
            return Ok(SceneOutcome::new(
                Verdict::Fails(Evidence::Run(Box::new(story))),
                decision.states,
                record,
            ));
        }
        if !decision.is_exact {
            return Err(Reason::EndlessWays);
        }
        if scenario.is_doubtful() {
            return Ok(SceneOutcome::narrow(decision.states, record));
        }
        if let Err(reason) = self.checked(decision.is_truncated) {
            return Ok(SceneOutcome::new(Verdict::Unknown(reason), 0, record));
        }
        let look = SceneOutcome::new(Verdict::Holds(Evidence::Exhaustive), decision.states, record);
        Ok(SceneOutcome { vacuous: idle(scenario).into_iter().collect(), ..look })
    }

    /// Whether the `assert` follows whenever what stands above it has happened.
    fn whenever(&mut self, sought: &Sought<'_>) -> Result<SceneOutcome, Reason> {
        let (case, scenario) = (&self.scene.case, &sought.scenario);
        let decision = self.decide(case)?;
        let mut record = self.record(case, &decision);
        if scenario.is_strained() {
            return Ok(SceneOutcome::narrow(decision.states, record));
        }
        if let SearchAnswer::Found(run) = &decision.answer {
            let story = self.trail(sought, run)?.leaves()?;
            let verdict = Verdict::Fails(Evidence::Run(Box::new(story)));
            return Ok(SceneOutcome::new(verdict, decision.states, record));
        }
        if let Err(reason) = self.checked(decision.is_truncated) {
            return Ok(SceneOutcome::new(Verdict::Unknown(reason), 0, record));
        }
        let due = case.instead(Goal::Accepted(Watcher::Whenever(Rc::clone(scenario), AssertGoal::Trigger)));
        let first = self.attempt(&due)?;
        record.cost += first.cost;
        let idle = "what stands above the `assert` never happens".to_owned();
        let vacuous = (first.answer == SearchAnswer::Exhausted).then_some(idle).into_iter().collect();
        let states = decision.states + first.states;
        Ok(SceneOutcome {
            vacuous,
            ..SceneOutcome::new(Verdict::Holds(Evidence::Exhaustive), states, record)
        })
    }

    /// Whether no run breaks off.
    fn checked(&mut self, is_truncated: bool) -> Result<(), Reason> {
        match self.scene.about {
            About::Objects(ensemble) => self.unbroken(ensemble, is_truncated),
            About::Interaction(..) => Ok(()),
        }
    }

    /// A run that matches the scenario, finite or not.
    fn matched(&mut self) -> Result<Matched, Reason> {
        let case = &self.scene.case;
        let decision = self.decide(case)?;
        let mut matched = Matched {
            record: self.record(case, &decision),
            run: found(decision.answer),
            furthest: decision.furthest,
            states: decision.states,
            is_truncated: decision.is_truncated,
        };
        if matched.run.is_none()
            && let Some(forever) = self.scene.forever()
        {
            let decision = self.decide(&forever)?;
            matched.states += decision.states;
            matched.record.join(self.record(&forever, &decision));
            matched.run = found(decision.answer);
        }
        Ok(matched)
    }
}

/// With more states than this it is not looked for how soon a scenario may begin.
const MOST_SOONER: usize = 100_000;

/// What is known of a scenario that no choice of objects can play.
pub(crate) fn unplayed(quantifier: Quantifier) -> SceneOutcome {
    let why = "there are fewer objects of a class than it draws".to_owned();
    let verdict = match quantifier {
        Quantifier::Possible | Quantifier::Required => {
            Verdict::Fails(Evidence::Inductive(Box::new(Proof { words: why.clone(), ..Proof::default() })))
        }
        Quantifier::Forbidden | Quantifier::Whenever => Verdict::Holds(Evidence::Exhaustive),
    };
    SceneOutcome { vacuous: [why].into(), ..SceneOutcome::new(verdict, 0, Record::by_hand()) }
}

/// What a search for a match came to.
struct Matched {
    run: Option<Run>,
    furthest: Option<Furthest<Stance>>,
    states: usize,
    is_truncated: bool,
    record: Record,
}

fn found(answer: SearchAnswer) -> Option<Run> {
    match answer {
        SearchAnswer::Found(run) => Some(run),
        SearchAnswer::Exhausted | SearchAnswer::Stopped(_) => None,
    }
}

/// Why a scenario happens whatever the objects do: nothing of it has to.
fn idle(scenario: &SoughtScenario) -> Option<String> {
    scenario.may_be_empty().then(|| "nothing needs to happen for it".to_owned())
}

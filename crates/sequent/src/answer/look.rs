//! One query about one System: its case is decided, and the decision is checked and turned into an answer.

mod goal;
mod scenario;

use std::collections::BTreeSet;
use std::rc::Rc;

use sequent_engine::core::core;
use sequent_engine::decision::Decision;
use sequent_engine::explicit;
use sequent_engine::graph::StateGraph;
use sequent_engine::portfolio::SLICES;
use sequent_engine::sat::encode::question::EncodedQuestion;
use sequent_engine::search::{Limits, SearchAnswer};
use sequent_kernel::model::{InteractionId, Scheduling};
use sequent_kernel::property::{AssertGoal, Assertion};
use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::FaultKind;
use sequent_kernel::system::Config;
use sequent_kernel::verdict::{Cost, Details, Evidence, FaultRemedy, Reason, Reasons, Story, Verdict};

use crate::effort::Effort;
use crate::ensemble::Ensemble;
use crate::pose::{About, Premise, Scene, View, WIDEST, premises};
use crate::record::Record;
use crate::survey::interaction::{is_doubtful, stuck_story};
use crate::tell::{diagram, formula, proof, reasons};
pub(crate) use scenario::unplayed;

/// What was found out about a query in one scene.
pub(crate) struct SceneOutcome {
    /// The verdict, with a run or without.
    pub verdict: Verdict,
    /// How many steps the run has.
    pub length: usize,
    /// Why the verdict says nothing, if it does not.
    pub vacuous: BTreeSet<String>,
    /// Whether with a wider window of loops it may be another.
    pub(crate) is_narrow: bool,
    /// How many states were visited.
    pub states: usize,
    /// What else there is to say.
    pub details: Details,
    /// How it was decided.
    pub record: Record,
}

impl SceneOutcome {
    fn new(verdict: Verdict, states: usize, record: Record) -> Self {
        let (vacuous, details) = (BTreeSet::new(), Details::default());
        SceneOutcome { verdict, length: 0, vacuous, is_narrow: false, states, details, record }
    }

    /// That with a wider window of loops the answer may be another.
    fn narrow(states: usize, record: Record) -> Self {
        let verdict = Verdict::Unknown(Reason::TooWide(WIDEST));
        SceneOutcome { is_narrow: true, ..SceneOutcome::new(verdict, states, record) }
    }
}

/// What came of a look at a scene, and what it cost.
pub(crate) struct Looked {
    /// What was found out; or why nothing was.
    pub outcome: Result<SceneOutcome, Reason>,
    /// How many rules were looked at.
    pub spent: usize,
}

/// Decides the case of a scene, and judges what was found. All searches for it together look at no more states than one may.
pub(crate) fn look(scene: &Scene<'_>, graph: &mut StateGraph<'_>, effort: &Effort<'_>) -> Looked {
    let rules = scene.case.system.rules.len();
    let mut looker = Looker { scene, graph, effort, limits: effort.limits_of(rules), states: 0 };
    let found = match &scene.view {
        View::Scenario(sought) => looker.scenario(sought),
        View::Goal(goal, term) => looker.goal(goal, *term),
        View::Formula(..) | View::Negative(..) | View::Assertion(..) | View::Stuck => looker.claim(),
    };
    let spent = looker.states.saturating_mul(rules.max(100));
    let outcome = found.map(|mut outcome| {
        outcome.details.fairness = fairness(scene);
        outcome
    });
    Looked { outcome, spent }
}

/// Which infinite runs count, where the answer may depend on it.
fn fairness(scene: &Scene<'_>) -> Option<Scheduling> {
    match (&scene.about, &scene.case.goal) {
        (About::Objects(ensemble), Goal::Accepted(watcher)) if watcher.is_about_liveness() => {
            Some(ensemble.objects.scheduling)
        }
        (About::Objects(_) | About::Interaction(..), Goal::Stuck | Goal::State(_) | Goal::Accepted(_)) => {
            None
        }
    }
}

/// Whether there is a run at all: what every run does is easily said where there is none.
pub(crate) fn has_a_run(scene: &Scene<'_>, graph: &mut StateGraph<'_>, effort: &Effort<'_>) -> bool {
    let case = scene.case.instead(Goal::Accepted(Watcher::Anything));
    let found = effort.decide(&case, graph, effort.limits_of(case.system.rules.len())).answer;
    found != SearchAnswer::Exhausted
}

struct Looker<'l, 's, 'g, 'a> {
    scene: &'l Scene<'s>,
    graph: &'g mut StateGraph<'a>,
    effort: &'l Effort<'l>,
    /// How far the next search may go.
    limits: Limits,
    /// How many states all searches so far have visited.
    states: usize,
}

impl Looker<'_, '_, '_, '_> {
    /// Decides a case; a run that was found counts only if it depends on nothing that is not known.
    fn decide<'c>(&mut self, case: &'c Case) -> Result<Decision<'c>, Reason> {
        let decision = self.attempt(case)?;
        match &decision.answer {
            SearchAnswer::Found(run) => self.open_value(run).map_or(Ok(decision), Err),
            SearchAnswer::Exhausted | SearchAnswer::Stopped(_) => Ok(decision),
        }
    }

    /// Decides a case, whatever a run depends on.
    fn attempt<'c>(&mut self, case: &'c Case) -> Result<Decision<'c>, Reason> {
        let decision = self.search(case);
        decision.obstacle().map_or(Ok(decision), Err)
    }

    /// Asks the engine about a case. Where a diagram is asked, what it looks at is no more to be looked at for others.
    fn search<'c>(&mut self, case: &'c Case) -> Decision<'c> {
        let decision = self.effort.decide(case, self.graph, self.limits);
        self.states = self.states.saturating_add(decision.states);
        if let About::Interaction(..) = self.scene.about {
            self.limits.states = self.limits.states.saturating_sub(decision.states);
        }
        decision
    }

    /// Why a run that was found is none to rely on: it depends on a value that is not known.
    fn open_value(&self, run: &Run) -> Option<Reason> {
        let About::Objects(ensemble) = &self.scene.about else { return None };
        let open = ensemble.objects.open_use(run)?;
        Some(Reason::OpenValue(open.parameter.clone(), open.message.clone()))
    }

    /// How a case was decided, with what is wanted besides.
    fn record(&self, case: &Case, decision: &Decision<'_>) -> Record {
        let is_refuted = decision.answer == SearchAnswer::Exhausted;
        let wants = self.effort.wants;
        let formula = (wants.formulas && is_refuted).then(|| proof::refuted(decision, &case.names)).flatten();
        let reasons = (wants.reasons && is_refuted).then(|| self.reasons(case, decision)).flatten();
        Record { reasons, formula, ..Record::of(case, decision) }
    }

    /// Which drawn conditions rule out what a case looks for.
    fn reasons(&self, case: &Case, decision: &Decision<'_>) -> Option<Reasons> {
        let About::Objects(ensemble) = self.scene.about else { return None };
        let written;
        let question = match &decision.clauses {
            Some(question) => question,
            None => {
                written = EncodedQuestion::new(case).ok()?;
                &written
            }
        };
        let options = self.effort.options(self.limits);
        let depth =
            decision.furthest.as_ref().map(|furthest| furthest.depth + usize::from(case.begins.is_some()));
        let depth = depth.filter(|_| decision.clauses.is_some());
        let core = core(question, decision.ground.as_ref(), depth, &case.names, &options.patience(SLICES))?;
        Some(reasons::told(ensemble, &core))
    }

    /// Why not all runs are known, where some may break off: the fault in which one does. A solver that cannot tell says that
    /// one may; where the states show that none does this is no error.
    fn unbroken(&mut self, ensemble: &Ensemble<'_>, is_truncated: bool) -> Result<(), Reason> {
        if !is_truncated {
            return Ok(());
        }
        let system = &self.scene.case.system;
        let breaks = self.scene.case.instead(Goal::State(system.strained));
        let Effort { threads, watch, .. } = *self.effort;
        let limits = self.effort.limits_of(system.rules.len());
        let decision = explicit::decide(&breaks, self.graph, &limits, threads, watch);
        let last = match &decision.answer {
            SearchAnswer::Found(run) => replay(system, run).ok().and_then(|configs| configs.last().cloned()),
            SearchAnswer::Exhausted => return Ok(()),
            SearchAnswer::Stopped(_) => return Err(Reason::MayBreakOff),
        };
        let fault = last.as_ref().and_then(|last| ensemble.objects.fault_in(last));
        let remedy = match fault.map(|fault| fault.kind) {
            Some(FaultKind::Full(_)) => FaultRemedy::Queue,
            Some(FaultKind::Range(..)) => FaultRemedy::Range,
            Some(FaultKind::Division | FaultKind::Nobody | FaultKind::NoWay | FaultKind::Contract) | None => {
                FaultRemedy::None
            }
        };
        Err(Reason::BreaksOff(fault.map(|fault| fault.text.clone()), remedy))
    }

    /// A claim about all runs: the case looks for one that violates it.
    fn claim(&mut self) -> Result<SceneOutcome, Reason> {
        let case = &self.scene.case;
        let decision = self.decide(case)?;
        let mut record = self.record(case, &decision);
        let states = decision.states;
        let holds = || Verdict::Holds(Evidence::Exhaustive);
        if let SearchAnswer::Found(run) = &decision.answer {
            let configs = replay(&case.system, run).map_err(|_| Reason::NotReplayed)?;
            if is_doubtful(&case.system, run, &configs) {
                return Ok(SceneOutcome::narrow(states, record));
            }
            let story = self.violated(run, &configs)?;
            let verdict = Verdict::Fails(Evidence::Run(Box::new(story)));
            return Ok(SceneOutcome {
                length: run.steps.len(),
                ..SceneOutcome::new(verdict, states, record)
            });
        }
        let (vacuous, more, cost) = self.idle()?;
        record.cost += cost;
        match self.scene.about {
            About::Interaction(..) => {
                let is_truncated = decision.is_truncated || self.graph.is_strained();
                let is_narrow = is_truncated && self.is_open_to_change() || case.is_truncated();
                Ok(SceneOutcome { vacuous, is_narrow, ..SceneOutcome::new(holds(), states + more, record) })
            }
            About::Objects(ensemble) => {
                let is_truncated = decision.is_truncated || self.graph.is_strained();
                let verdict = match self.unbroken(ensemble, is_truncated) {
                    Ok(()) => holds(),
                    Err(reason) => {
                        record.ground = None;
                        Verdict::Unknown(reason)
                    }
                };
                Ok(SceneOutcome { vacuous, ..SceneOutcome::new(verdict, states + more, record) })
            }
        }
    }

    /// Whether runs that a loop had no room for could make another answer: whether one gets stuck depends on what keeps others
    /// off.
    fn is_open_to_change(&self) -> bool {
        match self.scene.view {
            View::Stuck => !self.scene.case.system.reasons.is_empty(),
            View::Formula(..)
            | View::Negative(..)
            | View::Assertion(..)
            | View::Scenario(..)
            | View::Goal(..) => true,
        }
    }

    /// A run that violates what is claimed.
    fn violated(&self, run: &Run, configs: &[Config]) -> Result<Story, Reason> {
        match &self.scene.view {
            View::Formula(property, bound, _) => formula::violated(self.scene, property, bound, run),
            View::Negative(property, mode, negative) => {
                diagram::forbidden(self.scene, (*property, *mode), negative, run)
            }
            View::Assertion(_, assertion) => diagram::demanded(self.scene, assertion, run),
            View::Stuck => stuck_story(self.scene, run, configs).ok_or(Reason::NotReplayed),
            View::Scenario(..) | View::Goal(..) => Err(Reason::NotAskable),
        }
    }

    /// What a claim that holds waits for and what never comes; how many states were visited to see that, and what else it took.
    fn idle(&mut self) -> Result<(BTreeSet<String>, usize, Cost), Reason> {
        let (mut idle, mut states, mut cost) = (BTreeSet::new(), 0, Cost::default());
        match &self.scene.view {
            View::Formula(..) => {
                for Premise { case, idle: text } in premises(self.scene)? {
                    let decision = self.attempt(&case)?;
                    states += decision.states;
                    cost += decision.cost;
                    if decision.answer == SearchAnswer::Exhausted {
                        idle.insert(text);
                    }
                }
            }
            View::Negative(_, _, negative) => {
                idle.extend(negative.strangers().into_iter().map(|event| format!("`{event}` never happens")));
            }
            View::Assertion(property, _) => {
                let case = self.trigger(*property)?;
                let decision = self.attempt(&case)?;
                states += decision.states;
                cost += decision.cost;
                let name = diagram::name(self.scene, *property);
                let above = format!("what precedes the `assert` of {name} never happens");
                idle.extend((decision.answer == SearchAnswer::Exhausted).then_some(above));
            }
            View::Scenario(..) | View::Goal(..) | View::Stuck => {}
        }
        Ok((idle, states, cost))
    }

    /// Whether an `assert` is ever due.
    fn trigger(&self, property: InteractionId) -> Result<Case, Reason> {
        let About::Interaction(model, _, assumptions) = &self.scene.about else {
            return Err(Reason::NotAskable);
        };
        let system = &self.scene.case.system;
        let trigger = Assertion::new(model, property, system, assumptions, AssertGoal::Trigger)
            .map_err(|unsupported| Reason::NotRun(unsupported.what))?;
        Ok(self.scene.case.instead(Goal::Accepted(Watcher::Assertion(Rc::new(trigger)))))
    }

    fn ensemble(&self) -> Result<&Ensemble<'_>, Reason> {
        match self.scene.about {
            About::Objects(ensemble) => Ok(ensemble),
            About::Interaction(..) => Err(Reason::NotAskable),
        }
    }
}

//! One query about one System: its case is decided, and the decision is checked and turned into an answer.

use std::collections::BTreeSet;
use std::rc::Rc;

use sequent_engine::core::core;
use sequent_engine::decision::Decision;
use sequent_engine::distance::{Least, fewest};
use sequent_engine::explicit;
use sequent_engine::graph::Graph;
use sequent_engine::portfolio::SLICES;
use sequent_engine::property::Furthest;
use sequent_engine::sat::encode::question::Question;
use sequent_engine::search::{Answer, Limits};
use sequent_kernel::model::{Communication, Goal as Reach, InteractionId, Quantifier, Scheduling};
use sequent_kernel::property::scenario::{Scenario, Stance};
use sequent_kernel::property::{Assertion, Quest};
use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::FaultKind;
use sequent_kernel::system::{Config, TermId};
use sequent_kernel::verdict::{Cost, Details, Evidence, Proof, Reason, Reasons, Remedy, Story, Verdict};

use crate::effort::Effort;
use crate::ensemble::{Ensemble, excludes_itself, never_comes};
use crate::pose::{About, Premise, Scene, Sought, View, WIDEST, begins, missed_within, premises};
use crate::record::Record;
use crate::survey::interaction::{is_doubtful, stuck_story};
use crate::tell::scenario::{Trail, never_begins};
use crate::tell::{diagram, formula, of_ensemble, proof, reasons};

/// What was found out about a query in one scene.
pub struct Look {
    /// The verdict, with a run or without.
    pub verdict: Verdict,
    /// How many steps the run has.
    pub length: usize,
    /// Why the verdict says nothing, if it does not.
    pub vacuous: BTreeSet<String>,
    /// Whether with a wider window of loops it may be another.
    pub is_narrow: bool,
    /// How many states were visited.
    pub states: usize,
    /// What else there is to say.
    pub details: Details,
    /// How it was decided.
    pub record: Record,
}

impl Look {
    fn new(verdict: Verdict, states: usize, record: Record) -> Self {
        let (vacuous, details) = (BTreeSet::new(), Details::default());
        Look { verdict, length: 0, vacuous, is_narrow: false, states, details, record }
    }

    /// That with a wider window of loops the answer may be another.
    fn narrow(states: usize, record: Record) -> Self {
        let verdict = Verdict::Unknown(Reason::TooWide(WIDEST));
        Look { is_narrow: true, ..Look::new(verdict, states, record) }
    }
}

/// Decides the case of a scene, and judges what was found.
pub fn look(scene: &Scene<'_>, graph: &mut Graph<'_>, effort: &Effort<'_>) -> Result<Look, Reason> {
    let limits = match scene.about {
        About::Interaction(..) => effort.limits,
        About::Objects(_) => effort.limits_of(scene.case.system.rules.len()),
    };
    let mut looker = Looker { scene, graph, effort, limits };
    let mut look = match &scene.view {
        View::Scenario(sought) => looker.scenario(sought)?,
        View::Goal(goal, term) => looker.goal(goal, *term)?,
        View::Formula(..) | View::Negative(..) | View::Assertion(..) | View::Stuck => looker.claim()?,
    };
    look.details.fairness = fairness(scene);
    Ok(look)
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
pub fn has_run(scene: &Scene<'_>, graph: &mut Graph<'_>, effort: &Effort<'_>) -> bool {
    let case = scene.case.instead(Goal::Accepted(Watcher::Anything));
    let found = effort.decide(&case, graph, effort.limits).answer;
    found != Answer::Exhausted
}

struct Looker<'l, 's, 'g, 'a> {
    scene: &'l Scene<'s>,
    graph: &'g mut Graph<'a>,
    effort: &'l Effort<'l>,
    limits: Limits,
}

impl Looker<'_, '_, '_, '_> {
    /// Decides a case; a run that was found counts only if it depends on nothing that is not known.
    fn decide<'c>(&mut self, case: &'c Case) -> Result<Decision<'c>, Reason> {
        let decision = self.attempt(case)?;
        match &decision.answer {
            Answer::Found(run) => self.open_value(run).map_or(Ok(decision), Err),
            Answer::Exhausted | Answer::Stopped(_) => Ok(decision),
        }
    }

    /// Decides a case, whatever a run depends on.
    fn attempt<'c>(&mut self, case: &'c Case) -> Result<Decision<'c>, Reason> {
        let decision = self.effort.decide(case, self.graph, self.limits);
        decision.obstacle().map_or(Ok(decision), Err)
    }

    /// Why a run that was found is none to rely on: it depends on a value that is not known.
    fn open_value(&self, run: &Run) -> Option<Reason> {
        let About::Objects(ensemble) = &self.scene.about else { return None };
        let open = ensemble.objects.open_use(run)?;
        Some(Reason::OpenValue(open.parameter.clone(), open.message.clone()))
    }

    /// How a case was decided, with what is wanted besides.
    fn record(&self, case: &Case, decision: &Decision<'_>) -> Record {
        let is_refuted = decision.answer == Answer::Exhausted;
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
                written = Question::new(case).ok()?;
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
            Answer::Found(run) => replay(system, run).ok().and_then(|configs| configs.last().cloned()),
            Answer::Exhausted => return Ok(()),
            Answer::Stopped(_) => return Err(Reason::MayBreakOff),
        };
        let fault = last.as_ref().and_then(|last| ensemble.objects.fault_in(last));
        let remedy = match fault.map(|fault| fault.kind) {
            Some(FaultKind::Full(_)) => Remedy::Queue,
            Some(FaultKind::Range(..)) => Remedy::Range,
            Some(FaultKind::Division | FaultKind::Nobody | FaultKind::NoWay | FaultKind::Contract) | None => {
                Remedy::None
            }
        };
        Err(Reason::BreaksOff(fault.map(|fault| fault.text.clone()), remedy))
    }

    /// A claim about all runs: the case looks for one that violates it.
    fn claim(&mut self) -> Result<Look, Reason> {
        let case = &self.scene.case;
        let decision = self.decide(case)?;
        let mut record = self.record(case, &decision);
        let states = decision.states;
        let holds = || Verdict::Holds(Evidence::Exhaustive);
        if let Answer::Found(run) = &decision.answer {
            let configs = replay(&case.system, run).map_err(|_| Reason::NotReplayed)?;
            if is_doubtful(&case.system, run, &configs) {
                return Ok(Look::narrow(states, record));
            }
            let story = self.violated(run, &configs)?;
            let verdict = Verdict::Fails(Evidence::Run(Box::new(story)));
            return Ok(Look { length: run.steps.len(), ..Look::new(verdict, states, record) });
        }
        let (vacuous, more, cost) = self.idle()?;
        record.cost += cost;
        match self.scene.about {
            About::Interaction(..) => {
                let is_truncated = decision.is_truncated || self.graph.is_strained();
                let is_narrow = is_truncated && self.is_open_to_change() || case.is_truncated();
                Ok(Look { vacuous, is_narrow, ..Look::new(holds(), states + more, record) })
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
                Ok(Look { vacuous, ..Look::new(verdict, states + more, record) })
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
                    if decision.answer == Answer::Exhausted {
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
                idle.extend((decision.answer == Answer::Exhausted).then_some(above));
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
        let trigger = Assertion::new(model, property, system, assumptions, Quest::Trigger)
            .map_err(|unsupported| Reason::NotRun(unsupported.what))?;
        Ok(self.scene.case.instead(Goal::Accepted(Watcher::Assertion(Rc::new(trigger)))))
    }

    fn ensemble(&self) -> Result<&Ensemble<'_>, Reason> {
        match self.scene.about {
            About::Objects(ensemble) => Ok(ensemble),
            About::Interaction(..) => Err(Reason::NotAskable),
        }
    }

    /// Whether a scenario is possible, forbidden, required.
    fn scenario(&mut self, sought: &Sought<'_>) -> Result<Look, Reason> {
        let look = match sought.asked.quantifier {
            Quantifier::Possible => self.possible(sought),
            Quantifier::Forbidden => self.forbidden(sought),
            Quantifier::Required => self.required(sought),
            Quantifier::Whenever => self.whenever(sought),
        }?;
        Ok(Look { details: Details { bound: sought.asked.within, ..look.details }, ..look })
    }

    fn trail<'r>(&'r self, sought: &'r Sought<'_>, run: &'r Run) -> Result<Trail<'r>, Reason> {
        Trail::new(self.ensemble()?, sought, run)
    }

    fn possible(&mut self, sought: &Sought<'_>) -> Result<Look, Reason> {
        let Sought { about, scenario, .. } = sought;
        let Matched { run, furthest, mut states, is_truncated, record } = self.matched()?;
        if let Some(run) = run {
            if scenario.is_doubtful() {
                return Ok(Look::narrow(states, record));
            }
            let (story, length) = self.happening(sought, run, states)?;
            let mut look = Look::new(Verdict::Holds(Evidence::Run(Box::new(story))), states, record);
            look.details.length = length;
            return Ok(Look { vacuous: idle(scenario).into_iter().collect(), ..look });
        }
        match never_comes(self.ensemble()?, *about, scenario) {
            Some(_) if is_truncated => states = 0,
            Some(_) | None if scenario.is_strained() => return Ok(Look::narrow(states, record)),
            Some(_) | None => {
                if let Err(reason) = self.checked(is_truncated) {
                    return Ok(Look::new(Verdict::Unknown(reason), 0, record));
                }
            }
        }
        let mut look = Look::new(Verdict::Fails(Evidence::Exhaustive), states, record);
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
                Answer::Found(sooner) => (high, run) = (middle, sooner),
                Answer::Exhausted if !decision.is_truncated => low = middle + 1,
                Answer::Exhausted | Answer::Stopped(_) => return (run, None),
            }
        }
        (run, Some(low))
    }

    fn forbidden(&mut self, sought: &Sought<'_>) -> Result<Look, Reason> {
        let Sought { about, scenario, .. } = sought;
        let holds = Verdict::Holds(Evidence::Exhaustive);
        if let Some(strange) = never_comes(self.ensemble()?, *about, scenario) {
            return Ok(Look { vacuous: [strange].into(), ..Look::new(holds, 0, Record::by_hand()) });
        }
        let Matched { run, furthest, states, is_truncated, record } = self.matched()?;
        if let Some(run) = run {
            if scenario.is_doubtful() {
                return Ok(Look::narrow(states, record));
            }
            let (story, length) = self.happening(sought, run, states)?;
            let mut look = Look::new(Verdict::Fails(Evidence::Run(Box::new(story))), states, record);
            look.details.length = length;
            return Ok(look);
        }
        if scenario.is_strained() {
            return Ok(Look::narrow(states, record));
        }
        if let Err(reason) = self.checked(is_truncated) {
            return Ok(Look::new(Verdict::Unknown(reason), 0, record));
        }
        let vacuous = furthest.as_ref().and_then(|furthest| never_begins(scenario, furthest));
        Ok(Look { vacuous: vacuous.into_iter().collect(), ..Look::new(holds, states, record) })
    }

    fn required(&mut self, sought: &Sought<'_>) -> Result<Look, Reason> {
        let Sought { asked, scenario, .. } = sought;
        let case = &self.scene.case;
        let never;
        let mut decided = case;
        let mut decision = self.decide(case)?;
        // A run without an end of the scenario may have one that goes on forever; then all runs are looked at for both.
        let goes_on = match &decision.answer {
            Answer::Found(run) if scenario.is_endless() => self.trail(sought, run)?.goes_on(),
            Answer::Found(_) | Answer::Exhausted | Answer::Stopped(_) => false,
        };
        if goes_on {
            let goal = Goal::Accepted(Watcher::Never(Rc::clone(scenario), missed_within(asked)));
            never = case.instead(goal);
            decided = &never;
            decision = self.decide(&never)?;
        }
        let record = self.record(decided, &decision);
        if let Answer::Found(run) = &decision.answer {
            // With more room the scenario has more traces, and one of them may be in this run.
            if scenario.is_strained() {
                return Ok(Look::narrow(decision.states, record));
            }
            let story = self.trail(sought, run)?.misses()?;
            return Ok(Look::new(Verdict::Fails(Evidence::Run(Box::new(story))), decision.states, record));
        }
        if !decision.is_exact {
            return Err(Reason::EndlessWays);
        }
        if scenario.is_doubtful() {
            return Ok(Look::narrow(decision.states, record));
        }
        if let Err(reason) = self.checked(decision.is_truncated) {
            return Ok(Look::new(Verdict::Unknown(reason), 0, record));
        }
        let look = Look::new(Verdict::Holds(Evidence::Exhaustive), decision.states, record);
        Ok(Look { vacuous: idle(scenario).into_iter().collect(), ..look })
    }

    /// Whether the `assert` follows whenever what stands above it has happened.
    fn whenever(&mut self, sought: &Sought<'_>) -> Result<Look, Reason> {
        let (case, scenario) = (&self.scene.case, &sought.scenario);
        let decision = self.decide(case)?;
        let mut record = self.record(case, &decision);
        if scenario.is_strained() {
            return Ok(Look::narrow(decision.states, record));
        }
        if let Answer::Found(run) = &decision.answer {
            let story = self.trail(sought, run)?.leaves()?;
            let verdict = Verdict::Fails(Evidence::Run(Box::new(story)));
            return Ok(Look::new(verdict, decision.states, record));
        }
        if let Err(reason) = self.checked(decision.is_truncated) {
            return Ok(Look::new(Verdict::Unknown(reason), 0, record));
        }
        let due = case.instead(Goal::Accepted(Watcher::Whenever(Rc::clone(scenario), Quest::Trigger)));
        let first = self.attempt(&due)?;
        record.cost += first.cost;
        let idle = "what stands above the `assert` never happens".to_owned();
        let vacuous = (first.answer == Answer::Exhausted).then_some(idle).into_iter().collect();
        let states = decision.states + first.states;
        Ok(Look { vacuous, ..Look::new(Verdict::Holds(Evidence::Exhaustive), states, record) })
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

    /// Whether a goal is reached, and by how many steps.
    fn goal(&mut self, goal: &Reach, term: TermId) -> Result<Look, Reason> {
        let case = &self.scene.case;
        let About::Objects(ensemble) = self.scene.about else { return Err(Reason::NotAskable) };
        let decision = self.effort.decide(case, self.graph, self.limits);
        let record = self.record(case, &decision);
        let bound = Details { bound: goal.within, ..Details::default() };
        let states = decision.states;
        let is_open = decision.is_truncated || !decision.is_decided();
        let run = match &decision.answer {
            Answer::Found(run) => match self.open_value(run) {
                Some(open) => return Err(open),
                None => run,
            },
            Answer::Exhausted | Answer::Stopped(_) if is_open && excludes_itself(ensemble, term) => {
                let verdict = Verdict::Fails(Evidence::Inductive(Box::new(alone())));
                return Ok(Look { details: bound, ..Look::new(verdict, states, record) });
            }
            Answer::Exhausted => {
                let unbroken = self.unbroken(ensemble, decision.is_truncated);
                let verdict =
                    unbroken.map_or_else(Verdict::Unknown, |()| Verdict::Fails(Evidence::Exhaustive));
                return Ok(Look { details: bound, ..Look::new(verdict, states, record) });
            }
            Answer::Stopped(_) => return Err(decision.obstacle().unwrap_or(Reason::NotAskable)),
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
        Ok(Look { details: Details { length, ..bound }, ..Look::new(verdict, states, record) })
    }
}

/// With more states than this it is not looked for how soon a scenario may begin.
const MOST_SOONER: usize = 100_000;

/// What is known of a scenario that no choice of objects can play.
pub fn unplayed(quantifier: Quantifier) -> Look {
    let verdict = match quantifier {
        Quantifier::Possible | Quantifier::Required => Verdict::Fails(Evidence::Exhaustive),
        Quantifier::Forbidden | Quantifier::Whenever => Verdict::Holds(Evidence::Exhaustive),
    };
    let vacuous = "there are fewer objects of a class than it draws".to_owned();
    Look { vacuous: [vacuous].into(), ..Look::new(verdict, 0, Record::by_hand()) }
}

/// What a search for a match came to.
struct Matched {
    run: Option<Run>,
    furthest: Option<Furthest<Stance>>,
    states: usize,
    is_truncated: bool,
    record: Record,
}

fn found(answer: Answer) -> Option<Run> {
    match answer {
        Answer::Found(run) => Some(run),
        Answer::Exhausted | Answer::Stopped(_) => None,
    }
}

/// Why a scenario happens whatever the objects do: nothing of it has to.
fn idle(scenario: &Scenario) -> Option<String> {
    scenario.may_be_empty().then(|| "nothing needs to happen for it".to_owned())
}

fn alone() -> Proof {
    let words = "an object is in one state of a region at a time, and in those around it".to_owned();
    Proof { words, ..Proof::default() }
}

/// A run to a goal.
fn reached(ensemble: &Ensemble<'_>, goal: &Reach, run: &Run, length: Option<usize>) -> Story {
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

//! A run and a scenario: where the run matches it, that it does not, or how far it gets; checked again before
//! it is reported.

use std::collections::BTreeSet;

use sequent_engine::property::Furthest;
use sequent_kernel::model::Communication;
use sequent_kernel::property::scenario::{
    Attempt, AttemptStatus, Barrier, FoundObserver, SoughtScenario, Stance,
};
use sequent_kernel::property::{Moment, positions};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::{Config, System, TermId};
use sequent_kernel::verdict::{Reason, Refuted, Story};

use super::patience::patient;
use super::{of_ensemble, waiting};
use crate::ensemble::{Ensemble, never_comes};
use crate::pose::Sought;

/// At most this many events are named in a line.
const MOST_TOLD: usize = 6;

/// A run that was replayed, with its positions.
pub(crate) struct ScenarioTrail<'t> {
    ensemble: &'t Ensemble<'t>,
    sought: &'t Sought<'t>,
    run: &'t Run,
    configs: Vec<Config>,
    /// The positions after the start, each with its step.
    seen: Vec<(usize, Moment)>,
    /// The same with the start, without the steps.
    moments: Vec<Moment>,
}

impl<'t> ScenarioTrail<'t> {
    /// Replays a run.
    pub(crate) fn new(
        ensemble: &'t Ensemble<'t>,
        sought: &'t Sought<'t>,
        run: &'t Run,
    ) -> Result<Self, Reason> {
        let system = &ensemble.objects.system;
        let configs = replay(system, run).map_err(|_| Reason::NotReplayed)?;
        let seen = positions(system, run, &configs, sought.scenario.conditions());
        let moments = [Moment::Start].into_iter().chain(seen.iter().map(|(_, one)| *one)).collect();
        Ok(ScenarioTrail { ensemble, sought, run, configs, seen, moments })
    }

    fn system(&self) -> &System {
        &self.ensemble.objects.system
    }

    fn name(&self) -> &str {
        &self.ensemble.model.interactions[self.sought.about].name
    }

    /// Whether a predicate holds at a position.
    fn holds(&self, position: usize, term: TermId) -> bool {
        let step = position.checked_sub(1).and_then(|before| self.seen.get(before));
        self.system().holds(term, &self.configs[step.map_or(0, |(step, _)| step + 1)])
    }

    fn tell(&self, marked: BTreeSet<usize>, because: Vec<String>) -> Story {
        let because = because.into_iter().chain(self.sought.players.map(str::to_owned)).collect();
        of_ensemble(self.ensemble, Some(self.sought.about), self.run, marked, because)
    }

    /// Whether the scenario goes on forever.
    pub(crate) fn goes_on(&self) -> bool {
        let Some(start) = self.run.cycle else { return false };
        let back = 1 + self.seen.iter().filter(|(step, _)| *step < start).count();
        let mut holds = |position, term| self.holds(position, term);
        back < self.moments.len() && self.sought.scenario.goes_on(&self.moments, back, &mut holds)
    }

    /// That the scenario happens, with what belongs to it. Where it must begin `near` the start, it begins at the last
    /// position from which on it does, and it is told after how many steps it can begin at the earliest, if that is known.
    pub(crate) fn happens(&self, near: Option<Option<u32>>) -> Result<Story, Reason> {
        let name = self.name();
        if self.run.cycle.is_some() {
            return Ok(self.tell(BTreeSet::new(), vec![format!("{name} goes on forever")]));
        }
        let mut holds = |position, term| self.holds(position, term);
        let scenario = &self.sought.scenario;
        let found = match near.is_some() {
            true => scenario.last_witness(&self.moments, &mut holds),
            false => scenario.witness(&self.moments, &mut holds),
        };
        let found = found.ok_or(Reason::Refuted(Refuted::Scenario))?;
        let texts: Vec<&str> = found
            .iter()
            .filter_map(|position| match self.moments[*position] {
                Moment::Event(event) => Some(self.system().events[event].text.as_str()),
                Moment::Start | Moment::Silent | Moment::End | Moment::Stuck => None,
            })
            .collect();
        let marked = found.iter().map(|position| self.seen[*position - 1].0).collect();
        // All of them stand in the drawing.
        let because = match texts.as_slice() {
            [] => format!("{name} happens"),
            [first, .., last] if texts.len() > MOST_TOLD => {
                format!("{name} happens: {} events from {first} to {last}", texts.len())
            }
            all => format!("{name} happens: {}", all.join(", ")),
        };
        let soonest = near.flatten().map(|least| {
            let unit = match (self.ensemble.objects.communication, least) {
                (Communication::Rendezvous, 1) => "transaction",
                (Communication::Rendezvous, _) => "transactions",
                (Communication::Queue | Communication::Bag, 1) => "step",
                (Communication::Queue | Communication::Bag, _) => "steps",
            };
            match least {
                0 => "it can begin at the start".to_owned(),
                _ => format!("it begins after {least} {unit}, and not before"),
            }
        });
        Ok(self.tell(marked, [because].into_iter().chain(soonest).collect()))
    }

    /// That the scenario does not happen; not looked at again where it had to begin soon.
    pub(crate) fn misses(&self) -> Result<Story, Reason> {
        let scenario = &self.sought.scenario;
        let mut holds = |position, term| self.holds(position, term);
        let is_matched = scenario.witness(&self.moments, &mut holds).is_some() || self.goes_on();
        if self.sought.asked.within.is_none() && is_matched {
            return Err(Reason::Refuted(Refuted::Missing));
        }
        let name = self.name();
        let is_over = self.configs.last().is_some_and(|last| self.system().steps(last).is_empty());
        let fault = self.configs.last().and_then(|last| self.ensemble.objects.fault_in(last));
        let mut because = vec![match (self.run.cycle, is_over, fault) {
            (Some(_), _, _) => format!("the run goes on forever without {name}"),
            (None, true, Some(fault)) => {
                format!("the run breaks off before {name}, because of a fault: {}", fault.text)
            }
            (None, true, None) => format!("the run ends without {name}"),
            (None, false, _) => format!("from here on {name} cannot happen any more"),
        }];
        let begins = |position: usize| {
            self.sought
                .asked
                .within
                .is_none_or(|most| position == 0 || self.seen[position - 1].0 < most as usize)
        };
        let mut holds = |position, term| self.holds(position, term);
        let attempt = scenario.furthest(&self.moments, &begins, &mut holds);
        let marked = attempt.iter().flat_map(|attempt| attempt.taken.iter().chain(&attempt.ended));
        let marked = marked.map(|position| self.seen[*position - 1].0).collect();
        because.extend(attempt.iter().map(|attempt| self.broken(scenario, attempt)));
        because.extend(patient(&self.ensemble.objects, self.run, &self.configs));
        Ok(self.tell(marked, because))
    }

    /// That what stands above the `assert` happens, and the `assert` does not follow.
    pub(crate) fn leaves(&self) -> Result<Story, Reason> {
        let scenario = &self.sought.scenario;
        let mut holds = |position, term| self.holds(position, term);
        let attempt = scenario.unmet(&self.moments, &mut holds).ok_or(Reason::Refuted(Refuted::Assertion))?;
        let marked = attempt.taken.iter().chain(&attempt.ended);
        let marked = marked.map(|position| self.seen[*position - 1].0).collect();
        let mut because = vec![self.broken(scenario, &attempt)];
        let fault = self.configs.last().and_then(|last| self.ensemble.objects.fault_in(last));
        match (attempt.ended, self.run.cycle, fault) {
            (Some(_), _, _) => {}
            (None, Some(_), _) => because.push("the run goes on forever".to_owned()),
            (None, None, Some(fault)) => {
                because.push(format!("the run breaks off in a fault: {}", fault.text))
            }
            (None, None, None) => because.push("the run ends there".to_owned()),
        }
        because.extend(patient(&self.ensemble.objects, self.run, &self.configs));
        Ok(self.tell(marked, because))
    }

    /// How far an attempt gets, and what ends it.
    fn broken(&self, scenario: &SoughtScenario, attempt: &Attempt) -> String {
        let name = self.name();
        let what = if scenario.meets() { "message" } else { "event" };
        let so_far = match attempt.taken.len() {
            0 => format!("{name} does not begin"),
            1 => format!("{name} happens up to its first {what}"),
            count => format!("{name} happens up to its {what} {count}"),
        };
        let text = |position: usize| match self.moments[position] {
            Moment::Event(event) => format!("`{}`", self.system().events[event].text),
            Moment::Start | Moment::Silent | Moment::End | Moment::Stuck => {
                "a step that shows nothing".to_owned()
            }
        };
        let before = attempt.ended.map_or(self.configs.len() - 1, |position| self.seen[position - 1].0);
        let missing =
            self.missing(&attempt.expected, &attempt.barriers, attempt.standing, &self.configs[before]);
        let link = if attempt.taken.is_empty() { ":" } else { ", then" };
        let comes = attempt.ended.map_or_else(|| "nothing".to_owned(), text);
        format!("{so_far}{link} {comes} comes where {missing}")
    }

    /// What would have to be for an attempt to go on: one of some events, or conditions that do not hold in a state.
    fn missing(
        &self,
        expected: &[String],
        barriers: &[Barrier],
        standing: AttemptStatus,
        config: &Config,
    ) -> String {
        let mut all: Vec<String> = Vec::new();
        match expected {
            [] => {}
            [only] => all.push(format!("`{only}` must")),
            several => all.push(format!("one of {} must", listed(several))),
        }
        all.extend(barriers.iter().map(|barrier| self.unmet(barrier, config)));
        if all.is_empty() { self.alone(standing) } else { all.join(", and ") }
    }

    /// Why an attempt comes to nothing where it waits for nothing.
    fn alone(&self, standing: AttemptStatus) -> String {
        match standing {
            AttemptStatus::Part => "it cannot go on".to_owned(),
            AttemptStatus::Whole => "it is over, and begins and ends between two steps".to_owned(),
            AttemptStatus::Forbidden => format!("a `neg` of {} forbids what has happened", self.name()),
        }
    }

    /// That a condition does not hold, with the values it looks at.
    fn unmet(&self, barrier: &Barrier, config: &Config) -> String {
        let values = self.ensemble.values(barrier.term, config);
        match values.is_empty() {
            true => format!("`{}` does not hold", barrier.text),
            false => format!("`{}` does not hold ({})", barrier.text, values.join(", ")),
        }
    }

    /// How far the scenario gets along this run, and the first message that cannot happen.
    pub(crate) fn stops(&self, furthest: &Furthest<Stance>) -> (Story, Option<String>) {
        let scenario = &self.sought.scenario;
        let expected = FoundObserver { scenario }.expected(&furthest.memory);
        let failing = expected.first().map(|text| text.trim_start_matches(['!', '?']).to_owned());
        let name = self.name();
        let last = &self.configs[self.configs.len() - 1];
        let barriers = scenario.waits_for(&furthest.memory, &mut |term| self.system().holds(term, last));
        let unmet: Vec<String> = barriers.iter().map(|barrier| self.unmet(barrier, last)).collect();
        let happens = match (furthest.next, expected.as_slice()) {
            (Some(_), _) => None,
            (None, []) => None,
            (None, [only]) => Some(format!("`{only}` cannot happen")),
            (None, several) => Some(format!("none of {} can happen", listed(several))),
        };
        let standing = scenario.stands(&furthest.memory);
        let next = match (furthest.next, happens.into_iter().chain(unmet).collect::<Vec<_>>()) {
            (Some(event), _) => {
                let text = &self.system().events[event].text;
                let missing = self.missing(&expected, &barriers, standing, last);
                format!("`{text}` comes in the same step where {missing}")
            }
            (None, none) if none.is_empty() && standing == AttemptStatus::Forbidden => self.alone(standing),
            (None, none) if none.is_empty() => "a condition does not hold".to_owned(),
            (None, all) => all.join(", and "),
        };
        let what = if scenario.meets() { "message" } else { "event" };
        let mut because = vec![match furthest.depth {
            0 => format!("{name} does not begin: {next}"),
            1 => format!("{name} happens up to its first {what}, then {next}"),
            count => format!("{name} happens up to its {what} {count}, then {next}"),
        }];
        because.extend(never_comes(self.ensemble, self.sought.about, scenario));
        because
            .extend(furthest.next.map_or_else(|| self.instead(scenario, &furthest.memory, last), |_| None));
        because.extend(waiting::lines(self.ensemble, last));
        (self.tell(BTreeSet::new(), because), failing)
    }

    /// What can happen in a state and would end an attempt that has begun.
    fn instead(&self, scenario: &SoughtScenario, stance: &Stance, config: &Config) -> Option<String> {
        let system = self.system();
        if !matches!(stance, Stance::Trying(_)) {
            return None;
        }
        let mut texts: Vec<String> = Vec::new();
        for step in system.steps(config) {
            for event in system.events(&step) {
                let text = &system.events[event].text;
                let is_end = scenario.is_ended_by(stance, event, &mut |term| system.holds(term, config));
                if is_end && !texts.contains(text) {
                    texts.push(text.clone());
                }
            }
        }
        texts.sort();
        match texts.as_slice() {
            [] => None,
            [only] => Some(format!("`{only}` can happen there; it matters, and ends the attempt")),
            [_, ..] if texts.len() > MOST_TOLD => None,
            several => Some(format!(
                "{} can happen there; each of them matters, and ends the attempt",
                listed(several)
            )),
        }
    }
}

fn listed(texts: &[String]) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
}

/// That the first event of a scenario never comes.
pub(crate) fn never_begins(scenario: &SoughtScenario, furthest: &Furthest<Stance>) -> Option<String> {
    let expected = FoundObserver { scenario }.expected(&furthest.memory);
    match (furthest.depth, expected.as_slice()) {
        (0, [only]) => Some(format!("`{only}` never happens where it could begin")),
        (0, [first, ..]) => {
            Some(format!("`{first}` never happens where it could begin, nor does any other first event"))
        }
        (_, _) => None,
    }
}

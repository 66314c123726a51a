//! Steps: the interpreter of a System, as simple as possible.
//!
//! This interpreter is the reference for all engines: it evaluates every term from scratch and tries every
//! combination of rules. It replays runs; searches use faster implementations.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use super::{ComponentId, EventId, Join, LabelId, Rule, RuleId, System, TermId, TraceClass, VariableId};
use crate::id::{Id, IdVec};
use crate::source::Place;

/// One global state: a value for each variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Config(pub Vec<i32>);

/// Rules that fire together: the one that acts, those that take what it offers in the order of its labels, and those that
/// listen in the order of their components.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step(pub Vec<RuleId>);

impl System {
    /// The configuration in which every run begins.
    pub fn initial(&self) -> Config {
        Config(self.variables.iter().map(|variable| variable.initial).collect())
    }

    /// The steps that are possible in a configuration, in the order of their rules.
    pub fn steps(&self, config: &Config) -> Vec<Step> {
        let values = self.terms.values(config);
        let mut steps = self.enabled(&values);
        steps.retain(|step| self.changes(step, |term| values[term]).is_some());
        steps
    }

    /// The same, each with the configuration after it.
    pub fn successors(&self, config: &Config) -> Vec<(Step, Config)> {
        let values = self.terms.values(config);
        let taken = |step: Step| self.taken_with(&step, config, |term| values[term]).map(|next| (step, next));
        self.enabled(&values).into_iter().filter_map(taken).collect()
    }

    /// The steps whose rules are enabled and take all that is offered.
    fn enabled(&self, values: &IdVec<TermId, i32>) -> Vec<Step> {
        let enabled: Vec<RuleId> =
            self.rules.enumerate().filter(|(_, rule)| values[rule.guard] != 0).map(|(id, _)| id).collect();
        self.steps_among(&enabled)
    }

    /// The same for rules whose guards hold, in their order.
    pub(super) fn steps_among(&self, enabled: &[RuleId]) -> Vec<Step> {
        let mut steps = Vec::new();
        for rule in enabled {
            let labels: &[LabelId] = match &self.rules[*rule].join {
                Join::Alone => &[],
                Join::Offer(labels) => labels,
                Join::Take(_) | Join::Listen(_) => continue,
            };
            for together in self.taken(vec![*rule], labels, enabled) {
                steps.extend(self.heard(together, enabled));
            }
        }
        steps
    }

    /// Whether a step is possible in a configuration: all its rules are enabled, each offered label has a
    /// taker, and every listening component takes part. Equivalent to membership in [`steps`](Self::steps).
    pub fn offers(&self, step: &Step, config: &Config) -> bool {
        self.offered(step, config, &self.listening()).is_some()
    }

    /// The rules that listen to something.
    pub(crate) fn listening(&self) -> Vec<RuleId> {
        let listens = |rule: &Rule| matches!(rule.join, Join::Listen(_));
        self.rules.enumerate().filter(|(_, rule)| listens(rule)).map(|(id, _)| id).collect()
    }

    /// What a step changes if it [is possible](Self::offers); `listening` are the rules that listen. Only the terms that the step
    /// depends on are evaluated, as long as they are small.
    pub(crate) fn offered(
        &self,
        step: &Step,
        config: &Config,
        listening: &[RuleId],
    ) -> Option<BTreeMap<VariableId, i32>> {
        let all = LazyCell::new(|| self.terms.values(config));
        let value = |term| self.terms.small_value(term, config).unwrap_or_else(|| all[term]);
        let may_fire = |rule: &RuleId| value(self.rules[*rule].guard) != 0;
        let (actor, others) = step.0.split_first()?;
        let labels: &[LabelId] = match &self.rules[*actor].join {
            Join::Alone => &[],
            Join::Offer(labels) => labels,
            Join::Take(_) | Join::Listen(_) => return None,
        };
        if !step.0.iter().all(may_fire) || others.len() < labels.len() {
            return None;
        }
        let (takers, ears) = others.split_at(labels.len());
        let takes = |(rule, label): (&RuleId, &LabelId)| self.rules[*rule].join == Join::Take(*label);
        let together = &step.0[..=labels.len()];
        let owners: BTreeSet<ComponentId> = together.iter().map(|rule| self.rules[*rule].component).collect();
        if !takers.iter().zip(labels).all(takes) || owners.len() < together.len() {
            return None;
        }
        let shown: Vec<EventId> = self.shown(together).collect();
        let hears =
            |rule: &RuleId| matches!(self.rules[*rule].join, Join::Listen(event) if shown.contains(&event));
        let hearing = listening.iter().copied().filter(|rule| hears(rule) && may_fire(rule));
        let ways = self.heard(together.to_vec(), &hearing.collect::<Vec<RuleId>>());
        let is_heard = ways.iter().any(|way| way.0[together.len()..] == *ears);
        is_heard.then(|| self.changes(step, value)).flatten()
    }

    /// All ways in which the labels are taken by rules of components that do not take part yet.
    fn taken(&self, so_far: Vec<RuleId>, labels: &[LabelId], enabled: &[RuleId]) -> Vec<Vec<RuleId>> {
        let Some((label, rest)) = labels.split_first() else { return vec![so_far] };
        let mut ways = Vec::new();
        for rule in enabled {
            let taker = &self.rules[*rule];
            let is_free = so_far.iter().all(|other| self.rules[*other].component != taker.component);
            if taker.join == Join::Take(*label) && is_free {
                let together = so_far.iter().copied().chain([*rule]).collect();
                ways.extend(self.taken(together, rest, enabled));
            }
        }
        ways
    }

    /// All ways in which observers listen to what a step shows.
    fn heard(&self, together: Vec<RuleId>, enabled: &[RuleId]) -> Vec<Step> {
        let events: Vec<EventId> = self.shown(&together).collect();
        let hears = |rule: &Rule| matches!(rule.join, Join::Listen(event) if events.contains(&event));
        let mut ears: BTreeMap<ComponentId, Vec<RuleId>> = BTreeMap::new();
        for rule in enabled.iter().filter(|rule| hears(&self.rules[**rule])) {
            ears.entry(self.rules[*rule].component).or_default().push(*rule);
        }
        let mut ways = vec![together];
        for ears in ears.values() {
            let with = |way: &Vec<RuleId>, ear: &RuleId| way.iter().copied().chain([*ear]).collect();
            ways = ways.iter().flat_map(|way| ears.iter().map(move |ear| with(way, ear))).collect();
        }
        ways.into_iter().map(Step).collect()
    }

    /// The configuration after a step; `None` if a value would leave its variable's domain, or two rules disagree on one.
    /// Whether the step is possible is not looked at.
    pub fn take(&self, step: &Step, config: &Config) -> Option<Config> {
        let all = LazyCell::new(|| self.terms.values(config));
        self.taken_with(step, config, |term| {
            self.terms.small_value(term, config).unwrap_or_else(|| all[term])
        })
    }

    /// The same with the values of terms.
    pub(super) fn taken_with(
        &self,
        step: &Step,
        config: &Config,
        value: impl Fn(TermId) -> i32,
    ) -> Option<Config> {
        let mut next = config.clone();
        for (variable, value) in self.changes(step, value)? {
            next.0[variable.index()] = value;
        }
        Some(next)
    }

    /// The variables that a step changes, with their new values; `None` if one would leave its domain, or two rules disagree.
    pub(super) fn changes(
        &self,
        step: &Step,
        value: impl Fn(TermId) -> i32,
    ) -> Option<BTreeMap<VariableId, i32>> {
        let mut changes = BTreeMap::new();
        for (variable, term) in step.0.iter().flat_map(|rule| &self.rules[*rule].updates) {
            let domain = &self.variables[*variable];
            let value = value(*term);
            let is_fine = (domain.min..=domain.max).contains(&value);
            if !is_fine || changes.insert(*variable, value).is_some_and(|other| other != value) {
                return None;
            }
        }
        Some(changes)
    }

    /// Whether a predicate holds in a configuration.
    pub fn holds(&self, term: TermId, config: &Config) -> bool {
        self.terms.value(term, config) != 0
    }

    /// What a run that ends in a configuration is worth; `None` if it is not complete there.
    pub fn class(&self, config: &Config) -> Option<TraceClass> {
        self.class_with(&self.terms.values(config))
    }

    /// The same with the values of terms.
    pub(super) fn class_with(&self, values: &IdVec<TermId, i32>) -> Option<TraceClass> {
        let is = |term: TermId| values[term] != 0;
        match is(self.complete) && !is(self.void) {
            false => None,
            true if is(self.invalid) => Some(TraceClass::Invalid),
            true if is(self.inconclusive) => Some(TraceClass::Inconclusive),
            true => Some(TraceClass::Valid),
        }
    }

    /// What a step shows.
    pub fn events<'a>(&'a self, step: &'a Step) -> impl Iterator<Item = EventId> + 'a {
        self.shown(&step.0)
    }

    /// What rules show that fire together, the one that acts first: what each shows by itself, and what is seen of their
    /// meeting, in the order of the labels.
    pub fn shown<'a>(&'a self, together: &'a [RuleId]) -> impl Iterator<Item = EventId> + 'a {
        self.shown_by(together).map(|(_, event)| event)
    }

    /// The same, each with the rule that shows it, or that takes part in the meeting.
    pub fn shown_by<'a>(&'a self, together: &'a [RuleId]) -> impl Iterator<Item = (RuleId, EventId)> + 'a {
        let meeting = |rule: &RuleId| {
            let Join::Take(label) = self.rules[*rule].join else { return None };
            let ends = [together[0], *rule].map(|rule| self.rules[rule].component);
            self.meetings.get(&(label, ends[0], ends[1])).copied()
        };
        together.iter().flat_map(move |rule| {
            let events = [self.rules[*rule].event, meeting(rule)];
            events.into_iter().flatten().map(|event| (*rule, event))
        })
    }

    /// Where the rules of a step come from.
    pub fn places(&self, step: &Step) -> Vec<Place> {
        step.0.iter().map(|rule| self.rules[*rule].place).collect()
    }

    /// The component that acts in a step.
    pub fn actor(&self, step: &Step) -> ComponentId {
        self.rules[step.0[0]].component
    }
}

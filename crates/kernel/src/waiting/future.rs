//! The future of a configuration, guessed quickly: which rules may still fire, and which of them never will.
//!
//! Each variable is given the set of values it may still have, and terms are evaluated over such sets. Two fixed points
//! bound the truth. From above: a rule is *live* unless a condition of its guard can no longer become true, whatever the
//! other live rules do; what a choice has excluded is not live, but rules that wait for each other in a circle are. From
//! below: a rule is *reachable* if values that can be produced one after the other enable it; circles are not. What is
//! live and not reachable is stuck: it still belongs to the run and will never happen.
//!
//! Steps that reset variables to their first values for reuse are ignored; what may happen after a reset does
//! not explain who waits now.

use std::collections::{BTreeMap, BTreeSet};

use crate::id::IdVec;
use crate::system::{ArithmeticOperation, Config, Join, RuleId, System, TermId, TermNode, VariableId};

/// The values that a variable may still have.
type VariableDomains = IdVec<VariableId, BTreeSet<i32>>;

/// Least and greatest value that a term may still have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct TermRange {
    min: i32,
    max: i32,
}

impl TermRange {
    fn truth(may_be_false: bool, may_be_true: bool) -> Self {
        TermRange { min: i32::from(!may_be_false), max: i32::from(may_be_true) }
    }

    /// Whether it may be true, or false.
    pub(crate) fn may_be(self, value: bool) -> bool {
        match value {
            true => (self.min, self.max) != (0, 0),
            false => self.min <= 0 && 0 <= self.max,
        }
    }
}

/// What may still happen after a configuration.
pub(super) struct Future {
    /// Rules that are not permanently excluded.
    pub live: BTreeSet<RuleId>,
    /// Live rules that will never be enabled.
    pub stuck: BTreeSet<RuleId>,
    /// Values that terms may still have, as far as live rules go.
    pub ranges: IdVec<TermId, TermRange>,
}

/// Looks ahead; `conditions` are those of each rule that must become true, the same that excluded rules fail.
pub(super) fn look(system: &System, config: &Config, conditions: &BTreeMap<RuleId, Vec<TermId>>) -> Future {
    let (live, ranges) = live(system, config, conditions);
    let reachable = reachable(system, config, &live);
    let stuck = live.difference(&reachable).copied().collect();
    Future { live, stuck, ranges }
}

/// The greatest set of rules whose conditions the set itself may make true.
fn live(
    system: &System,
    config: &Config,
    conditions: &BTreeMap<RuleId, Vec<TermId>>,
) -> (BTreeSet<RuleId>, IdVec<TermId, TermRange>) {
    let is_actor = |rule: &RuleId| !matches!(system.rules[*rule].join, Join::Listen(_));
    let mut live: BTreeSet<RuleId> = system.rules.ids().filter(is_actor).collect();
    loop {
        let mut domains = present(config);
        live.iter().for_each(|rule| produce(system, *rule, &mut domains));
        let ranges = ranges(system, &domains);
        let before = live.len();
        let possible = |rule: &RuleId| conditions[rule].iter().all(|term| ranges[*term].may_be(true));
        live.retain(possible);
        if live.len() == before {
            return (live, ranges);
        }
    }
}

/// The least set of rules that are enabled by values produced before.
fn reachable(system: &System, config: &Config, live: &BTreeSet<RuleId>) -> BTreeSet<RuleId> {
    let mut growing = GrowingRanges::new(system, present(config));
    let mut guarded: BTreeMap<TermId, Vec<RuleId>> = BTreeMap::new();
    live.iter().for_each(|rule| guarded.entry(system.rules[*rule].guard).or_default().push(*rule));
    let mut open: Vec<RuleId> = guarded
        .iter()
        .filter(|(guard, _)| growing.ranges[**guard].may_be(true))
        .flat_map(|(_, rules)| rules.iter().copied())
        .collect();
    let mut reachable = BTreeSet::new();
    while let Some(rule) = open.pop() {
        if reachable.insert(rule) {
            let grown = growing.produce(rule).into_iter().filter(|term| growing.ranges[*term].may_be(true));
            open.extend(grown.filter_map(|term| guarded.get(&term)).flatten());
        }
    }
    reachable
}

/// Values that variables and terms may have, which only become more: what does not depend on a change is not looked at again.
struct GrowingRanges<'a> {
    system: &'a System,
    domains: VariableDomains,
    ranges: IdVec<TermId, TermRange>,
    /// The terms of which each term is a part.
    users: IdVec<TermId, Vec<TermId>>,
    /// The terms that are a variable.
    readers: BTreeMap<VariableId, Vec<TermId>>,
}

impl<'a> GrowingRanges<'a> {
    fn new(system: &'a System, domains: VariableDomains) -> Self {
        let mut users: IdVec<TermId, Vec<TermId>> = system.terms.ids().map(|_| Vec::new()).collect();
        let mut readers: BTreeMap<VariableId, Vec<TermId>> = BTreeMap::new();
        for term in system.terms.ids() {
            system.terms.parts(term).into_iter().for_each(|part| users[part].push(term));
            if let TermNode::Variable(variable) = system.terms.node(term) {
                readers.entry(*variable).or_default().push(term);
            }
        }
        let ranges = ranges(system, &domains);
        GrowingRanges { system, domains, ranges, users, readers }
    }

    /// Adds the values that a rule produces; the terms whose range grows.
    fn produce(&mut self, rule: RuleId) -> Vec<TermId> {
        let changed = self.system.rules[rule].updates.iter().map(|(variable, _)| *variable);
        let before: Vec<(VariableId, usize)> =
            changed.map(|variable| (variable, self.domains[variable].len())).collect();
        produce(self.system, rule, &mut self.domains);
        // Parts come before what they are parts of. A comparison depends on all values of a variable.
        let mut open: BTreeSet<TermId> = BTreeSet::new();
        for (variable, _) in before.into_iter().filter(|(id, count)| self.domains[*id].len() > *count) {
            let readers = self.readers.get(&variable).into_iter().flatten();
            open.extend(readers.flat_map(|term| self.users[*term].iter().chain([term])));
        }
        let mut grown = Vec::new();
        while let Some(term) = open.pop_first() {
            let range = range(self.system, term, &self.domains, &self.ranges);
            if range != self.ranges[term] {
                self.ranges[term] = range;
                open.extend(&self.users[term]);
                grown.push(term);
            }
        }
        grown
    }
}

fn present(config: &Config) -> VariableDomains {
    config.0.iter().map(|value| BTreeSet::from([*value])).collect()
}

/// Adds the values that a rule gives to variables; of computed ones nothing is known, and what is forgotten is no news.
fn produce(system: &System, rule: RuleId, domains: &mut VariableDomains) {
    for (variable, term) in &system.rules[rule].updates {
        let domain = &system.variables[*variable];
        match system.terms.node(*term) {
            TermNode::Constant(value) if system.rules[rule].urgent && *value == domain.initial => {}
            TermNode::Constant(value) => {
                domains[*variable].insert(*value);
            }
            _ if system.rules[rule].urgent => {}
            _ => domains[*variable].extend(domain.min..=domain.max),
        }
    }
}

fn ranges(system: &System, domains: &VariableDomains) -> IdVec<TermId, TermRange> {
    let mut ranges: IdVec<TermId, TermRange> = IdVec::new();
    for term in system.terms.ids() {
        ranges.push(range(system, term, domains, &ranges));
    }
    ranges
}

fn range(
    system: &System,
    term: TermId,
    domains: &VariableDomains,
    ranges: &IdVec<TermId, TermRange>,
) -> TermRange {
    let may = |part: &TermId, value| ranges[*part].may_be(value);
    match system.terms.node(term) {
        TermNode::Constant(value) => TermRange { min: *value, max: *value },
        TermNode::Variable(variable) => {
            let domain = &domains[*variable];
            let [min, max] = [domain.first(), domain.last()].map(|value| value.copied().unwrap_or(0));
            TermRange { min, max }
        }
        TermNode::Not(part) => TermRange::truth(may(part, true), may(part, false)),
        TermNode::And(parts) => TermRange::truth(
            parts.iter().any(|part| may(part, false)),
            parts.iter().all(|part| may(part, true)),
        ),
        TermNode::Or(parts) => TermRange::truth(
            parts.iter().all(|part| may(part, false)),
            parts.iter().any(|part| may(part, true)),
        ),
        TermNode::Equal(a, b) => {
            let [left, right] = [ranges[*a], ranges[*b]];
            let overlap = match value_of(system, *a, *b) {
                Some((variable, value)) => domains[variable].contains(&value),
                None => left.min <= right.max && right.min <= left.max,
            };
            let is_certain = left.min == left.max && right.min == right.max && left.min == right.min;
            TermRange::truth(!is_certain, overlap)
        }
        TermNode::Less(a, b) => {
            let [left, right] = [ranges[*a], ranges[*b]];
            TermRange::truth(left.max >= right.min, left.min < right.max)
        }
        TermNode::Number(ArithmeticOperation::Plus, a, b) => {
            let [left, right] = [ranges[*a], ranges[*b]];
            TermRange { min: left.min.saturating_add(right.min), max: left.max.saturating_add(right.max) }
        }
        TermNode::Number(
            ArithmeticOperation::Minus
            | ArithmeticOperation::Times
            | ArithmeticOperation::Divide
            | ArithmeticOperation::Modulo,
            ..,
        ) => TermRange { min: i32::MIN, max: i32::MAX },
        TermNode::If(condition, yes, no) => {
            let [yes, no] = [ranges[*yes], ranges[*no]];
            match (may(condition, true), may(condition, false)) {
                (true, false) => yes,
                (false, _) => no,
                (true, true) => TermRange { min: yes.min.min(no.min), max: yes.max.max(no.max) },
            }
        }
    }
}

/// The variable and the constant that are compared, if that is what two terms are.
pub(super) fn value_of(system: &System, a: TermId, b: TermId) -> Option<(VariableId, i32)> {
    match (system.terms.node(a), system.terms.node(b)) {
        (TermNode::Variable(variable), TermNode::Constant(value))
        | (TermNode::Constant(value), TermNode::Variable(variable)) => Some((*variable, *value)),
        _ => None,
    }
}

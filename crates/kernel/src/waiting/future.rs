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
#[derive(Clone, Copy)]
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
    let mut domains = present(config);
    let mut reachable = BTreeSet::new();
    loop {
        let ranges = ranges(system, &domains);
        let is_new =
            |rule: &&RuleId| !reachable.contains(*rule) && ranges[system.rules[**rule].guard].may_be(true);
        let new: Vec<RuleId> = live.iter().filter(is_new).copied().collect();
        if new.is_empty() {
            return reachable;
        }
        new.iter().for_each(|rule| produce(system, *rule, &mut domains));
        reachable.extend(new);
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

//! Needs: what must happen before a rule may fire, read off its guard.
//!
//! A guard is a conjunction. Each conjunct that is false now names, through the variables in it, the rules that could make
//! it true; a rule waits for those. Conjuncts for which the System gives a reason ([`System::reasons`]) are kept apart: a
//! rule that is held up only by them has been reached on its lifeline.

use std::collections::{BTreeMap, BTreeSet};

use super::future::{Future, look, value_of};
use crate::id::IdVec;
use crate::system::{ComponentId, Config, Join, LabelId, Rule, RuleId, System, TermId, TermNode, VariableId};

/// What each rule that may still fire waits for.
pub(super) struct RuleNeeds<'a> {
    pub system: &'a System,
    pub future: Future,
    /// Rules that take part in a step that is possible now.
    pub enabled: BTreeSet<RuleId>,
    /// For each live rule: rules that must come first because of the drawn order.
    pub order: BTreeMap<RuleId, BTreeSet<RuleId>>,
    /// For each live rule: false conditions that have a reason, and the rules that could make them true.
    pub reasons: BTreeMap<RuleId, Vec<(usize, BTreeSet<RuleId>)>>,
    values: IdVec<TermId, i32>,
    /// For each variable: the live rules that change it, with the new value if it is constant. Rules that
    /// only reset variables are left out: no rule waits for them.
    makers: BTreeMap<VariableId, Vec<(RuleId, Option<i32>)>>,
}

impl<'a> RuleNeeds<'a> {
    pub(crate) fn of(system: &'a System, config: &Config) -> Self {
        let reasons: BTreeMap<TermId, usize> =
            system.reasons.iter().enumerate().map(|(index, reason)| (reason.condition, index)).collect();
        let (mut plain, mut special) = (BTreeMap::new(), BTreeMap::new());
        for (id, rule) in system.rules.enumerate() {
            let (with, without) = conjuncts(system, rule.guard, &reasons);
            plain.insert(id, without);
            special.insert(id, with);
        }
        let future = look(system, config, &plain);
        let enabled = system.steps(config).into_iter().flat_map(|step| step.0).collect();
        let makers = makers(system, &future.live);
        let values = system.terms.values(config);
        let (order, told) = (BTreeMap::new(), BTreeMap::new());
        let mut needs = RuleNeeds { system, future, enabled, order, reasons: told, values, makers };
        for rule in needs.future.live.clone() {
            let mut order = needs.partners(rule);
            plain[&rule].iter().for_each(|term| order.extend(needs.helpers(*term)));
            let held = |term: &&TermId| needs.values[**term] == 0;
            let told = special[&rule].iter().filter(held);
            let told = told.map(|term| (reasons[term], needs.helpers(*term))).collect();
            needs.reasons.insert(rule, told);
            needs.order.insert(rule, order);
        }
        needs
    }

    /// All rules that a rule waits for.
    pub(crate) fn all(&self, rule: RuleId) -> BTreeSet<RuleId> {
        let order = self.order.get(&rule).into_iter().flatten();
        let told = self.reasons.get(&rule).into_iter().flatten().flat_map(|(_, helpers)| helpers);
        order.chain(told).copied().collect()
    }

    /// Live rules that could help to make a term true.
    fn helpers(&self, term: TermId) -> BTreeSet<RuleId> {
        let mut helpers = BTreeSet::new();
        self.wish(term, true, &mut BTreeSet::new(), &mut helpers);
        helpers
    }

    fn wish(
        &self,
        term: TermId,
        wanted: bool,
        seen: &mut BTreeSet<(TermId, bool)>,
        helpers: &mut BTreeSet<RuleId>,
    ) {
        let is_so = (self.values[term] != 0) == wanted;
        if is_so || !self.future.ranges[term].may_be(wanted) || !seen.insert((term, wanted)) {
            return;
        }
        match self.system.terms.node(term) {
            TermNode::Constant(_) => {}
            TermNode::Variable(variable) => {
                helpers.extend(self.makers_of(*variable, |value| (value != 0) == wanted));
            }
            TermNode::Not(part) => self.wish(*part, !wanted, seen, helpers),
            TermNode::And(parts) | TermNode::Or(parts) => {
                parts.iter().for_each(|part| self.wish(*part, wanted, seen, helpers));
            }
            TermNode::Equal(a, b) => match value_of(self.system, *a, *b) {
                Some((variable, known)) => {
                    helpers.extend(self.makers_of(variable, |value| (value == known) == wanted));
                }
                None => self.touching(term, &mut BTreeSet::new(), helpers),
            },
            TermNode::Less(..) | TermNode::Number(..) | TermNode::If(..) => {
                self.touching(term, &mut BTreeSet::new(), helpers);
            }
        }
    }

    /// Rules that give a variable a value of this kind.
    fn makers_of(&self, variable: VariableId, fits: impl Fn(i32) -> bool) -> impl Iterator<Item = RuleId> {
        let all = self.makers.get(&variable).into_iter().flatten();
        all.filter(move |(_, value)| value.is_none_or(&fits)).map(|(rule, _)| *rule)
    }

    /// Rules that change any variable of a term.
    fn touching(&self, term: TermId, seen: &mut BTreeSet<TermId>, helpers: &mut BTreeSet<RuleId>) {
        if !seen.insert(term) {
            return;
        }
        if let TermNode::Variable(variable) = self.system.terms.node(term) {
            helpers.extend(self.makers_of(*variable, |_| true));
        }
        self.system.terms.parts(term).into_iter().for_each(|part| self.touching(part, seen, helpers));
    }

    /// Rules of other components without which a rule does not fire although its guard is true.
    fn partners(&self, rule: RuleId) -> BTreeSet<RuleId> {
        let own = &self.system.rules[rule];
        let takes = |label: LabelId| move |join: &Join| *join == Join::Take(label);
        let offers =
            |label: LabelId| move |join: &Join| matches!(join, Join::Offer(all) if all.contains(&label));
        match &own.join {
            Join::Alone | Join::Listen(_) => BTreeSet::new(),
            Join::Offer(labels) => labels.iter().flat_map(|label| self.others(rule, takes(*label))).collect(),
            Join::Take(label) => self.others(rule, offers(*label)),
        }
    }

    /// Live rules of other components that join in this way; none if one of them is ready.
    fn others(&self, rule: RuleId, joins: impl Fn(&Join) -> bool) -> BTreeSet<RuleId> {
        let rules = &self.system.rules;
        let fits = |other: &&RuleId| {
            rules[**other].component != rules[rule].component && joins(&rules[**other].join)
        };
        let all: BTreeSet<RuleId> = self.future.live.iter().filter(fits).copied().collect();
        let is_ready = all.iter().any(|other| self.values[rules[*other].guard] != 0);
        if is_ready { BTreeSet::new() } else { all }
    }
}

/// The conjuncts of a guard: those with a reason, and the others.
fn conjuncts(
    system: &System,
    guard: TermId,
    reasons: &BTreeMap<TermId, usize>,
) -> (Vec<TermId>, Vec<TermId>) {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    let mut open = vec![guard];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match system.terms.node(term) {
            _ if reasons.contains_key(&term) => with.push(term),
            TermNode::And(parts) => open.extend(parts),
            TermNode::Constant(_)
            | TermNode::Variable(_)
            | TermNode::Not(_)
            | TermNode::Or(_)
            | TermNode::Equal(..)
            | TermNode::Less(..)
            | TermNode::Number(..)
            | TermNode::If(..) => without.push(term),
        }
    }
    with.sort();
    without.sort();
    (with, without)
}

fn makers(system: &System, live: &BTreeSet<RuleId>) -> BTreeMap<VariableId, Vec<(RuleId, Option<i32>)>> {
    let mut makers: BTreeMap<VariableId, Vec<(RuleId, Option<i32>)>> = BTreeMap::new();
    let mut owned: BTreeMap<ComponentId, usize> = BTreeMap::new();
    system.rules.iter().for_each(|rule| *owned.entry(rule.component).or_default() += 1);
    let is_helpful = |rule: &&RuleId| {
        let rule = &system.rules[**rule];
        owned[&rule.component] > 1 || !tidies_up(system, rule)
    };
    for rule in live.iter().filter(is_helpful) {
        for (variable, term) in &system.rules[*rule].updates {
            let value = match system.terms.node(*term) {
                TermNode::Constant(value) => Some(*value),
                _ => None,
            };
            makers.entry(*variable).or_default().push((*rule, value));
        }
    }
    makers
}

/// Whether a rule decides nothing and takes variables back to their first values, because something is over.
fn tidies_up(system: &System, rule: &Rule) -> bool {
    let is_forgotten = |(variable, term): &(VariableId, TermId)| match system.terms.node(*term) {
        TermNode::Constant(value) => *value == system.variables[*variable].initial,
        _ => true,
    };
    rule.urgent && rule.updates.iter().any(is_forgotten)
}

//! What rules that fire together ask for, and what they do: conditions, and assignments in an order in which nothing is read after
//! it was overwritten.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{RuleId, System, TermId, TermNode, VariableId};

use super::channels::{QueueOperation, compared, conjuncts, deed};
use super::terms::{PromelaTermWriter, read};

/// Writes what rules do.
#[derive(Clone, Copy)]
pub(crate) struct Deeds<'m> {
    pub writer: &'m PromelaTermWriter<'m>,
}

impl<'m> Deeds<'m> {
    fn system(&self) -> &'m System {
        self.writer.system
    }

    /// When rules may fire together: conditions that must all hold.
    pub(crate) fn guard(&self, rules: &[RuleId]) -> Vec<String> {
        let (system, writer) = (self.system(), self.writer);
        let mut parts: Vec<String> = Vec::new();
        for rule in rules {
            if *system.terms.node(system.rules[*rule].guard) != TermNode::Constant(1) {
                let text = writer.term(system.rules[*rule].guard).to_owned();
                parts.extend((!parts.contains(&text)).then_some(text));
            }
        }
        parts.extend(self.in_range(rules));
        parts
    }

    /// Conditions that new values lie in their domains, and that rules agree on the value of a variable.
    pub(crate) fn in_range(&self, rules: &[RuleId]) -> Vec<String> {
        let (system, writer) = (self.system(), self.writer);
        let mut parts: Vec<String> = Vec::new();
        let mut written: BTreeMap<VariableId, TermId> = BTreeMap::new();
        for (variable, term) in self.changes(rules) {
            let domain = &system.variables[variable];
            let (low, high) = writer.range(term);
            let text = writer.term(term);
            if low < i64::from(domain.min) {
                parts.push(format!("{text} >= {}", domain.min));
            }
            if high > i64::from(domain.max) {
                parts.push(format!("{text} <= {}", domain.max));
            }
            match written.insert(variable, term) {
                Some(other) if other != term => parts.push(format!("{} == {text}", writer.term(other))),
                Some(_) | None => {}
            }
        }
        parts
    }

    /// The updates of variables, those that are places in a channel left out.
    fn changes(&self, rules: &[RuleId]) -> Vec<(VariableId, TermId)> {
        let all = rules.iter().flat_map(|rule| &self.system().rules[*rule].updates);
        all.copied().filter(|(variable, _)| !self.writer.layout.places.contains_key(variable)).collect()
    }

    /// What rules do. `widest` is how many values had to be kept at most.
    pub(crate) fn updates(&self, rules: &[RuleId], widest: &mut usize) -> Vec<String> {
        let system = self.system();
        let is_change = |(variable, term): &(VariableId, TermId)| {
            *system.terms.node(*term) != TermNode::Variable(*variable)
        };
        let unique: BTreeMap<VariableId, TermId> =
            self.changes(rules).into_iter().filter(is_change).collect();
        let mut left: Vec<(VariableId, TermId, BTreeSet<VariableId>)> =
            unique.into_iter().map(|(variable, term)| (variable, term, read(system, term))).collect();
        let (mut lines, mut late) = (Vec::new(), Vec::new());
        while !left.is_empty() {
            let is_free = |at: &usize| {
                let variable = left[*at].0;
                left.iter().enumerate().all(|(other, (_, _, read))| other == *at || !read.contains(&variable))
            };
            match (0..left.len()).find(is_free) {
                Some(at) => {
                    let (variable, term, _) = left.remove(at);
                    lines.push(format!(
                        "{} = {}",
                        self.writer.layout.variables[variable],
                        self.value(variable, term)
                    ));
                }
                None => {
                    let (variable, term, _) = left.remove(0);
                    let new = format!("new_{}", late.len());
                    lines.push(format!("{new} = {}", self.value(variable, term)));
                    late.push(format!("{} = {new}; {new} = 0", self.writer.layout.variables[variable]));
                }
            }
        }
        *widest = (*widest).max(late.len());
        lines.extend(late);
        lines.extend(self.messages(rules));
        lines
    }

    /// The channels that a rule looks at or changes: their names and places.
    pub(crate) fn channels(&self, rule: RuleId) -> Vec<&'m (String, Vec<VariableId>)> {
        let (system, layout) = (self.system(), self.writer.layout);
        let rule = &system.rules[rule];
        let asked = conjuncts(system, rule.guard);
        let asked = asked.iter().filter_map(|condition| compared(system, *condition));
        let all = asked.chain(rule.updates.iter().map(|(variable, _)| *variable));
        let numbers: BTreeSet<usize> =
            all.filter_map(|variable| layout.places.get(&variable)).map(|(channel, _)| *channel).collect();
        numbers.into_iter().map(|number| &layout.channels[number]).collect()
    }

    /// What rules put into channels and take out of them.
    fn messages(&self, rules: &[RuleId]) -> Vec<String> {
        let layout = self.writer.layout;
        let mut lines = Vec::new();
        for rule in rules {
            for (name, places) in self.channels(*rule) {
                match deed(self.system(), places, *rule) {
                    Some(QueueOperation::Take(Some(code))) => {
                        lines.push(format!("{name}?{}", layout.value(places[0], code)));
                    }
                    Some(QueueOperation::Take(None)) => lines.push(format!("{name}?_")),
                    Some(QueueOperation::Put(_, code)) => {
                        lines.push(format!("{name}!{}", layout.value(places[0], code)));
                    }
                    None => {}
                }
            }
        }
        lines
    }

    /// A value that is given to a variable, by its name if it has one.
    fn value(&self, variable: VariableId, term: TermId) -> String {
        let named = self.system().terms.as_constant(term);
        let named = named.and_then(|value| self.writer.layout.values.get(&(variable, value)));
        named.cloned().unwrap_or_else(|| self.writer.term(term).to_owned())
    }
}

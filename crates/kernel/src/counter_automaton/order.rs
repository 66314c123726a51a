//! The partial order of occurrences of an interaction without choices.
//!
//! Computed from the lowered System, so that the meaning of diagrams is defined once: every rule is an
//! occurrence that happens once, after some others.

use std::collections::BTreeMap;

use crate::id::Id;
use crate::system::{EventKind, Join, Rule, System, TermId, TermNode, VariableId};

/// Occurrences, each after some others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OccurrenceOrder {
    /// The lifelines that do something.
    pub lines: Vec<String>,
    /// The occurrences.
    pub occurrences: Vec<OrderedOccurrence>,
}

/// One thing that happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OrderedOccurrence {
    /// Its event.
    pub event: String,
    /// The number of its lifeline.
    pub line: usize,
    /// What must have happened before it.
    pub needs: Vec<usize>,
    /// Whether the lifeline ends with it.
    pub is_last: bool,
}

impl OccurrenceOrder {
    /// The order that a system is; `None` if it is more than that.
    pub(crate) fn of(system: &System) -> Option<OccurrenceOrder> {
        let mut places: BTreeMap<VariableId, usize> = BTreeMap::new();
        for (place, rule) in system.rules.iter().enumerate() {
            places.insert(done(system, rule)?, place);
        }
        let mut order = OccurrenceOrder { lines: Vec::new(), occurrences: Vec::new() };
        let mut lines = BTreeMap::new();
        for (place, rule) in system.rules.iter().enumerate() {
            let line = *lines.entry(rule.component).or_insert_with(|| {
                order.lines.push(system.components[rule.component].clone());
                order.lines.len() - 1
            });
            let mut needs = Vec::new();
            for (variable, is_done) in conditions(system, rule.guard)? {
                match (is_done, places.get(&variable)) {
                    (true, Some(need)) => needs.push(*need),
                    (false, Some(own)) if *own == place => {}
                    (_, _) => return None,
                }
            }
            let event = &system.events[rule.event?];
            let is_last = event.kind == EventKind::Termination;
            order.occurrences.push(OrderedOccurrence { event: event.text.clone(), line, needs, is_last });
        }
        let is_plain = [system.void, system.invalid, system.inconclusive].iter().all(|term| {
            // Marks that no rule sets.
            match system.terms.node(*term) {
                TermNode::Constant(value) => *value == 0,
                _ => conditions(system, *term).is_some_and(|parts| {
                    parts.iter().any(|(variable, set)| *set && !places.contains_key(variable))
                }),
            }
        });
        is_plain.then_some(order)
    }

    /// The same with all lifelines as one: they finish their iterations together, so one counter is enough.
    pub(crate) fn counted_as_one(mut self) -> OccurrenceOrder {
        for occurrence in &mut self.occurrences {
            occurrence.line = 0;
        }
        if !self.lines.is_empty() {
            self.lines = vec![self.lines.join(", ")];
        }
        self
    }

    /// The occurrences of a lifeline.
    pub(crate) fn on(&self, line: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.occurrences.len()).filter(move |place| self.occurrences[*place].line == line)
    }
}

/// The variable that a rule sets to 1, if that is all it does.
fn done(system: &System, rule: &Rule) -> Option<VariableId> {
    match (&rule.join, rule.updates.as_slice()) {
        (Join::Alone, [(variable, term)]) if *system.terms.node(*term) == TermNode::Constant(1) => {
            Some(*variable)
        }
        (_, _) => None,
    }
}

/// The variables that must be 1, or must not be, for a guard to hold; `None` if it says something else.
fn conditions(system: &System, guard: TermId) -> Option<Vec<(VariableId, bool)>> {
    let mut found = Vec::new();
    let mut open = vec![(guard, true)];
    while let Some((term, is_wanted)) = open.pop() {
        match (system.terms.node(term), is_wanted) {
            (TermNode::Constant(value), true) if *value != 0 => {}
            (TermNode::And(parts), true) => open.extend(parts.iter().map(|part| (*part, true))),
            (TermNode::Not(part), _) => open.push((*part, !is_wanted)),
            (TermNode::Variable(variable), _) => found.push((*variable, is_wanted)),
            (TermNode::Equal(a, b), _) => match [*a, *b].map(|part| system.terms.node(part)) {
                [TermNode::Constant(1), TermNode::Variable(variable)]
                | [TermNode::Variable(variable), TermNode::Constant(1)] => {
                    found.push((*variable, is_wanted));
                }
                _ => return None,
            },
            (_, _) => return None,
        }
    }
    found.sort_by_key(|(variable, _)| variable.index());
    found.dedup();
    Some(found)
}

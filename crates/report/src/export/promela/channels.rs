//! Queues as channels: the operations of a System on the places of a queue, as sends and receives.
//!
//! In a System a queue is a variable for each place, 0 where nothing waits, and a rule moves all of them. It is a channel if
//! rules do no more with it than a channel allows: they look at the first message and at how many wait, take the first, or add one behind
//! the last. Deferred messages, which are taken from the middle, need the places themselves.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::system::{RuleId, System, TermId, TermNode, VariableId};

use super::terms::uses;

/// What a rule does with a queue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum QueueOperation {
    /// It takes the first message, of this kind if that is known.
    Take(Option<i32>),
    /// It puts a message of this kind into this place, which is the first free one.
    Put(usize, i32),
}

/// Those of the queues that are channels. `looked_at` are the terms that are written besides what rules do.
pub(crate) fn channels<'s>(system: &'s System, looked_at: &[TermId]) -> Vec<&'s [VariableId]> {
    let queues: Vec<&[VariableId]> = system.fifos().map(|(_, places)| places).collect();
    let places: BTreeMap<VariableId, usize> =
        queues.iter().flat_map(|queue| queue.iter().copied().zip(0..)).collect();
    let mut wanted = looked_at.to_vec();
    for rule in system.rules.iter() {
        wanted.push(rule.guard);
        let updates = rule.updates.iter().filter(|(variable, _)| !places.contains_key(variable));
        wanted.extend(updates.map(|(_, term)| *term));
    }
    let mut peeked: BTreeSet<VariableId> = BTreeSet::new();
    for term in uses(system, &wanted).keys() {
        peeked.extend(
            looks(system, *term)
                .into_iter()
                .filter(|(variable, _)| places.contains_key(variable))
                .filter_map(|(variable, value)| {
                    let place =
                        queues.iter().find_map(|queue| queue.iter().position(|slot| *slot == variable));
                    (!is_known(system, variable, value, place?)).then_some(variable)
                }),
        );
    }
    // What some rule does with it no channel does.
    let owner: BTreeMap<VariableId, usize> = queues
        .iter()
        .enumerate()
        .flat_map(|(number, queue)| queue.iter().map(move |slot| (*slot, number)))
        .collect();
    let mut odd: BTreeSet<usize> = BTreeSet::new();
    for (id, rule) in system.rules.enumerate() {
        let touched: BTreeSet<usize> =
            rule.updates.iter().filter_map(|(variable, _)| owner.get(variable).copied()).collect();
        odd.extend(touched.into_iter().filter(|number| deed(system, queues[*number], id).is_none()));
    }
    let is_channel = |(number, queue): &(usize, &[VariableId])| {
        !queue.is_empty()
            && !odd.contains(number)
            && !queue.iter().any(|slot| peeked.contains(slot) || system.variables[*slot].initial != 0)
    };
    queues.iter().copied().enumerate().filter(is_channel).map(|(_, queue)| queue).collect()
}

/// Whether a channel knows if a place holds this value: the first message, or that there is any.
fn is_known(system: &System, variable: VariableId, value: Option<i32>, place: usize) -> bool {
    let is_bit = system.variables[variable].max <= 1;
    is_bit || value.is_some_and(|value| place == 0 || value == 0)
}

/// The variables that a term looks at by itself, with the value that it compares them with.
fn looks(system: &System, term: TermId) -> Vec<(VariableId, Option<i32>)> {
    if let Some((variable, value, _)) = literal(system, term).filter(|_| !is_bare(system, term)) {
        return vec![(variable, Some(value))];
    }
    let parts = system.terms.parts(term);
    let bare = parts.iter().filter_map(|part| match system.terms.node(*part) {
        TermNode::Variable(variable) => Some((*variable, None)),
        _ => None,
    });
    bare.collect()
}

fn is_bare(system: &System, term: TermId) -> bool {
    !matches!(system.terms.node(term), TermNode::Equal(..))
}

/// The variable that a term compares with a number, and whether it must be equal.
pub(crate) fn literal(system: &System, term: TermId) -> Option<(VariableId, i32, bool)> {
    let terms = &system.terms;
    match terms.node(term) {
        TermNode::Variable(variable) if system.variables[*variable].max == 1 => Some((*variable, 1, true)),
        TermNode::Not(part) => {
            literal(system, *part).map(|(variable, value, is_equal)| (variable, value, !is_equal))
        }
        TermNode::Equal(a, b) => [(a, b), (b, a)].into_iter().find_map(|(variable, value)| {
            let TermNode::Variable(variable) = terms.node(*variable) else { return None };
            Some((*variable, terms.as_constant(*value)?, true))
        }),
        _ => None,
    }
}

/// The conditions of a guard, all of which must hold.
pub(crate) fn conjuncts(system: &System, guard: TermId) -> Vec<TermId> {
    let (mut found, mut open) = (Vec::new(), vec![guard]);
    while let Some(term) = open.pop() {
        match system.terms.node(term) {
            TermNode::And(parts) => open.extend(parts.iter().rev()),
            _ => found.push(term),
        }
    }
    found
}

/// The variable that a condition compares with a number, if that is all it does.
pub(crate) fn compared(system: &System, condition: TermId) -> Option<VariableId> {
    literal(system, condition).map(|(variable, ..)| variable)
}

/// How many messages wait in a queue where a rule may fire, as far as its conditions tell.
pub(crate) struct Filling {
    /// The least number.
    pub least: usize,
    /// The greatest number.
    pub most: usize,
    /// The first of them.
    pub first: Option<i32>,
    /// Conditions that say more than that.
    pub others: Vec<TermId>,
}

/// What a rule asks of a queue.
pub(crate) fn filling(system: &System, queue: &[VariableId], rule: RuleId) -> Filling {
    let mut filling = Filling { least: 0, most: queue.len(), first: None, others: Vec::new() };
    for condition in conjuncts(system, system.rules[rule].guard) {
        let Some((variable, value, is_equal)) = literal(system, condition) else { continue };
        let Some(place) = queue.iter().position(|slot| *slot == variable) else { continue };
        let is_bit = system.variables[variable].max <= 1;
        match (value, is_equal) {
            (0, true) => filling.most = filling.most.min(place),
            (0, false) => filling.least = filling.least.max(place + 1),
            (value, true) => {
                filling.least = filling.least.max(place + 1);
                match (place, filling.first) {
                    (0, None) => filling.first = Some(value),
                    (_, _) => filling.others.push(condition),
                }
            }
            (_, false) if is_bit => filling.most = filling.most.min(place),
            (_, false) => filling.others.push(condition),
        }
    }
    filling
}

/// What a rule does with a queue; nothing if it does nothing, or what no channel can do.
pub(crate) fn deed(system: &System, queue: &[VariableId], rule: RuleId) -> Option<QueueOperation> {
    let terms = &system.terms;
    let updates = &system.rules[rule].updates;
    let own: Vec<(usize, TermId)> = updates
        .iter()
        .filter_map(|(variable, term)| Some((queue.iter().position(|slot| slot == variable)?, *term)))
        .collect();
    let Filling { least, most, first, .. } = filling(system, queue, rule);
    let is_shift = own.len() == queue.len()
        && own.iter().all(|(place, term)| match queue.get(place + 1) {
            Some(next) => *terms.node(*term) == TermNode::Variable(*next),
            None => *terms.node(*term) == TermNode::Constant(0),
        });
    match own.as_slice() {
        _ if is_shift && least > 0 => Some(QueueOperation::Take(first)),
        [(place, term)] => {
            let code = terms.as_constant(*term).filter(|code| *code > 0)?;
            (least == *place && most == *place).then_some(QueueOperation::Put(*place, code))
        }
        _ => None,
    }
}

//! Rewriting: the quotient of a System, in whose queues one message stands for all that are alike.
//!
//! What is put into a place is the number of the class; a comparison with a message asks for its class if the message stands
//! for it, and is false otherwise. So of the rules that receive messages of a class those of one message are left.

use std::collections::HashMap;

use sequent_kernel::system::{System, TermId, TermNode, Terms, VariableId};

use super::Places;

/// A System with the same variables and rules, by the numbers of messages in the quotient.
pub(crate) fn rewritten(system: &System, places: &Places) -> System {
    let mut quotient = system.clone();
    for (place, numbers) in places {
        quotient.variables[*place].max = numbers.iter().copied().max().unwrap_or(0);
    }
    let literals: Vec<(TermId, VariableId, i32)> = system
        .terms
        .ids()
        .filter_map(|term| system.terms.as_literal(term).map(|(variable, value)| (term, variable, value)))
        .collect();
    let mut others = HashMap::new();
    for (term, variable, value) in literals {
        let Some(numbers) = places.get(&variable) else { continue };
        let class = usize::try_from(value).ok().and_then(|value| numbers.get(value)).copied();
        let stands = numbers.iter().position(|number| Some(*number) == class).map(|first| first as i32);
        let other = match class.filter(|_| stands == Some(value)) {
            Some(class) => quotient.terms.is(variable, class),
            None => quotient.terms.truth(false),
        };
        others.insert(term, other);
    }
    for rule in quotient.rules.iter_mut() {
        rule.guard = quotient.terms.replace(rule.guard, &others);
        for (variable, term) in &mut rule.updates {
            *term = match places.get(variable) {
                Some(numbers) => Content { terms: &mut quotient.terms, others: &others, numbers }.of(*term),
                None => quotient.terms.replace(*term, &others),
            };
        }
    }
    quotient
}

/// What is put into a place of a queue, with other numbers for the messages.
pub(crate) struct Content<'t> {
    pub terms: &'t mut Terms,
    /// What stands for parts of conditions.
    pub others: &'t HashMap<TermId, TermId>,
    pub numbers: &'t [i32],
}

impl Content<'_> {
    /// A term in which all messages have their other numbers.
    pub(crate) fn of(&mut self, term: TermId) -> TermId {
        match *self.terms.node(term) {
            TermNode::Constant(value) => self.terms.constant(self.numbers[value as usize]),
            TermNode::If(condition, yes, no) => {
                let condition = self.terms.replace(condition, self.others);
                let [yes, no] = [self.of(yes), self.of(no)];
                self.terms.choose(condition, yes, no)
            }
            TermNode::Variable(_)
            | TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Equal(..)
            | TermNode::Less(..)
            | TermNode::Number(..) => term,
        }
    }
}

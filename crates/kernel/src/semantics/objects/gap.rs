//! Gaps: whether guards that depend on a value that is not known may all be false.
//!
//! Of several guards in prose at one source and trigger one is true: people who write them mean all cases. Guards over a parameter
//! without known value say which cases they mean, and there may be others: `[k == 1]` and `[k == 2]` leave some, `[k < 1]` and `[k >= 1]`
//! none. A trigger that waits for a value, `hi(1)`, may get another one.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use super::data::mentions;
use super::structure::InstanceId;
use crate::model::{BinaryOperator, Expression, TransitionId, Trigger, UnaryOperator};

/// The ways in which two values compare, one bit each.
const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const ALL: u8 = LESS | EQUAL | GREATER;

impl World<'_> {
    /// Whether a trigger of a transition waits for a value where that of the message is not known.
    pub(super) fn waits_for_unknown(&self, object: InstanceId, id: TransitionId) -> bool {
        self.unknown_values(object, id).next().is_some()
    }

    /// What a transition waits for where the value is not known: message, place of the argument, value.
    fn unknown_values(
        &self,
        object: InstanceId,
        id: TransitionId,
    ) -> impl Iterator<Item = (&str, usize, &str)> {
        let triggers = &self.body(object).machine.transitions[id].triggers;
        triggers
            .iter()
            .flat_map(parameters)
            .filter(move |(name, at, parameter)| self.is_value(parameter) && self.is_forgotten(name, *at))
    }

    /// Whether none of several guards that are decided freely may be true, as they depend on a value that is not known.
    pub(super) fn leave_gap(&self, object: InstanceId, prose: &[TransitionId]) -> bool {
        let machine = self.body(object).machine;
        let all = machine.transitions.iter().flat_map(|one| &one.triggers).flat_map(parameters);
        let is_open = |(name, at, parameter): &(&str, usize, &str)| {
            !self.is_value(parameter) && self.is_forgotten(name, *at)
        };
        let open: BTreeSet<&str> = all.filter(is_open).map(|(.., parameter)| parameter).collect();
        let guard = |id: &TransitionId| machine.transitions[*id].guard.as_ref();
        let mut guards: Vec<&Expression> = Vec::new();
        let mut values: BTreeMap<(&str, usize), BTreeSet<&str>> = BTreeMap::new();
        let mut depends = false;
        for id in prose {
            let mut waits = self.unknown_values(object, *id).peekable();
            depends |= waits.peek().is_some();
            match (guard(id), waits.next()) {
                (Some(guard), None) => guards.extend(&guard.expression),
                (None, Some((name, at, value))) if waits.next().is_none() => {
                    values
                        .entry((name, at))
                        .or_default()
                        .insert(value.rsplit('=').next().unwrap_or(value).trim());
                }
                (Some(_), Some(_)) | (None, _) => {}
            }
        }
        depends |= guards.iter().any(|guard| open.iter().any(|name| mentions(guard, name)));
        let has_both = |values: &BTreeSet<&str>| ["true", "false"].iter().all(|value| values.contains(value));
        depends && !is_covered(&guards) && !values.values().any(has_both)
    }
}

/// The parameters of a trigger: message, place, what stands there.
fn parameters(trigger: &Trigger) -> impl Iterator<Item = (&str, usize, &str)> {
    let (name, parameters) = match trigger {
        Trigger::Event { name, parameters } => (name.as_str(), parameters.as_slice()),
        Trigger::Any | Trigger::After(_) | Trigger::When(_) => ("", &[] as &[String]),
    };
    parameters.iter().enumerate().map(move |(at, parameter)| (name, at, parameter.as_str()))
}

/// Whether comparisons of the same two terms leave no case out.
fn is_covered(guards: &[&Expression]) -> bool {
    let mut covered: BTreeMap<(&Expression, &Expression), u8> = BTreeMap::new();
    for guard in guards {
        let (pair, ways) = comparison(guard);
        *covered.entry(pair).or_default() |= ways;
    }
    covered.values().any(|ways| *ways == ALL)
}

/// What a condition compares, and the ways in which that makes it true: a condition that is no comparison is compared with `true`.
fn comparison(condition: &Expression) -> ((&Expression, &Expression), u8) {
    const TRUE: &Expression = &Expression::Bool(true);
    let (left, right, ways) = match condition {
        Expression::Unary(UnaryOperator::Not, inner) => {
            let (pair, ways) = comparison(inner);
            return (pair, ALL & !ways);
        }
        Expression::Binary(operator, left, right) => match operator {
            BinaryOperator::Equal => (&**left, &**right, EQUAL),
            BinaryOperator::Unequal => (&**left, &**right, LESS | GREATER),
            BinaryOperator::Less => (&**left, &**right, LESS),
            BinaryOperator::LessEqual => (&**left, &**right, LESS | EQUAL),
            BinaryOperator::Greater => (&**left, &**right, GREATER),
            BinaryOperator::GreaterEqual => (&**left, &**right, GREATER | EQUAL),
            BinaryOperator::Or
            | BinaryOperator::And
            | BinaryOperator::Implies
            | BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Times
            | BinaryOperator::Divide
            | BinaryOperator::Modulo => (condition, TRUE, EQUAL),
        },
        Expression::Bool(_)
        | Expression::Int(_)
        | Expression::Text(_)
        | Expression::Name(_)
        | Expression::Unary(UnaryOperator::Minus, _)
        | Expression::Call(..) => (condition, TRUE, EQUAL),
    };
    match (left, right) {
        (_, Expression::Bool(false)) => ((left, TRUE), ALL & !ways),
        (Expression::Bool(_), Expression::Name(_)) | (Expression::Int(_), Expression::Name(_)) => {
            let turned = (ways & EQUAL) | ((ways & LESS) << 2) | ((ways & GREATER) >> 2);
            ((right, left), turned)
        }
        (_, _) => ((left, right), ways),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(operator: BinaryOperator, value: i64) -> Expression {
        let name = Expression::Name(vec!["k".to_owned()]);
        Expression::Binary(operator, Box::new(name), Box::new(Expression::Int(value)))
    }

    #[test]
    fn comparisons_that_leave_no_case_out() {
        use BinaryOperator::{Equal, Greater, GreaterEqual, Less, Unequal};
        let covers = |all: &[(BinaryOperator, i64)]| {
            let all: Vec<Expression> =
                all.iter().map(|(operator, value)| compared(*operator, *value)).collect();
            is_covered(&all.iter().collect::<Vec<_>>())
        };
        assert!(covers(&[(Less, 1), (GreaterEqual, 1)]));
        assert!(covers(&[(Equal, 1), (Unequal, 1)]));
        assert!(covers(&[(Less, 1), (Equal, 1), (Greater, 1)]));
        assert!(!covers(&[(Less, 1), (Greater, 1)]));
        assert!(!covers(&[(Equal, 1), (Equal, 2)]));
        let plain = Expression::Name(vec!["ok".to_owned()]);
        let not = Expression::Unary(UnaryOperator::Not, Box::new(plain.clone()));
        assert!(is_covered(&[&plain, &not]));
        assert!(!is_covered(&[&plain, &plain]));
    }
}

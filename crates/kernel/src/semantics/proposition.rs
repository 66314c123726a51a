//! Propositions: what a guard says, and in which worlds it is true (rule I11).
//!
//! Most guards are one proposition, named by their text. One that joins single words by `and`, `or`, `not`
//! and `implies` is a [compound](is_compound): each word is a proposition of its own, the same as where it
//! stands alone. A compound is never a variable; its value is given by the worlds (partial valuations of its
//! words) in which it has that value. A word whose value no longer matters is left open.

use std::collections::{BTreeMap, BTreeSet};

use super::Unsupported;
use crate::model::{BinaryOperator, Combined, Condition, Expression, Guard, Operand, UnaryOperator};
use crate::source::Place;

/// The words in the compounds of one fragment, at most: there may be a world for each combination of their values.
const MOST_WORDS: usize = 10;

/// The guards of one fragment, at most: each is decided together with all others.
const MOST_GUARDS: usize = 1_000;

/// Propositions and the values they must have.
pub(super) type PropositionNeeds = Vec<(String, bool)>;

/// Whether a condition joins words rather than being one proposition.
pub fn is_compound(condition: &Condition) -> bool {
    match &condition.expression {
        Some(Expression::Name(_) | Expression::Bool(_)) | None => false,
        Some(expression) => is_logic(expression) && !condition.is_case_of_its_own(),
    }
}

fn is_word(expression: &Expression) -> bool {
    matches!(expression, Expression::Name(parts) if parts.len() == 1)
}

fn is_logic(expression: &Expression) -> bool {
    match expression {
        Expression::Bool(_) => true,
        Expression::Name(_) => is_word(expression),
        Expression::Unary(UnaryOperator::Not, inner) => is_logic(inner),
        Expression::Binary(
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Implies,
            left,
            right,
        ) => is_logic(left) && is_logic(right),
        Expression::Unary(UnaryOperator::Minus, _)
        | Expression::Binary(..)
        | Expression::Int(_)
        | Expression::Text(_)
        | Expression::Call(..) => false,
    }
}

/// The name of a condition that is one proposition: a word without the brackets around it, else its text.
pub fn name(condition: &Condition) -> &str {
    match &condition.expression {
        Some(Expression::Name(parts)) if parts.len() == 1 => &parts[0],
        Some(Expression::Bool(true)) => "true",
        Some(Expression::Bool(false)) => "false",
        Some(_) | None => &condition.text,
    }
}

/// The propositions of a condition, each once, in the order in which they are written.
pub fn names(condition: &Condition) -> Vec<String> {
    let mut found = Vec::new();
    match &condition.expression {
        Some(expression) if is_compound(condition) => collect(expression, &mut found),
        Some(_) | None => found.push(name(condition).to_owned()),
    }
    found
}

fn collect(expression: &Expression, found: &mut Vec<String>) {
    match expression {
        Expression::Name(parts) => {
            let word = parts.join(".");
            if !found.contains(&word) {
                found.push(word);
            }
        }
        Expression::Unary(_, inner) => collect(inner, found),
        Expression::Binary(_, left, right) => {
            collect(left, found);
            collect(right, found);
        }
        Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) | Expression::Call(..) => {}
    }
}

/// The conditions of a fragment's operands, as they are written.
pub(super) fn conditions(combined: &Combined) -> impl Iterator<Item = &Condition> {
    combined.operands.iter().filter_map(|operand| match &operand.guard {
        Guard::Condition(condition) => Some(condition),
        Guard::Absent | Guard::Else => None,
    })
}

/// The propositions that the guards of several operands ask for, each once.
pub(super) fn repeated(operands: &[Operand]) -> BTreeSet<String> {
    let (mut once, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for operand in operands {
        let Guard::Condition(condition) = &operand.guard else { continue };
        twice.extend(names(condition).into_iter().filter(|name| !once.insert(name.clone())));
    }
    twice
}

/// Fails if some conditions are more than can be decided together, or their compounds have more words than can be tried out.
pub(super) fn within_bounds<'c>(
    conditions: impl Iterator<Item = &'c Condition>,
    place: Place,
) -> Result<(), Unsupported> {
    let conditions: Vec<&Condition> = conditions.collect();
    if conditions.len() > MOST_GUARDS {
        return Err(Unsupported { what: format!("a fragment with more than {MOST_GUARDS} guards"), place });
    }
    let mut words: Vec<String> =
        conditions.into_iter().filter(|one| is_compound(one)).flat_map(names).collect();
    words.sort();
    words.dedup();
    match words.len() > MOST_WORDS {
        true => Err(Unsupported {
            what: format!("a fragment with more than {MOST_WORDS} words in guards"),
            place,
        }),
        false => Ok(()),
    }
}

/// The worlds in which each condition has the value given, no two of them alike. A condition that is one proposition is
/// that proposition, even if it is a constant.
pub(super) fn worlds(claims: &[(&Condition, bool)]) -> Vec<PropositionNeeds> {
    let mut world = BTreeMap::new();
    for (condition, value) in claims.iter().filter(|(condition, _)| !is_compound(condition)) {
        if world.insert(name(condition).to_owned(), *value).is_some_and(|other| other != *value) {
            return Vec::new();
        }
    }
    let compounds: Vec<_> = claims.iter().filter(|(condition, _)| is_compound(condition)).collect();
    let mut words: Vec<String> = compounds.iter().flat_map(|(condition, _)| names(condition)).collect();
    // The words of a fragment are few, so that quadratic time is none.
    let mut seen = Vec::new();
    words.retain(|word| {
        !seen.contains(word) && !world.contains_key(word) && {
            seen.push(word.clone());
            true
        }
    });
    let claims: Vec<(&Expression, bool)> = compounds
        .iter()
        .filter_map(|(condition, value)| Some((condition.expression.as_ref()?, *value)))
        .collect();
    let mut found = Vec::new();
    split(&claims, &words, &mut world, &mut found);
    found
}

/// Follows both values of each word until every claim is decided.
fn split(
    claims: &[(&Expression, bool)],
    words: &[String],
    world: &mut BTreeMap<String, bool>,
    found: &mut Vec<PropositionNeeds>,
) {
    let values: Vec<Option<bool>> =
        claims.iter().map(|(expression, _)| evaluate(expression, &|word| world.get(word).copied())).collect();
    if values.iter().zip(claims).any(|(value, (_, wanted))| *value == Some(!wanted)) {
        return;
    }
    match words.split_first() {
        Some((word, rest)) if values.contains(&None) => {
            for value in [true, false] {
                world.insert(word.clone(), value);
                split(claims, rest, world, found);
            }
            world.remove(word);
        }
        Some(_) | None => found.push(world.iter().map(|(word, value)| (word.clone(), *value)).collect()),
    }
}

/// The value of a condition, if it is the same whatever the propositions are that `known` leaves open.
pub(crate) fn value(condition: &Condition, known: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let Some(expression) = condition.expression.as_ref().filter(|_| is_compound(condition)) else {
        return known(name(condition));
    };
    let all = names(condition);
    // More words are refused elsewhere.
    let open: Vec<&String> = all.iter().filter(|word| known(word).is_none()).take(MOST_WORDS).collect();
    let mut found = None;
    for world in 0..1_usize << open.len() {
        let chosen = |word: &str| open.iter().position(|one| *one == word).map(|at| world >> at & 1 == 1);
        let value = evaluate(expression, &|word| known(word).or_else(|| chosen(word)))?;
        if found.is_some_and(|found| found != value) {
            return None;
        }
        found = Some(value);
    }
    found
}

/// The value of a compound where some words are known; `None` if it depends on others.
fn evaluate(expression: &Expression, known: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    match expression {
        Expression::Bool(value) => Some(*value),
        Expression::Name(parts) => parts.first().and_then(|word| known(word)),
        Expression::Unary(_, inner) => evaluate(inner, known).map(|value| !value),
        Expression::Binary(operator, left, right) => {
            // `a implies b` is `not a or b`, `a and b` is `not (not a or not b)`.
            let is_and = *operator == BinaryOperator::And;
            let is_implication = *operator == BinaryOperator::Implies;
            let left = evaluate(left, known).map(|value| value ^ (is_and || is_implication));
            let right = match left {
                Some(true) => None,
                Some(false) | None => evaluate(right, known).map(|value| value ^ is_and),
            };
            let either = match (left, right) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                (None, _) | (_, None) => None,
            };
            either.map(|value| value ^ is_and)
        }
        Expression::Int(_) | Expression::Text(_) | Expression::Call(..) => None,
    }
}

//! The ways in which choices may fall where guards share propositions.

use std::collections::BTreeMap;

use sequent_kernel::model::{BinaryOperator, Condition, Expression, UnaryOperator};
use sequent_kernel::semantics::{is_compound, proposition_name};

use super::Unwritten;
use super::tree::{Test, Tree};

/// More ways than this are not written.
const MOST_WAYS: usize = 500;

/// The values of all choices in each way that guards allow, 0 where nothing is chosen; `None` if guards share nothing.
pub fn ways(tree: &Tree, fixed: &BTreeMap<String, bool>) -> Result<Option<Vec<Vec<usize>>>, Unwritten> {
    if tree.lasting.is_empty() {
        return Ok(None);
    }
    let too_many = || Unwritten(format!("its choices fall in more than {MOST_WAYS} ways"));
    let mut worlds: Vec<BTreeMap<&str, bool>> = vec![BTreeMap::new()];
    for word in &tree.lasting {
        let values = match fixed.get(word).copied().or_else(|| literal(word)) {
            Some(value) => vec![value],
            None => vec![false, true],
        };
        let mut more = Vec::new();
        for world in &worlds {
            for value in &values {
                let mut world = world.clone();
                world.insert(word.as_str(), *value);
                more.push(world);
            }
        }
        worlds = more;
        if worlds.len() > MOST_WAYS {
            return Err(too_many());
        }
    }
    let mut ways = Vec::new();
    for world in &worlds {
        let mut open: Vec<Vec<usize>> = vec![Vec::new()];
        for choice in &tree.choices {
            let mut longer = Vec::new();
            for way in open {
                let is_alive = choice.alive.iter().all(|(choice, value)| way[*choice] == *value);
                if !is_alive {
                    longer.push([way, vec![0]].concat());
                    continue;
                }
                // Guards that contradict each other: this is no run.
                if choice.must.as_ref().is_some_and(|must| !holds(must, world)) {
                    continue;
                }
                let allowed = choice
                    .values
                    .iter()
                    .filter(|(_, test)| test.as_ref().is_none_or(|test| holds(test, world)));
                longer.extend(allowed.map(|(value, _)| [way.clone(), vec![*value]].concat()));
            }
            open = longer;
            if ways.len() + open.len() > MOST_WAYS {
                return Err(too_many());
            }
        }
        ways.extend(open);
    }
    ways.sort();
    ways.dedup();
    Ok(Some(ways))
}

fn holds(test: &Test, world: &BTreeMap<&str, bool>) -> bool {
    match test {
        Test::Is(condition) => is(condition, world),
        Test::None(conditions) => !conditions.iter().any(|condition| is(condition, world)),
        Test::One(conditions, may_miss) => {
            // The same text twice is one condition.
            let texts: BTreeMap<&str, &Condition> =
                conditions.iter().map(|condition| (proposition_name(condition), condition)).collect();
            let true_ones = texts.values().filter(|condition| is(condition, world)).count();
            true_ones == 1 || true_ones == 0 && *may_miss
        }
    }
}

fn is(condition: &Condition, world: &BTreeMap<&str, bool>) -> bool {
    match condition.expression.as_ref().filter(|_| is_compound(condition)) {
        Some(expression) => truth(expression, world),
        None => world.get(proposition_name(condition)).copied().unwrap_or(false),
    }
}

fn truth(expression: &Expression, world: &BTreeMap<&str, bool>) -> bool {
    match expression {
        Expression::Bool(value) => *value,
        Expression::Name(parts) => world.get(parts.join(".").as_str()).copied().unwrap_or(false),
        Expression::Unary(UnaryOperator::Not, inner) => !truth(inner, world),
        Expression::Binary(operator, left, right) => {
            let (left, right) = (truth(left, world), truth(right, world));
            // Nothing else joins words but `or`.
            if *operator == BinaryOperator::And {
                left && right
            } else if *operator == BinaryOperator::Implies {
                !left || right
            } else {
                left || right
            }
        }
        // No compound is made of these.
        Expression::Unary(UnaryOperator::Minus, _)
        | Expression::Int(_)
        | Expression::Text(_)
        | Expression::Call(..) => false,
    }
}

/// The value of a guard that is a constant.
fn literal(word: &str) -> Option<bool> {
    match word.trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

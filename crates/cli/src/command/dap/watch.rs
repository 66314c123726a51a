//! Watches: expressions over what objects are like at one moment of a run. The report has the same (`report/src/html/watch.js`).
//!
//! `atm.tries` is an attribute, `atm.state` the active states as text, `atm.queue` the number of messages that wait, `in(atm, Idle)` whether a
//! state is active. Attributes that only one object has need no object. Values are those of the log, which are texts: what reads as a
//! number is one.

use std::fmt;

use sequent_kernel::expression::{BinaryOperator, Expression, UnaryOperator};
use sequent_kernel::log::ObjectStatus;
use sequent_notation::expression::parse;

/// The objects at one moment, by name.
pub(crate) type ObjectsMoment<'a> = Vec<(&'a str, &'a ObjectStatus)>;

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Datum {
    Bool(bool),
    Int(i64),
    Text(String),
}

impl fmt::Display for Datum {
    fn fmt(&self, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Bool(value) => write!(form, "{value}"),
            Datum::Int(value) => write!(form, "{value}"),
            Datum::Text(value) => form.write_str(value),
        }
    }
}

impl Datum {
    fn of(text: &str) -> Self {
        match (text.parse(), text) {
            (Ok(number), _) => Datum::Int(number),
            (Err(_), "true") => Datum::Bool(true),
            (Err(_), "false") => Datum::Bool(false),
            (Err(_), text) => Datum::Text(text.to_owned()),
        }
    }

    /// Whether a condition of this value holds.
    pub(crate) fn is_true(&self) -> bool {
        *self == Datum::Bool(true)
    }

    fn bool(self) -> Result<bool, String> {
        match self {
            Datum::Bool(value) => Ok(value),
            Datum::Int(_) | Datum::Text(_) => Err(format!("`{self}` is neither true nor false")),
        }
    }

    fn int(self) -> Result<i64, String> {
        match self {
            Datum::Int(value) => Ok(value),
            Datum::Bool(_) | Datum::Text(_) => Err(format!("`{self}` is no number")),
        }
    }
}

/// The value of an expression.
pub(crate) fn evaluate(text: &str, moment: &ObjectsMoment<'_>) -> Result<Datum, String> {
    let expression = parse(text).map_err(|at| match text.get(at..).map(str::trim) {
        None | Some("") => format!("something is missing after `{}`", text.trim()),
        Some(rest) => format!("`{rest}` is no expression"),
    })?;
    value(&expression, moment)
}

fn value(expression: &Expression, moment: &ObjectsMoment<'_>) -> Result<Datum, String> {
    let at = |expression: &Expression| value(expression, moment);
    match expression {
        Expression::Bool(value) => Ok(Datum::Bool(*value)),
        Expression::Int(value) => Ok(Datum::Int(*value)),
        Expression::Text(text) => Ok(Datum::Text(text.clone())),
        Expression::Name(parts) => name(parts, moment),
        Expression::Unary(UnaryOperator::Not, inner) => Ok(Datum::Bool(!at(inner)?.bool()?)),
        Expression::Unary(UnaryOperator::Minus, inner) => {
            at(inner)?.int()?.checked_neg().map(Datum::Int).ok_or_else(too_large)
        }
        Expression::Binary(operator, left, right) => binary(*operator, at(left)?, at(right)?),
        Expression::Call(called, arguments) => {
            match (called.last().map(String::as_str), arguments.as_slice()) {
                (Some("in"), [Expression::Name(object), Expression::Name(state)]) => {
                    let standing = object_of(&object.join("."), moment)?;
                    Ok(Datum::Bool(is_in(standing, &state.join("."))))
                }
                (_, _) => Err("the only function is `in(OBJECT, STATE)`".to_owned()),
            }
        }
    }
}

fn too_large() -> String {
    "the number is too large".to_owned()
}

fn object_of<'a>(name: &str, moment: &ObjectsMoment<'a>) -> Result<&'a ObjectStatus, String> {
    let found = moment.iter().find(|(own, _)| *own == name).map(|(_, standing)| *standing);
    found.ok_or_else(|| format!("no object is called `{name}`"))
}

/// Whether a state is active; the log writes them with brackets and commas.
fn is_in(standing: &ObjectStatus, state: &str) -> bool {
    standing.states.split(['(', ')', ',', '.']).any(|word| word.trim() == state)
}

fn name(parts: &[String], moment: &ObjectsMoment<'_>) -> Result<Datum, String> {
    let attribute = |standing: &ObjectStatus, name: &str| {
        standing.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| Datum::of(value))
    };
    match parts {
        [only] => {
            let all: Vec<Datum> =
                moment.iter().filter_map(|(_, standing)| attribute(standing, only)).collect();
            match (all.as_slice(), object_of(only, moment)) {
                ([one], _) => Ok(one.clone()),
                (_, Ok(standing)) => Ok(Datum::Text(standing.states.clone())),
                ([], Err(_)) => Err(format!("no object and no attribute is called `{only}`")),
                (_, Err(_)) => Err(format!("several objects have `{only}`: write OBJECT.{only}")),
            }
        }
        [object @ .., last] => {
            let standing = object_of(&object.join("."), moment)?;
            match (attribute(standing, last), last.as_str()) {
                (Some(value), _) => Ok(value),
                (None, "state") => Ok(Datum::Text(standing.states.clone())),
                (None, "queue") => Ok(Datum::Int(standing.waiting.len() as i64)),
                (None, other) => Err(format!("`{}` has no attribute `{other}`", object.join("."))),
            }
        }
        [] => Err("nothing is named".to_owned()),
    }
}

fn binary(operator: BinaryOperator, left: Datum, right: Datum) -> Result<Datum, String> {
    let number = |left: Datum, right: Datum, compute: fn(i64, i64) -> Option<i64>| {
        compute(left.int()?, right.int()?).map(Datum::Int).ok_or_else(too_large)
    };
    let compare = |left: Datum, right: Datum, is_so: fn(i64, i64) -> bool| {
        Ok(Datum::Bool(is_so(left.int()?, right.int()?)))
    };
    match operator {
        BinaryOperator::Or => Ok(Datum::Bool(left.bool()? | right.bool()?)),
        BinaryOperator::And => Ok(Datum::Bool(left.bool()? & right.bool()?)),
        BinaryOperator::Implies => Ok(Datum::Bool(!left.bool()? | right.bool()?)),
        BinaryOperator::Equal => Ok(Datum::Bool(left == right)),
        BinaryOperator::Unequal => Ok(Datum::Bool(left != right)),
        BinaryOperator::Less => compare(left, right, |a, b| a < b),
        BinaryOperator::LessEqual => compare(left, right, |a, b| a <= b),
        BinaryOperator::Greater => compare(left, right, |a, b| a > b),
        BinaryOperator::GreaterEqual => compare(left, right, |a, b| a >= b),
        BinaryOperator::Plus => number(left, right, i64::checked_add),
        BinaryOperator::Minus => number(left, right, i64::checked_sub),
        BinaryOperator::Times => number(left, right, i64::checked_mul),
        BinaryOperator::Divide | BinaryOperator::Modulo if right == Datum::Int(0) => {
            Err("nothing can be divided by zero".to_owned())
        }
        BinaryOperator::Divide => number(left, right, i64::checked_div),
        BinaryOperator::Modulo => number(left, right, i64::checked_rem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment() -> [(&'static str, ObjectStatus); 2] {
        let standing = |states: &str, tries: &str, waiting: &[&str]| ObjectStatus {
            states: states.to_owned(),
            attributes: vec![("tries".to_owned(), tries.to_owned())],
            waiting: waiting.iter().map(|one| (*one).to_owned()).collect(),
            ..ObjectStatus::default()
        };
        [("atm", standing("Busy(Card, Pin)", "2", &["pin from user"])), ("bank", standing("Idle", "0", &[]))]
    }

    fn check(text: &str, expected: &str) {
        let all = moment();
        let moment: ObjectsMoment<'_> = all.iter().map(|(name, standing)| (*name, standing)).collect();
        let found =
            evaluate(text, &moment).map_or_else(|problem| format!("error: {problem}"), |one| one.to_string());
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn expressions_speak_of_objects() {
        check("atm.tries + 1", "3");
        check("atm.tries >= 2 && in(atm, Pin)", "true");
        check("in(bank, Pin) or bank.queue > 0", "false");
        check("bank.state", "Idle");
        check("bank", "Idle");
        check("atm.queue", "1");
        check("tries", "error: several objects have `tries`: write OBJECT.tries");
        check("nobody.tries", "error: no object is called `nobody`");
        check("atm.tries / 0", "error: nothing can be divided by zero");
        check("not bank.tries", "error: `0` is neither true nor false");
        check("a b", "error: `b` is no expression");
        check("x > ", "error: something is missing after `x >`");
    }
}

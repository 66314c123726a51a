//! Conditions, expressions and arguments as JSON.

use sequent_kernel::model::{Argument, BinaryOperator, Condition, Expression, UnaryOperator};
use serde_json::Value;

use super::Scope;
use super::record::{Record, list};

/// A condition: the text, and its expression if it reads as one.
pub(super) fn condition(scope: &Scope, condition: &Condition) -> Value {
    condition_in(Record::new(), scope, condition).done()
}

/// The same keys as those of a condition, after what `record` holds already.
pub(super) fn condition_in(record: Record, scope: &Scope, condition: &Condition) -> Record {
    let Condition { text, expression, place } = condition;
    record
        .put("text", text.as_str())
        .put("expression", expression.as_ref().map(self::expression))
        .put("place", scope.place(*place))
}

/// The arguments of a message or a send; nothing when no list is written.
pub(super) fn arguments(arguments: &Option<Vec<Argument>>) -> Option<Value> {
    arguments.as_ref().map(|arguments| list(arguments, argument))
}

fn argument(argument: &Argument) -> Value {
    let Argument { name, text, value } = argument;
    Record::new()
        .put("name", name.as_deref())
        .put("text", text.as_str())
        .put("value", value.as_ref().map(expression))
        .done()
}

/// An expression as a tree.
pub(super) fn expression(shown: &Expression) -> Value {
    match shown {
        Expression::Bool(value) => Record::kind("bool").put("value", *value),
        Expression::Int(value) => Record::kind("int").put("value", *value),
        Expression::Text(value) => Record::kind("text").put("value", value.as_str()),
        Expression::Name(path) => Record::kind("name").texts("path", path),
        Expression::Unary(operator, operand) => {
            Record::kind("unary").put("operator", unary(*operator)).put("operand", expression(operand))
        }
        Expression::Binary(operator, left, right) => Record::kind("binary")
            .put("operator", binary(*operator))
            .put("left", expression(left))
            .put("right", expression(right)),
        Expression::Call(function, arguments) => {
            Record::kind("call").texts("function", function).list("arguments", arguments, expression)
        }
    }
    .done()
}

fn unary(operator: UnaryOperator) -> &'static str {
    match operator {
        UnaryOperator::Not => "not",
        UnaryOperator::Minus => "minus",
    }
}

fn binary(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Or => "or",
        BinaryOperator::And => "and",
        BinaryOperator::Implies => "implies",
        BinaryOperator::Equal => "equal",
        BinaryOperator::Unequal => "unequal",
        BinaryOperator::Less => "less",
        BinaryOperator::LessEqual => "less-equal",
        BinaryOperator::Greater => "greater",
        BinaryOperator::GreaterEqual => "greater-equal",
        BinaryOperator::Plus => "plus",
        BinaryOperator::Minus => "minus",
        BinaryOperator::Times => "times",
        BinaryOperator::Divide => "divide",
        BinaryOperator::Modulo => "modulo",
    }
}

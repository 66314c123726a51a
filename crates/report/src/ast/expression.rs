//! Conditions, expressions and arguments as JSON.

use sequent_kernel::model::{Argument, BinaryOperator, Condition, Expression, UnaryOperator};
use serde_json::Value;

use super::AstScope;
use super::record::{JsonRecord, list};

/// A condition: the text, and its expression if it reads as one.
pub(super) fn condition(scope: &AstScope, condition: &Condition) -> Value {
    condition_in(JsonRecord::new(), scope, condition).done()
}

/// The same keys as those of a condition, after what `record` holds already.
pub(super) fn condition_in(record: JsonRecord, scope: &AstScope, condition: &Condition) -> JsonRecord {
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
    JsonRecord::new()
        .put("name", name.as_deref())
        .put("text", text.as_str())
        .put("value", value.as_ref().map(expression))
        .done()
}

/// An expression as a tree.
pub(super) fn expression(shown: &Expression) -> Value {
    match shown {
        Expression::Bool(value) => JsonRecord::kind("bool").put("value", *value),
        Expression::Int(value) => JsonRecord::kind("int").put("value", *value),
        Expression::Text(value) => JsonRecord::kind("text").put("value", value.as_str()),
        Expression::Name(path) => JsonRecord::kind("name").texts("path", path),
        Expression::Unary(operator, operand) => {
            JsonRecord::kind("unary").put("operator", unary(*operator)).put("operand", expression(operand))
        }
        Expression::Binary(operator, left, right) => JsonRecord::kind("binary")
            .put("operator", binary(*operator))
            .put("left", expression(left))
            .put("right", expression(right)),
        Expression::Call(function, arguments) => {
            JsonRecord::kind("call").texts("function", function).list("arguments", arguments, expression)
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

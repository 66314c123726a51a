//! Expressions as text again: one spelling, brackets only where the grouping needs them.

use sequent_kernel::model::{BinaryOperator, Expression, UnaryOperator};

/// The expression in C's spelling; [`parse`](super::parse) gives it back.
pub fn print(expression: &Expression) -> String {
    match expression {
        Expression::Bool(value) => value.to_string(),
        Expression::Int(value) => value.to_string(),
        Expression::Text(text) if text.contains('"') => format!("'{text}'"),
        Expression::Text(text) => format!("\"{text}\""),
        Expression::Name(parts) => parts.join("."),
        Expression::Unary(operator, inner) => format!("{}{}", unary(*operator), operand(inner, TIGHTEST)),
        Expression::Binary(operator, left, right) => {
            let own = strength(*operator);
            // Chains group to the left, implication to the right; comparisons do not chain at all.
            let (left_needs, right_needs) = match own {
                1 => (own + 1, own),
                4 => (own + 1, own + 1),
                _ => (own, own + 1),
            };
            format!("{} {} {}", operand(left, left_needs), sign(*operator), operand(right, right_needs))
        }
        Expression::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(print).collect();
            format!("{}({})", name.join("."), arguments.join(", "))
        }
    }
}

const TIGHTEST: u8 = 7;

/// The expression, in brackets if it binds less than `needed`.
fn operand(expression: &Expression, needed: u8) -> String {
    let own = match expression {
        Expression::Binary(operator, ..) => strength(*operator),
        // `- 1` and `-1` print alike, so a negative number binds like a sign and its number.
        Expression::Unary(..) => TIGHTEST,
        Expression::Bool(_)
        | Expression::Int(_)
        | Expression::Text(_)
        | Expression::Name(_)
        | Expression::Call(..) => TIGHTEST + 1,
    };
    if own < needed { format!("({})", print(expression)) } else { print(expression) }
}

fn unary(operator: UnaryOperator) -> &'static str {
    match operator {
        UnaryOperator::Not => "!",
        UnaryOperator::Minus => "-",
    }
}

fn strength(operator: BinaryOperator) -> u8 {
    use BinaryOperator::*;
    match operator {
        Implies => 1,
        Or => 2,
        And => 3,
        Equal | Unequal | Less | LessEqual | Greater | GreaterEqual => 4,
        Plus | Minus => 5,
        Times | Divide | Modulo => 6,
    }
}

fn sign(operator: BinaryOperator) -> &'static str {
    use BinaryOperator::*;
    match operator {
        Or => "||",
        And => "&&",
        Implies => "=>",
        Equal => "==",
        Unequal => "!=",
        Less => "<",
        LessEqual => "<=",
        Greater => ">",
        GreaterEqual => ">=",
        Plus => "+",
        Minus => "-",
        Times => "*",
        Divide => "/",
        Modulo => "%",
    }
}

//! Expressions over attributes, parameters and states, as guards, invariants and effects use them.

use crate::source::Place;

/// A condition as the user wrote it, and its expression if it reads as one (rule I11).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Condition {
    /// The text without brackets.
    pub text: String,
    /// The text as an expression; `None` for prose, which then is a proposition of that name.
    pub expression: Option<Expression>,
    /// Where the text stands.
    pub place: Place,
}

impl Condition {
    /// Whether it names a case by its opposite, as prose: `not found` is the name of a case; the negation of
    /// `found` is written `!found` or `not (found)` (rule I11).
    pub(crate) fn is_case_of_its_own(&self) -> bool {
        let is_word = |inner: &Expression| matches!(inner, Expression::Name(parts) if parts.len() == 1);
        matches!(&self.expression, Some(Expression::Unary(UnaryOperator::Not, inner)) if is_word(inner))
            && !self.text.contains('(')
            && self.text.to_lowercase().starts_with("not")
    }
}

/// An expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Expression {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A quoted text.
    Text(String),
    /// An attribute, parameter, enumeration literal or proposition: `x`, `atm.amount`, `Color::Red` as its parts.
    Name(Vec<String>),
    /// `-x`, `!x`.
    Unary(UnaryOperator, Box<Expression>),
    /// `x + y`, `x && y`, ...
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `f(x, y)`; `in(atm, Idle)` and `inState(Idle)` are calls too.
    Call(Vec<String>, Vec<Expression>),
}

impl Expression {
    /// The first parts of the names in it: `atm` of `atm.amount`.
    pub fn elements(&self) -> Vec<&str> {
        match self {
            Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) => Vec::new(),
            Expression::Name(parts) => parts.first().map(String::as_str).into_iter().collect(),
            Expression::Unary(_, inner) => inner.elements(),
            Expression::Binary(_, left, right) => [left.elements(), right.elements()].concat(),
            Expression::Call(_, arguments) => arguments.iter().flat_map(Expression::elements).collect(),
        }
    }
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOperator {
    /// Logical negation.
    Not,
    /// Arithmetic negation.
    Minus,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOperator {
    /// `||`, `or`
    Or,
    /// `&&`, `and`
    And,
    /// `->`, `implies`
    Implies,
    /// `==`, `=`
    Equal,
    /// `!=`, `<>`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Divide,
    /// `%`, `mod`
    Modulo,
}

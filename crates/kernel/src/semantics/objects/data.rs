//! Data: the types of attributes and parameters, and expressions as terms (rules M2, M4).
//!
//! Values are numbers: 0 and 1 for false and true, the number itself for a range, the position of a literal in its enumeration, the
//! position of an object counted from 1, 0 for none. An expression that speaks of something unknown is no error here: a guard
//! in prose is one that is decided freely.

use std::collections::BTreeMap;
use std::fmt;

use super::structure::{InstanceId, Structure};
use crate::id::Id;
use crate::model::{BinaryOperator, ClassKind, Expression, Model, UnaryOperator};
use crate::system::{ArithmeticOperation, TermId, Terms};

/// The default range of `int`.
pub const PLAIN_INT: (i32, i32) = (-8, 7);

/// At most this many values of the arguments of a message, or of an unknown assignment, are distinguished.
pub(crate) const MOST_VALUES: i64 = 256;

/// What values something may have.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ValueType {
    /// True or false.
    Bool,
    /// A number from the first to the second.
    Range(i32, i32),
    /// A literal of the enumeration of this name.
    Enumeration(String),
    /// An object, or none.
    Object,
}

/// The enumerations of a model by name, with their literals.
pub type Enumerations = BTreeMap<String, Vec<String>>;

/// The enumerations of a model.
pub fn enumerations(model: &Model) -> Enumerations {
    let all = model.classes.iter().filter(|class| class.kind == ClassKind::Enumeration);
    all.map(|class| (class.name.clone(), class.literals.clone())).collect()
}

/// Whether a type is that of numbers without bounds.
pub(super) fn is_unbounded(name: &str) -> bool {
    let words = ["int", "integer", "nat", "natural", "unsigned", "uint"];
    words.iter().any(|word| name.trim().eq_ignore_ascii_case(word))
}

impl ValueType {
    /// The type of this name: `bool`, `0..7`, `int`, `nat`, an enumeration, a class.
    pub fn named(
        name: &str,
        enumerations: &Enumerations,
        is_class: impl Fn(&str) -> bool,
    ) -> Option<ValueType> {
        let name = name.trim();
        let word = name.to_ascii_lowercase();
        if let Some((low, high)) = name.trim_matches(['[', ']', '(', ')']).split_once("..") {
            let [low, high] = [low, high].map(|bound| bound.trim().parse().ok());
            return match (low, high) {
                (Some(low), Some(high)) if low <= high => Some(ValueType::Range(low, high)),
                _ => None,
            };
        }
        match word.as_str() {
            "bool" | "boolean" => Some(ValueType::Bool),
            "int" | "integer" => Some(ValueType::Range(PLAIN_INT.0, PLAIN_INT.1)),
            "nat" | "natural" | "unsigned" | "uint" => Some(ValueType::Range(0, PLAIN_INT.1)),
            "bit" => Some(ValueType::Range(0, 1)),
            _ if enumerations.contains_key(name) => Some(ValueType::Enumeration(name.to_owned())),
            _ if is_class(name) => Some(ValueType::Object),
            _ => None,
        }
    }

    /// Least and greatest value.
    pub fn bounds(&self, enumerations: &Enumerations, objects: usize) -> (i32, i32) {
        match self {
            ValueType::Bool => (0, 1),
            ValueType::Range(low, high) => (*low, *high),
            ValueType::Enumeration(name) => {
                (0, enumerations.get(name).map_or(0, |all| all.len() as i32 - 1).max(0))
            }
            ValueType::Object => (0, objects as i32),
        }
    }

    /// The value of what nothing is written about: 0, or the least one where 0 is none of them.
    pub fn first(&self, enumerations: &Enumerations, objects: usize) -> i32 {
        let (low, high) = self.bounds(enumerations, objects);
        if (low..=high).contains(&0) { 0 } else { low }
    }

    /// The value that a text stands for, as it is written in a class or an object; `None` for all but one literal. What has no value here is
    /// reported (E611), and is no value at all: there is no other reader of first values.
    pub fn constant(&self, text: &str, enumerations: &Enumerations, structure: &Structure) -> Option<i32> {
        let text = text.trim().trim_end_matches(';').trim_end();
        let text = text.strip_prefix('"').and_then(|inside| inside.strip_suffix('"')).unwrap_or(text);
        match self {
            ValueType::Bool => match text.to_ascii_lowercase().as_str() {
                "true" | "1" => Some(1),
                "false" | "0" => Some(0),
                _ => None,
            },
            ValueType::Range(low, high) => text.parse().ok().filter(|value| (*low..=*high).contains(value)),
            ValueType::Enumeration(name) => {
                let (path, literal) = text.rsplit_once(['.', ':']).unwrap_or(("", text));
                let owner = path.trim_end_matches(':').rsplit(['.', ':']).next().unwrap_or(path);
                let at = enumerations.get(name)?.iter().position(|known| known == literal)?;
                (owner.is_empty() || owner == name).then_some(at as i32)
            }
            ValueType::Object => match text {
                "none" | "null" | "nil" => Some(0),
                name => structure
                    .objects
                    .enumerate()
                    .find(|(_, one)| one.name == name)
                    .map(|(id, _)| reference(id)),
            },
        }
    }

    /// A value as it is written in a diagram.
    pub fn text(&self, value: i32, enumerations: &Enumerations, structure: &Structure) -> String {
        match self {
            ValueType::Bool => (value != 0).to_string(),
            ValueType::Range(..) => value.to_string(),
            ValueType::Enumeration(name) => {
                let literal = enumerations.get(name).and_then(|all| all.get(value as usize));
                literal.cloned().unwrap_or_else(|| value.to_string())
            }
            ValueType::Object => match value {
                0 => "none".to_owned(),
                value => structure
                    .objects
                    .iter()
                    .nth(value as usize - 1)
                    .map_or_else(String::new, |one| one.name.clone()),
            },
        }
    }
}

/// What stands for a parameter in a trigger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgumentPattern<'t> {
    /// A name, for whatever value comes.
    Name,
    /// This value is waited for: `result(false)`, `result(ok = false)`.
    Value(i32),
    /// What is waited for is no value of the parameter.
    Never(&'t str),
}

/// Reads what stands for a parameter of a type in a trigger.
pub fn pattern<'t>(
    text: &'t str,
    kind: &ValueType,
    enumerations: &Enumerations,
    structure: &Structure,
) -> ArgumentPattern<'t> {
    let wanted = text.split_once('=').map(|(_, wanted)| wanted.trim_start_matches('=').trim());
    let value = kind.constant(wanted.unwrap_or(text), enumerations, structure);
    match (wanted, value) {
        (Some(_), Some(value)) => ArgumentPattern::Value(value),
        (Some(wanted), None) => ArgumentPattern::Never(wanted),
        (None, Some(value)) if *kind != ValueType::Object => ArgumentPattern::Value(value),
        (None, _) if is_literal(text, enumerations) => ArgumentPattern::Never(text),
        (None, _) => ArgumentPattern::Name,
    }
}

/// Whether a text is a value of some type, and no name.
pub(crate) fn is_literal(text: &str, enumerations: &Enumerations) -> bool {
    let text = text.trim();
    text.parse::<i64>().is_ok()
        || ["true", "false"].contains(&text)
        || enumerations.values().flatten().any(|literal| literal == text)
}

/// The value of a reference to an object.
pub(crate) fn reference(object: InstanceId) -> i32 {
    object.index() as i32 + 1
}

/// A term and what it may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typed {
    /// Its value.
    pub term: TermId,
    /// Its type; the range of a number is as narrow as is easily seen.
    pub kind: ValueType,
}

/// Why an expression has no value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unfit {
    /// No value is known for this.
    Unknown(UnknownPart),
    /// This is used as something that it is not: what was found, and what is wanted.
    Mismatch(String),
}

/// A part of an expression for which no value is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnknownPart {
    /// A name, by its parts.
    Name(Vec<String>),
    /// A call of an operation, by the parts of its name.
    Call(Vec<String>),
    /// A text.
    Text(String),
}

impl fmt::Display for UnknownPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownPart::Name(path) => write!(f, "{}", path.join(".")),
            UnknownPart::Call(path) => write!(f, "{}(..)", path.join(".")),
            UnknownPart::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

/// The scope that resolves the names of an expression.
pub trait ExpressionScope {
    /// The terms that are built.
    fn terms(&mut self) -> &mut Terms;

    /// The value of a name: an attribute, a parameter, a literal, an object.
    fn name(&mut self, path: &[String]) -> Option<Typed>;

    /// The value of a call: `in(atm, Idle)`, `inState(Idle)`.
    fn call(&mut self, path: &[String], arguments: &[Expression]) -> Option<Typed>;
}

/// The value of an expression.
pub fn evaluate(expression: &Expression, scope: &mut dyn ExpressionScope) -> Result<Typed, Unfit> {
    match expression {
        Expression::Bool(value) => Ok(Typed { term: scope.terms().truth(*value), kind: ValueType::Bool }),
        Expression::Int(value) => {
            let value =
                i32::try_from(*value).map_err(|_| Unfit::Mismatch(format!("{value} is too large")))?;
            Ok(Typed { term: scope.terms().constant(value), kind: ValueType::Range(value, value) })
        }
        Expression::Text(text) => Err(Unfit::Unknown(UnknownPart::Text(text.clone()))),
        Expression::Name(path) => {
            scope.name(path).ok_or_else(|| Unfit::Unknown(UnknownPart::Name(path.clone())))
        }
        Expression::Call(path, arguments) => {
            scope.call(path, arguments).ok_or_else(|| Unfit::Unknown(UnknownPart::Call(path.clone())))
        }
        Expression::Unary(UnaryOperator::Not, part) => {
            let part = truth(part, scope)?;
            Ok(Typed { term: scope.terms().not(part), kind: ValueType::Bool })
        }
        Expression::Unary(UnaryOperator::Minus, part) => {
            let zero = Expression::Int(0);
            arithmetic(ArithmeticOperation::Minus, &zero, part, scope)
        }
        Expression::Binary(operator, left, right) => binary(*operator, left, right, scope),
    }
}

/// The parts of an expression for which no value is known, each once.
pub(crate) fn unknowns(expression: &Expression, scope: &mut dyn ExpressionScope) -> Vec<UnknownPart> {
    let mut found = Vec::new();
    let mut open = vec![expression];
    while let Some(part) = open.pop() {
        let unknown = match part {
            Expression::Bool(_) | Expression::Int(_) => None,
            Expression::Text(text) => Some(UnknownPart::Text(text.clone())),
            Expression::Name(path) => scope.name(path).is_none().then(|| UnknownPart::Name(path.clone())),
            Expression::Call(path, arguments) => {
                scope.call(path, arguments).is_none().then(|| UnknownPart::Call(path.clone()))
            }
            Expression::Unary(_, part) => {
                open.push(part);
                None
            }
            Expression::Binary(_, left, right) => {
                open.extend([right, left].map(|part| &**part));
                None
            }
        };
        if let Some(unknown) = unknown.filter(|one| !found.contains(one)) {
            found.push(unknown);
        }
    }
    found
}

/// The value of a condition.
pub fn truth(expression: &Expression, scope: &mut dyn ExpressionScope) -> Result<TermId, Unfit> {
    let Typed { term, kind } = evaluate(expression, scope)?;
    match kind {
        ValueType::Bool => Ok(term),
        ValueType::Range(0 | 1, 0 | 1) => Ok(term),
        ValueType::Range(..) => Err(Unfit::Mismatch("a number is not a condition".to_owned())),
        ValueType::Enumeration(name) => Err(Unfit::Mismatch(format!("a value of {name} is not a condition"))),
        ValueType::Object => Err(Unfit::Mismatch("an object is not a condition".to_owned())),
    }
}

fn binary(
    operator: BinaryOperator,
    left: &Expression,
    right: &Expression,
    scope: &mut dyn ExpressionScope,
) -> Result<Typed, Unfit> {
    match operator {
        BinaryOperator::Or | BinaryOperator::And | BinaryOperator::Implies => {
            let [left, right] = [truth(left, scope)?, truth(right, scope)?];
            let terms = scope.terms();
            let term = match operator {
                BinaryOperator::And => terms.and([left, right]),
                BinaryOperator::Or => terms.or([left, right]),
                _ => {
                    let not = terms.not(left);
                    terms.or([not, right])
                }
            };
            Ok(Typed { term, kind: ValueType::Bool })
        }
        BinaryOperator::Equal => equality(left, right, scope),
        BinaryOperator::Unequal => {
            let equal = equality(left, right, scope)?.term;
            Ok(Typed { term: scope.terms().not(equal), kind: ValueType::Bool })
        }
        BinaryOperator::Less => comparison(left, right, false, scope),
        BinaryOperator::Greater => comparison(right, left, false, scope),
        BinaryOperator::LessEqual => comparison(right, left, true, scope),
        BinaryOperator::GreaterEqual => comparison(left, right, true, scope),
        BinaryOperator::Plus => arithmetic(ArithmeticOperation::Plus, left, right, scope),
        BinaryOperator::Minus => arithmetic(ArithmeticOperation::Minus, left, right, scope),
        BinaryOperator::Times => arithmetic(ArithmeticOperation::Times, left, right, scope),
        BinaryOperator::Divide => arithmetic(ArithmeticOperation::Divide, left, right, scope),
        BinaryOperator::Modulo => arithmetic(ArithmeticOperation::Modulo, left, right, scope),
    }
}

/// Whether two values are the same; they must be of one kind.
fn equality(left: &Expression, right: &Expression, scope: &mut dyn ExpressionScope) -> Result<Typed, Unfit> {
    let [left, right] = [evaluate(left, scope)?, evaluate(right, scope)?];
    if !left.kind.is_comparable(&right.kind) {
        let [left, right] = [left.kind.describe(), right.kind.describe()];
        return Err(Unfit::Mismatch(format!("{left} is compared with {right}")));
    }
    Ok(Typed { term: scope.terms().equal(left.term, right.term), kind: ValueType::Bool })
}

impl ValueType {
    /// Whether values of both may be the same.
    pub(crate) fn is_comparable(&self, other: &ValueType) -> bool {
        match (self, other) {
            (ValueType::Enumeration(one), ValueType::Enumeration(other)) => one == other,
            (ValueType::Bool, ValueType::Range(0 | 1, 0 | 1))
            | (ValueType::Range(0 | 1, 0 | 1), ValueType::Bool) => true,
            (ValueType::Bool, ValueType::Bool)
            | (ValueType::Range(..), ValueType::Range(..))
            | (ValueType::Object, ValueType::Object) => true,
            (ValueType::Bool | ValueType::Range(..) | ValueType::Enumeration(_) | ValueType::Object, _) => {
                false
            }
        }
    }

    /// What it is, in words.
    pub fn describe(&self) -> String {
        match self {
            ValueType::Bool => "a truth value".to_owned(),
            ValueType::Range(..) => "a number".to_owned(),
            ValueType::Enumeration(name) => format!("a value of {name}"),
            ValueType::Object => "an object".to_owned(),
        }
    }
}

/// Whether the first is less than the second, or the negation of that.
fn comparison(
    left: &Expression,
    right: &Expression,
    is_not: bool,
    scope: &mut dyn ExpressionScope,
) -> Result<Typed, Unfit> {
    let [(left, _), (right, _)] = [number(left, scope)?, number(right, scope)?];
    let terms = scope.terms();
    let less = terms.less(left, right);
    let term = if is_not { terms.not(less) } else { less };
    Ok(Typed { term, kind: ValueType::Bool })
}

fn arithmetic(
    operation: ArithmeticOperation,
    left: &Expression,
    right: &Expression,
    scope: &mut dyn ExpressionScope,
) -> Result<Typed, Unfit> {
    let [(left, one), (right, other)] = [number(left, scope)?, number(right, scope)?];
    let corners = [(one.0, other.0), (one.0, other.1), (one.1, other.0), (one.1, other.1)];
    let results = corners.map(|(a, b)| operation.apply(a, b));
    let (low, high) = match operation {
        ArithmeticOperation::Plus | ArithmeticOperation::Minus | ArithmeticOperation::Times => {
            (results.into_iter().min().unwrap_or(0), results.into_iter().max().unwrap_or(0))
        }
        ArithmeticOperation::Divide => {
            let largest = largest(one);
            (if one.0 < 0 || other.0 < 0 { -largest } else { 0 }, largest)
        }
        ArithmeticOperation::Modulo => {
            // What is left over is less than the divisor, and has the sign of what is divided.
            let most = largest(one).min(largest(other).saturating_sub(1).max(0));
            (if one.0 < 0 { -most } else { 0 }, if one.1 > 0 { most } else { 0 })
        }
    };
    Ok(Typed { term: scope.terms().number(operation, left, right), kind: ValueType::Range(low, high) })
}

/// The largest of a range, without regard to the sign.
fn largest(range: (i32, i32)) -> i32 {
    range.0.saturating_abs().max(range.1.saturating_abs())
}

/// A number and its range.
fn number(expression: &Expression, scope: &mut dyn ExpressionScope) -> Result<(TermId, (i32, i32)), Unfit> {
    let Typed { term, kind } = evaluate(expression, scope)?;
    match kind {
        ValueType::Range(low, high) => Ok((term, (low, high))),
        ValueType::Bool | ValueType::Enumeration(_) | ValueType::Object => {
            Err(Unfit::Mismatch(format!("{} is used as a number", kind.describe())))
        }
    }
}

/// Whether an expression uses a name of one word.
pub(super) fn mentions(expression: &Expression, name: &str) -> bool {
    match expression {
        Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) => false,
        Expression::Name(path) => path.as_slice() == [name],
        Expression::Unary(_, part) => mentions(part, name),
        Expression::Binary(_, left, right) => mentions(left, name) || mentions(right, name),
        Expression::Call(_, parts) => parts.iter().any(|part| mentions(part, name)),
    }
}

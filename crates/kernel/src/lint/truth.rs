//! Whether some conditions can be true together.
//!
//! The conditions are tried on all combinations of the values that matter. A number matters by its place among the
//! constants it is compared with, so each variable takes every constant and, between and beside them, as many values as
//! there are variables: enough for any order among them (numbers are dense here: `x > 1 and x < 2` can be true). Texts and
//! enumeration literals can only be equal or not: each of them and as many others as there are variables. What is not
//! understood (functions, arithmetic on variables) counts as a truth of its own that may be either. Where kinds clash or
//! there is too much to try, the answer is yes: only a `false` says anything.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{BinaryOperator, Condition, Expression, UnaryOperator};

/// A condition that holds or fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TruthClaim<'a> {
    /// The condition.
    pub condition: &'a Condition,
    /// Whether it holds.
    pub holds: bool,
}

/// More combinations are not tried.
const MOST_COMBINATIONS: usize = 20_000;

/// Larger expressions are not looked at.
const MOST_PARTS: usize = 200;

/// Whether all claims can be true together; `true` if that is not decided.
pub(crate) fn is_satisfiable(claims: &[TruthClaim]) -> bool {
    let needs = ConditionNames::of(claims.iter().map(|claim| claim.condition));
    let Some(domains) = needs.domains() else { return true };
    let mut chosen = vec![0; domains.len()];
    loop {
        let values = domains.iter().zip(&chosen).map(|((name, domain), at)| (*name, domain[*at])).collect();
        if claims.iter().all(|claim| holds(claim.condition, &values) == claim.holds) {
            return true;
        }
        // The next combination, as a counter is turned.
        let Some(turned) = (0..domains.len()).find(|at| chosen[*at] + 1 < domains[*at].1.len()) else {
            return false;
        };
        chosen[..turned].fill(0);
        chosen[turned] += 1;
    }
}

/// Whether two conditions have a name in common.
pub(crate) fn share_a_name(one: &Condition, other: &Condition) -> bool {
    let names = |condition| {
        ConditionNames::of([condition].into_iter()).kinds.into_keys().collect::<BTreeSet<TruthName>>()
    };
    !names(one).is_disjoint(&names(other))
}

/// What has a value: a variable by its parts, a proposition in prose, or something not understood.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum TruthName<'a> {
    Variable(&'a [String]),
    Prose(&'a str),
    Unknown(&'a Expression),
}

/// What values a name takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum NameKind {
    Truth,
    Number,
    Symbol,
    /// Only compared with other names so far.
    Open,
    /// Used as two different kinds.
    Clash,
}

/// One value. Numbers are places among the constants, finer than these by the number of variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum TruthValue<'a> {
    Truth(bool),
    Number { whole: i64, fine: i64 },
    Symbol(&'a [String]),
    Text(&'a str),
    Other(usize),
}

type TruthValues<'a> = BTreeMap<TruthName<'a>, TruthValue<'a>>;

/// One side of a comparison.
enum ComparisonSide<'a> {
    Constant(TruthValue<'a>),
    Variable(&'a [String]),
    Unknown,
}

/// The names in some conditions and the constants they are compared with.
#[derive(Default)]
struct ConditionNames<'a> {
    kinds: BTreeMap<TruthName<'a>, NameKind>,
    constants: BTreeSet<TruthValue<'a>>,
    parts: usize,
}

impl<'a> ConditionNames<'a> {
    fn of(conditions: impl Iterator<Item = &'a Condition> + Clone) -> Self {
        let mut needs = ConditionNames::default();
        loop {
            let before = needs.kinds.clone();
            needs.parts = 0;
            conditions.clone().for_each(|condition| needs.condition(condition));
            // Names that are compared with each other are of one kind; it may be known only further on.
            if needs.kinds == before {
                return needs;
            }
        }
    }

    fn condition(&mut self, condition: &'a Condition) {
        match &condition.expression {
            Some(expression) => self.truth(expression),
            None => self.needs(TruthName::Prose(&condition.text), NameKind::Truth),
        }
    }

    /// A name is used as this kind.
    fn needs(&mut self, name: TruthName<'a>, kind: NameKind) {
        let known = self.kinds.entry(name).or_insert(kind);
        *known = match (*known, kind) {
            (NameKind::Open, kind) | (kind, NameKind::Open) => kind,
            (one, other) if one == other => one,
            (NameKind::Truth | NameKind::Number | NameKind::Symbol | NameKind::Clash, _) => NameKind::Clash,
        };
    }

    /// An expression that is true or false.
    fn truth(&mut self, expression: &'a Expression) {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return;
        }
        match expression {
            Expression::Bool(_) => {}
            Expression::Name(parts) => self.needs(TruthName::Variable(parts), NameKind::Truth),
            Expression::Unary(UnaryOperator::Not, inner) => self.truth(inner),
            Expression::Binary(operator, left, right) => match comparison(*operator) {
                None if is_logic(*operator) => {
                    self.truth(left);
                    self.truth(right);
                }
                None => self.needs(TruthName::Unknown(expression), NameKind::Truth),
                Some(_) => self.compared(expression, *operator, left, right),
            },
            Expression::Int(_)
            | Expression::Text(_)
            | Expression::Unary(UnaryOperator::Minus, _)
            | Expression::Call(..) => self.needs(TruthName::Unknown(expression), NameKind::Truth),
        }
    }

    fn compared(
        &mut self,
        whole: &'a Expression,
        operator: BinaryOperator,
        left: &'a Expression,
        right: &'a Expression,
    ) {
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::Unequal);
        let (one, other) = (side(left, right), side(right, left));
        match (one, other) {
            (ComparisonSide::Constant(value), ComparisonSide::Variable(name))
            | (ComparisonSide::Variable(name), ComparisonSide::Constant(value)) => {
                let kind = match value {
                    TruthValue::Number { .. } => NameKind::Number,
                    TruthValue::Truth(_) if is_equality => NameKind::Truth,
                    TruthValue::Symbol(_) | TruthValue::Text(_) | TruthValue::Other(_) if is_equality => {
                        NameKind::Symbol
                    }
                    TruthValue::Truth(_)
                    | TruthValue::Symbol(_)
                    | TruthValue::Text(_)
                    | TruthValue::Other(_) => NameKind::Clash,
                };
                self.needs(TruthName::Variable(name), kind);
                self.constants.insert(value);
            }
            (ComparisonSide::Variable(one), ComparisonSide::Variable(other)) => {
                let kind = if is_equality { NameKind::Open } else { NameKind::Number };
                for (name, partner) in [(one, other), (other, one)] {
                    let known = self.kinds.get(&TruthName::Variable(partner)).copied();
                    self.needs(TruthName::Variable(name), known.filter(|_| is_equality).unwrap_or(kind));
                }
            }
            // Two constants of one kind are compared as they are.
            (
                ComparisonSide::Constant(TruthValue::Number { .. }),
                ComparisonSide::Constant(TruthValue::Number { .. }),
            ) => {}
            (ComparisonSide::Constant(_), ComparisonSide::Constant(_)) => {
                self.needs(TruthName::Unknown(whole), NameKind::Clash)
            }
            (ComparisonSide::Unknown, _) | (_, ComparisonSide::Unknown) => {
                self.needs(TruthName::Unknown(whole), NameKind::Truth)
            }
        }
    }

    /// The values to try for each name; `None` if they are unknown or too many.
    fn domains(&self) -> Option<Vec<(TruthName<'a>, Vec<TruthValue<'a>>)>> {
        let count = i64::try_from(self.kinds.len()).ok()?;
        let mut combinations = 1_usize;
        let mut domains = Vec::new();
        for (name, kind) in &self.kinds {
            let domain = match kind {
                NameKind::Truth => vec![TruthValue::Truth(false), TruthValue::Truth(true)],
                NameKind::Number => self.numbers(count),
                NameKind::Symbol | NameKind::Open => self.symbols(self.kinds.len()),
                NameKind::Clash => return None,
            };
            combinations = combinations.checked_mul(domain.len())?;
            domains.push((*name, domain));
        }
        (combinations <= MOST_COMBINATIONS && self.parts <= MOST_PARTS).then_some(domains)
    }

    fn numbers(&self, count: i64) -> Vec<TruthValue<'a>> {
        let constant = |value: &TruthValue| match value {
            TruthValue::Number { whole, .. } => Some(*whole),
            TruthValue::Truth(_) | TruthValue::Symbol(_) | TruthValue::Text(_) | TruthValue::Other(_) => None,
        };
        let mut wholes: Vec<i64> = self.constants.iter().filter_map(constant).collect();
        if wholes.is_empty() {
            wholes.push(0);
        }
        let least = wholes[0].saturating_sub(1);
        let below = (1..=count).map(|fine| TruthValue::Number { whole: least, fine });
        let above = wholes
            .iter()
            .flat_map(|whole| (0..=count).map(|fine| TruthValue::Number { whole: *whole, fine }));
        below.chain(above).collect()
    }

    fn symbols(&self, count: usize) -> Vec<TruthValue<'a>> {
        let is_symbol = |value: &&TruthValue| matches!(value, TruthValue::Symbol(_) | TruthValue::Text(_));
        let named = self.constants.iter().filter(is_symbol).copied();
        named.chain((0..count).map(TruthValue::Other)).collect()
    }
}

/// How a comparison looks at the order of its sides.
fn comparison(operator: BinaryOperator) -> Option<fn(std::cmp::Ordering) -> bool> {
    match operator {
        BinaryOperator::Equal => Some(std::cmp::Ordering::is_eq),
        BinaryOperator::Unequal => Some(std::cmp::Ordering::is_ne),
        BinaryOperator::Less => Some(std::cmp::Ordering::is_lt),
        BinaryOperator::LessEqual => Some(std::cmp::Ordering::is_le),
        BinaryOperator::Greater => Some(std::cmp::Ordering::is_gt),
        BinaryOperator::GreaterEqual => Some(std::cmp::Ordering::is_ge),
        BinaryOperator::Or
        | BinaryOperator::And
        | BinaryOperator::Implies
        | BinaryOperator::Plus
        | BinaryOperator::Minus
        | BinaryOperator::Times
        | BinaryOperator::Divide
        | BinaryOperator::Modulo => None,
    }
}

fn is_logic(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::Or | BinaryOperator::And | BinaryOperator::Implies)
}

/// What stands on one side of a comparison, seen from the other.
fn side<'a>(expression: &'a Expression, other: &Expression) -> ComparisonSide<'a> {
    match expression {
        Expression::Bool(value) => ComparisonSide::Constant(TruthValue::Truth(*value)),
        Expression::Int(whole) => ComparisonSide::Constant(TruthValue::Number { whole: *whole, fine: 0 }),
        Expression::Text(text) => ComparisonSide::Constant(TruthValue::Text(text)),
        Expression::Name(parts) if is_literal(parts, other) => {
            ComparisonSide::Constant(TruthValue::Symbol(parts))
        }
        Expression::Name(parts) => ComparisonSide::Variable(parts),
        Expression::Unary(UnaryOperator::Minus, inner) => match **inner {
            Expression::Int(whole) => {
                ComparisonSide::Constant(TruthValue::Number { whole: whole.saturating_neg(), fine: 0 })
            }
            Expression::Bool(_)
            | Expression::Text(_)
            | Expression::Name(_)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Call(..) => ComparisonSide::Unknown,
        },
        Expression::Unary(UnaryOperator::Not, _) | Expression::Binary(..) | Expression::Call(..) => {
            ComparisonSide::Unknown
        }
    }
}

/// `Red` in `colour == Red`: a name with a capital beside one without is an enumeration literal.
fn is_literal(parts: &[String], other: &Expression) -> bool {
    let is_capital =
        |parts: &[String]| parts.last().and_then(|name| name.chars().next()).is_some_and(char::is_uppercase);
    match other {
        Expression::Name(other) => is_capital(parts) && !is_capital(other),
        Expression::Bool(_)
        | Expression::Int(_)
        | Expression::Text(_)
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Call(..) => false,
    }
}

fn holds(condition: &Condition, values: &TruthValues) -> bool {
    match &condition.expression {
        Some(expression) => is_true(expression, values),
        None => values.get(&TruthName::Prose(&condition.text)) == Some(&TruthValue::Truth(true)),
    }
}

fn is_true(expression: &Expression, values: &TruthValues) -> bool {
    let chosen = |name| values.get(&name) == Some(&TruthValue::Truth(true));
    match expression {
        Expression::Bool(value) => *value,
        Expression::Name(parts) => chosen(TruthName::Variable(parts)),
        Expression::Unary(UnaryOperator::Not, inner) => !is_true(inner, values),
        Expression::Binary(operator, left, right) => match operator {
            BinaryOperator::Or => is_true(left, values) || is_true(right, values),
            BinaryOperator::And => is_true(left, values) && is_true(right, values),
            BinaryOperator::Implies => !is_true(left, values) || is_true(right, values),
            BinaryOperator::Equal
            | BinaryOperator::Unequal
            | BinaryOperator::Less
            | BinaryOperator::LessEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEqual
            | BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Times
            | BinaryOperator::Divide
            | BinaryOperator::Modulo => {
                let value = |expression, other| match side(expression, other) {
                    ComparisonSide::Constant(value) => Some(value),
                    ComparisonSide::Variable(name) => values.get(&TruthName::Variable(name)).copied(),
                    ComparisonSide::Unknown => None,
                };
                match (comparison(*operator), value(left, right), value(right, left)) {
                    (Some(accepts), Some(left), Some(right)) => accepts(left.cmp(&right)),
                    (Some(_) | None, _, _) => chosen(TruthName::Unknown(expression)),
                }
            }
        },
        Expression::Int(_)
        | Expression::Text(_)
        | Expression::Unary(UnaryOperator::Minus, _)
        | Expression::Call(..) => chosen(TruthName::Unknown(expression)),
    }
}

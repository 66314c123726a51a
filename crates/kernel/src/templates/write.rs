//! Building formulas: connectives that simplify constants, and the few shapes all templates are made of.
//!
//! Long conjunctions are balanced, so that nothing that walks over a formula goes deep.

use super::condition::RigidCondition;
use super::tree::{OccurrenceId, Requirement, TemplateTree};
use super::{TemplateWriter, Tense};
use crate::formula::{Atom, Binary, Formula, FormulaNode, FormulaWord, Unary};
use crate::source::Place;

/// A constant.
pub(super) fn truth(value: bool, place: Place) -> Formula {
    Formula { node: FormulaNode::Constant(value), place }
}

fn constant(formula: &Formula) -> Option<bool> {
    match formula.node {
        FormulaNode::Constant(value) => Some(value),
        FormulaNode::Atom(_) | FormulaNode::Unary(..) | FormulaNode::Binary(..) => None,
    }
}

fn atom(atom: Atom, place: Place) -> Formula {
    Formula { node: FormulaNode::Atom(atom), place }
}

/// The event of exactly this text.
pub(super) fn exact(text: &str, place: Place) -> Formula {
    atom(Atom::Exactly(FormulaWord { text: text.to_owned(), place }), place)
}

/// A rigid proposition.
pub(super) fn name(text: &str, place: Place) -> Formula {
    atom(Atom::Name(FormulaWord { text: text.to_owned(), place }), place)
}

/// An operator with one operand.
pub(super) fn unary(operator: Unary, part: Formula) -> Formula {
    let place = part.place;
    match (operator, constant(&part)) {
        (Unary::Not, Some(value)) => return truth(!value, place),
        (Unary::Not, None) => {
            if let FormulaNode::Unary(Unary::Not, inner) = part.node {
                return *inner;
            }
        }
        (Unary::Next | Unary::Finally | Unary::Globally | Unary::Once | Unary::Historically, Some(_)) => {
            return part;
        }
        (Unary::Previous | Unary::WeakPrevious, _) | (_, None) => {}
    }
    Formula { node: FormulaNode::Unary(operator, Box::new(part)), place }
}

/// An operator with two operands.
pub(super) fn binary(operator: Binary, left: Formula, right: Formula) -> Formula {
    let place = left.place;
    let simpler = match (operator, constant(&left), constant(&right)) {
        (Binary::And, Some(true), _) | (Binary::Or, Some(false), _) | (Binary::Implies, Some(true), _) => {
            Some(right.clone())
        }
        (Binary::And, _, Some(true)) | (Binary::Or, _, Some(false)) => Some(left.clone()),
        (Binary::And, Some(false), _) | (Binary::And, _, Some(false)) => Some(truth(false, place)),
        (Binary::Or, Some(true), _) | (Binary::Or, _, Some(true)) => Some(truth(true, place)),
        (Binary::Implies, Some(false), _) | (Binary::Implies, _, Some(true)) => Some(truth(true, place)),
        (Binary::Implies, _, Some(false)) => Some(not(left.clone())),
        (Binary::Iff, Some(value), _) => Some(if value { right.clone() } else { not(right.clone()) }),
        (Binary::Iff, _, Some(value)) => Some(if value { left.clone() } else { not(left.clone()) }),
        (Binary::Until | Binary::WeakUntil, _, Some(true)) => Some(truth(true, place)),
        (Binary::Until, _, Some(false)) => Some(truth(false, place)),
        (Binary::WeakUntil, _, Some(false)) => Some(globally(left.clone())),
        _ => None,
    };
    simpler.unwrap_or_else(|| Formula {
        node: FormulaNode::Binary(operator, Box::new(left), Box::new(right)),
        place,
    })
}

pub(super) fn not(part: Formula) -> Formula {
    unary(Unary::Not, part)
}

pub(super) fn next(part: Formula) -> Formula {
    unary(Unary::Next, part)
}

pub(super) fn globally(part: Formula) -> Formula {
    unary(Unary::Globally, part)
}

pub(super) fn once(part: Formula) -> Formula {
    unary(Unary::Once, part)
}

pub(super) fn implies(left: Formula, right: Formula) -> Formula {
    binary(Binary::Implies, left, right)
}

/// All of them.
pub(super) fn all(parts: Vec<Formula>, place: Place) -> Formula {
    junction(Binary::And, parts, place)
}

/// Any of them.
pub(super) fn any(parts: Vec<Formula>, place: Place) -> Formula {
    junction(Binary::Or, parts, place)
}

fn junction(operator: Binary, mut parts: Vec<Formula>, place: Place) -> Formula {
    parts.retain(|part| constant(part) != Some(operator == Binary::And));
    if parts.is_empty() {
        return truth(operator == Binary::And, place);
    }
    while parts.len() > 1 {
        let mut joined = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            joined.push(match rest.next() {
                Some(right) => binary(operator, left, right),
                None => left,
            });
        }
        parts = joined;
    }
    parts.pop().unwrap_or_else(|| truth(operator == Binary::And, place))
}

/// Exactly one of them: in one half exactly one and in the other none.
pub(super) fn exactly_one(parts: &[Formula], place: Place) -> Formula {
    match parts {
        [] => truth(false, place),
        [only] => only.clone(),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            let either = |one: &[Formula], other: &[Formula]| {
                binary(Binary::And, exactly_one(one, place), none(other.to_vec(), place))
            };
            binary(Binary::Or, either(left, right), either(right, left))
        }
    }
}

/// None of them.
pub(super) fn none(parts: Vec<Formula>, place: Place) -> Formula {
    all(parts.into_iter().map(not).collect(), place)
}

impl TemplateTree {
    /// The occurrence happens now.
    pub(super) fn happens(&self, occurrence: OccurrenceId) -> Formula {
        exact(&self.occurrences[occurrence].text, self.place)
    }

    /// None of these happens now.
    pub(super) fn quiet(&self, occurrences: &[OccurrenceId]) -> Formula {
        if !self.spend(occurrences.len()) {
            return truth(true, self.place);
        }
        none(occurrences.iter().map(|one| self.happens(*one)).collect(), self.place)
    }

    /// What a condition says.
    pub(super) fn formula(&self, condition: &RigidCondition) -> Formula {
        let Some(literals) = condition.literals() else { return truth(false, self.place) };
        let one = |(rigid, value): &(_, bool)| {
            let atom = name(&self.rigids[*rigid], self.place);
            if *value { atom } else { not(atom) }
        };
        all(literals.iter().map(one).collect(), self.place)
    }

    /// A required occurrence is over: it happens now, or has happened, or it cannot, given what is `known`.
    pub(super) fn over(&self, required: &Requirement, known: &RigidCondition) -> Formula {
        let when = required.when.without(known);
        binary(Binary::Or, once(self.happens(required.occurrence)), not(self.formula(&when)))
    }

    /// It is over, and does not happen now.
    pub(super) fn past(&self, required: &Requirement, known: &RigidCondition) -> Formula {
        let when = required.when.without(known);
        let before = unary(Unary::Previous, once(self.happens(required.occurrence)));
        binary(Binary::Or, before, not(self.formula(&when)))
    }
}

impl TemplateWriter<'_> {
    /// None of `later` happens before all of `earlier` are over: `!later U~ O earlier`, where `p U~ q` is `p U (q & p)`.
    /// Where something need not happen at all it is `!later W (O earlier | it cannot happen)`: the second part may be true
    /// from the start, where `later` happens first.
    pub(super) fn after(&self, later: &[OccurrenceId], earlier: &[Requirement]) -> Option<Formula> {
        let tree = self.tree;
        let known = RigidCondition::common(later.iter().map(|one| tree.when(*one)))?;
        let earlier: Vec<&Requirement> = earlier.iter().filter(|one| !one.when.excludes(&known)).collect();
        let is_empty = later.is_empty() || earlier.is_empty();
        if is_empty || !tree.spend(2 * later.len() + earlier.len()) {
            return None;
        }
        let is_certain = later.iter().all(|one| tree.when(*one).is_always())
            && earlier.iter().all(|one| one.when.is_always());
        let quiet = tree.quiet(later);
        let until = |over: Formula| match is_certain {
            true => binary(Binary::Until, quiet.clone(), binary(Binary::And, over, quiet.clone())),
            false => binary(Binary::WeakUntil, quiet.clone(), over),
        };
        Some(match self.wishes.tense {
            Tense::Past => match earlier[..] {
                // The first position where it is over is the one where it happens.
                [only] if only.when.without(&known).is_always() => until(tree.happens(only.occurrence)),
                _ => until(all(earlier.iter().map(|one| tree.over(one, &known)).collect(), tree.place)),
            },
            Tense::Future => {
                let one = |one: &&Requirement| {
                    implies(tree.formula(&one.when.without(&known)), until(tree.happens(one.occurrence)))
                };
                all(earlier.iter().map(one).collect(), tree.place)
            }
        })
    }
}

//! Division by zero: it has no value, so the step that asks for it breaks off (docs/objects.md, "Data").
//!
//! `and`, `or` and `implies` look at their right side only where the left one does not decide: `x != 0 and y / x > 1` is sound. A transition whose
//! guard divides by zero counts as enabled, alone among those of its source and trigger, and breaks off before anything else is done ([`ProcessStep::Sound`]).

use super::World;
use super::data::{ExpressionScope, evaluate, truth};
use super::names::VisibleNames;
use super::path::InvisiblePath;
use super::process::{BindingId, ProcessStep};
use super::structure::InstanceId;
use super::view::FaultKind;
use crate::id::Id;
use crate::model::{BinaryOperator, Expression, TransitionId};
use crate::source::Place;
use crate::system::TermId;

impl World<'_> {
    /// Divides a path: where the values of these expressions are known to exist, and where one of them divides by zero.
    pub(crate) fn sound<'e>(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        expressions: impl IntoIterator<Item = &'e Expression>,
        binding: BindingId,
        place: Place,
    ) -> [Option<InvisiblePath>; 2] {
        let divided: Vec<&Expression> = expressions.into_iter().filter(|one| divides(one)).collect();
        if divided.is_empty() {
            return [Some(path), None];
        }
        let binding = self.body(object).bindings[binding.index()].clone();
        let parts: Vec<TermId> = divided
            .into_iter()
            .map(|one| undefined(one, &mut VisibleNames::new(self, object, Some(&path), &binding)))
            .collect();
        let is_broken = self.terms.or(parts);
        let is_fine = self.terms.not(is_broken);
        let broken = self.given(&path, is_broken).map(|path| {
            let text = format!("{} divides by zero", self.structure.objects[object].name);
            InvisiblePath { fault: Some(self.fault(FaultKind::Division, text, place)), ..path }
        });
        [self.given(&path, is_fine), broken]
    }

    /// What is done first where transitions with these guards fire: nothing, unless one of them divides.
    pub(crate) fn sound_guards(
        &self,
        object: InstanceId,
        transitions: impl IntoIterator<Item = TransitionId>,
        binding: BindingId,
    ) -> Vec<ProcessStep> {
        let machine = self.body(object).machine;
        let is_divided = |id: &TransitionId| {
            let guard = machine.transitions[*id].guard.as_ref();
            guard.and_then(|guard| guard.expression.as_ref()).is_some_and(divides)
        };
        transitions.into_iter().filter(is_divided).map(|id| ProcessStep::Sound(id, binding)).collect()
    }

    /// Breaks off where the guard of a transition divides by zero.
    pub(crate) fn sound_guard(
        &mut self,
        object: InstanceId,
        path: InvisiblePath,
        transition: TransitionId,
        binding: BindingId,
    ) -> Vec<InvisiblePath> {
        let guard = self.body(object).machine.transitions[transition].guard.clone();
        let Some(guard) = guard.filter(|guard| guard.expression.as_ref().is_some_and(divides)) else {
            return vec![path];
        };
        // A guard that is decided freely has no value.
        let is_known = self.condition(object, Some(&path), &guard, binding).is_some();
        let expression = guard.expression.as_ref().filter(|_| is_known);
        self.sound(object, path, expression, binding, guard.place).into_iter().flatten().collect()
    }
}

/// Where an expression divides by zero.
pub(super) fn undefined(expression: &Expression, scope: &mut dyn ExpressionScope) -> TermId {
    let parts = match expression {
        Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) | Expression::Name(_) => Vec::new(),
        Expression::Unary(_, part) => vec![undefined(part, scope)],
        Expression::Call(_, arguments) => arguments.iter().map(|one| undefined(one, scope)).collect(),
        Expression::Binary(operator, left, right) => match operator {
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Implies => {
                vec![undefined(left, scope), undefined_behind(*operator, left, right, scope)]
            }
            BinaryOperator::Divide | BinaryOperator::Modulo => {
                let by = evaluate(right, scope).ok().map(|by| by.term);
                let is_zero = by.map(|by| {
                    let zero = scope.terms().constant(0);
                    scope.terms().equal(by, zero)
                });
                [undefined(left, scope), undefined(right, scope)].into_iter().chain(is_zero).collect()
            }
            BinaryOperator::Equal
            | BinaryOperator::Unequal
            | BinaryOperator::Less
            | BinaryOperator::LessEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEqual
            | BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Times => vec![undefined(left, scope), undefined(right, scope)],
        },
    };
    scope.terms().or(parts)
}

/// Where the right side of a connective divides by zero, and the left one leaves it to decide.
fn undefined_behind(
    operator: BinaryOperator,
    left: &Expression,
    right: &Expression,
    scope: &mut dyn ExpressionScope,
) -> TermId {
    let right = undefined(right, scope);
    let Ok(left) = truth(left, scope) else { return right };
    let is_open = if operator == BinaryOperator::Or { scope.terms().not(left) } else { left };
    scope.terms().and([is_open, right])
}

/// Whether something is divided in an expression.
pub(super) fn divides(expression: &Expression) -> bool {
    match expression {
        Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) | Expression::Name(_) => false,
        Expression::Unary(_, part) => divides(part),
        Expression::Call(_, arguments) => arguments.iter().any(divides),
        Expression::Binary(BinaryOperator::Divide | BinaryOperator::Modulo, ..) => true,
        Expression::Binary(_, left, right) => divides(left) || divides(right),
    }
}

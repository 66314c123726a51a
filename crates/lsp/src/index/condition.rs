//! What conditions and expressions say of objects.

use sequent_kernel::expression::{Condition, Expression};
use sequent_kernel::model::{Interaction, InteractionId};
use sequent_kernel::source::Span;

use super::{IndexMaker, Symbol};

impl IndexMaker<'_> {
    /// What a condition says of objects.
    pub(super) fn condition(
        &mut self,
        condition: &Condition,
        owner: ConditionOwner<'_>,
        about: Option<(InteractionId, &Interaction)>,
    ) {
        // The name of a state alone is a condition too.
        for owner in owner.names() {
            self.add_all(condition.place.0, &Symbol::Said(owner, condition.text.trim().to_owned()));
        }
        if let Some(expression) = &condition.expression {
            self.said(expression, condition.place.0, owner, about);
        }
    }

    /// What an expression in a place says of objects.
    pub(super) fn said(
        &mut self,
        expression: &Expression,
        place: Span,
        owner: ConditionOwner<'_>,
        about: Option<(InteractionId, &Interaction)>,
    ) {
        let mut open = vec![expression];
        while let Some(part) = open.pop() {
            let (named, state) = match part {
                Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) => continue,
                Expression::Unary(_, inner) => {
                    open.push(inner);
                    continue;
                }
                Expression::Binary(_, left, right) => {
                    open.extend([&**left, &**right]);
                    continue;
                }
                Expression::Name(parts) => (parts.iter().rev().nth(1), parts.last()),
                Expression::Call(path, arguments) => match arguments.as_slice() {
                    [Expression::Name(state)] => (path.iter().rev().nth(1), state.last()),
                    [Expression::Name(object), Expression::Name(state)] => (object.last(), state.last()),
                    arguments => {
                        open.extend(arguments);
                        continue;
                    }
                },
            };
            let Some(state) = state else { continue };
            if let Some(name) = named {
                self.add_all(place, &self.participant(name, about));
            }
            let owners = match named {
                Some(name) => vec![Some(name.clone())],
                None => owner.names(),
            };
            owners.into_iter().for_each(|owner| self.add_all(place, &Symbol::Said(owner, state.clone())));
        }
    }
}

/// Whose a condition is that names no object.
#[derive(Clone, Copy)]
pub(super) enum ConditionOwner<'o> {
    /// Of one of all objects.
    Nobody,
    /// Of these lifelines, or of the object whose machine it is.
    Lifelines(&'o [String]),
}

impl ConditionOwner<'_> {
    fn names(self) -> Vec<Option<String>> {
        match self {
            ConditionOwner::Nobody => vec![None],
            ConditionOwner::Lifelines(names) => names.iter().cloned().map(Some).collect(),
        }
    }
}

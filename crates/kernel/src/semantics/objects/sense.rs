//! What conditions, goals and formulas say about objects: names become predicates of the system.
//!
//! `amount` is an attribute of one of those who are spoken about, `atm.amount` that of another; `Idle`, `in(atm, Idle)`,
//! `atm.Idle` and `inState(Idle)` say that an object is in a state. A name that only one object of the whole system knows
//! needs no more words.

use std::collections::BTreeSet;

use super::data::{ExpressionScope, Typed, Unfit, ValueType, reference, truth};
use super::names::is_state_call;
use super::structure::InstanceId;
use super::view::Objects;
use crate::model::{Condition, Expression, Model};
use crate::system::{TermId, Terms};

/// What a condition of a diagram is to the objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sense {
    /// A predicate of the system.
    Holds(TermId),
    /// Nothing: words of which no object knows any.
    Nothing,
}

/// How states are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Manner {
    /// As they are.
    Exact,
    /// As goals: an object whose only remaining step is to reach a state counts as being there (P4, D26 and
    /// D27).
    Goal,
}

impl Objects {
    /// What an expression says, seen from some objects.
    pub fn predicate(
        &mut self,
        model: &Model,
        own: &[InstanceId],
        expression: &Expression,
        manner: Manner,
    ) -> Result<TermId, Unfit> {
        truth(expression, &mut Speaker { objects: self, model, own, near: &[], manner })
    }

    /// What a condition says that is drawn on the lifelines of some objects: it is asked of these, and means others nearby, or elsewhere, where only
    /// one of them has what it names. Prose says nothing, unless it is the name of a state; words that objects know must make sense.
    pub fn condition(
        &mut self,
        model: &Model,
        own: &[InstanceId],
        near: &[InstanceId],
        condition: &Condition,
    ) -> Result<Sense, Unfit> {
        let mut speaker = Speaker { objects: self, model, own, near, manner: Manner::Exact };
        if let Some(term) = speaker.own_state(&condition.text).or_else(|| speaker.near_state(&condition.text))
        {
            return Ok(Sense::Holds(term));
        }
        let Some(expression) = &condition.expression else { return Ok(Sense::Nothing) };
        match truth(expression, &mut speaker) {
            Ok(term) => Ok(Sense::Holds(term)),
            Err(unfit) if speaker.knows_some(expression) => Err(unfit),
            Err(_) => Ok(Sense::Nothing),
        }
    }

    /// The objects that have an attribute or a state of a name.
    pub fn knowing(&mut self, model: &Model, name: &str) -> Vec<InstanceId> {
        let all: Vec<InstanceId> = self.structure.objects.ids().collect();
        let knows = |id: &InstanceId| {
            self.attribute(*id, name).is_some() || self.in_state(model, *id, name).is_some()
        };
        all.into_iter().filter(knows).collect()
    }

    /// The object that is called so: by its name, or as the only one of its class.
    pub fn called(&self, name: &str) -> Option<InstanceId> {
        let lower = name.to_lowercase();
        let only = |fits: &dyn Fn(InstanceId) -> bool| {
            let mut all = self.structure.objects.ids().filter(|id| fits(*id));
            let (one, more) = (all.next(), all.next());
            one.filter(|_| more.is_none())
        };
        self.named(name)
            .or_else(|| only(&|id| self.structure.objects[id].name.to_lowercase() == lower))
            .or_else(|| only(&|id| self.structure.objects[id].kinds.contains(&lower)))
    }
}

/// The scope of a condition about objects.
struct Speaker<'s> {
    objects: &'s mut Objects,
    model: &'s Model,
    /// Those who are spoken about.
    own: &'s [InstanceId],
    /// Those who are spoken about where none of these has what is named.
    near: &'s [InstanceId],
    manner: Manner,
}

impl Speaker<'_> {
    fn state(&mut self, object: InstanceId, name: &str) -> Option<TermId> {
        match self.manner {
            Manner::Exact => self.objects.in_state(self.model, object, name),
            Manner::Goal => self.objects.in_goal(self.model, object, name),
        }
    }

    /// That those of the own objects that have a state are in it.
    fn own_state(&mut self, name: &str) -> Option<TermId> {
        let states: Vec<TermId> = self.own.iter().filter_map(|object| self.state(*object, name)).collect();
        (!states.is_empty()).then(|| self.objects.system.terms.and(states))
    }

    /// The attribute of this name of those who are spoken about, if only one of them has it.
    fn own_attribute(&mut self, name: &str) -> Option<Typed> {
        match self.attributes(self.own, name).as_slice() {
            [only] => Some(only.clone()),
            [] | [_, _, ..] => None,
        }
    }

    fn attributes(&mut self, of: &[InstanceId], name: &str) -> Vec<Typed> {
        let of: BTreeSet<InstanceId> = of.iter().copied().collect();
        let found = of.into_iter().filter_map(|object| self.objects.attribute(object, name));
        found.map(|(term, kind)| Typed { term, kind }).collect()
    }

    /// That the only one nearby that has such a state is in it.
    fn near_state(&mut self, name: &str) -> Option<TermId> {
        self.only(self.near, name).filter(|known| known.kind == ValueType::Bool).map(|known| known.term)
    }

    /// What only one of some objects knows.
    fn only(&mut self, of: &[InstanceId], name: &str) -> Option<Typed> {
        let attributes = self.attributes(of, name);
        let of: BTreeSet<InstanceId> = of.iter().copied().collect();
        let states = of.into_iter().filter_map(|object| self.state(object, name));
        let states: Vec<Typed> = states.map(|term| Typed { term, kind: ValueType::Bool }).collect();
        match (attributes.as_slice(), states.as_slice()) {
            ([only], []) | ([], [only]) => Some(only.clone()),
            (_, _) => None,
        }
    }

    /// What only one object of the whole system knows.
    fn anywhere(&mut self, name: &str) -> Option<Typed> {
        let all: Vec<InstanceId> = self.objects.structure.objects.ids().collect();
        self.only(&all, name)
    }

    /// An enumeration literal.
    fn literal(&mut self, enumeration: Option<&str>, name: &str) -> Option<Typed> {
        let known = self.objects.enumerations.iter().find_map(|(known, literals)| {
            let is_asked = enumeration.is_none_or(|asked| asked == known);
            let place = literals.iter().position(|literal| literal == name).filter(|_| is_asked)?;
            Some((known.clone(), place as i32))
        });
        known.map(|(enumeration, value)| Typed {
            term: self.objects.system.terms.constant(value),
            kind: ValueType::Enumeration(enumeration),
        })
    }

    fn object(&mut self, name: &str) -> Option<Typed> {
        let value = match name {
            "none" | "null" | "nil" => 0,
            name => reference(self.objects.named(name)?),
        };
        Some(Typed { term: self.objects.system.terms.constant(value), kind: ValueType::Object })
    }

    /// Whether some part of an expression means something, or must.
    fn knows_some(&mut self, expression: &Expression) -> bool {
        match expression {
            Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) => false,
            Expression::Name(path) => match path.as_slice() {
                [word] if !self.objects.knowing(self.model, word).is_empty() => true,
                path => self.name(path).is_some(),
            },
            Expression::Unary(_, part) => self.knows_some(part),
            Expression::Binary(_, left, right) => self.knows_some(left) || self.knows_some(right),
            Expression::Call(path, arguments) => {
                is_state_call(path) || arguments.iter().any(|part| self.knows_some(part))
            }
        }
    }
}

/// The words of a name.
fn words(expression: &Expression) -> Option<&[String]> {
    match expression {
        Expression::Name(path) => Some(path),
        _ => None,
    }
}

impl ExpressionScope for Speaker<'_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.objects.system.terms
    }

    fn name(&mut self, path: &[String]) -> Option<Typed> {
        let state = |term: TermId| Typed { term, kind: ValueType::Bool };
        match path {
            [] => None,
            [name] => self
                .own_attribute(name)
                .or_else(|| self.own_state(name).map(state))
                .or_else(|| self.only(self.near, name))
                .or_else(|| self.literal(None, name))
                .or_else(|| self.object(name))
                .or_else(|| self.anywhere(name)),
            [first, rest @ ..] => {
                let rest = rest.join(".");
                let own = self.objects.called(first).and_then(|object| {
                    let attribute = self.objects.attribute(object, &rest);
                    let attribute = attribute.map(|(term, kind)| Typed { term, kind });
                    attribute.or_else(|| self.state(object, &rest).map(state))
                });
                let own = own.or_else(|| self.literal(Some(first), &rest));
                own.or_else(|| self.own_state(&path.join(".")).map(state))
            }
        }
    }

    fn call(&mut self, path: &[String], arguments: &[Expression]) -> Option<Typed> {
        if !is_state_call(path) {
            return None;
        }
        let arguments: Vec<&[String]> = arguments.iter().map(words).collect::<Option<_>>()?;
        let (object, name) = match (path, arguments.as_slice()) {
            ([_], [state]) => (None, state.join(".")),
            ([object, _], [state]) => (Some(self.objects.called(object)?), state.join(".")),
            ([_], [[object], state]) => (Some(self.objects.called(object)?), state.join(".")),
            (_, _) => return None,
        };
        let term = match object {
            Some(object) => self.state(object, &name),
            None => self.own_state(&name).or_else(|| self.near_state(&name)).or_else(|| {
                self.anywhere(&name).filter(|known| known.kind == ValueType::Bool).map(|known| known.term)
            }),
        };
        term.map(|term| Typed { term, kind: ValueType::Bool })
    }
}

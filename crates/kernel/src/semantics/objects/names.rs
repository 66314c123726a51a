//! Names: what the names of an expression stand for, in an object and at a moment (rules M2, M4).

use super::World;
use super::data::{self, ExpressionScope, Typed, ValueType};
use super::path::InvisiblePath;
use super::process::Binding;
use super::structure::InstanceId;
use crate::model::Expression;
use crate::system::{TermId, Terms};

/// The words for the state of an object, OCL's own among them.
const STATE_CALLS: &[&str] = &["in", "inState", "isIn", "isInState", "oclInState"];

/// Whether a call asks in which state an object is: `in(S)`, `in(o, S)`, `o.oclInState(S)`.
pub(crate) fn is_state_call(path: &[String]) -> bool {
    matches!(path, [word] | [_, word] if STATE_CALLS.contains(&word.as_str()))
}

/// What such a call asks about: an object by its name (`None` for the one that asks), and one of its states.
pub(crate) fn asked_state<'e>(
    path: &'e [String],
    arguments: &'e [Expression],
) -> Option<(Option<&'e String>, &'e String)> {
    let (object, state) = match (path, arguments) {
        ([_], [Expression::Name(state)]) => (None, state.last()?),
        ([_], [Expression::Name(object), Expression::Name(state)]) => (Some(object.last()?), state.last()?),
        ([object, _], [Expression::Name(state)]) => (Some(object), state.last()?),
        (_, _) => return None,
    };
    Some((object.filter(|name| !matches!(name.as_str(), "self" | "this")), state))
}

/// An object's names and what they stand for at a moment.
pub(super) struct VisibleNames<'w, 'a, 'b> {
    world: &'w mut World<'a>,
    object: InstanceId,
    path: Option<&'b InvisiblePath>,
    binding: &'b Binding,
}

impl<'w, 'a, 'b> VisibleNames<'w, 'a, 'b> {
    pub(crate) fn new(
        world: &'w mut World<'a>,
        object: InstanceId,
        path: Option<&'b InvisiblePath>,
        binding: &'b Binding,
    ) -> Self {
        VisibleNames { world, object, path, binding }
    }

    fn attribute(&mut self, object: InstanceId, name: &str) -> Option<Typed> {
        let slot = self.world.bodies[object].as_ref()?.attributes.get(name)?.clone();
        let term = match self.path {
            Some(path) => self.world.current(path, slot.variable),
            None => self.world.terms.variable(slot.variable),
        };
        Some(Typed { term, kind: self.narrowed(slot.kind, term) })
    }

    /// The type of a term; a number that is known is its own range.
    fn narrowed(&self, kind: ValueType, term: TermId) -> ValueType {
        match (kind, self.world.terms.as_constant(term)) {
            (ValueType::Range(..), Some(value)) => ValueType::Range(value, value),
            (kind, _) => kind,
        }
    }

    fn constant(&mut self, value: i32, kind: ValueType) -> Option<Typed> {
        Some(Typed { term: self.world.terms.constant(value), kind })
    }

    fn literal(&mut self, of: Option<&str>, name: &str) -> Option<Typed> {
        let mut found = self.world.enumerations.iter().filter(|(known, _)| of.is_none_or(|of| of == **known));
        let (kind, at) =
            found.find_map(|(kind, all)| Some((kind.clone(), all.iter().position(|one| one == name)?)))?;
        self.constant(at as i32, ValueType::Enumeration(kind))
    }

    fn object_named(&self, name: &str) -> Option<InstanceId> {
        self.world.structure.objects.find(|object| object.name == name)
    }
}

impl ExpressionScope for VisibleNames<'_, '_, '_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.world.terms
    }

    fn name(&mut self, path: &[String]) -> Option<Typed> {
        match path {
            [name] => {
                if let Some((_, value, kind)) =
                    self.binding.parameters.iter().find(|(known, ..)| known == name)
                {
                    let (value, kind) = (*value, kind.clone());
                    let narrow = match kind {
                        ValueType::Range(..) => ValueType::Range(value, value),
                        kind => kind,
                    };
                    return self.constant(value, narrow);
                }
                if let Some(found) = self.attribute(self.object, name) {
                    return Some(found);
                }
                match name.as_str() {
                    "self" | "this" => return self.constant(data::reference(self.object), ValueType::Object),
                    "sender" => {
                        let value = self.binding.sender.map_or(0, data::reference);
                        return self.constant(value, ValueType::Object);
                    }
                    "none" | "null" => return self.constant(0, ValueType::Object),
                    _ => {}
                }
                if let Some(found) = self.literal(None, name) {
                    return Some(found);
                }
                let object = self.object_named(name)?;
                self.constant(data::reference(object), ValueType::Object)
            }
            [first, second] if first == "self" || first == "this" => self.attribute(self.object, second),
            [first, second] => {
                if let Some(found) = self.literal(Some(first), second) {
                    return Some(found);
                }
                let near = self.world.structure.named(self.object, first);
                match near.as_slice() {
                    [only] => self.attribute(*only, second),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn call(&mut self, path: &[String], arguments: &[Expression]) -> Option<Typed> {
        if !is_state_call(path) {
            return None;
        }
        let (object, state) = asked_state(path, arguments)?;
        let object = match object {
            None => self.object,
            Some(name) => {
                let near = self.world.structure.named(self.object, name);
                near.first().copied().or_else(|| self.object_named(name))?
            }
        };
        let term = self.world.in_state(object, state)?;
        Some(Typed { term, kind: ValueType::Bool })
    }
}

//! The scope of a machine for type checking: names and their types; values are placeholders.

use super::{BoundParameter, ObjectData};
use crate::model::{Expression, Operation};
use crate::semantics::objects::{ExpressionScope, Typed, ValueType, attributes, is_state_call};
use crate::system::Terms;

/// What names mean at one place of a machine.
pub(super) struct LocalNames<'d, 'a> {
    pub data: &'d ObjectData<'a>,
    pub parameters: &'d [BoundParameter<'a>],
    pub terms: Terms,
}

impl<'d, 'a> LocalNames<'d, 'a> {
    pub(crate) fn new(data: &'d ObjectData<'a>, parameters: &'d [BoundParameter<'a>]) -> Self {
        LocalNames { data, parameters, terms: Terms::default() }
    }

    fn some(&mut self, kind: ValueType) -> Option<Typed> {
        let (low, _) = kind.bounds(self.data.enumerations, self.data.system.whole.objects.len());
        Some(Typed { term: self.terms.constant(low), kind })
    }

    fn literal(&self, of: Option<&str>, name: &str) -> Option<ValueType> {
        let mut all = self.data.enumerations.iter().filter(|(known, _)| of.is_none_or(|of| of == **known));
        all.find(|(_, literals)| literals.iter().any(|one| one == name))
            .map(|(kind, _)| ValueType::Enumeration(kind.clone()))
    }

    /// The type of an attribute of the only other object that is called so.
    fn of_another(&self, object: &str, name: &str) -> Option<ValueType> {
        let system = self.data.system;
        match system.whole.named(self.data.object, object).as_slice() {
            [only] => attributes(system.model, &system.whole, *only, self.data.enumerations)
                .remove(name)
                .map(|(kind, _)| kind),
            _ => None,
        }
    }

    fn own(&self, name: &str) -> Option<ValueType> {
        self.data.declared.get(name).and_then(|(_, kind)| kind.clone())
    }
}

impl ExpressionScope for LocalNames<'_, '_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn name(&mut self, path: &[String]) -> Option<Typed> {
        let kind = match path {
            [name] => {
                if let Some((_, message, at)) = self.parameters.iter().find(|(known, ..)| known == name) {
                    let kind = self.data.parameter_type(message, *at)?;
                    return self.some(kind);
                }
                let is_object = || {
                    self.data
                        .system
                        .whole
                        .objects
                        .iter()
                        .any(|one| one.name == *name)
                        .then_some(ValueType::Object)
                };
                match name.as_str() {
                    name if self.data.declared.contains_key(name) => self.own(name),
                    "self" | "this" | "sender" | "none" | "null" => Some(ValueType::Object),
                    name => self.literal(None, name).or_else(is_object),
                }
            }
            [first, name] => match self.data.own(path) {
                Some(name) => self.own(name),
                None => self.literal(Some(first), name).or_else(|| self.of_another(first, name)),
            },
            _ => None,
        };
        self.some(kind?)
    }

    fn call(&mut self, path: &[String], _: &[Expression]) -> Option<Typed> {
        if is_state_call(path) { self.some(ValueType::Bool) } else { None }
    }
}

impl<'a> ObjectData<'a> {
    /// The operations or receptions of a name that classes declare.
    pub(crate) fn operations(&self, name: &str) -> impl Iterator<Item = &'a Operation> {
        let all = self.system.model.classes.iter().flat_map(|class| class.operations.iter());
        all.filter(move |one| one.name == name)
    }

    /// The type of a message's parameter, if all its declarations agree.
    pub(crate) fn parameter_type(&self, message: &str, at: usize) -> Option<ValueType> {
        self.agreed_type(message, &|operation| operation.values().nth(at)?.type_name.as_deref())
    }

    /// The type of an operation's result, if all its declarations agree.
    pub(crate) fn result_type(&self, message: &str) -> Option<ValueType> {
        self.agreed_type(message, &|operation| operation.result.as_deref())
    }

    fn agreed_type(
        &self,
        message: &str,
        written: &dyn Fn(&'a Operation) -> Option<&'a str>,
    ) -> Option<ValueType> {
        let is_class = |name: &str| self.system.kinds.class(name).is_some();
        let mut types = self
            .operations(message)
            .map(|operation| ValueType::named(written(operation)?, self.enumerations, is_class));
        let first = types.next()??;
        types.all(|other| other.as_ref() == Some(&first)).then_some(first)
    }
}

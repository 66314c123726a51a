//! Data: types, values, expressions (docs/objects.md, "Data").

use std::collections::BTreeMap;

use sequent_kernel::model::{Attribute, BinaryOperator, Class, Expression, UnaryOperator};
use sequent_kernel::semantics::objects::InstanceId;

use super::NaiveObjects;
use super::state::{NaiveFault, NaiveObject};
use super::value::{Bindings, NaiveValue};

/// What values there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NaiveType {
    /// True and false.
    Bool,
    /// The numbers between two.
    Range(i64, i64),
    /// Some literals.
    Enumeration(Vec<String>),
    /// The objects, and none.
    Reference,
}

impl NaiveType {
    /// All values, for arguments that the environment makes up.
    pub fn values(&self) -> Vec<NaiveValue> {
        match self {
            NaiveType::Bool => vec![NaiveValue::Bool(false), NaiveValue::Bool(true)],
            NaiveType::Range(least, most) => (*least..=*most).map(NaiveValue::Int).collect(),
            NaiveType::Enumeration(literals) => literals.iter().cloned().map(NaiveValue::Literal).collect(),
            NaiveType::Reference => vec![NaiveValue::Object(None)],
        }
    }

    fn first(&self) -> NaiveValue {
        match self {
            NaiveType::Range(least, most) if (*least..=*most).contains(&0) => NaiveValue::Int(0),
            NaiveType::Reference => NaiveValue::Object(None),
            NaiveType::Bool | NaiveType::Range(..) | NaiveType::Enumeration(_) => self.values()[0].clone(),
        }
    }
}

impl NaiveObjects<'_> {
    /// The type of a written type.
    pub(crate) fn type_of(&self, text: &str) -> NaiveType {
        if let Some((least, most)) = text.split_once("..") {
            let number = |text: &str| text.trim().parse().expect("a range has numbers at its ends");
            return NaiveType::Range(number(least), number(most));
        }
        match text.to_lowercase().as_str() {
            "bool" | "boolean" => return NaiveType::Bool,
            "int" | "integer" => return NaiveType::Range(-8, 7),
            _ => {}
        }
        match self.class(text) {
            Some(class) if !class.literals.is_empty() => NaiveType::Enumeration(class.literals.clone()),
            _ => NaiveType::Reference,
        }
    }

    /// Whether a value is one of a type.
    pub fn has(&self, type_of: &NaiveType, value: &NaiveValue) -> bool {
        match (type_of, value) {
            (NaiveType::Bool, NaiveValue::Bool(_)) | (NaiveType::Reference, NaiveValue::Object(_)) => true,
            (NaiveType::Range(least, most), NaiveValue::Int(number)) => least <= number && number <= most,
            (NaiveType::Enumeration(literals), NaiveValue::Literal(literal)) => literals.contains(literal),
            (
                NaiveType::Bool | NaiveType::Range(..) | NaiveType::Enumeration(_) | NaiveType::Reference,
                _,
            ) => false,
        }
    }

    /// The class of a name.
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.model.classes.iter().find(|class| class.name == name)
    }

    /// The attributes of an object with their types and first values: those of the class, of the machine, its own.
    pub fn attributes(&self, id: InstanceId) -> BTreeMap<String, (NaiveType, NaiveValue)> {
        let object = &self.structure.objects[id];
        let class = object.class.as_deref().and_then(|name| self.class(name));
        let of_class = class.map_or(&[][..], |class| &class.attributes);
        let of_machine = object.machine.map_or(&[][..], |machine| &self.model.machines[machine].attributes);
        let mut attributes = BTreeMap::new();
        for attribute in of_class.iter().filter(|one| !one.is_port()).chain(of_machine) {
            let type_of = self.attribute_type(attribute);
            let first = attribute.initial.as_deref().map_or(type_of.first(), |text| self.constant(text));
            attributes.insert(attribute.name.clone(), (type_of, first));
        }
        for (name, text) in &object.values {
            if let Some((_, value)) = attributes.get_mut(name) {
                *value = self.constant(text);
            }
        }
        attributes
    }

    fn attribute_type(&self, attribute: &Attribute) -> NaiveType {
        match (attribute.type_name.as_deref(), attribute.initial.as_deref()) {
            (Some(text), _) => self.type_of(text),
            (None, Some("true" | "false")) => NaiveType::Bool,
            (None, _) => self.type_of("int"),
        }
    }

    /// The value of a text.
    pub fn constant(&self, text: &str) -> NaiveValue {
        let text = text.trim();
        if let Ok(number) = text.parse() {
            return NaiveValue::Int(number);
        }
        match text {
            "true" => NaiveValue::Bool(true),
            "false" => NaiveValue::Bool(false),
            "none" | "null" => NaiveValue::Object(None),
            _ => match self.structure.objects.enumerate().find(|(_, object)| object.name == text) {
                Some((id, _)) => NaiveValue::Object(Some(id)),
                None => NaiveValue::Literal(text.rsplit("::").next().unwrap_or(text).to_owned()),
            },
        }
    }

    /// The value of an expression; `None` if it is none over known names.
    pub fn value(
        &self,
        id: InstanceId,
        object: &NaiveObject,
        bindings: &Bindings,
        expression: &Expression,
    ) -> Option<Result<NaiveValue, NaiveFault>> {
        let value = |expression| self.value(id, object, bindings, expression);
        let known = match expression {
            Expression::Bool(truth) => NaiveValue::Bool(*truth),
            Expression::Int(number) => NaiveValue::Int(*number),
            Expression::Text(_) | Expression::Call(..) => return None,
            Expression::Name(parts) => self.name(id, object, bindings, parts)?,
            Expression::Unary(operator, inside) => match (operator, value(inside)?) {
                (_, Err(fault)) => return Some(Err(fault)),
                (UnaryOperator::Not, Ok(NaiveValue::Bool(truth))) => NaiveValue::Bool(!truth),
                (UnaryOperator::Minus, Ok(NaiveValue::Int(number))) => NaiveValue::Int(-number),
                (UnaryOperator::Not | UnaryOperator::Minus, Ok(_)) => return None,
            },
            Expression::Binary(operator, left, right) => match (value(left)?, value(right)?) {
                (Ok(left), Err(_)) if is_decided(*operator, &left) => left_alone(*operator),
                (Err(fault), _) | (_, Err(fault)) => return Some(Err(fault)),
                (Ok(left), Ok(right)) => return binary(*operator, left, right),
            },
        };
        Some(Ok(known))
    }

    fn name(
        &self,
        id: InstanceId,
        object: &NaiveObject,
        bindings: &Bindings,
        parts: &[String],
    ) -> Option<NaiveValue> {
        let is_literal =
            |literal: &String| self.model.classes.iter().any(|one| one.literals.contains(literal));
        let [name] = parts else {
            return parts.last().filter(|literal| is_literal(literal)).cloned().map(NaiveValue::Literal);
        };
        if let Some(value) = bindings.get(name).or_else(|| object.attributes.get(name)) {
            return Some(value.clone());
        }
        match name.as_str() {
            "self" => Some(NaiveValue::Object(Some(id))),
            "sender" => Some(NaiveValue::Object(object.sender.flatten())),
            "none" | "null" => Some(NaiveValue::Object(None)),
            _ if is_literal(name) => Some(NaiveValue::Literal(name.clone())),
            _ => self
                .structure
                .objects
                .enumerate()
                .find(|(_, object)| object.name == *name)
                .map(|(id, _)| NaiveValue::Object(Some(id))),
        }
    }
}

/// Whether the left side of a connective decides what it is.
fn is_decided(operator: BinaryOperator, left: &NaiveValue) -> bool {
    use BinaryOperator::{And, Implies, Or};
    matches!((operator, left), (And | Implies, NaiveValue::Bool(false)) | (Or, NaiveValue::Bool(true)))
}

/// What it is then.
fn left_alone(operator: BinaryOperator) -> NaiveValue {
    NaiveValue::Bool(operator != BinaryOperator::And)
}

fn binary(
    operator: BinaryOperator,
    left: NaiveValue,
    right: NaiveValue,
) -> Option<Result<NaiveValue, NaiveFault>> {
    use BinaryOperator as B;
    let known = match (operator, left, right) {
        (B::Or, NaiveValue::Bool(left), NaiveValue::Bool(right)) => NaiveValue::Bool(left || right),
        (B::And, NaiveValue::Bool(left), NaiveValue::Bool(right)) => NaiveValue::Bool(left && right),
        (B::Implies, NaiveValue::Bool(left), NaiveValue::Bool(right)) => NaiveValue::Bool(!left || right),
        (B::Equal, left, right) => NaiveValue::Bool(left == right),
        (B::Unequal, left, right) => NaiveValue::Bool(left != right),
        (B::Less, NaiveValue::Int(left), NaiveValue::Int(right)) => NaiveValue::Bool(left < right),
        (B::LessEqual, NaiveValue::Int(left), NaiveValue::Int(right)) => NaiveValue::Bool(left <= right),
        (B::Greater, NaiveValue::Int(left), NaiveValue::Int(right)) => NaiveValue::Bool(left > right),
        (B::GreaterEqual, NaiveValue::Int(left), NaiveValue::Int(right)) => NaiveValue::Bool(left >= right),
        (B::Plus, NaiveValue::Int(left), NaiveValue::Int(right)) => NaiveValue::Int(left + right),
        (B::Minus, NaiveValue::Int(left), NaiveValue::Int(right)) => NaiveValue::Int(left - right),
        (B::Times, NaiveValue::Int(left), NaiveValue::Int(right)) => NaiveValue::Int(left * right),
        (B::Divide | B::Modulo, NaiveValue::Int(_), NaiveValue::Int(0)) => {
            return Some(Err(NaiveFault("division by zero".to_owned())));
        }
        (B::Divide, NaiveValue::Int(left), NaiveValue::Int(right)) => NaiveValue::Int(left / right),
        (B::Modulo, NaiveValue::Int(left), NaiveValue::Int(right)) => NaiveValue::Int(left % right),
        (
            B::Or
            | B::And
            | B::Implies
            | B::Less
            | B::LessEqual
            | B::Greater
            | B::GreaterEqual
            | B::Plus
            | B::Minus
            | B::Times
            | B::Divide
            | B::Modulo,
            _,
            _,
        ) => return None,
    };
    Some(Ok(known))
}

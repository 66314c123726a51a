//! Data: types, values, expressions (docs/objects.md, "Data").

use std::collections::BTreeMap;

use sequent_kernel::model::{Attribute, BinaryOperator, Class, Expression, UnaryOperator};
use sequent_kernel::semantics::objects::InstanceId;

use super::Naive;
use super::state::{Fault, Object};
use super::value::{Bindings, Value};

/// What values there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// True and false.
    Bool,
    /// The numbers between two.
    Range(i64, i64),
    /// Some literals.
    Enumeration(Vec<String>),
    /// The objects, and none.
    Reference,
}

impl Type {
    /// All values, for arguments that the environment makes up.
    pub fn values(&self) -> Vec<Value> {
        match self {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Range(least, most) => (*least..=*most).map(Value::Int).collect(),
            Type::Enumeration(literals) => literals.iter().cloned().map(Value::Literal).collect(),
            Type::Reference => vec![Value::Object(None)],
        }
    }

    fn first(&self) -> Value {
        match self {
            Type::Range(least, most) if (*least..=*most).contains(&0) => Value::Int(0),
            Type::Reference => Value::Object(None),
            Type::Bool | Type::Range(..) | Type::Enumeration(_) => self.values()[0].clone(),
        }
    }
}

impl Naive<'_> {
    /// The type of a written type.
    pub fn type_of(&self, text: &str) -> Type {
        if let Some((least, most)) = text.split_once("..") {
            let number = |text: &str| text.trim().parse().expect("a range has numbers at its ends");
            return Type::Range(number(least), number(most));
        }
        match text.to_lowercase().as_str() {
            "bool" | "boolean" => return Type::Bool,
            "int" | "integer" => return Type::Range(-8, 7),
            _ => {}
        }
        match self.class(text) {
            Some(class) if !class.literals.is_empty() => Type::Enumeration(class.literals.clone()),
            _ => Type::Reference,
        }
    }

    /// Whether a value is one of a type.
    pub fn has(&self, type_of: &Type, value: &Value) -> bool {
        match (type_of, value) {
            (Type::Bool, Value::Bool(_)) | (Type::Reference, Value::Object(_)) => true,
            (Type::Range(least, most), Value::Int(number)) => least <= number && number <= most,
            (Type::Enumeration(literals), Value::Literal(literal)) => literals.contains(literal),
            (Type::Bool | Type::Range(..) | Type::Enumeration(_) | Type::Reference, _) => false,
        }
    }

    /// The class of a name.
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.model.classes.iter().find(|class| class.name == name)
    }

    /// The attributes of an object with their types and first values: those of the class, of the machine, its own.
    pub fn attributes(&self, id: InstanceId) -> BTreeMap<String, (Type, Value)> {
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

    fn attribute_type(&self, attribute: &Attribute) -> Type {
        match (attribute.type_name.as_deref(), attribute.initial.as_deref()) {
            (Some(text), _) => self.type_of(text),
            (None, Some("true" | "false")) => Type::Bool,
            (None, _) => self.type_of("int"),
        }
    }

    /// The value of a text.
    pub fn constant(&self, text: &str) -> Value {
        let text = text.trim();
        if let Ok(number) = text.parse() {
            return Value::Int(number);
        }
        match text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "none" | "null" => Value::Object(None),
            _ => match self.structure.objects.enumerate().find(|(_, object)| object.name == text) {
                Some((id, _)) => Value::Object(Some(id)),
                None => Value::Literal(text.rsplit("::").next().unwrap_or(text).to_owned()),
            },
        }
    }

    /// The value of an expression; `None` if it is none over known names.
    pub fn value(
        &self,
        id: InstanceId,
        object: &Object,
        bindings: &Bindings,
        expression: &Expression,
    ) -> Option<Result<Value, Fault>> {
        let value = |expression| self.value(id, object, bindings, expression);
        let known = match expression {
            Expression::Bool(truth) => Value::Bool(*truth),
            Expression::Int(number) => Value::Int(*number),
            Expression::Text(_) | Expression::Call(..) => return None,
            Expression::Name(parts) => self.name(id, object, bindings, parts)?,
            Expression::Unary(operator, inside) => match (operator, value(inside)?) {
                (_, Err(fault)) => return Some(Err(fault)),
                (UnaryOperator::Not, Ok(Value::Bool(truth))) => Value::Bool(!truth),
                (UnaryOperator::Minus, Ok(Value::Int(number))) => Value::Int(-number),
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

    fn name(&self, id: InstanceId, object: &Object, bindings: &Bindings, parts: &[String]) -> Option<Value> {
        let is_literal =
            |literal: &String| self.model.classes.iter().any(|one| one.literals.contains(literal));
        let [name] = parts else {
            return parts.last().filter(|literal| is_literal(literal)).cloned().map(Value::Literal);
        };
        if let Some(value) = bindings.get(name).or_else(|| object.attributes.get(name)) {
            return Some(value.clone());
        }
        match name.as_str() {
            "self" => Some(Value::Object(Some(id))),
            "sender" => Some(Value::Object(object.sender.flatten())),
            "none" | "null" => Some(Value::Object(None)),
            _ if is_literal(name) => Some(Value::Literal(name.clone())),
            _ => self
                .structure
                .objects
                .enumerate()
                .find(|(_, object)| object.name == *name)
                .map(|(id, _)| Value::Object(Some(id))),
        }
    }
}

/// Whether the left side of a connective decides what it is.
fn is_decided(operator: BinaryOperator, left: &Value) -> bool {
    use BinaryOperator::{And, Implies, Or};
    matches!((operator, left), (And | Implies, Value::Bool(false)) | (Or, Value::Bool(true)))
}

/// What it is then.
fn left_alone(operator: BinaryOperator) -> Value {
    Value::Bool(operator != BinaryOperator::And)
}

fn binary(operator: BinaryOperator, left: Value, right: Value) -> Option<Result<Value, Fault>> {
    use BinaryOperator as B;
    let known = match (operator, left, right) {
        (B::Or, Value::Bool(left), Value::Bool(right)) => Value::Bool(left || right),
        (B::And, Value::Bool(left), Value::Bool(right)) => Value::Bool(left && right),
        (B::Implies, Value::Bool(left), Value::Bool(right)) => Value::Bool(!left || right),
        (B::Equal, left, right) => Value::Bool(left == right),
        (B::Unequal, left, right) => Value::Bool(left != right),
        (B::Less, Value::Int(left), Value::Int(right)) => Value::Bool(left < right),
        (B::LessEqual, Value::Int(left), Value::Int(right)) => Value::Bool(left <= right),
        (B::Greater, Value::Int(left), Value::Int(right)) => Value::Bool(left > right),
        (B::GreaterEqual, Value::Int(left), Value::Int(right)) => Value::Bool(left >= right),
        (B::Plus, Value::Int(left), Value::Int(right)) => Value::Int(left + right),
        (B::Minus, Value::Int(left), Value::Int(right)) => Value::Int(left - right),
        (B::Times, Value::Int(left), Value::Int(right)) => Value::Int(left * right),
        (B::Divide | B::Modulo, Value::Int(_), Value::Int(0)) => {
            return Some(Err(Fault("division by zero".to_owned())));
        }
        (B::Divide, Value::Int(left), Value::Int(right)) => Value::Int(left / right),
        (B::Modulo, Value::Int(left), Value::Int(right)) => Value::Int(left % right),
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

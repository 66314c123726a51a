//! Values of expressions: numbers, constructors, sets, sequences, events.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::parser::{Expr, Id, Script, Statement};

/// A value; what is joined by dots is flat.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Value {
    Int(i64),
    Bool(bool),
    Name(Rc<str>),
    Dots(Vec<Value>),
    Set(Rc<BTreeSet<Value>>),
    Sequence(Vec<Value>),
    Tuple(Vec<Value>),
}

impl Value {
    /// What dots join.
    pub(crate) fn flat(&self) -> Vec<Value> {
        match self {
            Value::Dots(parts) => parts.clone(),
            one => vec![one.clone()],
        }
    }

    pub(crate) fn truth(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => panic!("{other:?} is neither true nor false"),
        }
    }

    pub(crate) fn int(&self) -> i64 {
        match self {
            Value::Int(value) => *value,
            other => panic!("{other:?} is no number"),
        }
    }

    pub(crate) fn set(&self) -> Rc<BTreeSet<Value>> {
        match self {
            Value::Set(set) => set.clone(),
            other => panic!("{other:?} is no set"),
        }
    }

    fn sequence(&self) -> &[Value] {
        match self {
            Value::Sequence(items) => items,
            other => panic!("{other:?} is no sequence"),
        }
    }
}

/// Joins values by dots.
pub(crate) fn dots(parts: Vec<Value>) -> Value {
    match parts.as_slice() {
        [one] => one.clone(),
        _ => Value::Dots(parts),
    }
}

/// What names stand for.
pub(crate) type Scope = BTreeMap<Rc<str>, Value>;

impl Script {
    /// The value of an expression.
    pub(crate) fn value(&self, id: Id, scope: &Scope) -> Value {
        let value = |id: &Id| self.value(*id, scope);
        let set = |values: BTreeSet<Value>| Value::Set(Rc::new(values));
        match &self.nodes[id] {
            Expr::Int(number) => Value::Int(*number),
            Expr::Bool(truth) => Value::Bool(*truth),
            Expr::Call(name, arguments) => self.named(name, arguments.as_deref(), scope),
            Expr::Dot(left, right) => dots([value(left).flat(), value(right).flat()].concat()),
            Expr::Set(items) => set(items.iter().map(value).collect()),
            Expr::Range(first, last) => {
                set((value(first).int()..=value(last).int()).map(Value::Int).collect())
            }
            Expr::Productions(items) => {
                set(items.iter().flat_map(|item| self.productions(&value(item).flat())).collect())
            }
            Expr::Sequence(items) => Value::Sequence(items.iter().map(value).collect()),
            Expr::Tuple(items) => Value::Tuple(items.iter().map(value).collect()),
            Expr::Comprehension(item, statements) => {
                let scopes = statements.iter().fold(vec![scope.clone()], |scopes, statement| {
                    scopes.iter().flat_map(|scope| self.stated(statement, scope)).collect()
                });
                set(scopes.iter().map(|scope| self.value(*item, scope)).collect())
            }
            Expr::Binary(sign, left, right) => self.binary(sign, *left, *right, scope),
            Expr::Not(inner) => Value::Bool(!value(inner).truth()),
            Expr::Minus(inner) => Value::Int(-value(inner).int()),
            Expr::Length(inner) => Value::Int(value(inner).sequence().len() as i64),
            Expr::If(condition, yes, no) => {
                if value(condition).truth() {
                    value(yes)
                } else {
                    value(no)
                }
            }
            process => panic!("{process:?} is no value"),
        }
    }

    /// What names stand for behind a statement.
    fn stated(&self, statement: &Statement, scope: &Scope) -> Vec<Scope> {
        match statement {
            Statement::Only(condition) => {
                Vec::from_iter(self.value(*condition, scope).truth().then(|| scope.clone()))
            }
            Statement::Each(name, from) => {
                let with = |value: &Value| {
                    let mut scope = scope.clone();
                    scope.insert(name.clone(), value.clone());
                    scope
                };
                self.value(*from, scope).set().iter().map(with).collect()
            }
        }
    }

    fn binary(&self, sign: &str, left: Id, right: Id, scope: &Scope) -> Value {
        let left = self.value(left, scope);
        match (sign, &left) {
            ("and", Value::Bool(false)) | ("or", Value::Bool(true)) => return left,
            _ => {}
        }
        let right = self.value(right, scope);
        match sign {
            "and" | "or" => Value::Bool(right.truth()),
            "==" => Value::Bool(left == right),
            "!=" => Value::Bool(left != right),
            "<" => Value::Bool(left.int() < right.int()),
            "<=" => Value::Bool(left.int() <= right.int()),
            ">" => Value::Bool(left.int() > right.int()),
            ">=" => Value::Bool(left.int() >= right.int()),
            "+" => Value::Int(left.int() + right.int()),
            "-" => Value::Int(left.int() - right.int()),
            "*" => Value::Int(left.int() * right.int()),
            // Whichever way it rounds for negative numbers, none may come here.
            "/" | "%" if left.int() < 0 || right.int() <= 0 => panic!("{left:?} {sign} {right:?}"),
            "/" => Value::Int(left.int() / right.int()),
            "%" => Value::Int(left.int() % right.int()),
            "^" => Value::Sequence([left.sequence(), right.sequence()].concat()),
            _ => panic!("{sign} is no operator"),
        }
    }

    fn named(&self, name: &Rc<str>, arguments: Option<&[Id]>, scope: &Scope) -> Value {
        if let Some(value) = scope.get(name).filter(|_| arguments.is_none()) {
            return value.clone();
        }
        let values: Vec<Value> =
            arguments.unwrap_or_default().iter().map(|id| self.value(*id, scope)).collect();
        match (&**name, values.as_slice()) {
            ("union", [one, other]) => return Value::Set(Rc::new(&*one.set() | &*other.set())),
            ("diff", [one, other]) => return Value::Set(Rc::new(&*one.set() - &*other.set())),
            ("head", [one]) => return one.sequence()[0].clone(),
            ("tail", [one]) => return Value::Sequence(one.sequence()[1..].to_vec()),
            ("member", [one, set]) => return Value::Bool(set.set().contains(one)),
            ("elem", [one, items]) => return Value::Bool(items.sequence().contains(one)),
            ("Bool", []) => return Value::Set(Rc::new([false, true].map(Value::Bool).into())),
            ("Events", []) => {
                let all =
                    self.channels.keys().flat_map(|name| self.productions(&[Value::Name(name.clone())]));
                return Value::Set(Rc::new(all.collect()));
            }
            _ => {}
        }
        if let Some((body, scope)) = self.clause_for(name, &values) {
            return self.value(body, &scope);
        }
        if let Some(clauses) = self.datatypes.get(name) {
            let all = clauses.iter().flat_map(|(clause, fields)| self.filled(clause, fields));
            return Value::Set(Rc::new(all.collect()));
        }
        let is_known = self.channels.contains_key(name) || self.clause(name).is_some();
        assert!(is_known && arguments.is_none(), "{name} is not declared");
        Value::Name(name.clone())
    }

    /// The fields of a constructor.
    pub(crate) fn clause(&self, name: &str) -> Option<&[Id]> {
        let mut all = self.datatypes.values().flatten();
        all.find(|(clause, _)| **clause == *name).map(|(_, fields)| fields.as_slice())
    }

    /// A channel or constructor with all values of its fields.
    fn filled(&self, name: &Rc<str>, fields: &[Id]) -> Vec<Value> {
        let mut all = vec![vec![Value::Name(name.clone())]];
        for field in fields {
            let values = self.value(*field, &Scope::new()).set();
            let longer = |start: &Vec<Value>| -> Vec<Vec<Value>> {
                values.iter().map(|value| [start.clone(), value.flat()].concat()).collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.into_iter().map(dots).collect()
    }

    /// All events that begin so.
    pub(crate) fn productions(&self, start: &[Value]) -> Vec<Value> {
        let Some(Value::Name(name)) = start.first() else { panic!("{start:?} is no event") };
        let fields = self.channels.get(name).unwrap_or_else(|| panic!("{name} is no channel"));
        let all = self.filled(name, fields).into_iter().filter(|event| event.flat().starts_with(start));
        let all: Vec<Value> = all.collect();
        assert!(!all.is_empty(), "{start:?} does not fit its channel");
        all
    }
}

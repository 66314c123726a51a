//! Modules to variables and constraints.

use std::collections::BTreeMap;

use super::explore::Value;
use super::parse::{Expression, Kind, Module, parse};

/// A node of what is evaluated; parts come before what is made of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Node {
    Value(Value),
    /// A variable, in the next state if it is so.
    Variable(usize, bool),
    Not(usize),
    Binary(&'static str, usize, usize),
    If(usize, usize, usize),
    In(usize, Vec<usize>),
}

/// A model without modules.
#[derive(Default)]
pub(crate) struct Model {
    /// Names of variables, each with its values.
    pub variables: Vec<(String, Vec<Value>)>,
    pub nodes: Vec<Node>,
    known: BTreeMap<Node, usize>,
    words: Vec<String>,
    /// What holds at the beginning.
    pub first: Vec<usize>,
    /// What holds between a state and the next, the invariants of the next included.
    pub steps: Vec<usize>,
    /// How many specifications there are.
    pub specifications: usize,
    contexts: Vec<Context>,
    names: BTreeMap<String, usize>,
}

/// An instance of a module.
struct Context {
    prefix: String,
    module: Module,
    /// Parameters, and where they are looked up.
    values: BTreeMap<String, (Expression, usize)>,
    parts: BTreeMap<String, usize>,
}

impl Model {
    /// Reads a text.
    pub(crate) fn read(text: &str) -> Self {
        let modules = parse(text);
        let mut model = Model::default();
        model.open("main", String::new(), BTreeMap::new(), &modules);
        for context in 0..model.contexts.len() {
            model.constrain(context);
        }
        model
    }

    /// Something that `main` defines.
    pub(crate) fn named(&mut self, name: &str) -> usize {
        self.node(&Expression::Path(vec![name.to_owned()]), 0, false)
    }

    fn open(
        &mut self,
        name: &str,
        prefix: String,
        values: BTreeMap<String, (Expression, usize)>,
        modules: &BTreeMap<String, Module>,
    ) -> usize {
        let module = modules.get(name).unwrap_or_else(|| panic!("there is no module {name}")).clone();
        let own = self.contexts.len();
        let parts = BTreeMap::new();
        self.contexts.push(Context { prefix: prefix.clone(), module: module.clone(), values, parts });
        self.specifications += module.specifications;
        for (name, kind, _) in &module.variables {
            assert!(
                !module.definitions.contains_key(name) && !module.parameters.contains(name),
                "{name} in {prefix}"
            );
            let domain = match kind {
                Kind::Truth => vec![Value::Truth(false), Value::Truth(true)],
                Kind::Range(low, high) => (*low..=*high).map(Value::Number).collect(),
                Kind::Words(words) => words.iter().map(|word| Value::Word(self.intern(word))).collect(),
                Kind::Module(kind, given) => {
                    let parameters =
                        &modules.get(kind).unwrap_or_else(|| panic!("no module {kind}")).parameters;
                    assert_eq!(parameters.len(), given.len(), "{kind}");
                    let given = given.iter().map(|value| (value.clone(), own));
                    let values = parameters.iter().cloned().zip(given).collect();
                    let part = self.open(kind, format!("{prefix}{name}."), values, modules);
                    self.contexts[own].parts.insert(name.clone(), part);
                    continue;
                }
            };
            self.names.insert(format!("{prefix}{name}"), self.variables.len());
            self.variables.push((format!("{prefix}{name}"), domain));
        }
        own
    }

    fn constrain(&mut self, context: usize) {
        let module = self.contexts[context].module.clone();
        for expression in &module.first {
            let node = self.node(expression, context, false);
            self.first.push(node);
        }
        for expression in &module.invariants {
            let now = self.node(expression, context, false);
            let then = self.node(expression, context, true);
            self.first.push(now);
            self.steps.push(then);
        }
        for expression in &module.transitions {
            let node = self.node(expression, context, false);
            self.steps.push(node);
        }
        for (is_next, path, value) in &module.assigned {
            let target = self.node(&Expression::Path(path.clone()), context, *is_next);
            let assigned = self.assigned(target, value, context);
            if *is_next { self.steps.push(assigned) } else { self.first.push(assigned) }
        }
        for (name, _, is_frozen) in &module.variables {
            if *is_frozen {
                let path = Expression::Path(vec![name.clone()]);
                let (now, then) = (self.node(&path, context, false), self.node(&path, context, true));
                let equal = self.add(Node::Binary("=", then, now));
                self.steps.push(equal);
            }
        }
    }

    /// That something has the value that is assigned to it, or one of them.
    fn assigned(&mut self, target: usize, value: &Expression, context: usize) -> usize {
        let node = match value {
            Expression::If(condition, yes, no) => {
                let condition = self.node(condition, context, false);
                let [yes, no] = [yes, no].map(|one| self.assigned(target, one, context));
                Node::If(condition, yes, no)
            }
            Expression::Set(all) => {
                Node::In(target, all.iter().map(|one| self.node(one, context, false)).collect())
            }
            other => Node::Binary("=", target, self.node(other, context, false)),
        };
        self.add(node)
    }

    fn intern(&mut self, word: &str) -> usize {
        let known = self.words.iter().position(|other| other == word);
        known.unwrap_or_else(|| {
            self.words.push(word.to_owned());
            self.words.len() - 1
        })
    }

    fn add(&mut self, node: Node) -> usize {
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        self.nodes.push(node.clone());
        self.known.insert(node, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    fn node(&mut self, expression: &Expression, context: usize, is_next: bool) -> usize {
        let node = match expression {
            Expression::Number(value) => Node::Value(Value::Number(*value)),
            Expression::Truth(value) => Node::Value(Value::Truth(*value)),
            Expression::Path(path) => return self.path(path, context, is_next),
            Expression::Next(inner) => {
                assert!(!is_next, "next of next");
                return self.node(inner, context, true);
            }
            Expression::Not(inner) => Node::Not(self.node(inner, context, is_next)),
            Expression::Binary("in", left, right) => {
                let Expression::Set(all) = right.as_ref() else { panic!("`in` without a set") };
                let left = self.node(left, context, is_next);
                Node::In(left, all.iter().map(|one| self.node(one, context, is_next)).collect())
            }
            Expression::Binary(sign, left, right) => {
                let (left, right) = (self.node(left, context, is_next), self.node(right, context, is_next));
                Node::Binary(sign, left, right)
            }
            Expression::If(condition, yes, no) => {
                let [condition, yes, no] = [condition, yes, no].map(|one| self.node(one, context, is_next));
                Node::If(condition, yes, no)
            }
            Expression::Set(_) => panic!("a set by itself"),
        };
        self.add(node)
    }

    fn path(&mut self, path: &[String], context: usize, is_next: bool) -> usize {
        let own = &self.contexts[context];
        let (first, rest) = path.split_first().expect("a path");
        if let Some((value, around)) = own.values.get(first).cloned() {
            return match value {
                Expression::Path(mut longer) => {
                    longer.extend(rest.iter().cloned());
                    self.path(&longer, around, is_next)
                }
                value => {
                    assert!(rest.is_empty(), "{path:?}");
                    self.node(&value, around, is_next)
                }
            };
        }
        if let Some(part) = own.parts.get(first).copied() {
            return self.path(rest, part, is_next);
        }
        assert!(rest.is_empty(), "{path:?} in {}", own.prefix);
        if let Some(value) = own.module.definitions.get(first).cloned() {
            return self.node(&value, context, is_next);
        }
        if let Some(variable) = self.names.get(&format!("{}{first}", own.prefix)).copied() {
            return self.add(Node::Variable(variable, is_next));
        }
        let is_word = self.words.contains(first);
        assert!(is_word, "{first} means nothing in {}", own.prefix);
        let word = self.intern(first);
        self.add(Node::Value(Value::Word(word)))
    }
}

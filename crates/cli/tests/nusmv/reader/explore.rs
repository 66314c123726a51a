//! States of a model: values are tried one variable after the other, as long as no constraint is false.

use std::collections::BTreeSet;

use super::flat::{Model, Node};

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Value {
    Truth(bool),
    Number(i64),
    Word(usize),
}

/// A value for each variable.
pub(crate) type State = Vec<Value>;

/// What is known: the state before, and the next one as far as it is tried.
struct Trial<'m> {
    model: &'m Model,
    now: Vec<Option<Value>>,
    then: Vec<Option<Value>>,
    memo: Vec<Option<Option<Value>>>,
}

impl Model {
    /// The states in which runs begin.
    pub(crate) fn initial(&self) -> Vec<State> {
        self.solve(&self.first, None)
    }

    /// The states after one; a model in which there is none is wrong.
    pub(crate) fn next(&self, state: &State) -> Vec<State> {
        let next = self.solve(&self.steps, Some(state));
        assert!(!next.is_empty(), "a state without a next one: {:?}", self.told(state));
        next
    }

    /// Whether something that was [named](Model::named) is true in a state.
    pub(crate) fn holds(&self, node: usize, state: &State) -> bool {
        let now = state.iter().copied().map(Some).collect();
        let mut trial = Trial { model: self, now, then: Vec::new(), memo: vec![None; self.nodes.len()] };
        trial.value(node) == Some(Value::Truth(true))
    }

    fn told(&self, state: &State) -> Vec<String> {
        self.variables.iter().zip(state).map(|((name, _), value)| format!("{name} = {value:?}")).collect()
    }

    fn solve(&self, constraints: &[usize], before: Option<&State>) -> Vec<State> {
        let open = vec![None; self.variables.len()];
        let (now, then) = match before {
            Some(state) => (state.iter().copied().map(Some).collect(), open),
            None => (open, Vec::new()),
        };
        let mut trial = Trial { model: self, now, then, memo: Vec::new() };
        let mut found = BTreeSet::new();
        trial.search(constraints.to_vec(), before.is_some(), &mut found);
        found.into_iter().collect()
    }
}

impl Trial<'_> {
    fn side(&mut self, is_next: bool) -> &mut Vec<Option<Value>> {
        if is_next { &mut self.then } else { &mut self.now }
    }

    /// Tries all values; constraints that are true are not asked again.
    fn search(&mut self, mut constraints: Vec<usize>, is_next: bool, found: &mut BTreeSet<State>) {
        let saved = self.side(is_next).clone();
        // What is equal to something known is known.
        loop {
            self.memo = vec![None; self.model.nodes.len()];
            let mut is_new = false;
            let mut left = Vec::new();
            for constraint in &constraints {
                match self.value(*constraint) {
                    Some(Value::Truth(true)) => {}
                    Some(_) => {
                        *self.side(is_next) = saved;
                        return;
                    }
                    None => {
                        let given = self.given(*constraint, is_next);
                        if let Some((variable, value)) = given {
                            // Whoever says otherwise is heard in the next round.
                            is_new |= self.side(is_next)[variable].is_none();
                            self.side(is_next)[variable].get_or_insert(value);
                        }
                        left.push(*constraint);
                    }
                }
            }
            constraints = left;
            if !is_new {
                break;
            }
        }
        let free = self.side(is_next).iter().rposition(Option::is_none);
        match free {
            None => {
                assert!(constraints.is_empty(), "something is left open");
                let state = self.side(is_next).iter().flatten().copied().collect();
                found.insert(state);
            }
            Some(variable) => {
                for value in self.model.variables[variable].1.clone() {
                    self.side(is_next)[variable] = Some(value);
                    self.search(constraints.clone(), is_next, found);
                }
            }
        }
        *self.side(is_next) = saved;
    }

    /// The variable that a constraint gives a value, if it does.
    fn given(&mut self, constraint: usize, is_next: bool) -> Option<(usize, Value)> {
        match self.model.nodes[constraint].clone() {
            Node::Binary("=" | "<->", left, right) => {
                let pair = [(left, right), (right, left)];
                pair.into_iter().find_map(|(variable, value)| {
                    let Node::Variable(variable, side) = self.model.nodes[variable] else { return None };
                    Some((variable, self.value(value)?)).filter(|_| side == is_next)
                })
            }
            // What follows from something true.
            Node::Binary("->", left, right) if self.value(left) == Some(Value::Truth(true)) => {
                self.given(right, is_next)
            }
            Node::Binary("|", left, right) if self.value(left) == Some(Value::Truth(false)) => {
                self.given(right, is_next)
            }
            Node::Binary("&", left, right) => {
                self.given(left, is_next).or_else(|| self.given(right, is_next))
            }
            Node::Variable(variable, side) if side == is_next && self.value(constraint).is_none() => {
                Some((variable, Value::Truth(true)))
            }
            Node::Not(inner) => match self.model.nodes[inner] {
                Node::Variable(variable, side) if side == is_next && self.value(inner).is_none() => {
                    Some((variable, Value::Truth(false)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of a node, as far as it is known.
    fn value(&mut self, node: usize) -> Option<Value> {
        if let Some(known) = self.memo[node] {
            return known;
        }
        let value = match self.model.nodes[node].clone() {
            Node::Value(value) => Some(value),
            Node::Variable(variable, is_next) => self.side(is_next).get(variable).copied().flatten(),
            Node::Not(inner) => self.truth(inner).map(|value| Value::Truth(!value)),
            Node::If(condition, yes, no) => match self.truth(condition) {
                Some(true) => self.value(yes),
                Some(false) => self.value(no),
                None => None,
            },
            Node::In(one, all) => {
                let one = self.value(one);
                let all: Vec<Option<Value>> = all.into_iter().map(|other| self.value(other)).collect();
                one.and_then(|one| {
                    let is_in = all.contains(&Some(one));
                    (is_in || !all.contains(&None)).then_some(Value::Truth(is_in))
                })
            }
            Node::Binary(sign, left, right) => self.binary(sign, left, right),
        };
        self.memo[node] = Some(value);
        value
    }

    fn truth(&mut self, node: usize) -> Option<bool> {
        match self.value(node)? {
            Value::Truth(value) => Some(value),
            other => panic!("{other:?} is no truth value"),
        }
    }

    fn binary(&mut self, sign: &str, left: usize, right: usize) -> Option<Value> {
        let truth = |value: bool| Some(Value::Truth(value));
        match sign {
            "&" | "|" | "->" => {
                // What the left must be for the right not to matter, and what then comes of it.
                let (absorbs, result) = match sign {
                    "&" => (false, false),
                    "|" => (true, true),
                    _ => (false, true),
                };
                let end = if sign == "->" { true } else { absorbs };
                let (left, right) = (self.truth(left), self.truth(right));
                match (left, right) {
                    (Some(left), _) if left == absorbs => truth(result),
                    (_, Some(right)) if right == end => truth(result),
                    (Some(_), Some(_)) => truth(!result),
                    _ => None,
                }
            }
            "<->" | "xor" => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                truth((left == right) == (sign == "<->"))
            }
            _ => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match (sign, left, right) {
                    ("=", left, right) => {
                        assert_eq!(
                            std::mem::discriminant(&left),
                            std::mem::discriminant(&right),
                            "kinds differ"
                        );
                        truth(left == right)
                    }
                    ("!=", left, right) => truth(left != right),
                    (sign, Value::Number(left), Value::Number(right)) => Some(match sign {
                        "<" => Value::Truth(left < right),
                        ">" => Value::Truth(left > right),
                        "<=" => Value::Truth(left <= right),
                        ">=" => Value::Truth(left >= right),
                        "+" => Value::Number(left + right),
                        "-" => Value::Number(left - right),
                        "*" => Value::Number(left * right),
                        "/" => Value::Number(left / right),
                        "mod" => Value::Number(left % right),
                        other => panic!("{other} is no operator"),
                    }),
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

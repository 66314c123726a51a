//! Terms: guards, updates and predicates as a graph in which equal terms are one.
//!
//! Truth is 1, falsity 0. Construction simplifies what costs nothing to see: constants, double negation, repeated and
//! contradicting operands. Everything else is left to the engines.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Config, VariableId};
use crate::id;
use crate::id::{Id, IdVec};

id! {
    /// A term of a system.
    TermId
}

/// Conjunctions of at most this many parts are compared part by part.
const FEW_PARTS: usize = 16;

/// If a term has at most this many parts, its value is computed from them alone rather than from all terms before it.
const FEW_VALUES: usize = 64;

/// A term, over the ids of its parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TermNode {
    /// A number; 1 and 0 stand for true and false.
    Constant(i32),
    /// The value of a variable.
    Variable(VariableId),
    /// Not.
    Not(TermId),
    /// All of them.
    And(Vec<TermId>),
    /// Any of them.
    Or(Vec<TermId>),
    /// Equal values.
    Equal(TermId, TermId),
    /// The first is less than the second.
    Less(TermId, TermId),
    /// The result of an operation on two numbers.
    Number(ArithmeticOperation, TermId, TermId),
    /// The second if the first is true, else the third.
    If(TermId, TermId, TermId),
}

/// An operation on two numbers. Results saturate at the limits of the type; overflow is detected by a
/// comparison with the domain of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArithmeticOperation {
    /// The sum.
    Plus,
    /// The difference.
    Minus,
    /// The product.
    Times,
    /// The quotient, rounded towards zero; 0 for a division by zero.
    Divide,
    /// The remainder of that division.
    Modulo,
}

impl ArithmeticOperation {
    /// Its result.
    pub fn apply(self, a: i32, b: i32) -> i32 {
        match self {
            ArithmeticOperation::Plus => a.saturating_add(b),
            ArithmeticOperation::Minus => a.saturating_sub(b),
            ArithmeticOperation::Times => a.saturating_mul(b),
            ArithmeticOperation::Divide => a.checked_div(b).unwrap_or(0),
            ArithmeticOperation::Modulo => a.checked_rem(b).unwrap_or(0),
        }
    }

    /// Whether the order of the operands does not matter.
    fn is_commutative(self) -> bool {
        match self {
            ArithmeticOperation::Plus | ArithmeticOperation::Times => true,
            ArithmeticOperation::Minus | ArithmeticOperation::Divide | ArithmeticOperation::Modulo => false,
        }
    }
}

/// The terms of a system.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: IdVec<TermId, TermNode>,
    ids: HashMap<TermNode, TermId>,
}

impl Terms {
    /// The term behind an id.
    pub fn node(&self, id: TermId) -> &TermNode {
        &self.nodes[id]
    }

    /// The value of a term that is a number.
    pub fn as_constant(&self, id: TermId) -> Option<i32> {
        match self.nodes[id] {
            TermNode::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The variable and the value of a term that compares the two.
    pub fn as_literal(&self, id: TermId) -> Option<(VariableId, i32)> {
        let TermNode::Equal(a, b) = self.nodes[id] else { return None };
        match (&self.nodes[a], &self.nodes[b]) {
            (TermNode::Variable(variable), TermNode::Constant(value))
            | (TermNode::Constant(value), TermNode::Variable(variable)) => Some((*variable, *value)),
            _ => None,
        }
    }

    /// All ids; the parts of a term come before it.
    pub fn ids(&self) -> impl Iterator<Item = TermId> + use<> {
        self.nodes.ids()
    }

    fn add(&mut self, node: TermNode) -> TermId {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// A number.
    pub fn constant(&mut self, value: i32) -> TermId {
        self.add(TermNode::Constant(value))
    }

    /// True or false.
    pub fn truth(&mut self, value: bool) -> TermId {
        self.constant(i32::from(value))
    }

    /// A variable's value.
    pub fn variable(&mut self, variable: VariableId) -> TermId {
        self.add(TermNode::Variable(variable))
    }

    /// Whether a variable has a value.
    pub fn is(&mut self, variable: VariableId, value: i32) -> TermId {
        let (variable, value) = (self.variable(variable), self.constant(value));
        self.equal(variable, value)
    }

    /// Negation.
    pub fn not(&mut self, term: TermId) -> TermId {
        match self.nodes[term] {
            TermNode::Constant(value) => self.truth(value == 0),
            TermNode::Not(inner) => inner,
            _ => self.add(TermNode::Not(term)),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(parts, true)
    }

    /// Disjunction.
    pub fn or(&mut self, parts: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(parts, false)
    }

    /// A conjunction or disjunction; nested ones are not flattened, so that shared parts stay shared.
    fn junction(&mut self, parts: impl IntoIterator<Item = TermId>, is_and: bool) -> TermId {
        let (neutral, absorbing) = (self.truth(is_and), self.truth(!is_and));
        let mut kept: Vec<TermId> = Vec::new();
        // Most have a few parts, which are looked through; only the others are hashed.
        let mut many: HashSet<TermId> = HashSet::new();
        let has = |kept: &[TermId], many: &HashSet<TermId>, part: &TermId| match many.is_empty() {
            true => kept.contains(part),
            false => many.contains(part),
        };
        for part in parts {
            if part == absorbing {
                return absorbing;
            }
            if part != neutral && !has(&kept, &many, &part) {
                if self.opposite(part).is_some_and(|opposite| has(&kept, &many, &opposite)) {
                    return absorbing;
                }
                kept.push(part);
                match (kept.len() < FEW_PARTS, many.is_empty()) {
                    (true, _) => {}
                    (false, true) => many.extend(&kept),
                    (false, false) => drop(many.insert(part)),
                }
            }
        }
        match (kept.as_slice(), is_and) {
            ([], _) => neutral,
            ([only], _) => *only,
            (_, true) => self.add(TermNode::And(kept)),
            (_, false) => self.add(TermNode::Or(kept)),
        }
    }

    /// The negation of a term, if there is one already.
    fn opposite(&self, term: TermId) -> Option<TermId> {
        match &self.nodes[term] {
            TermNode::Not(inner) => Some(*inner),
            _ => self.ids.get(&TermNode::Not(term)).copied(),
        }
    }

    /// That a term has one of these values.
    pub(crate) fn is_one_of(&mut self, term: TermId, values: impl IntoIterator<Item = i32>) -> TermId {
        let mut parts = Vec::new();
        for value in values {
            let value = self.constant(value);
            parts.push(self.equal(term, value));
        }
        self.or(parts)
    }

    /// Equality.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        match (&self.nodes[a], &self.nodes[b]) {
            (TermNode::Constant(a), TermNode::Constant(b)) => {
                let same = a == b;
                self.truth(same)
            }
            _ if a == b => self.truth(true),
            _ => self.add(TermNode::Equal(a.min(b), a.max(b))),
        }
    }

    /// Whether the first is less than the second.
    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        match (&self.nodes[a], &self.nodes[b]) {
            (TermNode::Constant(a), TermNode::Constant(b)) => {
                let less = a < b;
                self.truth(less)
            }
            _ if a == b => self.truth(false),
            _ => self.add(TermNode::Less(a, b)),
        }
    }

    /// The sum.
    pub fn plus(&mut self, a: TermId, b: TermId) -> TermId {
        self.number(ArithmeticOperation::Plus, a, b)
    }

    /// The result of an operation.
    pub fn number(&mut self, operation: ArithmeticOperation, a: TermId, b: TermId) -> TermId {
        match (operation, &self.nodes[a], &self.nodes[b]) {
            (_, TermNode::Constant(a), TermNode::Constant(b)) => {
                let result = operation.apply(*a, *b);
                self.constant(result)
            }
            (ArithmeticOperation::Plus, TermNode::Constant(0), _)
            | (ArithmeticOperation::Times, TermNode::Constant(1), _) => b,
            (ArithmeticOperation::Plus | ArithmeticOperation::Minus, _, TermNode::Constant(0)) => a,
            (ArithmeticOperation::Times | ArithmeticOperation::Divide, _, TermNode::Constant(1)) => a,
            _ if operation.is_commutative() => self.add(TermNode::Number(operation, a.min(b), a.max(b))),
            _ => self.add(TermNode::Number(operation, a, b)),
        }
    }

    /// One of two, as the condition says.
    pub fn choose(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        match self.nodes[condition] {
            TermNode::Constant(value) => {
                if value != 0 {
                    yes
                } else {
                    no
                }
            }
            _ if yes == no => yes,
            _ => self.add(TermNode::If(condition, yes, no)),
        }
    }

    /// A term in which others stand for some of its parts, at any depth.
    pub fn replace(&mut self, term: TermId, others: &HashMap<TermId, TermId>) -> TermId {
        let mut new: HashMap<TermId, TermId> = HashMap::new();
        let mut open = vec![term];
        while let Some(id) = open.pop() {
            let waiting: Vec<TermId> = match new.contains_key(&id) || others.contains_key(&id) {
                true => continue,
                false => self.parts(id).into_iter().filter(|part| !new.contains_key(part)).collect(),
            };
            let waiting: Vec<TermId> =
                waiting.into_iter().filter(|part| !others.contains_key(part)).collect();
            if !waiting.is_empty() {
                open.push(id);
                open.extend(waiting);
                continue;
            }
            let to = |part: TermId| others.get(&part).or_else(|| new.get(&part)).copied().unwrap_or(part);
            let node = self.node(id).clone();
            let made = self.made_of(&node, to);
            new.insert(id, made);
        }
        others.get(&term).or_else(|| new.get(&term)).copied().unwrap_or(term)
    }

    /// A term of another graph, in which `variable` says what stands for a variable; `known` keeps what was taken over.
    pub fn take_over(
        &mut self,
        other: &Terms,
        term: TermId,
        variable: &mut dyn FnMut(&mut Self, VariableId) -> TermId,
        known: &mut HashMap<TermId, TermId>,
    ) -> TermId {
        let mut open = vec![term];
        while let Some(id) = open.pop() {
            if known.contains_key(&id) {
                continue;
            }
            let waiting: Vec<TermId> =
                other.parts(id).into_iter().filter(|part| !known.contains_key(part)).collect();
            if !waiting.is_empty() {
                open.push(id);
                open.extend(waiting);
                continue;
            }
            let made = match other.node(id) {
                TermNode::Variable(id) => variable(self, *id),
                node => self.made_of(node, |part| known[&part]),
            };
            known.insert(id, made);
        }
        known[&term]
    }

    /// The term of a node whose parts are replaced. A variable stays what it is.
    fn made_of(&mut self, node: &TermNode, to: impl Fn(TermId) -> TermId) -> TermId {
        match node {
            TermNode::Constant(value) => self.constant(*value),
            TermNode::Variable(variable) => self.variable(*variable),
            TermNode::Not(part) => self.not(to(*part)),
            TermNode::And(parts) => self.and(parts.iter().copied().map(to)),
            TermNode::Or(parts) => self.or(parts.iter().copied().map(to)),
            TermNode::Equal(a, b) => self.equal(to(*a), to(*b)),
            TermNode::Less(a, b) => self.less(to(*a), to(*b)),
            TermNode::Number(operation, a, b) => self.number(*operation, to(*a), to(*b)),
            TermNode::If(condition, yes, no) => self.choose(to(*condition), to(*yes), to(*no)),
        }
    }

    /// The parts of a term.
    pub fn parts(&self, id: TermId) -> Vec<TermId> {
        match self.node(id) {
            TermNode::Constant(_) | TermNode::Variable(_) => Vec::new(),
            TermNode::Not(part) => vec![*part],
            TermNode::And(parts) | TermNode::Or(parts) => parts.clone(),
            TermNode::Equal(a, b) | TermNode::Less(a, b) | TermNode::Number(_, a, b) => vec![*a, *b],
            TermNode::If(condition, yes, no) => vec![*condition, *yes, *no],
        }
    }

    /// The values of all terms in a configuration, each computed once from its parts.
    pub fn values(&self, config: &Config) -> IdVec<TermId, i32> {
        self.first_values(self.nodes.len(), config)
    }

    /// The value of one term in a configuration.
    pub fn value(&self, term: TermId, config: &Config) -> i32 {
        let small = self.small_value(term, config);
        small.unwrap_or_else(|| self.first_values(term.index() + 1, config)[term])
    }

    /// The value of a term with few parts in a configuration; `None` if it has many.
    pub(super) fn small_value(&self, term: TermId, config: &Config) -> Option<i32> {
        let parts = self.few_parts(term)?;
        let mut values: Vec<i32> = Vec::with_capacity(parts.len());
        for part in &parts {
            let known = |part: TermId| parts.binary_search(&part).map_or(0, |at| values[at]);
            values.push(value_of(&self.nodes[*part], config, known));
        }
        values.last().copied()
    }

    /// A term and all its parts at any depth, in order, as long as they are few.
    fn few_parts(&self, term: TermId) -> Option<Vec<TermId>> {
        let mut found: BTreeSet<TermId> = [term].into();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if let TermNode::And(parts) | TermNode::Or(parts) = &self.nodes[term] {
                if parts.len() > FEW_VALUES {
                    return None;
                }
            }
            for part in self.parts(term) {
                if found.insert(part) {
                    open.push(part);
                }
            }
            if found.len() > FEW_VALUES {
                return None;
            }
        }
        Some(found.into_iter().collect())
    }

    /// Parts come before what they are parts of, so the values of the first terms need no others.
    fn first_values(&self, count: usize, config: &Config) -> IdVec<TermId, i32> {
        let mut values: IdVec<TermId, i32> = IdVec::with_capacity(count);
        for node in self.nodes.iter().take(count) {
            let value = value_of(node, config, |part| values[part]);
            values.push(value);
        }
        values
    }
}

/// The value of a term whose parts have values.
pub(super) fn value_of(node: &TermNode, config: &Config, of: impl Fn(TermId) -> i32) -> i32 {
    match node {
        TermNode::Constant(value) => *value,
        TermNode::Variable(variable) => config.0[variable.index()],
        TermNode::Not(part) => i32::from(of(*part) == 0),
        TermNode::And(parts) => i32::from(parts.iter().all(|part| of(*part) != 0)),
        TermNode::Or(parts) => i32::from(parts.iter().any(|part| of(*part) != 0)),
        TermNode::Equal(a, b) => i32::from(of(*a) == of(*b)),
        TermNode::Less(a, b) => i32::from(of(*a) < of(*b)),
        TermNode::Number(operation, a, b) => operation.apply(of(*a), of(*b)),
        TermNode::If(condition, yes, no) => of(if of(*condition) != 0 { *yes } else { *no }),
    }
}

//! Terms over packed states: each evaluated on demand, at most once per state.
//!
//! A term that is a cube or the negation of one is compared directly. Every other term remembers its value together with
//! the number of the state for which it was computed, so that shared parts cost once however often they are asked for.
//! Evaluation is recursive, which is the quickest way; terms that would lead too deep are computed in advance, parts
//! before wholes, so that no diagram is too long for the stack.

use std::ops::Range;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{Node, Operation, System, TermId};

use super::cube::{Cube, Test};
use super::layout::{Field, Layout};

/// How deep evaluation may go.
const DEEPEST: u32 = 64;

/// The terms of a system, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Terms {
    ops: IdVec<TermId, Op>,
    tests: Vec<Test>,
    parts: Vec<TermId>,
    /// Terms that are computed for every state, parts before wholes.
    early: Vec<TermId>,
}

/// How a term is computed.
#[derive(Clone, Debug)]
enum Op {
    Constant(i32),
    Field(Field),
    /// All of these tests hold.
    Cube(Range<u32>),
    /// Not all of these tests hold.
    Clause(Range<u32>),
    Not(TermId),
    And(Range<u32>),
    Or(Range<u32>),
    Equal(TermId, TermId),
    Less(TermId, TermId),
    Number(Operation, TermId, TermId),
    If(TermId, TermId, TermId),
}

/// What one thread remembers about the state it looks at.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    now: u32,
    stamps: Vec<u32>,
    values: Vec<i32>,
}

/// What a term is if it is simple.
#[derive(Clone, Debug)]
pub enum Shape {
    /// The same everywhere.
    Constant(i32),
    /// A cube.
    Cube(Cube),
    /// The negation of a cube.
    Clause(Cube),
    /// Anything else.
    Other,
}

impl Shape {
    /// The cube it is, if it is one.
    pub fn cube(&self) -> Option<Cube> {
        match self {
            Shape::Constant(0) | Shape::Other => None,
            Shape::Constant(_) => Some(Cube::default()),
            Shape::Cube(cube) => Some(cube.clone()),
            Shape::Clause(cube) => cube.negated(),
        }
    }

    fn not(&self) -> Shape {
        match self {
            Shape::Constant(value) => Shape::Constant(i32::from(*value == 0)),
            Shape::Cube(cube) => Shape::Clause(cube.clone()),
            Shape::Clause(cube) => Shape::Cube(cube.clone()),
            Shape::Other => Shape::Other,
        }
    }

    /// The conjunction; contradicting cubes make it false.
    fn all<'a>(shapes: impl Iterator<Item = &'a Shape>) -> Shape {
        let mut whole = Some(Cube::default());
        let mut is_simple = true;
        for shape in shapes {
            match shape.cube() {
                Some(cube) => whole = whole.and_then(|whole| whole.and(&cube)),
                None if matches!(shape, Shape::Constant(_)) => return Shape::Constant(0),
                None => is_simple = false,
            }
        }
        match whole {
            None => Shape::Constant(0),
            Some(_) if !is_simple => Shape::Other,
            Some(cube) => Shape::from(cube),
        }
    }
}

impl From<Cube> for Shape {
    fn from(cube: Cube) -> Shape {
        if cube.0.is_empty() { Shape::Constant(1) } else { Shape::Cube(cube) }
    }
}

/// What every term of a system is, if it is simple.
pub fn shapes(system: &System, layout: &Layout) -> IdVec<TermId, Shape> {
    let mut shapes: IdVec<TermId, Shape> = IdVec::new();
    for id in system.terms.ids() {
        let truth = |part: &TermId| truth(system, layout, &shapes, *part);
        let shape = match system.terms.node(id) {
            Node::Constant(value) => Shape::Constant(*value),
            Node::Variable(_) => Shape::Other,
            Node::Not(part) => truth(part).not(),
            Node::And(parts) => Shape::all(parts.iter().map(truth).collect::<Vec<_>>().iter()),
            Node::Or(parts) => {
                Shape::all(parts.iter().map(|part| truth(part).not()).collect::<Vec<_>>().iter()).not()
            }
            Node::Equal(a, b) => comparison(system, layout, *a, *b),
            Node::Less(..) | Node::Number(..) | Node::If(..) => Shape::Other,
        };
        shapes.push(shape);
    }
    shapes
}

/// The shape of a term that is asked only for its truth: a variable is true unless it is 0.
fn truth(system: &System, layout: &Layout, shapes: &IdVec<TermId, Shape>, term: TermId) -> Shape {
    match system.terms.node(term) {
        Node::Variable(variable) => {
            let field = layout.field(*variable);
            match field.has(0) {
                true => Shape::from(Cube::literal(field, 0)).not(),
                false => Shape::Constant(1),
            }
        }
        Node::Constant(_)
        | Node::Not(_)
        | Node::And(_)
        | Node::Or(_)
        | Node::Equal(..)
        | Node::Less(..)
        | Node::Number(..)
        | Node::If(..) => shapes[term].clone(),
    }
}

/// A variable compared with a number is a literal.
fn comparison(system: &System, layout: &Layout, a: TermId, b: TermId) -> Shape {
    let (variable, value) = match (system.terms.node(a), system.terms.node(b)) {
        (Node::Variable(variable), Node::Constant(value)) => (*variable, *value),
        (Node::Constant(value), Node::Variable(variable)) => (*variable, *value),
        _ => return Shape::Other,
    };
    let field = layout.field(variable);
    match field.has(value) {
        true => Shape::from(Cube::literal(field, value)),
        false => Shape::Constant(0),
    }
}

impl Terms {
    /// Prepares the terms of a system.
    pub fn new(system: &System, layout: &Layout, shapes: &IdVec<TermId, Shape>) -> Self {
        let mut terms = Terms { ops: IdVec::new(), tests: Vec::new(), parts: Vec::new(), early: Vec::new() };
        let mut depths: IdVec<TermId, u32> = IdVec::new();
        for (id, shape) in shapes.enumerate() {
            let op = terms.op(system.terms.node(id), shape, layout);
            let is_direct = matches!(op, Op::Constant(_) | Op::Field(_) | Op::Cube(_) | Op::Clause(_));
            let deepest = system.terms.parts(id).iter().map(|part| depths[*part]).max().unwrap_or(0);
            let depth = if is_direct { 0 } else { deepest + 1 };
            if depth == DEEPEST {
                terms.early.push(id);
            }
            depths.push(depth % DEEPEST);
            terms.ops.push(op);
        }
        terms
    }

    fn op(&mut self, node: &Node, shape: &Shape, layout: &Layout) -> Op {
        match shape {
            Shape::Constant(value) => return Op::Constant(*value),
            Shape::Cube(cube) => return Op::Cube(self.keep_tests(cube)),
            Shape::Clause(cube) => return Op::Clause(self.keep_tests(cube)),
            Shape::Other => {}
        }
        match node {
            Node::Constant(value) => Op::Constant(*value),
            Node::Variable(variable) => Op::Field(layout.field(*variable)),
            Node::Not(part) => Op::Not(*part),
            Node::And(parts) => Op::And(self.keep_parts(parts)),
            Node::Or(parts) => Op::Or(self.keep_parts(parts)),
            Node::Equal(a, b) => Op::Equal(*a, *b),
            Node::Less(a, b) => Op::Less(*a, *b),
            Node::Number(operation, a, b) => Op::Number(*operation, *a, *b),
            Node::If(condition, yes, no) => Op::If(*condition, *yes, *no),
        }
    }

    fn keep_tests(&mut self, cube: &Cube) -> Range<u32> {
        let start = self.tests.len() as u32;
        self.tests.extend(&cube.0);
        start..self.tests.len() as u32
    }

    fn keep_parts(&mut self, parts: &[TermId]) -> Range<u32> {
        let start = self.parts.len() as u32;
        self.parts.extend(parts);
        start..self.parts.len() as u32
    }

    /// Turns to another state.
    pub fn look_at(&self, state: &[u64], memory: &mut Memory) {
        if memory.now == u32::MAX || memory.stamps.len() != self.ops.len() {
            memory.stamps = vec![0; self.ops.len()];
            memory.values = vec![0; self.ops.len()];
            memory.now = 0;
        }
        memory.now += 1;
        for term in &self.early {
            self.value(*term, state, memory);
        }
    }

    /// Whether a term is true in the state that the memory looks at.
    pub fn holds(&self, term: TermId, state: &[u64], memory: &mut Memory) -> bool {
        self.value(term, state, memory) != 0
    }

    /// The value of a term in the state that the memory looks at.
    pub fn value(&self, term: TermId, state: &[u64], memory: &mut Memory) -> i32 {
        match &self.ops[term] {
            Op::Constant(value) => *value,
            Op::Field(field) => field.read(state),
            Op::Cube(tests) => i32::from(self.all_hold(tests, state)),
            Op::Clause(tests) => i32::from(!self.all_hold(tests, state)),
            Op::Not(_)
            | Op::And(_)
            | Op::Or(_)
            | Op::Equal(..)
            | Op::Less(..)
            | Op::Number(..)
            | Op::If(..) => self.remembered(term, state, memory),
        }
    }

    fn all_hold(&self, tests: &Range<u32>, state: &[u64]) -> bool {
        self.tests[tests.start as usize..tests.end as usize].iter().all(|test| test.holds(state))
    }

    fn remembered(&self, term: TermId, state: &[u64], memory: &mut Memory) -> i32 {
        if memory.stamps[term.index()] != memory.now {
            let value = self.computed(term, state, memory);
            memory.stamps[term.index()] = memory.now;
            memory.values[term.index()] = value;
        }
        memory.values[term.index()]
    }

    fn computed(&self, term: TermId, state: &[u64], memory: &mut Memory) -> i32 {
        let parts = |range: &Range<u32>| &self.parts[range.start as usize..range.end as usize];
        match &self.ops[term] {
            Op::Constant(_) | Op::Field(_) | Op::Cube(_) | Op::Clause(_) => self.value(term, state, memory),
            Op::Not(part) => i32::from(!self.holds(*part, state, memory)),
            Op::And(range) => i32::from(parts(range).iter().all(|part| self.holds(*part, state, memory))),
            Op::Or(range) => i32::from(parts(range).iter().any(|part| self.holds(*part, state, memory))),
            Op::Equal(a, b) => i32::from(self.value(*a, state, memory) == self.value(*b, state, memory)),
            Op::Less(a, b) => i32::from(self.value(*a, state, memory) < self.value(*b, state, memory)),
            Op::Number(operation, a, b) => {
                operation.apply(self.value(*a, state, memory), self.value(*b, state, memory))
            }
            Op::If(condition, yes, no) => {
                let chosen = if self.holds(*condition, state, memory) { yes } else { no };
                self.value(*chosen, state, memory)
            }
        }
    }
}

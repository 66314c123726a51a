//! Terms over packed states: each evaluated on demand, at most once per state.
//!
//! A term that is a cube or the negation of one is compared directly. Every other term remembers its value together with
//! the number of the state for which it was computed, so that shared parts cost once however often they are asked for.
//! Evaluation is recursive, which is the quickest way; terms that would lead too deep are computed in advance, parts
//! before wholes, so that no diagram is too long for the stack.

use std::collections::BTreeSet;
use std::ops::Range;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{ArithmeticOperation, System, TermId, TermNode, Terms, VariableId};

use super::cube::{Cube, WordTest};
use super::layout::{Field, PackedLayout};

/// How deep evaluation may go.
const DEEPEST: u32 = 64;

/// The terms of a system, ready to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct PackedTerms {
    ops: IdVec<TermId, TermOp>,
    tests: Vec<WordTest>,
    parts: Vec<TermId>,
    /// Terms that are computed for every state, parts before wholes.
    early: Vec<TermId>,
}

/// How a term is computed.
#[derive(Clone, Debug)]
enum TermOp {
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
    Number(ArithmeticOperation, TermId, TermId),
    If(TermId, TermId, TermId),
}

/// What one thread remembers about the state it looks at.
#[derive(Clone, Debug, Default)]
pub struct TermMemory {
    now: u32,
    stamps: Vec<u32>,
    values: Vec<i32>,
}

/// What a term is if it is simple.
#[derive(Clone, Debug)]
pub(crate) enum TermShape {
    /// The same everywhere.
    Constant(i32),
    /// A cube.
    Cube(Cube),
    /// The negation of a cube.
    Clause(Cube),
    /// Anything else.
    Other,
}

impl TermShape {
    /// The cube it is, if it is one.
    pub(crate) fn cube(&self) -> Option<Cube> {
        match self {
            TermShape::Constant(0) | TermShape::Other => None,
            TermShape::Constant(_) => Some(Cube::default()),
            TermShape::Cube(cube) => Some(cube.clone()),
            TermShape::Clause(cube) => cube.negated(),
        }
    }

    /// The test that must not hold, if that is all it says.
    pub(crate) fn negated_test(&self) -> Option<WordTest> {
        match self {
            TermShape::Clause(cube) => match cube.0.as_slice() {
                [test] => Some(*test),
                _ => None,
            },
            TermShape::Constant(_) | TermShape::Cube(_) | TermShape::Other => None,
        }
    }

    fn not(&self) -> TermShape {
        match self {
            TermShape::Constant(value) => TermShape::Constant(i32::from(*value == 0)),
            TermShape::Cube(cube) => TermShape::Clause(cube.clone()),
            TermShape::Clause(cube) => TermShape::Cube(cube.clone()),
            TermShape::Other => TermShape::Other,
        }
    }

    /// The conjunction; contradicting cubes make it false.
    fn all<'a>(shapes: impl Iterator<Item = &'a TermShape>) -> TermShape {
        let mut whole = Some(Cube::default());
        let mut is_simple = true;
        for shape in shapes {
            match shape.cube() {
                Some(cube) => whole = whole.and_then(|whole| whole.and(&cube)),
                None if matches!(shape, TermShape::Constant(_)) => return TermShape::Constant(0),
                None => is_simple = false,
            }
        }
        match whole {
            None => TermShape::Constant(0),
            Some(_) if !is_simple => TermShape::Other,
            Some(cube) => TermShape::from(cube),
        }
    }
}

impl From<Cube> for TermShape {
    fn from(cube: Cube) -> TermShape {
        if cube.0.is_empty() { TermShape::Constant(1) } else { TermShape::Cube(cube) }
    }
}

/// The variables that a term depends on.
pub(crate) fn support(terms: &Terms, term: TermId) -> BTreeSet<VariableId> {
    let mut variables = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            if let TermNode::Variable(variable) = terms.node(term) {
                variables.insert(*variable);
            }
            open.extend(terms.parts(term));
        }
    }
    variables
}

/// What every term of a system is, if it is simple.
pub(crate) fn shapes(system: &System, layout: &PackedLayout) -> IdVec<TermId, TermShape> {
    let mut shapes: IdVec<TermId, TermShape> = IdVec::new();
    for id in system.terms.ids() {
        let truth = |part: &TermId| truth(system, layout, &shapes, *part);
        let shape = match system.terms.node(id) {
            TermNode::Constant(value) => TermShape::Constant(*value),
            TermNode::Variable(_) => TermShape::Other,
            TermNode::Not(part) => truth(part).not(),
            TermNode::And(parts) => TermShape::all(parts.iter().map(truth).collect::<Vec<_>>().iter()),
            TermNode::Or(parts) => {
                TermShape::all(parts.iter().map(|part| truth(part).not()).collect::<Vec<_>>().iter()).not()
            }
            TermNode::Equal(a, b) => comparison(system, layout, *a, *b),
            TermNode::Less(..) | TermNode::Number(..) | TermNode::If(..) => TermShape::Other,
        };
        shapes.push(shape);
    }
    shapes
}

/// The shape of a term that is asked only for its truth: a variable is true unless it is 0.
fn truth(
    system: &System,
    layout: &PackedLayout,
    shapes: &IdVec<TermId, TermShape>,
    term: TermId,
) -> TermShape {
    match system.terms.node(term) {
        TermNode::Variable(variable) => {
            let field = layout.field(*variable);
            match field.has(0) {
                true => TermShape::from(Cube::literal(field, 0)).not(),
                false => TermShape::Constant(1),
            }
        }
        TermNode::Constant(_)
        | TermNode::Not(_)
        | TermNode::And(_)
        | TermNode::Or(_)
        | TermNode::Equal(..)
        | TermNode::Less(..)
        | TermNode::Number(..)
        | TermNode::If(..) => shapes[term].clone(),
    }
}

/// A variable compared with a number is a literal.
fn comparison(system: &System, layout: &PackedLayout, a: TermId, b: TermId) -> TermShape {
    let (variable, value) = match (system.terms.node(a), system.terms.node(b)) {
        (TermNode::Variable(variable), TermNode::Constant(value)) => (*variable, *value),
        (TermNode::Constant(value), TermNode::Variable(variable)) => (*variable, *value),
        _ => return TermShape::Other,
    };
    let field = layout.field(variable);
    match field.has(value) {
        true => TermShape::from(Cube::literal(field, value)),
        false => TermShape::Constant(0),
    }
}

impl PackedTerms {
    /// Prepares the terms of a system.
    pub(crate) fn new(system: &System, layout: &PackedLayout, shapes: &IdVec<TermId, TermShape>) -> Self {
        let mut terms =
            PackedTerms { ops: IdVec::new(), tests: Vec::new(), parts: Vec::new(), early: Vec::new() };
        let mut depths: IdVec<TermId, u32> = IdVec::new();
        for (id, shape) in shapes.enumerate() {
            let op = terms.op(system.terms.node(id), shape, layout);
            let is_direct =
                matches!(op, TermOp::Constant(_) | TermOp::Field(_) | TermOp::Cube(_) | TermOp::Clause(_));
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

    fn op(&mut self, node: &TermNode, shape: &TermShape, layout: &PackedLayout) -> TermOp {
        match shape {
            TermShape::Constant(value) => return TermOp::Constant(*value),
            TermShape::Cube(cube) => return TermOp::Cube(self.keep_tests(cube)),
            TermShape::Clause(cube) => return TermOp::Clause(self.keep_tests(cube)),
            TermShape::Other => {}
        }
        match node {
            TermNode::Constant(value) => TermOp::Constant(*value),
            TermNode::Variable(variable) => TermOp::Field(layout.field(*variable)),
            TermNode::Not(part) => TermOp::Not(*part),
            TermNode::And(parts) => TermOp::And(self.keep_parts(parts)),
            TermNode::Or(parts) => TermOp::Or(self.keep_parts(parts)),
            TermNode::Equal(a, b) => TermOp::Equal(*a, *b),
            TermNode::Less(a, b) => TermOp::Less(*a, *b),
            TermNode::Number(operation, a, b) => TermOp::Number(*operation, *a, *b),
            TermNode::If(condition, yes, no) => TermOp::If(*condition, *yes, *no),
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
    pub(crate) fn look_at(&self, state: &[u64], memory: &mut TermMemory) {
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
    pub(crate) fn holds(&self, term: TermId, state: &[u64], memory: &mut TermMemory) -> bool {
        self.value(term, state, memory) != 0
    }

    /// The value of a term in the state that the memory looks at.
    pub(crate) fn value(&self, term: TermId, state: &[u64], memory: &mut TermMemory) -> i32 {
        match &self.ops[term] {
            TermOp::Constant(value) => *value,
            TermOp::Field(field) => field.read(state),
            TermOp::Cube(tests) => i32::from(self.all_hold(tests, state)),
            TermOp::Clause(tests) => i32::from(!self.all_hold(tests, state)),
            TermOp::Not(_)
            | TermOp::And(_)
            | TermOp::Or(_)
            | TermOp::Equal(..)
            | TermOp::Less(..)
            | TermOp::Number(..)
            | TermOp::If(..) => self.remembered(term, state, memory),
        }
    }

    fn all_hold(&self, tests: &Range<u32>, state: &[u64]) -> bool {
        self.tests[tests.start as usize..tests.end as usize].iter().all(|test| test.holds(state))
    }

    fn remembered(&self, term: TermId, state: &[u64], memory: &mut TermMemory) -> i32 {
        if memory.stamps[term.index()] != memory.now {
            let value = self.computed(term, state, memory);
            memory.stamps[term.index()] = memory.now;
            memory.values[term.index()] = value;
        }
        memory.values[term.index()]
    }

    fn computed(&self, term: TermId, state: &[u64], memory: &mut TermMemory) -> i32 {
        let parts = |range: &Range<u32>| &self.parts[range.start as usize..range.end as usize];
        match &self.ops[term] {
            TermOp::Constant(_) | TermOp::Field(_) | TermOp::Cube(_) | TermOp::Clause(_) => {
                self.value(term, state, memory)
            }
            TermOp::Not(part) => i32::from(!self.holds(*part, state, memory)),
            TermOp::And(range) => i32::from(parts(range).iter().all(|part| self.holds(*part, state, memory))),
            TermOp::Or(range) => i32::from(parts(range).iter().any(|part| self.holds(*part, state, memory))),
            TermOp::Equal(a, b) => i32::from(self.value(*a, state, memory) == self.value(*b, state, memory)),
            TermOp::Less(a, b) => i32::from(self.value(*a, state, memory) < self.value(*b, state, memory)),
            TermOp::Number(operation, a, b) => {
                operation.apply(self.value(*a, state, memory), self.value(*b, state, memory))
            }
            TermOp::If(condition, yes, no) => {
                let chosen = if self.holds(*condition, state, memory) { yes } else { no };
                self.value(*chosen, state, memory)
            }
        }
    }
}

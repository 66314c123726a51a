//! Space: the states of an encoding, cubes of them, and those in which runs begin.
//!
//! A cube is a conjunction of literals of the state: all states in which they hold. Where of some literals exactly one is
//! true, which is how numbers with few values are written, the true one says it all, and a state is a cube of few literals.
//! Such literals are a choice; a cube that leaves several of them open says which ones are false.

use std::collections::BTreeSet;

use crate::sat::encode::encoding::Encoding;
use crate::sat::solver::{Literal, Patience, Solver, SolverOutcome};

/// Literals of the state at the first position, ascending, that hold together.
pub(crate) type StateCube = Vec<Literal>;

/// The watch broke it off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Halt;

/// The states.
pub struct Ic3Space<'p> {
    /// Literals of the state of which exactly one is true.
    choices: Vec<Vec<Literal>>,
    /// For each literal of the state the choice it belongs to.
    choice: Vec<Option<usize>>,
    /// The first states alone.
    first: Solver<'p>,
    /// The true literals of the only first state, if there is only one.
    only: Option<BTreeSet<Literal>>,
}

impl<'p> Ic3Space<'p> {
    /// The states of an encoding.
    pub fn new(encoding: &Encoding<'_>, patience: Patience<'p>) -> Self {
        let mut any = Solver::new(patience);
        any.variables(encoding.period as usize);
        encoding.definitions.iter().for_each(|clause| any.add(clause.iter().copied()));
        let width = encoding.state.width as usize;
        let mut choices: Vec<Vec<Literal>> = Vec::new();
        let mut choice = vec![None; width + 1];
        for clause in &encoding.definitions {
            let are_states = clause.iter().all(|one| one.is_positive() && one.0 as usize <= width);
            if are_states && clause.len() > 2 && excludes(&mut any, clause) {
                clause.iter().for_each(|one| choice[one.0 as usize] = Some(choices.len()));
                choices.push(clause.clone());
            }
        }
        let mut first = any;
        encoding.initial().into_iter().for_each(|literal| first.add([literal]));
        let only = only(&mut first, width);
        Ic3Space { choices, choice, first, only }
    }

    /// A state as a cube.
    pub fn cube(&self, is_true: &mut dyn FnMut(Literal) -> bool) -> StateCube {
        let mut cube: StateCube = (1..self.choice.len())
            .filter_map(|number| {
                let literal = Literal(number as i32);
                match is_true(literal) {
                    true => Some(literal),
                    false => self.choice[number].is_none().then_some(!literal),
                }
            })
            .collect();
        cube.sort_unstable();
        cube
    }

    /// The choice that a literal belongs to.
    pub fn choice(&self, literal: Literal) -> Option<&[Literal]> {
        let number = self.choice.get(literal.variable().0 as usize).copied().flatten()?;
        Some(&self.choices[number])
    }

    /// All literals that hold in a cube, ascending: where one of a choice is true the others are false.
    pub fn closure(&self, cube: &StateCube) -> StateCube {
        let mut closure = cube.clone();
        for literal in cube.iter().filter(|literal| literal.is_positive()) {
            let others = self.choice(*literal).unwrap_or_default().iter();
            closure.extend(others.filter(|other| *other != literal).map(|other| !*other));
        }
        closure.sort_unstable();
        closure.dedup();
        closure
    }

    /// Whether literals hold together in a first state.
    pub fn is_initial(&mut self, literals: &[Literal]) -> Result<bool, Halt> {
        let width = self.choice.len() as i32;
        if let Some(only) = &self.only
            && literals.iter().all(|literal| literal.variable().0 < width)
        {
            return Ok(literals.iter().all(|literal| only.contains(literal)));
        }
        there_is(self.first.solve(literals, None))
    }
}

/// Whether there is a model.
pub(crate) fn there_is(outcome: SolverOutcome) -> Result<bool, Halt> {
    match outcome {
        SolverOutcome::Satisfiable => Ok(true),
        SolverOutcome::Unsatisfiable => Ok(false),
        SolverOutcome::Stopped => Err(Halt),
    }
}

/// Whether each of some literals excludes all others.
fn excludes(any: &mut Solver<'_>, literals: &[Literal]) -> bool {
    literals.iter().all(|one| {
        let others: Vec<Literal> = literals.iter().copied().filter(|other| other != one).collect();
        any.solve(&[*one], Some(&others)) == SolverOutcome::Unsatisfiable
    })
}

/// The literals of the only first state, unless there are more, or none.
fn only(first: &mut Solver<'_>, width: usize) -> Option<BTreeSet<Literal>> {
    if first.solve(&[], None) != SolverOutcome::Satisfiable {
        return None;
    }
    let all = (1..=width as i32).map(Literal);
    let state: Vec<Literal> = all.map(|one| if first.value(one) { one } else { !one }).collect();
    let others: Vec<Literal> = state.iter().map(|one| !*one).collect();
    (first.solve(&[], Some(&others)) == SolverOutcome::Unsatisfiable).then(|| state.into_iter().collect())
}

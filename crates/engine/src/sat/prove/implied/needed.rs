//! Which implied clauses an invariant needs.
//!
//! An invariant with all that is implied has thousands of clauses, few of which have to do with the question. A solver
//! that shows that a step keeps some of them tells which it used; those must be kept as well, and so on until no more are used.

use crate::sat::encode::encoding::Encoding;
use crate::sat::prove::certificate::position;
use crate::sat::solver::{Literal, Patience, Solver, SolverOutcome};

/// A part of `known` with which `clauses` are still an invariant, as they are with all of it; all if the watch broke it off.
pub fn needed(
    encoding: &Encoding<'_>,
    clauses: &[Vec<Literal>],
    known: Vec<Vec<Literal>>,
    patience: Patience<'_>,
) -> Vec<Vec<Literal>> {
    let mut solver = position(encoding, patience);
    let period = encoding.period;
    solver.variables(period as usize);
    encoding.steps.iter().for_each(|clause| solver.add(clause.iter().copied()));
    for clause in &encoding.definitions {
        solver.add(clause.iter().map(|literal| literal.moved(period)));
    }
    let mut kept: Vec<Literal> = Vec::new();
    for clause in clauses {
        solver.add(clause.iter().copied());
        kept.push(broken(&mut solver, clause, period));
    }
    let mut asked = Vec::new();
    let mut breaks = Vec::new();
    for clause in &known {
        let holds = solver.variable();
        solver.add(clause.iter().copied().chain([!holds]));
        asked.push(holds);
        breaks.push(broken(&mut solver, clause, period));
    }
    let mut is_needed = vec![false; known.len()];
    loop {
        if solver.solve(&asked, Some(&kept)) != SolverOutcome::Unsatisfiable {
            return known;
        }
        let mut has_grown = false;
        for at in 0..known.len() {
            if !is_needed[at] && solver.is_needed(asked[at]) {
                (is_needed[at], has_grown) = (true, true);
                kept.push(breaks[at]);
            }
        }
        if !has_grown {
            return known
                .into_iter()
                .zip(is_needed)
                .filter(|(_, needed)| *needed)
                .map(|(one, _)| one)
                .collect();
        }
    }
}

/// A literal that says that a clause does not hold after a step.
fn broken(solver: &mut Solver<'_>, clause: &[Literal], period: i32) -> Literal {
    let broken = solver.variable();
    clause.iter().for_each(|literal| solver.add([!broken, !literal.moved(period)]));
    broken
}

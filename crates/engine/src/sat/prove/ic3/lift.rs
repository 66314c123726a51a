//! Lifting: from one state that has a step to a target to a cube of such states.
//!
//! If the rules that fire are given, the state before a step decides whether it is possible and where it leads; and mostly
//! few variables decide. So a solver is asked for a state in which these rules cannot fire, or lead elsewhere. There is none
//! while all literals of the state are assumed, and those that were not needed for that are left out.
//!
//! To ask so, clauses must be told apart. Those that define something, or that say what comes after a step, hold here too.
//! All others say what is possible: that one of them fails is what is asked for. Two rules that want different values in one
//! variable would go unnoticed, as there is no state after such a step; so a run along lifted cubes may fail, and then
//! nothing is lifted any more.

use std::collections::BTreeSet;

use super::gates::gates;
use super::space::{Halt, StateCube};
use crate::sat::encode::encoding::Encoding;
use crate::sat::lean::LeanSolver;
use crate::sat::solver::{Literal, Patience, SolverOutcome};

/// A solver for the question.
pub(crate) struct Lifter<'p> {
    solver: LeanSolver<'p>,
    period: i32,
    /// What is not decided by the state: the rules that fire, above all.
    inputs: Vec<Literal>,
    /// Only if a step is not possible.
    impossible: Literal,
    is_stopped: bool,
}

impl<'p> Lifter<'p> {
    /// A lifter of the steps of an encoding.
    pub(crate) fn new(encoding: &Encoding<'_>, patience: Patience<'p>) -> Self {
        let period = encoding.period;
        let width = encoding.state.width;
        let clauses: Vec<&Vec<Literal>> = encoding.definitions.iter().chain(&encoding.steps).collect();
        let gates = gates(&clauses, width, period);
        let is_input = |number: &i32| !gates.parts.contains_key(&Literal(*number));
        let inputs = (width + 1..=period).filter(is_input).map(Literal).collect();
        let mut solver = LeanSolver::new(patience);
        solver.variables(2 * period as usize);
        let mut ways: Vec<Literal> = Vec::new();
        for clause in &encoding.definitions {
            solver.add(clause.iter().copied());
            // What a single literal says of a state may fail after a step.
            match clause.as_slice() {
                [only] => ways.push(!only.moved(period)),
                _ => solver.add(clause.iter().map(|literal| literal.moved(period))),
            }
        }
        // What speaks of the state after a step, by itself or by a gate.
        let mut after: BTreeSet<Literal> = BTreeSet::new();
        for (gate, parts) in &gates.parts {
            if parts.iter().any(|part| part.variable().0 > period || after.contains(&part.variable())) {
                after.insert(*gate);
            }
        }
        let own = encoding.steps.iter().zip(&gates.is_definition[encoding.definitions.len()..]);
        for (clause, is_definition) in own {
            let is_after = |one: &Literal| one.variable().0 > period || after.contains(&one.variable());
            if *is_definition || clause.iter().any(is_after) {
                solver.add(clause.iter().copied());
                continue;
            }
            let fails = solver.variable();
            clause.iter().for_each(|literal| solver.add([!fails, !*literal]));
            ways.push(fails);
        }
        let impossible = solver.variable();
        solver.add(ways.into_iter().chain([!impossible]));
        Lifter { solver, period, inputs, impossible, is_stopped: false }
    }

    /// Nothing is lifted any more.
    pub(crate) fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// The cube of a state from which a step leads to a target, as a solver has found it.
    pub(crate) fn lift(
        &mut self,
        state: StateCube,
        target: &[Literal],
        found: &LeanSolver<'_>,
    ) -> Result<StateCube, Halt> {
        if self.is_stopped {
            return Ok(state);
        }
        let inputs = self.inputs.iter().map(|one| if found.value(*one) { *one } else { !*one });
        let assumptions: Vec<Literal> = inputs.chain(state.iter().copied()).collect();
        let elsewhere = target.iter().map(|literal| !literal.moved(self.period));
        let elsewhere: Vec<Literal> = elsewhere.chain([self.impossible]).collect();
        match self.solver.solve(&assumptions, Some(&elsewhere)) {
            SolverOutcome::Unsatisfiable => {
                Ok(state.into_iter().filter(|literal| self.solver.is_needed(*literal)).collect())
            }
            // The state does not decide alone.
            SolverOutcome::Satisfiable => Ok(state),
            SolverOutcome::Stopped => Err(Halt),
        }
    }
}

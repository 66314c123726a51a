//! Certificates: an inductive invariant, checked independently of the engine that found it.
//!
//! Three questions, each to a solver of its own that knows nothing of how the invariant was found; none has a model:
//! is there a first state, or a step from a state where the invariant holds, after which it does not hold; and is there a goal
//! where it holds.
//!
//! For a report, a clause is a list of [facts](Fact) about the variables of the System.

use sequent_kernel::system::VariableId;

use crate::sat::encode::encoding::Encoding;
use crate::sat::encode::number::EncodedNumber;
use crate::sat::solver::{Literal, Patience, Solver, SolverOutcome};

/// What is wrong with an invariant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flaw {
    /// It does not hold in all first states.
    Beginning,
    /// A step does not keep it.
    Step,
    /// It holds in a goal.
    Goal,
    /// It has literals that are not part of a state.
    Foreign,
    /// The watch broke the check off.
    Stopped,
}

/// What a literal says of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fact {
    /// A variable has a value, or it has another.
    Value(VariableId, i32, bool),
    /// A bit of a variable is 1, or it is 0; the least is number 0, the last is the sign.
    Bit(VariableId, usize, bool),
    /// Something else that is part of the state: what an observer remembers, by its number.
    Other(i32, bool),
}

/// What a literal of the state says; `None` if it is not part of the state.
pub fn fact(encoding: &Encoding<'_>, literal: Literal) -> Option<Fact> {
    if literal.variable().0 > encoding.state.width {
        return None;
    }
    let is = literal.is_positive();
    let Some(variable) = encoding.state.owner(literal) else {
        return Some(Fact::Other(literal.variable().0, is));
    };
    match &encoding.state.variables[variable] {
        // Of two values one is the literal, and the other its negation.
        EncodedNumber::Cases(cases) => match cases.iter().find(|case| case.1 == literal) {
            Some(case) => Some(Fact::Value(variable, case.0, true)),
            None => {
                let case = cases.iter().find(|case| case.1 == !literal)?;
                Some(Fact::Value(variable, case.0, false))
            }
        },
        EncodedNumber::Bits(bits) => {
            let bit = bits.bits.iter().position(|bit| bit.variable() == literal.variable())?;
            Some(Fact::Bit(variable, bit, is == bits.bits[bit].is_positive()))
        }
    }
}

/// Checks that clauses are an invariant that keeps all runs away from a goal.
pub fn check(
    encoding: &Encoding<'_>,
    goal: Literal,
    invariant: &[Vec<Literal>],
    patience: Patience<'_>,
) -> Result<(), Flaw> {
    let is_own = |literal: &Literal| literal.variable().0 <= encoding.period || *literal == !goal;
    if !invariant.iter().flatten().all(is_own) {
        return Err(Flaw::Foreign);
    }
    let mut beginning = position(encoding, patience);
    encoding.initial().into_iter().for_each(|literal| beginning.add([literal]));
    fails(&mut beginning, invariant, 0);
    none(beginning, Flaw::Beginning)?;

    let mut step = position(encoding, patience);
    step.variables(encoding.period as usize);
    encoding.steps.iter().for_each(|clause| step.add(clause.iter().copied()));
    let after = encoding.definitions.iter();
    after.for_each(|clause| step.add(clause.iter().map(|literal| literal.moved(encoding.period))));
    invariant.iter().for_each(|clause| step.add(clause.iter().copied()));
    fails(&mut step, invariant, encoding.period);
    none(step, Flaw::Step)?;

    let mut end = position(encoding, patience);
    invariant.iter().for_each(|clause| end.add(clause.iter().copied()));
    end.add([goal]);
    none(end, Flaw::Goal)
}

pub(super) fn position<'p>(encoding: &Encoding<'_>, patience: Patience<'p>) -> Solver<'p> {
    let mut solver = Solver::new(patience);
    solver.variables(encoding.period as usize);
    encoding.definitions.iter().for_each(|clause| solver.add(clause.iter().copied()));
    solver
}

/// Adds clauses that say that one of `clauses` is false, with literals moved by `by`.
pub(super) fn fails(solver: &mut Solver<'_>, clauses: &[Vec<Literal>], by: i32) {
    let mut ways = Vec::new();
    for clause in clauses {
        let way = solver.variable();
        clause.iter().for_each(|literal| solver.add([!way, !literal.moved(by)]));
        ways.push(way);
    }
    solver.add(ways);
}

fn none(mut solver: Solver<'_>, flaw: Flaw) -> Result<(), Flaw> {
    match solver.solve(&[], None) {
        SolverOutcome::Unsatisfiable => Ok(()),
        SolverOutcome::Satisfiable => Err(flaw),
        SolverOutcome::Stopped => Err(Flaw::Stopped),
    }
}

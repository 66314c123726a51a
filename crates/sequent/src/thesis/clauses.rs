//! A goal as clauses for any solver: all positions at once, and the goal at the last of them.

use std::fmt::Write;
use std::ops::ControlFlow;

use sequent_engine::sat::encoding::{Encoding, Pace};
use sequent_engine::sat::solver::{FALSE, Literal, Solver, TRUE};
use sequent_engine::sat::unrolling::Unrolling;
use sequent_kernel::generate::Instance;

/// A formula that is satisfiable if and only if the goal is reached within the bound.
pub struct Clauses {
    /// How many variables it has.
    pub variables: usize,
    list: Vec<Vec<Literal>>,
}

/// The clauses of an instance that asks for a goal within a bound; `None` for others.
pub fn clauses(instance: &Instance) -> Option<Clauses> {
    let lowered = instance.lower().ok()?;
    let goal = lowered.goal?;
    let encoding = Encoding::resting(&lowered.objects.system, Pace::Together, &[goal], None).ok()?;
    let wanted = encoding.truth(goal)?;
    let patience = |_| ControlFlow::Continue(());
    let mut solver = Solver::new(&patience);
    solver.keep();
    let mut unrolling = Unrolling::from_start(&encoding, solver);
    for _ in 0..instance.within? {
        unrolling.extend();
    }
    let last = unrolling.at(wanted, unrolling.last);
    let mut list = unrolling.solver.kept().to_vec();
    match last {
        TRUE => {}
        FALSE => list.push(Vec::new()),
        literal => list.push(vec![literal]),
    }
    Some(Clauses { variables: unrolling.solver.effort().variables, list })
}

impl Clauses {
    /// How many clauses there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The formula in DIMACS.
    pub fn dimacs(&self) -> String {
        let most = self.list.iter().flatten().map(|literal| literal.0.unsigned_abs() as usize).max();
        let variables = self.variables.max(most.unwrap_or(0));
        let mut text = format!("p cnf {variables} {}\n", self.list.len());
        for clause in &self.list {
            for literal in clause {
                let _ = write!(text, "{} ", literal.0);
            }
            text += "0\n";
        }
        text
    }
}

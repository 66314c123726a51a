//! The solver of IC3 says what CaDiCaL says: random clauses that grow, with assumptions and constraints; models hold, and what is
//! said to be needed suffices.

use std::ops::ControlFlow;

use sequent_engine::sat::lean::LeanSolver;
use sequent_engine::sat::solver::{FALSE, Literal, Solver, SolverEffort, SolverOutcome, TRUE};
use sequent_kernel::random::Random;
use sequent_testing::seeds::seeds;

fn patient(_: SolverEffort) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Clauses in both solvers.
struct ComparedSolvers {
    lean: LeanSolver<'static>,
    other: Solver<'static>,
    clauses: Vec<Vec<Literal>>,
    variables: usize,
}

impl ComparedSolvers {
    fn new(variables: usize) -> ComparedSolvers {
        let (mut lean, mut other) = (LeanSolver::new(&patient), Solver::new(&patient));
        assert_eq!(lean.variables(variables), other.variables(variables));
        ComparedSolvers { lean, other, clauses: Vec::new(), variables }
    }

    fn literal(&self, random: &mut Random) -> Literal {
        match random.below(60) {
            0 => TRUE,
            1 => FALSE,
            _ => {
                let literal = Literal(random.below(self.variables) as i32 + 1);
                if random.percent(50) { literal } else { !literal }
            }
        }
    }

    fn literals(&self, random: &mut Random, bounds: (usize, usize)) -> Vec<Literal> {
        (0..random.between(bounds)).map(|_| self.literal(random)).collect()
    }

    fn add(&mut self, clause: Vec<Literal>) {
        self.lean.add(clause.iter().copied());
        self.other.add(clause.iter().copied());
        self.clauses.push(clause);
    }

    /// Asks both; whether there is a model.
    fn ask(&mut self, assumptions: &[Literal], constraint: Option<&[Literal]>, seed: u64) -> bool {
        let outcome = self.lean.solve(assumptions, constraint);
        assert_eq!(outcome, self.other.solve(assumptions, constraint), "seed {seed}");
        if outcome == SolverOutcome::Satisfiable {
            let lean = &self.lean;
            let holds = |clause: &[Literal]| clause.iter().any(|literal| lean.value(*literal));
            assert!(self.clauses.iter().all(|clause| holds(clause)), "seed {seed}");
            assert!(assumptions.iter().all(|literal| lean.value(*literal)), "seed {seed}");
            assert!(constraint.is_none_or(holds), "seed {seed}");
            return true;
        }
        let needed: Vec<Literal> =
            assumptions.iter().copied().filter(|literal| self.lean.is_needed(*literal)).collect();
        assert_eq!(self.other.solve(&needed, constraint), SolverOutcome::Unsatisfiable, "seed {seed}");
        false
    }
}

#[test]
fn growing_clauses_have_the_models_that_another_solver_finds() {
    let (mut models, mut none) = (0, 0);
    for seed in seeds(400) {
        let mut random = Random::new(seed);
        let variables = random.between((3, 60));
        let mut compared = ComparedSolvers::new(variables);
        for _ in 0..40 {
            for _ in 0..random.below(variables / 3 + 1) {
                let shortest = if random.percent(2) { 1 } else { 2 };
                let clause = compared.literals(&mut random, (shortest, 4));
                compared.add(clause);
            }
            let assumptions = compared.literals(&mut random, (0, 6));
            let constraint = random.percent(60).then(|| compared.literals(&mut random, (0, 5)));
            match compared.ask(&assumptions, constraint.as_deref(), seed) {
                true => models += 1,
                false => none += 1,
            }
        }
    }
    assert!(models > 500 && none > 500, "{models} with a model, {none} without");
}

/// So many pigeons as holes and one, if a literal holds: many conflicts, restarts, and clauses that are given up.
#[test]
fn hard_clauses_are_refuted_and_forgotten() {
    for pigeons in 3..9 {
        let holes = pigeons - 1;
        let mut compared = ComparedSolvers::new(pigeons * holes + 1);
        let at = |pigeon: usize, hole: usize| Literal((pigeon * holes + hole + 1) as i32);
        let asked = Literal((pigeons * holes + 1) as i32);
        for pigeon in 0..pigeons {
            compared.add((0..holes).map(|hole| at(pigeon, hole)).chain([!asked]).collect());
            for (other, hole) in (0..pigeon).flat_map(|other| (0..holes).map(move |hole| (other, hole))) {
                compared.add(vec![!at(pigeon, hole), !at(other, hole)]);
            }
        }
        let seed = pigeons as u64;
        assert!(compared.ask(&[], None, seed));
        assert!(!compared.ask(&[at(0, 0)], Some(&[asked, FALSE]), seed));
        assert!(compared.ask(&[!at(0, 0)], Some(&[asked, at(1, 0), !at(2, 1)]), seed));
        assert!(!compared.ask(&[asked, at(1, 0)], None, seed));
        assert!(!compared.ask(&[asked], Some(&[at(1, 0), at(1, 1)]), seed));
        assert!(compared.ask(&[!asked], Some(&[at(1, 0), at(1, 1)]), seed));
    }
}

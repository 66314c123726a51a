//! Unrolling: the positions of a run, one after the other, in one solver.

use sequent_kernel::replay::Run;
use sequent_kernel::system::Config;

use super::encoding::Encoding;
use super::solver::{Literal, Solver};

/// Positions of a run as clauses in a solver; more are added as they are needed.
pub struct Unrolling<'e, 's, 'p> {
    /// What is unrolled.
    pub encoding: &'e Encoding<'s>,
    /// Where the clauses are.
    pub solver: Solver<'p>,
    /// The last position.
    pub last: usize,
}

impl<'e, 's, 'p> Unrolling<'e, 's, 'p> {
    /// One position, any state.
    pub fn new(encoding: &'e Encoding<'s>, solver: Solver<'p>) -> Self {
        let mut unrolling = Unrolling { encoding, solver, last: 0 };
        unrolling.position();
        unrolling
    }

    /// One position, the first of a run.
    pub fn from_start(encoding: &'e Encoding<'s>, solver: Solver<'p>) -> Self {
        let mut unrolling = Unrolling::new(encoding, solver);
        for literal in encoding.initial() {
            unrolling.solver.add([literal]);
        }
        unrolling
    }

    fn position(&mut self) {
        self.solver.variables(self.encoding.period as usize);
        let encoding = self.encoding;
        self.clauses(&encoding.definitions, self.last);
    }

    fn clauses(&mut self, clauses: &[Vec<Literal>], position: usize) {
        let by = self.offset(position);
        for clause in clauses {
            self.solver.add(clause.iter().map(|literal| literal.moved(by)));
        }
    }

    /// Adds a position.
    pub fn extend(&mut self) {
        let encoding = self.encoding;
        self.last += 1;
        self.position();
        self.clauses(&encoding.steps, self.last - 1);
    }

    /// A literal of the first position at another.
    pub fn at(&self, literal: Literal, position: usize) -> Literal {
        literal.moved(self.offset(position))
    }

    fn offset(&self, position: usize) -> i32 {
        i32::try_from(position).expect("fewer positions than variables") * self.encoding.period
    }

    /// The configuration of the model at a position.
    pub fn config(&mut self, position: usize) -> Config {
        let by = self.offset(position);
        let solver = &mut self.solver;
        self.encoding.config(&mut |literal| solver.value(literal.moved(by)))
    }

    /// The run of the model up to a position.
    pub fn run(&mut self, position: usize) -> Run {
        let mut run = Run::default();
        for number in 0..position {
            let by = self.offset(number);
            let solver = &mut self.solver;
            if self.encoding.remembers.is_some_and(|remembers| solver.value(remembers.moved(by))) {
                run.cycle = Some(run.steps.len());
            }
            run.steps.extend(self.encoding.steps_in(&mut |literal| solver.value(literal.moved(by))));
        }
        // A run that ends is none that goes round, whatever was remembered on the way.
        let ended = self.encoding.watch.as_ref().map(|watch| self.at(watch.accepted, position));
        run.cycle = run.cycle.filter(|_| !ended.is_some_and(|ended| self.solver.value(ended)));
        run
    }
}

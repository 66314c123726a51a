//! Unrolling: the positions of a run, one after the other, in one solver.

use sequent_kernel::replay::Run;
use sequent_kernel::system::Config;

use crate::sat::encode::encoding::Encoding;
use crate::sat::solver::{Literal, Solver};

/// Positions of a run as clauses in a solver; more are added as they are needed.
pub struct Unrolling<'e, 's, 'p> {
    /// What is unrolled.
    pub encoding: &'e Encoding<'s>,
    /// Where the clauses are.
    pub solver: Solver<'p>,
    /// The last position.
    pub last: usize,
    /// For each position how far its literals lie behind those of the encoding. Others may make variables in between.
    offsets: Vec<i32>,
}

impl<'e, 's, 'p> Unrolling<'e, 's, 'p> {
    /// One position, any state.
    pub fn new(encoding: &'e Encoding<'s>, solver: Solver<'p>) -> Self {
        let mut unrolling = Unrolling { encoding, solver, last: 0, offsets: Vec::new() };
        unrolling.position();
        unrolling
    }

    /// One position, the first of a run.
    pub fn from_start(encoding: &'e Encoding<'s>, solver: Solver<'p>) -> Self {
        let mut unrolling = Unrolling::new(encoding, solver);
        for literal in encoding.initial() {
            unrolling.solver.add([unrolling.at(literal, 0)]);
        }
        unrolling
    }

    fn position(&mut self) {
        let offset = self.solver.variables(self.encoding.period as usize);
        self.offsets.push(offset);
        for clause in &self.encoding.definitions {
            self.solver.add(clause.iter().map(|literal| literal.moved(offset)));
        }
    }

    /// Adds a position.
    pub fn extend(&mut self) {
        self.last += 1;
        self.position();
        let encoding = self.encoding;
        let (here, next) = (self.offsets[self.last - 1], self.offsets[self.last] - encoding.period);
        let place = |literal: &Literal| match literal.variable().0 > encoding.period {
            true => literal.moved(next),
            false => literal.moved(here),
        };
        for clause in &encoding.steps {
            self.solver.add(clause.iter().map(place));
        }
    }

    /// Adds that a literal holds at none of the first `most` positions.
    pub fn avoid(&mut self, goal: Literal, most: usize) {
        for position in 0..=most.saturating_add(self.encoding.idle()) {
            while position > self.last {
                self.extend();
            }
            let here = self.at(goal, position);
            self.solver.add([!here]);
        }
    }

    /// A literal of the first position at another.
    pub fn at(&self, literal: Literal, position: usize) -> Literal {
        literal.moved(self.offsets[position])
    }

    /// The configuration of the model at a position.
    pub fn config(&mut self, position: usize) -> Config {
        let by = self.offsets[position];
        let solver = &mut self.solver;
        self.encoding.config(&mut |literal| solver.value(literal.moved(by)))
    }

    /// Whether something happens between a position of the model and the next.
    pub fn is_busy(&mut self, position: usize) -> bool {
        let by = self.offsets[position];
        let mut fires = self.encoding.fires.iter();
        fires.any(|fires| self.solver.value(fires.moved(by)))
    }

    /// The run of the model up to a position.
    pub fn run(&mut self, position: usize) -> Run {
        let mut run = Run::default();
        for number in 0..position {
            let by = self.offsets[number];
            let solver = &mut self.solver;
            if self.encoding.remembers.is_some_and(|remembers| solver.value(remembers.moved(by))) {
                run.cycle = Some(run.steps.len());
            }
            run.steps.extend(self.encoding.steps_in(&mut |literal| solver.value(literal.moved(by))));
        }
        // A finite run has no cycle, whatever was stored on the way.
        let ended = self.encoding.watch.as_ref().map(|watch| self.at(watch.accepted, position));
        run.cycle = run.cycle.filter(|_| !ended.is_some_and(|ended| self.solver.value(ended)));
        run
    }
}

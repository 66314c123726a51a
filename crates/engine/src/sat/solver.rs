//! Solver: CaDiCaL, spoken to in literals of one kind.
//!
//! One solver lives as long as a question: clauses are only ever added, and what holds for one call alone is assumed. A call
//! works in slices of a fixed number of conflicts; between two of them the watch may break it off, so the engine needs no
//! clock and a call that is broken off loses nothing of what was learned.

use std::ops::ControlFlow;

use cadical_sys::{CaDiCal, Status};

/// A variable that is true, or false: never 0, negative for false. [`TRUE`] and [`FALSE`] stand for themselves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal(pub i32);

/// What is always true. No clause that reaches a solver holds it.
pub const TRUE: Literal = Literal(i32::MAX);
/// What is never true.
pub const FALSE: Literal = Literal(-i32::MAX);

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(-self.0)
    }
}

impl Literal {
    /// One of the two constants.
    pub fn constant(value: bool) -> Literal {
        if value { TRUE } else { FALSE }
    }

    /// Its variable, as a positive literal.
    pub fn variable(self) -> Literal {
        Literal(self.0.abs())
    }

    /// Whether it is its variable, not the negation of it.
    pub fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// The literal of a later position: its variable number plus `by`.
    pub fn moved(self, by: i32) -> Literal {
        match self {
            TRUE | FALSE => self,
            Literal(number) => Literal(number + by * number.signum()),
        }
    }
}

/// What a call found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverOutcome {
    /// There is a model; ask for values.
    Satisfiable,
    /// There is none; ask which assumptions were needed.
    Unsatisfiable,
    /// The watch broke it off.
    Stopped,
}

/// Called between slices of work, with the number of calls and conflicts so far.
pub(crate) type Patience<'p> = &'p dyn Fn(SolverEffort) -> ControlFlow<()>;

/// How much a solver has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SolverEffort {
    /// Calls.
    pub calls: usize,
    /// Slices of work in all calls.
    pub(crate) slices: usize,
    /// Clauses that were added.
    pub clauses: usize,
    /// Variables that were made.
    pub variables: usize,
}

/// Conflicts between two looks at the watch. A slice takes some ten milliseconds.
const SLICE: i32 = 1_000;

/// The same for attempts at one question.
const SLICES: [i32; 3] = [400, 1_000, 150];

/// A solver and what was given to it.
pub struct Solver<'p> {
    solver: CaDiCal,
    patience: Patience<'p>,
    effort: SolverEffort,
    slice: i32,
    is_keeping: bool,
    kept: Vec<Vec<Literal>>,
}

impl<'p> Solver<'p> {
    /// An empty solver.
    pub fn new(patience: Patience<'p>) -> Self {
        Solver {
            solver: fresh(),
            patience,
            effort: SolverEffort::default(),
            slice: SLICE,
            is_keeping: false,
            kept: Vec::new(),
        }
    }

    /// An empty solver for questions that most likely have a model: of many things that may happen at a position few do.
    pub fn seeking(patience: Patience<'p>) -> Self {
        let mut solver = Solver::new(patience);
        solver.solver.configure("sat");
        solver.solver.set("phase", 0);
        solver
    }

    /// The same where clauses speak of what is chosen, one of many each time: to choose leads further than to leave out. Of
    /// several attempts at one question each starts over after another number of conflicts.
    pub fn choosing(patience: Patience<'p>, attempt: usize) -> Self {
        let mut solver = Solver::new(patience);
        solver.solver.configure("sat");
        solver.slice = SLICES[attempt % SLICES.len()];
        solver
    }

    /// A solver that reads a question from a file in DIMACS and writes a proof of what it derives to another; what is wrong
    /// with the files, if something is. Proofs name clauses by their numbers in the file, so others may not be added.
    pub fn of_file(
        patience: Patience<'p>,
        question: &str,
        format: ProofFormat,
        proof: &str,
    ) -> Result<Self, String> {
        let mut solver = Solver::new(patience);
        solver.solver.set("lrat", i32::from(format == ProofFormat::Lrat));
        solver.solver.set("binary", 0);
        if !solver.solver.trace_proof2(proof) {
            return Err(format!("{proof} cannot be written"));
        }
        let mut variables = 0;
        solver.solver.read_dimacs2(question, &mut variables, 1)?;
        solver.effort.variables = usize::try_from(variables).unwrap_or_default();
        Ok(solver)
    }

    /// Keeps all clauses from now on, to be written out.
    pub fn keep(&mut self) {
        self.is_keeping = true;
    }

    /// The clauses that were kept.
    pub fn kept(&self) -> &[Vec<Literal>] {
        &self.kept
    }

    /// What it has done.
    pub fn effort(&self) -> SolverEffort {
        self.effort
    }

    /// A fresh variable.
    pub fn variable(&mut self) -> Literal {
        self.effort.variables += 1;
        Literal(i32::try_from(self.effort.variables).expect("fewer than 2^31 variables"))
    }

    /// Reserves `count` fresh variables; returns the number before the first.
    pub fn variables(&mut self, count: usize) -> i32 {
        let before = self.effort.variables;
        self.effort.variables += count;
        i32::try_from(before).expect("fewer than 2^31 variables")
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: impl IntoIterator<Item = Literal>) {
        let clause: Vec<Literal> = clause.into_iter().filter(|literal| *literal != FALSE).collect();
        if clause.contains(&TRUE) {
            return;
        }
        self.effort.clauses += 1;
        clause.iter().for_each(|literal| self.solver.add(literal.0));
        self.solver.add(0);
        if self.is_keeping {
            self.kept.push(clause);
        }
    }

    /// Looks for a model of all clauses in which the assumptions hold, and one literal of the constraint if there is one.
    pub fn solve(&mut self, assumptions: &[Literal], constraint: Option<&[Literal]>) -> SolverOutcome {
        self.effort.calls += 1;
        if assumptions.contains(&FALSE) {
            // Such an assumption fails by itself, whatever the clauses say.
            return SolverOutcome::Unsatisfiable;
        }
        loop {
            for literal in assumptions.iter().filter(|literal| **literal != TRUE) {
                self.solver.assume(literal.0);
            }
            if let Some(constraint) = constraint.filter(|constraint| !constraint.contains(&TRUE)) {
                constraint.iter().filter(|one| **one != FALSE).for_each(|one| self.solver.constrain(one.0));
                self.solver.constrain(0);
            }
            self.solver.limit("conflicts", self.slice);
            match self.solver.solve() {
                Status::SATISFIABLE => return SolverOutcome::Satisfiable,
                Status::UNSATISFIABLE => return SolverOutcome::Unsatisfiable,
                Status::UNKNOWN => {}
            }
            self.effort.slices += 1;
            if (self.patience)(self.effort).is_break() {
                return SolverOutcome::Stopped;
            }
        }
    }

    /// Searches a model of all clauses; gives up after `conflicts` conflicts.
    pub(crate) fn try_for(&mut self, conflicts: i32) -> SolverOutcome {
        self.effort.calls += 1;
        for _ in 0..=conflicts / self.slice {
            self.solver.limit("conflicts", self.slice);
            match self.solver.solve() {
                Status::SATISFIABLE => return SolverOutcome::Satisfiable,
                Status::UNSATISFIABLE => return SolverOutcome::Unsatisfiable,
                Status::UNKNOWN => self.effort.slices += 1,
            }
            if self.is_over() {
                break;
            }
        }
        SolverOutcome::Stopped
    }

    /// Whether the watch wants everything to end.
    pub fn is_over(&self) -> bool {
        (self.patience)(self.effort).is_break()
    }

    /// The value of a literal in the model that was found.
    pub fn value(&mut self, literal: Literal) -> bool {
        match literal {
            TRUE => true,
            FALSE => false,
            Literal(number) => self.solver.val(number) == number,
        }
    }

    /// Whether an assumption was needed where there is no model. The set of needed ones need not be the smallest.
    pub fn is_needed(&mut self, assumption: Literal) -> bool {
        match assumption {
            TRUE => false,
            FALSE => true,
            Literal(number) => self.solver.failed(number),
        }
    }

    /// Ends the proof that is written: everything is in the file then.
    pub fn close_proof(&mut self) {
        self.solver.close_proof_trace(false);
    }
}

/// The kinds of proofs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProofFormat {
    /// Clauses that follow, each without saying how.
    Drat,
    /// The same with the clauses from which each follows.
    Lrat,
}

fn fresh() -> CaDiCal {
    let mut solver = CaDiCal::new();
    solver.set("quiet", 1);
    // Variables that the solver adds itself would collide with ours.
    solver.set("factor", 0);
    solver
}

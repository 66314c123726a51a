//! A small solver for very many small questions.
//!
//! IC3 asks tens of thousands of questions, each with a handful of conflicts, about the clauses of one step. There the start and the
//! end of a call, and the assignment of all variables, take most of the time; what makes a solver strong in long searches is of
//! little use. So this one does conflict-driven clause learning and nothing else: two watched literals, decisions about
//! the variables of the last conflicts, learned clauses that are minimised and given up by their number of levels, Luby's restarts. A constraint (a clause for one call
//! alone) is guarded by a literal; what was learned from it is given up after the call.
//!
//! Whatever it answers is checked by [`Solver`](super::solver::Solver): an invariant as a certificate, a run by replaying it.
//!
//! After N. Een, N. Sorensson, "An extensible SAT-solver" (SAT 2003), and G. Audemard, L. Simon, "Predicting learnt clauses quality
//! in modern SAT solvers" (IJCAI 2009).
//!
//! - [`code`]: literals as numbers of places in tables.
//! - [`arena`]: clauses in one block of memory.
//! - [`order`]: which variable is decided next.
//! - [`trail`]: what is assigned, and what follows from it.
//! - [`conflict`]: what is learned.

mod arena;
mod code;
mod conflict;
mod order;
mod trail;

use crate::sat::solver::{FALSE, Literal, Patience, SolverEffort, SolverOutcome, TRUE};
use arena::ClausePlace;
use code::LiteralCode;
use conflict::ConflictAnalysis;
use trail::{Antecedent, AssignmentTrail, FailedClause};

/// Conflicts between two looks at the watch.
const SLICE: usize = 1_000;
/// Conflicts of the shortest interval between two restarts.
const RESTART: usize = 50;
/// Learned clauses that are kept at first.
const LEARNED: usize = 1_000;
/// Learned clauses with at most this many levels are kept.
const FEW_LEVELS: u32 = 2;

/// The literal that makes the constraint of a call hold.
const GUARD: LiteralCode = LiteralCode(0);

/// A solver, and the clauses it was given.
pub struct LeanSolver<'p> {
    patience: Patience<'p>,
    effort: SolverEffort,
    trail: AssignmentTrail,
    analysis: ConflictAnalysis,
    /// Whether the clauses may have a model.
    is_consistent: bool,
    /// What was learned, and is kept between calls.
    learned: Vec<ClausePlace>,
    /// How many of these there may be.
    most_learned: usize,
    /// The constraint of the last call, and what was learned from it.
    guarded: Vec<ClausePlace>,
    assumed: Vec<LiteralCode>,
    /// For each variable the last call for which an assumption about it was needed.
    needed: Vec<usize>,
    /// The conflicts of this call.
    conflicts: usize,
}

/// What comes of a conflict.
enum Learning {
    /// The search goes on.
    GoesOn,
    /// The clauses have no model.
    NoModel,
    /// The constraint holds in none.
    NoConstraint,
}

impl<'p> LeanSolver<'p> {
    /// An empty solver.
    pub fn new(patience: Patience<'p>) -> Self {
        let mut solver = LeanSolver {
            patience,
            effort: SolverEffort::default(),
            trail: AssignmentTrail::default(),
            analysis: ConflictAnalysis::default(),
            is_consistent: true,
            learned: Vec::new(),
            most_learned: LEARNED,
            guarded: Vec::new(),
            assumed: Vec::new(),
            needed: Vec::new(),
            conflicts: 0,
        };
        solver.enter();
        solver
    }

    /// Makes the tables longer by a variable.
    fn enter(&mut self) {
        self.trail.variable();
        self.analysis.variable();
        self.needed.push(0);
    }

    /// What it has done.
    pub fn effort(&self) -> SolverEffort {
        self.effort
    }

    /// Whether the watch wants everything to end.
    pub fn is_over(&self) -> bool {
        (self.patience)(self.effort).is_break()
    }

    /// A fresh variable.
    pub fn variable(&mut self) -> Literal {
        Literal(self.variables(1) + 1)
    }

    /// Reserves `count` fresh variables; returns the number before the first.
    pub fn variables(&mut self, count: usize) -> i32 {
        let before = self.effort.variables;
        self.effort.variables += count;
        (0..count).for_each(|_| self.enter());
        i32::try_from(before).expect("fewer than 2^31 variables")
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: impl IntoIterator<Item = Literal>) {
        self.trail.back_to(0);
        self.effort.clauses += 1;
        let Some(clause) = self.open_part(clause) else { return };
        match clause.as_slice() {
            [] => self.is_consistent = false,
            [only] => self.trail.assign(*only, Antecedent::Decision),
            [one, other] => self.trail.watch_pair(*one, *other),
            _ => {
                self.trail.watch(&clause, 0);
            }
        }
    }

    /// The literals of a clause that are not decided, each once; `None` if the clause holds anyway.
    fn open_part(&self, clause: impl IntoIterator<Item = Literal>) -> Option<Vec<LiteralCode>> {
        let mut codes = Vec::new();
        for literal in clause.into_iter().filter(|literal| *literal != FALSE) {
            if literal == TRUE {
                return None;
            }
            let code = LiteralCode::new(literal);
            match self.trail.value(code) {
                Some(true) => return None,
                Some(false) => {}
                None => codes.push(code),
            }
        }
        codes.sort_unstable();
        codes.dedup();
        let is_tautology = codes.windows(2).any(|pair| pair[0] == !pair[1]);
        (!is_tautology).then_some(codes)
    }

    /// Looks for a model of all clauses in which the assumptions hold, and one literal of the constraint if there is one.
    pub fn solve(&mut self, assumptions: &[Literal], constraint: Option<&[Literal]>) -> SolverOutcome {
        self.effort.calls += 1;
        if assumptions.contains(&FALSE) {
            // Such an assumption fails by itself, whatever the clauses say.
            return SolverOutcome::Unsatisfiable;
        }
        self.trail.back_to(0);
        self.is_consistent = self.is_consistent && self.trail.propagate().is_none();
        if !self.is_consistent {
            return SolverOutcome::Unsatisfiable;
        }
        self.tidy();
        self.assumed.clear();
        if let Some(constraint) = constraint
            && let Some(open) = self.open_part(constraint.iter().copied())
        {
            match open.as_slice() {
                [] => return SolverOutcome::Unsatisfiable,
                [only] => self.assumed.push(*only),
                _ => {
                    let clause: Vec<LiteralCode> = open.into_iter().chain([!GUARD]).collect();
                    let place = self.trail.watch(&clause, 0);
                    self.guarded.push(place);
                    self.assumed.push(GUARD);
                }
            }
        }
        let assumptions = assumptions.iter().filter(|literal| **literal != TRUE);
        self.assumed.extend(assumptions.map(|literal| LiteralCode::new(*literal)));
        let outcome = self.search();
        for place in self.guarded.drain(..) {
            self.trail.arena.give_up(place);
        }
        if outcome != SolverOutcome::Satisfiable {
            // What is always true may rule the constraint out, and with it the guard, but only that of this call.
            self.trail.back_to(0);
            self.trail.take_back(!GUARD);
        }
        outcome
    }

    /// Gives up some of what was learned if that is much. At level 0 alone.
    fn tidy(&mut self) {
        if self.learned.len() > self.most_learned {
            self.most_learned += self.most_learned / 20;
            let arena = &mut self.trail.arena;
            self.learned.sort_by_key(|place| arena.rank(*place));
            let few = self.learned.partition_point(|place| arena.rank(*place) <= FEW_LEVELS);
            for place in self.learned.drain(few.max(self.learned.len() / 2)..) {
                arena.give_up(place);
            }
        }
        if self.trail.arena.is_wasteful() {
            self.trail.compact(&mut self.learned);
        }
    }

    fn search(&mut self) -> SolverOutcome {
        self.conflicts = 0;
        let mut interval = 1;
        let mut restarts_at = RESTART;
        loop {
            if let Some(conflict) = self.trail.propagate() {
                self.conflicts += 1;
                match self.learn(conflict) {
                    Learning::GoesOn => {}
                    Learning::NoModel => {
                        self.is_consistent = false;
                        return SolverOutcome::Unsatisfiable;
                    }
                    Learning::NoConstraint => return SolverOutcome::Unsatisfiable,
                }
                if self.conflicts.is_multiple_of(SLICE) {
                    self.effort.slices += 1;
                    if self.is_over() {
                        return SolverOutcome::Stopped;
                    }
                }
                continue;
            }
            if self.conflicts >= restarts_at {
                interval += 1;
                restarts_at = self.conflicts + RESTART * luby(interval);
                self.trail.back_to(self.assumed.len() as u32);
            }
            match self.assumed.get(self.trail.level() as usize).copied() {
                Some(assumption) => match self.trail.value(assumption) {
                    Some(true) => self.trail.open(),
                    Some(false) => {
                        let (needed, call) = (&mut self.needed, self.effort.calls);
                        let mut mark = |literal: LiteralCode| needed[literal.variable()] = call;
                        self.analysis.failed(&self.trail, assumption, &mut mark);
                        return SolverOutcome::Unsatisfiable;
                    }
                    None => {
                        self.trail.open();
                        self.trail.assign(assumption, Antecedent::Decision);
                    }
                },
                None if self.trail.decide() => {}
                None => return SolverOutcome::Satisfiable,
            }
        }
    }

    /// Learns from a conflict and goes back to where that changes something.
    fn learn(&mut self, conflict: FailedClause) -> Learning {
        if self.trail.level() == 0 {
            return Learning::NoModel;
        }
        let (back, levels) = self.analysis.learn(&mut self.trail, conflict);
        let learned = self.analysis.learned.as_slice();
        let is_guarded = learned.contains(&!GUARD);
        if is_guarded && learned.len() == 1 {
            return Learning::NoConstraint;
        }
        self.trail.back_to(back);
        let reason = match learned {
            [_] => Antecedent::Decision,
            [_, other] if !is_guarded => {
                self.trail.watch_pair(learned[0], *other);
                Antecedent::Pair(*other)
            }
            _ => {
                let place = self.trail.watch(learned, levels);
                if is_guarded { &mut self.guarded } else { &mut self.learned }.push(place);
                Antecedent::Clause(place)
            }
        };
        self.trail.assign(learned[0], reason);
        Learning::GoesOn
    }

    /// The value of a literal in the model that was found.
    pub fn value(&self, literal: Literal) -> bool {
        match literal {
            TRUE => true,
            FALSE => false,
            literal => self.trail.value(LiteralCode::new(literal)) == Some(true),
        }
    }

    /// Whether an assumption was needed where there is no model. The set of needed ones need not be the smallest.
    pub fn is_needed(&self, assumption: Literal) -> bool {
        match assumption {
            TRUE => false,
            FALSE => true,
            literal => self.needed[LiteralCode::new(literal).variable()] == self.effort.calls,
        }
    }
}

/// How many times the shortest interval lasts that has this number: 1 1 2 1 1 2 4 1 1 2 ..
fn luby(number: usize) -> usize {
    let mut number = number;
    loop {
        let bits = usize::BITS - number.leading_zeros();
        if number == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        number -= (1 << (bits - 1)) - 1;
    }
}

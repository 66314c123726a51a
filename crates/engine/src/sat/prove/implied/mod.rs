//! Implied literals: facts about two literals of the state that hold wherever runs lead.
//!
//! That a variable keeps its value, that two have the same, that one value rules out another: such a fact is a clause of one or
//! two literals. IC3 would find each by itself, one after the other, in every frame again; together they are found at once.
//! [Random walks](walk) show which clauses no state contradicts. Of these, a solver takes away all that a step from a
//! state where they hold may break, until none is left that may: what remains is an invariant. A state that breaks one has
//! successors, which would have to keep the others too; walks on from there take many away at once. Where a literal was
//! thought to hold always and does not, all clauses of two literals with it take its place: those that it stood for.
//!
//! The clauses are about the literals of the encoding as it is, so an invariant that uses them is checked like any other. After
//! C. A. J. van Eijk, "Sequential equivalence checking based on structural similarities" (IEEE Transactions on CAD 19, 2000),
//! and C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001).

mod needed;
mod samples;
mod walk;

use crate::sat::encode::encoding::Encoding;
use crate::sat::prove::certificate::position;
use crate::sat::solver::{Literal, Patience, Solver, SolverEffort, SolverOutcome};
pub use needed::needed;
use samples::{StateSamples, system_literals};
use walk::RandomWalk;

/// States of one walk before the next begins.
const WALK: usize = 1_024;
/// States of all walks from the beginning, at most, and for each literal.
const STATES: usize = 1 << 16;
const STATES_EACH: usize = 100;
/// Walks from where a clause is broken, and how many states each has.
const WALKS_AHEAD: usize = 16;
const AHEAD: usize = 64;
/// A system with more literals is not looked at.
const MOST_LITERALS: usize = 4_000;
/// More clauses than these are not looked at.
const MOST_CLAUSES: usize = 400_000;

/// Clauses of one or two literals that hold in all reachable states of a system; none if the watch broke it off.
pub fn implied(encoding: &Encoding<'_>, patience: Patience<'_>) -> Vec<Vec<Literal>> {
    let literals = system_literals(encoding);
    if literals > MOST_LITERALS {
        return Vec::new();
    }
    let mut walk = RandomWalk::new(encoding.system);
    let mut seen = StateSamples::new(literals);
    for _ in 0..STATES.min(STATES_EACH * literals).div_ceil(WALK) {
        walk.begin(WALK, &mut |config| seen.add(encoding, config));
        if patience(SolverEffort::default()).is_break() {
            return Vec::new();
        }
    }
    match seen.clauses(encoding, MOST_CLAUSES) {
        Some(clauses) => kept(encoding, clauses, &mut walk, patience).unwrap_or_default(),
        None => Vec::new(),
    }
}

/// Those of some clauses that every step from a state where they hold keeps; `None` if the watch broke it off.
fn kept(
    encoding: &Encoding<'_>,
    mut clauses: Vec<Vec<Literal>>,
    walk: &mut RandomWalk<'_>,
    patience: Patience<'_>,
) -> Option<Vec<Vec<Literal>>> {
    loop {
        let mut breaking = BreakingSteps::new(encoding, &clauses, patience);
        let mut is_first = true;
        loop {
            match breaking.solver.solve(&[], None) {
                SolverOutcome::Stopped => return None,
                SolverOutcome::Unsatisfiable if is_first => return Some(clauses),
                SolverOutcome::Unsatisfiable => break,
                SolverOutcome::Satisfiable => is_first = false,
            }
            let mut ahead = StateSamples::new(system_literals(encoding));
            let config =
                encoding.config(&mut |literal| breaking.solver.value(literal.moved(encoding.period)));
            for _ in 0..WALKS_AHEAD {
                walk.continue_from(&config, AHEAD, &mut |config| ahead.add(encoding, config));
            }
            breaking.give_up(&mut clauses, encoding, &ahead);
            if clauses.len() > MOST_CLAUSES {
                return None;
            }
        }
    }
}

/// Steps after which one of some clauses does not hold, although all held before.
struct BreakingSteps<'p> {
    solver: Solver<'p>,
    /// For each clause that is left the literal that says it is the one that is broken.
    broken: Vec<Literal>,
}

impl<'p> BreakingSteps<'p> {
    fn new(encoding: &Encoding<'_>, clauses: &[Vec<Literal>], patience: Patience<'p>) -> Self {
        let mut solver = position(encoding, patience);
        let period = encoding.period;
        solver.variables(period as usize);
        encoding.steps.iter().for_each(|clause| solver.add(clause.iter().copied()));
        for clause in &encoding.definitions {
            solver.add(clause.iter().map(|literal| literal.moved(period)));
        }
        let mut broken = Vec::with_capacity(clauses.len());
        for clause in clauses {
            solver.add(clause.iter().copied());
            let is_broken = solver.variable();
            clause.iter().for_each(|literal| solver.add([!is_broken, !literal.moved(period)]));
            broken.push(is_broken);
        }
        solver.add(broken.iter().copied());
        BreakingSteps { solver, broken }
    }

    /// Leaves out the clauses that do not hold any more, and adds those that they stood for. All are still asked of the state
    /// before, which only makes fewer steps; what is added is looked at the next time.
    fn give_up(&mut self, clauses: &mut Vec<Vec<Literal>>, encoding: &Encoding<'_>, ahead: &StateSamples) {
        let mut left = Vec::with_capacity(clauses.len());
        let mut added = Vec::new();
        for (at, clause) in std::mem::take(clauses).into_iter().enumerate() {
            let broken = self.broken.get(at).copied();
            if ahead.holds(&clause) {
                left.push((clause, broken));
                continue;
            }
            broken.into_iter().for_each(|broken| self.solver.add([!broken]));
            if let [only] = clause.as_slice() {
                added.extend(ahead.with(encoding, *only));
            }
        }
        // Clauses that were added have no literal yet, and stay behind those that do.
        self.broken = left.iter().filter_map(|(_, broken)| *broken).collect();
        *clauses = left.into_iter().map(|(clause, _)| clause).chain(added).collect();
    }
}

//! Bounded search: is there a run of at most so many positions to a goal?
//!
//! The run grows by a position at a time, in one solver that keeps what it learned. So the first answer has the fewest
//! positions: steps if one happens at a time, transactions if they happen together.

use sequent_kernel::replay::{Run, replay};

use super::encoding::Encoding;
use super::solver::{Literal, Outcome, Patience, Solver};
use super::unrolling::Unrolling;

/// What a bounded search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bounded {
    /// A run to the goal, and how many positions it takes.
    Found(Run, usize),
    /// No run of up to so many positions leads there.
    Nothing(usize),
    /// Somebody broke it off; no run of less than so many positions leads there.
    Stopped(usize),
}

/// Looks for a run of at most so many positions after which a literal holds.
pub fn reach(encoding: &Encoding<'_>, goal: Literal, most: usize, patience: Patience<'_>) -> Bounded {
    let mut unrolling = Unrolling::from_start(encoding, Solver::new(patience));
    reach_in(&mut unrolling, goal, most)
}

/// The same where some positions may be there already.
pub fn reach_in(unrolling: &mut Unrolling<'_, '_, '_>, goal: Literal, most: usize) -> Bounded {
    for position in 0..=most {
        if position > unrolling.last {
            unrolling.extend();
        }
        let here = unrolling.at(goal, position);
        match unrolling.solver.solve(&[here], None) {
            Outcome::Satisfiable => {
                let run = unrolling.run(position);
                assert!(
                    replay(unrolling.encoding.system, &run).is_ok(),
                    "what is read from a model is a run"
                );
                return Bounded::Found(run, position);
            }
            Outcome::Unsatisfiable => unrolling.solver.add([!here]),
            Outcome::Stopped => return Bounded::Stopped(position),
        }
        if unrolling.solver.is_over() {
            return Bounded::Stopped(position);
        }
    }
    Bounded::Nothing(most)
}

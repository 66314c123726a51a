//! Far: bounded reachability of a goal with a large bound.
//!
//! Most goals that are reachable at all are reached by a short run. So short runs are searched first. Then
//! two engines take turns, with a growing budget each: bounded model checking, one position after the other,
//! and [IC3](Ic3), which does not unroll. To refute a goal position by position takes more than twice as long
//! for twice the bound, since what was learned about one position must be learned again for the next. An
//! invariant ends the search at once: from some bound on, the time does not depend on the bound. Where IC3
//! finds none the turns take a few times as long as unrolling alone.
//!
//! Nothing is decided by a clock: turns are measured in calls of a solver.

use crate::sat::bounded::reach::{NEAR, reach_in};
use crate::sat::encode::encoding::Encoding;
use crate::sat::outcome::Bounded;
use crate::sat::outcome::UnboundedOutcome;
use crate::sat::prove::ic3::Ic3;
use crate::sat::schedule::automata::{ComponentAutomata, Spots};
use crate::sat::schedule::plan;
use crate::sat::solver::{Literal, Patience, Solver, SolverEffort};
use crate::sat::unroll::unrolling::Unrolling;

/// IC3's first turn, in calls of a solver.
const FIRST_TURN: usize = 1_000;

/// How many times as far positions get with each turn.
const FURTHER: usize = 2;

/// How many times as long IC3 has with each turn: the time for positions grows with their square, more or less.
const LONGER: usize = FURTHER * FURTHER;

/// Searches a run of at most `most` positions after which a literal holds. Where components share nothing but
/// labels, and the literal says that they are in some states, short runs are searched all at once; then a run
/// that is found need not be a shortest one.
pub fn reach(
    encoding: &Encoding<'_>,
    goal: Literal,
    parts: Option<(&ComponentAutomata<'_>, &Spots)>,
    most: usize,
    patience: Patience<'_>,
) -> (Bounded, SolverEffort) {
    let near = most.min(NEAR);
    let mut unrolling = Unrolling::from_start(encoding, Solver::new(patience));
    let nearby = match parts {
        Some((automata, spots)) => plan::within(automata, spots, near, patience),
        None => {
            let found = reach_in(&mut unrolling, goal, 0..=near);
            (found, unrolling.solver.effort())
        }
    };
    match nearby.0 {
        Bounded::Nothing(_) if near < most => {}
        Bounded::Nothing(_) | Bounded::Found(..) | Bounded::Proved(_) | Bounded::Stopped(_) => return nearby,
    }
    if parts.is_some() {
        unrolling.avoid(goal, near);
    }
    let found = turns(&mut unrolling, goal, (near, most), patience);
    (found, unrolling.solver.effort())
}

/// Looks for a run of more positions than one number, and at most another.
fn turns(
    unrolling: &mut Unrolling<'_, '_, '_>,
    goal: Literal,
    (near, most): (usize, usize),
    patience: Patience<'_>,
) -> Bounded {
    let mut search = Some(Ic3::new(unrolling.encoding, goal, patience));
    let (mut turn, mut passed) = (FIRST_TURN, near);
    while passed < most {
        match search.as_mut().map(|search| search.work(turn)) {
            Some(UnboundedOutcome::Proved(argument)) => return Bounded::Proved(argument),
            // There is a run: from now on it only matters how short one is.
            Some(UnboundedOutcome::Found(..)) => search = None,
            Some(UnboundedOutcome::Stopped) if unrolling.solver.is_over() => {
                return Bounded::Stopped(passed + 1);
            }
            Some(UnboundedOutcome::Stopped) | None => {}
        }
        let next = passed.saturating_mul(FURTHER).min(most);
        match reach_in(unrolling, goal, passed + 1..=next) {
            Bounded::Nothing(_) => {}
            found @ (Bounded::Found(..) | Bounded::Proved(_) | Bounded::Stopped(_)) => return found,
        }
        passed = next;
        turn = turn.saturating_mul(LONGER);
    }
    Bounded::Nothing(most)
}

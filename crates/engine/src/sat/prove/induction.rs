//! k-induction: a bounded search from the beginning, and beside it a search for the last step into a goal from anywhere.
//!
//! If no run of up to k positions leads to a goal, and no k different states that are no goals can be passed one after the
//! other before a goal, then there is no run to a goal at all: the shortest would be longer than k, and its last k states
//! before the goal would be such states. As states differ, k need not be greater than the number of states; how great it
//! must be in fact is a matter of luck. After M. Sheeran, S. Singh, G. Stalmarck, "Checking safety properties using induction
//! and a SAT-solver" (FMCAD 2000).
//!
//! That states differ is said only for those pairs that a model has made equal, since all pairs would be many.

use sequent_kernel::replay::replay;
use sequent_kernel::system::System;

use crate::sat::encode::encoding::Encoding;
use crate::sat::outcome::{ExclusionReason, UnboundedOutcome};
use crate::sat::solver::{Literal, Patience, Solver, SolverOutcome};
use crate::sat::unroll::unrolling::Unrolling;

/// Searches a run to a state where a literal holds, or an induction over at most `most` positions that proves
/// there is none.
pub fn prove(
    encoding: &Encoding<'_>,
    goal: Literal,
    most: usize,
    patience: Patience<'_>,
) -> UnboundedOutcome {
    let mut base = Unrolling::from_start(encoding, Solver::new(patience));
    let mut ahead = Unrolling::new(encoding, Solver::new(patience));
    for position in 0..=most {
        if position > 0 {
            base.extend();
            ahead.extend();
        }
        match start(&mut base, goal, position) {
            Some(answer) => return answer,
            None if base.solver.is_over() => return UnboundedOutcome::Stopped,
            None => {}
        }
        match last_step(&mut ahead, goal, position) {
            SolverOutcome::Unsatisfiable if position <= 1 => {
                return UnboundedOutcome::Proved(ExclusionReason::Invariant(vec![vec![!goal]]));
            }
            SolverOutcome::Unsatisfiable => {
                return UnboundedOutcome::Proved(ExclusionReason::Induction(position));
            }
            SolverOutcome::Satisfiable => {}
            SolverOutcome::Stopped => return UnboundedOutcome::Stopped,
        }
    }
    UnboundedOutcome::Stopped
}

/// Whether the goal is at a position of a run; none was at those before.
fn start(base: &mut Unrolling<'_, '_, '_>, goal: Literal, position: usize) -> Option<UnboundedOutcome> {
    let here = base.at(goal, position);
    match base.solver.solve(&[here], None) {
        SolverOutcome::Satisfiable => {
            let run = base.run(position);
            assert_run(base.encoding.system, &run);
            Some(UnboundedOutcome::Found(run, position))
        }
        // No run is that long, whatever its end.
        SolverOutcome::Unsatisfiable if !base.solver.is_needed(here) => {
            Some(UnboundedOutcome::Proved(ExclusionReason::Exhausted(position)))
        }
        SolverOutcome::Unsatisfiable => {
            base.solver.add([!here]);
            None
        }
        SolverOutcome::Stopped => Some(UnboundedOutcome::Stopped),
    }
}

fn assert_run(system: &System, run: &sequent_kernel::replay::Run) {
    assert!(replay(system, run).is_ok(), "what is read from a model is a run");
}

/// Whether a goal can follow `position` different states that are no goals.
fn last_step(ahead: &mut Unrolling<'_, '_, '_>, goal: Literal, position: usize) -> SolverOutcome {
    let here = ahead.at(goal, position);
    loop {
        match ahead.solver.solve(&[here], None) {
            SolverOutcome::Satisfiable => {
                let pairs = equal_states(ahead);
                if pairs.is_empty() {
                    ahead.solver.add([!here]);
                    return SolverOutcome::Satisfiable;
                }
                pairs.into_iter().for_each(|(one, other)| differ(ahead, one, other));
            }
            SolverOutcome::Unsatisfiable => return SolverOutcome::Unsatisfiable,
            SolverOutcome::Stopped => return SolverOutcome::Stopped,
        }
    }
}

/// The positions of a model that have equal states.
fn equal_states(ahead: &mut Unrolling<'_, '_, '_>) -> Vec<(usize, usize)> {
    let mut seen: std::collections::BTreeMap<Vec<bool>, usize> = std::collections::BTreeMap::new();
    let mut pairs = Vec::new();
    for position in 0..=ahead.last {
        let width = ahead.encoding.state.width;
        let state = (1..=width).map(|number| {
            let literal = ahead.at(Literal(number), position);
            ahead.solver.value(literal)
        });
        if let Some(before) = seen.insert(state.collect(), position) {
            pairs.push((before, position));
        }
    }
    pairs
}

/// Says that the states of two positions differ.
fn differ(ahead: &mut Unrolling<'_, '_, '_>, one: usize, other: usize) {
    let mut differences = Vec::new();
    for number in 1..=ahead.encoding.state.width {
        let [a, b] = [one, other].map(|position| ahead.at(Literal(number), position));
        // Only one direction: what is said to differ does.
        let differs = ahead.solver.variable();
        ahead.solver.add([!differs, a, b]);
        ahead.solver.add([!differs, !a, !b]);
        differences.push(differs);
    }
    ahead.solver.add(differences);
}

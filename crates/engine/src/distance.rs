//! Distance: the fewest steps, or transactions, that lead to a goal which is known to be reachable.

use sequent_kernel::question::{Case, Goal, Pace};
use sequent_kernel::replay::Run;

use crate::decision::{Decision, EngineOptions};
use crate::graph::{NodeId, StateGraph};
use crate::portfolio::QUICK;
use crate::sat::bounded::reach::{self};
use crate::sat::outcome::Bounded;
use crate::transactions::{ReachedState, Transactions};

/// The fewest positions that lead to a goal.
pub enum Least {
    /// This many, in this run.
    Known(Run, usize),
    /// More than the case allows.
    Beyond,
    /// They were not counted.
    Uncounted,
}

/// More ways than this are not kept on the way to the least number of transactions.
const MOST: usize = 2_000_000;

/// The fewest positions that lead to the goal of a case, to which a run was found.
pub fn fewest(
    case: &Case,
    decision: &Decision<'_>,
    run: &Run,
    graph: &mut StateGraph<'_>,
    options: &EngineOptions<'_>,
) -> Least {
    let Goal::State(goal) = case.goal else { return Least::Uncounted };
    // More than one step may happen in a transaction, so there are never more transactions than steps.
    let steps = run.steps.len();
    match case.pace {
        Pace::Single if decision.is_shortest => Least::Known(run.clone(), steps),
        Pace::Single => solved(case, steps, options),
        Pace::Together | Pace::Sparse => {
            let is_wanted = &mut |graph: &mut StateGraph<'_>, node: NodeId| graph.holds(goal, node);
            let counts = |component| case.names.machines.contains(&component);
            // Where a solver was quicker than a search of the states, it is so with transactions too.
            let most = if decision.states < QUICK { MOST.min(options.limits.states) } else { 0 };
            let transactions = Transactions::new(&counts, most, options.watch);
            match transactions.nearest(graph, None, is_wanted) {
                Ok(Some(ReachedState { distance, steps, .. })) => {
                    Least::Known(Run { steps, cycle: None }, distance as usize)
                }
                Ok(None) | Err(_) => solved(case, steps, options),
            }
        }
    }
}

/// The fewest positions, as a solver counts them: within the bound of the case first, and no more than this many.
fn solved(case: &Case, most: usize, options: &EngineOptions<'_>) -> Least {
    let Goal::State(goal) = case.goal else { return Least::Uncounted };
    let patience = options.patience(usize::MAX);
    let near = case.within.filter(|bound| *bound < most);
    let mut is_beyond = false;
    for most in near.into_iter().chain([most]) {
        match reach::fewest(&case.system, (goal, case.pace), most, &patience) {
            Ok(Bounded::Found(run, length)) => return Least::Known(run, length),
            Ok(Bounded::Nothing(_) | Bounded::Proved(_)) => is_beyond = case.within.is_some(),
            Ok(Bounded::Stopped(_)) | Err(_) => break,
        }
    }
    if is_beyond { Least::Beyond } else { Least::Uncounted }
}

//! Instances answered by an explicit-state search, level by level of transactions.

use std::ops::ControlFlow;

use sequent_engine::graph::{NodeId, StateGraph};
use sequent_engine::origins::Origins;
use sequent_engine::packed::Program;
use sequent_engine::property::find_from;
use sequent_engine::search::{Limits, Progress, SearchAnswer};
use sequent_engine::transactions::Transactions;
use sequent_kernel::model::Anchor;
use sequent_kernel::property::scenario::FoundObserver;
use sequent_kernel::system::TermId;

use super::sat::observed;
use super::{Clock, InstanceSolver, Solution};
use crate::generate::{EnsembleInstance, EnsembleQuestion, LoweredInstance};

/// The search among states.
pub struct Explicit<'c> {
    /// Tells the time.
    pub clock: Clock<'c>,
    /// The time after which it gives up, in microseconds.
    pub patience: u64,
}

/// More ways than this are not kept.
const MOST: usize = 20_000_000;

impl InstanceSolver for Explicit<'_> {
    fn name(&self) -> String {
        "explicit search".to_owned()
    }

    fn solve(&self, instance: &EnsembleInstance) -> Solution {
        let start = (self.clock)();
        let Ok(lowered) = instance.lower() else { return Solution::default() };
        let program = Program::new(&lowered.objects.system);
        let mut graph = StateGraph::new(&program);
        let within = instance.within.unwrap_or(u32::MAX);
        let written = (self.clock)();
        let watch = |_: &Progress| match (self.clock)() - start > self.patience {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let transactions = Transactions::new(&|_| true, MOST, &watch);
        let (verdict, length, removed) = match (&instance.asked, lowered.goal) {
            (EnsembleQuestion::Goal(_), Some(goal)) => goal_within(&mut graph, transactions, goal, within),
            (EnsembleQuestion::Goal(_), None) => (None, None, None),
            (EnsembleQuestion::Scenario(_), _) => {
                match self.is_possible(instance, &lowered, &mut graph, transactions, within) {
                    Some(false) => (Some(false), None, self.removed(instance)),
                    answer => (answer, None, None),
                }
            }
        };
        let solving = (self.clock)() - written;
        Solution { verdict, length, removed, encoding: written - start, solving, ..Solution::default() }
    }
}

/// What is known of an instance: verdict, length, messages removed.
type InstanceFacts = (Option<bool>, Option<usize>, Option<usize>);

fn goal_within(
    graph: &mut StateGraph<'_>,
    transactions: Transactions<'_>,
    goal: TermId,
    within: u32,
) -> InstanceFacts {
    let is_wanted = &mut |graph: &mut StateGraph<'_>, node: NodeId| graph.holds(goal, node);
    match transactions.nearest(graph, Some(within), is_wanted) {
        Ok(Some(reached)) => (Some(true), Some(reached.distance as usize), None),
        Ok(None) => (Some(false), None, None),
        Err(_) => (None, None, None),
    }
}

impl Explicit<'_> {
    /// Whether all messages can follow each other; `None` if it gave up.
    fn is_possible(
        &self,
        instance: &EnsembleInstance,
        lowered: &LoweredInstance,
        graph: &mut StateGraph<'_>,
        transactions: Transactions<'_>,
        within: u32,
    ) -> Option<bool> {
        let start = (self.clock)();
        let watch = |_: &Progress| match (self.clock)() - start > self.patience {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut origins = Origins::default();
        let near = transactions.within(graph, within).ok()?;
        near.into_iter().for_each(|one| origins.add(one.node, None, one.steps));
        let scenario = observed(instance, lowered, Anchor::Start)?;
        let observer = FoundObserver { scenario: &scenario };
        match find_from(graph, &origins, &observer, &Limits::default(), &watch).answer {
            SearchAnswer::Found(_) => Some(true),
            SearchAnswer::Exhausted => Some(false),
            SearchAnswer::Stopped(_) => None,
        }
    }

    /// How many messages must be taken away from the end of a scenario that is not possible; `None` if it gave up.
    fn removed(&self, instance: &EnsembleInstance) -> Option<usize> {
        let mut shorter = instance.clone();
        let EnsembleQuestion::Scenario(diagram) = &mut shorter.asked else { return None };
        diagram.messages.pop();
        if diagram.messages.is_empty() {
            return Some(1);
        }
        let solution = self.solve(&shorter);
        match solution.verdict? {
            true => Some(1),
            false => Some(1 + solution.removed?),
        }
    }
}

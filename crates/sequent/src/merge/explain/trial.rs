//! Trials: variants of an order problem without a merge, and whether they have one.

use std::cell::Cell;

use sequent_kernel::id::Id;

use crate::merge::machines::{DiagramProblem, FileModel, LifelineLimit};
use crate::merge::order::{AcceptorId, Added, MergeGraph, OrderElement, OrderProblem, Segment};

/// Problems with larger graphs are not tried.
pub(super) const MOST_NODES: usize = 100_000;

/// The most nodes of all trials for one explanation.
const MOST_WORK: usize = 400_000;

/// A diagram without a merge, of which variants are tried.
pub(super) struct Trial<'e> {
    pub(super) diagram: &'e DiagramProblem,
    pub(super) model: &'e FileModel,
    /// The number of nodes that trials have made.
    work: Cell<usize>,
}

impl<'e> Trial<'e> {
    pub(super) fn new(diagram: &'e DiagramProblem, model: &'e FileModel) -> Self {
        Trial { diagram, model, work: Cell::new(0) }
    }

    pub(super) fn problem(&self) -> &OrderProblem {
        &self.diagram.problem
    }

    pub(super) fn name(&self, one: Added) -> &str {
        self.diagram.names[one.segment][one.side as usize].get(one.number).map_or("", String::as_str)
    }

    /// Returns the name of an addition and its side.
    pub(super) fn told(&self, one: Added) -> String {
        format!("`{}` ({})", self.name(one), one.side.word())
    }

    pub(super) fn limit(&self, id: AcceptorId) -> &LifelineLimit {
        &self.diagram.limits[id]
    }

    /// Returns the name of a state of a lifeline's machine.
    pub(super) fn state(&self, limit: &LifelineLimit, state: usize) -> &str {
        &self.model.reading.model.machines[limit.machine].vertices[limit.states[state]].name
    }

    /// Whether a lifeline reads something in an addition.
    pub(super) fn touches(&self, one: Added, id: AcceptorId) -> bool {
        self.problem().element(one).iter().any(|(own, _)| *own == id)
    }

    /// Whether no lifeline reads anything in an addition.
    pub(super) fn is_unread(&self, one: Added) -> bool {
        self.problem().element(one).is_empty()
    }

    /// Returns the problem without some additions.
    pub(super) fn without(&self, left_out: impl Fn(Added) -> bool) -> OrderProblem {
        let mut problem = self.problem().clone();
        for added in problem.added().into_iter().rev().filter(|added| left_out(*added)) {
            if let Segment::Gap(gap) = &mut problem.segments[added.segment] {
                gap[added.side as usize].remove(added.number);
            }
        }
        problem
    }

    /// Returns the part of a problem that one lifeline reads.
    pub(super) fn alone(&self, id: AcceptorId, problem: &OrderProblem) -> OrderProblem {
        let acceptors = [problem.acceptors[id].clone()].into_iter().collect();
        let mut alone = OrderProblem { acceptors, segments: problem.segments.clone() };
        alone.for_each_element(|element: &mut OrderElement| {
            element.retain(|(own, _)| *own == id);
            element.iter_mut().for_each(|(own, _)| *own = AcceptorId::from_index(0));
        });
        alone
    }

    pub(super) fn is_possible(&self, problem: &OrderProblem) -> bool {
        self.has_merge(problem) == Some(true)
    }

    pub(super) fn is_impossible(&self, problem: &OrderProblem) -> bool {
        self.has_merge(problem) == Some(false)
    }

    /// Whether no more can be tried.
    pub(super) fn is_spent(&self) -> bool {
        self.work.get() >= MOST_WORK
    }

    /// Returns whether a problem has a merge; `None` if it is too large, or the work is spent.
    fn has_merge(&self, problem: &OrderProblem) -> Option<bool> {
        let left = MOST_WORK.checked_sub(self.work.get())?;
        let bound = MOST_NODES.min(left);
        let graph = MergeGraph::within(problem, bound);
        // The cost of a graph besides its nodes: each lifeline reads everything once.
        let fixed = 10 + problem.length() * (problem.acceptors.len() + 1);
        self.work.set(self.work.get() + fixed + graph.as_ref().map_or(bound, MergeGraph::size));
        graph.map(|graph| graph.is_possible())
    }
}

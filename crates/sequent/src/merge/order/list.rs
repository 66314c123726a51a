//! Lists merges one by one, the most natural first.
//!
//! Usually one side's addition stands as a whole before or after the other's. So merges are ordered by the
//! number of changes of side inside gaps, fewest first; among equals the preferred side comes as early as
//! possible. For each node it is known which numbers of changes are still possible from there, so that no
//! path is entered in vain: the time between two merges is bounded by their length.

use super::graph::MergeGraph;
use super::states::StateSet;
use crate::merge::side::{Interleaving, RevisionSide};

/// The merges of a graph, listed lazily.
#[derive(Clone, Debug)]
pub struct Merges<'g> {
    graph: &'g MergeGraph,
    first: RevisionSide,
    /// For each node, by the side that came last: the possible numbers of changes from there.
    rest: Vec<[StateSet; 2]>,
    /// Numbers of changes that are still to be listed, the next one last.
    wanted: Vec<usize>,
    /// The path to the merge that is next.
    stack: Vec<PathFrame>,
}

#[derive(Clone, Debug)]
struct PathFrame {
    node: u32,
    last: Option<RevisionSide>,
    /// How many changes must come from here on.
    budget: usize,
    /// The sides that were not tried yet, the next one last.
    open: Vec<RevisionSide>,
    /// The side by which the path goes on.
    taken: Option<RevisionSide>,
}

impl<'g> Merges<'g> {
    /// Lists the merges of a graph, those that begin with the side `first` first.
    pub fn new(graph: &'g MergeGraph, first: RevisionSide) -> Self {
        let mut rest: Vec<[StateSet; 2]> = vec![[StateSet::default(), StateSet::default()]; graph.next.len()];
        for node in (0..graph.next.len()).rev() {
            rest[node] = RevisionSide::BOTH.map(|last| costs(graph, &rest, node, last));
        }
        let mut wanted: Vec<usize> = rest[0][0].iter().filter(|_| graph.is_possible()).collect();
        wanted.reverse();
        Merges { graph, first, rest, wanted, stack: Vec::new() }
    }

    fn frame(&self, node: u32, last: Option<RevisionSide>, budget: usize) -> PathFrame {
        PathFrame { node, last, budget, open: vec![self.first.other(), self.first], taken: None }
    }

    /// Returns 1 if a step changes sides inside a gap, else 0.
    fn cost(&self, frame: &PathFrame, side: RevisionSide) -> usize {
        let is_fresh = self.graph.is_fresh[frame.node as usize];
        usize::from(!is_fresh && frame.last.is_some_and(|last| last != side))
    }

    /// Returns the next merge of which `is_open` holds for all beginnings that both sides could continue.
    pub(in crate::merge) fn next_open(
        &mut self,
        is_open: &mut dyn FnMut(&[RevisionSide]) -> bool,
    ) -> Option<Interleaving> {
        loop {
            if let Some(order) = self.advance(is_open) {
                return Some(order);
            }
            let budget = self.wanted.pop()?;
            self.stack.push(self.frame(0, None, budget));
        }
    }

    /// Continues from the newest frame to the next end.
    fn advance(&mut self, is_open: &mut dyn FnMut(&[RevisionSide]) -> bool) -> Option<Interleaving> {
        while let Some(frame) = self.stack.last() {
            if self.graph.next[frame.node as usize] == [None; 2] {
                self.stack.pop();
                return Some(self.stack.iter().filter_map(|frame| frame.taken).collect());
            }
            let Some(side) = self.stack.last_mut().and_then(|frame| frame.open.pop()) else {
                self.stack.pop();
                continue;
            };
            let frame = self.stack.last().expect("the stack is not empty");
            let cost = self.cost(frame, side);
            let next = self.graph.next[frame.node as usize][side as usize];
            let Some((next, budget)) = next.zip(frame.budget.checked_sub(cost)) else { continue };
            if !self.rest[next as usize][side as usize].contains(budget) {
                continue;
            }
            let further = self.frame(next, Some(side), budget);
            let is_fork = self.graph.next[next as usize].iter().all(Option::is_some);
            self.stack.last_mut().expect("the stack is not empty").taken = Some(side);
            if is_fork {
                let beginning: Interleaving = self.stack.iter().filter_map(|frame| frame.taken).collect();
                if !is_open(&beginning) {
                    continue;
                }
            }
            self.stack.push(further);
        }
        None
    }
}

/// Returns the possible numbers of changes from a node on, if `last` came last.
fn costs(graph: &MergeGraph, rest: &[[StateSet; 2]], node: usize, last: RevisionSide) -> StateSet {
    let next = graph.next[node];
    if next == [None; 2] {
        return StateSet::below(1);
    }
    let mut costs = StateSet::default();
    for side in RevisionSide::BOTH {
        let Some(next) = next[side as usize] else { continue };
        let further = &rest[next as usize][side as usize];
        match graph.is_fresh[node] || side == last {
            true => costs.join(further),
            false => costs.join(&further.raised()),
        }
    }
    costs
}

impl Iterator for Merges<'_> {
    type Item = Interleaving;

    fn next(&mut self) -> Option<Interleaving> {
        self.next_open(&mut |_| true)
    }
}

//! Merges one after the other, the one that a person would write first.
//!
//! People put one side's addition as a whole before or after the other's. So merges come by how often they change sides
//! inside gaps, fewest first; among equals the preferred side comes first as early as possible. For each node it is known which numbers
//! of changes are still possible from there, so that no way is entered in vain: the time between two merges is bounded by
//! their length.

use super::{Graph, Order, Set, Side};

/// The merges of a graph, as they are asked for.
#[derive(Clone, Debug)]
pub struct Merges<'g> {
    graph: &'g Graph,
    first: Side,
    /// For each node, by the side that came last: how many changes the rest may have.
    rest: Vec<[Set; 2]>,
    /// Numbers of changes that are still to be listed, the next one last.
    wanted: Vec<usize>,
    /// The path to the merge that is next.
    stack: Vec<Frame>,
}

#[derive(Clone, Debug)]
struct Frame {
    node: u32,
    last: Option<Side>,
    /// How many changes must come from here on.
    budget: usize,
    /// The sides that were not tried yet, the next one last.
    open: Vec<Side>,
    /// The side by which the path goes on.
    taken: Option<Side>,
}

impl<'g> Merges<'g> {
    /// Lists the merges of a graph, those of the side `first` first.
    pub fn new(graph: &'g Graph, first: Side) -> Self {
        let mut rest: Vec<[Set; 2]> = vec![[Set::default(), Set::default()]; graph.next.len()];
        for node in (0..graph.next.len()).rev() {
            rest[node] = Side::BOTH.map(|last| costs(graph, &rest, node, last));
        }
        let mut wanted: Vec<usize> = match graph.is_possible() {
            true => rest[0][0].iter().collect(),
            false => Vec::new(),
        };
        wanted.reverse();
        Merges { graph, first, rest, wanted, stack: Vec::new() }
    }

    fn frame(&self, node: u32, last: Option<Side>, budget: usize) -> Frame {
        Frame { node, last, budget, open: vec![self.first.other(), self.first], taken: None }
    }

    /// What a step to a side costs.
    fn cost(&self, frame: &Frame, side: Side) -> usize {
        let is_fresh = self.graph.is_fresh[frame.node as usize];
        usize::from(!is_fresh && frame.last.is_some_and(|last| last != side))
    }

    /// The next merge whose beginnings are all open; asked about are those from which both sides could go on.
    pub fn next_open(&mut self, is_open: &mut dyn FnMut(&[Side]) -> bool) -> Option<Order> {
        loop {
            if let Some(order) = self.advance(is_open) {
                return Some(order);
            }
            let budget = self.wanted.pop()?;
            self.stack.push(self.frame(0, None, budget));
        }
    }

    /// Goes on from the newest frame to the next end.
    fn advance(&mut self, is_open: &mut dyn FnMut(&[Side]) -> bool) -> Option<Order> {
        while let Some(frame) = self.stack.last() {
            if self.graph.next[frame.node as usize] == [None; 2] {
                self.stack.pop();
                return Some(self.stack.iter().filter_map(|frame| frame.taken).collect());
            }
            let Some(side) = self.stack.last_mut().and_then(|frame| frame.open.pop()) else {
                self.stack.pop();
                continue;
            };
            let frame = self.stack.last().expect("it was looked at just now");
            let cost = self.cost(frame, side);
            let next = self.graph.next[frame.node as usize][side as usize];
            let Some((next, budget)) = next.zip(frame.budget.checked_sub(cost)) else { continue };
            if !self.rest[next as usize][side as usize].contains(budget) {
                continue;
            }
            let further = self.frame(next, Some(side), budget);
            let is_fork = self.graph.next[next as usize].iter().all(Option::is_some);
            self.stack.last_mut().expect("it was looked at just now").taken = Some(side);
            if is_fork {
                let beginning: Order = self.stack.iter().filter_map(|frame| frame.taken).collect();
                if !is_open(&beginning) {
                    continue;
                }
            }
            self.stack.push(further);
        }
        None
    }
}

/// How many changes may come from a node on, if `last` came last.
fn costs(graph: &Graph, rest: &[[Set; 2]], node: usize, last: Side) -> Set {
    let next = graph.next[node];
    if next == [None; 2] {
        return Set::below(1);
    }
    let mut costs = Set::default();
    for side in Side::BOTH {
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
    type Item = Order;

    fn next(&mut self) -> Option<Order> {
        self.next_open(&mut |_| true)
    }
}

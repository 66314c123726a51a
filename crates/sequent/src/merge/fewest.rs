//! The fewest messages to leave out, so that the rest has a merge.
//!
//! A search along the grid of both additions in which a step may also pass a message over, at a cost of one; what is cheapest comes first. A
//! configuration is where each lifeline may be. So the first way to the end leaves out as few as possible, and that no fewer are enough is
//! proved by then.

use std::collections::{BTreeSet, HashMap, VecDeque};

use sequent_kernel::id::Id;

use super::explain::Added;
use super::order::{Item, Problem, Set, Side, Slot};

/// No more configurations are looked at.
const MOST_NODES: usize = 200_000;

/// No more ways back are followed.
const MOST_WAYS: usize = 20_000;

/// How far the slots have come, and where each lifeline may be.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Node {
    slot: usize,
    used: [usize; 2],
    states: Vec<Set>,
}

/// A step to a node, from this one, and what it passes over.
type Step = (usize, Option<Added>);

struct Search<'p> {
    problem: &'p Problem,
    nodes: Vec<Node>,
    found: HashMap<Node, usize>,
    cost: Vec<usize>,
    /// The cheapest steps to each node.
    back: Vec<Vec<Step>>,
    queue: VecDeque<usize>,
    is_done: Vec<bool>,
}

/// At most `most` of the smallest sets of additions without which there is a merge; `None` if that is not known, and nothing
/// in it if the fixed elements alone have none.
pub(super) fn fewest(problem: &Problem, most: usize) -> Option<Vec<Vec<Added>>> {
    let mut search = Search {
        problem,
        nodes: Vec::new(),
        found: HashMap::new(),
        cost: Vec::new(),
        back: Vec::new(),
        queue: VecDeque::new(),
        is_done: Vec::new(),
    };
    let states = problem.threads.iter().map(|thread| thread.start.clone()).collect();
    search.arrive(Node { slot: 0, used: [0, 0], states }, 0, None);
    let mut least: Option<usize> = None;
    let mut ends: Vec<usize> = Vec::new();
    while let Some(at) = search.queue.pop_front() {
        if least.is_some_and(|least| search.cost[at] > least) {
            break;
        }
        if std::mem::replace(&mut search.is_done[at], true) {
            continue;
        }
        if search.nodes[at].slot == problem.slots.len() {
            least = Some(search.cost[at]);
            ends.push(at);
            continue;
        }
        search.expand(at);
        if search.nodes.len() > MOST_NODES {
            return None;
        }
    }
    Some(search.sets(&ends, most))
}

impl Search<'_> {
    fn arrive(&mut self, node: Node, cost: usize, step: Option<Step>) {
        let fresh = self.nodes.len();
        let at = *self.found.entry(node.clone()).or_insert(fresh);
        if at == fresh {
            self.nodes.push(node);
            self.cost.push(usize::MAX);
            self.back.push(Vec::new());
            self.is_done.push(false);
        }
        if cost < self.cost[at] {
            self.cost[at] = cost;
            self.back[at].clear();
            // Steps without cost first: the queue is ordered by cost.
            match step {
                Some((_, Some(_))) | None => self.queue.push_back(at),
                Some((_, None)) => self.queue.push_front(at),
            }
        }
        if cost == self.cost[at] {
            self.back[at].extend(step);
        }
    }

    fn expand(&mut self, at: usize) {
        let (node, cost) = (self.nodes[at].clone(), self.cost[at]);
        let problem = self.problem;
        match &problem.slots[node.slot] {
            Slot::Fixed(item) => {
                if let Some(states) = self.read(&node.states, item) {
                    let next = Node { slot: node.slot + 1, used: [0, 0], states };
                    self.arrive(next, cost, Some((at, None)));
                }
            }
            Slot::Gap { ours, theirs } => {
                if node.used == [ours.len(), theirs.len()] {
                    let next = Node { slot: node.slot + 1, used: [0, 0], states: node.states };
                    return self.arrive(next, cost, Some((at, None)));
                }
                for (side, items) in [(Side::Ours, ours), (Side::Theirs, theirs)] {
                    let number = node.used[side as usize];
                    let Some(item) = items.get(number) else { continue };
                    let mut used = node.used;
                    used[side as usize] += 1;
                    if let Some(states) = self.read(&node.states, item) {
                        self.arrive(Node { slot: node.slot, used, states }, cost, Some((at, None)));
                    }
                    let passed = Added { slot: node.slot, side, number };
                    let next = Node { slot: node.slot, used, states: node.states.clone() };
                    self.arrive(next, cost + 1, Some((at, Some(passed))));
                }
            }
        }
    }

    fn read(&self, states: &[Set], item: &Item) -> Option<Vec<Set>> {
        let mut after = states.to_vec();
        for (thread, symbol) in item {
            let own = &mut after[thread.index()];
            *own = self.problem.threads[*thread].after(own, *symbol);
            if own.is_empty() {
                return None;
            }
        }
        Some(after)
    }

    /// What is passed over on the cheapest ways to the end.
    fn sets(&self, ends: &[usize], most: usize) -> Vec<Vec<Added>> {
        let mut found: BTreeSet<Vec<Added>> = BTreeSet::new();
        let mut open: Vec<(usize, Vec<Added>)> = ends.iter().rev().map(|end| (*end, Vec::new())).collect();
        let mut ways = 0;
        while let Some((at, passed)) = open.pop() {
            ways += 1;
            if found.len() == most || ways > MOST_WAYS {
                break;
            }
            if self.back[at].is_empty() {
                let mut passed = passed;
                passed.sort();
                found.insert(passed);
                continue;
            }
            for (before, step) in &self.back[at] {
                let mut passed = passed.clone();
                passed.extend(*step);
                open.push((*before, passed));
            }
        }
        found.into_iter().collect()
    }
}

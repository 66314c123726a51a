//! The fewest additions to leave out, so that the rest has a merge.
//!
//! A shortest-path search along the grid of both additions in which a step may also skip an addition, at a cost of one. A
//! node holds the states of each lifeline. So the first path to the end leaves out as few as possible, and proves that no fewer suffice.

use std::collections::{BTreeSet, HashMap, VecDeque};

use sequent_kernel::id::Id;

use super::problem::{Added, OrderElement, OrderProblem, Segment};
use super::states::StateSet;
use crate::merge::side::RevisionSide;

/// The most nodes that are searched.
const MOST_NODES: usize = 200_000;

/// The most paths that are followed back.
const MOST_WAYS: usize = 20_000;

/// The elements that are used, and the states of each lifeline.
#[derive(Clone, PartialEq, Eq, Hash)]
struct GridNode {
    segment: usize,
    used: [usize; 2],
    states: Vec<StateSet>,
}

/// What is known about a node.
struct ReachedNode {
    node: GridNode,
    cost: usize,
    /// The cheapest steps to it: the node before, and the addition that is skipped.
    back: Vec<(usize, Option<Added>)>,
    is_done: bool,
}

struct OmissionSearch<'p> {
    problem: &'p OrderProblem,
    reached: Vec<ReachedNode>,
    found: HashMap<GridNode, usize>,
    queue: VecDeque<usize>,
}

/// Returns at most `most` of the smallest sets of additions without which there is a merge; `None` if that is not known, and no
/// set if the fixed elements alone have no merge.
pub(in crate::merge) fn fewest(problem: &OrderProblem, most: usize) -> Option<Vec<Vec<Added>>> {
    let (reached, found, queue) = Default::default();
    let mut search = OmissionSearch { problem, reached, found, queue };
    let states = problem.acceptors.iter().map(|acceptor| acceptor.start.clone()).collect();
    search.arrive(GridNode { segment: 0, used: [0, 0], states }, 0, None);
    let mut least: Option<usize> = None;
    let mut ends: Vec<usize> = Vec::new();
    while let Some(at) = search.queue.pop_front() {
        let here = &mut search.reached[at];
        if least.is_some_and(|least| here.cost > least) {
            break;
        }
        if std::mem::replace(&mut here.is_done, true) {
            continue;
        }
        if here.node.segment == problem.segments.len() {
            least = Some(here.cost);
            ends.push(at);
            continue;
        }
        search.expand(at);
        if search.reached.len() > MOST_NODES {
            return None;
        }
    }
    Some(search.sets(&ends, most))
}

impl OmissionSearch<'_> {
    fn arrive(&mut self, node: GridNode, cost: usize, step: Option<(usize, Option<Added>)>) {
        let fresh = self.reached.len();
        let at = *self.found.entry(node.clone()).or_insert(fresh);
        if at == fresh {
            self.reached.push(ReachedNode { node, cost: usize::MAX, back: Vec::new(), is_done: false });
        }
        let reached = &mut self.reached[at];
        if cost < reached.cost {
            reached.cost = cost;
            reached.back.clear();
            // Steps without cost first: the queue is ordered by cost.
            match step {
                Some((_, Some(_))) | None => self.queue.push_back(at),
                Some((_, None)) => self.queue.push_front(at),
            }
        }
        if cost == reached.cost {
            reached.back.extend(step);
        }
    }

    fn expand(&mut self, at: usize) {
        let (node, cost) = (self.reached[at].node.clone(), self.reached[at].cost);
        let (problem, segment) = (self.problem, node.segment);
        let next = |states| GridNode { segment: segment + 1, used: [0, 0], states };
        match &problem.segments[segment] {
            Segment::Fixed(element) => {
                if let Some(states) = self.read(&node.states, element) {
                    self.arrive(next(states), cost, Some((at, None)));
                }
            }
            Segment::Gap(gap) if node.used == gap.each_ref().map(Vec::len) => {
                self.arrive(next(node.states), cost, Some((at, None)));
            }
            Segment::Gap(gap) => {
                for side in RevisionSide::BOTH {
                    let number = node.used[side as usize];
                    let Some(element) = gap[side as usize].get(number) else { continue };
                    let mut used = node.used;
                    used[side as usize] += 1;
                    if let Some(states) = self.read(&node.states, element) {
                        self.arrive(GridNode { segment, used, states }, cost, Some((at, None)));
                    }
                    let skipped = Added { segment, side, number };
                    let next = GridNode { segment, used, states: node.states.clone() };
                    self.arrive(next, cost + 1, Some((at, Some(skipped))));
                }
            }
        }
    }

    fn read(&self, states: &[StateSet], element: &OrderElement) -> Option<Vec<StateSet>> {
        let mut after = states.to_vec();
        for (id, symbol) in element {
            let own = &mut after[id.index()];
            *own = self.problem.acceptors[*id].after(own, *symbol);
            if own.is_empty() {
                return None;
            }
        }
        Some(after)
    }

    /// Returns what is skipped on the cheapest paths to the end.
    fn sets(&self, ends: &[usize], most: usize) -> Vec<Vec<Added>> {
        let mut found: BTreeSet<Vec<Added>> = BTreeSet::new();
        let mut open: Vec<(usize, Vec<Added>)> = ends.iter().rev().map(|end| (*end, Vec::new())).collect();
        let mut ways = 0;
        while let Some((at, mut skipped)) = open.pop() {
            ways += 1;
            if found.len() == most || ways > MOST_WAYS {
                break;
            }
            if self.reached[at].back.is_empty() {
                skipped.sort();
                found.insert(skipped);
                continue;
            }
            for (before, step) in &self.reached[at].back {
                open.push((*before, skipped.iter().copied().chain(*step).collect()));
            }
        }
        found.into_iter().collect()
    }
}

/// Returns all subsets with this number of elements, one after the other.
pub(in crate::merge) fn subsets<T: Copy>(all: &[T], count: usize) -> impl Iterator<Item = Vec<T>> {
    let mut chosen: Option<Vec<usize>> = (count <= all.len()).then(|| (0..count).collect());
    std::iter::from_fn(move || {
        let now = chosen.take()?;
        let mut next = now.clone();
        // The last index that can grow does, and those after it follow it directly.
        let last = (0..count).rev().find(|at| now[*at] < all.len() - (count - at));
        if let Some(last) = last {
            let first = now[last] + 1;
            (last..count).for_each(|at| next[at] = first + at - last);
            chosen = Some(next);
        }
        Some(now.iter().map(|at| all[*at]).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_come_once_each() {
        assert_eq!(subsets(&[1, 2, 3, 4], 2).count(), 6);
        assert_eq!(subsets(&[1, 2, 3], 2).collect::<Vec<_>>(), [[1, 2], [1, 3], [2, 3]]);
        assert_eq!(subsets(&[1, 2], 0).count(), 1);
        assert_eq!(subsets(&[1, 2], 3).count(), 0);
    }
}

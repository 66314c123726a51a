//! All lifelines together: the graph whose paths are the merges.
//!
//! A node is a cell of a gap and a configuration, one automaton node per lifeline. Nodes are made layer by layer; only the
//! two newest layers keep their configurations, everything else is two numbers per node.

use std::collections::HashMap;

use num_bigint::BigUint;
use sequent_kernel::id::Id;

use super::thread::Thread;
use super::{Item, Order, Problem, Side, Slot};

/// More nodes than this are not made.
pub const MOST: usize = 4_000_000;

/// The merges of a problem.
#[derive(Clone, Debug)]
pub struct Graph {
    /// For each node, in order, where our and their next element lead, if from there the end can be reached.
    pub(super) next: Vec<[Option<u32>; 2]>,
    /// Whether a node is at the beginning of a gap.
    pub(super) is_fresh: Vec<bool>,
    /// Whether there is any merge.
    is_possible: bool,
}

/// A node of a layer: how far the elements of a gap have come, and the configuration.
type Key = (usize, Box<[u32]>);

impl Graph {
    /// Puts the lifelines of a problem together; `None` beyond the bounds on their size.
    pub fn new(problem: &Problem) -> Option<Self> {
        Self::within(problem, MOST)
    }

    /// The same with another bound on the number of nodes.
    pub fn within(problem: &Problem, most: usize) -> Option<Self> {
        let threads: Option<Vec<Thread>> =
            problem.threads.ids().map(|thread| Thread::new(problem, thread)).collect();
        let threads = threads?;
        let start: Option<Vec<u32>> = threads.iter().map(|thread| thread.start).collect();
        let Some(start) = start else {
            return Some(Graph { next: vec![[None; 2]], is_fresh: vec![true], is_possible: false });
        };
        let gaps = problem.slots.iter().filter_map(|slot| match slot {
            Slot::Gap { ours, theirs } if !(ours.is_empty() && theirs.is_empty()) => Some([ours, theirs]),
            Slot::Gap { .. } | Slot::Fixed(_) => None,
        });
        let mut builder = Builder { threads, next: vec![[None; 2]], is_fresh: vec![true], most };
        let mut layer = HashMap::from([((0, start.into_boxed_slice()), 0)]);
        for gap in gaps {
            layer = builder.gap(gap, layer)?;
        }
        Some(builder.finish(layer.into_values().collect()))
    }

    /// Whether there is a merge.
    pub fn is_possible(&self) -> bool {
        self.is_possible
    }

    /// The merge that changes sides least often, the side `first` as early as possible; what [`Merges`](super::Merges) lists first.
    pub fn first(&self, first: Side) -> Option<Order> {
        const NEVER: u32 = u32::MAX;
        // For each node, by the side that came last: the fewest changes to the end.
        let mut least = vec![[NEVER; 2]; self.next.len()];
        let cost = |least: &[[u32; 2]], node: usize, last: Side, side: Side| {
            let next =
                self.next[node][side as usize].map_or(NEVER, |next| least[next as usize][side as usize]);
            next.saturating_add(u32::from(!self.is_fresh[node] && side != last))
        };
        for node in (0..self.next.len()).rev() {
            least[node] = match self.next[node] {
                [None, None] => [0; 2],
                [_, _] => Side::BOTH.map(|last| {
                    cost(&least, node, last, Side::Ours).min(cost(&least, node, last, Side::Theirs))
                }),
            };
        }
        let (mut node, mut last, mut order) = (0, first, Order::new());
        while self.next[node] != [None; 2] {
            let best = [first, first.other()].into_iter().find(|side| {
                self.next[node][*side as usize].is_some()
                    && cost(&least, node, last, *side) == least[node][last as usize]
            })?;
            node = self.next[node][best as usize]? as usize;
            last = best;
            order.push(best);
        }
        self.is_possible.then_some(order)
    }

    /// How many merges there are.
    pub fn count(&self) -> BigUint {
        let mut counts: Vec<BigUint> = Vec::new();
        counts.resize(self.next.len(), BigUint::ZERO);
        for (at, next) in self.next.iter().enumerate().rev() {
            counts[at] = match next {
                [None, None] => BigUint::from(u32::from(self.is_possible && self.is_end(at))),
                [one, other] => {
                    let of =
                        |next: &Option<u32>| next.map_or(BigUint::ZERO, |next| counts[next as usize].clone());
                    of(one) + of(other)
                }
            };
        }
        counts.swap_remove(0)
    }

    /// Which sides may follow a beginning of a merge.
    pub fn ways(&self, beginning: &[Side]) -> [bool; 2] {
        let mut node = 0;
        for side in beginning {
            match self.next[node][*side as usize] {
                Some(next) => node = next as usize,
                None => return [false, false],
            }
        }
        self.next[node].map(|next| next.is_some())
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Never: there is a beginning.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// Nothing leads to a node that is no end and leads nowhere, except that the beginning may be one.
    fn is_end(&self, node: usize) -> bool {
        self.next[node] == [None; 2]
    }
}

struct Builder {
    threads: Vec<Thread>,
    next: Vec<[Option<u32>; 2]>,
    is_fresh: Vec<bool>,
    most: usize,
}

impl Builder {
    /// Goes through a gap; the last layer has all elements of it.
    fn gap(&mut self, gap: [&Vec<Item>; 2], mut layer: HashMap<Key, u32>) -> Option<HashMap<Key, u32>> {
        let total = gap[0].len() + gap[1].len();
        layer.values().for_each(|node| self.is_fresh[*node as usize] = true);
        for come in 0..total {
            // In order of their numbers, so that equal inputs give equal graphs.
            let mut nodes: Vec<(Key, u32)> = layer.drain().collect();
            nodes.sort_unstable_by_key(|(_, number)| *number);
            for ((ours, config), number) in nodes {
                let theirs = come - ours;
                for (side, at) in [(Side::Ours, ours), (Side::Theirs, theirs)] {
                    let Some(item) = gap[side as usize].get(at) else { continue };
                    let Some(config) = self.step(&config, item, side) else { continue };
                    let key = (ours + usize::from(side == Side::Ours), config);
                    let fresh = u32::try_from(self.next.len()).ok()?;
                    let node = *layer.entry(key).or_insert(fresh);
                    if node == fresh {
                        self.next.push([None; 2]);
                        self.is_fresh.push(false);
                    }
                    self.next[number as usize][side as usize] = Some(node);
                }
            }
            if self.next.len() > self.most {
                return None;
            }
        }
        // The next gap counts its own elements.
        Some(layer.into_iter().map(|((_, config), node)| ((0, config), node)).collect())
    }

    fn step(&self, config: &[u32], item: &Item, side: Side) -> Option<Box<[u32]>> {
        let mut after: Box<[u32]> = config.into();
        for (number, (thread, _)) in item.iter().enumerate() {
            // Several symbols of one element are one step of the lifeline.
            if item[..number].iter().all(|(earlier, _)| earlier != thread) {
                let at = thread.index();
                after[at] = self.threads[at].step(after[at], side)?;
            }
        }
        Some(after)
    }

    /// Drops what does not lead to the end.
    fn finish(mut self, ends: Vec<u32>) -> Graph {
        let mut is_live = vec![false; self.next.len()];
        ends.iter().for_each(|end| is_live[*end as usize] = true);
        for at in (0..self.next.len()).rev() {
            let next = self.next[at].map(|next| next.filter(|next| is_live[*next as usize]));
            is_live[at] |= next != [None; 2];
            self.next[at] = next;
        }
        Graph { is_possible: is_live[0], next: self.next, is_fresh: self.is_fresh }
    }
}

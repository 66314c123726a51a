//! All lifelines together: the graph whose paths are the merges.
//!
//! A node is a cell of a gap and a configuration, one automaton node per lifeline. Nodes are made layer by layer; only the
//! two newest layers keep their configurations, everything else is two numbers per node.

use std::collections::HashMap;

use num_bigint::BigUint;
use sequent_kernel::id::Id;

use super::lifeline::LifelineAutomaton;
use super::problem::{GapElements, OrderElement, OrderProblem, Segment};
use crate::merge::side::{Interleaving, RevisionSide};

/// The default bound on the number of nodes.
const MOST: usize = 4_000_000;

/// The merges of a problem.
#[derive(Clone, Debug)]
pub struct MergeGraph {
    /// For each node, in order, its successors by our and by their next element, if the end can be reached from there.
    pub(super) next: Vec<[Option<u32>; 2]>,
    /// Whether a node is at the beginning of a gap.
    pub(super) is_fresh: Vec<bool>,
    /// Whether there is any merge.
    is_possible: bool,
}

/// A node of a layer: how many of our elements of a gap are used, and the configuration.
type LayerKey = (usize, Box<[u32]>);

impl MergeGraph {
    /// Combines the lifelines of a problem; `None` beyond the bounds on their size.
    pub fn new(problem: &OrderProblem) -> Option<Self> {
        Self::within(problem, MOST)
    }

    /// Does the same with another bound on the number of nodes.
    pub(in crate::merge) fn within(problem: &OrderProblem, most: usize) -> Option<Self> {
        let automata: Option<Vec<LifelineAutomaton>> =
            problem.acceptors.ids().map(|id| LifelineAutomaton::new(problem, id)).collect();
        let automata = automata?;
        let start: Option<Vec<u32>> = automata.iter().map(|automaton| automaton.start).collect();
        let Some(start) = start else {
            return Some(MergeGraph { next: vec![[None; 2]], is_fresh: vec![true], is_possible: false });
        };
        let gaps = problem.segments.iter().filter_map(Segment::gap);
        let mut builder = GraphBuilder { automata, next: vec![[None; 2]], is_fresh: vec![true], most };
        let mut layer = HashMap::from([((0, start.into_boxed_slice()), 0)]);
        for gap in gaps.filter(|gap| gap.iter().any(|elements| !elements.is_empty())) {
            layer = builder.gap(gap, layer)?;
        }
        Some(builder.finish(layer.into_values().collect()))
    }

    /// Whether there is a merge.
    pub fn is_possible(&self) -> bool {
        self.is_possible
    }

    /// Returns the merge with the fewest changes of side, the side `first` as early as possible; [`Merges`](super::Merges) lists it first.
    pub(in crate::merge) fn first(&self, first: RevisionSide) -> Option<Interleaving> {
        const NEVER: u32 = u32::MAX;
        // For each node, by the side that came last: the fewest changes to the end.
        let mut least = vec![[NEVER; 2]; self.next.len()];
        let cost = |least: &[[u32; 2]], node: usize, last: RevisionSide, side: RevisionSide| {
            let next =
                self.next[node][side as usize].map_or(NEVER, |next| least[next as usize][side as usize]);
            next.saturating_add(u32::from(!self.is_fresh[node] && side != last))
        };
        for node in (0..self.next.len()).rev() {
            least[node] = match self.next[node] {
                [None, None] => [0; 2],
                [_, _] => RevisionSide::BOTH.map(|last| {
                    cost(&least, node, last, RevisionSide::Ours).min(cost(
                        &least,
                        node,
                        last,
                        RevisionSide::Theirs,
                    ))
                }),
            };
        }
        let (mut node, mut last, mut order) = (0, first, Interleaving::new());
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

    /// Returns the number of merges.
    pub fn count(&self) -> BigUint {
        let mut counts: Vec<BigUint> = vec![BigUint::ZERO; self.next.len()];
        for (at, next) in self.next.iter().enumerate().rev() {
            counts[at] = match next {
                [None, None] => BigUint::from(u32::from(self.is_possible)),
                ways => ways.iter().flatten().map(|next| &counts[*next as usize]).sum(),
            };
        }
        counts.swap_remove(0)
    }

    /// Returns which sides may follow a beginning of a merge.
    pub(in crate::merge) fn ways(&self, beginning: &[RevisionSide]) -> [bool; 2] {
        let mut node = 0;
        for side in beginning {
            match self.next[node][*side as usize] {
                Some(next) => node = next as usize,
                None => return [false, false],
            }
        }
        self.next[node].map(|next| next.is_some())
    }

    /// Returns the number of nodes.
    pub(in crate::merge) fn size(&self) -> usize {
        self.next.len()
    }
}

struct GraphBuilder {
    automata: Vec<LifelineAutomaton>,
    next: Vec<[Option<u32>; 2]>,
    is_fresh: Vec<bool>,
    most: usize,
}

impl GraphBuilder {
    /// Adds the layers of a gap; in the last one all its elements are used.
    fn gap(
        &mut self,
        gap: &GapElements,
        mut layer: HashMap<LayerKey, u32>,
    ) -> Option<HashMap<LayerKey, u32>> {
        layer.values().for_each(|node| self.is_fresh[*node as usize] = true);
        for used in 0..gap[0].len() + gap[1].len() {
            // In order of their numbers, so that equal inputs give equal graphs.
            let mut nodes: Vec<(LayerKey, u32)> = layer.drain().collect();
            nodes.sort_unstable_by_key(|(_, number)| *number);
            for ((ours, config), number) in nodes {
                for (side, at) in [(RevisionSide::Ours, ours), (RevisionSide::Theirs, used - ours)] {
                    let Some(element) = gap[side as usize].get(at) else { continue };
                    let Some(config) = self.step(&config, element, side) else { continue };
                    let key = (ours + usize::from(side == RevisionSide::Ours), config);
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

    fn step(&self, config: &[u32], element: &OrderElement, side: RevisionSide) -> Option<Box<[u32]>> {
        let mut after: Box<[u32]> = config.into();
        for (number, (id, _)) in element.iter().enumerate() {
            // Several symbols of one element are one step of the lifeline.
            if element[..number].iter().all(|(earlier, _)| earlier != id) {
                let at = id.index();
                after[at] = self.automata[at].step(after[at], side)?;
            }
        }
        Some(after)
    }

    /// Drops edges that do not lead to the end.
    fn finish(mut self, ends: Vec<u32>) -> MergeGraph {
        let mut is_live = vec![false; self.next.len()];
        ends.iter().for_each(|end| is_live[*end as usize] = true);
        for at in (0..self.next.len()).rev() {
            let next = self.next[at].map(|next| next.filter(|next| is_live[*next as usize]));
            is_live[at] |= next != [None; 2];
            self.next[at] = next;
        }
        MergeGraph { is_possible: is_live[0], next: self.next, is_fresh: self.is_fresh }
    }
}

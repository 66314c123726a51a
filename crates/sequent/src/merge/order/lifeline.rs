//! One lifeline alone: the minimal automaton of the interleavings that it accepts.
//!
//! A node is a cell of P4's table `reach` (how many elements of each side of a gap are used) together with the set of
//! states after one way there; ways with different sets are kept apart, since what may follow differs. From the end
//! backwards nodes that do not lead to the end are dropped, and nodes with equal successors are joined.

use std::collections::HashMap;

use super::problem::{Acceptor, AcceptorId, OrderElement, OrderProblem, Segment, SymbolId};
use super::states::StateSet;
use crate::merge::side::RevisionSide;

/// The most nodes of a lifeline before they are joined.
const MOST: usize = 2_000_000;

/// The interleavings that a lifeline accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LifelineAutomaton {
    /// The initial node; `None` if nothing is accepted.
    pub(super) start: Option<u32>,
    /// For each node its successors by our and by their next element.
    next: Vec<[Option<u32>; 2]>,
}

impl LifelineAutomaton {
    /// Returns the automaton of a lifeline of a problem; `None` beyond the bound on its size.
    pub(super) fn new(problem: &OrderProblem, id: AcceptorId) -> Option<Self> {
        let acceptor = &problem.acceptors[id];
        let reads = problem.segments.iter().map(|segment| Reads::of(segment, id)).collect();
        let mut builder = AutomatonBuilder { acceptor, reads, nodes: Vec::new(), found: HashMap::new() };
        let start = builder.arrive(GridCell { segment: 0, used: [0, 0] }, acceptor.start.clone());
        let mut at = 0;
        while at < builder.nodes.len() {
            builder.expand(at);
            at += 1;
            if builder.nodes.len() > MOST {
                return None;
            }
        }
        Some(builder.minimize(start))
    }

    /// Returns the successor by the next element of a side.
    pub(super) fn step(&self, node: u32, side: RevisionSide) -> Option<u32> {
        self.next[node as usize][side as usize]
    }
}

/// What one lifeline reads in a segment.
enum Reads {
    Fixed(Vec<SymbolId>),
    /// The elements of both sides that concern it, each with what it reads.
    Gap([Vec<Vec<SymbolId>>; 2]),
}

impl Reads {
    fn of(segment: &Segment, id: AcceptorId) -> Reads {
        let read = |element: &OrderElement| -> Vec<SymbolId> {
            element.iter().filter(|(one, _)| *one == id).map(|(_, symbol)| *symbol).collect()
        };
        match segment {
            Segment::Fixed(element) => Reads::Fixed(read(element)),
            Segment::Gap(gap) => {
                Reads::Gap(gap.each_ref().map(|elements| {
                    elements.iter().map(read).filter(|symbols| !symbols.is_empty()).collect()
                }))
            }
        }
    }
}

/// A segment, and how many elements of each side in it are used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct GridCell {
    segment: usize,
    used: [usize; 2],
}

struct AutomatonNode {
    /// `None`: the end.
    cell: Option<GridCell>,
    states: StateSet,
    next: [Option<usize>; 2],
}

struct AutomatonBuilder<'p> {
    acceptor: &'p Acceptor,
    reads: Vec<Reads>,
    nodes: Vec<AutomatonNode>,
    found: HashMap<(Option<GridCell>, StateSet), usize>,
}

impl AutomatonBuilder<'_> {
    /// Returns the node at a cell, or behind everything fixed that follows it; `None` if the lifeline cannot go on.
    fn arrive(&mut self, mut cell: GridCell, mut states: StateSet) -> Option<usize> {
        loop {
            if states.is_empty() {
                return None;
            }
            match self.reads.get(cell.segment) {
                None => return Some(self.node(None, StateSet::default())),
                Some(Reads::Fixed(symbols)) => states = self.read(states, symbols),
                Some(Reads::Gap(sides)) if cell.used != sides.each_ref().map(Vec::len) => {
                    return Some(self.node(Some(cell), states));
                }
                Some(Reads::Gap(_)) => {}
            }
            cell = GridCell { segment: cell.segment + 1, used: [0, 0] };
        }
    }

    fn read(&self, states: StateSet, symbols: &[SymbolId]) -> StateSet {
        symbols.iter().fold(states, |states, symbol| self.acceptor.after(&states, *symbol))
    }

    fn node(&mut self, cell: Option<GridCell>, states: StateSet) -> usize {
        let number = self.nodes.len();
        let known = *self.found.entry((cell, states.clone())).or_insert(number);
        if known == number {
            self.nodes.push(AutomatonNode { cell, states, next: [None; 2] });
        }
        known
    }

    fn expand(&mut self, at: usize) {
        let Some(cell) = self.nodes[at].cell else { return };
        for side in [0, 1] {
            let Some(Reads::Gap(sides)) = self.reads.get(cell.segment) else { continue };
            let Some(symbols) = sides[side].get(cell.used[side]) else { continue };
            let states = self.read(self.nodes[at].states.clone(), symbols);
            let mut further = cell;
            further.used[side] += 1;
            self.nodes[at].next[side] = self.arrive(further, states);
        }
    }

    /// Joins equivalent nodes; successors have greater numbers than their predecessors, so one pass from the end suffices.
    fn minimize(&self, start: Option<usize>) -> LifelineAutomaton {
        let mut next: Vec<[Option<u32>; 2]> = Vec::new();
        let mut classes: HashMap<[Option<u32>; 2], u32> = HashMap::new();
        let mut class: Vec<Option<u32>> = vec![None; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let ways = node.next.map(|next| next.and_then(|next| class[next]));
            if ways == [None; 2] && node.cell.is_some() {
                continue;
            }
            class[at] = Some(*classes.entry(ways).or_insert_with(|| {
                next.push(ways);
                u32::try_from(next.len() - 1).expect("the bound is below 2^32")
            }));
        }
        LifelineAutomaton { start: start.and_then(|start| class[start]), next }
    }
}

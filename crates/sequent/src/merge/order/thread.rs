//! One lifeline alone: the smallest automaton of the interleavings that it accepts.
//!
//! A node is a cell of P4's table `reach` (how many elements of each side in this gap have come) together with the set of
//! states after one way there; ways with different sets are kept apart, since what may follow differs. From the end
//! backwards nodes from which nothing leads to the end are dropped, and nodes with the same continuations become one.

use std::collections::HashMap;

use super::{Acceptor, Problem, Set, Side, Slot, SymbolId, ThreadId};

/// No lifeline has more nodes before they are taken together.
const MOST: usize = 2_000_000;

/// The interleavings that a lifeline accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// Where it begins; `None` if it accepts nothing.
    pub start: Option<u32>,
    /// For each node where our and their next element lead.
    next: Vec<[Option<u32>; 2]>,
}

impl Thread {
    /// The automaton of a lifeline of a problem; `None` beyond the bound on its size.
    pub fn new(problem: &Problem, thread: ThreadId) -> Option<Self> {
        let mut builder = Builder {
            acceptor: &problem.threads[thread],
            own: own(problem, thread),
            nodes: Vec::new(),
            found: HashMap::new(),
        };
        let start = builder.arrive(Cell { slot: 0, ours: 0, theirs: 0 }, builder.acceptor.start.clone());
        let mut at = 0;
        while at < builder.nodes.len() {
            builder.expand(at);
            at += 1;
            if builder.nodes.len() > MOST {
                return None;
            }
        }
        Some(builder.shrink(start))
    }

    /// Where the next element of a side leads.
    pub fn step(&self, node: u32, side: Side) -> Option<u32> {
        self.next[node as usize][side as usize]
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Whether there is no node, so that nothing is accepted.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }
}

/// What one lifeline reads.
enum Own {
    Fixed(Vec<SymbolId>),
    /// The elements of both sides that concern it, each with what it reads.
    Gap([Vec<Vec<SymbolId>>; 2]),
}

fn own(problem: &Problem, thread: ThreadId) -> Vec<Own> {
    let read = |item: &super::Item| -> Vec<SymbolId> {
        item.iter().filter(|(one, _)| *one == thread).map(|(_, symbol)| *symbol).collect()
    };
    let all = |items: &[super::Item]| -> Vec<Vec<SymbolId>> {
        items.iter().map(read).filter(|symbols| !symbols.is_empty()).collect()
    };
    let slots = problem.slots.iter().map(|slot| match slot {
        Slot::Fixed(item) => Own::Fixed(read(item)),
        Slot::Gap { ours, theirs } => Own::Gap([all(ours), all(theirs)]),
    });
    slots.collect()
}

/// How far the elements of one slot have come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Cell {
    slot: usize,
    ours: usize,
    theirs: usize,
}

struct Node {
    /// `None`: the end.
    cell: Option<Cell>,
    states: Set,
    next: [Option<usize>; 2],
}

struct Builder<'p> {
    acceptor: &'p Acceptor,
    own: Vec<Own>,
    nodes: Vec<Node>,
    found: HashMap<(Option<Cell>, Set), usize>,
}

impl Builder<'_> {
    /// The node at a cell, or behind everything fixed that follows it; `None` where the lifeline cannot go on.
    fn arrive(&mut self, mut cell: Cell, mut states: Set) -> Option<usize> {
        loop {
            if states.is_empty() {
                return None;
            }
            match self.own.get(cell.slot) {
                None => return Some(self.node(None, Set::default())),
                Some(Own::Fixed(symbols)) => {
                    for symbol in symbols {
                        states = self.acceptor.after(&states, *symbol);
                    }
                }
                Some(Own::Gap([ours, theirs])) if (cell.ours, cell.theirs) != (ours.len(), theirs.len()) => {
                    return Some(self.node(Some(cell), states));
                }
                Some(Own::Gap(_)) => {}
            }
            cell = Cell { slot: cell.slot + 1, ours: 0, theirs: 0 };
        }
    }

    fn node(&mut self, cell: Option<Cell>, states: Set) -> usize {
        let number = self.nodes.len();
        let known = *self.found.entry((cell, states.clone())).or_insert(number);
        if known == number {
            self.nodes.push(Node { cell, states, next: [None; 2] });
        }
        known
    }

    fn expand(&mut self, at: usize) {
        let Some(cell) = self.nodes[at].cell else { return };
        for side in Side::BOTH {
            let Some(Own::Gap(sides)) = self.own.get(cell.slot) else { continue };
            let further = match side {
                Side::Ours => Cell { ours: cell.ours + 1, ..cell },
                Side::Theirs => Cell { theirs: cell.theirs + 1, ..cell },
            };
            let come = if side == Side::Ours { cell.ours } else { cell.theirs };
            let Some(symbols) = sides[side as usize].get(come) else { continue };
            let mut states = self.nodes[at].states.clone();
            for symbol in symbols {
                states = self.acceptor.after(&states, *symbol);
            }
            let next = self.arrive(further, states);
            self.nodes[at].next[side as usize] = next;
        }
    }

    /// Successors come after their predecessors, so one pass from the end is enough.
    fn shrink(&self, start: Option<usize>) -> Thread {
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
        Thread { start: start.and_then(|start| class[start]), next }
    }
}

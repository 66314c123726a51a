//! Orders: all ways to merge two revisions of a sequence of messages (P4, section 4.2).
//!
//! What both revisions kept is fixed. Between two fixed elements lies a gap, into which each side has put some elements of
//! its own; each side's order is kept, so a merge of a gap is an interleaving, and there are (p+q)!/(p!q!) of them. A
//! lifeline with a machine accepts only some: an [`Acceptor`] reads what the lifeline receives, with sets of states.
//!
//! P4 merges lifeline by lifeline and then puts the results together "arbitrarily" (observation 4.2.2). That is not enough:
//! let our side add `p1` to x and then `p2` to y, theirs `q1` to y and then `q2` to x; if x takes only `q2 p1` and y only
//! `p2 q1`, each lifeline is content, yet `p1 < p2 < q1 < q2 < p1` is no order. So there are two stages here:
//!
//! - [`thread`]: for each lifeline alone, the smallest automaton of the interleavings that it accepts (P4's table `reach`,
//!   with what cannot end left out and what goes on alike taken together);
//! - [`graph`]: all of them along the grid of a gap. In a configuration each lifeline has one state of its automaton, so a
//!   path is exactly one merge: paths are counted exactly, and listed by how often they change sides ([`list`]).
//!
//! [`sat`] is P4's encoding for a solver, a second engine that must give the same merges.
//!
//! The first stage is polynomial for deterministic machines; the second has as many configurations per cell as there are
//! combinations of memories that lifelines keep, usually one. A bound on them is met with `None`, never with a wrong number.

pub mod allow;
pub mod graph;
pub mod list;
pub mod reach;
pub mod sat;
pub mod set;
pub mod thread;

#[cfg(test)]
mod tests;

use num_bigint::BigUint;
use sequent_kernel::id;
use sequent_kernel::id::IdVec;

pub use allow::{Name, allow};
pub use graph::Graph;
pub use list::Merges;
pub use reach::reach;
pub use set::Set;

id! {
    /// A lifeline that limits the order of messages.
    ThreadId
}
id! {
    /// Something that an acceptor can read.
    SymbolId
}

/// One of the two revisions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The version that is merged into.
    Ours,
    /// The version that is merged.
    Theirs,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::Ours, Side::Theirs];

    /// The other one.
    pub fn other(self) -> Side {
        match self {
            Side::Ours => Side::Theirs,
            Side::Theirs => Side::Ours,
        }
    }
}

/// What a lifeline can receive, in which order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acceptor {
    /// Where it may be at the beginning.
    pub start: Set,
    /// Where it may be after a symbol, for each state.
    pub moves: IdVec<SymbolId, Vec<Set>>,
}

impl Acceptor {
    /// Where it may be after a symbol.
    pub fn after(&self, states: &Set, symbol: SymbolId) -> Set {
        let mut after = Set::default();
        states.iter().for_each(|state| after.join(&self.moves[symbol][state]));
        after
    }
}

/// An element of a diagram, as the lifelines see it: the symbols that they read, in order.
pub type Item = Vec<(ThreadId, SymbolId)>;

/// A part of a merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slot {
    /// An element that has its place.
    Fixed(Item),
    /// What the sides have put between two of them.
    Gap {
        /// Our elements.
        ours: Vec<Item>,
        /// Theirs.
        theirs: Vec<Item>,
    },
}

impl Slot {
    /// How many elements it holds.
    pub fn len(&self) -> usize {
        match self {
            Slot::Fixed(_) => 1,
            Slot::Gap { ours, theirs } => ours.len() + theirs.len(),
        }
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A merge to be found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    /// The lifelines that do not accept everything.
    pub threads: IdVec<ThreadId, Acceptor>,
    /// The elements in order.
    pub slots: Vec<Slot>,
}

impl Problem {
    /// How many elements there are.
    pub fn length(&self) -> usize {
        self.slots.iter().map(Slot::len).sum()
    }

    /// Makes all elements say nothing to lifelines.
    pub fn forget(&mut self) {
        for slot in &mut self.slots {
            match slot {
                Slot::Fixed(item) => item.clear(),
                Slot::Gap { ours, theirs } => ours.iter_mut().chain(theirs).for_each(Item::clear),
            }
        }
    }

    /// How many merges there are if no lifeline limits them: the product of (p+q)!/(p!q!) over all gaps.
    pub fn count_free(&self) -> BigUint {
        let mut product = BigUint::from(1_u32);
        for slot in &self.slots {
            if let Slot::Gap { ours, theirs } = slot {
                let mut ways = BigUint::from(1_u32);
                for number in 1..=ours.len() {
                    ways = ways * (theirs.len() + number) / number;
                }
                product *= ways;
            }
        }
        product
    }

    /// Makes one element of all that a side has put into a gap.
    pub fn keep_whole(&mut self) {
        for slot in &mut self.slots {
            if let Slot::Gap { ours, theirs } = slot {
                for items in [ours, theirs] {
                    if items.len() > 1 {
                        *items = vec![items.concat()];
                    }
                }
            }
        }
    }
}

/// One merge: which side comes next, gap after gap.
pub type Order = Vec<Side>;

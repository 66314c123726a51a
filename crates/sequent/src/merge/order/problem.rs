//! The problem: fixed elements, gaps with the additions of both sides, and what the lifelines accept.

use num_bigint::BigUint;
use sequent_kernel::id;
use sequent_kernel::id::IdVec;

use super::states::StateSet;
use crate::merge::side::RevisionSide;

id! {
    /// A lifeline that limits the order of messages.
    AcceptorId
}
id! {
    /// Something that an acceptor can read.
    SymbolId
}

/// What a lifeline can receive, in which order: a nondeterministic automaton in which every state accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acceptor {
    /// The initial states.
    pub start: StateSet,
    /// The states after a symbol, for each state.
    pub moves: IdVec<SymbolId, Vec<StateSet>>,
}

impl Acceptor {
    /// Returns the states after a symbol.
    pub(in crate::merge) fn after(&self, states: &StateSet, symbol: SymbolId) -> StateSet {
        let mut after = StateSet::default();
        states.iter().for_each(|state| after.join(&self.moves[symbol][state]));
        after
    }
}

/// An element of a diagram, as the lifelines see it: the symbols that they read, in order.
pub type OrderElement = Vec<(AcceptorId, SymbolId)>;

/// The additions of both sides at one place, ours first.
pub(in crate::merge) type GapElements = [Vec<OrderElement>; 2];

/// A part of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Segment {
    /// An element with a fixed place.
    Fixed(OrderElement),
    /// The additions of both sides between two fixed elements, ours first.
    Gap([Vec<OrderElement>; 2]),
}

impl Segment {
    /// Returns the additions, if this is a gap.
    pub(in crate::merge) fn gap(&self) -> Option<&GapElements> {
        match self {
            Segment::Fixed(_) => None,
            Segment::Gap(gap) => Some(gap),
        }
    }

    /// Returns the additions for changing them, if this is a gap.
    pub(in crate::merge) fn gap_mut(&mut self) -> Option<&mut GapElements> {
        match self {
            Segment::Fixed(_) => None,
            Segment::Gap(gap) => Some(gap),
        }
    }

    fn elements_mut(&mut self) -> Vec<&mut OrderElement> {
        match self {
            Segment::Fixed(element) => vec![element],
            Segment::Gap(gap) => gap.iter_mut().flatten().collect(),
        }
    }
}

/// An addition: an element of a gap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::merge) struct Added {
    /// The index of the gap among the segments.
    pub segment: usize,
    /// The side that added it.
    pub side: RevisionSide,
    /// Its index among the additions of its side.
    pub number: usize,
}

/// Which interleavings of the additions all lifelines accept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OrderProblem {
    /// The lifelines that do not accept everything.
    pub acceptors: IdVec<AcceptorId, Acceptor>,
    /// The elements in order.
    pub segments: Vec<Segment>,
}

impl OrderProblem {
    /// Returns the number of elements.
    pub(in crate::merge) fn length(&self) -> usize {
        let count = |segment: &Segment| segment.gap().map_or(1, |[ours, theirs]| ours.len() + theirs.len());
        self.segments.iter().map(count).sum()
    }

    /// Returns the indices of the gaps among the segments.
    pub(in crate::merge) fn gaps(&self) -> Vec<usize> {
        (0..self.segments.len()).filter(|segment| self.segments[*segment].gap().is_some()).collect()
    }

    /// Returns all additions.
    pub(in crate::merge) fn added(&self) -> Vec<Added> {
        let mut all = Vec::new();
        for (segment, content) in self.segments.iter().enumerate() {
            for (side, elements) in RevisionSide::BOTH.into_iter().zip(content.gap().into_iter().flatten()) {
                all.extend((0..elements.len()).map(|number| Added { segment, side, number }));
            }
        }
        all
    }

    /// Returns the symbols of an addition.
    pub(in crate::merge) fn element(&self, added: Added) -> &OrderElement {
        match &self.segments[added.segment] {
            Segment::Fixed(element) => element,
            Segment::Gap(gap) => &gap[added.side as usize][added.number],
        }
    }

    /// Replaces what the lifelines read in all elements.
    pub(in crate::merge) fn for_each_element(&mut self, change: impl Fn(&mut OrderElement)) {
        self.segments.iter_mut().flat_map(Segment::elements_mut).for_each(change);
    }

    /// Returns the number of merges if no lifeline limits them: the product of (p+q)!/(p!q!) over all gaps.
    pub(in crate::merge) fn count_free(&self) -> BigUint {
        let mut product = BigUint::from(1_u32);
        for [ours, theirs] in self.segments.iter().filter_map(Segment::gap) {
            let ways = (1..=ours.len())
                .fold(BigUint::from(1_u32), |ways, number| ways * (theirs.len() + number) / number);
            product *= ways;
        }
        product
    }

    /// Joins all elements that a side has put into a gap.
    pub(in crate::merge) fn join_additions(&mut self) {
        let sides = self.segments.iter_mut().filter_map(Segment::gap_mut).flatten();
        sides.filter(|elements| elements.len() > 1).for_each(|elements| *elements = vec![elements.concat()]);
    }
}

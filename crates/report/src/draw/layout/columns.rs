//! Where the lifelines stand: columns, and the room everything else needs between them.
//!
//! Whatever is drawn asks for a distance between two columns; the answer is the widths of the gaps. Requests between
//! neighbours come first, then wider ones by span: what a span still lacks is shared equally by its gaps, so lifelines
//! stay evenly spread. Gaps only grow, hence every request stays satisfied.

use std::collections::BTreeMap;

use sequent_kernel::id;
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::model::LifelineId;

id! {
    /// A lifeline's place from left to right; the first and the last column are the borders of the diagram, where
    /// found and lost messages end.
    ColumnId
}

impl ColumnId {
    /// The left border.
    pub const LEFT: ColumnId = ColumnId(0);
}

/// The column of a lifeline.
pub fn column(lifeline: LifelineId) -> ColumnId {
    ColumnId::from_index(lifeline.index() + 1)
}

/// Distances asked for so far.
#[derive(Debug)]
pub(crate) struct ColumnSpacing {
    lifelines: usize,
    /// Keyed by span, then left column.
    requests: BTreeMap<(usize, ColumnId), i32>,
    /// How far things that end at a column reach beyond it, to the left and to the right.
    reach: IdVec<ColumnId, (i32, i32)>,
    /// Whether something ends at the left and the right border.
    borders: (bool, bool),
}

impl ColumnSpacing {
    /// Nothing asked yet.
    pub(crate) fn new(lifelines: usize) -> Self {
        Self {
            lifelines,
            requests: BTreeMap::new(),
            reach: (0..lifelines + 2).map(|_| (0, 0)).collect(),
            borders: (false, false),
        }
    }

    /// The left border.
    pub(crate) fn left_border(&self) -> ColumnId {
        ColumnId::from_index(0)
    }

    /// The right border.
    pub(crate) fn right_border(&self) -> ColumnId {
        ColumnId::from_index(self.lifelines + 1)
    }

    /// The first lifeline's column.
    pub(crate) fn first(&self) -> ColumnId {
        ColumnId::from_index(1)
    }

    /// The last lifeline's column.
    pub(crate) fn last(&self) -> ColumnId {
        ColumnId::from_index(self.lifelines)
    }

    /// Asks that `right` stand at least `distance` from `left`.
    pub(crate) fn request(&mut self, left: ColumnId, right: ColumnId, distance: i32) {
        debug_assert!(left < right, "columns are named from left to right");
        self.borders.0 |= left == self.left_border();
        self.borders.1 |= right == self.right_border();
        let least = self.requests.entry((right.index() - left.index(), left)).or_default();
        *least = distance.max(*least);
    }

    /// Keeps what reaches out around `extent` clear of the lifelines beside it.
    pub(crate) fn clear(&mut self, extent: Extent, clearance: i32) {
        if extent.left > self.first() {
            let neighbour = ColumnId::from_index(extent.left.index() - 1);
            self.request(neighbour, extent.left, extent.before + clearance);
        }
        if extent.right < self.last() {
            let neighbour = ColumnId::from_index(extent.right.index() + 1);
            self.request(extent.right, neighbour, extent.after + clearance);
        }
    }

    /// Something reaches this far; borders that are used lie outside of it.
    pub(crate) fn cover(&mut self, extent: Extent) {
        let left = &mut self.reach[extent.left].0;
        *left = extent.before.max(*left);
        let right = &mut self.reach[extent.right].1;
        *right = extent.after.max(*right);
    }

    /// How far things that end at a column reach beyond it, to the left and to the right.
    pub(crate) fn reach(&self, column: ColumnId) -> (i32, i32) {
        self.reach[column]
    }

    /// The positions of all columns, the left border at zero.
    pub(crate) fn solve(&mut self) -> IdVec<ColumnId, i32> {
        if self.borders.0 {
            self.request(self.left_border(), self.first(), self.reach[self.first()].0);
        }
        if self.borders.1 {
            self.request(self.last(), self.right_border(), self.reach[self.last()].1);
        }
        let mut gaps = vec![0; self.lifelines + 1];
        for ((span, left), distance) in &self.requests {
            let gaps = &mut gaps[left.index()..left.index() + span];
            let missing = distance - gaps.iter().sum::<i32>();
            if missing > 0 {
                let (share, rest) = (missing / *span as i32, missing as usize % span);
                gaps.iter_mut().enumerate().for_each(|(at, gap)| *gap += share + i32::from(at < rest));
            }
        }
        let mut x = 0;
        let others = gaps.iter().map(|gap| {
            x += gap;
            x
        });
        std::iter::once(0).chain(others).collect()
    }
}

/// How far something reaches: from a column on the left to one on the right, and beyond both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    /// The leftmost column.
    pub left: ColumnId,
    /// How far it reaches out to the left of that.
    pub before: i32,
    /// The rightmost column.
    pub right: ColumnId,
    /// How far it reaches out to the right of that.
    pub after: i32,
}

impl Extent {
    /// From one column to another, in either order, and nothing beyond.
    pub(crate) fn between(a: ColumnId, b: ColumnId) -> Self {
        Self { left: a.min(b), before: 0, right: a.max(b), after: 0 }
    }

    /// The same, reaching out further on both sides.
    pub(crate) fn grown(self, by: i32) -> Self {
        Self { before: self.before + by, after: self.after + by, ..self }
    }

    /// What encloses both.
    pub(crate) fn join(self, other: Extent) -> Self {
        let reach = |own: bool, mine: i32, both: bool, theirs: i32| match (own, both) {
            (_, true) => mine.max(theirs),
            (true, false) => mine,
            (false, false) => theirs,
        };
        Self {
            left: self.left.min(other.left),
            before: reach(self.left < other.left, self.before, self.left == other.left, other.before),
            right: self.right.max(other.right),
            after: reach(self.right > other.right, self.after, self.right == other.right, other.after),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_share_what_they_lack() {
        let at = ColumnId::from_index;
        let mut spacing = ColumnSpacing::new(4);
        spacing.request(at(1), at(2), 10);
        spacing.request(at(2), at(3), 30);
        spacing.request(at(3), at(4), 10);
        spacing.request(at(1), at(4), 80);
        assert_eq!(spacing.solve().iter().copied().collect::<Vec<_>>(), [0, 0, 20, 60, 80, 80]);
    }

    #[test]
    fn extents_join_by_their_outermost_columns() {
        let at = ColumnId::from_index;
        let a = Extent { left: at(1), before: 5, right: at(2), after: 50 };
        let b = Extent { left: at(1), before: 9, right: at(3), after: 1 };
        assert_eq!(a.join(b), Extent { left: at(1), before: 9, right: at(3), after: 1 });
    }
}

//! The lifelines that know that a message has arrived, in each way of running the choices passed so far.
//!
//! A lifeline is certainly informed if it is informed in every way, perhaps on different paths, so the ways
//! are kept apart. A way in which more lifelines know than in another is dropped: it has no race that the
//! other does not have. Too many ways are merged into one with the union of their lifelines: that can only
//! hide a race.

use crate::lint::set::IndexSet;

/// More ways are taken together.
const MOST_WAYS: usize = 8;

/// For each way the lifelines that know; without any, no way leads here.
#[derive(Clone, Debug)]
pub(super) struct RaceWays(Vec<IndexSet>);

impl RaceWays {
    /// One way, in which these know.
    pub(super) fn one(knows: IndexSet) -> Self {
        RaceWays(vec![knows])
    }

    /// No way at all.
    pub(super) fn none() -> Self {
        RaceWays(Vec::new())
    }

    pub(super) fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `told` holds for every way.
    pub(super) fn all(&self, told: impl Fn(&IndexSet) -> bool) -> bool {
        self.0.iter().all(told)
    }

    /// Changes every way by itself.
    pub(super) fn each(&mut self, change: impl FnMut(&mut IndexSet)) {
        self.0.iter_mut().for_each(change);
    }

    /// What a copy costs.
    pub(super) fn words(&self) -> usize {
        self.0.iter().map(IndexSet::words).sum()
    }

    /// These ways or those.
    pub(super) fn or(mut self, other: RaceWays) -> Self {
        for way in other.0 {
            if !self.0.iter().any(|known| known.is_subset(&way)) {
                self.0.retain(|known| !way.is_subset(known));
                self.0.push(way);
            }
        }
        if self.0.len() > MOST_WAYS { self.or_together(RaceWays::none()) } else { self }
    }

    /// The union of these ways and those, merged into one way.
    pub(super) fn or_together(self, other: RaceWays) -> Self {
        let all = self.0.into_iter().chain(other.0);
        RaceWays(all.reduce(|one, other| one.union(&other)).into_iter().collect())
    }

    /// These ways and those, both having been run.
    pub(super) fn and(self, other: &RaceWays) -> Self {
        let both = |one: &IndexSet| RaceWays(other.0.iter().map(|other| one.union(other)).collect());
        self.0.iter().map(both).fold(RaceWays::none(), RaceWays::or)
    }
}

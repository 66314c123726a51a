//! Widths: in how many ways one step may be taken.
//!
//! Under rendezvous the sends of one behaviour meet different objects at once, each of those that take it. Twelve equal sends to
//! twelve objects are 12! steps of a single state: no search comes to its end there, nor even to a point at which it could be
//! broken off. So a bound is computed beforehand, from the rules alone.

use std::collections::{BTreeMap, BTreeSet};

use super::InstanceId;
use crate::id::Id;
use crate::system::{ComponentId, Join, LabelId, System};

/// More steps than this one rule may not have in one state.
const MOST_STEPS: usize = 200_000;

/// An object with a rule that may have too many steps in one state.
pub(super) fn too_wide(system: &System) -> Option<InstanceId> {
    let mut takers: BTreeMap<LabelId, BTreeSet<ComponentId>> = BTreeMap::new();
    for rule in system.rules.iter() {
        if let Join::Take(label) = &rule.join {
            takers.entry(*label).or_default().insert(rule.component);
        }
    }
    let is_wide = |labels: &[LabelId]| {
        let mut steps: usize = 1;
        for (at, label) in labels.iter().enumerate() {
            // A receiver of one of several equal messages takes no other.
            let before = labels[..at].iter().filter(|other| *other == label).count();
            let ways = takers.get(label).map_or(0, BTreeSet::len).saturating_sub(before);
            steps = steps.saturating_mul(ways);
        }
        steps > MOST_STEPS
    };
    let wide = system.rules.iter().find(|rule| match &rule.join {
        Join::Offer(labels) => is_wide(labels),
        Join::Alone | Join::Take(_) | Join::Listen(_) => false,
    })?;
    Some(InstanceId::from_index(wide.component.index()))
}

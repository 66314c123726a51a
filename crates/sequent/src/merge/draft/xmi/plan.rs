//! What becomes of each element, and what it is part of in the merged model.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::IdVec;
use sequent_notation::xmi::lossless::NodeId;

use super::opening;
use crate::merge::elements::{UnitId, Units, is_leaf, leaf_text};
use crate::merge::side::RevisionSide;

/// What becomes of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ElementFate {
    /// It is not in the merged model.
    Gone,
    /// It is merged, part by part.
    Merged,
    /// Only this side has it, and the other deleted what this one changed or still uses: a conflict.
    Deleted(RevisionSide, &'static str),
    /// The sides moved it to different elements: a conflict at both places.
    Apart,
    /// It is a conflict with all that is in it.
    Whole(&'static str),
}

/// Elements in the merged model.
pub(super) struct MergePlan {
    pub(crate) fates: IdVec<UnitId, ElementFate>,
    /// What lies in each element.
    pub members: BTreeMap<UnitId, Vec<UnitId>>,
    parents: IdVec<UnitId, Option<UnitId>>,
}

impl MergePlan {
    /// `forced` are conflicts as a whole, `kept` must not be deleted without being told.
    pub(crate) fn new(
        units: &Units<'_>,
        forced: &BTreeMap<UnitId, &'static str>,
        kept: &BTreeSet<UnitId>,
    ) -> Self {
        let mut fates: IdVec<UnitId, ElementFate> = units.nodes.iter().map(|_| ElementFate::Gone).collect();
        let mut parents: IdVec<UnitId, Option<UnitId>> = units.nodes.iter().map(|_| None).collect();
        let all: Vec<UnitId> = units.nodes.ids().collect();
        for unit in &all {
            fates[*unit] = fate(units, *unit, kept.contains(unit));
            if let (Some(why), true) = (forced.get(unit), fates[*unit] != ElementFate::Gone) {
                fates[*unit] = ElementFate::Whole(why);
            }
            parents[*unit] = parent(units, *unit);
        }
        let mut plan = MergePlan { fates, members: BTreeMap::new(), parents };
        all.iter().for_each(|unit| plan.adopt(units, *unit));
        plan.break_circles(units, &all);
        for unit in all {
            for parent in plan.places(units, unit) {
                plan.members.entry(parent).or_default().push(unit);
            }
        }
        plan
    }

    /// What an element is part of: two places if the sides moved it apart.
    fn places(&self, units: &Units<'_>, unit: UnitId) -> BTreeSet<UnitId> {
        match self.fates[unit] {
            ElementFate::Apart => {
                RevisionSide::BOTH.iter().filter_map(|side| units.parent(unit, side.version())).collect()
            }
            ElementFate::Merged | ElementFate::Deleted(..) | ElementFate::Whole(_) => {
                self.parents[unit].into_iter().collect()
            }
            ElementFate::Gone => BTreeSet::new(),
        }
    }

    /// What a side added between two fragments that the other side put into an operand lies in the operand.
    fn adopt(&mut self, units: &Units<'_>, unit: UnitId) {
        let [ours, theirs] = RevisionSide::BOTH.map(|side| units.node(unit, side.version()));
        let side = match (units.node(unit, 0), ours, theirs) {
            (None, Some(_), None) => RevisionSide::Ours,
            (None, None, Some(_)) => RevisionSide::Theirs,
            _ => return,
        };
        let Some(node) = units.node(unit, side.version()) else { return };
        let document = &units.documents[side.version()];
        let Some(around) = document.nodes[node].parent.and_then(|parent| document.element(parent)) else {
            return;
        };
        if document.tag(node) != "fragment" {
            return;
        }
        let Some(at) = around.children.iter().position(|child| *child == node) else { return };
        let old = |child: &NodeId| {
            let sibling = units.of(side.version(), *child)?;
            let is_old = document.tag(*child) == "fragment"
                && units.node(sibling, 0).is_some()
                && units.node(sibling, side.other().version()).is_some();
            is_old.then(|| self.parents[sibling]).flatten()
        };
        let before = around.children[..at].iter().rev().find_map(old);
        let after = around.children[at..].iter().find_map(old);
        if before.is_some() && before == after {
            self.parents[unit] = before;
        }
    }

    /// Elements that would lie in each other are conflicts with all that is around them.
    fn break_circles(&mut self, units: &Units<'_>, all: &[UnitId]) {
        let mut is_safe: BTreeSet<UnitId> = BTreeSet::from([units.root()]);
        for unit in all {
            let mut path = BTreeSet::new();
            let mut at = Some(*unit);
            while let Some(next) = at.filter(|next| !is_safe.contains(next)) {
                if !path.insert(next) {
                    self.fates[units.root()] = ElementFate::Whole("the sides moved elements into each other");
                    return;
                }
                at = self.parents[next];
            }
            is_safe.extend(path);
        }
    }
}

fn fate(units: &Units<'_>, unit: UnitId, is_kept: bool) -> ElementFate {
    let [base, ours, theirs] = [0, 1, 2].map(|version| units.shape(unit, version));
    let place = |side: usize| units.parent(unit, side);
    match (base, ours, theirs) {
        (_, None, None) => ElementFate::Gone,
        (None, Some(_), None) | (None, None, Some(_)) => ElementFate::Merged,
        (Some(_), Some(_), None) => deleted(units, unit, RevisionSide::Ours, is_kept),
        (Some(_), None, Some(_)) => deleted(units, unit, RevisionSide::Theirs, is_kept),
        (_, Some(ours), Some(theirs)) => {
            let moved = [1, 2].map(|side| place(side) != place(0));
            if place(1) != place(2) && (base.is_none() || moved == [true, true]) {
                ElementFate::Apart
            } else if base.is_none() && ours != theirs {
                ElementFate::Whole("both sides added an element with this id")
            } else {
                content(units, unit)
            }
        }
    }
}

fn deleted(units: &Units<'_>, unit: UnitId, side: RevisionSide, is_kept: bool) -> ElementFate {
    let version = side.version();
    let is_changed = units.shape(unit, version) != units.shape(unit, 0);
    let is_moved = units.parent(unit, version) != units.parent(unit, 0);
    match (is_changed || is_moved, is_kept) {
        (true, _) => ElementFate::Deleted(side, "one side deleted this, the other changed it"),
        (false, true) => ElementFate::Deleted(side, "one side deleted this, the other refers to it"),
        (false, false) => ElementFate::Gone,
    }
}

/// Whether an element that both sides have can be merged part by part.
fn content(units: &Units<'_>, unit: UnitId) -> ElementFate {
    let nodes: Vec<_> = (0..3).filter_map(|version| Some((version, units.node(unit, version)?))).collect();
    if nodes.iter().any(|(version, node)| units.documents[*version].element(*node).is_none()) {
        return ElementFate::Merged;
    }
    let tags = [0, 1, 2].map(|version| {
        let node = units.node(unit, version)?;
        units.documents[version].element(node).map(|element| units.documents[version].part(&element.tag))
    });
    if opening::three(tags).is_none() {
        return ElementFate::Whole("both sides changed the tag of this");
    }
    let is_text = nodes.iter().all(|(version, node)| is_leaf(&units.documents[*version], *node));
    let texts = [0, 1, 2].map(|version| {
        let node = units.node(unit, version)?;
        Some(leaf_text(&units.documents[version], node).unwrap_or_default())
    });
    match is_text && opening::three(texts).is_none() {
        true => ElementFate::Whole("both sides changed the text of this"),
        false => ElementFate::Merged,
    }
}

/// The element around one in the merged model, if there is one place for it.
fn parent(units: &Units<'_>, unit: UnitId) -> Option<UnitId> {
    let [base, ours, theirs] = [0, 1, 2].map(|version| units.parent(unit, version));
    match (units.node(unit, 1), units.node(unit, 2)) {
        (Some(_), None) => ours,
        (None, Some(_)) => theirs,
        (Some(_), Some(_)) if ours == base => theirs,
        (Some(_), Some(_)) => ours,
        (None, None) => None,
    }
}

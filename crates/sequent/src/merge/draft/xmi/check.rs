//! The merged model, read again: whichever side is taken where they differ, no id is lost or there twice, and no reference leads nowhere.

use std::collections::{BTreeMap, BTreeSet};

use sequent_notation::xmi::lossless::XmlDocument;

use super::super::text::MergeDraft;
use super::plan::{ElementFate, MergePlan};
use crate::merge::elements::{UnitId, Units};
use crate::merge::side::RevisionSide;

/// What must be merged in another way.
#[derive(Default)]
pub(super) struct Faults {
    /// Elements that become conflicts as a whole.
    pub forced: BTreeSet<UnitId>,
    /// Elements that a side deleted and something still refers to.
    pub kept: BTreeSet<UnitId>,
}

impl Faults {
    pub(crate) fn is_empty(&self) -> bool {
        self.forced.is_empty() && self.kept.is_empty()
    }
}

/// What is wrong with a draft.
pub(super) fn faults(units: &Units<'_>, plan: &MergePlan, draft: &MergeDraft) -> Faults {
    let mut faults = Faults::default();
    let texts = RevisionSide::BOTH.map(|side| {
        let resolved = draft.resolved_for(side);
        resolved.text(&resolved.plain_order(RevisionSide::Ours))
    });
    let [Ok(ours), Ok(theirs)] = texts.each_ref().map(|text| XmlDocument::new(text)) else {
        faults.forced.insert(units.root());
        return faults;
    };
    let versions: Vec<BTreeMap<&str, usize>> = units.documents.iter().map(counts).collect();
    let count = |all: &BTreeMap<&str, usize>, id: &str| all.get(id).copied().unwrap_or(0);
    let by_id: BTreeMap<&str, UnitId> =
        units.nodes.ids().filter_map(|unit| Some((id(units, unit)?, unit))).collect();
    let merged = [counts(&ours), counts(&theirs)];
    for id in &units.ids {
        let before: Vec<usize> = versions.iter().map(|all| count(all, id)).collect();
        let most = before.iter().copied().max().unwrap_or(0);
        for (side, all) in RevisionSide::BOTH.into_iter().zip(&merged) {
            let is_twice = count(all, id) > most;
            let is_deleted = before[0] > 0 && before[side.other().version()] == 0;
            let is_lost = before[side.version()] > 0 && count(all, id) == 0 && !is_deleted;
            if is_twice || is_lost {
                let unit = by_id.get(id).copied().unwrap_or(units.root());
                faults.forced.insert(around(units, plan, unit));
            }
        }
    }
    let is_there = |id: &str| merged.iter().any(|all| count(all, id) > 0);
    let known: Vec<BTreeMap<&str, usize>> =
        units.documents.iter().zip(&versions).map(|(one, ids)| dangling(units, one, ids)).collect();
    for (document, ids) in [&ours, &theirs].into_iter().zip(&merged) {
        for (id, uses) in dangling(units, document, ids) {
            let before = known.iter().map(|all| count(all, id)).max().unwrap_or(0);
            if uses > before && !is_there(id) {
                faults.kept.extend(by_id.get(id).and_then(|unit| top(units, plan, *unit)));
            }
        }
    }
    faults
}

fn id<'d>(units: &Units<'d>, unit: UnitId) -> Option<&'d str> {
    let (version, node) = units.some(unit)?;
    units.documents[version].id(node)
}

fn counts<'d>(document: &XmlDocument<'d>) -> BTreeMap<&'d str, usize> {
    let mut counts = BTreeMap::new();
    for id in document.nodes.ids().filter_map(|node| document.id(node)) {
        *counts.entry(id).or_default() += 1;
    }
    counts
}

/// The ids of elements of some version that are referred to and not there, with the number of references.
fn dangling<'d>(
    units: &Units<'_>,
    document: &XmlDocument<'d>,
    ids: &BTreeMap<&str, usize>,
) -> BTreeMap<&'d str, usize> {
    let mut found = BTreeMap::new();
    for element in document.nodes.iter().filter_map(|node| node.element.as_ref()) {
        let references = element.attributes.iter().filter(|one| document.part(&one.name) != "name");
        for word in references.flat_map(|one| document.part(&one.value).split_whitespace()) {
            if units.ids.contains(word) && !ids.contains_key(word) {
                *found.entry(word).or_default() += 1;
            }
        }
    }
    found
}

/// The smallest element that both sides have around all places of one, and that is no conflict yet.
fn around(units: &Units<'_>, plan: &MergePlan, unit: UnitId) -> UnitId {
    let chains: Vec<Vec<UnitId>> = [1, 2]
        .into_iter()
        .filter(|version| units.node(unit, *version).is_some())
        .map(|version| units.around(unit, version))
        .collect();
    let Some((first, rest)) = chains.split_first() else { return units.root() };
    let is_fit = |one: &&UnitId| {
        [1, 2].iter().all(|version| units.node(**one, *version).is_some())
            && plan.fates[**one] == ElementFate::Merged
            && rest.iter().all(|chain| chain.contains(one))
    };
    first.iter().find(is_fit).copied().unwrap_or(units.root())
}

/// The outermost element that a side deleted around one that the other still uses.
fn top(units: &Units<'_>, plan: &MergePlan, unit: UnitId) -> Option<UnitId> {
    let version = [1, 2].into_iter().find(|version| units.node(unit, *version).is_some())?;
    let chain = units.around(unit, version);
    chain.into_iter().take_while(|one| plan.fates[*one] == ElementFate::Gone).last()
}

//! UML models in XMI: merged by the ids of their elements.
//!
//! ```text
//! elements: which elements of the versions are one -> plan: what becomes of each, and where -> compose (opening): chunks
//!   -> check: no id is lost or there twice, no reference leads nowhere; else a larger part is a conflict, and again
//! ```
//!
//! Everything is written as one of the versions has it, byte for byte. The fragments that a side added to an interaction are
//! [choices](crate::merge::threeway::MergeChoice), as messages are in other notations, so that the state machines say in which order they come.

mod check;
mod compose;
mod opening;
mod plan;

use std::collections::{BTreeMap, BTreeSet};

use sequent_notation::xmi::lossless::XmlDocument;

use self::plan::MergePlan;
use super::text::{ChunkLayout, MergeDraft};
use crate::merge::elements::{UnitId, Units, is_model};
use crate::merge::read::TextFormat;

/// The reason for a conflict about a part that cannot be merged element by element.
const TOGETHER: &str = "what both sides changed here does not fit together";

/// The reason for a conflict about an interaction that the machines refuse.
const UNFOLLOWED: &str = "the state machines cannot follow what was changed here";

/// How often a part that does not fit is made larger before the whole file is a conflict.
const MOST_ROUNDS: usize = 40;

/// Merges three versions of a model by the ids of its elements; `None` if one of them is no model that can be read. Interactions that
/// `is_followed` refuses become conflicts.
pub(super) fn draft(
    name: &str,
    texts: [&str; 3],
    format: TextFormat,
    is_followed: &mut dyn FnMut(&MergeDraft) -> bool,
) -> Option<MergeDraft> {
    if !texts.iter().all(|text| is_model(name, text)) {
        return None;
    }
    let [base, ours, theirs] = texts.map(|text| XmlDocument::new(text).ok());
    let documents = [base?, ours?, theirs?];
    let units = Units::new(&documents);
    let mut forced = BTreeMap::new();
    if units.has_paths() && units.is_changed_by_both() {
        forced.insert(units.root(), "the file refers to elements by their places, which both sides changed");
    }
    let merged = settled(&units, format, forced.clone());
    if !units.is_changed_by_both() || is_followed(&merged) {
        return Some(merged);
    }
    let diagrams = units.changed_interactions();
    let with = |units_forced: &[UnitId]| {
        let mut all = forced.clone();
        all.extend(units_forced.iter().map(|unit| (*unit, UNFOLLOWED)));
        settled(&units, format, all)
    };
    let each = diagrams.iter().map(|diagram| vec![*diagram]);
    let mut tried = each.chain([diagrams.clone()]).map(|chosen| with(&chosen));
    // Where conflicts do not help the merge stays as it is, and that is said.
    Some(tried.find(|draft| is_followed(draft)).unwrap_or(merged))
}

/// Composes until nothing is lost: what does not fit becomes a conflict with all that is around it.
fn settled(units: &Units<'_>, format: TextFormat, mut forced: BTreeMap<UnitId, &'static str>) -> MergeDraft {
    let mut kept: BTreeSet<UnitId> = BTreeSet::new();
    let mut round = 0;
    loop {
        let plan = MergePlan::new(units, &forced, &kept);
        let draft = MergeDraft {
            chunks: compose::chunks(units, &plan),
            format,
            notes: Vec::new(),
            layout: ChunkLayout::Exact,
        };
        let faults = check::faults(units, &plan, &draft);
        let is_whole = forced.contains_key(&units.root());
        if faults.is_empty() || is_whole {
            return draft;
        }
        let before = (forced.len(), kept.len());
        forced.extend(faults.forced.into_iter().map(|unit| (unit, TOGETHER)));
        kept.extend(faults.kept);
        round += 1;
        if round >= MOST_ROUNDS || before == (forced.len(), kept.len()) {
            forced.insert(units.root(), TOGETHER);
        }
    }
}

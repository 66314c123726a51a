//! Reads the merged file again: it must not have more defects than its versions explain.

use std::collections::BTreeMap;

use sequent_kernel::diagnostic::{Code, Severity};
use sequent_kernel::lint::interaction::lives;
use sequent_notation::Loader;

use super::text::MergeDraft;
use crate::merge::read::read_model;
use crate::merge::side::RevisionSide;

/// Whether a merged file has more defects than its three versions explain: blocks that do not end, bars that do not match, messages to
/// participants that do not exist yet or any more.
///
/// Conflicts are resolved for ours and for theirs. With conflicts bars may be unmatched: they count only if `is_strict`.
pub(super) fn is_worse(
    name: &str,
    versions: [&str; 3],
    draft: &MergeDraft,
    is_strict: bool,
    loader: &mut dyn Loader,
) -> bool {
    let resolved = |side| {
        let resolved = draft.resolved_for(side);
        resolved.text(&resolved.plain_order(RevisionSide::Ours))
    };
    let mut texts = RevisionSide::BOTH.map(resolved).to_vec();
    texts.dedup();
    let found: Vec<BTreeMap<Code, usize>> =
        texts.iter().map(|text| defects(name, text, is_strict, loader)).collect();
    if found.iter().all(BTreeMap::is_empty) {
        return false;
    }
    let versions = versions.map(|version| defects(name, version, is_strict, loader));
    found.into_iter().flatten().any(|(code, count)| {
        let [before, one, other] = versions.each_ref().map(|all| all.get(&code).copied().unwrap_or(0));
        count > one.max(other).max((one + other).saturating_sub(before))
    })
}

/// Counts the defects of a text by their codes.
fn defects(name: &str, text: &str, is_strict: bool, loader: &mut dyn Loader) -> BTreeMap<Code, usize> {
    let (model, mut diagnostics) = read_model(name, text, loader);
    if is_strict {
        diagnostics.extend(model.interactions.iter().flat_map(lives));
    }
    let mut counts = BTreeMap::new();
    let is_structure = |code: Code| matches!(code, Code::UnclosedBlock | Code::StrayEnd | Code::StrayElse);
    for one in diagnostics {
        if is_structure(one.code) || (is_strict && one.severity != Severity::Hint) {
            *counts.entry(one.code).or_default() += 1;
        }
    }
    counts
}

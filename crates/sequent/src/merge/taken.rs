//! What the state machines say about the sides of conflicts.
//!
//! What is outside of the conflicts was put in an order that the machines can follow with our sides. With other sides they may not: then the conflict
//! says so, since the text that is left when the markers are gone is not checked again.

use std::ops::Range;

use super::draft::MergeDraft;
use super::machines::{FileModel, Versions};
use super::options::Environment;
use super::side::RevisionSide;
use super::threeway::Chunk;

/// Mixtures of sides are tried where a diagram has at most this many conflicts.
const MOST_MIXED: usize = 6;

/// Adds to the reasons of conflicts which sides contradict the machines, with all choices in an order.
pub(super) fn judge(
    draft: &mut MergeDraft,
    order: &[RevisionSide],
    name: &str,
    environment: &Environment<'_>,
    versions: &Versions<'_>,
) {
    for (ordinal, conflicts) in by_diagram(draft, order, name, environment).into_iter().enumerate() {
        let texts =
            said(draft, order, &conflicts, &|text, side| versions.diagram_contradiction(text, side, ordinal));
        for chunk in &conflicts {
            if let Chunk::Conflict(conflict) = &mut draft.chunks[*chunk] {
                texts.iter().for_each(|text| conflict.why += &format!("; {text}"));
            }
        }
    }
}

/// Returns the chunks of the conflicts of each diagram.
fn by_diagram(
    draft: &MergeDraft,
    order: &[RevisionSide],
    name: &str,
    environment: &Environment<'_>,
) -> Vec<Vec<usize>> {
    if draft.conflicts().next().is_none() {
        return Vec::new();
    }
    let (text, placed) = draft.arranged(order, None);
    let model = FileModel::new(name, &text, environment);
    let spans = model.interactions().map(|id| model.interaction(id).place.0);
    let is_conflict = |chunk: &usize| matches!(draft.chunks[*chunk], Chunk::Conflict(_));
    // A conflict without lines of ours stands where what is before it ends.
    let at = |chunk: usize| {
        placed
            .iter()
            .take_while(|one| one.chunk <= chunk)
            .last()
            .map_or(0, |one| if one.chunk == chunk { one.range.start } else { one.range.end })
    };
    let inside = |range: Range<usize>| {
        let all = (0..draft.chunks.len()).filter(is_conflict);
        all.filter(|chunk| range.contains(&at(*chunk))).collect()
    };
    spans.map(|span| inside(span.start as usize..span.end as usize)).collect()
}

/// Returns what is to be said about taking the sides of the conflicts of one diagram.
fn said(
    draft: &MergeDraft,
    order: &[RevisionSide],
    conflicts: &[usize],
    contradiction: &dyn Fn(&str, RevisionSide) -> Option<String>,
) -> Vec<String> {
    if conflicts.is_empty() {
        return Vec::new();
    }
    let taken = |sides: &dyn Fn(usize) -> RevisionSide| {
        let mut taken = draft.clone();
        for (number, chunk) in conflicts.iter().enumerate() {
            if let (Chunk::Conflict(conflict), RevisionSide::Theirs) =
                (&mut taken.chunks[*chunk], sides(number))
            {
                conflict.sides.swap(0, 1);
            }
        }
        taken.text(order)
    };
    let everywhere = if conflicts.len() == 1 { "" } else { " everywhere" };
    let mut texts: Vec<String> = RevisionSide::BOTH
        .into_iter()
        .filter_map(|side| {
            let reason = contradiction(&taken(&|_| side), side)?;
            Some(format!("with {}{everywhere} {reason}", side.word()))
        })
        .collect();
    let is_mixed_wrong = || {
        let side = |mixture: usize, number: usize| match mixture >> number & 1 {
            0 => RevisionSide::Ours,
            _ => RevisionSide::Theirs,
        };
        (1..(1 << conflicts.len()) - 1).any(|mixture: usize| {
            let text = taken(&|number| side(mixture, number));
            RevisionSide::BOTH.into_iter().all(|side| contradiction(&text, side).is_some())
        })
    };
    if (2..=MOST_MIXED).contains(&conflicts.len()) && is_mixed_wrong() {
        texts.push("not every mixture of sides suits the state machines".to_owned());
    }
    texts
}

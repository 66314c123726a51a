//! The balance of messages: a merged diagram holds what its versions demand, counted without their trees.
//!
//! A message that both sides have, or that one side added, is there as often as it should be; one that a side deleted is not. A line
//! in a conflict counts for the side that has it.

use std::collections::{BTreeMap, BTreeSet};

use super::chunk::{Chunk, ChunkLines};
use crate::merge::read::{Piece, PieceKind, unindented};

/// How often each line is there.
type LineCounts = BTreeMap<String, usize>;

/// Whether a merged diagram holds the messages that its three versions imply.
pub(super) fn is_balanced(versions: [&[Piece]; 3], chunks: &[Chunk]) -> bool {
    let counts = versions.map(messages);
    let (least, most) = merged(chunks);
    let keys: BTreeSet<&String> = counts.iter().flat_map(BTreeMap::keys).collect();
    keys.into_iter().all(|key| {
        let count = |counts: &LineCounts| counts.get(key).copied().unwrap_or(0);
        let [before, one, other] = counts.each_ref().map(count);
        let added = [one, other].map(|now| now.saturating_sub(before));
        let deleted = [one, other].map(|now| before.saturating_sub(now));
        let needed = (before + added[0].max(added[1])).saturating_sub(deleted[0] + deleted[1]);
        let allowed = one.max(other) + added[0].min(added[1]);
        count(&most) >= needed && count(&least) <= allowed
    })
}

fn is_message(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Message | PieceKind::Return | PieceKind::Reference)
}

/// Counts the messages of a version.
fn messages(pieces: &[Piece]) -> LineCounts {
    let mut counts = LineCounts::new();
    for piece in pieces.iter().filter(|piece| is_message(piece.kind)) {
        *counts.entry(piece.key.clone()).or_default() += 1;
    }
    counts
}

/// Counts how often each line is there at least and at most, depending on how conflicts are resolved.
fn merged(chunks: &[Chunk]) -> (LineCounts, LineCounts) {
    let (mut least, mut most) = (LineCounts::new(), LineCounts::new());
    let mut see = |text: &str, is_sure: bool| {
        *most.entry(unindented(text)).or_default() += 1;
        if is_sure {
            *least.entry(unindented(text)).or_default() += 1;
        }
    };
    for chunk in chunks {
        let mut see_lines = |lines: &ChunkLines| see(&lines.text, is_message(lines.kind));
        match chunk {
            Chunk::Text(lines) => see_lines(lines),
            Chunk::Choice(choice) => {
                choice.sides.iter().flatten().flat_map(|atom| &atom.lines).for_each(see_lines);
            }
            Chunk::Conflict(conflict) => {
                conflict.sides.iter().flatten().for_each(|text| see(text, false));
            }
        }
    }
    (least, most)
}

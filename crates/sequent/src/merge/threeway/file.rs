//! Merges the sections of a file.
//!
//! Lines of prose and whole diagrams are merged as git merges lines; a diagram that all three versions have is merged as a
//! tree ([`compose`]), or line by line if its blocks do not nest or it holds the markers of an old conflict. If the result is not
//! [balanced](super::balance), the caller asks again with a part of the diagram as a conflict.

use std::ops::Range;

use super::balance::is_balanced;
use super::chunk::{Chunk, ChunkLines, is_mirrored};
use super::compose::compose;
use super::diff3::{self, Hunk, hunks};
use super::region;
use crate::merge::matching::ThreeWay;
use crate::merge::read::{BlockTree, NodeId, Piece, SectionKind, Sections, sections};
use crate::merge::side::RevisionSide;

/// A merged file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::merge) struct MergedFile {
    /// Its chunks.
    pub chunks: Vec<Chunk>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// The diagrams that were changed and have no whole conflict: their sections in the base and the pieces of these.
    pub changed: Vec<(usize, Range<usize>)>,
    /// Whether a message is not there as often as it should be, or an extent could not be made a conflict.
    pub(crate) is_unbalanced: bool,
}

/// How much of a diagram is made a conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::merge) enum ConflictExtent {
    /// All of it.
    All,
    /// The children of a node of the base between two others, the one before the range and the one after it.
    Between(NodeId, Range<usize>),
}

/// Merges three versions of a file, in pieces; `is_distinct` keeps equal additions of both sides twice, `conflicts` are extents that are not
/// merged, by section of the base, and `why` is the reason.
pub(in crate::merge) fn merge_file(
    versions: [&[Piece]; 3],
    is_distinct: bool,
    (conflicts, why): (&[(usize, ConflictExtent)], &'static str),
) -> MergedFile {
    let all = sections(versions);
    let [base, ours, theirs] = &all;
    let is_same = |old: usize, side: RevisionSide, new: usize| base.is_same(old, &all[side.version()], new);
    let is_twin = |one: usize, other: usize| ours.is_same(one, theirs, other);
    let mut merged = MergedFile::default();
    for hunk in hunks([&base.numbers, &ours.numbers, &theirs.numbers], &is_same, &is_twin) {
        match hunk {
            Hunk::Stable(places) => {
                let extent = conflicts.iter().find(|(section, _)| *section == places[0]);
                merged.section(&all, places, is_distinct, extent.map(|(_, extent)| (extent, why)));
            }
            Hunk::Changed(side, range) => {
                range.for_each(|section| merged.take(all[side.version()].of(section)));
            }
            Hunk::Conflict(ranges) => merged.conflict(&all, ranges, "both sides changed this"),
        }
    }
    merged
}

impl MergedFile {
    fn take(&mut self, pieces: &[Piece]) {
        let chunk = |piece: &Piece| Chunk::Text(ChunkLines { text: piece.text.clone(), kind: piece.kind });
        self.chunks.extend(pieces.iter().map(chunk));
    }

    fn conflict(&mut self, all: &[Sections<'_>; 3], ranges: [Range<usize>; 3], why: &str) {
        let texts = lines(all, ranges);
        self.chunks.extend(diff3::conflict(texts.each_ref().map(Vec::as_slice), why));
    }

    /// Merges a section that all versions have.
    fn section(
        &mut self,
        all: &[Sections<'_>; 3],
        places: [usize; 3],
        is_distinct: bool,
        extent: Option<(&ConflictExtent, &'static str)>,
    ) {
        let [base, ours, theirs] = all;
        let [old, own, other] = places;
        let is_alike = !is_distinct && ours.is_same(own, theirs, other);
        let range = |version: usize| all[version].list[places[version]].range.clone();
        let kind = base.list[old].kind;
        let is_kept = [base.is_same(old, theirs, other), base.is_same(old, ours, own)];
        if is_alike || is_kept == [true, true] {
            return self.take(ours.of(own));
        }
        if extent.is_none() && is_kept != [false, false] {
            self.changed.push((old, range(0)));
            return self.take(if is_kept[0] { ours.of(own) } else { theirs.of(other) });
        }
        let ranges = places.map(|place| place..place + 1);
        if let Some((ConflictExtent::All, why)) = extent {
            return self.conflict(all, ranges, why);
        }
        let tree = |version: usize| BlockTree::of(all[version].pieces, range(version));
        let composed = |order: [usize; 3]| {
            let [before, one, two] = order.map(tree);
            let mut versions = ThreeWay::new([before?, one?, two?], kind, is_distinct);
            let mut is_made = true;
            if let Some((ConflictExtent::Between(parent, children), why)) = extent {
                match region::between(&versions, *parent, children, why) {
                    Some(change) => change.apply(&mut versions),
                    None => is_made = false,
                }
            }
            Some((compose(versions), is_made))
        };
        let Some((merged, is_made)) = composed([0, 1, 2]) else {
            let texts = lines(all, ranges);
            return self.chunks.extend(diff3::merge_lines(texts.each_ref().map(Vec::as_slice)));
        };
        self.is_unbalanced |= !is_made;
        match merged {
            Some((chunks, notes)) => {
                let pieces = [0, 1, 2].map(|version| all[version].of(places[version]));
                self.is_unbalanced |= !is_balanced(pieces, &chunks);
                // A conflict is one whichever side is called ours; without one both ways must give the same.
                let is_clean = !chunks.iter().any(|chunk| matches!(chunk, Chunk::Conflict(_)));
                if kind == SectionKind::Sequence && (is_clean || extent.is_some()) {
                    let swapped = composed([0, 2, 1]).and_then(|(merged, _)| merged);
                    self.is_unbalanced |= !swapped.is_some_and(|(other, _)| is_mirrored(&chunks, &other));
                }
                self.changed.push((old, range(0)));
                self.chunks.extend(chunks);
                self.notes.extend(notes);
            }
            None => self.conflict(all, ranges, "both sides changed this"),
        }
    }
}

fn lines<'v>(all: &[Sections<'v>; 3], ranges: [Range<usize>; 3]) -> [Vec<&'v str>; 3] {
    let mut versions = all.iter();
    ranges.map(|range| versions.next().map(|version| version.lines(range)).unwrap_or_default())
}

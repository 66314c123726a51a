//! Merges the sections of a file.
//!
//! Lines of prose and whole diagrams are merged as git merges lines; a diagram that all three versions have is merged as a
//! tree ([`compose`]), or line by line if its blocks do not nest or it holds the markers of an old conflict. If the result is not
//! [balanced](super::balance), the caller asks again with a part of the diagram as a conflict.

use std::ops::Range;

use super::balance::is_balanced;
use super::chunk::{Chunk, Lines};
use super::compose::compose;
use super::diff3::{self, Hunk, hunks};
use super::region;
use crate::merge::matching::ThreeWay;
use crate::merge::read::{BlockTree, NodeId, Piece, Sections, sections};
use crate::merge::side::Side;

/// The reason for a conflict about a part that could be merged by itself.
const UNFIT: &str = "both sides changed this, and together it does not fit";

/// A merged file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::merge) struct MergedFile {
    /// Its chunks.
    pub chunks: Vec<Chunk>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// The diagrams that were merged as trees: their sections in the base and the pieces of these.
    pub composed: Vec<(usize, Range<usize>)>,
    /// Whether a message is not there as often as it should be, or an extent could not be made a conflict.
    pub is_unbalanced: bool,
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
/// merged, by section of the base.
pub(in crate::merge) fn merge_file(
    versions: [&[Piece]; 3],
    is_distinct: bool,
    conflicts: &[(usize, ConflictExtent)],
) -> MergedFile {
    let all = sections(versions);
    let [base, ours, theirs] = &all;
    let is_same = |old: usize, side: Side, new: usize| base.is_same(old, &all[side.version()], new);
    let is_twin = |one: usize, other: usize| ours.is_same(one, theirs, other);
    let mut merged = MergedFile::default();
    for hunk in hunks([&base.numbers, &ours.numbers, &theirs.numbers], &is_same, &is_twin) {
        match hunk {
            Hunk::Stable(places) => {
                let extent = conflicts.iter().find(|(section, _)| *section == places[0]);
                merged.section(&all, places, is_distinct, extent.map(|(_, extent)| extent));
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
        let chunk = |piece: &Piece| Chunk::Text(Lines { text: piece.text.clone(), kind: piece.kind });
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
        extent: Option<&ConflictExtent>,
    ) {
        let [base, ours, theirs] = all;
        let [old, own, other] = places;
        let is_alike = !is_distinct && ours.is_same(own, theirs, other);
        if is_alike || base.is_same(old, theirs, other) {
            return self.take(ours.of(own));
        }
        if base.is_same(old, ours, own) {
            return self.take(theirs.of(other));
        }
        let ranges = places.map(|place| place..place + 1);
        if extent == Some(&ConflictExtent::All) {
            return self.conflict(all, ranges, UNFIT);
        }
        let range = |version: usize| all[version].list[places[version]].range.clone();
        let tree = |version: usize| BlockTree::of(all[version].pieces, range(version));
        let (Some(before), Some(one), Some(two)) = (tree(0), tree(1), tree(2)) else {
            let texts = lines(all, ranges);
            return self.chunks.extend(diff3::merge_lines(texts.each_ref().map(Vec::as_slice)));
        };
        let mut versions = ThreeWay::new([before, one, two], base.list[old].kind, is_distinct);
        if let Some(ConflictExtent::Between(parent, children)) = extent {
            match region::between(&versions, *parent, children, UNFIT) {
                Some(change) => change.apply(&mut versions),
                None => self.is_unbalanced = true,
            }
        }
        match compose(versions) {
            Some((chunks, notes)) => {
                let pieces = [0, 1, 2].map(|version| all[version].of(places[version]));
                self.is_unbalanced |= !is_balanced(pieces, &chunks);
                self.composed.push((old, range(0)));
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

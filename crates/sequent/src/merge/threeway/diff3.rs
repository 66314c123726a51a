//! Merges lists of lines as git does (diff3): what one side changed is taken, what both changed differently is a
//! conflict, without the common lines at its beginning and end.

use std::ops::Range;

use super::chunk::{Chunk, Conflict};
use crate::merge::align::{align_equal, number_keys};
use crate::merge::side::RevisionSide;

/// A part of three lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Hunk {
    /// An element that all lists have, by its places.
    Stable([usize; 3]),
    /// The elements of one side, which alone changed them.
    Changed(RevisionSide, Range<usize>),
    /// Elements that both sides changed, by version.
    Conflict([Range<usize>; 3]),
}

/// Divides three lists into hunks; `is_same` tells whether an element of the base is unchanged in a side, `is_twin` whether elements of both
/// sides are the same.
pub(super) fn hunks(
    [base, ours, theirs]: [&[u32]; 3],
    is_same: &dyn Fn(usize, RevisionSide, usize) -> bool,
    is_twin: &dyn Fn(usize, usize) -> bool,
) -> Vec<Hunk> {
    let to = [align_equal(base, ours), align_equal(base, theirs)];
    let mut hunks = Vec::new();
    let mut from = [0, 0, 0];
    for at in 0..=base.len() {
        let here = match at < base.len() {
            false => [at, ours.len(), theirs.len()],
            true => match to.each_ref().map(|to| to[at]) {
                [Some(one), Some(other)] => [at, one, other],
                [_, _] => continue,
            },
        };
        let [old, own, others] = [0, 1, 2].map(|list| from[list]..here[list]);
        let is_kept = |side: RevisionSide, new: &Range<usize>| {
            old.len() == new.len()
                && old.clone().zip(new.clone()).all(|(one, other)| is_same(one, side, other))
        };
        let are_twins = || {
            own.len() == others.len()
                && own.clone().zip(others.clone()).all(|(one, other)| is_twin(one, other))
        };
        hunks.push(if is_kept(RevisionSide::Theirs, &others) {
            Hunk::Changed(RevisionSide::Ours, own)
        } else if is_kept(RevisionSide::Ours, &own) {
            Hunk::Changed(RevisionSide::Theirs, others)
        } else if are_twins() {
            Hunk::Changed(RevisionSide::Ours, own)
        } else {
            Hunk::Conflict([old, own, others])
        });
        if at < base.len() {
            hunks.push(Hunk::Stable(here));
        }
        from = here.map(|place| place + 1);
    }
    hunks
}

/// Merges texts line by line.
pub(in crate::merge) fn merge_lines(texts: [&[&str]; 3]) -> Vec<Chunk> {
    let [base, ours, theirs] = &number_keys(texts.map(|lines| lines.iter().copied()));
    let is_same =
        |old: usize, side: RevisionSide, new: usize| base[old] == [ours, theirs][side as usize][new];
    let is_twin = |one: usize, other: usize| ours[one] == theirs[other];
    let mut chunks = Vec::new();
    for hunk in hunks([base, ours, theirs], &is_same, &is_twin) {
        match hunk {
            Hunk::Stable([_, own, _]) => chunks.push(Chunk::line(texts[1][own])),
            Hunk::Changed(side, range) => {
                chunks.extend(texts[side.version()][range].iter().map(|line| Chunk::line(line)));
            }
            Hunk::Conflict([old, own, others]) => {
                let all = [&texts[0][old], &texts[1][own], &texts[2][others]];
                chunks.extend(conflict(all, "both sides changed this"));
            }
        }
    }
    chunks
}

/// Returns a conflict of lines, and the common lines of both sides before and after it.
pub(super) fn conflict([base, ours, theirs]: [&[&str]; 3], why: &str) -> Vec<Chunk> {
    let first = ours.iter().zip(theirs).take_while(|(one, other)| one == other).count();
    let (own, others) = (&ours[first..], &theirs[first..]);
    let last = own.iter().rev().zip(others.iter().rev()).take_while(|(one, other)| one == other).count();
    let text = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<String>>();
    let sides = [own, others].map(|lines| text(&lines[..lines.len() - last]));
    let mut chunks: Vec<Chunk> = ours[..first].iter().map(|line| Chunk::line(line)).collect();
    if sides.iter().any(|lines| !lines.is_empty()) {
        chunks.push(Chunk::Conflict(Conflict { sides, base: text(base), why: why.to_owned() }));
    }
    chunks.extend(own[own.len() - last..].iter().map(|line| Chunk::line(line)));
    chunks
}

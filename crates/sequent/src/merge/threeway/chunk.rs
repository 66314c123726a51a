//! Chunks: the parts of a merged file.

use crate::merge::read::{PieceKind, unindented};
use crate::merge::side::{Interleaving, RevisionSide};

/// A part of a merged file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Chunk {
    /// Merged lines.
    Text(ChunkLines),
    /// Additions at one place of a sequence diagram; if both sides have some their order is open.
    Choice(MergeChoice),
    /// A conflict.
    Conflict(Conflict),
}

/// Lines that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChunkLines {
    /// The lines, without the last line break.
    pub text: String,
    /// What they are.
    pub kind: PieceKind,
}

impl Chunk {
    /// Returns a merged line of prose.
    pub(in crate::merge) fn line(text: &str) -> Self {
        Chunk::Text(ChunkLines { text: text.to_owned(), kind: PieceKind::Line })
    }
}

/// An event with its comments, notes and bars, which stay together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ChunkAtom {
    /// Its lines.
    pub lines: Vec<ChunkLines>,
    /// Whether it holds something of the base: a message that was moved here, or what a new block was drawn around.
    pub is_old: bool,
}

/// The additions of the sides at the same place; one side may have none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MergeChoice {
    /// The additions of each side in its order, ours first.
    pub sides: [Vec<ChunkAtom>; 2],
}

impl MergeChoice {
    /// Whether both sides have additions, so that there may be several orders.
    pub(in crate::merge) fn is_open(&self) -> bool {
        self.sides.iter().all(|atoms| !atoms.is_empty())
    }

    /// Returns the number of atoms of both sides.
    pub(in crate::merge) fn count(&self) -> usize {
        self.sides.iter().map(Vec::len).sum()
    }

    /// Returns the order in which all atoms of one side precede all of the other.
    pub(in crate::merge) fn plain_order(&self, first: RevisionSide) -> Interleaving {
        [first, first.other()]
            .into_iter()
            .flat_map(|side| vec![side; self.sides[side as usize].len()])
            .collect()
    }

    /// Returns the atoms in an order.
    pub(in crate::merge) fn arranged<'c>(
        &'c self,
        order: &'c [RevisionSide],
    ) -> impl Iterator<Item = (RevisionSide, &'c ChunkAtom)> {
        let mut own = self.sides.each_ref().map(|atoms| atoms.iter());
        order.iter().filter_map(move |side| own[*side as usize].next().map(|atom| (*side, atom)))
    }
}

/// Returns chunks with the lines of additions of one side alone in place of their choices.
pub(super) fn settled(chunks: Vec<Chunk>) -> Vec<Chunk> {
    let settle = |chunk: Chunk| match chunk {
        Chunk::Choice(choice) if !choice.is_open() => {
            choice.sides.into_iter().flatten().flat_map(|atom| atom.lines).map(Chunk::Text).collect()
        }
        Chunk::Text(_) | Chunk::Choice(_) | Chunk::Conflict(_) => vec![chunk],
    };
    chunks.into_iter().flat_map(settle).collect()
}

/// Whether two merges hold the same events in the same order, if the second was made with ours and theirs swapped.
pub(super) fn is_mirrored(one: &[Chunk], other: &[Chunk]) -> bool {
    let events = |lines: &[ChunkLines]| -> Vec<String> {
        let is_event = |lines: &&ChunkLines| {
            lines.kind.is_event() || matches!(lines.kind, PieceKind::Divide | PieceKind::Close)
        };
        lines.iter().filter(is_event).map(|lines| unindented(&lines.text)).collect()
    };
    let seen = |chunks: &[Chunk], is_swapped: bool| -> Vec<[Vec<String>; 2]> {
        let mut seen: Vec<[Vec<String>; 2]> = Vec::new();
        for chunk in chunks {
            let mut sides = match chunk {
                Chunk::Text(lines) => [events(std::slice::from_ref(lines)), Vec::new()],
                Chunk::Choice(choice) => choice
                    .sides
                    .each_ref()
                    .map(|atoms| atoms.iter().flat_map(|atom| events(&atom.lines)).collect::<Vec<String>>()),
                Chunk::Conflict(conflict) => conflict
                    .sides
                    .each_ref()
                    .map(|lines| lines.iter().map(|line| unindented(line)).collect::<Vec<String>>()),
            };
            if is_swapped && !matches!(chunk, Chunk::Text(_)) {
                sides.swap(0, 1);
            }
            seen.extend(sides.iter().any(|lines| !lines.is_empty()).then_some(sides));
        }
        seen
    };
    seen(one, false) == seen(other, true)
}

/// A conflict: lines of which one side's must be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The lines of each side, ours first.
    pub sides: [Vec<String>; 2],
    /// The lines of the base.
    pub base: Vec<String>,
    /// The reason.
    pub why: String,
}

/// Joins adjacent conflicts with the same reason in which the same side has no lines.
pub(super) fn join_conflicts(chunks: Vec<Chunk>) -> Vec<Chunk> {
    let mut joined: Vec<Chunk> = Vec::new();
    for chunk in chunks {
        match (joined.last_mut(), chunk) {
            (Some(Chunk::Conflict(last)), Chunk::Conflict(next)) if last.continues_in(&next) => {
                last.sides.iter_mut().zip(next.sides).for_each(|(own, more)| own.extend(more));
                last.base.extend(next.base);
            }
            (_, chunk) => joined.push(chunk),
        }
    }
    joined
}

impl Conflict {
    fn continues_in(&self, next: &Conflict) -> bool {
        let mut sides = self.sides.iter().zip(&next.sides);
        sides.any(|(one, other)| one.is_empty() && other.is_empty()) && self.why == next.why
    }
}

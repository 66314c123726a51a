//! Chunks: the parts of a merged file.

use crate::merge::read::PieceKind;
use crate::merge::side::{Interleaving, Side};

/// A part of a merged file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chunk {
    /// Merged lines.
    Text(Lines),
    /// Additions of both sides at the same place of a sequence diagram; their order is open.
    Choice(Choice),
    /// A conflict.
    Conflict(Conflict),
}

/// Lines that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    /// The lines, without the last line break.
    pub text: String,
    /// What they are.
    pub kind: PieceKind,
}

impl Chunk {
    /// Returns a merged line of prose.
    pub(in crate::merge) fn line(text: &str) -> Self {
        Chunk::Text(Lines { text: text.to_owned(), kind: PieceKind::Line })
    }
}

/// An event with its comments, notes and bars, which stay together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Atom(pub Vec<Lines>);

/// The additions of both sides at the same place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The additions of each side in its order, ours first.
    pub sides: [Vec<Atom>; 2],
}

impl Choice {
    /// Returns the number of atoms of both sides.
    pub(in crate::merge) fn count(&self) -> usize {
        self.sides.iter().map(Vec::len).sum()
    }

    /// Returns the order in which all atoms of one side precede all of the other.
    pub(in crate::merge) fn plain_order(&self, first: Side) -> Interleaving {
        [first, first.other()]
            .into_iter()
            .flat_map(|side| vec![side; self.sides[side as usize].len()])
            .collect()
    }

    /// Returns the atoms in an order.
    pub(in crate::merge) fn arranged<'c>(
        &'c self,
        order: &'c [Side],
    ) -> impl Iterator<Item = (Side, &'c Atom)> {
        let mut own = self.sides.each_ref().map(|atoms| atoms.iter());
        order.iter().filter_map(move |side| own[*side as usize].next().map(|atom| (*side, atom)))
    }
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

//! Weaving: three versions of a file become one, piece by piece.
//!
//! Pieces that both sides kept divide the file into chunks. In a chunk that only one side changed that side's version is
//! taken; prose that both changed is a conflict, as git would have it. In a diagram the chunk is looked at piece by piece: a piece
//! deleted by one side and kept by the other goes, one that was edited by one side is taken as edited, and what was added
//! stays ([`gap`]). Conflicts are pieces edited in two ways, edited here and deleted there, blocks deleted
//! here and changed inside there, pieces moved to two places, and diagrams that both sides began at the same place.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::align::{Alignment, align};
use super::gap;
use super::moves::{Moves, indentation, indented, shifted};
use super::order::Side;
use super::piece::{Piece, Word, Zone};
use super::slot::{Conflict, Element, Origin, Slot};

/// The three versions, in pieces.
pub struct Versions<'v> {
    /// The common ancestor.
    pub base: &'v [Piece],
    /// The revisions, ours first.
    pub sides: [&'v [Piece]; 2],
}

/// Weaves three versions; `is_distinct` keeps even additions apart that are the same on both sides.
pub fn weave(versions: &Versions<'_>, is_distinct: bool) -> Vec<Slot> {
    let mut to = versions.sides.map(|side| align(versions.base, side));
    let mut tangled: BTreeSet<usize> = BTreeSet::new();
    loop {
        let mut weaver = Weaver::new(versions, to, is_distinct, tangled);
        weaver.run();
        let crossing = gap::crossing(&weaver.slots);
        let diagram = crossing.and_then(|block| weaver.diagram(block));
        // Blocks that cross each other cannot be merged piece by piece; each round adds a diagram.
        match diagram {
            Some(diagram) if !weaver.tangled.contains(&diagram) => {
                (to, tangled) = (weaver.to, weaver.tangled);
                tangled.insert(diagram);
            }
            Some(_) | None => return weaver.slots,
        }
    }
}

pub(super) struct Weaver<'v> {
    pub(super) base: &'v [Piece],
    pub(super) sides: [&'v [Piece]; 2],
    /// Where the pieces of the base are in each side.
    pub(super) to: [Alignment; 2],
    /// The other way round.
    pub(super) from: [Vec<Option<usize>>; 2],
    pub(super) is_distinct: bool,
    /// Diagrams of each side of which nothing was there before.
    is_new: [BTreeSet<usize>; 2],
    /// Diagrams of the base that are taken as a whole.
    tangled: BTreeSet<usize>,
    /// Blocks of theirs that we added too, by their first pieces.
    pub(super) twins: BTreeMap<usize, usize>,
    pub(super) slots: Vec<Slot>,
    pub(super) moved: Moves,
    /// The next piece of each side.
    pub(super) at: [usize; 2],
}

impl<'v> Weaver<'v> {
    fn new(versions: &Versions<'v>, to: [Alignment; 2], is_distinct: bool, tangled: BTreeSet<usize>) -> Self {
        let from = [0, 1].map(|side| {
            let mut from = vec![None; versions.sides[side].len()];
            let pairs = to[side].iter().enumerate().filter_map(|(old, new)| new.map(|new| (old, new)));
            pairs.for_each(|(old, new)| from[new] = Some(old));
            from
        });
        let is_new = [0, 1].map(|side: usize| {
            let pieces = versions.sides[side].iter().zip(&from[side]);
            let kept: BTreeSet<usize> = pieces
                .clone()
                .filter(|(_, old)| old.is_some())
                .filter_map(|(piece, _)| piece.diagram)
                .collect();
            pieces.filter_map(|(piece, _)| piece.diagram).filter(|diagram| !kept.contains(diagram)).collect()
        });
        let mut weaver = Weaver {
            is_new,
            base: versions.base,
            sides: versions.sides,
            to,
            from,
            is_distinct,
            tangled,
            twins: BTreeMap::new(),
            slots: Vec::new(),
            moved: Moves::default(),
            at: [0, 0],
        };
        weaver.find_moves();
        weaver
    }

    fn run(&mut self) {
        let mut start = 0;
        for at in 0..=self.base.len() {
            let places = match at < self.base.len() {
                true => match self.kept(at) {
                    Some(places) => places,
                    None => continue,
                },
                false => self.sides.map(<[Piece]>::len),
            };
            self.chunk(start..at, places);
            if at < self.base.len() {
                let element = self.fixed(at, places.map(Some));
                self.slots.push(Slot::Text(element));
                self.at = places.map(|place| place + 1);
            }
            start = at + 1;
        }
    }

    /// The places of a piece that both sides kept as it is.
    fn kept(&self, at: usize) -> Option<[usize; 2]> {
        if self.is_tangled(&self.base[at]) {
            return None;
        }
        let place = |side: Side| {
            let place = self.to[side as usize][at]?;
            self.sides[side as usize][place].is_same(&self.base[at]).then_some(place)
        };
        Some([place(Side::Ours)?, place(Side::Theirs)?])
    }

    /// Whether a piece of the base is in a diagram that is taken as a whole.
    fn is_tangled(&self, piece: &Piece) -> bool {
        piece.diagram.is_some_and(|diagram| self.tangled.contains(&diagram))
    }

    /// Whether pieces of a side begin a diagram, or belong to several.
    fn crosses(&self, side: Side, range: &Range<usize>) -> bool {
        let pieces = &self.sides[side as usize][range.clone()];
        let diagrams: BTreeSet<Option<usize>> = pieces.iter().map(|piece| piece.diagram).collect();
        diagrams.len() > 1
            || diagrams.iter().flatten().any(|diagram| self.is_new[side as usize].contains(diagram))
    }

    /// The diagram of the base in which a block is, or would be.
    fn diagram(&self, block: Origin) -> Option<usize> {
        match block {
            Origin::Base(at) => self.base[at].diagram,
            Origin::Side(side, at) => {
                let pieces = self.sides[side as usize];
                let own = pieces.iter().enumerate().filter(|(_, piece)| piece.diagram == pieces[at].diagram);
                let mut olds = own.filter_map(|(place, _)| self.from[side as usize][place]);
                olds.find_map(|old| self.base[old].diagram)
            }
        }
    }

    fn chunk(&mut self, old: Range<usize>, ends: [usize; 2]) {
        let ranges = [0, 1].map(|side| self.at[side]..ends[side]);
        let is_changed = Side::BOTH.map(|side| self.is_changed(side, &old, &ranges[side as usize]));
        if is_changed == [true, true] {
            let [ours, theirs] = &ranges;
            let pieces =
                || ours.clone().map(|at| &self.sides[0][at]).zip(theirs.clone().map(|at| &self.sides[1][at]));
            // The same change on both sides is one change.
            if !self.is_distinct
                && ours.len() == theirs.len()
                && pieces().all(|(one, other)| one.is_same(other))
            {
                let elements: Vec<Slot> =
                    ours.clone().map(|at| Slot::Text(self.added(Side::Ours, at))).collect();
                self.slots.extend(elements);
                return;
            }
            let all = self.base[old.clone()].iter();
            let mut all = all.chain(&self.sides[0][ours.clone()]).chain(&self.sides[1][theirs.clone()]);
            let is_tangled = self.base[old.clone()].iter().any(|piece| self.is_tangled(piece))
                || Side::BOTH.into_iter().any(|side| self.crosses(side, &ranges[side as usize]));
            if is_tangled || all.any(|piece| piece.zone == Zone::Prose) {
                return self.disagreement(old, ranges, "both sides changed this");
            }
        }
        self.pieces(old, ends);
    }

    pub(super) fn is_changed(&self, side: Side, old: &Range<usize>, new: &Range<usize>) -> bool {
        let is_kept = |(old, new): (usize, usize)| self.sides[side as usize][new].is_same(&self.base[old]);
        old.len() != new.len() || !old.clone().zip(new.clone()).all(is_kept)
    }

    /// A chunk of a diagram, or one that only one side changed.
    fn pieces(&mut self, old: Range<usize>, ends: [usize; 2]) {
        let mut added: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
        let mut at = old.start;
        while at < old.end {
            for side in Side::BOTH {
                let until = self.place_or_next(side, at, old.end, ends[side as usize]);
                added[side as usize].extend(self.at[side as usize]..until);
                self.at[side as usize] = until;
            }
            if let Some((section, side)) = self.lost_block(at, old.end) {
                self.gap(&mut added);
                self.block_conflict(section.clone(), side);
                at = section.end;
                continue;
            }
            let slot = self.resolve(at);
            for side in Side::BOTH {
                if self.to[side as usize][at].is_some() {
                    self.at[side as usize] += 1;
                }
            }
            if let Some(slot) = slot {
                self.gap(&mut added);
                self.slots.push(slot);
            }
            at += 1;
        }
        for side in Side::BOTH {
            added[side as usize].extend(self.at[side as usize]..ends[side as usize]);
            self.at[side as usize] = ends[side as usize];
        }
        self.gap(&mut added);
    }

    /// Where a piece of the base is, or the next one that a side kept.
    fn place_or_next(&self, side: Side, at: usize, end: usize, last: usize) -> usize {
        self.to[side as usize][at..end].iter().flatten().next().copied().unwrap_or(last)
    }

    /// What becomes of a piece of the base; `None` if it goes.
    fn resolve(&self, at: usize) -> Option<Slot> {
        let places = [0, 1].map(|side| self.to[side][at]);
        let base = &self.base[at];
        let side_piece = |side: usize| places[side].map(|place| &self.sides[side][place]);
        let is_edited = [0, 1].map(|side| side_piece(side).is_some_and(|piece| !piece.is_same(base)));
        let lines = |side: usize| side_piece(side).map(|piece| piece.text.clone()).into_iter().collect();
        let conflict = |why: &str| {
            let base = vec![base.text.clone()];
            Some(Slot::Conflict(Conflict { ours: lines(0), base, theirs: lines(1), why: why.to_owned() }))
        };
        match (places, is_edited) {
            ([Some(_), Some(_)], [true, true]) => match side_piece(0).zip(side_piece(1)) {
                Some((ours, theirs)) if !ours.is_same(theirs) => conflict("both sides changed this"),
                Some(_) | None => Some(Slot::Text(self.fixed(at, places))),
            },
            ([Some(_), Some(_)], _) => Some(Slot::Text(self.fixed(at, places))),
            ([None, Some(_)], [_, true]) if !self.is_moved(Side::Ours, at) => {
                conflict("our side deleted this, theirs changed it")
            }
            ([Some(_), None], [true, _]) if !self.is_moved(Side::Theirs, at) => {
                conflict("our side changed this, theirs deleted it")
            }
            ([None, _], _) | ([_, None], _) => None,
        }
    }

    /// A piece of the base, as the side that changed it has it.
    fn fixed(&self, at: usize, places: [Option<usize>; 2]) -> Element {
        let base = &self.base[at];
        let pieces = [0, 1].map(|side| places[side].map_or(base, |place| &self.sides[side][place]));
        let [ours, theirs] = pieces;
        let is_moved = pieces.map(|piece| indentation(&piece.text) != indentation(&base.text));
        // Indentation changed on both sides is no disagreement.
        let text = match pieces.map(|piece| piece.is_same(base)) {
            [true, false] if is_moved[0] => indented(&theirs.text, &ours.text),
            [true, false] => theirs.text.clone(),
            [false, true] if is_moved[1] => indented(&ours.text, &theirs.text),
            [false, _] => ours.text.clone(),
            [true, true] if ours.text == base.text => theirs.text.clone(),
            [true, true] => ours.text.clone(),
        };
        let first = if base.word == Word::Open { Some(at) } else { base.mate };
        let block = first.map(Origin::Base);
        Element { text, word: base.word, block, side: None }
    }

    /// A piece that a side added.
    pub(super) fn added(&self, side: Side, at: usize) -> Element {
        let piece = &self.sides[side as usize][at];
        let first = if piece.word == Word::Open { Some(at) } else { piece.mate };
        let block = first.map(|first| match self.from[side as usize][first] {
            Some(old) => Origin::Base(old),
            None if side == Side::Theirs => match self.twins.get(&first) {
                Some(own) => Origin::Side(Side::Ours, *own),
                None => Origin::Side(side, first),
            },
            None => Origin::Side(side, first),
        });
        let edited = self.moved.edited.get(&(side, at));
        let text = shifted(edited.unwrap_or(&piece.text), self.shift(side, at));
        Element { text, word: piece.word, block, side: Some(side) }
    }
}

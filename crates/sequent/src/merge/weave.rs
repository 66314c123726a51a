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

/// What became of three versions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Woven {
    /// The merged file.
    pub slots: Vec<Slot>,
    /// What should be known besides, in words.
    pub notes: Vec<String>,
}

/// Weaves three versions; `is_distinct` keeps even additions apart that are the same on both sides.
pub fn weave(versions: &Versions<'_>, is_distinct: bool) -> Woven {
    let mut to = versions.sides.map(|side| align(versions.base, side));
    let mut tangled: BTreeSet<usize> = BTreeSet::new();
    for round in 0.. {
        let mut weaver = Weaver::new(versions, to, is_distinct, tangled);
        weaver.run();
        let Some(blocks) = gap::crossing(&weaver.slots) else { return weaver.woven() };
        // Blocks that cross each other cannot be merged piece by piece; each round adds pieces, at last those of a whole diagram.
        let more = match round < MOST_ROUNDS {
            true => weaver.around(&blocks),
            false => weaver.diagram(&blocks),
        };
        let is_stuck = round >= MOST_ROUNDS && more.clone().all(|at| weaver.tangled.contains(&at));
        if is_stuck {
            return weaver.woven();
        }
        (to, tangled) = (weaver.to, weaver.tangled);
        tangled.extend(more);
    }
    Woven::default()
}

/// So often only the blocks themselves are taken as a whole.
const MOST_ROUNDS: usize = 8;

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
    /// Pieces of the base that are taken together with their neighbours as a whole.
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

    fn woven(self) -> Woven {
        let notes = self.undeleted();
        Woven { slots: self.slots, notes }
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
        if self.tangled.contains(&at) {
            return None;
        }
        let place = |side: Side| {
            let place = self.to[side as usize][at]?;
            self.sides[side as usize][place].is_same(&self.base[at]).then_some(place)
        };
        Some([place(Side::Ours)?, place(Side::Theirs)?])
    }

    /// Whether pieces of a side begin a diagram, or belong to several.
    fn crosses(&self, side: Side, range: &Range<usize>) -> bool {
        let pieces = &self.sides[side as usize][range.clone()];
        let diagrams: BTreeSet<Option<usize>> = pieces.iter().map(|piece| piece.diagram).collect();
        diagrams.len() > 1
            || diagrams.iter().flatten().any(|diagram| self.is_new[side as usize].contains(diagram))
    }

    /// The pieces of the base that stand in some blocks, or between them.
    fn around(&self, blocks: &[Origin]) -> Range<usize> {
        let mut inside: Vec<usize> = Vec::new();
        for block in blocks {
            match block {
                Origin::Base(at) => inside.extend([*at, self.base[*at].mate.unwrap_or(*at)]),
                Origin::Side(side, at) => {
                    let last = self.sides[*side as usize][*at].mate.unwrap_or(*at);
                    inside.extend(self.from[*side as usize][*at..=last.max(*at)].iter().flatten());
                }
            }
        }
        match (inside.iter().min(), inside.iter().max()) {
            (Some(first), Some(last)) => *first..last + 1,
            (_, _) => 0..0,
        }
    }

    /// The pieces of the diagrams of the base in which some blocks are, or would be.
    fn diagram(&self, blocks: &[Origin]) -> Range<usize> {
        let number = blocks.iter().find_map(|block| match block {
            Origin::Base(at) => self.base[*at].diagram,
            Origin::Side(side, at) => {
                let pieces = self.sides[*side as usize];
                let own = pieces.iter().enumerate().filter(|(_, piece)| piece.diagram == pieces[*at].diagram);
                let mut olds = own.filter_map(|(place, _)| self.from[*side as usize][place]);
                olds.find_map(|old| self.base[old].diagram)
            }
        });
        let is_own = |piece: &Piece| number.is_some() && piece.diagram == number;
        let first = self.base.iter().position(is_own).unwrap_or(0);
        first..self.base.iter().rposition(is_own).map_or(first, |last| last + 1)
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
            if old.clone().any(|at| self.tangled.contains(&at)) {
                return self.disagreement(old, ranges, "both sides changed this, and blocks cross");
            }
            let is_tangled = Side::BOTH.into_iter().any(|side| self.crosses(side, &ranges[side as usize]));
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
            let slots = self.resolve(at);
            for side in Side::BOTH {
                if self.to[side as usize][at].is_some() {
                    self.at[side as usize] += 1;
                }
            }
            if !slots.is_empty() {
                self.gap(&mut added);
                self.slots.extend(slots);
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

    /// What becomes of a piece of the base; nothing if it goes.
    fn resolve(&self, at: usize) -> Vec<Slot> {
        let places = [0, 1].map(|side| self.to[side][at]);
        let base = &self.base[at];
        let side_piece = |side: usize| places[side].map(|place| &self.sides[side][place]);
        let is_edited = [0, 1].map(|side| side_piece(side).is_some_and(|piece| !piece.is_same(base)));
        let lines = |side: usize| side_piece(side).map(|piece| piece.text.clone()).into_iter().collect();
        let conflict = |why: &str| {
            let base = vec![base.text.clone()];
            vec![Slot::Conflict(Conflict { ours: lines(0), base, theirs: lines(1), why: why.to_owned() })]
        };
        match (places, is_edited) {
            ([Some(_), Some(_)], [true, true]) => match side_piece(0).zip(side_piece(1)) {
                Some((ours, theirs)) if !ours.is_same(theirs) && base.text.contains('\n') => {
                    self.line_by_line(at, [ours, theirs])
                }
                Some((ours, theirs)) if !ours.is_same(theirs) => conflict("both sides changed this"),
                Some(_) | None => vec![Slot::Text(self.fixed(at, places))],
            },
            ([Some(_), Some(_)], _) => vec![Slot::Text(self.fixed(at, places))],
            ([None, Some(_)], [_, true]) if !self.is_moved(Side::Ours, at) => {
                conflict("our side deleted this, theirs changed it")
            }
            ([Some(_), None], [true, _]) if !self.is_moved(Side::Theirs, at) => {
                conflict("our side changed this, theirs deleted it")
            }
            ([None, _], _) | ([_, None], _) => Vec::new(),
        }
    }

    /// A statement of several lines that both sides changed is merged as prose is.
    fn line_by_line(&self, at: usize, sides: [&Piece; 2]) -> Vec<Slot> {
        let cut = |piece: &Piece| piece.text.split('\n').map(Piece::line).collect::<Vec<Piece>>();
        let (base, [ours, theirs]) = (cut(&self.base[at]), sides.map(cut));
        let slots = weave(&Versions { base: &base, sides: [&ours, &theirs] }, false).slots;
        let is_line = |slot: &Slot| matches!(slot, Slot::Text(_));
        if !slots.iter().all(is_line) {
            return slots;
        }
        let lines = slots.iter().filter_map(|slot| match slot {
            Slot::Text(element) => Some(element.text.as_str()),
            Slot::Choice(_) | Slot::Conflict(_) => None,
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        let places = [0, 1].map(|side| self.to[side][at]);
        vec![Slot::Text(Element { text, ..self.fixed(at, places) })]
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

//! Composition: a merged diagram, from the trees of its three versions.

use super::gap::{self, Part};
use super::indent::{fixed, shifted};
use super::kin::{Family, KinId, Trio, version};
use super::lines;
use super::nest::{BACK, FRONT, Nest, Trouble, nest};
use super::order::Side;
use super::piece::{Piece, Word, Zone};
use super::region;
use super::row::{Spot, rows};
use super::slot::{self, Conflict, Element, Slot};
use super::tree::Kind;

/// So often a stretch is taken as a whole; then the whole diagram is.
const MOST_ROUNDS: usize = 60;

/// A merged diagram and what should be known besides; `None` if it cannot be merged node by node.
pub fn compose(mut trio: Trio<'_>) -> Option<(Vec<Slot>, Vec<String>)> {
    for _ in 0..MOST_ROUNDS {
        let family = Family::of(&trio);
        let found = nest(&trio, &family).and_then(|nest| {
            let rows = rows(&trio, &family, &nest)?;
            let composer = Composer { trio: &trio, family: &family, nest: &nest, rows: &rows };
            let slots = composer.row(0)?;
            Ok((slot::joined(slots), [composer.undeleted(), composer.bared()].concat()))
        });
        match found {
            Ok(found) => return Some(found),
            Err(trouble) if !region::settle(&mut trio, &family, &trouble) => return None,
            Err(_) => {}
        }
    }
    None
}

pub(super) struct Composer<'c, 'v> {
    pub(super) trio: &'c Trio<'v>,
    pub(super) family: &'c Family,
    pub(super) nest: &'c Nest,
    rows: &'c [Vec<Spot>],
}

impl<'v> Composer<'_, 'v> {
    fn row(&self, kin: KinId) -> Result<Vec<Slot>, Trouble> {
        let mut slots = Vec::new();
        let is_block = self.family.kins[kin].kind == Kind::Block;
        for (number, spot) in self.rows[kin].iter().enumerate() {
            match spot {
                Spot::Kin(inner) => slots.extend(self.whole(*inner)?),
                Spot::Gap(sides) if is_block || self.trio.zone == Zone::Set => {
                    slots.extend(self.plain(sides)?);
                }
                Spot::Gap([ours, theirs]) => {
                    let [ours, theirs] = [self.parts(ours)?, self.parts(theirs)?];
                    slots.extend(gap::fill(ours, theirs, self.trio.is_distinct));
                }
            }
            if is_block && number == 0 {
                self.begins(kin, spot)?;
            }
        }
        Ok(slots)
    }

    /// Additions whose order says nothing: ours, then theirs that are not the same.
    fn plain(&self, [ours, theirs]: &[Vec<KinId>; 2]) -> Result<Vec<Slot>, Trouble> {
        let mut all: Vec<Vec<Slot>> = Vec::new();
        for kin in ours {
            all.push(self.whole(*kin)?);
        }
        for kin in theirs {
            let slots = self.whole(*kin)?;
            let is_empty = self.family.kins[*kin].word == Word::Blank;
            if self.trio.is_distinct || is_empty || !all[..ours.len()].contains(&slots) {
                all.push(slots);
            }
        }
        Ok(all.into_iter().flatten().collect())
    }

    /// The first operand of a block has no line of its own, every other has one.
    fn begins(&self, block: KinId, first: &Spot) -> Result<(), Trouble> {
        let operands: Vec<KinId> = self.rows[block]
            .iter()
            .flat_map(|spot| match spot {
                Spot::Kin(kin) => vec![*kin],
                Spot::Gap(sides) => sides.concat(),
            })
            .collect();
        let is_first = |kin: &KinId| {
            self.family.kins[*kin].kind == Kind::Operand && self.line(*kin).is_some_and(|line| line.is_none())
        };
        let count = operands.iter().filter(|kin| is_first(kin)).count();
        let is_sound = match first {
            Spot::Kin(kin) => is_first(kin),
            Spot::Gap(sides) => sides.iter().flatten().next().is_some_and(is_first),
        };
        match is_sound && count == 1 {
            true => Ok(()),
            false => Err(Trouble::Tie(vec![block], "both sides changed the operands of this block")),
        }
    }

    /// The line of an operand that counts: that of whoever changed it; `None` where both did.
    fn line(&self, kin: KinId) -> Option<Option<&'v Piece>> {
        let nodes = self.family.kins[kin].nodes;
        let [base, ours, theirs] =
            [0, 1, 2].map(|version| nodes[version].map(|node| self.trio.line(version, node)));
        let is_same = |one: Option<&Piece>, other: Option<&Piece>| match (one, other) {
            (None, None) => true,
            (Some(one), Some(other)) => one.is_same(other),
            (_, _) => false,
        };
        match (base, ours, theirs) {
            (Some(base), Some(ours), Some(theirs)) => match (is_same(base, ours), is_same(base, theirs)) {
                (true, _) => Some(theirs),
                (false, true) => Some(ours),
                (false, false) if ours.is_some() && theirs.is_some() => Some(ours),
                (false, false) => None,
            },
            (_, Some(line), _) | (_, None, Some(line)) => Some(line),
            (_, None, None) => None,
        }
    }

    fn parts(&self, kins: &[KinId]) -> Result<Vec<Part>, Trouble> {
        let mut parts = Vec::new();
        for kin in kins {
            let known = &self.family.kins[*kin];
            let at = (0..3).rev().find_map(|version| Some((version, known.nodes[version]?)));
            let piece = at.and_then(|(version, node)| self.trio.line(version, node));
            parts.push(Part {
                slots: self.whole(*kin)?,
                word: known.word,
                is_new: known.nodes[0].is_none(),
                is_shared: known.nodes[0].is_none() && known.nodes.iter().flatten().count() == 2,
                is_answer: piece.is_some_and(|piece| piece.is_answer),
                subject: piece.map(|piece| piece.subject.clone()).unwrap_or_default(),
            });
        }
        Ok(parts)
    }

    /// A kin with all that is bound to it and stands in it.
    fn whole(&self, kin: KinId) -> Result<Vec<Slot>, Trouble> {
        let known = &self.family.kins[kin];
        if let Some(side) = known.deleter().filter(|_| known.kind == Kind::Leaf) {
            let is_changed = self.family.is_edited(self.trio, kin, side.other())
                || self.nest.bound[BACK].contains_key(&kin);
            if is_changed {
                return Ok(self.rescued(kin, side));
            }
        }
        let mut slots = self.bound(kin, FRONT);
        match known.kind {
            Kind::Leaf => slots.extend(self.statement(kin)),
            Kind::Knot => slots.extend(self.knot(kin)),
            Kind::Root => slots.extend(self.row(kin)?),
            Kind::Operand => {
                if self.line(kin) != Some(None) {
                    slots.extend(self.statement(kin));
                }
                slots.extend(self.row(kin)?);
            }
            Kind::Block => {
                slots.extend(self.statement(kin));
                slots.extend(self.row(kin)?);
                slots.push(self.end(kin));
            }
        }
        slots.extend(self.bound(kin, BACK));
        Ok(slots)
    }

    /// Lines that the sides added to a kin: once what is the same.
    fn bound(&self, kin: KinId, place: usize) -> Vec<Slot> {
        let all = self.nest.bound[place].get(&kin).map(Vec::as_slice).unwrap_or_default();
        let own = |side: Side| -> Vec<KinId> {
            all.iter().copied().filter(|kin| self.family.kins[*kin].adder() == Some(side)).collect()
        };
        let key = |kin: &KinId, version: usize| {
            self.family.kins[*kin].nodes[version]
                .and_then(|node| self.trio.line(version, node))
                .map(|piece| &piece.key)
        };
        let (ours, theirs) = (own(Side::Ours), own(Side::Theirs));
        let is_known =
            |other: &&KinId| !self.trio.is_distinct && ours.iter().any(|one| key(one, 1) == key(other, 2));
        let others = theirs.iter().filter(|kin| !is_known(kin));
        ours.iter().chain(others).flat_map(|kin| self.statement(*kin)).collect()
    }

    /// The first lines of a kin, by version.
    pub(super) fn pieces(&self, kin: KinId) -> [Option<&'v Piece>; 3] {
        let nodes = self.family.kins[kin].nodes;
        [0, 1, 2].map(|version| nodes[version].and_then(|node| self.trio.line(version, node)))
    }

    /// A line that both sides may have changed.
    fn statement(&self, kin: KinId) -> Vec<Slot> {
        let [base, ours, theirs] = self.pieces(kin);
        let text = |text: String| vec![Slot::Text(Element { text, word: self.family.kins[kin].word })];
        let own = |piece: Option<&Piece>| piece.map(|piece| piece.text.clone()).into_iter().collect();
        let conflict = |why: String| {
            vec![Slot::Conflict(Conflict { ours: own(ours), base: own(base), theirs: own(theirs), why })]
        };
        match (base, ours, theirs) {
            (Some(base), Some(ours), Some(theirs)) => {
                let is_apart = !ours.is_same(base) && !theirs.is_same(base) && !ours.is_same(theirs);
                match is_apart {
                    true if base.text.contains('\n') => self.line_by_line(kin, [base, ours, theirs]),
                    true => conflict("both sides changed this".to_owned()),
                    false => text(fixed(base, ours, theirs)),
                }
            }
            (None, Some(ours), Some(theirs)) if !ours.is_same(theirs) => {
                conflict(match self.family.kins[kin].word {
                    Word::Participant => format!("both sides declare `{}`, differently", ours.subject),
                    _ => "both sides added this, differently".to_owned(),
                })
            }
            (None, Some(_), None) if self.is_contested(kin, Side::Ours) => {
                conflict("both sides moved this, theirs to another place".to_owned())
            }
            (None, None, Some(_)) if self.is_contested(kin, Side::Theirs) => {
                conflict("both sides moved this, ours to another place".to_owned())
            }
            (Some(_), Some(one), None) | (Some(_), None, Some(one)) => text(one.text.clone()),
            (None, Some(_), _) => text(self.added(kin, Side::Ours)),
            (None, None, Some(_)) => text(self.added(kin, Side::Theirs)),
            (_, None, None) => Vec::new(),
        }
    }

    fn is_contested(&self, kin: KinId, side: Side) -> bool {
        let node = self.family.kins[kin].nodes[version(side)];
        node.is_some_and(|node| self.trio.contested[side as usize].contains(&node))
    }

    /// A statement of several lines that both sides changed is merged as prose is.
    fn line_by_line(&self, kin: KinId, pieces: [&Piece; 3]) -> Vec<Slot> {
        let cut = pieces.map(|piece| piece.text.split('\n').collect::<Vec<&str>>());
        let slots = lines::merge(cut.each_ref().map(Vec::as_slice));
        let mut text: Vec<&str> = Vec::new();
        for slot in &slots {
            match slot {
                Slot::Text(element) => text.push(&element.text),
                Slot::Choice(_) | Slot::Conflict(_) => return slots,
            }
        }
        vec![Slot::Text(Element { text: text.join("\n"), word: self.family.kins[kin].word })]
    }

    /// What one side deleted and the other changed, or added something to.
    fn rescued(&self, kin: KinId, side: Side) -> Vec<Slot> {
        let (own, other) = (version(side), version(side.other()));
        let Some(node) = self.family.kins[kin].nodes[other] else { return Vec::new() };
        let mut changed: Vec<String> = Vec::new();
        let bound = |place: usize| {
            let all = self.nest.bound[place].get(&kin).map(Vec::as_slice).unwrap_or_default();
            let lines = all.iter().filter_map(|kin| self.pieces(*kin)[other]);
            lines.map(|piece| piece.text.clone()).collect::<Vec<String>>()
        };
        changed.extend(bound(FRONT));
        changed.extend(self.trio.text(other, node).into_iter().map(str::to_owned));
        changed.extend(bound(BACK));
        let (ours, theirs, why) = match own {
            1 => (Vec::new(), changed, "our side deleted this, theirs changed it"),
            _ => (changed, Vec::new(), "our side changed this, theirs deleted it"),
        };
        let base = self.pieces(kin)[0].map(|piece| piece.text.clone()).into_iter().collect();
        vec![Slot::Conflict(Conflict { ours, base, theirs, why: why.to_owned() })]
    }

    fn knot(&self, kin: KinId) -> Vec<Slot> {
        let known = &self.family.kins[kin];
        let texts = [0, 1, 2].map(|version| {
            known.nodes[version].map(|node| self.trio.text(version, node)).unwrap_or_default()
        });
        let reason = known.nodes[0].and_then(|node| self.trio.reasons.get(&node).copied());
        let why = reason.unwrap_or(match known.deleter() {
            Some(Side::Ours) => "our side deleted this block, theirs changed it",
            Some(Side::Theirs) => "our side changed this block, theirs deleted it",
            None => "both sides changed this",
        });
        lines::apart(texts.each_ref().map(Vec::as_slice), why)
    }

    /// The last line of a block.
    fn end(&self, kin: KinId) -> Slot {
        let nodes = self.family.kins[kin].nodes;
        let piece = |version: usize| {
            let last = self.trio.trees[version].nodes[nodes[version]?].last?;
            Some(&self.trio.pieces[version][last])
        };
        let text = match [piece(0), piece(1), piece(2)] {
            [Some(base), Some(ours), Some(theirs)] => fixed(base, ours, theirs),
            [_, Some(_), _] => self.moved_in(kin, Side::Ours, piece(1)),
            [_, None, _] => self.moved_in(kin, Side::Theirs, piece(2)),
        };
        Slot::Text(Element { text, word: Word::Close })
    }

    fn moved_in(&self, kin: KinId, side: Side, piece: Option<&Piece>) -> String {
        piece.map(|piece| shifted(&piece.text, self.shift(kin, side))).unwrap_or_default()
    }

    fn added(&self, kin: KinId, side: Side) -> String {
        self.moved_in(kin, side, self.pieces(kin)[version(side)])
    }

    /// What one side added to a block that the other took away: it stays without the block, but not silently.
    fn bared(&self) -> Vec<String> {
        let mut told = Vec::new();
        for (kin, known) in self.family.kins.iter().enumerate() {
            let Some(side) = known.adder().filter(|_| known.word.is_event()) else { continue };
            let Some(outer) = self.family.parent(self.trio, kin, version(side)) else { continue };
            let is_gone = self.family.kins[outer].nodes[0].is_some() && !self.nest.is_there[outer];
            let block = self.family.parent(self.trio, outer, version(side)).filter(|_| is_gone);
            let block = block.and_then(|block| self.pieces(block)[version(side)]);
            if let (Some(block), Some(piece)) = (block, self.pieces(kin)[version(side)]) {
                let who = match side {
                    Side::Ours => "our side added it there, theirs took the block away",
                    Side::Theirs => "their side added it there, ours took the block away",
                };
                told.push(format!(
                    "`{}` stands outside of `{}`: {who}",
                    piece.text.trim(),
                    block.text.trim()
                ));
            }
        }
        told
    }

    /// What one side moved and the other deleted: it stays, but not silently.
    fn undeleted(&self) -> Vec<String> {
        let mut told = Vec::new();
        for (kin, known) in self.family.kins.iter().enumerate() {
            let Some(side) = known.deleter().filter(|_| self.nest.is_there[kin] && known.kind == Kind::Leaf)
            else {
                continue;
            };
            let is_told = !self.family.is_edited(self.trio, kin, side.other())
                && !self.nest.bound[BACK].contains_key(&kin);
            if let Some(piece) = self.pieces(kin)[0].filter(|_| is_told) {
                let who = match (side, known.word) {
                    (Side::Theirs, Word::Participant) => "their side deleted it, ours speaks of it",
                    (Side::Ours, Word::Participant) => "our side deleted it, theirs speaks of it",
                    (Side::Theirs, _) => "their side deleted it, ours moved it",
                    (Side::Ours, _) => "our side deleted it, theirs moved it",
                };
                told.push(format!("`{}` stays: {who}", piece.text.trim()));
            }
        }
        told
    }
}

//! Disagreements: stretches that both sides changed, and blocks that one side deleted while the other changed them.

use std::ops::Range;

use sequent_notation::tree::lossless::Role;

use super::order::Side;
use super::piece::{Piece, Word, Zone};
use super::slot::{Conflict, Slot};
use super::weave::Weaver;

impl Weaver<'_> {
    /// A conflict, without what both sides have in common at its beginning and end.
    pub(super) fn disagreement(&mut self, old: Range<usize>, [ours, theirs]: [Range<usize>; 2], why: &str) {
        let is_same = |one: usize, other: usize| self.sides[0][one].is_same(&self.sides[1][other]);
        let shorter = ours.len().min(theirs.len());
        let first =
            (0..shorter).take_while(|number| is_same(ours.start + number, theirs.start + number)).count();
        let rest = shorter - first;
        let last = (1..=rest).take_while(|number| is_same(ours.end - number, theirs.end - number)).count();
        let (own, others) = (
            &self.sides[0][ours.start + first..ours.end - last],
            &self.sides[1][theirs.start + first..theirs.end - last],
        );
        // Empty lines of a diagram are nothing to disagree about.
        let is_empty = |piece: &Piece| piece.word == Word::Blank && piece.zone != Zone::Prose;
        if own.iter().chain(others).all(is_empty) {
            let all: Vec<Slot> = ours.map(|at| Slot::Text(self.added(Side::Ours, at))).collect();
            return self.slots.extend(all);
        }
        let text = |pieces: &[Piece]| pieces.iter().map(|piece| piece.text.clone()).collect();
        let conflict = Conflict {
            ours: text(own),
            base: text(&self.base[old]),
            theirs: text(others),
            why: why.to_owned(),
        };
        let common =
            |range: Range<usize>| range.map(|at| Slot::Text(self.added(Side::Ours, at))).collect::<Vec<_>>();
        let (before, after) = (common(ours.start..ours.start + first), common(ours.end - last..ours.end));
        self.slots.extend(before);
        self.slots.push(Slot::Conflict(conflict));
        self.slots.extend(after);
    }

    /// A block, or a part of one, that begins here, that one side deleted with all it holds while the other changed it.
    pub(super) fn lost_block(&self, at: usize, end: usize) -> Option<(Range<usize>, Side)> {
        let section = at..self.section_end(at)?;
        if section.end > end {
            return None;
        }
        let is_gone = |side: Side| self.to[side as usize][section.clone()].iter().all(Option::is_none);
        let side = Side::BOTH.into_iter().find(|side| is_gone(*side))?;
        let other = side.other();
        let range = self.counterpart(other, &section)?;
        (self.is_changed(other, &section, &range)).then_some((section, side))
    }

    /// Where the block or operand that begins with a piece of the base ends.
    pub(super) fn section_end(&self, at: usize) -> Option<usize> {
        match self.base[at].word.role() {
            Role::Open => Some(self.base[at].mate? + 1),
            Role::Divide => {
                let first = self.base[at].mate?;
                let last = self.base[first].mate?;
                (at + 1..=last).find(|next| self.base[*next].mate == Some(first))
            }
            Role::Plain | Role::Close => None,
        }
    }

    /// The pieces of a side from the first of a section to its end.
    pub(super) fn counterpart(&self, side: Side, section: &Range<usize>) -> Option<Range<usize>> {
        let to = &self.to[side as usize];
        let start = to[section.start]?;
        let end = match self.base[section.start].word == Word::Open {
            true => to[section.end - 1]? + 1,
            false => to[section.end]?,
        };
        (start <= end).then_some(start..end)
    }

    pub(super) fn block_conflict(&mut self, section: Range<usize>, side: Side) {
        let other = side.other();
        let range = self.counterpart(other, &section).expect("it was found before");
        let text =
            |pieces: &[Piece]| -> Vec<String> { pieces.iter().map(|piece| piece.text.clone()).collect() };
        let changed = text(&self.sides[other as usize][range.clone()]);
        let (ours, theirs, why) = match side {
            Side::Ours => (Vec::new(), changed, "our side deleted this block, theirs changed it"),
            Side::Theirs => (changed, Vec::new(), "our side changed this block, theirs deleted it"),
        };
        let base = text(&self.base[section]);
        self.slots.push(Slot::Conflict(Conflict { ours, base, theirs, why: why.to_owned() }));
        self.at[other as usize] = range.end;
    }
}

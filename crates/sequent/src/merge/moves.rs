//! Moves: pieces that one side put elsewhere, and lines that it put further to the right.
//!
//! A moved message is deleted at one place and added at another; only that it is the same tells that the other side's edit belongs to the new place,
//! and that a message which both sides moved must not be there twice.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::order::Side;
use super::piece::{Piece, Word, Zone};
use super::weave::Weaver;

/// Pieces that one side moved.
#[derive(Default)]
pub(super) struct Moves {
    /// Pieces of a side that stand for a piece of the base from elsewhere.
    from: [HashMap<usize, usize>; 2],
    /// Texts of pieces that the other side edited.
    pub(super) edited: HashMap<(Side, usize), String>,
    /// Pieces of theirs that we moved too, and where to.
    contested: BTreeMap<usize, usize>,
}

impl Weaver<'_> {
    /// A piece that is gone from its place and stands, unchanged and only once, somewhere else was moved.
    pub(super) fn find_moves(&mut self) {
        for side in Side::BOTH {
            let number = side as usize;
            let mut news: HashMap<&str, Vec<usize>> = HashMap::new();
            for (at, piece) in self.sides[number].iter().enumerate() {
                if self.from[number][at].is_none() && is_movable(piece) {
                    news.entry(&piece.key).or_default().push(at);
                }
            }
            let mut olds: HashMap<&str, Vec<usize>> = HashMap::new();
            for (at, piece) in self.base.iter().enumerate() {
                if self.to[number][at].is_none() && is_movable(piece) {
                    olds.entry(&piece.key).or_default().push(at);
                }
            }
            for (key, old) in olds {
                if let ([old], Some([new])) = (old.as_slice(), news.get(key).map(Vec::as_slice)) {
                    self.moved.from[number].insert(*new, *old);
                }
            }
        }
        let [ours, theirs] = &self.moved.from;
        let places: HashMap<usize, usize> = ours.iter().map(|(new, old)| (*old, *new)).collect();
        let both = theirs.iter().filter_map(|(new, old)| places.get(old).map(|place| (*new, *place)));
        self.moved.contested = both.collect();
        for side in Side::BOTH {
            let other = side.other();
            for (new, old) in &self.moved.from[side as usize] {
                let edited = self.to[other as usize][*old].map(|at| &self.sides[other as usize][at]);
                if let Some(edited) = edited.filter(|piece| !piece.is_same(&self.base[*old])) {
                    let text = indented(&edited.text, &self.sides[side as usize][*new].text);
                    self.moved.edited.insert((side, *new), text);
                }
            }
        }
    }

    /// What one side moved and the other deleted: it stays, but not silently.
    pub(super) fn undeleted(&self) -> Vec<String> {
        let mut told: Vec<(usize, String)> = Vec::new();
        for side in Side::BOTH {
            for old in self.moved.from[side as usize].values() {
                let is_gone =
                    self.to[side.other() as usize][*old].is_none() && !self.is_moved(side.other(), *old);
                if is_gone {
                    let text = self.base[*old].text.trim();
                    let who = match side {
                        Side::Ours => "their side deleted it, ours moved it",
                        Side::Theirs => "our side deleted it, theirs moved it",
                    };
                    told.push((*old, format!("`{text}` stays: {who}")));
                }
            }
        }
        told.sort();
        told.into_iter().map(|(_, note)| note).collect()
    }

    pub(super) fn is_moved(&self, side: Side, at: usize) -> bool {
        self.moved.from[side as usize].values().any(|old| *old == at)
    }

    /// Whether a piece was moved by its side and edited by the other.
    pub(super) fn is_rewritten(&self, side: Side, at: usize) -> bool {
        self.moved.edited.contains_key(&(side, at))
    }

    /// Whether a piece of theirs was moved by us too, to a place that is not among these.
    pub(super) fn is_contested(&self, theirs: usize, ours: &BTreeSet<usize>) -> Option<bool> {
        self.moved.contested.get(&theirs).map(|place| !ours.contains(place))
    }

    /// How much further to the right the other side has put what stands before a piece.
    pub(super) fn shift(&self, side: Side, at: usize) -> isize {
        let pieces = self.sides[side as usize];
        let is_near =
            |place: &usize| pieces[*place].diagram == pieces[at].diagram && pieces[at].zone != Zone::Prose;
        let known = (0..at).rev().take_while(is_near).find_map(|place| {
            let old = self.from[side as usize][place]?;
            (self.base[old].word != Word::Blank).then_some((place, old))
        });
        let other = side.other() as usize;
        let moved = known.and_then(|(place, old)| {
            let new = &self.sides[other][self.to[other][old]?].text;
            let is_own = indentation(&pieces[place].text) != indentation(&self.base[old].text);
            (!is_own).then(|| indentation(new) as isize - indentation(&self.base[old].text) as isize)
        });
        moved.unwrap_or(0)
    }
}

/// Whether a piece could be recognised elsewhere.
fn is_movable(piece: &Piece) -> bool {
    piece.zone == Zone::Sequence
        && matches!(piece.word, Word::Message | Word::Reference | Word::Participant | Word::Note)
}

pub(super) fn indentation(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// A text with all its lines moved to the right, or to the left as far as they can be.
pub(super) fn shifted(text: &str, by: isize) -> String {
    let line = |line: &str| match usize::try_from(by) {
        Ok(_) if line.is_empty() => String::new(),
        Ok(more) => format!("{}{line}", " ".repeat(more)),
        Err(_) => {
            let less = by.unsigned_abs().min(line.len() - line.trim_start().len());
            line.get(less..).unwrap_or(line).to_owned()
        }
    };
    if by == 0 { text.to_owned() } else { text.split('\n').map(line).collect::<Vec<_>>().join("\n") }
}

/// A text with the indentation of another one.
pub(super) fn indented(text: &str, like: &str) -> String {
    let indentation = &like[..like.len() - like.trim_start().len()];
    let own = text.len() - text.trim_start().len();
    let lines = text.lines().map(|line| {
        let cut = line.len() - line.trim_start().len();
        format!("{indentation}{}", &line[cut.min(own)..])
    });
    lines.collect::<Vec<_>>().join("\n")
}

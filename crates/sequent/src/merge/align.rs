//! Alignment: which piece of one version is which piece of the other.
//!
//! The pieces at the beginning and at the end that are the same are the same. In between the alignment is the one of
//! greatest weight among those that cross nowhere: what is the same weighs more than what is merely alike, what says
//! something more than an empty line or the end of a block. So a version that only adds is matched piece by piece. The
//! first and the last line of a block are matched together or not at all.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::piece::{Piece, Word, Zone};
use super::shortest;

/// For each piece of the old version its place in the new one.
pub type Alignment = Vec<Option<usize>>;

/// Tables are not larger than this; longer stretches are first divided at lines that occur once.
const MOST_CELLS: usize = 1_000_000;

/// Moved pieces are looked for so often.
const MOST_ROUNDS: usize = 8;

/// Aligns two versions.
pub fn align(old: &[Piece], new: &[Piece]) -> Alignment {
    let mut moved = Moved::default();
    let mut alignment = vec![None; old.len()];
    for _ in 0..MOST_ROUNDS {
        alignment = vec![None; old.len()];
        let mut window = Window { old, new, moved: &moved, found: &mut alignment };
        window.run(0..old.len(), 0..new.len(), 0);
        if !moved.find(old, new, &alignment) {
            break;
        }
    }
    moved.old.iter().for_each(|at| {
        alignment[*at] = alignment[*at].filter(|place| new[*place].is_same(&old[*at]));
    });
    slide(old, new, &mut alignment);
    pair_blocks(old, new, &mut alignment);
    alignment
}

/// Of pieces that say the same, one after the other, the last is the one that was deleted or added: so it is the same one on
/// both sides. Only one that was replaced stays where it is, as git has it.
fn slide(old: &[Piece], new: &[Piece], alignment: &mut Alignment) {
    // The first place after the last piece that is there.
    let mut next = 0;
    for at in 1..old.len() {
        next = alignment[at - 1].map_or(next, |place| place + 1);
        let is_replaced = alignment[at].is_none_or(|place| place > next);
        let is_twin = old[at].mate.is_none() && old[at - 1].is_same(&old[at]);
        if alignment[at - 1].is_none()
            && is_twin
            && !is_replaced
            && alignment[at].is_some_and(|place| new[place].is_same(&old[at]))
        {
            alignment.swap(at - 1, at);
        }
    }
    let mut from: Vec<Option<usize>> = vec![None; new.len()];
    alignment.iter().enumerate().for_each(|(at, place)| {
        if let Some(place) = place {
            from[*place] = Some(at);
        }
    });
    let mut next = 0;
    for at in 1..new.len() {
        next = from[at - 1].map_or(next, |place| place + 1);
        let is_replaced = from[at].is_none_or(|place| place > next);
        let is_twin = new[at].mate.is_none() && new[at - 1].is_same(&new[at]);
        let known = from[at].filter(|known| old[*known].is_same(&new[at]));
        if let (None, true, false, Some(known)) = (from[at - 1], is_twin, is_replaced, known) {
            from.swap(at - 1, at);
            alignment[known] = Some(at - 1);
        }
    }
}

/// Pieces that stand unchanged elsewhere: they were moved there, and what took their place is no edited version of them.
#[derive(Default)]
struct Moved {
    old: HashSet<usize>,
    new: HashSet<usize>,
}

impl Moved {
    /// Finds pieces that are matched with something else although they are there; whether there are any.
    fn find(&mut self, old: &[Piece], new: &[Piece], alignment: &Alignment) -> bool {
        let taken: HashSet<usize> = alignment.iter().flatten().copied().collect();
        let mut loose: HashMap<(&str, Word), usize> = HashMap::new();
        let free =
            new.iter().enumerate().filter(|(at, piece)| !taken.contains(at) && piece.word != Word::Blank);
        free.for_each(|(at, piece)| {
            loose.insert((&piece.key, piece.word), at);
        });
        let mut is_more = false;
        for (at, piece) in old.iter().enumerate() {
            let is_edited = alignment[at].is_some_and(|place| !new[place].is_same(piece));
            let there = loose.get(&(piece.key.as_str(), piece.word)).filter(|_| is_edited);
            if let Some(place) = there {
                is_more |= self.old.insert(at) | self.new.insert(*place);
            }
        }
        is_more
    }
}

struct Window<'w> {
    old: &'w [Piece],
    new: &'w [Piece],
    moved: &'w Moved,
    found: &'w mut Alignment,
}

/// How often a stretch is divided.
const MOST_DEPTH: usize = 64;

impl<'w> Window<'w> {
    fn run(&mut self, mut old: Range<usize>, mut new: Range<usize>, depth: usize) {
        while !old.is_empty() && !new.is_empty() && self.old[old.start].is_same(&self.new[new.start]) {
            self.found[old.start] = Some(new.start);
            (old.start, new.start) = (old.start + 1, new.start + 1);
        }
        while !old.is_empty() && !new.is_empty() && self.old[old.end - 1].is_same(&self.new[new.end - 1]) {
            (old.end, new.end) = (old.end - 1, new.end - 1);
            self.found[old.end] = Some(new.end);
        }
        if old.is_empty() || new.is_empty() {
            return;
        }
        let is_prose = |pieces: &[Piece]| pieces.iter().all(|piece| piece.zone == Zone::Prose);
        if is_prose(&self.old[old.clone()]) && is_prose(&self.new[new.clone()]) {
            // Lines are taken as git takes them.
            let pairs = self.shortest(&old, &new);
            if !pairs.is_empty() {
                return pairs.into_iter().for_each(|(one, other)| self.found[one] = Some(other));
            }
        }
        if old.len().saturating_mul(new.len()) <= MOST_CELLS {
            return self.table(old, new);
        }
        if depth == MOST_DEPTH {
            return;
        }
        let mut anchors = self.anchors(&old, &new);
        if anchors.is_empty() {
            anchors = self.shortest(&old, &new);
        }
        if anchors.is_empty() {
            return self.parts(old, new, depth);
        }
        let (mut from_old, mut from_new) = (old.start, new.start);
        for (at_old, at_new) in anchors {
            self.found[at_old] = Some(at_new);
            self.run(from_old..at_old, from_new..at_new, depth + 1);
            (from_old, from_new) = (at_old + 1, at_new + 1);
        }
        self.run(from_old..old.end, from_new..new.end, depth + 1);
    }

    /// Two long stretches without any line in common: what stands at about the same place is compared.
    fn parts(&mut self, old: Range<usize>, new: Range<usize>, depth: usize) {
        let count = 1 + old.len().max(new.len()) * 2 / 1_000;
        let part = |range: &Range<usize>, number: usize| {
            let at = |number: usize| range.start + range.len() * number / count;
            at(number)..at(number + 1)
        };
        (0..count).for_each(|number| self.run(part(&old, number), part(&new, number), depth + 1));
    }

    /// The alignment of greatest weight; the earliest of equals.
    fn table(&mut self, old: Range<usize>, new: Range<usize>) {
        let width = new.len() + 1;
        let mut best = vec![0_u32; (old.len() + 1) * width];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                let weight = self.weight(old.start + i, new.start + j);
                let taken = if weight > 0 { weight + best[(i + 1) * width + j + 1] } else { 0 };
                best[i * width + j] = taken.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < old.len() && j < new.len() {
            let here = best[i * width + j];
            let weight = self.weight(old.start + i, new.start + j);
            if weight > 0 && here == weight + best[(i + 1) * width + j + 1] {
                self.found[old.start + i] = Some(new.start + j);
                (i, j) = (i + 1, j + 1);
            } else if here == best[i * width + j + 1] {
                j += 1;
            } else {
                i += 1;
            }
        }
    }

    /// What it is worth to take two pieces as one; 0 if they cannot be.
    fn weight(&self, old: usize, new: usize) -> u32 {
        let is_moved = self.moved.old.contains(&old) || self.moved.new.contains(&new);
        match is_moved && !self.old[old].is_same(&self.new[new]) {
            true => 0,
            false => weight((self.old, old), (self.new, new)),
        }
    }

    /// Pieces that stay along a shortest way from one version to the other.
    fn shortest(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        let mut numbers: HashMap<(Zone, Word, &str), u32> = HashMap::new();
        let mut number = |piece: &'w Piece| {
            let fresh = numbers.len() as u32;
            *numbers.entry((piece.zone, piece.word, &piece.key)).or_insert(fresh)
        };
        let before: Vec<u32> = self.old[old.clone()].iter().map(&mut number).collect();
        let after: Vec<u32> = self.new[new.clone()].iter().map(&mut number).collect();
        let pairs = shortest::common(&before, &after, MOST_EDITS).unwrap_or_default();
        pairs.into_iter().map(|(one, other)| (old.start + one, new.start + other)).collect()
    }

    /// Pieces that occur once on both sides, as many as follow each other in the same order.
    fn anchors(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        let once = |pieces: &[Piece], range: &Range<usize>| {
            let mut seen: HashMap<String, Option<usize>> = HashMap::new();
            for at in range.clone() {
                let entry = seen.entry(pieces[at].key.clone());
                entry.and_modify(|place| *place = None).or_insert(Some(at));
            }
            seen
        };
        let (ours, theirs) = (once(self.old, old), once(self.new, new));
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (key, at) in &ours {
            if let (Some(one), Some(Some(other))) = (at, theirs.get(key)) {
                if self.old[*one].is_same(&self.new[*other]) {
                    pairs.push((*one, *other));
                }
            }
        }
        pairs.sort_unstable();
        longest(&pairs)
    }
}

/// Versions that differ by more than this are not compared step by step.
const MOST_EDITS: usize = 3_000;

/// The longest part of the pairs in which both numbers ascend.
fn longest(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (number, (_, place)) in pairs.iter().enumerate() {
        let at = ends.partition_point(|end| pairs[*end].1 < *place);
        before[number] = at.checked_sub(1).map(|at| ends[at]);
        match ends.get_mut(at) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut chain: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    chain.reverse();
    chain
}

/// What it is worth to take two pieces as one; 0 if they cannot be.
fn weight((olds, old): (&[Piece], usize), (news, new): (&[Piece], usize)) -> u32 {
    let (one, other) = (&olds[old], &news[new]);
    if one.is_same(other) {
        return match one.word {
            Word::Blank => 1,
            Word::Close => {
                let own = one.mate.map(|mate| olds[mate].key.as_str());
                if own == other.mate.map(|mate| news[mate].key.as_str()) { 6 } else { 2 }
            }
            Word::Divide => 8,
            Word::Line
            | Word::Comment
            | Word::Preprocessor
            | Word::Presentation
            | Word::Title
            | Word::Together
            | Word::Unknown
            | Word::Note
            | Word::Life
            | Word::Separator => 14,
            Word::Participant
            | Word::Message
            | Word::Return
            | Word::Reference
            | Word::Statement
            | Word::Open => 20,
        };
    }
    match one.is_like(other) {
        true if one.subject == other.subject => 5,
        true => 4,
        false => 0,
    }
}

/// Unties blocks of which only one end is matched, or ends that belong to different blocks.
fn pair_blocks(old: &[Piece], new: &[Piece], alignment: &mut Alignment) {
    // Each round unties something or is the last.
    loop {
        let mut is_changed = false;
        for at in 0..old.len() {
            let Some(place) = alignment[at] else { continue };
            let (own, other) = (old[at].mate, new[place].mate);
            let is_whole = match (own, other) {
                (None, None) => true,
                (Some(own), Some(other)) => alignment[own] == Some(other),
                (Some(_), None) | (None, Some(_)) => false,
            };
            if !is_whole && !closes(old, new, at, alignment) {
                alignment[at] = None;
                is_changed = true;
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// Matches the last lines of two blocks whose first lines are matched, where nothing speaks against it.
fn closes(old: &[Piece], new: &[Piece], at: usize, alignment: &mut Alignment) -> bool {
    let Some(place) = alignment[at] else { return false };
    let (Word::Open, Some(own), Some(other)) = (old[at].word, old[at].mate, new[place].mate) else {
        return false;
    };
    let before = alignment[at + 1..own].iter().flatten().max().copied().unwrap_or(place);
    let after = alignment[own + 1..].iter().flatten().next().copied().unwrap_or(new.len());
    let is_free = before < other && other < after;
    if is_free {
        alignment[own] = Some(other);
    }
    is_free
}

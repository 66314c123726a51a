//! Alignment of two lists, by weight or as git aligns lines.
//!
//! Equal elements at the beginning and at the end correspond. In between the alignment is the one of greatest
//! weight; ranges too long for a table of all pairs are divided at elements that occur once (as in patience diff), or along a
//! [shortest edit script](super::myers).

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use super::increasing::heaviest_increasing;
use super::myers;

/// For each element of the old list its place in the new one.
pub(in crate::merge) type Alignment = Vec<Option<usize>>;

/// The largest table of pairs.
const MOST_CELLS: usize = 1_000_000;

/// How often a range is divided.
const MOST_DEPTH: usize = 64;

/// The longest edit script that is searched for.
const MOST_EDITS: usize = 3_000;

/// The weight of matching two elements, given by their places; 0 if they cannot match.
pub(in crate::merge) type Weight<'w> = &'w dyn Fn(usize, usize) -> u32;

/// Returns lists of numbers in which equal keys have equal numbers.
pub(in crate::merge) fn number_keys<T: Eq + Hash, const N: usize>(
    lists: [impl IntoIterator<Item = T>; N],
) -> [Vec<u32>; N] {
    let mut numbers: HashMap<T, u32> = HashMap::new();
    lists.map(|list| {
        let number = |key: T| {
            let fresh = numbers.len() as u32;
            *numbers.entry(key).or_insert(fresh)
        };
        list.into_iter().map(number).collect()
    })
}

/// Aligns lists, in which equal elements have equal numbers, by weight.
pub(in crate::merge) fn align_weighted(old: &[u32], new: &[u32], weight: Weight<'_>) -> Alignment {
    Aligner::run(old, new, Some(weight))
}

/// Aligns lists without equal elements by weight, given their lengths; returns the pairs.
pub(in crate::merge) fn align_any(old: usize, new: usize, weight: Weight<'_>) -> Vec<(usize, usize)> {
    let (before, after): (Vec<u32>, Vec<u32>) =
        ((0..old).map(|at| at as u32).collect(), (0..new).map(|at| !(at as u32)).collect());
    let found = align_weighted(&before, &after, weight).into_iter().enumerate();
    found.filter_map(|(at, place)| Some((at, place?))).collect()
}

/// Aligns lines as git does: only equal ones, along a shortest edit script.
pub(in crate::merge) fn align_equal(old: &[u32], new: &[u32]) -> Alignment {
    let mut found = Aligner::run(old, new, None);
    slide(old, &mut found);
    let mut from = inverse(&found, new.len());
    slide(new, &mut from);
    inverse(&from, old.len())
}

struct Aligner<'w> {
    old: &'w [u32],
    new: &'w [u32],
    weight: Option<Weight<'w>>,
    found: Alignment,
}

impl<'w> Aligner<'w> {
    fn run(old: &'w [u32], new: &'w [u32], weight: Option<Weight<'w>>) -> Alignment {
        let mut aligner = Aligner { old, new, weight, found: vec![None; old.len()] };
        aligner.range(0..old.len(), 0..new.len(), 0);
        aligner.found
    }

    fn range(&mut self, mut old: Range<usize>, mut new: Range<usize>, depth: usize) {
        while !old.is_empty() && !new.is_empty() && self.is_same(old.start, new.start) {
            self.found[old.start] = Some(new.start);
            (old.start, new.start) = (old.start + 1, new.start + 1);
        }
        while !old.is_empty() && !new.is_empty() && self.is_same(old.end - 1, new.end - 1) {
            (old.end, new.end) = (old.end - 1, new.end - 1);
            self.found[old.end] = Some(new.end);
        }
        if old.is_empty() || new.is_empty() || depth == MOST_DEPTH {
            return;
        }
        match self.weight {
            Some(weight) if old.len().saturating_mul(new.len()) <= MOST_CELLS => {
                self.table(old, new, weight);
            }
            Some(_) => self.divide(old, new, depth),
            // On a shortest edit script nothing is left between two elements that stay.
            None => {
                let script = self.edit_script(&old, &new);
                let pairs = if script.is_empty() { self.unique(&old, &new) } else { script };
                pairs.into_iter().for_each(|(at, place)| self.found[at] = Some(place));
            }
        }
    }

    /// Divides ranges that are too long for a table at elements that certainly correspond.
    fn divide(&mut self, old: Range<usize>, new: Range<usize>, depth: usize) {
        let mut anchors = self.unique(&old, &new);
        if anchors.is_empty() {
            anchors = self.edit_script(&old, &new);
        }
        if anchors.is_empty() {
            return self.by_position(&old, &new, depth);
        }
        let mut from = (old.start, new.start);
        for (at, place) in anchors {
            self.found[at] = Some(place);
            self.range(from.0..at, from.1..place, depth + 1);
            from = (at + 1, place + 1);
        }
        self.range(from.0..old.end, from.1..new.end, depth + 1);
    }

    /// Aligns long ranges without a common element: elements at about the same position are compared.
    fn by_position(&mut self, old: &Range<usize>, new: &Range<usize>, depth: usize) {
        let count = 1 + old.len().max(new.len()) * 2 / 1_000;
        let part = |range: &Range<usize>, number: usize| {
            let at = |number: usize| range.start + range.len() * number / count;
            at(number)..at(number + 1)
        };
        (0..count).for_each(|number| self.range(part(old, number), part(new, number), depth + 1));
    }

    fn is_same(&self, old: usize, new: usize) -> bool {
        self.old[old] == self.new[new] && self.weight.is_none_or(|weight| weight(old, new) > 0)
    }

    /// Finds the alignment of greatest weight by dynamic programming; the earliest of equals.
    fn table(&mut self, old: Range<usize>, new: Range<usize>, weight: Weight<'_>) {
        let width = new.len() + 1;
        let mut best = vec![0_u32; (old.len() + 1) * width];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                let own = weight(old.start + i, new.start + j);
                let taken = if own > 0 { own + best[(i + 1) * width + j + 1] } else { 0 };
                best[i * width + j] = taken.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < old.len() && j < new.len() {
            let here = best[i * width + j];
            let own = weight(old.start + i, new.start + j);
            if own > 0 && here == own + best[(i + 1) * width + j + 1] {
                self.found[old.start + i] = Some(new.start + j);
                (i, j) = (i + 1, j + 1);
            } else if here == best[i * width + j + 1] {
                j += 1;
            } else {
                i += 1;
            }
        }
    }

    /// Returns the elements that stay along a shortest edit script.
    fn edit_script(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        let pairs = myers::common(&self.old[old.clone()], &self.new[new.clone()], MOST_EDITS);
        let pairs = pairs.unwrap_or_default().into_iter();
        let pairs = pairs.map(|(one, other)| (old.start + one, new.start + other));
        pairs.filter(|(one, other)| self.is_same(*one, *other)).collect()
    }

    /// Returns elements that occur once in both ranges, as many as follow each other in the same order.
    fn unique(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        let once = |all: &[u32], range: &Range<usize>| {
            let mut seen: HashMap<u32, Option<usize>> = HashMap::new();
            for at in range.clone() {
                seen.entry(all[at]).and_modify(|place| *place = None).or_insert(Some(at));
            }
            seen
        };
        let (before, after) = (once(self.old, old), once(self.new, new));
        let pairs = before.into_iter().filter_map(|(key, at)| Some((at?, (*after.get(&key)?)?)));
        let mut pairs: Vec<(usize, usize)> =
            pairs.filter(|(one, other)| self.is_same(*one, *other)).collect();
        pairs.sort_unstable();
        let places: Vec<usize> = pairs.iter().map(|(_, place)| *place).collect();
        heaviest_increasing(&places, &|_| 1).into_iter().map(|at| pairs[at]).collect()
    }
}

/// How far away an equal element is looked for.
const FARTHEST: usize = 100;

/// Corrects an alignment that took equal elements at the beginning and at the end without weighing them: where one of several equal elements
/// was deleted or added, the one of greatest weight stays.
pub(in crate::merge) fn prefer_heavier(
    [old, new]: [&[u32]; 2],
    alignment: &mut Alignment,
    weight: Weight<'_>,
) {
    prefer([old, new], alignment, weight);
    let mut from = inverse(alignment, new.len());
    prefer([new, old], &mut from, &|place, at| weight(at, place));
    *alignment = inverse(&from, old.len());
}

fn prefer([old, new]: [&[u32]; 2], alignment: &mut Alignment, weight: Weight<'_>) {
    for at in 0..old.len() {
        let Some(place) = alignment[at].filter(|place| old[at] == new[*place]) else { continue };
        let is_free = |other: &usize| alignment[*other].is_none();
        let before = (0..at).rev().take_while(is_free).take(FARTHEST);
        let after = (at + 1..old.len()).take_while(is_free).take(FARTHEST);
        let equal = before.chain(after).filter(|other| old[*other] == old[at]);
        let best = equal.max_by_key(|other| weight(*other, place));
        if let Some(other) = best.filter(|other| weight(*other, place) > weight(at, place)) {
            alignment.swap(at, other);
        }
    }
}

/// Of equal adjacent lines takes the last for the one that was deleted, so that it is the same one on both sides. A line that was
/// replaced stays where it is, as git has it.
fn slide(old: &[u32], alignment: &mut Alignment) {
    // The first place after the last line that is still there.
    let mut next = 0;
    for at in 1..old.len() {
        next = alignment[at - 1].map_or(next, |place| place + 1);
        let is_replaced = alignment[at].is_none_or(|place| place > next);
        if alignment[at - 1].is_none() && old[at - 1] == old[at] && !is_replaced {
            alignment.swap(at - 1, at);
        }
    }
}

/// Returns for each element of a new list of this length its place in the old one.
pub(in crate::merge) fn inverse(to: &[Option<usize>], length: usize) -> Vec<Option<usize>> {
    let mut from = vec![None; length];
    for (at, place) in to.iter().enumerate() {
        place.iter().for_each(|place| from[*place] = Some(at));
    }
    from
}

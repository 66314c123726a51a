//! Alignment: which element of one list is which element of another, without crossings.
//!
//! Elements at the beginning and at the end that are equal are the same. In between the alignment is the one of greatest
//! weight; stretches too long for a table of all pairs are divided at elements that occur once, or along a [shortest] way.

use std::collections::HashMap;
use std::ops::Range;

use super::shortest;

/// For each element of the old list its place in the new one.
pub type Alignment = Vec<Option<usize>>;

/// Tables are not larger than this.
const MOST_CELLS: usize = 1_000_000;

/// How often a stretch is divided.
const MOST_DEPTH: usize = 64;

/// Lists that differ by more than this are not compared step by step.
const MOST_EDITS: usize = 3_000;

/// What it is worth to take two elements, by their places, as one; 0 if they cannot be.
pub type Weight<'w> = &'w dyn Fn(usize, usize) -> u32;

/// Aligns lists of which equal elements have equal numbers by weight.
pub fn heaviest(old: &[u32], new: &[u32], weight: Weight<'_>) -> Alignment {
    let mut window = Window { old, new, weight: Some(weight), found: vec![None; old.len()] };
    window.run(0..old.len(), 0..new.len(), 0);
    window.found
}

/// Aligns lines as git does: only equal ones, along a shortest way.
pub fn lines(old: &[u32], new: &[u32]) -> Alignment {
    let mut window = Window { old, new, weight: None, found: vec![None; old.len()] };
    window.run(0..old.len(), 0..new.len(), 0);
    let mut found = window.found;
    slide(old, new, &mut found);
    found
}

struct Window<'w> {
    old: &'w [u32],
    new: &'w [u32],
    weight: Option<Weight<'w>>,
    found: Alignment,
}

impl Window<'_> {
    fn run(&mut self, mut old: Range<usize>, mut new: Range<usize>, depth: usize) {
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
        if let Some(weight) = self.weight {
            if old.len().saturating_mul(new.len()) <= MOST_CELLS {
                return self.table(old, new, weight);
            }
        }
        let mut anchors = match self.weight {
            Some(_) => self.anchors(&old, &new),
            None => self.shortest(&old, &new),
        };
        if anchors.is_empty() {
            anchors = match self.weight {
                Some(_) => self.shortest(&old, &new),
                None => self.anchors(&old, &new),
            };
        }
        if anchors.is_empty() {
            return self.parts(old, new, depth);
        }
        let (mut from_old, mut from_new) = (old.start, new.start);
        for (at_old, at_new) in anchors {
            self.found[at_old] = Some(at_new);
            self.between(from_old..at_old, from_new..at_new, depth);
            (from_old, from_new) = (at_old + 1, at_new + 1);
        }
        self.between(from_old..old.end, from_new..new.end, depth);
    }

    /// What lies between two elements that are known; of lines on a shortest way nothing is left to find there.
    fn between(&mut self, old: Range<usize>, new: Range<usize>, depth: usize) {
        if self.weight.is_some() {
            self.run(old, new, depth + 1);
        }
    }

    fn is_same(&self, old: usize, new: usize) -> bool {
        self.old[old] == self.new[new] && self.weight.is_none_or(|weight| weight(old, new) > 0)
    }

    /// Two long stretches without any element in common: what stands at about the same place is compared.
    fn parts(&mut self, old: Range<usize>, new: Range<usize>, depth: usize) {
        if self.weight.is_none() {
            return;
        }
        let count = 1 + old.len().max(new.len()) * 2 / 1_000;
        let part = |range: &Range<usize>, number: usize| {
            let at = |number: usize| range.start + range.len() * number / count;
            at(number)..at(number + 1)
        };
        (0..count).for_each(|number| self.run(part(&old, number), part(&new, number), depth + 1));
    }

    /// The alignment of greatest weight; the earliest of equals.
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

    /// Elements that stay along a shortest way from one list to the other.
    fn shortest(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        let pairs = shortest::common(&self.old[old.clone()], &self.new[new.clone()], MOST_EDITS);
        let pairs = pairs.unwrap_or_default().into_iter();
        let pairs = pairs.map(|(one, other)| (old.start + one, new.start + other));
        pairs.filter(|(one, other)| self.is_same(*one, *other)).collect()
    }

    /// Elements that occur once in both, as many as follow each other in the same order.
    fn anchors(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        let once = |all: &[u32], range: &Range<usize>| {
            let mut seen: HashMap<u32, Option<usize>> = HashMap::new();
            for at in range.clone() {
                seen.entry(all[at]).and_modify(|place| *place = None).or_insert(Some(at));
            }
            seen
        };
        let (before, after) = (once(self.old, old), once(self.new, new));
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (key, at) in &before {
            if let (Some(one), Some(Some(other))) = (at, after.get(key)) {
                pairs.extend(self.is_same(*one, *other).then_some((*one, *other)));
            }
        }
        pairs.sort_unstable();
        let places: Vec<usize> = pairs.iter().map(|(_, place)| *place).collect();
        ascending(&places, &|_| 1).into_iter().map(|at| pairs[at]).collect()
    }
}

/// The part of greatest weight in which the numbers ascend, by its places.
pub fn ascending(numbers: &[usize], weight: &dyn Fn(usize) -> usize) -> Vec<usize> {
    if numbers.windows(2).all(|pair| pair[0] < pair[1]) {
        return (0..numbers.len()).collect();
    }
    // By number: the greatest weight of what ends there, in a tree of prefixes.
    let mut ranks: Vec<usize> = numbers.to_vec();
    ranks.sort_unstable();
    ranks.dedup();
    let mut best: Vec<(usize, Option<usize>)> = vec![(0, None); ranks.len() + 1];
    let mut before: Vec<Option<usize>> = vec![None; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let rank = ranks.partition_point(|known| known < number);
        let mut below = (0, None);
        let mut place = rank;
        while place > 0 {
            below = if best[place].0 > below.0 { best[place] } else { below };
            place &= place - 1;
        }
        before[at] = below.1;
        let total = below.0 + weight(at);
        place = rank + 1;
        while place < best.len() {
            if total > best[place].0 {
                best[place] = (total, Some(at));
            }
            place += place & place.wrapping_neg();
        }
    }
    let mut last = (0, None);
    let mut place = ranks.len();
    while place > 0 {
        last = if best[place].0 > last.0 { best[place] } else { last };
        place &= place - 1;
    }
    let mut chain: Vec<usize> = std::iter::successors(last.1, |at| before[*at]).collect();
    chain.reverse();
    chain
}

/// How far away an equal element is looked for.
const FARTHEST: usize = 100;

/// Equal elements at the beginning and at the end are taken without weighing; where one of several equal ones is gone or new, the one of greatest
/// weight stays.
pub fn settle([old, new]: [&[u32]; 2], alignment: &mut Alignment, weight: Weight<'_>) {
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
    let mut from = inverse(alignment, new.len());
    for place in 0..new.len() {
        let Some(at) = from[place].filter(|at| old[*at] == new[place]) else { continue };
        let is_free = |other: &usize| from[*other].is_none();
        let before = (0..place).rev().take_while(is_free).take(FARTHEST);
        let after = (place + 1..new.len()).take_while(is_free).take(FARTHEST);
        let equal = before.chain(after).filter(|other| new[*other] == new[place]);
        let best = equal.max_by_key(|other| weight(at, *other));
        if let Some(other) = best.filter(|other| weight(at, *other) > weight(at, place)) {
            from.swap(place, other);
            alignment[at] = Some(other);
        }
    }
}

/// Of equal lines, one after the other, the last is the one that was deleted or added: so it is the same one on both sides. Only
/// one that was replaced stays where it is, as git has it.
fn slide(old: &[u32], new: &[u32], alignment: &mut Alignment) {
    // The first place after the last line that is there.
    let mut next = 0;
    for at in 1..old.len() {
        next = alignment[at - 1].map_or(next, |place| place + 1);
        let is_replaced = alignment[at].is_none_or(|place| place > next);
        if alignment[at - 1].is_none() && old[at - 1] == old[at] && !is_replaced {
            alignment.swap(at - 1, at);
        }
    }
    let mut from: Vec<Option<usize>> = inverse(alignment, new.len());
    let mut next = 0;
    for at in 1..new.len() {
        next = from[at - 1].map_or(next, |place| place + 1);
        let is_replaced = from[at].is_none_or(|place| place > next);
        let is_twin = new[at - 1] == new[at];
        if let (None, true, false, Some(known)) = (from[at - 1], is_twin, is_replaced, from[at]) {
            from.swap(at - 1, at);
            alignment[known] = Some(at - 1);
        }
    }
}

/// For each element of a new list of this length its place in the old one.
pub fn inverse(to: &[Option<usize>], length: usize) -> Vec<Option<usize>> {
    let mut from = vec![None; length];
    to.iter().enumerate().for_each(|(at, place)| {
        if let Some(place) = place {
            from[*place] = Some(at);
        }
    });
    from
}

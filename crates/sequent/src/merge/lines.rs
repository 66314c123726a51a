//! Lines of three versions merged as git merges them: what one side changed is taken, what both changed differently is a
//! conflict, without what they have in common at its beginning and end.

use std::collections::HashMap;
use std::ops::Range;

use super::align::{Alignment, lines};
use super::order::Side;
use super::slot::{Conflict, Element, Slot};

/// What becomes of a stretch of three lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// All have it, by its places.
    Kept([usize; 3]),
    /// One side's version is taken.
    Taken(Side, Range<usize>),
    /// Both sides changed it, by its places in the old list and in both new ones.
    Apart(Range<usize>, [Range<usize>; 2]),
}

/// Divides three lists; `is_same` tells whether an element of the old list is unchanged in a side's.
pub fn divide(
    lists: [&[u32]; 3],
    is_same: &dyn Fn(usize, Side, usize) -> bool,
    is_twin: &dyn Fn(usize, usize) -> bool,
) -> Vec<Part> {
    let [base, ours, theirs] = lists;
    let to: [Alignment; 2] = [lines(base, ours), lines(base, theirs)];
    let mut parts = Vec::new();
    let mut from = [0, 0, 0];
    for at in 0..=base.len() {
        let here = match at < base.len() {
            false => [at, ours.len(), theirs.len()],
            true => match to.each_ref().map(|to| to.get(at).copied().flatten()) {
                [Some(one), Some(other)] => [at, one, other],
                [_, _] => continue,
            },
        };
        let [old, own, others] = [0, 1, 2].map(|list| from[list]..here[list]);
        let is_kept = |side: Side, new: &Range<usize>| {
            old.len() == new.len()
                && old.clone().zip(new.clone()).all(|(one, other)| is_same(one, side, other))
        };
        let twins = || own.clone().zip(others.clone()).all(|(one, other)| is_twin(one, other));
        match (is_kept(Side::Ours, &own), is_kept(Side::Theirs, &others)) {
            (_, true) => parts.push(Part::Taken(Side::Ours, own)),
            (true, false) => parts.push(Part::Taken(Side::Theirs, others)),
            (false, false) if own.len() == others.len() && twins() => {
                parts.push(Part::Taken(Side::Ours, own))
            }
            (false, false) => parts.push(Part::Apart(old, [own, others])),
        }
        if at < base.len() {
            parts.push(Part::Kept(here));
        }
        from = here.map(|place| place + 1);
    }
    parts
}

/// Merges texts line by line.
pub fn merge(texts: [&[&str]; 3]) -> Vec<Slot> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let lists = texts.map(|lines| {
        let mut list = Vec::new();
        for line in lines {
            let fresh = numbers.len() as u32;
            list.push(*numbers.entry(line).or_insert(fresh));
        }
        list
    });
    let [base, ours, theirs] = &lists;
    let is_same = |old: usize, side: Side, new: usize| base[old] == [ours, theirs][side as usize][new];
    let is_twin = |one: usize, other: usize| ours[one] == theirs[other];
    let mut slots = Vec::new();
    for part in divide([base, ours, theirs], &is_same, &is_twin) {
        match part {
            Part::Kept([_, own, _]) => slots.push(Slot::Text(Element::line(texts[1][own]))),
            Part::Taken(side, range) => {
                let own = &texts[1 + side as usize][range];
                slots.extend(own.iter().map(|line| Slot::Text(Element::line(line))));
            }
            Part::Apart(old, [own, others]) => {
                let all = [&texts[0][old], &texts[1][own], &texts[2][others]];
                slots.extend(apart(all, "both sides changed this"));
            }
        }
    }
    slots
}

/// A conflict of lines, and what they have in common before and after it.
pub fn apart([base, ours, theirs]: [&[&str]; 3], why: &str) -> Vec<Slot> {
    let first = ours.iter().zip(theirs).take_while(|(one, other)| one == other).count();
    let (own, others) = (&ours[first..], &theirs[first..]);
    let last = own.iter().rev().zip(others.iter().rev()).take_while(|(one, other)| one == other).count();
    let text = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<String>>();
    let line = |line: &&str| Slot::Text(Element::line(line));
    let mut slots: Vec<Slot> = ours[..first].iter().map(line).collect();
    let (ours, theirs) = (text(&own[..own.len() - last]), text(&others[..others.len() - last]));
    if !ours.is_empty() || !theirs.is_empty() {
        slots.push(Slot::Conflict(Conflict { ours, base: text(base), theirs, why: why.to_owned() }));
    }
    slots.extend(own[own.len() - last..].iter().map(line));
    slots
}

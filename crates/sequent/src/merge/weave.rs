//! Weaving: three versions of a file become one, with its last choices open.
//!
//! Lines of prose and whole diagrams are merged as git merges lines; a diagram that all three versions have is merged as a
//! tree ([`compose`]), or its lines as git would where blocks do not nest or an old conflict stands in it. Where the result does not hold what it
//! must ([`net`]), the smallest part that is enough is a conflict.

use std::ops::Range;

use super::compose::compose;
use super::kin::Trio;
use super::lines::{self, Part, divide};
use super::net;
use super::order::Side;
use super::piece::Piece;
use super::region;
use super::slot::{Element, Slot};
use super::tree::{NodeId, Tree};
use super::unit::{Version, units};

/// Why something is a conflict that looked well by itself.
const UNFIT: &str = "both sides changed this, and together it does not fit";

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
    /// The diagrams that were merged as trees, by their units in the base and the pieces of these.
    pub composed: Vec<(usize, Range<usize>)>,
    /// Whether a message is not there as often as it should be, or a part could not be taken as a whole.
    pub is_short: bool,
}

/// How much of a diagram is taken as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of it.
    All,
    /// In a node of the base what stands between two children, the first before the range and the first after it.
    Between(NodeId, Range<usize>),
}

/// Weaves three versions; `is_distinct` keeps even additions apart that are the same on both sides. What is in
/// `whole`, by diagram, is not looked into.
pub fn weave(versions: &Versions<'_>, is_distinct: bool, whole: &[(usize, Extent)]) -> Woven {
    let all = units([versions.base, versions.sides[0], versions.sides[1]]);
    let [base, ours, theirs] = &all;
    let is_same = |old: usize, side: Side, new: usize| {
        base.is_same(old, if side == Side::Ours { ours } else { theirs }, new)
    };
    let is_twin = |one: usize, other: usize| ours.is_same(one, theirs, other);
    let mut woven = Woven::default();
    for part in divide([&base.numbers, &ours.numbers, &theirs.numbers], &is_same, &is_twin) {
        match part {
            Part::Kept(places) => {
                let extent = whole.iter().find(|(diagram, _)| *diagram == places[0]);
                woven.diagram(&all, places, is_distinct, extent.map(|(_, extent)| extent));
            }
            Part::Taken(side, range) => {
                let version = &all[1 + side as usize];
                range.for_each(|unit| woven.slots.extend(texts(version.of(unit))));
            }
            Part::Apart(old, [own, others]) => {
                let cut = |version: &Version<'_>, range: Range<usize>| -> Vec<String> {
                    let pieces = range.flat_map(|unit| version.of(unit).to_vec());
                    pieces.flat_map(|piece| lines_of(&piece.text)).collect()
                };
                let texts = [cut(base, old), cut(ours, own), cut(theirs, others)];
                let texts = texts.each_ref().map(|text| text.iter().map(String::as_str).collect::<Vec<_>>());
                let texts = texts.each_ref().map(Vec::as_slice);
                woven.slots.extend(lines::apart(texts, "both sides changed this"));
            }
        }
    }
    woven
}

fn texts(pieces: &[Piece]) -> impl Iterator<Item = Slot> {
    pieces.iter().map(|piece| Slot::Text(Element { text: piece.text.clone(), word: piece.word }))
}

fn lines_of(text: &str) -> Vec<String> {
    text.split('\n').map(str::to_owned).collect()
}

impl Woven {
    /// A unit that all versions have.
    fn diagram(
        &mut self,
        all: &[Version<'_>; 3],
        [old, own, other]: [usize; 3],
        is_distinct: bool,
        whole: Option<&Extent>,
    ) {
        let [base, ours, theirs] = all;
        let is_alike = !is_distinct && ours.is_same(own, theirs, other);
        if is_alike || base.is_same(old, theirs, other) {
            return self.slots.extend(texts(ours.of(own)));
        }
        if base.is_same(old, ours, own) {
            return self.slots.extend(texts(theirs.of(other)));
        }
        let places = [old, own, other];
        let tree = |version: usize| {
            let unit = &all[version].units[places[version]];
            Tree::of(all[version].pieces, unit.range.clone())
        };
        let zone = base.units[old].zone;
        let pieces = [0, 1, 2].map(|version| all[version].pieces);
        let texts = [0, 1, 2].map(|version| {
            let own = all[version].of(places[version]).iter();
            own.flat_map(|piece| piece.text.split('\n')).collect::<Vec<&str>>()
        });
        let texts = texts.each_ref().map(Vec::as_slice);
        if whole == Some(&Extent::All) {
            return self.slots.extend(lines::apart(texts, UNFIT));
        }
        let (Some(before), Some(one), Some(two)) = (tree(0), tree(1), tree(2)) else {
            return self.slots.extend(lines::merge(texts));
        };
        let mut trio = Trio::new(pieces, [before, one, two], zone, is_distinct);
        if let Some(Extent::Between(parent, children)) = whole {
            self.is_short |= !region::enclose(&mut trio, *parent, children, UNFIT);
        }
        match compose(trio) {
            Some((slots, notes)) => {
                let own = [0, 1, 2].map(|version| all[version].of(places[version]));
                self.is_short |= !net::holds(own, &slots);
                self.composed.push((old, base.units[old].range.clone()));
                self.slots.extend(slots);
                self.notes.extend(notes);
            }
            None => self.slots.extend(lines::apart(texts, "both sides changed this")),
        }
    }
}

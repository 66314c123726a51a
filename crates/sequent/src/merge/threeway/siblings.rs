//! Siblings: in which order triples stand that stand in the same one.
//!
//! Those that neither side moved keep their order and divide the row into gaps. What a side moved or added goes into the gap in which
//! that side has it; what both moved into one gap, in the same order, divides that gap. At last every pair is checked: where both sides agree it stands as they have it, else as the side that changed it has it.

use std::collections::HashMap;
use std::ops::Range;

use super::conflict::TreeConflict;
use super::nesting::MergedTree;
use crate::merge::align::heaviest_increasing;
use crate::merge::matching::{TripleId, Triples};
use crate::merge::read::{NodeKind, SectionKind};
use crate::merge::side::RevisionSide;

/// A part of a row of siblings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Placement {
    /// A triple with a fixed place.
    Fixed(TripleId),
    /// What the sides put at the same place, ours first.
    Gap([Vec<TripleId>; 2]),
}

impl Placement {
    /// Returns all triples, ours first.
    pub(super) fn ids(&self) -> Vec<TripleId> {
        match self {
            Placement::Fixed(id) => vec![*id],
            Placement::Gap(sides) => sides.concat(),
        }
    }
}

/// Returns the rows of siblings, by what they stand in.
pub(super) fn rows(tree: &MergedTree<'_, '_, '_>) -> Result<Vec<Vec<Placement>>, TreeConflict> {
    let mut children: Vec<Vec<TripleId>> = vec![Vec::new(); tree.parents.len()];
    for id in (1..children.len()).filter(|id| tree.presence.is_placed(*id)) {
        children[tree.parents[id]].push(id);
    }
    let sorter = Sorter { triples: tree.triples };
    let rows: Vec<Vec<Placement>> = children.iter().map(|own| sorter.row(own)).collect::<Result<_, _>>()?;
    sorter.check(&rows)?;
    Ok(rows)
}

struct Sorter<'s, 't, 'v> {
    triples: &'s Triples<'t, 'v>,
}

impl Sorter<'_, '_, '_> {
    /// Returns the place of a triple in a version; of a block that is not there the place of its first content.
    fn place(&self, id: TripleId, version: usize) -> Option<usize> {
        let own = |id: TripleId| self.triples.place(id, version);
        own(id).or_else(|| self.triples.holds[id].iter().filter_map(|inner| own(*inner)).min())
    }

    fn row(&self, own: &[TripleId]) -> Result<Vec<Placement>, TreeConflict> {
        let sorted = |version: usize| {
            let mut all: Vec<(usize, TripleId)> =
                own.iter().filter_map(|id| Some((self.place(*id, version)?, *id))).collect();
            all.sort_unstable();
            all.into_iter().map(|(_, id)| id).collect::<Vec<TripleId>>()
        };
        let base = sorted(0);
        let moved = RevisionSide::BOTH.map(|side| self.moved(&base, side));
        let is_fixed = |id: &TripleId| moved.iter().all(|moved| !moved.contains(id));
        let fixed: Vec<TripleId> = base.iter().copied().filter(is_fixed).collect();
        let number: HashMap<TripleId, usize> = fixed.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let mut gaps: Vec<[Vec<TripleId>; 2]> = vec![Default::default(); fixed.len() + 1];
        for side in RevisionSide::BOTH {
            let mut gap = 0;
            for id in sorted(side.version()) {
                match number.get(&id) {
                    Some(at) => gap = at + 1,
                    None if self.is_placed_by(id, side, &moved) => gaps[gap][side as usize].push(id),
                    None => {}
                }
            }
        }
        for id in moved[0].iter().filter(|id| moved[1].contains(id)) {
            let gap_of = |side: usize| gaps.iter().position(|gap| gap[side].contains(id));
            let (Some(one), Some(other)) = (gap_of(0), gap_of(1)) else { continue };
            if one != other && self.triples.versions.section == SectionKind::Sequence {
                return Err(match self.triples[*id].kind {
                    NodeKind::Leaf => TreeConflict::Moved(*id),
                    NodeKind::Root | NodeKind::Block | NodeKind::Operand | NodeKind::Region => {
                        TreeConflict::Region(vec![*id], "both sides moved this")
                    }
                });
            }
            if one != other {
                gaps[other][1].retain(|known| known != id);
            }
        }
        let mut row = Vec::new();
        for (at, gap) in gaps.into_iter().enumerate() {
            row.extend(self.settled(&gap));
            row.extend(fixed.get(at).map(|id| Placement::Fixed(*id)));
        }
        Ok(row)
    }

    /// Divides a gap at what both sides moved there, in the same order: that has its place as what neither moved.
    fn settled(&self, [ours, theirs]: &[Vec<TripleId>; 2]) -> Vec<Placement> {
        let common: Vec<(usize, usize)> = ours
            .iter()
            .enumerate()
            .filter_map(|(at, id)| Some((at, theirs.iter().position(|other| other == id)?)))
            .collect();
        let places: Vec<usize> = common.iter().map(|(_, place)| *place).collect();
        let kept: Vec<(usize, usize)> =
            heaviest_increasing(&places, &|_| 1).into_iter().map(|at| common[at]).collect();
        let is_theirs_alone = |id: &&TripleId| !ours.contains(id);
        let part = |own: Range<usize>, other: Range<usize>| {
            // What both moved, in another order than the rest, is where our side has it: then it is checked, and does not fit.
            let theirs = theirs[other].iter().filter(is_theirs_alone).copied().collect();
            self.divided(&[ours[own].to_vec(), theirs])
        };
        let mut row = Vec::new();
        let mut from = (0, 0);
        for (own, other) in kept {
            row.extend(part(from.0..own, from.1..other));
            row.push(Placement::Fixed(ours[own]));
            from = (own + 1, other + 1);
        }
        row.extend(part(from.0..ours.len(), from.1..theirs.len()));
        row
    }

    /// Divides a gap so that two old triples come in the order that both sides have, or else the side that changed it.
    fn divided(&self, [ours, theirs]: &[Vec<TripleId>; 2]) -> Vec<Placement> {
        let is_before = |one: TripleId, other: TripleId| {
            let orders = [0, 1, 2].map(|version| {
                let places = self.place(one, version).zip(self.place(other, version));
                places.map(|(one, other)| one < other)
            });
            match orders {
                [Some(base), Some(ours), Some(theirs)] => {
                    if ours == base {
                        theirs
                    } else {
                        ours
                    }
                }
                [None, ours, theirs] => ours == Some(true) && theirs == Some(true),
                [Some(_), _, _] => false,
            }
        };
        let is_old = |id: &TripleId| !self.triples[*id].is_new();
        // For each of a list the number of the others that must come before it.
        let needed = |list: &[TripleId], others: &[TripleId]| -> Vec<usize> {
            let last = |id: &TripleId| {
                others.iter().rposition(|other| is_old(id) && is_old(other) && is_before(*other, *id))
            };
            list.iter().map(|id| last(id).map_or(0, |at| at + 1)).collect()
        };
        let mut cuts = Vec::new();
        let mut last = 0;
        for (own, count) in needed(ours, theirs).into_iter().enumerate() {
            if count > last {
                cuts.push((own, count));
                last = count;
            }
        }
        for (other, count) in needed(theirs, ours).into_iter().enumerate() {
            cuts.extend((count > 0).then_some((count, other)));
        }
        cuts.sort_unstable();
        cuts.push((ours.len(), theirs.len()));
        let mut row = Vec::new();
        let mut from = (0, 0);
        for (own, other) in cuts {
            let to = (own.max(from.0), other.max(from.1));
            if to != from {
                row.push(Placement::Gap([ours[from.0..to.0].to_vec(), theirs[from.1..to.1].to_vec()]));
                from = to;
            }
        }
        row
    }

    /// Whether a side decides the place of a triple. What both added is where our side added it.
    fn is_placed_by(&self, id: TripleId, side: RevisionSide, moved: &[Vec<TripleId>; 2]) -> bool {
        let triple = &self.triples[id];
        if triple.is_new() { triple.adder() == Some(side) } else { moved[side as usize].contains(&id) }
    }

    /// Returns the triples that a side moved among these.
    fn moved(&self, base: &[TripleId], side: RevisionSide) -> Vec<TripleId> {
        let common: Vec<(TripleId, usize)> =
            base.iter().filter_map(|id| Some((*id, self.place(*id, side.version())?))).collect();
        let places: Vec<usize> = common.iter().map(|(_, place)| *place).collect();
        let weight = |at: usize| {
            let id = common[at].0;
            let node = self.triples[id].nodes[0];
            let size = node.map_or(4, |node| self.triples.versions.trees[0].nodes[node].range.len());
            if self.triples.is_moved(id, side) { 1 } else { 100 + size }
        };
        let mut kept = heaviest_increasing(&places, &weight).into_iter().peekable();
        let is_moved = |at: &usize| kept.next_if_eq(at).is_none();
        (0..common.len()).filter(is_moved).map(|at| common[at].0).collect()
    }

    /// Checks that all statements of all versions come in the order that both sides want.
    fn check(&self, rows: &[Vec<Placement>]) -> Result<(), TreeConflict> {
        if self.triples.versions.section == SectionKind::Unordered {
            return Ok(());
        }
        let mut order = Vec::new();
        walk(rows, 0, &mut order);
        order.retain(|id| self.triples[*id].kind == NodeKind::Leaf);
        self.check_additions(&order)?;
        let is_common = |id: &TripleId| self.triples[*id].is_everywhere();
        let places = |id: TripleId| ([0, 1, 2].map(|version| self.place(id, version).unwrap_or(0)), id);
        let leaves: Vec<([usize; 3], TripleId)> = order.into_iter().filter(is_common).map(places).collect();
        // Most diagrams keep their order, and then all pairs do.
        let is_kept = |version: usize| leaves.windows(2).all(|pair| pair[0].0[version] < pair[1].0[version]);
        if (0..3).all(is_kept) {
            return Ok(());
        }
        for (at, (one, id)) in leaves.iter().enumerate() {
            for (other, next) in &leaves[at + 1..] {
                let [base, ours, theirs] = [0, 1, 2].map(|version| one[version] < other[version]);
                let is_wanted = if ours == base { theirs } else { ours };
                // If each side moved another one of the two, neither decided their order.
                let is_open = ours != theirs && self.are_moved(*id, *next, &leaves);
                if !is_wanted && !is_open {
                    return Err(TreeConflict::Region(vec![*id, *next], "both sides moved this"));
                }
            }
        }
        Ok(())
    }

    /// Checks that what a side added comes where this side has it, as to everything that the other side did not move.
    fn check_additions(&self, order: &[TripleId]) -> Result<(), TreeConflict> {
        let triples = self.triples;
        for side in RevisionSide::BOTH {
            let version = side.version();
            let is_moved = |id: TripleId| {
                let around = [0, version].into_iter().flat_map(|version| triples.ancestors(id, version));
                around.chain([id]).any(|id| triples.is_moved(id, side.other()))
            };
            let is_event = |id: &TripleId| triples[*id].piece_kind.is_event();
            let own = order.iter().copied().filter(is_event);
            let places: Vec<(usize, TripleId)> =
                own.filter_map(|id| Some((triples.place(id, version)?, id))).collect();
            // Most diagrams keep their order, and then it does not matter what was moved.
            if places.windows(2).all(|pair| pair[0].0 < pair[1].0) {
                continue;
            }
            let kept: Vec<(usize, TripleId)> = places.into_iter().filter(|(_, id)| !is_moved(*id)).collect();
            for pair in kept.windows(2).filter(|pair| pair[0].0 > pair[1].0) {
                let ids = [pair[0].1, pair[1].1];
                if ids.iter().any(|id| triples[*id].adder() == Some(side)) {
                    let why = "both sides changed this, and no order keeps what each drew";
                    return Err(TreeConflict::Region(ids.to_vec(), why));
                }
            }
        }
        Ok(())
    }

    /// Whether each side moved another one of two triples, and nothing else can have been moved instead.
    fn are_moved(&self, one: TripleId, other: TripleId, leaves: &[([usize; 3], TripleId)]) -> bool {
        let is_moved = |id: TripleId, side: RevisionSide| {
            self.triples.is_moved(id, side) && is_surely_moved(leaves, id, side.version())
        };
        RevisionSide::BOTH.into_iter().any(|side| is_moved(one, side) && is_moved(other, side.other()))
    }
}

/// Whether a version cannot be had from the base by moves of as few others that leave a triple where it is. Of two neighbours that were swapped either may
/// have been moved.
fn is_surely_moved(leaves: &[([usize; 3], TripleId)], id: TripleId, version: usize) -> bool {
    let mut places: Vec<(usize, usize, TripleId)> =
        leaves.iter().map(|(places, id)| (places[0], places[version], *id)).collect();
    places.sort_unstable();
    let now: Vec<usize> = places.iter().map(|(_, now, _)| *now).collect();
    let most = heaviest_increasing(&now, &|_| 1).len();
    let with = heaviest_increasing(&now, &|at| if places[at].2 == id { now.len() + 1 } else { 1 }).len();
    with < most
}

/// Lists a triple and all that stand in it, in order.
fn walk(rows: &[Vec<Placement>], id: TripleId, order: &mut Vec<TripleId>) {
    order.push(id);
    rows[id].iter().flat_map(Placement::ids).for_each(|inner| walk(rows, inner, order));
}

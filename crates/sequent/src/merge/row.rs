//! Rows: in which order things stand that stand in the same.
//!
//! What neither side moved keeps its order and divides the row into gaps. What a side moved or added goes into the gap in which
//! that side has it. At last every pair is looked at: where both sides agree it stands as they have it, else as the side that changed it has it.

use super::align::ascending;
use super::kin::{Family, KinId, Trio, version};
use super::nest::{Nest, Trouble};
use super::order::Side;
use super::piece::Zone;
use super::tree::Kind;

/// A part of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spot {
    /// Something that has its place.
    Kin(KinId),
    /// What the sides put at the same place, ours first.
    Gap([Vec<KinId>; 2]),
}

/// All rows, by what they stand in.
pub fn rows(trio: &Trio<'_>, family: &Family, nest: &Nest) -> Result<Vec<Vec<Spot>>, Trouble> {
    let mut children: Vec<Vec<KinId>> = vec![Vec::new(); family.kins.len()];
    for kin in (1..family.kins.len()).filter(|kin| nest.is_there[*kin] && !nest.is_bound[*kin]) {
        children[nest.parent[kin]].push(kin);
    }
    let rower = Rower { trio, family };
    let rows: Result<Vec<Vec<Spot>>, Trouble> = children.iter().map(|own| rower.row(own)).collect();
    let rows = rows?;
    rower.is_sound(&rows)?;
    Ok(rows)
}

struct Rower<'r, 'v> {
    trio: &'r Trio<'v>,
    family: &'r Family,
}

impl Rower<'_, '_> {
    /// Where a kin comes in a version; for a block that is not there, where the first of its content does.
    fn place(&self, kin: KinId, version: usize) -> Option<usize> {
        let own =
            |kin: KinId| self.family.kins[kin].nodes[version].map(|node| self.family.place[version][node]);
        own(kin).or_else(|| self.family.holds[kin].iter().filter_map(|inner| own(*inner)).min())
    }

    fn row(&self, own: &[KinId]) -> Result<Vec<Spot>, Trouble> {
        if own.is_empty() {
            return Ok(Vec::new());
        }
        let sorted = |version: usize| {
            let mut all: Vec<(usize, KinId)> =
                own.iter().filter_map(|kin| Some((self.place(*kin, version)?, *kin))).collect();
            all.sort_unstable();
            all.into_iter().map(|(_, kin)| kin).collect::<Vec<KinId>>()
        };
        let [base, ours, theirs] = [0, 1, 2].map(sorted);
        let moved = [self.moved(&base, Side::Ours), self.moved(&base, Side::Theirs)];
        let is_fixed = |kin: &KinId| moved.iter().all(|moved| !moved.contains(kin));
        let fixed: Vec<KinId> = base.iter().copied().filter(is_fixed).collect();
        let mut gaps: Vec<[Vec<KinId>; 2]> = vec![Default::default(); fixed.len() + 1];
        let mut number = vec![usize::MAX; self.family.kins.len()];
        fixed.iter().enumerate().for_each(|(at, kin)| number[*kin] = at);
        let mut gap_of = [vec![usize::MAX; self.family.kins.len()], vec![usize::MAX; self.family.kins.len()]];
        for (side, order) in [ours, theirs].into_iter().enumerate() {
            let mut gap = 0;
            for kin in order {
                match number[kin] {
                    usize::MAX if self.is_afloat(kin, side, &moved) => {
                        gap_of[side][kin] = gap;
                        gaps[gap][side].push(kin);
                    }
                    usize::MAX => {}
                    at => gap = at + 1,
                }
            }
        }
        for kin in moved[0].iter().filter(|kin| moved[1].contains(kin)) {
            let [one, other] = gap_of.each_ref().map(|gaps| gaps[*kin]);
            if one == usize::MAX || other == usize::MAX {
                continue;
            }
            if one != other && self.trio.zone == Zone::Sequence {
                return Err(match self.family.kins[*kin].kind {
                    Kind::Leaf => Trouble::Split(*kin),
                    Kind::Root | Kind::Block | Kind::Operand | Kind::Knot => {
                        Trouble::Tie(vec![*kin], "both sides moved this")
                    }
                });
            }
            gaps[other][1].retain(|known| known != kin);
        }
        let mut spots = Vec::new();
        for (at, gap) in gaps.into_iter().enumerate() {
            spots.extend(self.divided(&gap));
            spots.extend(fixed.get(at).map(|kin| Spot::Kin(*kin)));
        }
        Ok(spots)
    }

    /// What the sides put at one place, divided so that two things which both sides have in the same order come in that order.
    fn divided(&self, [ours, theirs]: &[Vec<KinId>; 2]) -> Vec<Spot> {
        let is_before = |one: KinId, other: KinId| {
            [1, 2].into_iter().all(|version| {
                let places = self.place(one, version).zip(self.place(other, version));
                places.is_some_and(|(one, other)| one < other)
            })
        };
        let is_old = |kin: &KinId| self.family.kins[*kin].nodes[0].is_some();
        // For each of a list how many of the other one must come before it.
        let needed = |list: &[KinId], others: &[KinId]| -> Vec<usize> {
            let last = |kin: &KinId| {
                others.iter().rposition(|other| is_old(kin) && is_old(other) && is_before(*other, *kin))
            };
            list.iter().map(|kin| last(kin).map_or(0, |at| at + 1)).collect()
        };
        let (before_ours, before_theirs) = (needed(ours, theirs), needed(theirs, ours));
        let mut cuts = Vec::new();
        let mut last = 0;
        for (own, count) in before_ours.into_iter().enumerate() {
            if count > last {
                cuts.push((own, count));
                last = count;
            }
        }
        for (other, count) in before_theirs.into_iter().enumerate() {
            cuts.extend((count > 0).then_some((count, other)));
        }
        cuts.sort_unstable();
        cuts.push((ours.len(), theirs.len()));
        let mut spots = Vec::new();
        let mut from = (0, 0);
        for (own, other) in cuts {
            let to = (own.max(from.0), other.max(from.1));
            if to != from {
                spots.push(Spot::Gap([ours[from.0..to.0].to_vec(), theirs[from.1..to.1].to_vec()]));
                from = to;
            }
        }
        spots
    }

    /// Whether a side says where something goes.
    fn is_afloat(&self, kin: KinId, side: usize, moved: &[Vec<KinId>; 2]) -> bool {
        let known = &self.family.kins[kin];
        match known.nodes[0] {
            // What both added is where we added it.
            None => known.adder().is_some_and(|adder| adder as usize == side),
            Some(_) => moved[side].contains(&kin),
        }
    }

    /// What a side has put elsewhere among these.
    fn moved(&self, base: &[KinId], side: Side) -> Vec<KinId> {
        let common: Vec<(KinId, usize)> =
            base.iter().filter_map(|kin| Some((*kin, self.place(*kin, version(side))?))).collect();
        let places: Vec<usize> = common.iter().map(|(_, place)| *place).collect();
        let weight = |at: usize| {
            let known = &self.family.kins[common[at].0];
            let is_moved = known.nodes[0].is_some_and(|node| self.trio.pairs[side as usize].is_moved[node]);
            let size = known.nodes[0].map_or(4, |node| self.trio.trees[0].nodes[node].range.len());
            if is_moved { 1 } else { 100 + size }
        };
        let kept = ascending(&places, &weight);
        let mut is_kept = vec![false; common.len()];
        kept.into_iter().for_each(|at| is_kept[at] = true);
        common.into_iter().zip(is_kept).filter(|(_, is_kept)| !is_kept).map(|((kin, _), _)| kin).collect()
    }

    /// Whether everything that all versions have comes in the order that both sides want.
    fn is_sound(&self, rows: &[Vec<Spot>]) -> Result<(), Trouble> {
        if self.trio.zone == Zone::Set {
            return Ok(());
        }
        let mut order = Vec::new();
        self.walk(rows, 0, &mut order);
        let is_common = |kin: &KinId| {
            let known = &self.family.kins[*kin];
            known.kind == Kind::Leaf && known.nodes.iter().all(Option::is_some)
        };
        let leaves: Vec<[usize; 4]> = order
            .into_iter()
            .filter(is_common)
            .map(|kin| {
                let [base, ours, theirs] = [0, 1, 2].map(|version| self.place(kin, version).unwrap_or(0));
                [base, ours, theirs, kin]
            })
            .collect();
        // Most rows are as they were, and then so are all pairs.
        let is_plain = |version: usize| leaves.windows(2).all(|pair| pair[0][version] < pair[1][version]);
        if (0..3).all(is_plain) {
            return Ok(());
        }
        for (at, one) in leaves.iter().enumerate() {
            for other in &leaves[at + 1..] {
                let [base, ours, theirs] = [0, 1, 2].map(|version| one[version] < other[version]);
                let is_wanted = if ours == base { theirs } else { ours };
                // Where one side moved this and the other that, their order was nobody's wish.
                let is_open = ours != theirs && self.are_moved(one[3], other[3]);
                if !is_wanted && !is_open {
                    return Err(Trouble::Tie(vec![one[3], other[3]], "both sides moved this"));
                }
            }
        }
        Ok(())
    }

    /// Whether each side moved another one of two.
    fn are_moved(&self, one: KinId, other: KinId) -> bool {
        let is_moved = |kin: KinId, side: Side| {
            let node = self.family.kins[kin].nodes[0];
            node.is_some_and(|node| self.trio.pairs[side as usize].is_moved[node])
        };
        Side::BOTH.into_iter().any(|side| is_moved(one, side) && is_moved(other, side.other()))
    }

    fn walk(&self, rows: &[Vec<Spot>], kin: KinId, order: &mut Vec<KinId>) {
        order.push(kin);
        for spot in &rows[kin] {
            match spot {
                Spot::Kin(kin) => self.walk(rows, *kin, order),
                Spot::Gap(sides) => sides.iter().flatten().for_each(|kin| self.walk(rows, *kin, order)),
            }
        }
    }
}

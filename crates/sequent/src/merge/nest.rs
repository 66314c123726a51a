//! Nesting: what stays of three trees, and what it stands in.
//!
//! A kin stands in whatever both sides kept around it, and in what either drew around it. For a block that a side drew around old content that is asked of all its content,
//! so that blocks of both sides nest as their contents do. What was added stands where its side put it, or with the neighbours between which
//! it was put; comments hold to what follows, notes and bars to what precedes, wherever that goes. Where no tree comes of it there is [trouble](Trouble).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::kin::{Family, KinId, Trio, version};
use super::order::Side;
use super::tree::{Kind, NodeId};

/// What cannot be merged node by node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// These have no place that suits both sides: the smallest stretch around them is taken as a whole.
    Tie(Vec<KinId>, &'static str),
    /// One side deleted this with all it holds, the other changed it.
    Lose(KinId),
    /// Both sides moved this, to different places.
    Split(KinId),
}

/// What stays, and what it stands in.
pub struct Nest {
    /// Whether a kin is in the result.
    pub is_there: Vec<bool>,
    /// What it stands in; 0 is the diagram.
    pub parent: Vec<KinId>,
    /// Lines that a side added to a kin, before it and after it; they have no place of their own.
    pub bound: [BTreeMap<KinId, Vec<KinId>>; 2],
    /// Whether a kin is such a line.
    pub is_bound: Vec<bool>,
}

/// Before or after what a line is bound to.
pub const FRONT: usize = 0;
/// After it.
pub const BACK: usize = 1;

/// Nests all that stays.
pub fn nest(trio: &Trio<'_>, family: &Family) -> Result<Nest, Trouble> {
    let count = family.kins.len();
    let nest = Nest {
        is_there: vec![false; count],
        parent: vec![0; count],
        bound: Default::default(),
        is_bound: vec![false; count],
    };
    let mut nester = Nester { trio, family, nest, sets: vec![None; count], closed: vec![None; count] };
    nester.stay()?;
    nester.bind();
    nester.emptied()?;
    for kin in 0..count {
        if nester.nest.is_there[kin] && !nester.nest.is_bound[kin] && kin > 0 {
            nester.nest.parent[kin] = nester.parent(kin)?;
        }
    }
    nester.one_by_one()?;
    Ok(nester.nest)
}

pub(super) struct Nester<'n, 'v> {
    pub(super) trio: &'n Trio<'v>,
    pub(super) family: &'n Family,
    pub(super) nest: Nest,
    /// What is around a kin, as far as it is known.
    sets: Vec<Option<BTreeSet<KinId>>>,
    /// The same with all that is around that.
    closed: Vec<Option<Rc<BTreeSet<KinId>>>>,
}

impl Nester<'_, '_> {
    /// What a kin stands in.
    fn parent(&mut self, kin: KinId) -> Result<KinId, Trouble> {
        let set = self.all_around(kin)?;
        let mut chain: Vec<(usize, KinId)> = Vec::new();
        for outer in set.iter() {
            chain.push((self.all_around(*outer)?.len(), *outer));
        }
        chain.sort_unstable();
        // What is around one is around what stands in it: they nest if each has one more around it than the one before.
        let is_chain = chain.iter().enumerate().all(|(number, (count, _))| *count == number);
        if set.contains(&kin) || !is_chain {
            return Err(self.crossing(kin, &set));
        }
        let parent = chain.last().map_or(0, |(_, kin)| *kin);
        let is_sound = match (self.family.kins[kin].kind, self.family.kins[parent].kind) {
            (Kind::Operand, outer) => outer == Kind::Block,
            (Kind::Knot, _) => true,
            (Kind::Root | Kind::Block | Kind::Leaf, outer) => matches!(outer, Kind::Root | Kind::Operand),
        };
        if is_sound { Ok(parent) } else { Err(self.crossing(kin, &set)) }
    }

    fn crossing(&self, kin: KinId, set: &BTreeSet<KinId>) -> Trouble {
        let is_moved = |side: Side| {
            let around = |version: usize| self.family.around(self.trio, kin, version);
            self.is_moved(kin, side) && around(0) != around(version(side))
        };
        if self.family.kins[kin].kind == Kind::Leaf && is_moved(Side::Ours) && is_moved(Side::Theirs) {
            return Trouble::Split(kin);
        }
        let is_new = |kin: &&KinId| self.family.kins[**kin].nodes[0].is_none();
        let all = set.iter().filter(is_new).copied().chain([kin]).collect();
        Trouble::Tie(all, "both sides changed this, and blocks cross")
    }

    /// What is around a kin, and around all that is.
    fn all_around(&mut self, kin: KinId) -> Result<Rc<BTreeSet<KinId>>, Trouble> {
        if let Some(known) = &self.closed[kin] {
            return Ok(Rc::clone(known));
        }
        let mut all = self.set(kin)?;
        // Mostly it is the innermost of them and what is known to be around that.
        let known = all.iter().filter_map(|outer| self.closed[*outer].as_ref());
        let innermost = known.max_by_key(|known| known.len());
        let is_closed = innermost.is_some_and(|known| known.len() + 1 == all.len() && known.is_subset(&all));
        let mut waiting: Vec<KinId> = all.iter().copied().filter(|_| !is_closed).collect();
        while let Some(outer) = waiting.pop() {
            let more: Vec<KinId> = match &self.closed[outer] {
                Some(known) => known.difference(&all).copied().collect(),
                None => self.set(outer)?.difference(&all).copied().collect(),
            };
            // What is around a known one is known as well.
            let is_closed = self.closed[outer].is_some();
            all.extend(&more);
            waiting.extend(more.into_iter().filter(|_| !is_closed));
        }
        let all = Rc::new(all);
        self.closed[kin] = Some(Rc::clone(&all));
        Ok(all)
    }

    /// What the sides say is around a kin.
    fn set(&mut self, kin: KinId) -> Result<BTreeSet<KinId>, Trouble> {
        if kin == 0 {
            return Ok(BTreeSet::new());
        }
        if let Some(known) = &self.sets[kin] {
            return Ok(known.clone());
        }
        let known = &self.family.kins[kin];
        let set = match (known.kind, known.nodes) {
            (Kind::Operand, nodes) => {
                let version = (0..3).find(|version| nodes[*version].is_some()).unwrap_or(0);
                match self.family.parent(self.trio, kin, version) {
                    Some(block) => self.inside(block)?,
                    None => BTreeSet::new(),
                }
            }
            (_, [Some(_), Some(_), Some(_)]) => {
                let [base, mut ours, mut theirs] = [0, 1, 2].map(|version| self.around(kin, version));
                let left =
                    [self.left(kin, &base, &ours, Side::Ours), self.left(kin, &base, &theirs, Side::Theirs)];
                ours.retain(|outer| base.contains(outer) || !left[1].contains(outer));
                theirs.retain(|outer| base.contains(outer) || !left[0].contains(outer));
                self.united(&base, [&ours, &theirs])
            }
            (Kind::Block, [None, ..]) if !self.family.holds[kin].is_empty() => self.drawn(kin),
            (_, _) => {
                let parent = self.added(kin)?;
                self.inside(parent)?
            }
        };
        self.sets[kin] = Some(set.clone());
        Ok(set)
    }

    fn inside(&mut self, kin: KinId) -> Result<BTreeSet<KinId>, Trouble> {
        let mut set = self.set(kin)?;
        if kin > 0 {
            set.insert(kin);
        }
        Ok(set)
    }

    fn around(&self, kin: KinId, version: usize) -> BTreeSet<KinId> {
        self.family.around(self.trio, kin, version).into_iter().collect()
    }

    /// What the other side has around blocks that are still there on this side and out of which it moved something, and not
    /// around the place where it is now.
    fn left(&self, kin: KinId, base: &BTreeSet<KinId>, now: &BTreeSet<KinId>, side: Side) -> BTreeSet<KinId> {
        let (own, other) = (version(side), version(side.other()));
        let is_left = |outer: &&KinId| !now.contains(outer) && self.family.kins[**outer].nodes[own].is_some();
        let around = |kin: &KinId| self.around(*kin, other);
        let mut left: BTreeSet<KinId> = base.iter().filter(is_left).flat_map(around).collect();
        if left.is_empty() {
            return left;
        }
        // What came along says nothing about the place.
        let came =
            |near: &KinId| base.iter().filter(is_left).any(|outer| self.around(*near, 0).contains(outer));
        let near =
            self.family.kins[kin].nodes[own].map(|node| self.neighbours(own, node, &|near| !came(near)));
        let [before, after] = near.unwrap_or_default().map(|near| near.as_ref().map(around));
        let between: BTreeSet<KinId> = match (before, after) {
            (Some(before), Some(after)) => before.intersection(&after).copied().collect(),
            (_, _) => BTreeSet::new(),
        };
        let here: BTreeSet<KinId> = now.iter().flat_map(around).chain(between).collect();
        left.retain(|outer| !here.contains(outer));
        left
    }

    /// What both sides kept and what either added.
    fn united(&self, base: &BTreeSet<KinId>, [ours, theirs]: [&BTreeSet<KinId>; 2]) -> BTreeSet<KinId> {
        let is_in = |kin: &KinId| match base.contains(kin) {
            true => ours.contains(kin) && theirs.contains(kin),
            false => true,
        };
        let all = ours.union(theirs).filter(|kin| is_in(kin) && self.nest.is_there[**kin]);
        all.copied().collect()
    }

    /// What is around a block that was drawn around old content: asked of all of it.
    fn drawn(&self, kin: KinId) -> BTreeSet<KinId> {
        let held = &self.family.wraps[kin];
        let common = |version: usize| {
            let mut sets = held.iter().map(|inner| self.around(*inner, version));
            let first = sets.next().unwrap_or_default();
            sets.fold(first, |all, set| all.intersection(&set).copied().collect())
        };
        let base = common(0);
        let sides = Side::BOTH.map(|side| match self.family.kins[kin].nodes[version(side)] {
            Some(_) => self.around(kin, version(side)),
            None => common(version(side)),
        });
        let mut set = self.united(&base, [&sides[0], &sides[1]]);
        // Of blocks around the same content ours is outside.
        let is_ours = self.family.kins[kin].adder() == Some(Side::Ours);
        set.retain(|outer| *outer != kin && !(is_ours && self.is_alike(*outer, kin)));
        set
    }

    /// Whether a block, or the one of which it is an operand, was drawn by the other side around the same content.
    fn is_alike(&self, outer: KinId, kin: KinId) -> bool {
        let known = &self.family.kins[outer];
        known.adder() == Some(Side::Theirs)
            && known.nodes[1].is_none()
            && self.family.holds[outer] == self.family.holds[kin]
    }

    /// Where something stands that one side alone has.
    fn added(&mut self, kin: KinId) -> Result<KinId, Trouble> {
        let known = &self.family.kins[kin];
        let side = match known.nodes {
            [_, Some(_), _] => Side::Ours,
            [_, None, _] => Side::Theirs,
        };
        let own = version(side);
        let Some(node) = known.nodes[own] else { return Ok(0) };
        let parent = self.trio.trees[own].nodes[node].parent;
        let outer = self.family.of[own][parent];
        let [before, after] = self.neighbours(own, node, &|_| true);
        if self.nest.is_there[outer] {
            let (Some(before), Some(after)) = (before, after) else { return Ok(outer) };
            let common: BTreeSet<KinId> =
                self.set(before)?.intersection(&self.set(after)?).copied().collect();
            if outer > 0 && !common.contains(&outer) {
                return Ok(outer);
            }
            // Both neighbours stand in something that the other side drew.
            let mut deepest = (self.inside(outer)?.len(), outer);
            for inner in common {
                let depth = self.inside(inner)?.len();
                if depth > deepest.0 && self.family.kins[inner].kind == Kind::Operand {
                    deepest = (depth, inner);
                }
            }
            return Ok(deepest.1);
        }
        if self.is_redrawn(outer, side.other()) {
            return Err(Trouble::Tie(
                vec![outer],
                "one side drew another block here, the other added to the old one",
            ));
        }
        match before.or(after) {
            Some(near) => self.parent(near),
            None => self.added(outer),
        }
    }

    /// Whether a side has something that stood in an old block, or operand, in a new one.
    fn is_redrawn(&self, outer: KinId, side: Side) -> bool {
        let Some(node) = self.family.kins[outer].nodes[0] else { return false };
        let base = &self.trio.trees[0];
        base.below(node).into_iter().filter(|inner| base.nodes[*inner].kind == Kind::Leaf).any(|inner| {
            let around = self.around(self.family.of[0][inner], version(side));
            around.iter().any(|kin| self.family.kins[*kin].nodes[0].is_none())
        })
    }

    /// The nearest nodes before and after one, beside it, that the other side has too and of which something is true.
    fn neighbours(&self, own: usize, node: NodeId, is_one: &dyn Fn(&KinId) -> bool) -> [Option<KinId>; 2] {
        let tree = &self.trio.trees[own];
        let siblings = &tree.nodes[tree.nodes[node].parent].children;
        let at = siblings.iter().position(|sibling| *sibling == node).unwrap_or(0);
        let kin = |node: &NodeId| self.family.of[own][*node];
        let is_common = |kin: &KinId| {
            let known = &self.family.kins[*kin];
            known.nodes.iter().all(Option::is_some)
                && self.nest.is_there[*kin]
                && known.kind != Kind::Operand
                && is_one(kin)
        };
        [
            siblings[..at].iter().rev().map(kin).find(is_common),
            siblings[at + 1..].iter().map(kin).find(is_common),
        ]
    }

    /// Blocks of both sides with the same first line around some of the same content are an attempt at the same thing.
    fn one_by_one(&self) -> Result<(), Trouble> {
        let blocks = |side: Side| {
            let kins = self.family.kins.iter().enumerate();
            kins.filter(move |(kin, known)| {
                let is_alone = known.nodes[version(side.other())].is_none();
                known.kind == Kind::Block
                    && known.adder() == Some(side)
                    && is_alone
                    && !self.family.holds[*kin].is_empty()
            })
        };
        let key = |kin: KinId, version: usize| {
            let node = self.family.kins[kin].nodes[version]?;
            self.trio.line(version, node).map(|piece| &piece.key)
        };
        for (ours, _) in blocks(Side::Ours) {
            for (theirs, _) in blocks(Side::Theirs) {
                let held = &self.family.holds[theirs];
                let is_shared = self.family.holds[ours].iter().any(|kin| held.contains(kin));
                if is_shared && key(ours, 1) == key(theirs, 2) {
                    return Err(Trouble::Tie(
                        vec![ours, theirs],
                        "both sides changed this, and blocks cross",
                    ));
                }
            }
        }
        Ok(())
    }
}

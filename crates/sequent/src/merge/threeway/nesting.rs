//! Nesting: which triple stands in which.
//!
//! A triple stands in the blocks that both sides kept around it, and in those that either drew around it. A block that a side drew around old content stands
//! in what is around all of this content, so that blocks of both sides nest as their contents do. An addition stands where its side put it, or
//! with the neighbours between which it was put. If the result is no tree there is a [conflict](TreeConflict).

use std::collections::BTreeSet;
use std::rc::Rc;

use super::conflict::TreeConflict;
use super::presence::{Presence, is_moved_statement};
use crate::merge::matching::{TripleId, Triples};
use crate::merge::read::NodeKind;
use crate::merge::side::RevisionSide;

/// The merged tree: which triples are in it, and which stands in which.
pub(super) struct MergedTree<'m, 't, 'v> {
    /// All triples.
    pub(super) triples: &'m Triples<'t, 'v>,
    /// Which of them are in the tree.
    pub(super) presence: Presence,
    /// For each of these the one that it stands in; 0 is the diagram.
    pub(super) parents: Vec<TripleId>,
}

impl<'m, 't, 'v> MergedTree<'m, 't, 'v> {
    /// Nests all triples of the result.
    pub(super) fn of(triples: &'m Triples<'t, 'v>) -> Result<Self, TreeConflict> {
        let presence = Presence::of(triples)?;
        let count = presence.is_present.len();
        let mut parents = vec![0; count];
        let (around, closed) = (vec![None; count], vec![None; count]);
        let mut nester = Nester { triples, presence: &presence, around, closed };
        for (id, parent) in parents.iter_mut().enumerate().skip(1) {
            if presence.is_placed(id) {
                *parent = nester.parent(id)?;
            }
        }
        reject_double_wrapping(triples)?;
        Ok(MergedTree { triples, presence, parents })
    }
}

type Enclosing = BTreeSet<TripleId>;

struct Nester<'n, 't, 'v> {
    triples: &'n Triples<'t, 'v>,
    presence: &'n Presence,
    /// What the sides say is around a triple, as far as it is known.
    around: Vec<Option<Enclosing>>,
    /// The same with all that is around that.
    closed: Vec<Option<Rc<Enclosing>>>,
}

impl Nester<'_, '_, '_> {
    /// Returns the triple that a triple stands in.
    fn parent(&mut self, id: TripleId) -> Result<TripleId, TreeConflict> {
        let all = self.closure(id)?;
        let mut chain: Vec<(usize, TripleId)> = Vec::new();
        for outer in all.iter() {
            chain.push((self.closure(*outer)?.len(), *outer));
        }
        chain.sort_unstable();
        // The closures are nested, so they form a chain if each has one more element than the one before.
        let is_chain = chain.iter().enumerate().all(|(number, (count, _))| *count == number);
        let parent = chain.last().map_or(0, |(_, id)| *id);
        let is_sound = match (self.triples[id].kind, self.triples[parent].kind) {
            (NodeKind::Operand, outer) => outer == NodeKind::Block,
            (NodeKind::Region, _) => true,
            (NodeKind::Root | NodeKind::Block | NodeKind::Leaf, outer) => {
                matches!(outer, NodeKind::Root | NodeKind::Operand)
            }
        };
        if is_chain && is_sound && !all.contains(&id) { Ok(parent) } else { Err(self.crossing(id, &all)) }
    }

    fn crossing(&self, id: TripleId, all: &Enclosing) -> TreeConflict {
        let triples = self.triples;
        let is_moved = |side: RevisionSide| {
            is_moved_statement(triples, id, side)
                && triples.ancestors(id, 0) != triples.ancestors(id, side.version())
        };
        if triples[id].kind == NodeKind::Leaf && RevisionSide::BOTH.into_iter().all(is_moved) {
            return TreeConflict::Moved(id);
        }
        let new = all.iter().copied().filter(|outer| triples[*outer].is_new());
        TreeConflict::Region(new.chain([id]).collect(), "both sides changed this, and blocks cross")
    }

    /// Returns what is around a triple, and around all of that.
    fn closure(&mut self, id: TripleId) -> Result<Rc<Enclosing>, TreeConflict> {
        if let Some(known) = &self.closed[id] {
            return Ok(Rc::clone(known));
        }
        let mut all = self.around(id)?;
        // In most cases it is the innermost triple and its closure.
        let known = all.iter().filter_map(|outer| self.closed[*outer].as_ref());
        let innermost = known.max_by_key(|known| known.len());
        let is_closed = innermost.is_some_and(|known| known.len() + 1 == all.len() && known.is_subset(&all));
        let mut waiting: Vec<TripleId> = all.iter().copied().filter(|_| !is_closed).collect();
        while let Some(outer) = waiting.pop() {
            let known = self.closed[outer].clone();
            let more: Vec<TripleId> = match &known {
                Some(known) => known.difference(&all).copied().collect(),
                None => self.around(outer)?.difference(&all).copied().collect(),
            };
            all.extend(&more);
            // The closure of a known one is closed.
            waiting.extend(more.into_iter().filter(|_| known.is_none()));
        }
        let all = Rc::new(all);
        self.closed[id] = Some(Rc::clone(&all));
        Ok(all)
    }

    /// Returns what the sides say is around a triple.
    fn around(&mut self, id: TripleId) -> Result<Enclosing, TreeConflict> {
        if id == 0 {
            return Ok(Enclosing::new());
        }
        if let Some(known) = &self.around[id] {
            return Ok(known.clone());
        }
        let triple = &self.triples[id];
        let around = if triple.kind == NodeKind::Operand {
            let version = (0..3).find(|version| triple.nodes[*version].is_some()).unwrap_or(0);
            match self.triples.parent(id, version) {
                Some(block) => self.inside(block)?,
                None => Enclosing::new(),
            }
        } else if triple.is_everywhere() {
            let [base, mut ours, mut theirs] = [0, 1, 2].map(|version| self.drawn_around(id, version));
            let left = [
                self.left(id, &base, &ours, RevisionSide::Ours),
                self.left(id, &base, &theirs, RevisionSide::Theirs),
            ];
            ours.retain(|outer| base.contains(outer) || !left[1].contains(outer));
            theirs.retain(|outer| base.contains(outer) || !left[0].contains(outer));
            self.united(&base, [&ours, &theirs])
        } else if triple.kind == NodeKind::Block && triple.is_new() && !self.triples.holds[id].is_empty() {
            self.around_wrapped(id)
        } else {
            let parent = self.parent_of_addition(id)?;
            self.inside(parent)?
        };
        self.around[id] = Some(around.clone());
        Ok(around)
    }

    /// Returns a triple and what is around it.
    fn inside(&mut self, id: TripleId) -> Result<Enclosing, TreeConflict> {
        let mut around = self.around(id)?;
        if id > 0 {
            around.insert(id);
        }
        Ok(around)
    }

    fn drawn_around(&self, id: TripleId, version: usize) -> Enclosing {
        self.triples.ancestors(id, version).into_iter().collect()
    }

    /// Returns what the other side has around blocks out of which this side moved a triple and that are still there, and not
    /// around the place where it is now.
    fn left(&self, id: TripleId, base: &Enclosing, now: &Enclosing, side: RevisionSide) -> Enclosing {
        let (own, other) = (side.version(), side.other().version());
        let is_left = |outer: &&TripleId| !now.contains(outer) && self.triples[**outer].nodes[own].is_some();
        let around = |id: &TripleId| self.drawn_around(*id, other);
        let mut left: Enclosing = base.iter().filter(is_left).flat_map(around).collect();
        if left.is_empty() {
            return left;
        }
        // Neighbours that were moved along say nothing about the place.
        let was_inside = |near: &TripleId| {
            base.iter().filter(is_left).any(|outer| self.drawn_around(*near, 0).contains(outer))
        };
        let near = self.neighbours(own, id, &|near| !was_inside(near));
        let between: Enclosing = match near.map(|near| near.as_ref().map(around)) {
            [Some(before), Some(after)] => before.intersection(&after).copied().collect(),
            [_, _] => Enclosing::new(),
        };
        let here: Enclosing = now.iter().flat_map(around).chain(between).collect();
        left.retain(|outer| !here.contains(outer));
        left
    }

    /// Returns what both sides kept and what either added.
    fn united(&self, base: &Enclosing, [ours, theirs]: [&Enclosing; 2]) -> Enclosing {
        let is_in = |id: &TripleId| !base.contains(id) || (ours.contains(id) && theirs.contains(id));
        let all = ours.union(theirs).filter(|id| is_in(id) && self.presence.is_present[**id]);
        all.copied().collect()
    }

    /// Returns what is around a block that was drawn around old content: what is around all of this content.
    fn around_wrapped(&self, id: TripleId) -> Enclosing {
        let common = |version: usize| {
            let mut sets = self.triples.wraps[id].iter().map(|inner| self.drawn_around(*inner, version));
            let first = sets.next().unwrap_or_default();
            sets.fold(first, |all, set| all.intersection(&set).copied().collect())
        };
        let sides = [1, 2].map(|version| match self.triples[id].nodes[version] {
            Some(_) => self.drawn_around(id, version),
            None => common(version),
        });
        let mut around = self.united(&common(0), [&sides[0], &sides[1]]);
        // Of blocks around the same content ours is outside.
        let is_ours = self.triples[id].adder() == Some(RevisionSide::Ours);
        around.retain(|outer| *outer != id && !(is_ours && self.is_alike(*outer, id)));
        around
    }

    /// Whether a block, or the block of an operand, was drawn by their side around the same content.
    fn is_alike(&self, outer: TripleId, id: TripleId) -> bool {
        self.triples[outer].adder() == Some(RevisionSide::Theirs)
            && self.triples.holds[outer] == self.triples.holds[id]
    }

    /// Returns the triple in which something stands that one side alone has.
    fn parent_of_addition(&mut self, id: TripleId) -> Result<TripleId, TreeConflict> {
        let side =
            if self.triples[id].nodes[1].is_some() { RevisionSide::Ours } else { RevisionSide::Theirs };
        let Some(outer) = self.triples.parent(id, side.version()) else { return Ok(0) };
        let near = self.neighbours(side.version(), id, &|_| true);
        if self.presence.is_present[outer] {
            let [Some(before), Some(after)] = near else { return Ok(outer) };
            let common: Enclosing =
                self.around(before)?.intersection(&self.around(after)?).copied().collect();
            if outer > 0 && !common.contains(&outer) {
                return Ok(outer);
            }
            // Both neighbours may stand in an operand that the other side drew.
            let mut deepest = (self.inside(outer)?.len(), outer);
            for inner in common {
                let depth = self.inside(inner)?.len();
                if depth > deepest.0 && self.triples[inner].kind == NodeKind::Operand {
                    deepest = (depth, inner);
                }
            }
            return Ok(deepest.1);
        }
        if self.is_redrawn(outer, side.other()) {
            let why = "one side drew another block here, the other added to the old one";
            return Err(TreeConflict::Region(vec![outer], why));
        }
        let Some(near) = near[0].or(near[1]) else { return self.parent_of_addition(outer) };
        // The neighbour may be the content of a block that this side drew, and the addition stands beside that block.
        let around = self.triples.ancestors(id, side.version());
        let mut parent = self.parent(near)?;
        while self.triples[parent].nodes[side.version()].is_some() && parent != 0 && !around.contains(&parent)
        {
            parent = self.parent(parent)?;
        }
        Ok(parent)
    }

    /// Whether a side has some of the content of an old block or operand in a new one.
    fn is_redrawn(&self, outer: TripleId, side: RevisionSide) -> bool {
        self.triples.below(outer, 0).into_iter().any(|inner| {
            let mut around = self.triples.ancestors(inner, side.version()).into_iter();
            self.triples[inner].kind == NodeKind::Leaf && around.any(|outer| self.triples[outer].is_new())
        })
    }

    /// Returns the nearest siblings of a triple in a version, before and after it, that are in the result, in all versions, and of which `is_one` holds. For a block
    /// that this side drew around old content the nearest part of this content counts.
    fn neighbours(
        &self,
        version: usize,
        id: TripleId,
        is_one: &dyn Fn(&TripleId) -> bool,
    ) -> [Option<TripleId>; 2] {
        let siblings = self.triples.parent(id, version).map(|parent| self.triples.children(parent, version));
        let siblings = siblings.unwrap_or_default();
        let at = siblings.iter().position(|sibling| *sibling == id).unwrap_or(0);
        let is_common = |id: &TripleId| {
            self.triples[*id].is_everywhere()
                && self.presence.is_present[*id]
                && self.triples[*id].kind != NodeKind::Operand
                && is_one(id)
        };
        let content = |id: TripleId| -> Vec<TripleId> {
            let triple = &self.triples[id];
            if !triple.is_new() || triple.kind != NodeKind::Block {
                return vec![id];
            }
            let mut inside = self.triples.wraps[id].clone();
            inside.sort_by_key(|inner| self.triples.place(*inner, version));
            inside
        };
        let mut before = siblings[..at].iter().rev().flat_map(|id| content(*id).into_iter().rev());
        let mut after = siblings.iter().skip(at + 1).flat_map(|id| content(*id));
        [before.find(is_common), after.find(is_common)]
    }
}

/// Fails if both sides drew blocks with the same first line around some of the same content.
fn reject_double_wrapping(triples: &Triples<'_, '_>) -> Result<(), TreeConflict> {
    let wrapping = |side: RevisionSide| {
        triples.ids().filter(move |id| {
            let triple = &triples[*id];
            triple.kind == NodeKind::Block
                && triple.adder() == Some(side)
                && triple.nodes[side.other().version()].is_none()
                && !triples.holds[*id].is_empty()
        })
    };
    for ours in wrapping(RevisionSide::Ours) {
        for theirs in wrapping(RevisionSide::Theirs) {
            let held = &triples.holds[theirs];
            let is_shared = triples.holds[ours].iter().any(|id| held.contains(id));
            if is_shared && triples.key(ours, 1) == triples.key(theirs, 2) {
                let why = "both sides changed this, and blocks cross";
                return Err(TreeConflict::Region(vec![ours, theirs], why));
            }
        }
    }
    Ok(())
}

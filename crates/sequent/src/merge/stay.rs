//! What stays of three trees, and what is bound to what.
//!
//! Deleted by one side and left alone by the other, it goes. A statement that the other side edited or moved (past more than its neighbour) stays, and so
//! does one to which it added a note or a bar; a block of which nothing is left and that the other side changed is [trouble](Trouble).

use super::gap::Hold;
use super::kin::{KinId, version};
use super::nest::{BACK, FRONT, Nester, Trouble};
use super::order::Side;
use super::piece::Word;
use super::tree::{Kind, NodeId};

impl Nester<'_, '_> {
    /// Decides what stays.
    pub(super) fn stay(&mut self) -> Result<(), Trouble> {
        for kin in 0..self.family.kins.len() {
            let known = &self.family.kins[kin];
            self.nest.is_there[kin] = match (known.nodes, known.deleter()) {
                ([None, None, None] | [Some(_), None, None], _) => false,
                (_, None) => true,
                (_, Some(side)) => self.outlives(kin, side)?,
            };
        }
        let needed: Vec<KinId> = (0..self.family.kins.len()).filter(|kin| self.is_named_anew(*kin)).collect();
        needed.into_iter().for_each(|kin| self.nest.is_there[kin] = true);
        Ok(())
    }

    /// Whether a side deleted a participant and no longer speaks of it, and the other does in something that it added.
    fn is_named_anew(&self, kin: KinId) -> bool {
        let known = &self.family.kins[kin];
        let (Some(side), Some(node), Word::Participant) = (known.deleter(), known.nodes[0], known.word)
        else {
            return false;
        };
        let Some(name) = self.trio.line(0, node).map(|piece| &piece.subject) else { return false };
        let speaks = |version: usize, node: NodeId| {
            let piece = self.trio.line(version, node).filter(|piece| piece.word.is_event());
            piece.is_some_and(|piece| piece.names.iter().any(|(known, _)| known == name))
        };
        let (own, other) = (version(side), version(side.other()));
        let is_new = |node: &NodeId| self.family.kins[self.family.of[other][*node]].nodes[0].is_none();
        !self.trio.trees[own].below(0).into_iter().any(|node| speaks(own, node))
            && self.trio.trees[other].below(0).iter().any(|node| is_new(node) && speaks(other, *node))
    }

    /// Whether something stays that a side deleted.
    fn outlives(&self, kin: KinId, side: Side) -> Result<bool, Trouble> {
        let other = side.other();
        let is_edited = self.family.is_edited(self.trio, kin, other);
        match self.family.kins[kin].kind {
            Kind::Root => Ok(true),
            Kind::Knot => Ok(is_edited),
            Kind::Leaf => Ok(is_edited || (self.is_moved(kin, other) && !self.is_swapped(kin, other))),
            Kind::Block | Kind::Operand => {
                let outer = self.family.parent(self.trio, kin, 0);
                let is_part = self.family.kins[kin].kind == Kind::Operand
                    && outer.is_some_and(|outer| self.family.kins[outer].deleter() == Some(side));
                if is_part {
                    return Ok(false);
                }
                let is_first = self.family.kins[kin].nodes[0]
                    .is_some_and(|node| self.trio.trees[0].nodes[node].first.is_none());
                match (self.is_unwrapped(kin, side), is_edited || self.is_changed_inside(kin, other)) {
                    (false, true) if is_first => Err(Trouble::Tie(
                        vec![outer.unwrap_or(kin)],
                        "one side deleted a part of this block, the other changed it",
                    )),
                    (false, true) => Err(Trouble::Lose(kin)),
                    (true, _) if is_edited => {
                        Err(Trouble::Tie(vec![kin], "one side took this block away, the other changed it"))
                    }
                    (_, _) => Ok(false),
                }
            }
        }
    }

    /// Whether a side passed others with a statement that the other side deleted.
    pub(super) fn is_moved(&self, kin: KinId, side: Side) -> bool {
        let node = self.family.kins[kin].nodes[0];
        node.is_some_and(|node| self.trio.pairs[side as usize].is_moved[node])
            && !matches!(self.family.kins[kin].word, Word::Blank | Word::Comment | Word::Life)
    }

    /// Whether a side only changed places of a statement and its neighbour: then it may as well be the neighbour that was moved.
    fn is_swapped(&self, kin: KinId, side: Side) -> bool {
        let parents = [0, version(side)].map(|version| self.family.parent(self.trio, kin, version));
        let [Some(parent), Some(now)] = parents else { return false };
        let place = |kin: KinId, version: usize| {
            self.family.kins[kin].nodes[version].map(|node| self.family.place[version][node])
        };
        let is_passed = |other: &KinId| {
            let before = place(kin, 0).zip(place(*other, 0)).map(|(one, other)| one < other);
            let after = place(kin, version(side)).zip(place(*other, version(side)));
            after.map(|(one, other)| one < other) != before && after.is_some()
        };
        let node = self.family.kins[parent].nodes[0];
        let beside = node.map(|node| &self.trio.trees[0].nodes[node].children).into_iter().flatten();
        let beside = beside.map(|node| self.family.of[0][*node]);
        let passed: Vec<KinId> =
            beside.filter(|other| self.family.kins[*other].word.is_event() && is_passed(other)).collect();
        parent == now && passed.len() == 1 && self.family.kins[passed[0]].kind == Kind::Leaf
    }

    fn kins_below(&self, kin: KinId, version: usize) -> Vec<KinId> {
        let node = self.family.kins[kin].nodes[version];
        let below = node.map(|node| self.trio.trees[version].below(node)).unwrap_or_default();
        below.into_iter().map(|node| self.family.of[version][node]).collect()
    }

    /// Whether a side kept something of what stood in a block.
    fn is_unwrapped(&self, kin: KinId, side: Side) -> bool {
        let counts = |kin: &KinId| {
            let known = &self.family.kins[*kin];
            known.kind == Kind::Knot || (known.kind == Kind::Leaf && !is_light(known.word))
        };
        let mut below = self.kins_below(kin, 0).into_iter().filter(counts);
        below.any(|kin| self.family.kins[kin].nodes[version(side)].is_some())
    }

    /// Whether a side added something to a block, or changed something in it.
    fn is_changed_inside(&self, kin: KinId, side: Side) -> bool {
        let own = self.kins_below(kin, version(side));
        own.into_iter().skip(1).any(|inner| {
            let is_elsewhere = self.family.parent(self.trio, inner, 0)
                != self.family.parent(self.trio, inner, version(side));
            self.family.kins[inner].word != Word::Blank
                && (is_elsewhere || self.family.is_edited(self.trio, inner, side))
        })
    }

    /// Binds comments that a side added to what follows, notes and bars to what precedes.
    pub(super) fn bind(&mut self) {
        for side in Side::BOTH {
            let own = version(side);
            let tree = &self.trio.trees[own];
            for parent in tree.below(0) {
                let kins: Vec<KinId> =
                    tree.nodes[parent].children.iter().map(|node| self.family.of[own][*node]).collect();
                self.bind_back(&kins);
                self.bind_front(&kins);
            }
        }
    }

    fn bind_back(&mut self, kins: &[KinId]) {
        let mut target: Option<KinId> = None;
        for kin in kins {
            let known = &self.family.kins[*kin];
            let is_new = known.nodes[0].is_none();
            match (is_new && known.kind == Kind::Leaf, known.word.hold()) {
                (true, Hold::Before) => {
                    if let Some(target) = target {
                        // Whoever added to it wants it to stay.
                        self.nest.is_there[target] = true;
                        self.tie_to(target, BACK, *kin);
                    }
                }
                _ if is_new => target = None,
                _ if self.nest.is_there[*kin] => target = Some(*kin),
                _ if known.kind == Kind::Block => target = None,
                _ if known.word.is_event() => target = Some(*kin),
                _ => {}
            }
        }
    }

    fn bind_front(&mut self, kins: &[KinId]) {
        let mut target: Option<KinId> = None;
        for kin in kins.iter().rev() {
            let known = &self.family.kins[*kin];
            let is_new = known.nodes[0].is_none();
            match is_new && known.kind == Kind::Leaf && is_remark(known.word) {
                true => {
                    if let Some(target) = target {
                        self.tie_to(target, FRONT, *kin);
                    }
                }
                false => target = Some(*kin).filter(|kin| !is_new && self.nest.is_there[*kin]),
            }
        }
    }

    fn tie_to(&mut self, target: KinId, where_to: usize, kin: KinId) {
        let lines = self.nest.bound[where_to].entry(target).or_default();
        match where_to {
            FRONT => lines.insert(0, kin),
            _ => lines.push(kin),
        }
        self.nest.is_bound[kin] = true;
    }

    /// What a side drew around things that the other deleted must not stay empty.
    pub(super) fn emptied(&self) -> Result<(), Trouble> {
        for (kin, known) in self.family.kins.iter().enumerate() {
            let holds = matches!(known.kind, Kind::Block | Kind::Operand);
            let Some(side) = known.adder().filter(|_| holds) else { continue };
            let below = self.kins_below(kin, version(side)).into_iter();
            let inside: Vec<KinId> = below
                .filter(|kin| {
                    let known = &self.family.kins[*kin];
                    known.kind == Kind::Leaf && !is_light(known.word)
                })
                .collect();
            let is_empty = !inside.is_empty() && inside.iter().all(|kin| !self.nest.is_there[*kin]);
            if is_empty {
                return Err(Trouble::Tie(inside, "one side drew a block around this, the other deleted it"));
            }
        }
        Ok(())
    }
}

/// Whether a line is too common to tell what a block is about.
fn is_light(word: Word) -> bool {
    matches!(word, Word::Blank | Word::Comment | Word::Life | Word::Create | Word::Together)
}

/// Whether a line says something about what follows.
fn is_remark(word: Word) -> bool {
    matches!(word, Word::Blank | Word::Comment | Word::Create | Word::Together)
}

//! Kins: the nodes of three trees that are the same thing.
//!
//! A node of the base and its pairs are one kin; what a side added is one by itself, unless both added it: a block around the same content,
//! a participant of the same name, the same statement where order says nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::order::Side;
use super::pair::{Pairs, pair};
use super::piece::{Piece, Word, Zone};
use super::tree::{Kind, NodeId, Tree};

/// A kin, by its number; 0 is the diagram.
pub type KinId = usize;

/// Three versions of a diagram: the common ancestor, ours, theirs.
pub struct Trio<'v> {
    /// The pieces of the files.
    pub pieces: [&'v [Piece]; 3],
    /// The trees.
    pub trees: [Tree; 3],
    /// Which nodes of the ancestor are which of each side.
    pub pairs: [Pairs; 2],
    /// Nodes of each side that the other moved elsewhere.
    pub contested: [BTreeSet<NodeId>; 2],
    /// Why a knot is one, by its node in the base.
    pub reasons: BTreeMap<NodeId, &'static str>,
    /// What kind of diagram it is.
    pub zone: Zone,
    /// Whether what both sides added alike is two.
    pub is_distinct: bool,
}

impl<'v> Trio<'v> {
    /// Pairs the nodes of three trees.
    pub fn new(pieces: [&'v [Piece]; 3], trees: [Tree; 3], zone: Zone, is_distinct: bool) -> Self {
        let base = (pieces[0], &trees[0]);
        let pairs = [pair(base, (pieces[1], &trees[1])), pair(base, (pieces[2], &trees[2]))];
        Trio {
            pieces,
            trees,
            pairs,
            contested: Default::default(),
            reasons: BTreeMap::new(),
            zone,
            is_distinct,
        }
    }

    /// The first line of a node.
    pub fn line(&self, version: usize, node: NodeId) -> Option<&'v Piece> {
        self.trees[version].nodes[node].first.map(|first| &self.pieces[version][first])
    }

    /// All lines of a node.
    pub fn text(&self, version: usize, node: NodeId) -> Vec<&'v str> {
        let range = self.trees[version].nodes[node].range.clone();
        self.pieces[version][range].iter().flat_map(|piece| piece.text.split('\n')).collect()
    }
}

/// The number of a side's version.
pub fn version(side: Side) -> usize {
    side as usize + 1
}

/// Nodes that are the same thing.
#[derive(Clone, Debug)]
pub struct Kin {
    /// In each version, where it is there.
    pub nodes: [Option<NodeId>; 3],
    /// What it is.
    pub kind: Kind,
    /// What its first line is; of an operand without one a divider.
    pub word: Word,
}

impl Kin {
    /// Who alone has it, if it was not there before.
    pub fn adder(&self) -> Option<Side> {
        match self.nodes {
            [None, Some(_), _] => Some(Side::Ours),
            [None, None, Some(_)] => Some(Side::Theirs),
            _ => None,
        }
    }

    /// Who deleted it, if the other side did not.
    pub fn deleter(&self) -> Option<Side> {
        match self.nodes {
            [Some(_), None, Some(_)] => Some(Side::Ours),
            [Some(_), Some(_), None] => Some(Side::Theirs),
            _ => None,
        }
    }
}

/// All kins of three trees.
pub struct Family {
    /// They.
    pub kins: Vec<Kin>,
    /// The kin of each node, by version.
    pub of: [Vec<KinId>; 3],
    /// Where each node comes in its version.
    pub place: [Vec<usize>; 3],
    /// For blocks and operands that are new: what was there before and stands in them.
    pub holds: Vec<Vec<KinId>>,
    /// Those of them that stand in no other of them.
    pub wraps: Vec<Vec<KinId>>,
}

impl Family {
    /// Finds the kins of three trees.
    pub fn of(trio: &Trio<'_>) -> Family {
        let place = [0, 1, 2].map(|version| {
            let tree = &trio.trees[version];
            let mut place = vec![usize::MAX; tree.nodes.len()];
            tree.below(0).into_iter().enumerate().for_each(|(at, node)| place[node] = at);
            place
        });
        let of = place.each_ref().map(|place| vec![usize::MAX; place.len()]);
        let mut family = Family { kins: Vec::new(), of, place, holds: Vec::new(), wraps: Vec::new() };
        for node in trio.trees[0].below(0) {
            let is_there = |version: usize, node: &NodeId| family.place[version][*node] != usize::MAX;
            let to = |side: usize| trio.pairs[side].to[node].filter(|node| is_there(side + 1, node));
            let nodes = [Some(node), to(0), to(1)];
            family.add(trio, nodes);
        }
        for side in Side::BOTH {
            for node in trio.trees[version(side)].below(0) {
                if family.of[version(side)][node] == usize::MAX {
                    let mut nodes = [None, None, None];
                    nodes[version(side)] = Some(node);
                    family.add(trio, nodes);
                }
            }
        }
        family.hold(trio);
        if !trio.is_distinct {
            family.twins(trio);
        }
        family
    }

    fn add(&mut self, trio: &Trio<'_>, nodes: [Option<NodeId>; 3]) {
        let id = self.kins.len();
        let known = nodes.iter().enumerate().filter_map(|(version, node)| Some((version, (*node)?)));
        let mut shape = None;
        for (version, node) in known {
            self.of[version][node] = id;
            let word = trio.line(version, node).map_or(Word::Divide, |piece| piece.word);
            shape = shape.or(Some((trio.trees[version].nodes[node].kind, word)));
        }
        let (kind, word) = shape.unwrap_or((Kind::Knot, Word::Blank));
        self.kins.push(Kin { nodes, kind, word });
    }

    /// What stands in new blocks and was there before, for both sides.
    fn hold(&mut self, trio: &Trio<'_>) {
        self.holds = vec![Vec::new(); self.kins.len()];
        self.wraps = self.holds.clone();
        for side in Side::BOTH {
            let (own, other) = (version(side), version(side.other()));
            let tree = &trio.trees[own];
            for node in tree.below(0) {
                let kin = self.of[own][node];
                let known = &self.kins[kin];
                let is_held = matches!(known.kind, Kind::Leaf | Kind::Knot | Kind::Block)
                    && known.nodes[0].is_some()
                    && known.nodes[other].is_some()
                    && known.word != Word::Blank;
                // What stands in an old block that was wrapped is held by that block, if the other side has it.
                let mut is_direct = true;
                for outer in tree.around(node).into_iter().rev().filter(|_| is_held) {
                    let outer = self.of[own][outer];
                    match self.kins[outer].nodes[0] {
                        None => {
                            self.holds[outer].push(kin);
                            self.wraps[outer].extend(is_direct.then_some(kin));
                        }
                        Some(_) => is_direct &= self.kins[outer].nodes[other].is_none(),
                    }
                }
            }
        }
        self.holds.iter_mut().for_each(|held| held.sort_unstable());
    }

    /// Makes one kin of what both sides added.
    fn twins(&mut self, trio: &Trio<'_>) {
        let added = |family: &Family, side: Side| -> Vec<KinId> {
            let kins = (0..family.kins.len()).filter(|kin| family.kins[*kin].adder() == Some(side));
            kins.collect()
        };
        let is_contested = |family: &Family, side: Side, kin: KinId| {
            let node = family.kins[kin].nodes[version(side)];
            node.is_some_and(|node| trio.contested[side as usize].contains(&node))
        };
        let [ours, theirs] = Side::BOTH.map(|side| {
            let mut all = added(self, side);
            all.retain(|kin| !is_contested(self, side, *kin));
            all
        });
        let line = |family: &Family, kin: KinId, version: usize| {
            family.kins[kin].nodes[version].and_then(|node| trio.line(version, node))
        };
        // Blocks around the same content: those with the same first line, else one each.
        let mut around: BTreeMap<Vec<KinId>, [Vec<KinId>; 2]> = BTreeMap::new();
        for (side, own) in [&ours, &theirs].into_iter().enumerate() {
            for kin in own.iter().filter(|kin| self.kins[**kin].kind == Kind::Block) {
                if !self.holds[*kin].is_empty() {
                    around.entry(self.holds[*kin].clone()).or_default()[side].push(*kin);
                }
            }
        }
        for [mut own, mut others] in around.into_values() {
            own.retain(|one| {
                let key = line(self, *one, 1).map(|piece| piece.key.clone());
                let is_same = |other: &KinId| line(self, *other, 2).map(|piece| piece.key.clone()) == key;
                let Some(at) = others.iter().position(is_same) else { return true };
                let other = others.remove(at);
                self.join_blocks(trio, *one, other);
                false
            });
            if let ([one], [other]) = (own.as_slice(), others.as_slice()) {
                self.join_blocks(trio, *one, *other);
            }
        }
        // What says nothing about order is there once.
        for one in ours {
            let Some(piece) = line(self, one, 1) else { continue };
            let is_set = trio.zone == Zone::Set && !matches!(piece.word, Word::Blank | Word::Comment);
            if !is_set && piece.word != Word::Participant {
                continue;
            }
            let is_twin = |other: &&KinId| {
                let Some(known) = line(self, **other, 2) else { return false };
                let is_same = match piece.word {
                    Word::Participant | Word::Open => known.subject == piece.subject,
                    _ => known.key == piece.key,
                };
                let is_free = self.kins[**other].nodes[1].is_none() && self.kins[one].nodes[2].is_none();
                let parent = |kin: KinId, version: usize| {
                    self.kins[kin].nodes[version]
                        .map(|node| self.of[version][trio.trees[version].nodes[node].parent])
                };
                let is_here = piece.word == Word::Participant || parent(one, 1) == parent(**other, 2);
                known.word == piece.word && is_same && is_free && is_here
            };
            if let Some(other) = theirs.iter().find(is_twin).copied() {
                match self.kins[one].kind {
                    Kind::Block => self.join_blocks(trio, one, other),
                    Kind::Root | Kind::Operand | Kind::Leaf | Kind::Knot => self.join(one, other),
                }
            }
        }
    }

    fn join(&mut self, ours: KinId, theirs: KinId) {
        let node = self.kins[theirs].nodes[2].take();
        self.kins[ours].nodes[2] = node;
        node.into_iter().for_each(|node| self.of[2][node] = ours);
    }

    /// Makes one kin of two blocks, and of their operands with the same content or the same first line.
    fn join_blocks(&mut self, trio: &Trio<'_>, ours: KinId, theirs: KinId) {
        let operands = |family: &Family, kin: KinId, version: usize| -> Vec<KinId> {
            let node = family.kins[kin].nodes[version];
            let children = node.map(|node| trio.trees[version].nodes[node].children.clone());
            children.unwrap_or_default().into_iter().map(|node| family.of[version][node]).collect()
        };
        let (own, mut others) = (operands(self, ours, 1), operands(self, theirs, 2));
        self.join(ours, theirs);
        for (at, one) in own.into_iter().enumerate() {
            let key = |kin: KinId, version: usize| {
                let node = self.kins[kin].nodes[version]?;
                trio.line(version, node).map(|piece| piece.key.clone())
            };
            let is_twin = |other: &KinId| {
                let is_first = key(*other, 2).is_none();
                let held = (&self.holds[one], &self.holds[*other]);
                let is_same = if held.0.is_empty() { at > 0 && key(one, 1) == key(*other, 2) } else { true };
                (at == 0 && is_first) || (at > 0 && !is_first && held.0 == held.1 && is_same)
            };
            if let Some(place) = others.iter().position(is_twin) {
                let other = others.remove(place);
                self.join(one, other);
            }
        }
    }

    /// The kins around a kin in a version, from the outermost on.
    pub fn around(&self, trio: &Trio<'_>, kin: KinId, version: usize) -> Vec<KinId> {
        let node = self.kins[kin].nodes[version];
        let around = node.map(|node| trio.trees[version].around(node)).unwrap_or_default();
        around.into_iter().map(|node| self.of[version][node]).collect()
    }

    /// What a kin stands in, in a version.
    pub fn parent(&self, trio: &Trio<'_>, kin: KinId, version: usize) -> Option<KinId> {
        let node = self.kins[kin].nodes[version]?;
        Some(self.of[version][trio.trees[version].nodes[node].parent])
    }

    /// Whether a side has another first line than the base.
    pub fn is_edited(&self, trio: &Trio<'_>, kin: KinId, side: Side) -> bool {
        let line = |version: usize| {
            let node = self.kins[kin].nodes[version]?;
            Some(trio.line(version, node))
        };
        match (line(0), line(version(side))) {
            (Some(Some(one)), Some(Some(other))) => !one.is_same(other),
            (Some(None), Some(None)) => self.kins[kin].kind == Kind::Knot && self.is_other(trio, kin, side),
            (Some(_), Some(_)) => true,
            (_, _) => false,
        }
    }

    /// Whether a knot is another in a side.
    fn is_other(&self, trio: &Trio<'_>, kin: KinId, side: Side) -> bool {
        let text = |version: usize| self.kins[kin].nodes[version].map(|node| trio.text(version, node));
        text(0) != text(version(side))
    }
}

//! Triples: nodes of the three trees that correspond.
//!
//! A node of the base and its matches are one triple; a node that a side added is one by itself, unless both added it: a block around the
//! same content, a participant of the same name, the same statement where order has no meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Index;

use super::nodes::match_nodes;
use super::operands::Matching;
use super::rewritten::{follow_rewritten, rewritten};
use crate::merge::read::{BlockTree, NodeId, NodeKind, Piece, PieceKind, SectionKind};
use crate::merge::side::RevisionSide;

/// The index of a triple; 0 is the diagram.
pub(in crate::merge) type TripleId = usize;

/// Three versions of a diagram and how they correspond; base, ours, theirs.
pub(in crate::merge) struct ThreeWay<'v> {
    /// The trees.
    pub trees: [BlockTree<'v>; 3],
    /// The matching of the base with each side.
    pub(crate) matchings: [Matching; 2],
    /// Nodes of each side that both sides moved, to different places or with different texts.
    pub(crate) contested: [BTreeSet<NodeId>; 2],
    /// The reasons for conflict regions, by their nodes in the base.
    pub reasons: BTreeMap<NodeId, &'static str>,
    /// What kind of diagram it is.
    pub section: SectionKind,
    /// Whether equal additions of both sides are kept twice.
    pub is_distinct: bool,
}

impl<'v> ThreeWay<'v> {
    /// Matches the nodes of three trees.
    pub(crate) fn new(trees: [BlockTree<'v>; 3], section: SectionKind, is_distinct: bool) -> Self {
        let mut matchings = [match_nodes(&trees[0], &trees[1]), match_nodes(&trees[0], &trees[2])];
        let contested = match section {
            SectionKind::Sequence => {
                follow_rewritten(&trees, &mut matchings);
                rewritten(&trees, &matchings)
            }
            SectionKind::Prose | SectionKind::Unordered => Default::default(),
        };
        let reasons = BTreeMap::new();
        ThreeWay { trees, matchings, contested, reasons, section, is_distinct }
    }
}

/// Nodes that correspond.
#[derive(Clone, Debug)]
pub(in crate::merge) struct Triple {
    /// The node in each version that has one.
    pub nodes: [Option<NodeId>; 3],
    /// What the nodes are.
    pub kind: NodeKind,
    /// The kind of the first line; of an operand without one `Divide`.
    pub(crate) piece_kind: PieceKind,
}

impl Triple {
    /// Returns the side that added it, ours if both did.
    pub(crate) fn adder(&self) -> Option<RevisionSide> {
        match self.nodes {
            [None, Some(_), _] => Some(RevisionSide::Ours),
            [None, None, Some(_)] => Some(RevisionSide::Theirs),
            _ => None,
        }
    }

    /// Returns the side that deleted it, if the other side did not.
    pub(crate) fn deleter(&self) -> Option<RevisionSide> {
        match self.nodes {
            [Some(_), None, Some(_)] => Some(RevisionSide::Ours),
            [Some(_), Some(_), None] => Some(RevisionSide::Theirs),
            _ => None,
        }
    }

    /// Whether the base does not have it.
    pub(crate) fn is_new(&self) -> bool {
        self.nodes[0].is_none()
    }

    /// Whether all versions have it.
    pub(crate) fn is_everywhere(&self) -> bool {
        self.nodes.iter().all(Option::is_some)
    }

    /// Whether it is a block or an operand.
    pub(crate) fn is_holder(&self) -> bool {
        matches!(self.kind, NodeKind::Block | NodeKind::Operand)
    }
}

/// All triples of three trees.
pub(in crate::merge) struct Triples<'t, 'v> {
    /// The three versions.
    pub versions: &'t ThreeWay<'v>,
    list: Vec<Triple>,
    /// The triple of each node, by version.
    of: [Vec<TripleId>; 3],
    /// The place of each node in its version, in preorder.
    place: [Vec<usize>; 3],
    /// For new blocks and operands: the old triples in them that the other side has too.
    pub holds: Vec<Vec<TripleId>>,
    /// The outermost of these.
    pub wraps: Vec<Vec<TripleId>>,
}

impl Index<TripleId> for Triples<'_, '_> {
    type Output = Triple;

    fn index(&self, id: TripleId) -> &Triple {
        &self.list[id]
    }
}

impl<'t, 'v> Triples<'t, 'v> {
    /// Finds the triples of three trees.
    pub(crate) fn of(versions: &'t ThreeWay<'v>) -> Self {
        let place = versions.trees.each_ref().map(|tree| {
            let mut place = vec![usize::MAX; tree.nodes.len()];
            tree.below(0).into_iter().enumerate().for_each(|(at, node)| place[node] = at);
            place
        });
        let of = place.each_ref().map(|place| vec![usize::MAX; place.len()]);
        let (list, holds, wraps) = Default::default();
        let mut triples = Triples { versions, list, of, place, holds, wraps };
        for node in versions.trees[0].below(0) {
            let is_there = |version: usize, node: &NodeId| triples.place[version][*node] != usize::MAX;
            let to = |side: RevisionSide| {
                let node = versions.matchings[side as usize].to[node];
                node.filter(|node| is_there(side.version(), node))
            };
            triples.add([Some(node), to(RevisionSide::Ours), to(RevisionSide::Theirs)]);
        }
        for version in [1, 2] {
            for node in versions.trees[version].below(0) {
                if triples.of[version][node] == usize::MAX {
                    let mut nodes = [None, None, None];
                    nodes[version] = Some(node);
                    triples.add(nodes);
                }
            }
        }
        triples.find_held();
        if !versions.is_distinct {
            triples.join_additions();
        }
        triples
    }

    fn add(&mut self, nodes: [Option<NodeId>; 3]) {
        let id = self.list.len();
        let mut shape = None;
        for (version, node) in
            nodes.iter().enumerate().filter_map(|(version, node)| Some((version, (*node)?)))
        {
            self.of[version][node] = id;
            let tree = &self.versions.trees[version];
            let piece_kind = tree.piece_kind(node).unwrap_or(PieceKind::Divide);
            shape = shape.or(Some((tree.kind(node), piece_kind)));
        }
        let (kind, piece_kind) = shape.unwrap_or((NodeKind::Region, PieceKind::Blank));
        self.list.push(Triple { nodes, kind, piece_kind });
    }

    /// Finds the old content of new blocks, for both sides.
    fn find_held(&mut self) {
        self.holds = vec![Vec::new(); self.list.len()];
        self.wraps = self.holds.clone();
        for side in RevisionSide::BOTH {
            let (own, other) = (side.version(), side.other().version());
            let tree = &self.versions.trees[own];
            for node in tree.below(0) {
                let id = self.of[own][node];
                let triple = &self.list[id];
                let is_held = matches!(triple.kind, NodeKind::Leaf | NodeKind::Region | NodeKind::Block)
                    && triple.is_everywhere()
                    && triple.piece_kind != PieceKind::Blank;
                // The content of an old block that was wrapped is wrapped with that block, if the other side has it.
                let mut is_direct = true;
                for outer in tree.ancestors(node).into_iter().rev().filter(|_| is_held) {
                    let outer = self.of[own][outer];
                    if self.list[outer].is_new() {
                        self.holds[outer].push(id);
                        self.wraps[outer].extend(is_direct.then_some(id));
                    } else {
                        is_direct &= self.list[outer].nodes[other].is_none();
                    }
                }
            }
        }
        self.holds.iter_mut().for_each(|held| held.sort_unstable());
    }

    /// Joins what both sides added.
    fn join_additions(&mut self) {
        let [ours, theirs] = RevisionSide::BOTH.map(|side| {
            let is_added = |id: &TripleId| self[*id].adder() == Some(side) && !self.is_contested(*id, side);
            self.ids().filter(is_added).collect::<Vec<TripleId>>()
        });
        self.join_wrapping_blocks([&ours, &theirs]);
        for one in ours {
            let Some(piece) = self.piece(one, 1) else { continue };
            let is_unordered = self.versions.section == SectionKind::Unordered
                && !matches!(piece.kind, PieceKind::Blank | PieceKind::Comment);
            let is_participant = piece.kind == PieceKind::Participant;
            if !is_unordered && !is_participant {
                continue;
            }
            let is_twin = |other: &&TripleId| {
                let Some(known) = self.piece(**other, 2) else { return false };
                let is_named = is_participant || piece.kind == PieceKind::Open;
                let is_same = if is_named { known.topic == piece.topic } else { known.key == piece.key };
                let is_free = self[**other].nodes[1].is_none() && self[one].nodes[2].is_none();
                let is_here = is_participant || self.parent(one, 1) == self.parent(**other, 2);
                known.kind == piece.kind && is_same && is_free && is_here
            };
            if let Some(other) = theirs.iter().find(is_twin).copied() {
                match self[one].kind {
                    NodeKind::Block => self.join_blocks(one, other),
                    NodeKind::Root | NodeKind::Operand | NodeKind::Leaf | NodeKind::Region => {
                        self.join(one, other);
                    }
                }
            }
        }
    }

    /// Joins blocks around the same content: those with the same first line, else a single one of each side.
    fn join_wrapping_blocks(&mut self, added: [&[TripleId]; 2]) {
        let mut around: BTreeMap<Vec<TripleId>, [Vec<TripleId>; 2]> = BTreeMap::new();
        for (side, own) in added.into_iter().enumerate() {
            for id in own.iter().filter(|id| self[**id].kind == NodeKind::Block) {
                if !self.holds[*id].is_empty() {
                    around.entry(self.holds[*id].clone()).or_default()[side].push(*id);
                }
            }
        }
        for [mut own, mut others] in around.into_values() {
            own.retain(|one| {
                let is_same = |other: &TripleId| self.key(*other, 2) == self.key(*one, 1);
                let Some(at) = others.iter().position(is_same) else { return true };
                self.join_blocks(*one, others.remove(at));
                false
            });
            if let ([one], [other]) = (own.as_slice(), others.as_slice()) {
                self.join_blocks(*one, *other);
            }
        }
    }

    fn join(&mut self, ours: TripleId, theirs: TripleId) {
        let node = self.list[theirs].nodes[2].take();
        self.list[ours].nodes[2] = node;
        node.into_iter().for_each(|node| self.of[2][node] = ours);
    }

    /// Joins two blocks, and their operands with the same content or the same first line.
    fn join_blocks(&mut self, ours: TripleId, theirs: TripleId) {
        let (own, mut others) = (self.children(ours, 1), self.children(theirs, 2));
        self.join(ours, theirs);
        for (at, one) in own.into_iter().enumerate() {
            let is_twin = |other: &TripleId| {
                let (key, held) = (self.key(*other, 2), &self.holds[one]);
                let is_same = *held == self.holds[*other] && (!held.is_empty() || self.key(one, 1) == key);
                if at == 0 { key.is_none() } else { key.is_some() && is_same }
            };
            if let Some(place) = others.iter().position(is_twin) {
                self.join(one, others.remove(place));
            }
        }
    }

    /// Returns all triples.
    pub(crate) fn ids(&self) -> impl Iterator<Item = TripleId> + use<> {
        0..self.list.len()
    }

    /// Returns the triple of a node.
    pub(crate) fn at(&self, version: usize, node: NodeId) -> TripleId {
        self.of[version][node]
    }

    /// Returns the first line of a triple in a version.
    pub(crate) fn piece(&self, id: TripleId, version: usize) -> Option<&'v Piece> {
        self[id].nodes[version].and_then(|node| self.versions.trees[version].piece(node))
    }

    /// Returns the first lines of a triple, by version.
    pub(crate) fn pieces(&self, id: TripleId) -> [Option<&'v Piece>; 3] {
        [0, 1, 2].map(|version| self.piece(id, version))
    }

    /// Returns the key of the first line of a triple in a version.
    pub(crate) fn key(&self, id: TripleId, version: usize) -> Option<&'v str> {
        self.piece(id, version).map(|piece| piece.key.as_str())
    }

    /// Returns the lines of a triple in a version.
    pub(crate) fn lines(&self, id: TripleId, version: usize) -> Vec<&'v str> {
        self[id].nodes[version].map(|node| self.versions.trees[version].lines(node)).unwrap_or_default()
    }

    /// Returns the place of a triple in a version, in preorder.
    pub(crate) fn place(&self, id: TripleId, version: usize) -> Option<usize> {
        self[id].nodes[version].map(|node| self.place[version][node])
    }

    /// Returns the triple that a triple stands in, in a version.
    pub(crate) fn parent(&self, id: TripleId, version: usize) -> Option<TripleId> {
        self[id].nodes[version].map(|node| self.of[version][self.versions.trees[version].parent(node)])
    }

    /// Returns the triples around a triple in a version, the outermost first.
    pub(crate) fn ancestors(&self, id: TripleId, version: usize) -> Vec<TripleId> {
        self.related(id, version, BlockTree::ancestors)
    }

    /// Returns a triple and those inside of it in a version, in preorder.
    pub(crate) fn below(&self, id: TripleId, version: usize) -> Vec<TripleId> {
        self.related(id, version, BlockTree::below)
    }

    /// Returns the children of a triple in a version.
    pub(crate) fn children(&self, id: TripleId, version: usize) -> Vec<TripleId> {
        self.related(id, version, |tree, node| tree.children(node).to_vec())
    }

    fn related(
        &self,
        id: TripleId,
        version: usize,
        nodes: impl Fn(&BlockTree<'v>, NodeId) -> Vec<NodeId>,
    ) -> Vec<TripleId> {
        let found = self[id].nodes[version].map(|node| nodes(&self.versions.trees[version], node));
        found.unwrap_or_default().into_iter().map(|node| self.of[version][node]).collect()
    }

    /// Whether a side moved a triple of the base past others.
    pub(crate) fn is_moved(&self, id: TripleId, side: RevisionSide) -> bool {
        self[id].nodes[0].is_some_and(|node| self.versions.matchings[side as usize].is_moved[node])
    }

    /// Whether both sides moved a triple, to different places.
    pub(crate) fn is_contested(&self, id: TripleId, side: RevisionSide) -> bool {
        let node = self[id].nodes[side.version()];
        node.is_some_and(|node| self.versions.contested[side as usize].contains(&node))
    }

    /// Returns the last lines of a block, by version.
    pub(crate) fn last_pieces(&self, id: TripleId) -> [Option<&'v Piece>; 3] {
        [0, 1, 2].map(|version| {
            self[id].nodes[version].and_then(|node| self.versions.trees[version].last_piece(node))
        })
    }

    /// Whether a side changed the first line of a triple, the last line of a block, or the content of a region.
    pub(crate) fn is_edited(&self, id: TripleId, side: RevisionSide) -> bool {
        let version = side.version();
        if self[id].is_new() || self[id].nodes[version].is_none() {
            return false;
        }
        let ends = self.last_pieces(id);
        let is_end_edited = self[id].kind == NodeKind::Block
            && ends[0].zip(ends[version]).is_some_and(|(one, other)| !one.is_same(other));
        match (self.piece(id, 0), self.piece(id, version)) {
            (Some(one), Some(other)) => is_end_edited || !one.is_same(other),
            (None, None) => self[id].kind == NodeKind::Region && self.lines(id, 0) != self.lines(id, version),
            (_, _) => true,
        }
    }
}

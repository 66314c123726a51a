//! Matches the nodes of two trees.
//!
//! Blocks that are equal and occur once on both sides come first. Statements are [aligned](crate::merge::align) by similarity: an equal
//! text weighs most, then ends and name, then the name, then the ends, each a little more in the same surroundings. An unmatched statement
//! that stands unchanged elsewhere was moved. A block corresponds to the one with which it has most of its content in common, whatever its
//! first line says; so it is recognised when its keyword changes, and a block drawn around old messages is new. At last
//! [leftovers](super::leftovers) are matched, place by place.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::leftovers::match_leftovers;
use super::operands::{Matching, SharedContent, blocks, match_operands, shared_content};
use crate::merge::align::{Alignment, align_weighted, inverse, prefer_heavier};
use crate::merge::read::{BlockTree, NodeId, NodeKind, Piece, PieceKind, Topic, similarity};

/// How often moved statements are looked for.
const MOST_ROUNDS: usize = 4;

/// Matches the nodes of two trees.
pub(in crate::merge) fn match_nodes(old: &BlockTree<'_>, new: &BlockTree<'_>) -> Matching {
    let mut numbers = HashMap::new();
    let lines = [compared_lines(old, &mut numbers), compared_lines(new, &mut numbers)];
    let mut matcher = NodeMatcher { old, new, lines, known: equal_blocks(old, new), found: Vec::new() };
    matcher.align();
    let count = old.nodes.len();
    let mut matching = Matching { is_moved: vec![false; count], to: vec![None; count], from: Vec::new() };
    matcher.match_statements(&mut matching);
    matcher.match_blocks(&mut matching);
    matching.to[0] = Some(0);
    matching.from = inverse(&matching.to, new.nodes.len());
    match_leftovers((old, new), &mut matching);
    matching.from = inverse(&matching.to, new.nodes.len());
    matching
}

/// A line that is compared: a statement, the first line of a block or the line before an operand.
struct ComparedLine<'p> {
    node: NodeId,
    piece: &'p Piece,
    /// A number, equal for equal lines.
    key: u32,
    /// The number of the first line of its block.
    outer: u32,
    /// The number of the event before it; of an answer that of its call.
    before: u32,
}

fn compared_lines<'p>(
    tree: &BlockTree<'p>,
    numbers: &mut HashMap<(PieceKind, &'p str), u32>,
) -> Vec<ComparedLine<'p>> {
    let mut lines: Vec<ComparedLine<'p>> = Vec::new();
    let mut keys = vec![0; tree.nodes.len()];
    let mut before = 0;
    let mut calls: HashMap<Topic, Vec<u32>> = HashMap::new();
    for node in tree.below(0) {
        let outer = keys[tree.parent(node)];
        keys[node] = outer;
        let Some(piece) = tree.piece(node) else { continue };
        let fresh = numbers.len() as u32 + 1;
        let key = *numbers.entry((piece.kind, &piece.key)).or_insert(fresh);
        if tree.kind(node) != NodeKind::Operand {
            keys[node] = key;
        }
        match (piece.topic.back(), piece.is_answer) {
            (Some(call), true) => before = calls.get_mut(&call).and_then(Vec::pop).unwrap_or(before),
            (Some(_), false) => calls.entry(piece.topic.clone()).or_default().push(key),
            (None, _) => {}
        }
        lines.push(ComparedLine { node, piece, key, outer, before });
        // The event before the line after an answer is its call, since answers are often alike.
        before = if piece.kind.is_event() && !piece.is_answer { key } else { before };
    }
    lines
}

/// Returns the nodes of equal blocks that occur once in each tree.
fn equal_blocks(old: &BlockTree<'_>, new: &BlockTree<'_>) -> BTreeMap<NodeId, NodeId> {
    let by_text = |tree: &BlockTree<'_>| {
        let mut found: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
        for node in blocks(tree, tree.below(0)) {
            let own = tree.pieces(node);
            if own.iter().any(|piece| piece.kind.is_event() && piece.kind != PieceKind::Open) {
                let lines = own.iter().filter(|piece| piece.kind != PieceKind::Blank);
                let lines: Vec<&str> = lines.map(|piece| piece.key.as_str()).collect();
                found.entry(lines.join("\n")).or_default().push(node);
            }
        }
        found
    };
    let nodes = |tree: &BlockTree<'_>, block: NodeId| {
        let mut nodes = tree.below(block);
        nodes.retain(|node| tree.piece_kind(*node) != Some(PieceKind::Blank));
        nodes
    };
    let (before, after) = (by_text(old), by_text(new));
    let mut known = BTreeMap::new();
    for (text, own) in &before {
        if let ([one], Some([other])) = (own.as_slice(), after.get(text).map(Vec::as_slice)) {
            known.extend(nodes(old, *one).into_iter().zip(nodes(new, *other)));
        }
    }
    known
}

struct NodeMatcher<'m, 'p> {
    old: &'m BlockTree<'p>,
    new: &'m BlockTree<'p>,
    lines: [Vec<ComparedLine<'p>>; 2],
    /// Nodes of equal blocks.
    known: BTreeMap<NodeId, NodeId>,
    /// How the lines are aligned.
    found: Alignment,
}

impl NodeMatcher<'_, '_> {
    /// Aligns the lines. A line that stands unchanged elsewhere was moved there, and the line at its old place is no edited version of it.
    fn align(&mut self) {
        let [old, new] = &self.lines;
        let keys = [old, new].map(|lines| lines.iter().map(|line| line.key).collect::<Vec<u32>>());
        let known: HashSet<NodeId> = self.known.values().copied().collect();
        let mut moved = kept_lines(&self.lines);
        for _ in 0..MOST_ROUNDS {
            let weight = |one: usize, other: usize| {
                let (before, after) = (&old[one], &new[other]);
                if let Some(place) = self.known.get(&before.node) {
                    return if *place == after.node { 100 } else { 0 };
                }
                let is_moved = moved[0].contains(&one) || moved[1].contains(&other);
                if known.contains(&after.node) || (before.key != after.key && is_moved) {
                    return 0;
                }
                weigh(before, after)
            };
            self.found = align_weighted(&keys[0], &keys[1], &weight);
            prefer_heavier([&keys[0], &keys[1]], &mut self.found, &weight);
            let taken: HashSet<usize> = self.found.iter().flatten().copied().collect();
            let loose =
                new.iter().enumerate().filter(|(at, line)| !taken.contains(at) && is_movable(line.piece));
            let loose: HashMap<u32, usize> = loose.map(|(at, line)| (line.key, at)).collect();
            let mut is_more = false;
            for (at, line) in old.iter().enumerate() {
                let is_edited = self.found[at].is_some_and(|place| new[place].key != line.key);
                if let Some(place) = loose.get(&line.key).filter(|_| is_edited) {
                    is_more |= moved[0].insert(at) | moved[1].insert(*place);
                }
            }
            if !is_more {
                return;
            }
        }
    }

    /// Returns the nodes of aligned lines.
    fn aligned(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        let [old, new] = &self.lines;
        let found = self.found.iter().enumerate();
        found.filter_map(|(at, place)| Some((old[at].node, new[(*place)?].node)))
    }

    /// Matches statements: aligned ones, and moved ones, of which as many are missing here as there are elsewhere.
    fn match_statements(&self, matching: &mut Matching) {
        for (before, after) in &self.known {
            matching.to[*before] = Some(*after);
            matching.is_moved[*before] = true;
        }
        let is_leaf = |tree: &BlockTree<'_>, node: NodeId| tree.kind(node) == NodeKind::Leaf;
        for (one, other) in self.aligned() {
            if is_leaf(self.old, one) && is_leaf(self.new, other) {
                matching.to[one] = Some(other);
                matching.is_moved[one] = false;
            } else if self.known.get(&one) == Some(&other) {
                matching.is_moved[one] = false;
            }
        }
        let name = |piece: &Piece| (piece.topic.clone(), piece.name().to_owned());
        let whole = |piece: &Piece| (Topic::default(), piece.key.clone());
        for read in [whole as fn(&Piece) -> (Topic, String), name] {
            let from: HashSet<NodeId> = matching.to.iter().flatten().copied().collect();
            let loose = |version: usize, is_taken: &dyn Fn(NodeId) -> bool| {
                let tree = [self.old, self.new][version];
                let mut found: BTreeMap<(PieceKind, (Topic, String)), Vec<NodeId>> = BTreeMap::new();
                for line in self.lines[version].iter().filter(|line| !is_taken(line.node)) {
                    if is_leaf(tree, line.node) && is_movable(line.piece) {
                        found.entry((line.piece.kind, read(line.piece))).or_default().push(line.node);
                    }
                }
                found
            };
            let deleted = loose(0, &|node| matching.to[node].is_some());
            let added = loose(1, &|node| from.contains(&node));
            for (key, before) in deleted {
                let after = added.get(&key).filter(|after| after.len() == before.len());
                for (one, other) in before.iter().zip(after.into_iter().flatten()) {
                    matching.to[*one] = Some(*other);
                    matching.is_moved[*one] = true;
                }
            }
        }
    }

    /// Matches blocks by their content, the best pairs first, then those whose first lines are aligned; and their operands.
    fn match_blocks(&self, matching: &mut Matching) {
        let (old, new) = (self.old, self.new);
        let shared = shared_content((old, new), matching);
        let mut from = inverse(&matching.to, new.nodes.len());
        for (one, other) in self.block_candidates(&shared) {
            if matching.to[one].is_some() || from[other].is_some() {
                continue;
            }
            // A block is not inside of itself: nothing around one corresponds to anything inside of the other.
            let is_outside =
                |node: &NodeId| from[*node].is_none_or(|node| !old.ancestors(node).contains(&one));
            let is_inside =
                |node: &NodeId| matching.to[*node].is_none_or(|node| !new.ancestors(node).contains(&other));
            if old.ancestors(one).iter().all(is_inside) && new.ancestors(other).iter().all(is_outside) {
                matching.to[one] = Some(other);
                from[other] = Some(one);
            }
        }
        let aligned: Vec<(NodeId, NodeId)> = self.aligned().collect();
        let alike = self.alike_blocks(matching, &from);
        for (one, other) in aligned.into_iter().chain(alike) {
            let is_block = old.kind(one) == NodeKind::Block && new.kind(other) == NodeKind::Block;
            let outer = |tree: &BlockTree<'_>, node: NodeId| tree.parent(tree.parent(node));
            let is_inside = outer(old, one) == 0 && outer(new, other) == 0
                || matching.to[outer(old, one)] == Some(outer(new, other));
            let is_shared = shared.keys().any(|(known, new)| *known == one || *new == other);
            let is_free = matching.to[one].is_none() && from[other].is_none();
            if is_block && is_inside && is_free && (!is_shared || self.is_emptied(one, other)) {
                matching.to[one] = Some(other);
                from[other] = Some(one);
            }
        }
        for block in blocks(old, 0..old.nodes.len()) {
            let mut own = old.below(block);
            own.retain(|node| old.is_significant(*node));
            if let Some(other) = matching.to[block] {
                match_operands((old, new), (block, other), &shared, matching);
                // What was taken out of a block does not tell whether the block was moved.
                let is_inside = |node: NodeId| new.ancestors(node).contains(&other);
                own.retain(|node| matching.to[*node].is_none_or(is_inside));
            }
            let moved = own.iter().filter(|node| matching.is_moved[**node]).count();
            matching.is_moved[block] = 2 * moved > own.len();
        }
    }

    /// Returns pairs of unmatched blocks that alone have the same first line, where that says which block it is or the new one is empty.
    fn alike_blocks(&self, matching: &Matching, from: &[Option<NodeId>]) -> Vec<(NodeId, NodeId)> {
        let loose = |tree: &BlockTree<'_>, known: &[Option<NodeId>]| {
            let mut found: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
            for block in blocks(tree, tree.below(0)).into_iter().filter(|block| known[*block].is_none()) {
                let piece = tree.piece(block);
                found
                    .entry(piece.map(|piece| piece.key.clone()).unwrap_or_default())
                    .or_default()
                    .push(block);
            }
            found
        };
        let (before, after) = (loose(self.old, &matching.to), loose(self.new, from));
        let pairs =
            before.iter().filter_map(|(key, own)| match (own.as_slice(), after.get(key)?.as_slice()) {
                ([one], [other]) => Some((*one, *other)),
                (_, _) => None,
            });
        pairs.filter(|(one, other)| self.is_emptied(*one, *other)).collect()
    }

    /// Whether a block is another one whose content was moved elsewhere: its first line is the same, and says which block it is, or nothing else is in it.
    fn is_emptied(&self, one: NodeId, other: NodeId) -> bool {
        let is_empty = !self.new.below(other).into_iter().any(|node| self.new.is_significant(node));
        let pieces = self.old.piece(one).zip(self.new.piece(other));
        pieces
            .is_some_and(|(before, after)| before.key == after.key && (is_empty || !before.detail.is_empty()))
    }

    /// Returns pairs of blocks that may correspond, the best first.
    fn block_candidates(&self, shared: &SharedContent) -> Vec<(NodeId, NodeId)> {
        let (old, new) = (self.old, self.new);
        let sizes = [old, new].map(content_sizes);
        let mut candidates: Vec<(Reverse<usize>, NodeId, NodeId)> = Vec::new();
        for ((one, other), count) in shared {
            if old.kind(*one) != NodeKind::Block || new.kind(*other) != NodeKind::Block {
                continue;
            }
            let (before, after) = (sizes[0][*one], sizes[1][*other]);
            let share = 200 * count / (before + after).max(1);
            // How much of the smaller one is in the larger.
            let part = 100 * count / before.min(after).max(1);
            let is_about = |before: &Piece, after: &Piece| {
                before.topic == after.topic || (before.detail == after.detail && !after.detail.is_empty())
            };
            let (bonus, is_same) = match old.piece(*one).zip(new.piece(*other)) {
                Some((before, after)) if before.key == after.key => (60, share >= 25 || part >= 50),
                Some((before, after)) if is_about(before, after) => (25, share >= 50 || part == 100),
                Some(_) | None => (0, share >= 67),
            };
            if is_same {
                candidates.push((Reverse(share + bonus), *one, *other));
            }
        }
        candidates.sort_unstable();
        candidates.into_iter().map(|(_, one, other)| (one, other)).collect()
    }
}

/// Returns the lines of both trees of which the other has as many with the same text: none of them is an edited version of another line, although messages that
/// changed places may stand where they would be.
fn kept_lines(lines: &[Vec<ComparedLine<'_>>; 2]) -> [HashSet<usize>; 2] {
    let counts = lines.each_ref().map(|lines| {
        let mut counts: HashMap<u32, usize> = HashMap::new();
        lines.iter().for_each(|line| *counts.entry(line.key).or_default() += 1);
        counts
    });
    [0, 1].map(|version| {
        let has_all =
            |line: &ComparedLine<'_>| counts[1 - version].get(&line.key) >= counts[version].get(&line.key);
        let kept =
            lines[version].iter().enumerate().filter(|(_, line)| is_movable(line.piece) && has_all(line));
        kept.map(|(at, _)| at).collect()
    })
}

/// Returns for each node how many significant statements it holds.
fn content_sizes(tree: &BlockTree<'_>) -> Vec<usize> {
    let mut sizes = vec![0; tree.nodes.len()];
    for node in (0..tree.nodes.len()).filter(|node| tree.is_significant(*node)) {
        tree.ancestors(node).into_iter().for_each(|outer| sizes[outer] += 1);
    }
    sizes
}

/// Whether a piece can be recognised at another place.
fn is_movable(piece: &Piece) -> bool {
    matches!(
        piece.kind,
        PieceKind::Message
            | PieceKind::Reference
            | PieceKind::Participant
            | PieceKind::Note
            | PieceKind::Statement
            | PieceKind::Separator
    )
}

/// Returns the weight of matching two lines; 0 if they cannot match.
fn weigh(one: &ComparedLine<'_>, other: &ComparedLine<'_>) -> u32 {
    let near = 2 * u32::from(one.outer == other.outer) + u32::from(one.before == other.before);
    if one.key == other.key {
        let own = one.piece.kind.weight();
        return if one.piece.kind == PieceKind::Blank { own } else { own + near };
    }
    let own = similarity(one.piece, other.piece);
    let is_far = own < 24 && one.outer != other.outer;
    if own == 0 || is_far { 0 } else { own + near }
}

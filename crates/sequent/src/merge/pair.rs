//! Pairs: which node of one tree is which node of another.
//!
//! Blocks that are the same, and only once, on both sides come first. Statements are [aligned](super::align) by what they say: the same
//! text weighs most, then ends and name, then the name, then the ends, each a little more in the same surroundings. What is
//! left over and the same elsewhere was moved. A block is the one with which it has most of its content in common, whatever its
//! first line says; so it stays itself when its keyword changes, and what was drawn around old messages is new. At last what
//! is left over is [looked at again](super::again), place by place.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::align::{Alignment, heaviest, inverse, settle};
use super::piece::{Piece, Word, likeness};
use super::tree::{Kind, NodeId, Tree};

/// A tree and the pieces it was made of.
pub type Drawn<'d> = (&'d [Piece], &'d Tree);

/// Which nodes are the same.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// For each old node its new one.
    pub to: Vec<Option<NodeId>>,
    /// For each new node its old one.
    pub from: Vec<Option<NodeId>>,
    /// Old nodes that others have passed.
    pub is_moved: Vec<bool>,
}

/// How many statements nodes of two trees have in common.
pub(super) type Common = BTreeMap<(NodeId, NodeId), usize>;

/// How often moved statements are looked for.
const MOST_ROUNDS: usize = 4;

/// Pairs the nodes of two trees.
pub fn pair(old: Drawn<'_>, new: Drawn<'_>) -> Pairs {
    let mut numbers = HashMap::new();
    let rows = [rows(old, &mut numbers), rows(new, &mut numbers)];
    let mut pairer = Pairer { old, new, rows, pairs: BTreeMap::new(), found: Vec::new() };
    pairer.pairs = pairer.same_blocks();
    pairer.align();
    let mut pairs = Pairs {
        is_moved: vec![false; old.1.nodes.len()],
        to: vec![None; old.1.nodes.len()],
        from: Vec::new(),
    };
    pairer.statements(&mut pairs);
    pairer.blocks(&mut pairs);
    pairs.to[0] = Some(0);
    pairs.from = inverse(&pairs.to, new.1.nodes.len());
    pairer.look_again(&mut pairs);
    pairs.from = inverse(&pairs.to, new.1.nodes.len());
    pairs
}

/// A line that is compared: a statement, the first line of a block or of an operand.
struct Row<'r> {
    node: NodeId,
    piece: &'r Piece,
    /// The same for the same texts.
    key: u32,
    /// That of the block it stands in.
    outer: u32,
    /// That of the last thing that happened before it; of an answer that of what it answers.
    before: u32,
}

fn rows<'r>((pieces, tree): Drawn<'r>, numbers: &mut HashMap<(Word, &'r str), u32>) -> Vec<Row<'r>> {
    let mut rows: Vec<Row<'r>> = Vec::new();
    let mut keys = vec![0; tree.nodes.len()];
    let mut before = 0;
    let mut calls: HashMap<(&str, &str), Vec<u32>> = HashMap::new();
    for node in tree.below(0) {
        let parent = tree.nodes[node].parent;
        let Some(first) = tree.nodes[node].first else {
            keys[node] = keys[parent];
            continue;
        };
        let piece = &pieces[first];
        let fresh = numbers.len() as u32 + 1;
        let key = *numbers.entry((piece.word, &piece.key)).or_insert(fresh);
        let outer = keys[parent];
        keys[node] = if tree.nodes[node].kind == Kind::Operand { keys[parent] } else { key };
        match (piece.subject.split_once("->"), piece.is_answer) {
            (Some((from, to)), true) => {
                before = calls.get_mut(&(to, from)).and_then(Vec::pop).unwrap_or(before)
            }
            (Some(ends), false) => calls.entry(ends).or_default().push(key),
            (None, _) => {}
        }
        rows.push(Row { node, piece, key, outer, before });
        // What follows an answer follows what was answered: answers are often alike.
        before = if piece.word.is_event() && !piece.is_answer { key } else { before };
    }
    rows
}

pub(super) struct Pairer<'p> {
    pub(super) old: Drawn<'p>,
    pub(super) new: Drawn<'p>,
    rows: [Vec<Row<'p>>; 2],
    /// What is known from whole blocks.
    pairs: BTreeMap<NodeId, NodeId>,
    /// How the rows are aligned.
    found: Alignment,
}

impl Pairer<'_> {
    /// Blocks that are there once before and once after, and are the same, with all they hold.
    fn same_blocks(&self) -> BTreeMap<NodeId, NodeId> {
        let blocks = |(pieces, tree): Drawn<'_>| {
            let mut found: HashMap<String, Vec<NodeId>> = HashMap::new();
            for node in tree.below(0).into_iter().filter(|node| tree.nodes[*node].kind == Kind::Block) {
                let own = &pieces[tree.nodes[node].range.clone()];
                if own.iter().any(|piece| piece.word.is_event() && piece.word != Word::Open) {
                    let text = own.iter().filter(|piece| piece.word != Word::Blank);
                    let text: Vec<&str> = text.map(|piece| piece.key.as_str()).collect();
                    found.entry(text.join("\n")).or_default().push(node);
                }
            }
            found
        };
        let (before, after) = (blocks(self.old), blocks(self.new));
        let mut pairs = BTreeMap::new();
        for (text, own) in &before {
            if let ([one], Some([other])) = (own.as_slice(), after.get(text).map(Vec::as_slice)) {
                let (one, other) = (lines(self.old, *one), lines(self.new, *other));
                pairs.extend(one.into_iter().zip(other));
            }
        }
        pairs
    }

    /// Aligns the rows; what stands unchanged elsewhere was moved there, and what took its place is no edited version of it.
    fn align(&mut self) {
        let [old, new] = &self.rows;
        let keys = |rows: &[Row<'_>]| rows.iter().map(|row| row.key).collect::<Vec<u32>>();
        let known: HashSet<NodeId> = self.pairs.values().copied().collect();
        let mut moved: [HashSet<usize>; 2] = Default::default();
        for _ in 0..MOST_ROUNDS {
            let weight = |one: usize, other: usize| {
                let (before, after) = (&old[one], &new[other]);
                if let Some(place) = self.pairs.get(&before.node) {
                    return if *place == after.node { 100 } else { 0 };
                }
                let is_other = before.key != after.key;
                if known.contains(&after.node)
                    || (is_other && (moved[0].contains(&one) || moved[1].contains(&other)))
                {
                    return 0;
                }
                weigh(before, after)
            };
            let keys = [keys(old), keys(new)];
            self.found = heaviest(&keys[0], &keys[1], &weight);
            settle([&keys[0], &keys[1]], &mut self.found, &weight);
            let taken: HashSet<usize> = self.found.iter().flatten().copied().collect();
            let loose =
                new.iter().enumerate().filter(|(at, row)| !taken.contains(at) && is_movable(row.piece));
            let loose: HashMap<u32, usize> = loose.map(|(at, row)| (row.key, at)).collect();
            let mut is_more = false;
            for (at, row) in old.iter().enumerate() {
                let is_edited = self.found[at].is_some_and(|place| new[place].key != row.key);
                if let Some(place) = loose.get(&row.key).filter(|_| is_edited) {
                    is_more |= moved[0].insert(at) | moved[1].insert(*place);
                }
            }
            if !is_more {
                return;
            }
        }
    }

    /// Pairs statements: aligned ones, and those that are as often elsewhere as they are gone here.
    fn statements(&self, pairs: &mut Pairs) {
        let [old, new] = &self.rows;
        for (before, after) in &self.pairs {
            pairs.to[*before] = Some(*after);
            pairs.is_moved[*before] = true;
        }
        let is_leaf = |drawn: Drawn<'_>, node: NodeId| drawn.1.nodes[node].kind == Kind::Leaf;
        for (at, place) in self.found.iter().enumerate() {
            let Some(place) = place else { continue };
            let (one, other) = (old[at].node, new[*place].node);
            if is_leaf(self.old, one) && is_leaf(self.new, other) {
                pairs.to[one] = Some(other);
                pairs.is_moved[one] = false;
            } else if self.pairs.get(&one) == Some(&other) {
                pairs.is_moved[one] = false;
            }
        }
        let name = |row: &Row<'_>| format!("{} {}", row.piece.subject, row.piece.name());
        for read in [(|row| row.piece.key.clone()) as fn(&Row<'_>) -> String, name] {
            let from: HashSet<NodeId> = pairs.to.iter().flatten().copied().collect();
            let loose = |rows: &[Row<'_>], drawn: Drawn<'_>, is_taken: &dyn Fn(NodeId) -> bool| {
                let mut found: BTreeMap<(Word, String), Vec<NodeId>> = BTreeMap::new();
                for row in rows.iter().filter(|row| is_leaf(drawn, row.node) && is_movable(row.piece)) {
                    if !is_taken(row.node) {
                        found.entry((row.piece.word, read(row))).or_default().push(row.node);
                    }
                }
                found
            };
            let gone = loose(old, self.old, &|node| pairs.to[node].is_some());
            let come = loose(new, self.new, &|node| from.contains(&node));
            for (key, before) in gone {
                let after = come.get(&key).filter(|after| after.len() == before.len());
                for (one, other) in before.iter().zip(after.into_iter().flatten()) {
                    pairs.to[*one] = Some(*other);
                    pairs.is_moved[*one] = true;
                }
            }
        }
    }

    /// How many statements a block or operand has in common with one of the other tree.
    pub(super) fn common(&self, pairs: &Pairs) -> Common {
        let (olds, news) = (self.old.1, self.new.1);
        let mut common = Common::new();
        for (one, other) in pairs.to.iter().enumerate().filter_map(|(one, other)| Some((one, (*other)?))) {
            if olds.nodes[one].kind == Kind::Leaf && counts(self.old, one) {
                for outer in olds.around(one) {
                    for around in news.around(other) {
                        *common.entry((outer, around)).or_default() += 1;
                    }
                }
            }
        }
        common
    }

    /// Pairs blocks by what they hold, the best first, then those whose first lines are aligned; and their operands.
    fn blocks(&self, pairs: &mut Pairs) {
        let (olds, news) = (self.old.1, self.new.1);
        let common = self.common(pairs);
        let sizes = [self.old, self.new].map(sizes);
        let header = |drawn: Drawn<'_>, node: NodeId| {
            let first = drawn.1.nodes[node].first;
            first.map(|first| {
                let piece = &drawn.0[first];
                (piece.key.clone(), piece.subject.clone(), piece.detail.clone())
            })
        };
        let mut candidates: Vec<(usize, NodeId, NodeId)> = Vec::new();
        for ((one, other), count) in &common {
            if olds.nodes[*one].kind != Kind::Block || news.nodes[*other].kind != Kind::Block {
                continue;
            }
            let (before, after) = (sizes[0][*one], sizes[1][*other]);
            let share = 200 * count / (before + after).max(1);
            // How much of the smaller one is in the larger.
            let part = 100 * count / before.min(after).max(1);
            let (bonus, is_same) = match header(self.old, *one).zip(header(self.new, *other)) {
                Some((before, after)) if before.0 == after.0 => (60, share >= 25 || part >= 50),
                Some((before, after)) if before.1 == after.1 => (25, share >= 50 || part == 100),
                Some((before, after)) if before.2 == after.2 && !after.2.is_empty() => {
                    (25, share >= 50 || part == 100)
                }
                Some(_) | None => (0, share >= 67),
            };
            if is_same {
                candidates.push((share + bonus, *one, *other));
            }
        }
        candidates.sort_by_key(|(score, one, other)| (std::cmp::Reverse(*score), *one, *other));
        let mut taken: HashSet<NodeId> = pairs.to.iter().flatten().copied().collect();
        let mut from = inverse(&pairs.to, news.nodes.len());
        for (_, one, other) in candidates {
            if pairs.to[one].is_some() || taken.contains(&other) {
                continue;
            }
            // What is around a block is not in it on the other side.
            let is_outside = |node: &NodeId| from[*node].is_none_or(|node| !olds.around(node).contains(&one));
            let is_inside =
                |node: &NodeId| pairs.to[*node].is_none_or(|node| !news.around(node).contains(&other));
            if olds.around(one).iter().all(is_inside) && news.around(other).iter().all(is_outside) {
                taken.insert(other);
                pairs.to[one] = Some(other);
                from[other] = Some(one);
            }
        }
        let [before, after] = &self.rows;
        for (at, place) in self.found.iter().enumerate() {
            let Some(place) = place else { continue };
            let (one, other) = (before[at].node, after[*place].node);
            let is_block = olds.nodes[one].kind == Kind::Block && news.nodes[other].kind == Kind::Block;
            let outer = |tree: &Tree, node: NodeId| tree.nodes[tree.nodes[node].parent].parent;
            let is_inside = outer(olds, one) == 0 && outer(news, other) == 0
                || pairs.to[outer(olds, one)] == Some(outer(news, other));
            let is_other = common.keys().any(|(known, new)| *known == one || *new == other);
            if is_block && is_inside && !is_other && pairs.to[one].is_none() && taken.insert(other) {
                pairs.to[one] = Some(other);
            }
        }
        for block in (0..olds.nodes.len()).filter(|node| olds.nodes[*node].kind == Kind::Block) {
            if let Some(other) = pairs.to[block] {
                self.operands(block, other, &common, pairs);
            }
            let own = olds.below(block).into_iter().filter(|node| counts(self.old, *node));
            let own: Vec<bool> = own.map(|node| pairs.is_moved[node]).collect();
            pairs.is_moved[block] = 2 * own.iter().filter(|is_moved| **is_moved).count() > own.len();
        }
    }

    /// Pairs the operands of two blocks by what they have in common, then by their guards and places.
    pub(super) fn operands(&self, block: NodeId, other: NodeId, common: &Common, pairs: &mut Pairs) {
        let (own, others) = (&self.old.1.nodes[block].children, &self.new.1.nodes[other].children);
        let guard = |drawn: Drawn<'_>, block: NodeId, operand: NodeId| {
            let first = drawn.1.nodes[operand].first.or(drawn.1.nodes[block].first);
            first.map(|first| drawn.0[first].detail.clone())
        };
        let weight = |one: usize, two: usize| {
            let (before, after) = (own[one], others[two]);
            let count = common.get(&(before, after)).copied().unwrap_or(0);
            let is_same = guard(self.old, block, before) == guard(self.new, other, after);
            let place = match (one, two) {
                (0, 0) => 4,
                (0, _) | (_, 0) => 0,
                (_, _) => 2,
            };
            let is_worth = count > 0 || place > 0;
            if is_worth { 40 * count as u32 + if is_same { 12 } else { 0 } + place } else { 0 }
        };
        let numbers: [Vec<u32>; 2] = [
            (0..own.len()).map(|at| at as u32).collect(),
            (0..others.len()).map(|at| !(at as u32)).collect(),
        ];
        for (at, place) in heaviest(&numbers[0], &numbers[1], &weight).into_iter().enumerate() {
            pairs.to[own[at]] = place.map(|place| others[place]);
        }
    }
}

/// A node and what it holds, but for empty lines.
fn lines((pieces, tree): Drawn<'_>, node: NodeId) -> Vec<NodeId> {
    let is_blank =
        |node: &NodeId| tree.nodes[*node].first.is_some_and(|first| pieces[first].word == Word::Blank);
    tree.below(node).into_iter().filter(|node| !is_blank(node)).collect()
}

/// Whether a node tells of the block that it stands in.
pub(super) fn counts((pieces, tree): Drawn<'_>, node: NodeId) -> bool {
    let node = &tree.nodes[node];
    let word = node.first.filter(|_| node.kind == Kind::Leaf).map(|first| pieces[first].word);
    word.is_some_and(|word| !matches!(word, Word::Blank | Word::Comment | Word::Life))
}

/// How many such nodes each node holds.
fn sizes(drawn: Drawn<'_>) -> Vec<usize> {
    let tree = drawn.1;
    let mut sizes = vec![0; tree.nodes.len()];
    for node in (0..tree.nodes.len()).filter(|node| counts(drawn, *node)) {
        tree.around(node).into_iter().for_each(|outer| sizes[outer] += 1);
    }
    sizes
}

/// Whether a piece could be recognised elsewhere.
fn is_movable(piece: &Piece) -> bool {
    matches!(
        piece.word,
        Word::Message | Word::Reference | Word::Participant | Word::Note | Word::Statement | Word::Separator
    )
}

/// What it is worth to take two rows as one; 0 if they cannot be.
fn weigh(one: &Row<'_>, other: &Row<'_>) -> u32 {
    let near = 2 * u32::from(one.outer == other.outer) + u32::from(one.before == other.before);
    if one.key == other.key {
        let own = match one.piece.word {
            Word::Blank => return 4,
            Word::Divide => 32,
            Word::Open => 48,
            Word::Life | Word::Create => 40,
            Word::Line
            | Word::Comment
            | Word::Preprocessor
            | Word::Presentation
            | Word::Title
            | Word::Together
            | Word::Unknown
            | Word::Note
            | Word::Separator => 56,
            Word::Participant | Word::Message | Word::Return | Word::Reference | Word::Statement => 80,
            Word::Close => 0,
        };
        return own + near;
    }
    let own = likeness(one.piece, other.piece);
    let is_far = own < 24 && one.outer != other.outer;
    if own == 0 || is_far { 0 } else { own + near }
}

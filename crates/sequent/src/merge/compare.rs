//! Comparison: which piece of one version of a file is which of another.

use super::align::{Alignment, lines};
use super::pair::pair;
use super::piece::{Piece, Zone};
use super::tree::{Kind, Tree};
use super::unit::{Version, units};

/// Two versions compared.
pub struct Comparison {
    /// For each old piece its new one.
    pub to: Alignment,
    /// Old pieces that others have passed.
    pub is_moved: Vec<bool>,
    /// First lines of new blocks, by piece, that were drawn around old content: how many statements.
    pub drawn: Vec<(usize, usize)>,
    /// The same of old blocks that were taken away from around content that stays.
    pub taken: Vec<(usize, usize)>,
}

/// Compares two versions of a file.
pub fn compare(old: &[Piece], new: &[Piece]) -> Comparison {
    let [before, after] = units([old, new]);
    let mut found = Comparison {
        to: vec![None; old.len()],
        is_moved: vec![false; old.len()],
        drawn: Vec::new(),
        taken: Vec::new(),
    };
    for (at, place) in lines(&before.numbers, &after.numbers).into_iter().enumerate() {
        if let Some(place) = place {
            found.unit((&before, at), (&after, place));
        }
    }
    found
}

impl Comparison {
    fn unit(&mut self, (before, at): (&Version<'_>, usize), (after, place): (&Version<'_>, usize)) {
        let (one, other) = (before.units[at].range.clone(), after.units[place].range.clone());
        let is_line = before.units[at].zone == Zone::Prose;
        let trees = (Tree::of(before.pieces, one.clone()), Tree::of(after.pieces, other.clone()));
        match trees {
            _ if is_line || before.is_same(at, after, place) => {
                one.zip(other).for_each(|(one, other)| self.to[one] = Some(other));
            }
            (Some(olds), Some(news)) => self.trees((before.pieces, &olds), (after.pieces, &news)),
            (_, _) => self.plain((before.pieces, one), (after.pieces, other)),
        }
    }

    fn trees(&mut self, (pieces, olds): (&[Piece], &Tree), (others, news): (&[Piece], &Tree)) {
        let pairs = pair((pieces, olds), (others, news));
        for (one, other) in pairs.to.iter().enumerate().filter_map(|(one, other)| Some((one, (*other)?))) {
            let (before, after) = (&olds.nodes[one], &news.nodes[other]);
            for (old, new) in [(before.first, after.first), (before.last, after.last)] {
                if let (Some(old), Some(new)) = (old, new) {
                    self.to[old] = Some(new);
                    self.is_moved[old] = pairs.is_moved[one];
                }
            }
        }
        let stays = |tree: &Tree, node: usize, known: &[Option<usize>]| {
            let inner = tree.below(node).into_iter();
            inner.filter(|node| tree.nodes[*node].kind == Kind::Leaf && known[*node].is_some()).count()
        };
        let alone = |tree: &Tree, known: &[Option<usize>]| -> Vec<(usize, usize)> {
            let blocks = (0..tree.nodes.len())
                .filter(|node| tree.nodes[*node].kind == Kind::Block && known[*node].is_none());
            let counted = blocks.map(|node| (tree.nodes[node].first.unwrap_or(0), stays(tree, node, known)));
            counted.filter(|(_, count)| *count > 0).collect()
        };
        self.drawn.extend(alone(news, &pairs.from));
        self.taken.extend(alone(olds, &pairs.to));
    }

    /// Diagrams whose blocks do not nest, line by line.
    fn plain(&mut self, old: (&[Piece], std::ops::Range<usize>), new: (&[Piece], std::ops::Range<usize>)) {
        let mut numbers: std::collections::HashMap<&str, u32> = std::collections::HashMap::new();
        let [before, after] = [&old.0[old.1.clone()], &new.0[new.1.clone()]].map(|pieces| {
            let mut list = Vec::new();
            for piece in pieces {
                let fresh = numbers.len() as u32;
                list.push(*numbers.entry(&piece.key).or_insert(fresh));
            }
            list
        });
        for (at, place) in lines(&before, &after).into_iter().enumerate() {
            self.to[old.1.start + at] = place.map(|place| new.1.start + place);
        }
    }
}

//! Comparison: which piece of one version of a file corresponds to which of another.

use crate::merge::align::{Alignment, align_equal, number_keys};
use crate::merge::matching::match_nodes;
use crate::merge::read::{BlockTree, NodeId, NodeKind, Piece, SectionKind, Sections, sections};

/// Two versions compared.
pub(super) struct FileComparison {
    /// For each old piece its new one.
    pub(super) to: Alignment,
    /// Old pieces that were moved past others.
    pub(super) is_moved: Vec<bool>,
    /// New blocks around old content: the piece of the first line, and the number of statements.
    pub(super) wrapped: Vec<(usize, usize)>,
    /// The same for old blocks that were taken away from around content that stays.
    pub(super) unwrapped: Vec<(usize, usize)>,
}

/// Compares two versions of a file.
pub(super) fn compare(old: &[Piece], new: &[Piece]) -> FileComparison {
    let [before, after] = sections([old, new]);
    let mut found = FileComparison {
        to: vec![None; old.len()],
        is_moved: vec![false; old.len()],
        wrapped: Vec::new(),
        unwrapped: Vec::new(),
    };
    for (at, place) in align_equal(&before.numbers, &after.numbers).into_iter().enumerate() {
        if let Some(place) = place {
            found.section((&before, at), (&after, place));
        }
    }
    found
}

impl FileComparison {
    fn section(&mut self, (before, at): (&Sections<'_>, usize), (after, place): (&Sections<'_>, usize)) {
        let (one, other) = (before.list[at].range.clone(), after.list[place].range.clone());
        if before.list[at].kind == SectionKind::Prose || before.is_same(at, after, place) {
            return one.zip(other).for_each(|(one, other)| self.to[one] = Some(other));
        }
        let trees = (BlockTree::of(before.pieces, one.clone()), BlockTree::of(after.pieces, other.clone()));
        if let (Some(old), Some(new)) = &trees {
            return self.trees(old, new);
        }
        // Blocks do not nest: the lines are compared.
        let keys = [before.of(at), after.of(place)].map(|pieces| pieces.iter().map(|piece| &piece.key));
        let [olds, news] = number_keys(keys);
        for (at, place) in align_equal(&olds, &news).into_iter().enumerate() {
            self.to[one.start + at] = place.map(|place| other.start + place);
        }
    }

    fn trees(&mut self, old: &BlockTree<'_>, new: &BlockTree<'_>) {
        let matching = match_nodes(old, new);
        for (one, other) in matching.pairs() {
            for (before, after) in old.bounds(one).into_iter().zip(new.bounds(other)) {
                if let (Some(before), Some(after)) = (before, after) {
                    self.to[before] = Some(after);
                    self.is_moved[before] = matching.is_moved[one];
                }
            }
        }
        self.wrapped.extend(unmatched_blocks(new, &matching.from));
        self.unwrapped.extend(unmatched_blocks(old, &matching.to));
    }
}

/// Returns the unmatched blocks with matched content: the piece of the first line, and the number of matched statements.
fn unmatched_blocks(tree: &BlockTree<'_>, known: &[Option<NodeId>]) -> Vec<(usize, usize)> {
    let matched = |block: NodeId| {
        let inner = tree.below(block).into_iter();
        inner.filter(|node| tree.kind(*node) == NodeKind::Leaf && known[*node].is_some()).count()
    };
    let blocks =
        (0..tree.nodes.len()).filter(|node| tree.kind(*node) == NodeKind::Block && known[*node].is_none());
    let counted = blocks.map(|block| (tree.bounds(block)[0].unwrap_or(0), matched(block)));
    counted.filter(|(_, count)| *count > 0).collect()
}

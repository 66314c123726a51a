//! Sorted: one state for all that differ only in which of like components is which.
//!
//! The variables of like components are sorted like strings: what the first one has comes first. As any two of them may
//! change places, every order is as good as every other, and a sorted state stands for all of its permutations. The bits of
//! each are gathered where the first one of them has its own, a few words each, compared, and put back.

use sequent_kernel::system::{Step, VariableId};

use super::swaps::AlikeBlocks;
use crate::packed::PackedLayout;
use crate::search::expand::ExpansionScratch;
use crate::search::space::{PlainSpace, StateSpace};

/// How states are sorted.
#[derive(Clone, Debug)]
pub(crate) struct StateOrder {
    classes: Vec<BlockClass>,
}

/// Blocks of bits that may change places.
#[derive(Clone, Debug)]
struct BlockClass {
    blocks: Vec<Vec<BlockPiece>>,
    /// How many words a block takes where it is gathered.
    words: usize,
}

/// Bits of a word that lie as far from those of the first block each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BlockPiece {
    word: usize,
    mask: u64,
    /// The word in which they are gathered, and how far they are rotated to the left for that.
    to: usize,
    distance: u32,
}

impl StateOrder {
    /// The order of the states of a layout.
    pub(crate) fn new(layout: &PackedLayout, alike: &[AlikeBlocks]) -> Self {
        StateOrder { classes: alike.iter().map(|blocks| BlockClass::new(layout, blocks)).collect() }
    }

    /// Sorts a state.
    pub(crate) fn sort(&self, state: &mut [u64], room: &mut SortScratch) {
        for class in &self.classes {
            class.sort(state, room);
        }
    }
}

/// Buffers for a state that is sorted.
#[derive(Default)]
pub(crate) struct SortScratch {
    gathered: Vec<u64>,
    order: Vec<usize>,
}

impl BlockClass {
    fn new(layout: &PackedLayout, blocks: &AlikeBlocks) -> Self {
        let mut words: Vec<u32> = blocks[0].iter().map(|variable| layout.field(*variable).word).collect();
        words.sort_unstable();
        words.dedup();
        let pieces = |block: &Vec<VariableId>| {
            let mut pieces: Vec<BlockPiece> = Vec::new();
            for (variable, model) in block.iter().zip(&blocks[0]) {
                let [field, model] = [layout.field(*variable), layout.field(*model)];
                let piece = BlockPiece {
                    word: field.word as usize,
                    mask: field.mask,
                    to: words.binary_search(&model.word).unwrap_or_default(),
                    distance: model.shift.wrapping_sub(field.shift) % u64::BITS,
                };
                let is_like = |known: &&mut BlockPiece| {
                    (known.word, known.to, known.distance) == (piece.word, piece.to, piece.distance)
                };
                match pieces.iter_mut().find(is_like) {
                    Some(known) => known.mask |= piece.mask,
                    None => pieces.push(piece),
                }
            }
            pieces
        };
        BlockClass { blocks: blocks.iter().map(pieces).collect(), words: words.len() }
    }

    fn sort(&self, state: &mut [u64], room: &mut SortScratch) {
        let SortScratch { gathered, order } = room;
        gathered.clear();
        gathered.resize(self.blocks.len() * self.words, 0);
        for (pieces, gathered) in self.blocks.iter().zip(gathered.chunks_mut(self.words)) {
            for piece in pieces {
                gathered[piece.to] |= (state[piece.word] & piece.mask).rotate_left(piece.distance);
            }
        }
        let of = |block: &usize| &gathered[block * self.words..][..self.words];
        order.clear();
        order.extend(0..self.blocks.len());
        if order.is_sorted_by_key(of) {
            return;
        }
        order.sort_by(|one, other| of(one).cmp(of(other)));
        for (pieces, from) in self.blocks.iter().zip(&*order) {
            for piece in pieces {
                let bits = of(from)[piece.to].rotate_right(piece.distance) & piece.mask;
                state[piece.word] = state[piece.word] & !piece.mask | bits;
            }
        }
    }
}

/// The sorted states of a System.
#[derive(Clone, Copy)]
pub(crate) struct SortedSpace<'a> {
    /// All states.
    pub plain: PlainSpace<'a>,
    /// How they are sorted.
    pub order: &'a StateOrder,
}

/// What one thread needs.
#[derive(Default)]
pub(crate) struct SortedScratch {
    seen: ExpansionScratch,
    sort: SortScratch,
    next: Vec<u64>,
}

impl StateSpace for SortedSpace<'_> {
    type Room = SortedScratch;

    #[inline]
    fn expand(self, state: &[u64], room: &mut SortedScratch, mut visit: impl FnMut(&[u64])) -> bool {
        let SortedScratch { seen, sort, next } = room;
        self.plain.expand(state, seen, |reached| {
            next.clear();
            next.extend_from_slice(reached);
            self.order.sort(next, sort);
            visit(next);
        })
    }

    fn steps(self, state: &[u64], next: &[u64], room: &mut SortedScratch) -> Option<(Vec<Step>, Vec<u64>)> {
        let SortedScratch { seen, sort, next: sorted } = room;
        let mut taken = None;
        self.plain.expander.expand(state, seen, |reached, way| {
            sorted.clear();
            sorted.extend_from_slice(reached);
            self.order.sort(sorted, sort);
            if taken.is_none() && *sorted == next {
                taken = Some((way.steps().collect(), reached.to_vec()));
            }
        });
        taken
    }

    fn rules(self) -> usize {
        self.plain.rules()
    }

    fn seen(room: &mut SortedScratch) -> &mut ExpansionScratch {
        &mut room.seen
    }

    fn reduced(self, is_reduced: bool) -> Self {
        SortedSpace { plain: self.plain.reduced(is_reduced), ..self }
    }
}

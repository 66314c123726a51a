//! Kept: sets of configurations in little room.
//!
//! Of a long scenario there is a set for each of its events, and a configuration has a value for each of its occurrences: written out
//! they would take room with the square of its length. One set differs from the next in a few values. So a long
//! configuration is divided into blocks, equal blocks are kept once, and a set is a list of numbers of blocks. Only the blocks that
//! differ from those of the configuration looked at last are looked up.

use std::collections::HashMap;
use std::rc::Rc;

use crate::id;
use crate::id::IdVec;
use crate::property::pattern::Configs;
use crate::system::Config;

id! {
    /// Some values that stand next to each other in a configuration.
    BlockId
}

/// How many values are a block.
const BLOCK: usize = 64;

/// Configurations of no more values are kept as they are.
const SHORT: usize = 512;

/// A set that is kept. Equal sets are kept alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum KeptSet {
    /// As it is.
    Plain(Rc<Configs>),
    /// The blocks of each configuration, one after the other.
    Blocks {
        /// How many blocks a configuration has.
        width: usize,
        /// The blocks of all.
        blocks: Rc<[BlockId]>,
    },
}

/// The blocks of all sets that are kept.
#[derive(Debug, Default)]
pub(super) struct BlockStore {
    blocks: IdVec<BlockId, Rc<[i32]>>,
    ids: HashMap<Rc<[i32]>, BlockId>,
    /// The configuration that was looked at last, and its blocks.
    last: Vec<i32>,
    last_blocks: Vec<BlockId>,
}

impl BlockStore {
    /// A set to be kept.
    pub(super) fn keep(&mut self, configs: &Rc<Configs>) -> KeptSet {
        match configs.first().map(|config| config.0.len()) {
            Some(values) if values > SHORT => {
                let blocks = configs.iter().flat_map(|config| self.divide(&config.0)).collect();
                KeptSet::Blocks { width: values.div_ceil(BLOCK), blocks }
            }
            Some(_) | None => KeptSet::Plain(Rc::clone(configs)),
        }
    }

    /// A set that is kept, written out.
    pub(super) fn written_out(&self, set: &KeptSet) -> Rc<Configs> {
        match set {
            KeptSet::Plain(configs) => Rc::clone(configs),
            KeptSet::Blocks { width, blocks } => {
                let values = |blocks: &[BlockId]| {
                    let mut values = Vec::with_capacity(width * BLOCK);
                    blocks.iter().for_each(|block| values.extend_from_slice(&self.blocks[*block]));
                    Config(values)
                };
                Rc::new(blocks.chunks(*width).map(values).collect())
            }
        }
    }

    /// The blocks of a configuration.
    fn divide(&mut self, values: &[i32]) -> Vec<BlockId> {
        let is_like = self.last.len() == values.len();
        let mut divided = Vec::with_capacity(values.len().div_ceil(BLOCK));
        for (number, block) in values.chunks(BLOCK).enumerate() {
            let start = number * BLOCK;
            divided.push(match is_like && self.last[start..start + block.len()] == *block {
                true => self.last_blocks[number],
                false => self.number(block),
            });
        }
        self.last.clear();
        self.last.extend_from_slice(values);
        self.last_blocks.clone_from(&divided);
        divided
    }

    /// The number of a block, made if it is new.
    fn number(&mut self, block: &[i32]) -> BlockId {
        if let Some(known) = self.ids.get(block) {
            return *known;
        }
        let block: Rc<[i32]> = Rc::from(block);
        let id = self.blocks.push(Rc::clone(&block));
        self.ids.insert(block, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Random sets of configurations that differ in a few values: what is kept is what was given, and equal sets alone are kept alike.
    #[test]
    fn sets_are_kept_as_they_are() {
        let mut random = Random::new(1);
        let mut store = BlockStore::default();
        for values in [1, SHORT, SHORT + 1, 700, 10 * BLOCK] {
            let mut config = Config(vec![0; values]);
            let mut known: Vec<(Configs, KeptSet)> = Vec::new();
            for _ in 0..60 {
                let mut configs = Configs::new();
                for _ in 0..random.below(3) {
                    let at = random.below(values);
                    config.0[at] = random.below(2) as i32;
                    configs.insert(config.clone());
                }
                let kept = store.keep(&Rc::new(configs.clone()));
                assert_eq!(*store.written_out(&kept), configs);
                for (other, others) in &known {
                    assert_eq!(*other == configs, *others == kept);
                }
                known.push((configs, kept));
            }
        }
    }
}

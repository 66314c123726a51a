//! Store: every state that was visited, exactly once.
//!
//! A state is a fixed number of words in one arena; its number there is its name. An open-addressing table of numbers
//! finds it again, and one number more leads back to the state it was reached from. That is all: the step between the two
//! is found again by taking all steps of the parent, so a state of one word costs 8 bytes, 4 for its parent and about 8 in
//! the table. The store is divided into shards by hash, so that threads can add states without waiting for each other;
//! how many shards there are does not depend on the number of threads, so neither do the numbers.

use crate::packed::copy;

/// How many shards a store has.
pub const SHARDS: usize = 64;

const SHARD_BITS: u32 = SHARDS.trailing_zeros();

/// This many states are looked up at once.
pub(crate) const AT_ONCE: usize = 32;

/// A visited state: its shard in the low bits, its number there above.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(u32);

impl StateId {
    /// The state of this number in a shard.
    pub const fn new(shard: usize, local: usize) -> Self {
        StateId((local << SHARD_BITS | shard) as u32)
    }

    /// The shard it lies in.
    pub fn shard(self) -> usize {
        self.0 as usize % SHARDS
    }

    /// Its number in the shard.
    pub fn local(self) -> usize {
        self.0 as usize >> SHARD_BITS
    }
}

/// The parent of states of which no parent is kept.
pub(crate) const NO_PARENT: StateId = StateId::new(0, 0);

/// A hash of a state: the upper half chooses the shard, the lower the slot in its table.
#[inline]
pub fn hash(state: &[u64]) -> u64 {
    let mut hash = 0x9E37_79B9_7F4A_7C15_u64;
    for word in state {
        let product = u128::from(hash ^ word) * 0xD6E8_FEB8_6659_FD93;
        hash = (product as u64) ^ (product >> 64) as u64 ^ 0xA076_1D64_78BD_642F;
    }
    let product = u128::from(hash) * 0xE703_7ED1_A0B4_28DB;
    (product as u64) ^ (product >> 64) as u64
}

/// The shard a hash belongs to.
#[inline]
pub fn shard_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARD_BITS)) as usize
}

/// An open-addressing table of numbers; the caller knows what they stand for.
#[derive(Clone, Debug, Default)]
pub struct NumberTable {
    /// 0 where it is free, otherwise a number and one.
    slots: Vec<u32>,
    used: usize,
}

impl NumberTable {
    /// Makes room for one number more; `hash_of` tells the hashes of those that are there.
    #[inline]
    pub fn make_room(&mut self, hash_of: impl Fn(u32) -> u64) {
        // At most half full: nearly every search then ends at its first guess.
        if (self.used + 1) * 2 > self.slots.len() {
            self.grow(hash_of);
        }
    }

    fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        let size = (self.slots.len() * 2).max(16);
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for number in old.into_iter().filter(|number| *number != 0) {
            let mut at = hash_of(number - 1) as u32 as usize & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = number;
        }
    }

    /// The number for which `is_same` says yes, or else where to put it, if there is room.
    #[inline]
    pub fn find(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Result<u32, usize> {
        if self.slots.is_empty() {
            return Err(0);
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as u32 as usize & mask;
        loop {
            match self.slots[at] {
                0 => return Err(at),
                number if is_same(number - 1) => return Ok(number - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// What stands where a number of this hash is looked for first: 0, or a number and one.
    #[inline]
    pub(crate) fn first_guess(&self, hash: u64) -> u32 {
        if self.slots.is_empty() { 0 } else { self.slots[hash as usize & (self.slots.len() - 1)] }
    }

    /// Puts a number where [`find`](Self::find) said.
    #[inline]
    pub fn put(&mut self, at: usize, number: u32) {
        self.slots[at] = number + 1;
        self.used += 1;
    }

    /// Gives the numbers from `first` on other ones: `numbers` holds the new ones in the order of the old, and `hash_of` tells the
    /// hashes by the new ones.
    pub fn renumber(&mut self, first: u32, numbers: &[u32], hash_of: impl Fn(u32) -> u64) {
        if numbers.len() * 8 > self.slots.len() {
            for slot in self.slots.iter_mut().filter(|slot| **slot > first) {
                *slot = numbers[(*slot - 1 - first) as usize] + 1;
            }
            return;
        }
        // All are found before one of them changes.
        let mask = self.slots.len() - 1;
        let find = |(old, new): (u32, &u32)| {
            let mut at = hash_of(*new) as u32 as usize & mask;
            while self.slots[at] != old + 1 {
                at = (at + 1) & mask;
            }
            at
        };
        let places: Vec<usize> = (first..).zip(numbers).map(find).collect();
        for (at, new) in places.into_iter().zip(numbers) {
            self.slots[at] = new + 1;
        }
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
    }
}

/// The states of one shard.
#[derive(Clone, Debug)]
pub(crate) struct StateShard {
    words: usize,
    states: Vec<u64>,
    parents: Vec<StateId>,
    table: NumberTable,
}

impl StateShard {
    /// A shard for states of `words` words.
    pub(crate) fn new(words: usize) -> Self {
        StateShard { words, states: Vec::new(), parents: Vec::new(), table: NumberTable::default() }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    /// A state's words.
    #[inline]
    pub(crate) fn state(&self, local: usize) -> &[u64] {
        &self.states[local * self.words..][..self.words]
    }

    /// A state's number, and whether it is new; `parent` is where a new one was reached from.
    #[inline]
    pub(crate) fn add(&mut self, hash: u64, state: &[u64], parent: StateId) -> (usize, bool) {
        let (states, words) = (&self.states, self.words);
        let known = |local: u32| &states[local as usize * words..][..words];
        self.table.make_room(|local| self::hash(known(local)));
        match self.table.find(hash, |local| is_same(known(local), state)) {
            Ok(local) => (local as usize, false),
            Err(at) => {
                let local = self.parents.len();
                self.table.put(at, local as u32);
                grow_by_half(&mut self.states, words);
                self.states.extend_from_slice(state);
                grow_by_half(&mut self.parents, 1);
                self.parents.push(parent);
                (local, true)
            }
        }
    }

    /// Adds all states of a batch, and calls `visit` with the number of each.
    ///
    /// Most of them are known already, and to find that out costs two visits to far memory each. So they are looked at
    /// some at a time, first all slots and then all states, for the machine to wait for all of them at once.
    #[inline]
    pub(crate) fn add_all(&mut self, batch: &Batch, mut visit: impl FnMut(usize)) {
        let mut numbers = [0_u32; AT_ONCE];
        let states = batch.states.chunks(AT_ONCE * self.words);
        for (states, links) in states.zip(batch.links.chunks(AT_ONCE)) {
            for (number, (hash, _)) in numbers.iter_mut().zip(links) {
                *number = self.table.first_guess(u64::from(*hash));
            }
            let mut is_known = [false; AT_ONCE];
            for ((is_known, number), state) in
                is_known.iter_mut().zip(&numbers).zip(states.chunks_exact(self.words))
            {
                *is_known = *number != 0 && is_same(self.state(*number as usize - 1), state);
            }
            for (((is_known, number), (hash, parent)), state) in
                is_known.iter().zip(&numbers).zip(links).zip(states.chunks_exact(self.words))
            {
                visit(match is_known {
                    true => *number as usize - 1,
                    false => self.add(u64::from(*hash), state, *parent).0,
                });
            }
        }
    }

    fn find(&self, hash: u64, state: &[u64]) -> Option<usize> {
        self.table.find(hash, |local| self.state(local as usize) == state).ok().map(|local| local as usize)
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<u64>()
            + self.parents.capacity() * size_of::<StateId>()
            + self.table.bytes()
    }
}

/// Whether two states are the same; they have a few words, for which a call is too much.
#[inline]
fn is_same(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).fold(0, |difference, (one, other)| difference | (one ^ other)) == 0
}

/// States to be added to a shard, each with the part of its hash that the table needs and its parent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    states: Vec<u64>,
    links: Vec<(u32, StateId)>,
}

impl Batch {
    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.links.clear();
    }

    /// Appends a state.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u64], hash: u64, parent: StateId) {
        copy(state, &mut self.states);
        self.links.push((hash as u32, parent));
    }
}

/// Vectors double otherwise, which wastes a third of the memory on average.
#[inline]
fn grow_by_half<T>(items: &mut Vec<T>, more: usize) {
    if items.len() + more > items.capacity() {
        items.reserve_exact((items.len() / 2).max(16 * more));
    }
}

/// All visited states.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    shards: Vec<StateShard>,
}

impl Store {
    /// More states than this have no names; shards are never quite equally full.
    pub(crate) const MOST: usize = 4_000_000_000;

    /// A store for states of `words` words.
    pub(crate) fn new(words: usize) -> Self {
        Store { shards: vec![StateShard::new(words); SHARDS] }
    }

    /// The shards.
    pub(crate) fn shards(&self) -> &[StateShard] {
        &self.shards
    }

    /// The shards, to be added to.
    pub(crate) fn shards_mut(&mut self) -> &mut [StateShard] {
        &mut self.shards
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(StateShard::len).sum()
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.shards.iter().map(StateShard::bytes).sum()
    }

    /// Adds a state that a run begins with: it is its own parent.
    pub(crate) fn add_first(&mut self, state: &[u64]) -> StateId {
        let hash = hash(state);
        let shard = shard_of(hash);
        let id = StateId::new(shard, self.shards[shard].len());
        StateId::new(shard, self.shards[shard].add(hash, state, id).0)
    }

    /// A state's name, if it was visited.
    pub(crate) fn find(&self, state: &[u64]) -> Option<StateId> {
        let hash = hash(state);
        let shard = shard_of(hash);
        self.shards[shard].find(hash, state).map(|local| StateId::new(shard, local))
    }

    /// A state's words.
    #[inline]
    pub(crate) fn state(&self, id: StateId) -> &[u64] {
        self.shards[id.shard()].state(id.local())
    }

    /// Where a state was reached from; `None` where runs begin.
    pub(crate) fn parent(&self, id: StateId) -> Option<StateId> {
        let parent = self.shards[id.shard()].parents[id.local()];
        (parent != id).then_some(parent)
    }

    /// All states, shard by shard.
    pub(crate) fn ids(&self) -> impl Iterator<Item = StateId> + '_ {
        let shards = self.shards.iter().enumerate();
        shards.flat_map(|(number, shard)| (0..shard.len()).map(move |local| StateId::new(number, local)))
    }
}

//! The states that a worker owns.
//!
//! A search in one process adds the states of a level in the order of their parents, and those of one parent in the order of its
//! steps. Here they come from several workers, in any order; each worker sends its own in order, though. So every state of the
//! level that is collected keeps its first parent, and when the level is complete its states are sorted by parent and arrival.
//! Thus states have the same names, and runs the same steps, however many workers there are.
//!
//! A state costs its words, five bytes for its parent, and about eight in the table.

use sequent_engine::store::{NumberTable, hash};

use crate::parcel::StateName;

/// The states of one shard.
#[derive(Clone, Debug)]
pub(crate) struct OwnedShard {
    words: usize,
    states: Vec<u64>,
    /// The shard and the number of the parents.
    shards: Vec<u8>,
    locals: Vec<u32>,
    table: NumberTable,
    /// Where the level begins that is collected, and the one before it.
    fresh: usize,
    level: usize,
    /// When each state of that level came with its parent.
    arrivals: Vec<u32>,
    clock: u32,
}

/// A shard is full: its states have no more numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Full;

/// The greatest number of states in the table: numbers have 32 bits.
const MOST: usize = u32::MAX as usize - 1;

impl OwnedShard {
    /// A shard for states of a number of words.
    pub(crate) fn new(words: usize) -> Self {
        OwnedShard {
            words,
            states: Vec::new(),
            shards: Vec::new(),
            locals: Vec::new(),
            table: NumberTable::default(),
            fresh: 0,
            level: 0,
            arrivals: Vec::new(),
            clock: 0,
        }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.shards.len()
    }

    /// A state's words.
    #[inline]
    pub(crate) fn state(&self, local: usize) -> &[u64] {
        &self.states[local * self.words..][..self.words]
    }

    /// Where a state was reached from; a state that runs begin with is its own parent.
    pub(crate) fn parent(&self, local: usize) -> StateName {
        StateName::new(usize::from(self.shards[local]), self.locals[local] as usize)
    }

    /// Adds a state, or gives it a parent that comes before the one that it has.
    #[inline]
    pub(crate) fn add(&mut self, state: &[u64], hash: u64, parent: StateName) -> Result<(), Full> {
        let (states, words) = (&self.states, self.words);
        let known = |local: u32| &states[local as usize * words..][..words];
        self.table.make_room(|local| self::hash(known(local)));
        match self.table.find(hash, |local| known(local) == state) {
            Ok(local) if (local as usize) < self.fresh => {}
            Ok(local) => {
                let local = local as usize;
                if parent < self.parent(local) {
                    (self.shards[local], self.locals[local]) = (parent.shard() as u8, parent.local() as u32);
                    self.arrivals[local - self.fresh] = self.clock;
                    self.clock = self.clock.wrapping_add(1);
                }
            }
            Err(at) => {
                let local = self.shards.len();
                if local >= MOST {
                    return Err(Full);
                }
                self.table.put(at, local as u32);
                self.states.extend_from_slice(state);
                self.shards.push(parent.shard() as u8);
                self.locals.push(parent.local() as u32);
                self.arrivals.push(self.clock);
                self.clock = self.clock.wrapping_add(1);
            }
        }
        Ok(())
    }

    /// Sorts the level that was collected, and begins to collect the next one.
    pub(crate) fn complete(&mut self) {
        self.sort();
        self.arrivals.clear();
        self.clock = 0;
        self.level = self.fresh;
        self.fresh = self.len();
    }

    /// The states of the level that was completed last.
    pub(crate) fn level(&self) -> std::ops::Range<usize> {
        self.level..self.fresh
    }

    /// How many states of the level that is collected were reached from one before a bound.
    pub(crate) fn reached_before(&self, bound: StateName) -> usize {
        (self.fresh..self.len()).filter(|local| self.parent(*local) < bound).count()
    }

    fn sort(&mut self) {
        let key = |local: usize| (self.parent(local), self.arrivals[local - self.fresh]);
        let is_sorted = (self.fresh + 1..self.len()).all(|local| key(local - 1) < key(local));
        if is_sorted {
            return;
        }
        // What each worker has sent is in order: a stable sort finds and merges that.
        let mut order: Vec<(StateName, u32, u32)> =
            (self.fresh..self.len()).map(|local| (key(local).0, key(local).1, local as u32)).collect();
        order.sort();
        let words = self.words;
        let mut states = Vec::with_capacity(order.len() * words);
        let mut numbers = vec![0_u32; order.len()];
        for (number, (parent, _, local)) in (self.fresh..).zip(&order) {
            states.extend_from_slice(self.state(*local as usize));
            numbers[*local as usize - self.fresh] = number as u32;
            (self.shards[number], self.locals[number]) = (parent.shard() as u8, parent.local() as u32);
        }
        self.states.truncate(self.fresh * words);
        self.states.append(&mut states);
        let (states, words) = (&self.states, self.words);
        let hash_of = |local: u32| hash(&states[local as usize * words..][..words]);
        self.table.renumber(self.fresh as u32, &numbers, hash_of);
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<u64>()
            + self.shards.capacity() * size_of::<u8>()
            + (self.locals.capacity() + self.arrivals.capacity()) * size_of::<u32>()
            + self.table.bytes()
    }
}

#[cfg(test)]
mod tests {
    use sequent_engine::store::hash;

    use super::OwnedShard;
    use crate::parcel::StateName;

    fn add(shard: &mut OwnedShard, state: u64, parent: StateName) {
        shard.add(&[state], hash(&[state]), parent).expect("there is room");
    }

    #[test]
    fn the_order_of_arrival_between_workers_does_not_matter() {
        let [a, b, c] = [StateName::new(0, 0), StateName::new(0, 1), StateName::new(5, 0)];
        let expected = [(10, a), (11, a), (12, b), (13, c)];
        for order in [[10, 11, 12, 13, 12, 10], [13, 10, 12, 10, 12, 11], [12, 13, 10, 11, 12, 10]] {
            let mut shard = OwnedShard::new(1);
            add(&mut shard, 1, a);
            shard.complete();
            for state in order {
                let parents: &[StateName] = match state {
                    10 | 12 => &[c, if state == 10 { a } else { b }],
                    11 => &[a],
                    _ => &[c],
                };
                // A worse parent may come first.
                parents.iter().for_each(|parent| add(&mut shard, state, *parent));
            }
            add(&mut shard, 1, c);
            shard.complete();
            let level = shard.level();
            let seen: Vec<_> = level.map(|local| (shard.state(local)[0], shard.parent(local))).collect();
            let expected: Vec<_> = match order[0] {
                // Of the states of one parent the one comes first that was sent first.
                _ if order.iter().position(|one| *one == 10) < order.iter().position(|one| *one == 11) => {
                    expected.to_vec()
                }
                _ => vec![expected[1], expected[0], expected[2], expected[3]],
            };
            assert_eq!(seen, expected, "{order:?}");
            // They are found again under their new numbers.
            add(&mut shard, 13, a);
            assert_eq!(shard.len(), 5);
        }
    }
}

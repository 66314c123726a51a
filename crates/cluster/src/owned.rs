//! The states that a worker owns.
//!
//! A search in one process adds the states of a level in the order of their parents, and those of one parent in the order of its
//! steps. Here they come from several workers, in any order; each worker sends its own in order, though. So every state of the
//! level that is collected keeps its first parent, and when the level is complete its states are sorted by parent and arrival.
//! Thus states have the same names, and runs the same steps, however many workers there are.
//!
//! A state costs its words, five bytes for its parent, and about eight in the table. If that is too much, and there is a folder
//! for it, all states go to [disk](crate::disk), and only those of the last two levels are in memory, too.

use std::io::Result as IoResult;
use std::path::Path;

use sequent_engine::store::{NumberTable, hash};

use crate::disk::DiskShard;
use crate::parcel::StateName;

/// The states of one shard.
#[derive(Debug)]
pub(crate) struct OwnedShard {
    words: usize,
    /// The number of the first state in memory; the table and what follows is about those from there on.
    base: usize,
    disk: Option<DiskShard>,
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
            base: 0,
            disk: None,
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
        self.base + self.shards.len()
    }

    /// The words of a state that is in memory.
    #[inline]
    pub(crate) fn state(&self, local: usize) -> &[u64] {
        &self.states[(local - self.base) * self.words..][..self.words]
    }

    /// Where a state that is in memory was reached from; a state that runs begin with is its own parent.
    fn parent(&self, local: usize) -> StateName {
        let at = local - self.base;
        StateName::new(usize::from(self.shards[at]), self.locals[at] as usize)
    }

    /// A state and where it was reached from.
    pub(crate) fn fetch(&self, local: usize) -> IoResult<(Vec<u64>, StateName)> {
        match &self.disk {
            Some(disk) if local < self.fresh => disk.state(local),
            Some(_) | None => Ok((self.state(local).to_vec(), self.parent(local))),
        }
    }

    /// Whether states are on disk.
    pub(crate) fn is_on_disk(&self) -> bool {
        self.disk.is_some()
    }

    /// Adds a state, or gives it a parent that comes before the one that it has.
    #[inline]
    pub(crate) fn add(&mut self, state: &[u64], hash: u64, parent: StateName) -> Result<(), Full> {
        let (states, words) = (&self.states, self.words);
        let known = |local: u32| &states[local as usize * words..][..words];
        self.table.make_room(|local| self::hash(known(local)));
        match self.table.find(hash, |local| known(local) == state) {
            Ok(at) if (at as usize) < self.fresh - self.base => {}
            Ok(at) => {
                let at = at as usize;
                if parent < self.parent(self.base + at) {
                    (self.shards[at], self.locals[at]) = (parent.shard() as u8, parent.local() as u32);
                    self.arrivals[at - (self.fresh - self.base)] = self.clock;
                    self.clock = self.clock.wrapping_add(1);
                }
            }
            Err(slot) => {
                if self.len() >= MOST {
                    return Err(Full);
                }
                self.table.put(slot, self.shards.len() as u32);
                self.states.extend_from_slice(state);
                self.shards.push(parent.shard() as u8);
                self.locals.push(parent.local() as u32);
                self.arrivals.push(self.clock);
                self.clock = self.clock.wrapping_add(1);
            }
        }
        Ok(())
    }

    /// The number of a state that was added, if nothing is on disk.
    pub(crate) fn find(&self, state: &[u64], hash: u64) -> Option<usize> {
        self.table.find(hash, |local| self.state(local as usize) == state).ok().map(|local| local as usize)
    }

    /// Sorts the level that was collected, and begins to collect the next one.
    pub(crate) fn complete(&mut self) -> IoResult<()> {
        self.thin()?;
        if self.disk.is_some() {
            self.forget(self.fresh);
        }
        self.sort();
        self.arrivals.clear();
        self.clock = 0;
        self.level = self.fresh;
        self.fresh = self.len();
        self.save()
    }

    /// Puts all states on disk, from now on; it may hold a number of bytes in memory to find them again. To be asked when a level is
    /// complete.
    pub(crate) fn spill(&mut self, folder: &Path, short: usize) -> IoResult<()> {
        if self.disk.is_none() {
            self.disk = Some(DiskShard::new(folder, self.words, short)?);
            self.save()?;
            self.forget(self.level);
        }
        Ok(())
    }

    /// Leaves out the states of the level that is collected which are on disk.
    pub(crate) fn thin(&mut self) -> IoResult<()> {
        let Some(disk) = &self.disk else { return Ok(()) };
        let (words, states) = (self.words, &self.states);
        let state = |at: u32| &states[at as usize * words..][..words];
        let fresh = self.fresh - self.base;
        let mut order: Vec<u32> = (fresh as u32..self.shards.len() as u32).collect();
        order.sort_unstable_by(|one, other| state(*one).cmp(state(*other)));
        let known = disk.contains(order.len(), |number| state(order[number]))?;
        let mut is_kept = vec![true; order.len()];
        for (at, _) in order.iter().zip(known).filter(|(_, is_known)| *is_known) {
            is_kept[*at as usize - fresh] = false;
        }
        self.keep(fresh, &is_kept);
        Ok(())
    }

    /// Keeps some of the states in memory from one on.
    fn keep(&mut self, first: usize, is_kept: &[bool]) {
        if is_kept.iter().all(|is_kept| *is_kept) {
            return;
        }
        let mut to = first;
        for (from, _) in (first..).zip(is_kept).filter(|(_, is_kept)| **is_kept) {
            self.states.copy_within(from * self.words..(from + 1) * self.words, to * self.words);
            (self.shards[to], self.locals[to]) = (self.shards[from], self.locals[from]);
            self.arrivals[to - first] = self.arrivals[from - first];
            to += 1;
        }
        self.states.truncate(to * self.words);
        self.shards.truncate(to);
        self.locals.truncate(to);
        self.arrivals.truncate(to - first);
        self.table = NumberTable::default();
        let (states, words) = (&self.states, self.words);
        let hash_of = |at: u32| hash(&states[at as usize * words..][..words]);
        for at in first as u32..to as u32 {
            self.table.make_room(hash_of);
            if let Err(slot) = self.table.find(hash_of(at), |_| false) {
                self.table.put(slot, at);
            }
        }
    }

    /// Forgets the states in memory before one.
    fn forget(&mut self, local: usize) {
        let gone = local - self.base;
        self.states.drain(..gone * self.words);
        self.shards.drain(..gone);
        self.locals.drain(..gone);
        self.states.shrink_to(self.states.len() / 2 * 3);
        self.shards.shrink_to(self.shards.len() / 2 * 3);
        self.locals.shrink_to(self.locals.len() / 2 * 3);
        self.base = local;
        self.table = NumberTable::default();
    }

    /// Puts those states in memory on disk that are not there yet, if there is one.
    fn save(&mut self) -> IoResult<()> {
        let Some(disk) = &mut self.disk else { return Ok(()) };
        let from = disk.len() - self.base;
        let names = self.shards.iter().zip(&self.locals).skip(from);
        let names = names.map(|(shard, local)| StateName::new(usize::from(*shard), *local as usize));
        self.table = NumberTable::default();
        disk.append(&self.states[from * self.words..], names)
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
        // Where there is a disk all of them are fresh, and none is looked for any more.
        let key = |local: usize| (self.parent(local), self.arrivals[local - self.fresh]);
        let is_sorted = (self.fresh + 1..self.len()).all(|local| key(local - 1) < key(local));
        if is_sorted {
            return;
        }
        // What each worker has sent is in order: a stable sort finds and merges that.
        let mut order: Vec<(StateName, u32, u32)> =
            (self.fresh..self.len()).map(|local| (key(local).0, key(local).1, local as u32)).collect();
        order.sort();
        let (words, fresh) = (self.words, self.fresh - self.base);
        let mut states = Vec::with_capacity(order.len() * words);
        let mut numbers = vec![0_u32; order.len()];
        for (number, (parent, _, local)) in (fresh..).zip(&order) {
            states.extend_from_slice(self.state(*local as usize));
            numbers[*local as usize - self.fresh] = number as u32;
            (self.shards[number], self.locals[number]) = (parent.shard() as u8, parent.local() as u32);
        }
        self.states.truncate(fresh * words);
        self.states.append(&mut states);
        if self.disk.is_some() {
            return;
        }
        let (states, words) = (&self.states, self.words);
        let hash_of = |local: u32| hash(&states[local as usize * words..][..words]);
        self.table.renumber(fresh as u32, &numbers, hash_of);
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<u64>()
            + self.shards.capacity() * size_of::<u8>()
            + (self.locals.capacity() + self.arrivals.capacity()) * size_of::<u32>()
            + self.table.bytes()
            + self.disk.as_ref().map_or(0, DiskShard::bytes)
    }
}

#[cfg(test)]
mod tests {
    use sequent_engine::store::hash;
    use sequent_kernel::random::Random;

    use super::OwnedShard;
    use crate::parcel::StateName;

    fn add(shard: &mut OwnedShard, state: u64, parent: StateName) {
        shard.add(&[state], hash(&[state]), parent).expect("there is room");
    }

    #[test]
    fn states_on_disk_have_the_same_names() {
        let folder = std::env::temp_dir().join(format!("sequent-owned-test-{}", std::process::id()));
        crate::disk::try_folder(&folder).expect("there is room");
        for seed in 0..30 {
            let mut dice = Random::new(seed);
            let mut shards = [OwnedShard::new(1), OwnedShard::new(1)];
            for level in 0..12 {
                let mut parents: Vec<usize> = (0..dice.below(300)).map(|_| dice.below(50)).collect();
                parents.sort_unstable();
                for parent in parents {
                    let (state, parent) = (dice.below(400) as u64, StateName::new(dice.below(3), parent));
                    shards.iter_mut().for_each(|shard| add(shard, state, parent));
                    if dice.below(60) == 0 {
                        shards[1].thin().expect("the files are there");
                    }
                }
                shards.iter_mut().for_each(|shard| shard.complete().expect("there is room"));
                if level == dice.below(4) {
                    shards[1].spill(&folder, 1 << dice.below(14)).expect("there is room");
                }
                assert_eq!(shards[0].len(), shards[1].len(), "seed {seed}");
                assert_eq!(shards[0].level(), shards[1].level(), "seed {seed}");
                shards[0].level().for_each(|at| assert_eq!(shards[0].state(at), shards[1].state(at)));
            }
            for local in 0..shards[0].len() {
                let [one, other] =
                    [&shards[0], &shards[1]].map(|shard| shard.fetch(local).expect("it is there"));
                assert_eq!(one, other, "seed {seed}");
            }
        }
        std::fs::remove_dir(&folder).expect("nothing is left in it");
    }

    #[test]
    fn the_order_of_arrival_between_workers_does_not_matter() {
        let [a, b, c] = [StateName::new(0, 0), StateName::new(0, 1), StateName::new(5, 0)];
        let expected = [(10, a), (11, a), (12, b), (13, c)];
        for order in [[10, 11, 12, 13, 12, 10], [13, 10, 12, 10, 12, 11], [12, 13, 10, 11, 12, 10]] {
            let mut shard = OwnedShard::new(1);
            add(&mut shard, 1, a);
            shard.complete().expect("nothing is on disk");
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
            shard.complete().expect("nothing is on disk");
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

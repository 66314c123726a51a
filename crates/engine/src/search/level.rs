//! Levels: the states that are equally far from the beginning, expanded in rounds.
//!
//! The states of a level are those that each shard got while the level before was expanded, so a level is nothing but a
//! range per shard. A round takes the next states of it, in the order of the shards. First its states are expanded, each
//! thread a stretch of them, and the successors are sorted by the shard they belong to. Then the shards are shared out,
//! and each takes its successors in the order of their parents. Threads only decide who works, never in which order
//! anything is added.

use super::budget::OmissionTally;
use super::expand::ExpansionScratch;
use super::space::StateSpace;
use crate::store::{Batch, SHARDS, StateId, StateShard, Store, hash, shard_of};

/// States expanded in a round, at most: enough for every shard to find its memory in the cache after the first few, few
/// enough that their successors take little memory.
const ROUND: usize = 32_768;

/// Rules looked at in a round: the watch of the search is called several times a second.
const RULES: usize = 4_000_000;

/// Fewer states than this are not worth a second thread.
const WORTH_A_THREAD: usize = 256;

/// Where a search stands in its level.
pub(crate) struct SearchLevel<R> {
    /// For each shard the next state to be expanded, and the end.
    ranges: Vec<[usize; 2]>,
    /// How many states are expanded in a round.
    round: usize,
    workers: Vec<LevelWorker<R>>,
}

/// How many states of a system with `rules` rules are expanded in a round.
pub fn round_of(rules: usize) -> usize {
    (RULES / rules.max(1)).clamp(WORTH_A_THREAD, ROUND)
}

/// What a round found.
pub(crate) struct SearchRound {
    /// The first state that was looked for.
    pub found: Option<StateId>,
    /// How many steps were taken.
    pub transitions: usize,
    /// Whether a state was strained.
    pub is_strained: bool,
    /// How many states were expanded.
    pub states: usize,
    /// What was left out.
    pub tally: OmissionTally,
}

/// What a thread keeps from round to round.
struct LevelWorker<R> {
    room: R,
    batches: Vec<Batch>,
    transitions: usize,
    found: Option<StateId>,
}

impl<R: Default + Send> SearchLevel<R> {
    /// The level of the states with which a search begins.
    pub(crate) fn new(store: &Store, rules: usize, threads: usize) -> Self {
        let worker = || LevelWorker {
            room: R::default(),
            batches: vec![Batch::default(); SHARDS],
            transitions: 0,
            found: None,
        };
        SearchLevel {
            ranges: store.shards().iter().map(|shard| [0, shard.len()]).collect(),
            round: round_of(rules),
            workers: (0..threads.max(1)).map(|_| worker()).collect(),
        }
    }

    /// Whether all states of the level have been expanded.
    pub(crate) fn is_over(&self) -> bool {
        self.ranges.iter().all(|[next, end]| next == end)
    }

    /// Goes on to the states that were added meanwhile; `false` if there are none.
    pub(crate) fn next(&mut self, store: &Store) -> bool {
        for (range, shard) in self.ranges.iter_mut().zip(store.shards()) {
            *range = [range[1], shard.len()];
        }
        !self.is_over()
    }

    /// The next states to be expanded.
    fn take(&mut self) -> Vec<StateId> {
        let mut states = Vec::new();
        for (shard, [next, end]) in self.ranges.iter_mut().enumerate() {
            let some = (*end - *next).min(self.round - states.len());
            states.extend((*next..*next + some).map(|local| StateId::new(shard, local)));
            *next += some;
        }
        states
    }

    /// Expands some states and adds their successors.
    pub(crate) fn round<S: StateSpace<Room = R>>(&mut self, space: S, store: &mut Store) -> SearchRound {
        let states = self.take();
        let threads = self.workers.len().min(states.len().div_ceil(WORTH_A_THREAD));
        let stretch = states.len().div_ceil(threads);
        let workers = &mut self.workers[..threads];
        let shared: &Store = store;
        let jobs = workers.iter_mut().zip(states.chunks(stretch));
        each(jobs.map(|(worker, states)| move || worker.expand(space, states, shared)).collect());
        let mut seen = SharedFindings::default();
        workers.iter_mut().for_each(|worker| seen.learn(S::seen(&mut worker.room)));
        let batches: Vec<&[Batch]> = workers.iter().map(|worker| worker.batches.as_slice()).collect();
        let batches = batches.as_slice();
        let jobs = store.shards_mut().chunks_mut(SHARDS.div_ceil(threads)).enumerate();
        let first = |job: usize| job * SHARDS.div_ceil(threads);
        each(jobs.map(|(job, shards)| move || add(shards, first(job), batches)).collect());
        SearchRound {
            states: states.len(),
            tally: seen.tally,
            found: workers.iter().find_map(|worker| worker.found),
            transitions: workers.iter().map(|worker| worker.transitions).sum(),
            is_strained: seen.is_strained,
        }
    }
}

/// What all threads have seen.
#[derive(Default)]
struct SharedFindings {
    tally: OmissionTally,
    is_strained: bool,
}

impl SharedFindings {
    fn learn(&mut self, room: &mut ExpansionScratch) {
        self.tally += std::mem::take(&mut room.tally);
        self.is_strained |= room.is_strained;
    }
}

/// Does each job on a thread of its own; a single one on this thread.
fn each<J: FnOnce() + Send>(mut jobs: Vec<J>) {
    let last = jobs.pop();
    std::thread::scope(|scope| {
        for job in jobs {
            scope.spawn(job);
        }
        last.map(|job| job())
    });
}

impl<R: Send> LevelWorker<R> {
    fn expand<S: StateSpace<Room = R>>(&mut self, space: S, states: &[StateId], store: &Store) {
        let LevelWorker { room, batches, transitions, found } = self;
        batches.iter_mut().for_each(Batch::clear);
        (*transitions, *found) = (0, None);
        for id in states {
            let is_wanted = space.expand(store.state(*id), room, |next| {
                *transitions += 1;
                let hash = hash(next);
                batches[shard_of(hash)].push(next, hash, *id);
            });
            if found.is_none() && is_wanted {
                *found = Some(*id);
            }
        }
    }
}

/// Adds the successors that belong to some shards, in the order of their parents.
fn add(shards: &mut [StateShard], first: usize, workers: &[&[Batch]]) {
    for (shard, number) in shards.iter_mut().zip(first..) {
        workers.iter().for_each(|batches| shard.add_all(&batches[number], |_| {}));
    }
}

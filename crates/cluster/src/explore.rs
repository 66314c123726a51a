//! The search of one worker: breadth first, level by level, together with the others.
//!
//! States belong to shards by their hash, as in a [search](sequent_engine::search) in one process, and shards to workers. A worker
//! expands its states of a level in order, adds the successors that are its own, and sends the others to their owners. When
//! nothing more can arrive at the next level, that is sorted ([`owned`](crate::owned)) and expanded in turn. With the successors
//! each worker sends all others a [`Census`]: so each knows, at the same level, whether something was found, whether there are too
//! many states, and whether reduction is worth it.
//!
//! What was sent lately is not sent again: the owner knows it, and from a parent that came before.

use std::io::Result as IoResult;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use sequent_engine::packed::Program;
use sequent_engine::part::StateExpander;
use sequent_engine::search::{Limits, ReductionBudget, SearchStop};
use sequent_engine::store::{SHARDS, hash, shard_of};
use timely::worker::Worker;

use crate::mail::{LevelNumber, Mail};
use crate::owned::{Full, OwnedShard};
use crate::parcel::{Census, HEADER, Loading, Parcel, StateName, StateWidths, open};
use crate::task::ClusterTask;

/// States that are expanded before the mail is looked at again.
pub(crate) const CHUNK: usize = 1_000;

/// A parcel is sent when it is this large.
pub(crate) const LARGE: usize = 1 << 15;

/// How many states are remembered that were sent lately; a power of two.
pub(crate) const SENT: usize = 1 << 16;

/// How long a worker that has nothing to do waits for mail.
pub(crate) const WAIT: Duration = Duration::from_millis(20);

/// How far a worker has come, for other threads.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    /// Its states.
    pub states: AtomicU64,
    /// The bytes that they take.
    pub bytes: AtomicU64,
    /// The level.
    pub depth: AtomicU64,
    /// Steps taken.
    pub transitions: AtomicU64,
    /// Bytes sent to other workers.
    pub sent: AtomicU64,
    /// Whether it is to stop.
    pub stop: AtomicBool,
}

impl Pulse {
    /// Before the beginning.
    pub(crate) fn reset(&self) {
        for value in [&self.states, &self.bytes, &self.depth, &self.transitions, &self.sent] {
            value.store(0, Ordering::Relaxed);
        }
        self.stop.store(false, Ordering::Relaxed);
    }
}

/// The worker that owns a shard, among `workers` workers.
pub(crate) fn owner(shard: usize, workers: usize) -> usize {
    shard * workers / SHARDS
}

/// What a worker knows when the search is over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct WorkerOutcome {
    /// Its states up to the level that was expanded last.
    pub states: u64,
    /// The first state of that level that is what was looked for.
    pub found: Option<StateName>,
    /// Its shards: where that level begins in them, and where it ends.
    pub shards: Vec<(usize, usize, usize)>,
    /// Whether a state before that level was strained.
    pub(crate) was_strained: bool,
    /// Whether it must be known which runs go on forever: nothing is decided then.
    pub is_open: bool,
    /// The first state of that level from which one was seen that is strained.
    pub strained: Option<StateName>,
    /// Why the search stopped early.
    pub stop: Option<SearchStop>,
}

/// Where states go that take too much memory.
#[derive(Clone, Debug)]
struct SpillPlan {
    folder: PathBuf,
    /// They do so when they take more bytes than this.
    most: usize,
    /// When known states of the level that is collected are looked for next.
    next: usize,
}

/// The search of one worker.
pub(crate) struct Explorer<'a> {
    part: StateExpander<'a>,
    form: StateWidths,
    limits: Limits,
    index: usize,
    workers: usize,
    /// The shards that it owns, from the first one on.
    shards: Vec<OwnedShard>,
    first: usize,
    level: LevelNumber,
    /// The next state to be expanded: the position of its shard, and its number. Nothing while the level is collected.
    next: Option<(usize, usize)>,
    loading: Vec<Loading>,
    sent: Vec<u64>,
    /// The combined reports of all workers about the level before.
    census: Census,
    /// What this one tells of this level.
    own: Census,
    /// How many states all have expanded.
    total: u64,
    budget: ReductionBudget,
    spill: Option<SpillPlan>,
    outcome: WorkerOutcome,
    buffer: Vec<u64>,
}

impl<'a> Explorer<'a> {
    /// A worker's search, before its beginning.
    pub(crate) fn new(
        program: &'a Program<'a>,
        task: &'a ClusterTask,
        index: usize,
        workers: usize,
    ) -> Option<Self> {
        let part = StateExpander::new(program, task.goal.wanted())?;
        let masks = part.masks();
        let words = masks.len();
        let owned: Vec<usize> = (0..SHARDS).filter(|shard| owner(*shard, workers) == index).collect();
        Some(Explorer {
            part,
            form: StateWidths::new(&masks),
            limits: task.limits,
            index,
            workers,
            shards: owned.iter().map(|_| OwnedShard::new(words)).collect(),
            first: owned.first().copied().unwrap_or(0),
            level: 0,
            next: None,
            loading: vec![Loading::default(); workers],
            sent: vec![0; SENT * words],
            census: Census::default(),
            own: Census::default(),
            total: 0,
            budget: ReductionBudget::default(),
            spill: None,
            outcome: WorkerOutcome::default(),
            buffer: Vec::new(),
        })
    }

    /// Puts states on disk, in a folder, when they take half of the memory that is this worker's.
    pub(crate) fn spill_to(&mut self, folder: &Path) {
        let most = self.limits.bytes / self.workers / 2;
        self.spill = Some(SpillPlan { folder: folder.to_owned(), most, next: most });
    }

    /// Searches, together with the others; fails if the disk does.
    pub(crate) fn run(&mut self, worker: &mut Worker, pulse: &Pulse) -> IoResult<WorkerOutcome> {
        let mail = Mail::new(worker);
        self.begin(&mail);
        while worker.has_dataflows() {
            let is_busy = self.advance(&mail, pulse)?;
            self.relieve()?;
            worker.step_or_park(Some(if is_busy { Duration::ZERO } else { WAIT }));
        }
        self.publish(pulse);
        self.outcome.is_open = self.part.is_open();
        Ok(std::mem::take(&mut self.outcome))
    }

    /// What is owned: the shards, the number of the first of them, how states are sent, and the limits.
    pub(crate) fn owned(&self) -> (&[OwnedShard], usize, &StateWidths, &Limits) {
        (&self.shards, self.first, &self.form, &self.limits)
    }

    /// A state and where it was reached from.
    pub(crate) fn state(&self, name: StateName) -> Option<IoResult<(Vec<u64>, StateName)>> {
        let shard = self.shards.get(name.shard().checked_sub(self.first)?)?;
        (name.local() < shard.len()).then(|| shard.fetch(name.local()))
    }

    /// How many states of the level after the last one that was expanded were reached from one before a bound.
    pub(crate) fn reached_before(&mut self, bound: StateName) -> IoResult<usize> {
        self.shards.iter_mut().try_for_each(OwnedShard::thin)?;
        Ok(self.shards.iter().map(|shard| shard.reached_before(bound)).sum())
    }

    fn bytes(&self) -> usize {
        self.shards.iter().map(OwnedShard::bytes).sum()
    }

    /// Leaves out what is known of the level that is collected, if it takes much memory.
    fn relieve(&mut self) -> IoResult<()> {
        let bytes = self.bytes();
        if self.spill.as_ref().is_none_or(|spill| bytes <= spill.next) {
            return Ok(());
        }
        self.shards.iter_mut().try_for_each(OwnedShard::thin)?;
        let bytes = self.bytes();
        if let Some(spill) = &mut self.spill {
            spill.next = (2 * bytes).max(spill.most);
        }
        Ok(())
    }

    /// The level is complete: what takes too much memory goes to disk.
    fn settle(&mut self) -> IoResult<()> {
        self.shards.iter_mut().try_for_each(OwnedShard::complete)?;
        let bytes = self.bytes();
        if let Some(SpillPlan { folder, most, .. }) = self.spill.as_ref().filter(|spill| bytes > spill.most) {
            let short = (most / 8 / self.shards.len()).max(64);
            self.shards.iter_mut().try_for_each(|shard| shard.spill(folder, short))?;
        }
        Ok(())
    }

    fn begin(&mut self, mail: &Mail) {
        let first = self.part.first();
        self.outcome.was_strained = self.part.take_strained();
        let mut is_here = false;
        for state in first {
            let hash = hash(&state);
            let shard = shard_of(hash);
            if owner(shard, self.workers) == self.index {
                is_here = true;
                let own = &mut self.shards[shard - self.first];
                let added = own.add(&state, hash, StateName::new(shard, own.len()));
                debug_assert_eq!(added, Ok(()), "a shard has room for the first states");
            }
        }
        if !is_here {
            mail.leave(0);
        }
    }

    /// Does some work; whether there is more.
    fn advance(&mut self, mail: &Mail, pulse: &Pulse) -> IoResult<bool> {
        let collected = self.level + LevelNumber::from(self.next.is_some());
        for parcel in mail.take(collected) {
            self.receive(&parcel);
        }
        match self.next {
            Some(next) => self.expand(next, mail, pulse),
            None if mail.is_complete(self.level) => self.complete(mail, pulse)?,
            None => return Ok(false),
        }
        Ok(true)
    }

    fn receive(&mut self, parcel: &Parcel) {
        let Explorer { form, shards, first, outcome, buffer, .. } = self;
        let opened = open(parcel, form, buffer, |state, parent| {
            let hash = hash(state);
            if shards[shard_of(hash) - *first].add(state, hash, parent) == Err(Full) {
                outcome.stop = Some(SearchStop::States);
            }
        });
        if let Some(census) = opened.expect("a peer of the same build sent it") {
            self.census = self.census.and(census);
        }
    }

    /// Nothing more arrives at the level: goes on to expand it, if the search is to go on.
    fn complete(&mut self, mail: &Mail, pulse: &Pulse) -> IoResult<()> {
        let census = std::mem::take(&mut self.census);
        self.budget.learn(census.expanded as usize, census.tally);
        self.total += census.expanded;
        let stop = if self.total > self.limits.states as u64 {
            Some(SearchStop::States)
        } else if census.bytes > self.limits.bytes as u64 {
            Some(SearchStop::Memory)
        } else if self.level as usize > self.limits.depth {
            Some(SearchStop::Depth)
        } else {
            self.outcome.stop
        };
        if census.has_found || stop.is_some() {
            if !census.has_found {
                self.outcome.stop = stop;
            }
            mail.leave(self.level);
            self.level += 1;
            return Ok(());
        }
        self.settle()?;
        self.outcome.was_strained |= self.outcome.strained.take().is_some();
        self.publish(pulse);
        let levels = self.shards.iter().map(OwnedShard::level).zip(self.first..);
        self.outcome.shards = levels.map(|(level, shard)| (shard, level.start, level.end)).collect();
        self.outcome.states = self.shards.iter().map(|shard| shard.len() as u64).sum();
        let start = self.shards.iter().position(|shard| !shard.level().is_empty());
        match start {
            Some(start) => {
                self.own = Census { bytes: self.bytes() as u64, ..Census::default() };
                self.next = Some((start, self.shards[start].level().start));
                mail.keep_next(self.level);
            }
            None => {
                mail.leave(self.level);
                self.level += 1;
            }
        }
        Ok(())
    }

    fn publish(&self, pulse: &Pulse) {
        let states: u64 = self.shards.iter().map(|shard| shard.len() as u64).sum();
        pulse.states.store(states, Ordering::Relaxed);
        pulse.bytes.store(self.bytes() as u64, Ordering::Relaxed);
        pulse.depth.store(u64::from(self.level), Ordering::Relaxed);
    }

    /// Expands some states from this one on.
    fn expand(&mut self, (mut at, mut local): (usize, usize), mail: &Mail, pulse: &Pulse) {
        let is_reduced = self.budget.is_on();
        let mut state = std::mem::take(&mut self.buffer);
        let mut transitions = 0;
        for _ in 0..CHUNK {
            let name = StateName::new(self.first + at, local);
            state.clear();
            state.extend_from_slice(self.shards[at].state(local));
            transitions += self.successors(&state, name, is_reduced, mail, pulse);
            self.own.expanded += 1;
            local += 1;
            if local == self.shards[at].level().end {
                let rest = &self.shards[at + 1..];
                let Some(skipped) = rest.iter().position(|shard| !shard.level().is_empty()) else {
                    self.buffer = state;
                    pulse.transitions.fetch_add(transitions, Ordering::Relaxed);
                    return self.finish(mail, pulse);
                };
                at += skipped + 1;
                local = self.shards[at].level().start;
            }
        }
        self.buffer = state;
        self.next = Some((at, local));
        pulse.transitions.fetch_add(transitions, Ordering::Relaxed);
        self.publish(pulse);
        if pulse.stop.load(Ordering::Relaxed) {
            self.outcome.stop = Some(SearchStop::Watch);
            self.finish(mail, pulse);
        }
    }

    /// Sends the successors of a state to their owners; returns their number.
    fn successors(
        &mut self,
        state: &[u64],
        name: StateName,
        is_reduced: bool,
        mail: &Mail,
        pulse: &Pulse,
    ) -> u64 {
        let Explorer { part, form, index, workers, shards, first, level, loading, sent, outcome, .. } = self;
        let mut count = 0;
        let is_wanted = part.expand(state, is_reduced, |next| {
            count += 1;
            let hash = hash(next);
            let shard = shard_of(hash);
            let target = owner(shard, *workers);
            if target == *index {
                if shards[shard - *first].add(next, hash, name) == Err(Full) {
                    outcome.stop = Some(SearchStop::States);
                }
                return;
            }
            let slot = (hash as usize & (SENT - 1)) * next.len();
            let known = &mut sent[slot..slot + next.len()];
            // A state of zeros looks as if it had been sent: it is sent each time.
            if known == next && next.iter().any(|word| *word != 0) {
                return;
            }
            known.copy_from_slice(next);
            loading[target].push(next, name, form);
            if loading[target].len() >= LARGE {
                dispatch(loading[target].take(target), *level, mail, pulse);
            }
        });
        if is_wanted && self.outcome.found.is_none() {
            self.outcome.found = Some(name);
            self.own.has_found = true;
        }
        if self.part.take_strained() && self.outcome.strained.is_none() {
            self.outcome.strained = Some(name);
        }
        count
    }

    /// All states of the level were expanded.
    fn finish(&mut self, mail: &Mail, pulse: &Pulse) {
        for (target, loading) in self.loading.iter_mut().enumerate().filter(|(_, one)| !one.is_empty()) {
            dispatch(loading.take(target), self.level, mail, pulse);
        }
        self.own.tally = self.part.take_tally();
        for target in (0..self.workers).filter(|target| *target != self.index) {
            dispatch(self.own.parcel(target), self.level, mail, pulse);
        }
        self.census = self.census.and(self.own);
        self.next = None;
        mail.leave(self.level);
        self.level += 1;
    }
}

/// Sends a parcel.
pub(crate) fn dispatch(parcel: Parcel, level: LevelNumber, mail: &Mail, pulse: &Pulse) {
    pulse.sent.fetch_add((parcel.bytes.len().next_multiple_of(8) + 8 + HEADER) as u64, Ordering::Relaxed);
    mail.send(level, parcel);
}

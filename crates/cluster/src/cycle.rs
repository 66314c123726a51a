//! Where runs go on forever: labels that all workers pass along the steps between their states.
//!
//! A run that goes on forever is repeated in a part of the states where every obligation is met (a bit each, see
//! [`CycleExpander`]). Each state gets the obligations that are met on some way to it, as a label: a state passes on
//! its own label, with what it and the step meet, until nothing changes. A state that lacks an obligation is in no such part, and no
//! state that such a part is reached from is needed: it is left out, and the rest begins anew, until nothing is left out or
//! nothing is left. What is left has such a part, for a way back from any of its states meets everything again and again, and the
//! states are finitely many. That is OWCTY (I. Černá and R. Pelánek, "Distributed explicit fair cycle detection", SPIN 2003) with all
//! obligations at once. Strong fairness is one more: a state in which it is due must have been reached from a step that pays
//! (Y. Kesten, A. Pnueli and L. Raviv, "Algorithmic verification of linear temporal logic specifications", ICALP 1998).
//!
//! Then each state passes on the greatest rank of those before it (MAP: L. Brim, I. Černá, P. Moravec and J. Šimša, "Accepting
//! predecessors are better than back edges in distributed LTL model checking", FMCAD 2004). A state that gets its own rank lies on a
//! cycle; of these the one of least rank is reached from no other part, so that its part meets everything.
//!
//! Within a worker a label is passed on at once, to another worker with the next level: levels are those of the dataflow.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Duration;

use sequent_engine::part::{CycleExpander, StateNeeds};
use sequent_engine::search::{Limits, SearchStop};
use sequent_engine::store::{hash, shard_of};
use timely::worker::Worker;

use crate::explore::{CHUNK, LARGE, Pulse, SENT, WAIT, dispatch, owner};
use crate::mail::{LevelNumber, Mail};
use crate::owned::OwnedShard;
use crate::parcel::{LabelCensus, Loading, Parcel, StateName, StateWidths, open_labels};

/// What a worker knows when the search for a cycle is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct CycleOutcome {
    /// Its state of least rank that gets its own rank, if there is a cycle that counts.
    pub found: Option<CycleEntry>,
    /// Why the search stopped early.
    pub stop: Option<SearchStop>,
}

/// A state from which a cycle leads back to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CycleEntry {
    /// Its rank.
    pub rank: u64,
    /// Its name.
    pub name: StateName,
    /// What a cycle through it meets.
    pub met: u64,
}

/// The rank of a state: as good as random, so that few greater ones come after each other on a way; never 0.
fn rank(name: StateName) -> u64 {
    (name.0 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// What labels are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LabelStage {
    /// Obligations that are met on some way to a state.
    Met,
    /// The same; nothing changes any more, and states were left out.
    Trimmed,
    /// The greatest rank of states before a state.
    Rank,
}

impl LabelStage {
    /// One label of a state and another one, together.
    fn join(self, one: u64, other: u64) -> u64 {
        match self {
            LabelStage::Met | LabelStage::Trimmed => one | other,
            LabelStage::Rank => one.max(other),
        }
    }
}

/// What is known of the states of a shard.
struct LabelShard {
    labels: Vec<u64>,
    /// The strong fairness constraints that are due; then what was met.
    kept: Vec<u64>,
    flags: Vec<u8>,
}

/// The state is not left out.
const LEFT: u8 = 1;
/// It is to pass on its label.
const QUEUED: u8 = 2;

/// More bytes than any limit allows; as many for each worker are a number still.
const TOO_MUCH: u64 = 1 << 56;

/// The labels of a worker's states.
struct LabelTable<'a> {
    shards: &'a [OwnedShard],
    /// The number of the first shard.
    first: usize,
    known: Vec<LabelShard>,
    stage: LabelStage,
    /// The states that are to pass on their labels: positions of shards, and numbers.
    queue: VecDeque<(u32, u32)>,
}

impl<'a> LabelTable<'a> {
    fn new(shards: &'a [OwnedShard], first: usize) -> Self {
        let known = |shard: &OwnedShard| {
            // What is on disk gets none.
            let len = if shard.is_on_disk() { 0 } else { shard.len() };
            LabelShard { labels: vec![0; len], kept: vec![0; len], flags: vec![LEFT; len] }
        };
        let known = shards.iter().map(known).collect();
        LabelTable { shards, first, known, stage: LabelStage::Met, queue: VecDeque::new() }
    }

    /// All states that are left are to pass on labels that begin anew.
    fn begin(&mut self, stage: LabelStage) {
        self.stage = stage;
        let LabelTable { known, queue, .. } = self;
        for (at, LabelShard { labels, kept, flags }) in known.iter_mut().enumerate() {
            if stage == LabelStage::Rank {
                std::mem::swap(kept, labels);
            }
            labels.fill(0);
            for (local, flags) in flags.iter_mut().enumerate().filter(|(_, flags)| **flags & LEFT != 0) {
                *flags |= QUEUED;
                queue.push_back((at as u32, local as u32));
            }
        }
    }

    /// Gives a state a label; if that is more than the state has, it is passed on.
    fn raise(&mut self, state: &[u64], hash: u64, label: u64) {
        let at = shard_of(hash) - self.first;
        let local = self.shards[at].find(state, hash).expect("all states are known");
        let LabelShard { labels, flags, .. } = &mut self.known[at];
        let more = self.stage.join(labels[local], label);
        if more == labels[local] || flags[local] & LEFT == 0 {
            return;
        }
        labels[local] = more;
        if flags[local] & QUEUED == 0 {
            flags[local] |= QUEUED;
            self.queue.push_back((at as u32, local as u32));
        }
    }

    /// Leaves out the states that lack something; how many are left, and how many were left out.
    fn trim(&mut self, needs: u64) -> (u64, u64) {
        let (mut left, mut dropped) = (0, 0);
        for LabelShard { labels, kept, flags } in &mut self.known {
            for ((label, due), flags) in labels.iter().zip(&*kept).zip(flags) {
                match (*flags & LEFT != 0, (needs | due) & !label == 0) {
                    (true, true) => left += 1,
                    (true, false) => {
                        *flags = 0;
                        dropped += 1;
                    }
                    (false, _) => {}
                }
            }
        }
        (left, dropped)
    }

    /// The state of least rank that got its own rank.
    fn entry(&self) -> Option<CycleEntry> {
        let shards = self.known.iter().zip(self.first..);
        let entries = shards.flat_map(|(LabelShard { labels, kept, .. }, shard)| {
            labels.iter().zip(kept).enumerate().filter_map(move |(local, (label, met))| {
                let name = StateName::new(shard, local);
                (*label == rank(name)).then_some(CycleEntry { rank: *label, name, met: *met })
            })
        });
        entries.min()
    }

    fn bytes(&self) -> usize {
        let own = |shard: &LabelShard| {
            shard.flags.capacity() + (shard.labels.capacity() + shard.kept.capacity()) * size_of::<u64>()
        };
        self.known.iter().map(own).sum::<usize>() + self.queue.capacity() * size_of::<(u32, u32)>()
    }
}

/// The part of a worker.
pub(crate) struct CycleSearch<'a> {
    steps: CycleExpander<'a>,
    table: LabelTable<'a>,
    form: &'a StateWidths,
    limit: u64,
    index: usize,
    workers: usize,
    level: LevelNumber,
    /// Whether labels are passed on; else those of the level are collected.
    is_passing: bool,
    loading: Vec<Loading>,
    /// Labels that were sent lately, each after its state.
    sent: Vec<u64>,
    /// The combined reports of all workers about the level before, and what this one tells of this level.
    census: LabelCensus,
    own: LabelCensus,
    outcome: CycleOutcome,
    buffer: Vec<u64>,
}

impl<'a> CycleSearch<'a> {
    /// Among the states that a worker owns.
    pub(crate) fn new(
        steps: CycleExpander<'a>,
        (shards, first, form, limits): (&'a [OwnedShard], usize, &'a StateWidths, &Limits),
        index: usize,
        workers: usize,
    ) -> Self {
        CycleSearch {
            steps,
            table: LabelTable::new(shards, first),
            form,
            limit: limits.bytes as u64,
            index,
            workers,
            level: 0,
            is_passing: false,
            loading: vec![Loading::default(); workers],
            sent: Vec::new(),
            census: LabelCensus::default(),
            own: LabelCensus::default(),
            outcome: CycleOutcome::default(),
            buffer: Vec::new(),
        }
    }

    /// Searches, together with the others.
    pub(crate) fn run(mut self, worker: &mut Worker, pulse: &Pulse) -> CycleOutcome {
        let mail = Mail::new(worker);
        // First all say how much memory they take; nobody has a label yet.
        self.table.stage = LabelStage::Trimmed;
        (self.own.left, self.own.dropped) = (1, 1);
        self.pass_on(&mail);
        while worker.has_dataflows() {
            let is_busy = self.advance(&mail, pulse);
            worker.step_or_park(Some(if is_busy { Duration::ZERO } else { WAIT }));
        }
        self.outcome
    }

    fn begin(&mut self, stage: LabelStage) {
        self.sent.clear();
        self.table.begin(stage);
    }

    /// Goes on to pass on labels at this level.
    fn pass_on(&mut self, mail: &Mail) {
        mail.keep_next(self.level);
        let states: usize = self.table.shards.iter().map(OwnedShard::bytes).sum();
        // States on disk are not looked up one by one.
        let is_too_much = self.table.shards.iter().any(OwnedShard::is_on_disk);
        self.own.bytes = if is_too_much { TOO_MUCH } else { (states + self.table.bytes()) as u64 };
        self.is_passing = true;
    }

    /// Does some work; whether there is more.
    fn advance(&mut self, mail: &Mail, pulse: &Pulse) -> bool {
        let collected = self.level + LevelNumber::from(self.is_passing);
        for parcel in mail.take(collected) {
            self.receive(&parcel);
        }
        match self.is_passing {
            true => self.pass_some(mail, pulse),
            false if mail.is_complete(self.level) => self.complete(mail),
            false => return false,
        }
        true
    }

    fn receive(&mut self, parcel: &Parcel) {
        let CycleSearch { table, form, buffer, .. } = self;
        let opened = open_labels(parcel, form, buffer, |state, label| table.raise(state, hash(state), label));
        if let Some(census) = opened.expect("a peer of the same build sent it") {
            self.census = self.census.and(census);
        }
    }

    /// Passes on the labels of some states.
    fn pass_some(&mut self, mail: &Mail, pulse: &Pulse) {
        let mut count = 0;
        for _ in 0..CHUNK {
            let Some((at, local)) = self.table.queue.pop_front() else {
                pulse.transitions.fetch_add(count, Ordering::Relaxed);
                return self.finish(mail, pulse);
            };
            count += self.pass(at as usize, local as usize, mail, pulse);
        }
        pulse.transitions.fetch_add(count, Ordering::Relaxed);
        if pulse.stop.load(Ordering::Relaxed) {
            self.own.is_stopped = true;
            self.table.queue.clear();
            self.finish(mail, pulse);
        }
    }

    /// Passes on the label of a state; returns the number of its steps.
    fn pass(&mut self, at: usize, local: usize, mail: &Mail, pulse: &Pulse) -> u64 {
        let CycleSearch { steps, table, form, index, workers, level, loading, sent, own, .. } = self;
        let stage = table.stage;
        let known = &mut table.known[at];
        known.flags[local] &= !QUEUED;
        let Some(StateNeeds { met, due }) = steps.expand(table.shards[at].state(local)) else { return 0 };
        let label = match stage {
            LabelStage::Met | LabelStage::Trimmed => {
                known.labels[local] |= met;
                known.kept[local] = due;
                known.labels[local]
            }
            LabelStage::Rank => known.labels[local].max(rank(StateName::new(table.first + at, local))),
        };
        let mut count = 0;
        for (next, more) in steps.successors() {
            count += 1;
            let label = if stage == LabelStage::Rank { label } else { label | more };
            if label == 0 {
                continue;
            }
            let hash = hash(next);
            let target = owner(shard_of(hash), *workers);
            if target == *index {
                table.raise(next, hash, label);
                continue;
            }
            let words = next.len() + 1;
            sent.resize(SENT * words, 0);
            let (state, before) =
                sent[(hash as usize & (SENT - 1)) * words..][..words].split_at_mut(words - 1);
            // No label that is sent is 0.
            if state == next && before[0] != 0 && stage.join(before[0], label) == before[0] {
                continue;
            }
            state.copy_from_slice(next);
            before[0] = label;
            own.sent += 1;
            loading[target].push_label(next, label, form);
            if loading[target].len() >= LARGE {
                dispatch(loading[target].take_labels(target), *level, mail, pulse);
            }
        }
        count
    }

    /// All labels of the level were passed on.
    fn finish(&mut self, mail: &Mail, pulse: &Pulse) {
        for (target, loading) in self.loading.iter_mut().enumerate().filter(|(_, one)| !one.is_empty()) {
            dispatch(loading.take_labels(target), self.level, mail, pulse);
        }
        for target in (0..self.workers).filter(|target| *target != self.index) {
            dispatch(self.own.parcel(target), self.level, mail, pulse);
        }
        self.census = self.census.and(std::mem::take(&mut self.own));
        self.is_passing = false;
        mail.leave(self.level);
        self.level += 1;
    }

    /// All workers know the same about the level: goes on, or ends.
    fn complete(&mut self, mail: &Mail) {
        let census = std::mem::take(&mut self.census);
        if census.is_stopped || census.bytes > self.limit.min(TOO_MUCH - 1) {
            self.outcome.stop = Some(if census.is_stopped { SearchStop::Watch } else { SearchStop::Memory });
            return mail.leave(self.level);
        }
        if census.sent == 0 {
            match self.table.stage {
                LabelStage::Met => {
                    (self.own.left, self.own.dropped) = self.table.trim(self.steps.needs().0);
                    self.table.stage = LabelStage::Trimmed;
                }
                LabelStage::Trimmed if census.left == 0 => return mail.leave(self.level),
                LabelStage::Trimmed if census.dropped == 0 => self.begin(LabelStage::Rank),
                LabelStage::Trimmed => self.begin(LabelStage::Met),
                LabelStage::Rank => {
                    self.outcome.found = self.table.entry();
                    return mail.leave(self.level);
                }
            }
        }
        self.pass_on(mail);
    }
}

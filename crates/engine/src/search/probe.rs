//! Probe: a deadlock met early, best first.
//!
//! A search by levels meets a deadlock only after nearly all states that are as near, which are many where the deadlock
//! needs every component. The probe goes on from the state with the fewest steps, as a deadlock has none, and of several from
//! the one that lies deepest (the number of active processes as a heuristic: S. Edelkamp, S. Leue and A. Lluch-Lafuente,
//! "Directed explicit-state model checking in the validation of communication protocols", 2004). It gives up after a bounded
//! effort, so it may only say that there is a deadlock. The run that it finds need not be a shortest one: as long as
//! that takes no more states than the run before, it looks for a shorter one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use sequent_kernel::replay::Run;
use sequent_kernel::system::Step;

use super::expand::{Expander, ExpansionScratch};
use super::space::{PlainSpace, StateSpace};
use super::{Limits, Progress, SearchGoal, Visited, unwatched};
use crate::explore::{Exploration, explore};
use crate::packed::Program;
use crate::store::{StateId, Store, hash, shard_of};

/// At most this many states are looked at.
const MOST: usize = 10_000;

/// At most this many rules are looked at, in all states together.
const MOST_RULES: usize = 40_000_000;

/// A deadlock that was met.
pub struct DeadlockMet {
    /// A run to it.
    pub run: Run,
    /// How many states were looked at.
    pub states: usize,
    /// Whether one was strained: the System has fewer runs than the diagram.
    pub is_strained: bool,
}

/// Looks for a deadlock within a bounded effort.
pub fn probe(program: &Program<'_>, limits: &Limits) -> Option<DeadlockMet> {
    let expander = Expander { program, stubborn: None, goal: None };
    let space = PlainSpace { expander, quest: SearchGoal::Stuck };
    let first = [expander.first(&mut ExpansionScratch::default())?];
    let most = MOST.min(MOST_RULES / program.system.rules.len().max(1)).min(limits.states);
    let (mut best, mut states, mut is_strained) = (None, 0, false);
    let (mut depth, mut effort) = (usize::MAX, most);
    while let Some((found, run)) = attempt(space, &first, depth, &Limits { states: effort, ..*limits }) {
        states += found.progress.states;
        is_strained |= found.is_strained;
        (depth, effort) = (found.depth.saturating_sub(1), found.progress.states);
        best = Some(run);
        if states >= most || found.depth == 0 {
            break;
        }
    }
    best.map(|run| DeadlockMet { run, states, is_strained })
}

/// What an attempt took that met a deadlock.
struct ProbeAttempt {
    progress: Progress,
    /// How many kept states lie on the way to the deadlock.
    depth: usize,
    is_strained: bool,
}

/// A run to a deadlock that is at most so deep.
fn attempt(
    space: PlainSpace<'_>,
    first: &[(Vec<u64>, Vec<Step>)],
    deepest: usize,
    limits: &Limits,
) -> Option<(ProbeAttempt, Run)> {
    let mut best_first = BestFirst::new(space, first, deepest);
    let (found, depth) = explore(&mut best_first, limits, &unwatched).ok()??;
    let (progress, is_strained) = (best_first.progress(), best_first.room.is_strained);
    let run = best_first.visited.run_to(space, first, found);
    Some((ProbeAttempt { progress, depth, is_strained }, run))
}

/// States that were looked at, those with the fewest steps first, and of these the deepest, and of these the one found first.
type Open = BinaryHeap<Reverse<(usize, Reverse<usize>, usize, StateId)>>;

/// A search that goes on from the most promising state.
struct BestFirst<'a> {
    space: PlainSpace<'a>,
    room: ExpansionScratch,
    visited: Visited,
    open: Open,
    /// States deeper than this are left out.
    deepest: usize,
    /// A deadlock that was met, and its depth.
    met: Option<(StateId, usize)>,
    next: Vec<u64>,
}

impl<'a> BestFirst<'a> {
    fn new(space: PlainSpace<'a>, first: &[(Vec<u64>, Vec<Step>)], deepest: usize) -> Self {
        let words = space.expander.program.words();
        let mut best_first = BestFirst {
            space,
            room: ExpansionScratch::default(),
            visited: Visited::new(words),
            open: Open::new(),
            deepest,
            met: None,
            next: Vec::new(),
        };
        for (state, _) in first {
            let id = best_first.visited.store.add_first(state);
            best_first.look_at(id, 0);
        }
        best_first
    }

    /// Counts the steps of a state.
    fn look_at(&mut self, id: StateId, depth: usize) {
        let mut steps = 0;
        let store = &self.visited.store;
        if self.space.expand(store.state(id), &mut self.room, |_| steps += 1) {
            self.met = self.met.or(Some((id, depth)));
        }
        self.open.push(Reverse((steps, Reverse(depth), store.len(), id)));
    }

    /// Adds a state; `None` if it was there.
    fn add(store: &mut Store, state: &[u64], parent: StateId) -> Option<StateId> {
        let hash = hash(state);
        let shard = shard_of(hash);
        let (local, is_new) = store.shards_mut()[shard].add(hash, state, parent);
        is_new.then_some(StateId::new(shard, local))
    }
}

impl Exploration for BestFirst<'_> {
    type Found = (StateId, usize);

    const VISITS: usize = 1;

    fn is_over(&self) -> bool {
        self.open.is_empty() && self.met.is_none()
    }

    fn visit(&mut self) -> ControlFlow<(StateId, usize)> {
        if let Some(met) = self.met {
            return ControlFlow::Break(met);
        }
        let Some(Reverse((_, Reverse(depth), _, id))) = self.open.pop() else {
            return ControlFlow::Continue(());
        };
        if depth >= self.deepest {
            return ControlFlow::Continue(());
        }
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        self.space
            .expand(self.visited.store.state(id), &mut self.room, |state| next.extend_from_slice(state));
        for state in next.chunks_exact(self.space.expander.program.words()) {
            if let Some(new) = Self::add(&mut self.visited.store, state, id) {
                self.look_at(new, depth + 1);
            }
        }
        self.next = next;
        ControlFlow::Continue(())
    }

    fn progress(&self) -> Progress {
        let store = &self.visited.store;
        Progress { states: store.len(), bytes: store.bytes(), ..Progress::default() }
    }
}

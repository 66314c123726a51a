//! Exploration: the one search loop, generic in its states.
//!
//! An [`Exploration`] is a store of the states that were found and a visitor of the next ones: configurations
//! of a System ([`search`](crate::search), by rounds and on all cores; [`survey`](crate::survey)), their
//! product with an observer ([`property`](crate::property)), sets of configurations
//! ([`traces`](crate::traces), [`equivalence`](crate::equivalence)), pairs of two Systems
//! ([`refine`](crate::refine)), steps of different components that happen together
//! ([`transactions`](crate::transactions)). A visit adds the successors; level by level, so that what is
//! found first is nearest. The loop knows nothing of the states: it handles limits, progress and the watch.

use std::ops::ControlFlow;

use sequent_kernel::verdict::SearchStop;

/// How far an exploration may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// States that are kept.
    pub states: usize,
    /// Bytes that they take.
    pub bytes: usize,
    /// Levels.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { states: 200_000_000, bytes: 8 << 30, depth: usize::MAX }
    }
}

impl Limits {
    /// Why an exploration that has come so far does not go on: it is beyond its limits, or the watch breaks it off.
    pub fn stop(&self, progress: &Progress, watch: ProgressWatch<'_>) -> Option<SearchStop> {
        if progress.states > self.states {
            Some(SearchStop::States)
        } else if progress.bytes > self.bytes {
            Some(SearchStop::Memory)
        } else if watch(progress).is_break() {
            Some(SearchStop::Watch)
        } else {
            None
        }
    }
}

/// How far an exploration has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// States that are kept.
    pub states: usize,
    /// Steps taken.
    pub transitions: usize,
    /// Levels finished.
    pub depth: usize,
    /// Bytes that the states take.
    pub bytes: usize,
}

/// Looks at the progress now and then, and may break the exploration off.
pub type ProgressWatch<'a> = &'a dyn Fn(&Progress) -> ControlFlow<()>;

/// Watches nothing.
pub fn unwatched(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// States that are found and visited.
pub(crate) trait Exploration {
    /// What may be found.
    type Found;

    /// Between two looks at the limits there are this many visits.
    const VISITS: usize;

    /// Whether all states of the level were visited.
    fn is_over(&self) -> bool;

    /// Visits the next state, or some of them, and adds where their steps lead.
    fn visit(&mut self) -> ControlFlow<Self::Found>;

    /// Goes on to the next level; `false` if there is none.
    fn next_level(&mut self) -> ControlFlow<Self::Found, bool> {
        ControlFlow::Continue(false)
    }

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// Why what was added last is not whole, so that nothing can be said of it.
    fn stop(&self) -> Option<SearchStop> {
        None
    }
}

/// Visits states until something is found, all were visited, or a limit is reached.
pub(crate) fn explore<E: Exploration>(
    exploration: &mut E,
    limits: &Limits,
    watch: ProgressWatch<'_>,
) -> Result<Option<E::Found>, SearchStop> {
    let (mut visits, mut depth): (usize, usize) = (0, 0);
    loop {
        while !exploration.is_over() {
            if visits.is_multiple_of(E::VISITS)
                && let Some(stop) = limits.stop(&exploration.progress(), watch)
            {
                return Err(stop);
            }
            visits += 1;
            let visited = exploration.visit();
            if let Some(stop) = exploration.stop() {
                return Err(stop);
            }
            if let ControlFlow::Break(found) = visited {
                return Ok(Some(found));
            }
        }
        match exploration.next_level() {
            ControlFlow::Break(found) => return Ok(Some(found)),
            ControlFlow::Continue(false) => return Ok(None),
            ControlFlow::Continue(true) => depth += 1,
        }
        if depth > limits.depth {
            return Err(SearchStop::Depth);
        }
    }
}

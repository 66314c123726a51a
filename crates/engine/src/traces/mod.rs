//! Traces: what can be seen of the complete runs of a system.
//!
//! Each [set](sets) of configurations that the same events lead to is visited once. The number of traces from a set is the
//! sum over its events, plus one if it holds a proper end: [counting](mod@count) costs as much as there are sets, however
//! many traces there are. [Listing](list) walks along the events in the order of their texts. Where parts of a system do not
//! touch each other they are [counted apart](compose).
//!
//! A trace is complete if some configuration of its set is. It is invalid if a complete one is invalid; else valid if a
//! complete one is neither invalid nor inconclusive; else inconclusive (rule I12).

mod compose;
mod count;
mod list;
mod parts;
pub mod sets;
mod subsystem;

pub use compose::{Counted, count};
pub use count::TraceCount;
pub use sets::{SetId, Sets};

use std::convert::Infallible;
use std::ops::ControlFlow;

use sequent_kernel::system::{System, TraceClass};

use crate::explore::{self, Exploration};
use crate::search::{Progress, ProgressWatch, SearchStop, unwatched};
use sets::TraceLetter;

/// How much may be visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceLimits {
    /// Sets of configurations.
    pub sets: usize,
    /// Bytes that they take.
    pub bytes: usize,
    /// Rules that are looked at, where configurations are expanded, and configurations, where they become members of sets.
    pub looks: usize,
}

impl Default for TraceLimits {
    fn default() -> Self {
        TraceLimits { sets: 10_000_000, bytes: 4 << 30, looks: usize::MAX }
    }
}

/// The class of a trace with runs of both classes.
fn together(one: TraceClass, other: TraceClass) -> TraceClass {
    match (one, other) {
        (TraceClass::Invalid, _) | (_, TraceClass::Invalid) => TraceClass::Invalid,
        (TraceClass::Valid, _) | (_, TraceClass::Valid) => TraceClass::Valid,
        (TraceClass::Inconclusive, TraceClass::Inconclusive) => TraceClass::Inconclusive,
    }
}

/// The traces of a system, as a graph of sets.
pub struct Traces<'a> {
    sets: Sets<'a>,
    classes: Vec<Option<TraceClass>>,
}

/// One set to the graph: its number, as an index.
type TraceNode = usize;

impl<'a> Traces<'a> {
    /// Explores a system.
    pub fn explore(system: &'a System, limits: TraceLimits) -> Result<Self, SearchStop> {
        Self::explore_watched(system, limits, &unwatched)
    }

    /// Explores a system; `watch` sees the number of sets as its states.
    pub fn explore_watched(
        system: &'a System,
        limits: TraceLimits,
        watch: ProgressWatch<'_>,
    ) -> Result<Self, SearchStop> {
        let bounds = explore::Limits { states: limits.sets, bytes: limits.bytes, depth: usize::MAX };
        let stop = |sets: &Sets<'_>, transitions: usize| {
            let looks = sets.states().saturating_mul(system.rules.len()).saturating_add(sets.visits());
            match looks > limits.looks {
                true => Some(SearchStop::States),
                false => bounds.stop(&progress(sets, transitions), watch),
            }
        };
        let mut stopped = None;
        // A set holds few configurations, or the room is used up by few sets.
        let sets = Sets::with_room_while(system, limits.sets.saturating_mul(4), &mut |sets| {
            stopped = stop(sets, 0);
            stopped.is_none()
        });
        let mut walk = TraceWalk { sets, stop: &stop, stopped, transitions: 0, at: 0 };
        if let Some(stop) = walk.stop() {
            return Err(stop);
        }
        explore::explore(&mut walk, &bounds, watch)?;
        if let Some(stop) = stop(&walk.sets, walk.transitions) {
            return Err(stop);
        }
        let sets = walk.sets;
        let classes = (0..sets.len()).map(|set| sets.class(SetId(set as u32))).collect();
        Ok(Traces { sets, classes })
    }

    /// How many sets of configurations there are.
    pub fn sets(&self) -> usize {
        self.classes.len()
    }

    /// Whether a configuration was strained: the system has fewer runs than the diagram.
    pub fn is_strained(&self) -> bool {
        self.sets.is_strained()
    }

    /// What a trace is worth; `None` if it is none, or not complete.
    pub fn class<'t>(&self, trace: impl IntoIterator<Item = &'t str>) -> Option<TraceClass> {
        let mut node = 0;
        for text in trace {
            let edge = self.edges(node).find(|(letter, _)| self.text(*letter) == text)?;
            node = edge.1;
        }
        self.classes[node]
    }

    /// The graph itself.
    pub(crate) fn into_sets(self) -> Sets<'a> {
        self.sets
    }

    fn is_end(&self, node: TraceNode, class: TraceClass) -> bool {
        self.classes[node] == Some(class)
    }

    fn edges(&self, node: TraceNode) -> impl DoubleEndedIterator<Item = (TraceLetter, TraceNode)> + '_ {
        self.sets.edges_of(SetId(node as u32)).iter().map(|(letter, next)| (*letter, next.0 as TraceNode))
    }

    fn text(&self, letter: TraceLetter) -> &'a str {
        &self.sets.system().events[self.sets.event(letter)].text
    }

    /// Nodes from which a trace of a class can still end.
    fn alive(&self, class: TraceClass) -> Vec<bool> {
        let before = self.before();
        let mut alive = vec![false; self.sets()];
        let mut open: Vec<TraceNode> = (0..self.sets()).filter(|node| self.is_end(*node, class)).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut alive[node], true) {
                open.extend(
                    before.of(node).iter().map(|before| *before as TraceNode).filter(|node| !alive[*node]),
                );
            }
        }
        alive
    }

    /// The graph backwards.
    fn before(&self) -> BackwardEdges {
        let mut starts = vec![0_u32; self.sets() + 1];
        for (_, next) in (0..self.sets()).flat_map(|node| self.edges(node)) {
            starts[next] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut sources = vec![0_u32; sum as usize];
        for node in 0..self.sets() {
            for (_, next) in self.edges(node) {
                starts[next] -= 1;
                sources[starts[next] as usize] = node as u32;
            }
        }
        BackwardEdges { starts, sources }
    }
}

fn progress(sets: &Sets<'_>, transitions: usize) -> Progress {
    Progress { states: sets.len(), bytes: sets.bytes(), transitions, ..Progress::default() }
}

/// The sets of a system, one after the other. A large set is broken off while it is made.
struct TraceWalk<'w, 'a> {
    sets: Sets<'a>,
    /// Why no more sets are made, after this many transitions.
    stop: &'w dyn Fn(&Sets<'_>, usize) -> Option<SearchStop>,
    stopped: Option<SearchStop>,
    transitions: usize,
    at: usize,
}

impl Exploration for TraceWalk<'_, '_> {
    type Found = Infallible;

    const VISITS: usize = 64;

    fn is_over(&self) -> bool {
        self.at == self.sets.len()
    }

    fn visit(&mut self) -> ControlFlow<Infallible> {
        let TraceWalk { sets, stop, stopped, transitions, at } = self;
        let set = SetId(*at as u32);
        sets.expand_while(set, &mut |sets| {
            *stopped = stop(sets, *transitions);
            stopped.is_none()
        });
        *transitions += sets.edges_of(set).len();
        *at += 1;
        if stopped.is_none() && at.is_multiple_of(Self::VISITS) {
            *stopped = stop(sets, *transitions);
        }
        ControlFlow::Continue(())
    }

    fn progress(&self) -> Progress {
        progress(&self.sets, self.transitions)
    }

    fn stop(&self) -> Option<SearchStop> {
        self.stopped.or(self.sets.is_full().then_some(SearchStop::States))
    }
}

/// For each node where the edges to it come from.
struct BackwardEdges {
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl BackwardEdges {
    fn of(&self, node: TraceNode) -> &[u32] {
        &self.sources[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

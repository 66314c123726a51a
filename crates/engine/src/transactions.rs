//! Transactions: steps in which no component takes part twice happen together (P4, definitions D18 to D22).
//!
//! The distance of a state is the least number of transactions that lead there. Steps of one transaction are
//! taken one after the other, in any order; the set of components that have taken part is remembered. A new
//! transaction begins in every state with the empty set. Level by level, so that the first run found is a
//! shortest one.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use sequent_kernel::system::{ComponentId, Step};

use crate::explore::{Exploration, explore};
use crate::graph::{NodeId, StateGraph};
use crate::search::{Limits, Progress, ProgressWatch, SearchStop};

/// Components that have taken part, one bit each.
type Busy = u64;

/// States by their distance in transactions.
pub struct Transactions<'t> {
    /// The components that may take part only once; others may take part any number of times.
    counts: &'t dyn Fn(ComponentId) -> bool,
    /// Ways that are not kept beyond.
    most: usize,
    watch: ProgressWatch<'t>,
    visits: Vec<Visit>,
    seen: HashSet<(NodeId, Busy)>,
    reached: HashSet<NodeId>,
}

/// A state on a way, the visit before it, and the number of the step between them.
#[derive(Clone, Copy)]
struct Visit {
    node: NodeId,
    before: Option<(usize, usize)>,
}

/// A state and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachedState {
    /// The state.
    pub node: NodeId,
    /// How many transactions lead there.
    pub distance: u32,
    /// The steps.
    pub steps: Vec<Step>,
}

impl<'t> Transactions<'t> {
    /// A search that stores at most `most` visits: a state, and the components that have taken part.
    pub fn new(counts: &'t dyn Fn(ComponentId) -> bool, most: usize, watch: ProgressWatch<'t>) -> Self {
        Transactions {
            counts,
            most,
            watch,
            visits: Vec::new(),
            seen: HashSet::new(),
            reached: HashSet::new(),
        }
    }

    /// All states up to a distance, in the order of their distance.
    pub fn within(
        mut self,
        graph: &mut StateGraph<'_>,
        distance: u32,
    ) -> Result<Vec<ReachedState>, SearchStop> {
        let (found, _) = self.go(graph, Some(distance), &mut |_, _| false)?;
        Ok(found.into_iter().map(|(visit, distance)| self.reached(graph, visit, distance)).collect())
    }

    /// The nearest state that is wanted; none if there is none up to a distance.
    pub fn nearest(
        mut self,
        graph: &mut StateGraph<'_>,
        distance: Option<u32>,
        is_wanted: &mut dyn FnMut(&mut StateGraph<'_>, NodeId) -> bool,
    ) -> Result<Option<ReachedState>, SearchStop> {
        let (mut found, is_found) = self.go(graph, distance, is_wanted)?;
        let last = found.pop().filter(|_| is_found);
        Ok(last.map(|(visit, distance)| self.reached(graph, visit, distance)))
    }

    fn reached(&self, graph: &mut StateGraph<'_>, visit: usize, distance: u32) -> ReachedState {
        let mut steps = graph.first().map(|(_, steps)| steps.to_vec()).unwrap_or_default();
        steps.extend(self.steps_to(graph, visit));
        ReachedState { node: self.visits[visit].node, distance, steps }
    }

    /// Visits level by level with their distances, until one is wanted, which is the last; and whether one is.
    fn go(
        &mut self,
        graph: &mut StateGraph<'_>,
        most: Option<u32>,
        is_wanted: &mut dyn FnMut(&mut StateGraph<'_>, NodeId) -> bool,
    ) -> Result<(Vec<(usize, u32)>, bool), SearchStop> {
        if graph.system().components.len() > Busy::BITS as usize {
            return Err(SearchStop::States);
        }
        let Some((first, _)) = graph.first() else { return Ok((Vec::new(), false)) };
        self.visits.push(Visit { node: first, before: None });
        self.reached.insert(first);
        if is_wanted(graph, first) {
            return Ok((vec![(0, 0)], true));
        }
        let limits = Limits { states: self.most, bytes: usize::MAX, depth: usize::MAX };
        let watch = self.watch;
        let found = vec![(0, 0)];
        let mut levels = Levels {
            transactions: self,
            graph,
            most,
            is_wanted,
            found,
            start: 0,
            distance: 0,
            open: Vec::new(),
            at: 0,
        };
        let is_found = explore(&mut levels, &limits, watch)?.is_some();
        Ok((levels.found, is_found))
    }

    /// The steps of a state: number, components that take part, target.
    fn moves(&self, graph: &mut StateGraph<'_>, node: NodeId) -> Vec<(usize, Busy, NodeId)> {
        let rules = graph.rules(node);
        let system = graph.system();
        let part = |component: ComponentId| {
            let bit = sequent_kernel::id::Id::index(component) as u32;
            if (self.counts)(component) { 1 << bit } else { 0 }
        };
        let parts: Vec<Busy> = rules
            .iter()
            .map(|rules| {
                let owners: BTreeSet<ComponentId> =
                    rules.iter().map(|rule| system.rules[*rule].component).collect();
                owners.into_iter().fold(0, |busy, owner| busy | part(owner))
            })
            .collect();
        let targets: Vec<NodeId> = graph.edges(node).iter().map(|edge| edge.to).collect();
        parts.into_iter().zip(targets).enumerate().map(|(number, (part, to))| (number, part, to)).collect()
    }

    fn steps_to(&self, graph: &mut StateGraph<'_>, visit: usize) -> Vec<Step> {
        let mut path = Vec::new();
        let mut at = visit;
        while let Some((before, number)) = self.visits[at].before {
            path.push((self.visits[before].node, number));
            at = before;
        }
        path.into_iter().rev().flat_map(|(node, number)| graph.steps(node, number)).collect()
    }
}

/// The transactions of one level: those that begin in the states which the level before has reached first.
struct Levels<'l, 't, 'g> {
    transactions: &'l mut Transactions<'t>,
    graph: &'l mut StateGraph<'g>,
    most: Option<u32>,
    is_wanted: &'l mut dyn FnMut(&mut StateGraph<'_>, NodeId) -> bool,
    /// Visits to states that were not reached before, with their distances.
    found: Vec<(usize, u32)>,
    /// Where those of the level begin.
    start: usize,
    distance: u32,
    /// Visits amid a transaction, with the components that have taken part.
    open: Vec<(usize, Busy)>,
    at: usize,
}

/// That the last visit is the one that is wanted.
struct WantedVisit;

impl Exploration for Levels<'_, '_, '_> {
    type Found = WantedVisit;

    const VISITS: usize = 256;

    fn is_over(&self) -> bool {
        self.at == self.open.len()
    }

    fn visit(&mut self) -> ControlFlow<WantedVisit> {
        let Levels { transactions, graph, is_wanted, found, distance, open, at, .. } = self;
        let (from, busy) = open[*at];
        *at += 1;
        for (number, part, to) in transactions.moves(graph, transactions.visits[from].node) {
            if part & busy != 0 || !transactions.seen.insert((to, busy | part)) {
                continue;
            }
            let visit = transactions.visits.len();
            transactions.visits.push(Visit { node: to, before: Some((from, number)) });
            open.push((visit, busy | part));
            if transactions.reached.insert(to) {
                found.push((visit, *distance));
                if is_wanted(graph, to) {
                    return ControlFlow::Break(WantedVisit);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn next_level(&mut self) -> ControlFlow<WantedVisit, bool> {
        let start = std::mem::replace(&mut self.start, self.found.len());
        let is_next = start < self.found.len() && self.most.is_none_or(|most| self.distance < most);
        if is_next {
            self.distance += 1;
            // At the beginning of a transaction no component has taken part.
            self.open = self.found[start..].iter().map(|(visit, _)| (*visit, 0)).collect();
            self.at = 0;
        }
        ControlFlow::Continue(is_next)
    }

    fn progress(&self) -> Progress {
        Progress { states: self.transactions.visits.len(), bytes: self.graph.bytes(), ..Progress::default() }
    }
}

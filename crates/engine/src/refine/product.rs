//! Product: the implementation, and the set of states in which the specification may be meanwhile.
//!
//! Level by level: a level holds all pairs that some trace of one length leads to, invisible steps included. What is wrong
//! after a trace is found at its level, an event too many at the end of the level before: so the shortest trace comes first.
//! A circle of invisible steps never leaves its level.

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::rc::Rc;

use super::normal::{Normal, SetNumber, holds_all};
use super::party::{EventLetter, Party, PartyNames, PartyStates};
use super::{Refinement, RefinementAnswer, RefinementModel};
use crate::explore::{Exploration, explore};
use crate::graph::NodeId;
use crate::scc::components;
use crate::search::{Limits, Progress, ProgressWatch, SearchStop};

/// A state of the implementation and a set of the specification.
type RefinementPair = (NodeId, SetNumber);

/// The number of a pair.
pub(crate) type PairNumber = u32;

/// How a pair was reached: from which, and by which step of its state.
type PairOrigin = Option<(PairNumber, u32)>;

/// The search for a counterexample.
pub(crate) struct RefinementProduct<'a> {
    pub(super) normal: Normal<'a>,
    pub(super) implementation: PartyStates<'a>,
    pub(super) names: Rc<RefCell<PartyNames>>,
    model: RefinementModel,
    pub(super) pairs: Vec<RefinementPair>,
    numbers: HashMap<RefinementPair, PairNumber>,
    pub(super) came: Vec<PairOrigin>,
    transitions: usize,
    /// The pair that is visited next, and the first of its level.
    at: usize,
    start: usize,
    depth: usize,
    /// The pairs of the next level.
    later: Vec<(RefinementPair, PairOrigin)>,
    /// What would make the trace longer waits until the level is over.
    longer: Option<Wrong>,
}

/// What is wrong in a pair.
pub(crate) enum Wrong {
    /// This step shows what the specification does not have.
    Step(PairNumber, u32),
    End(PairNumber),
    Refusal(PairNumber, Vec<EventLetter>),
    /// Invisible steps from a pair back to itself.
    Divergence(PairNumber, Vec<(PairNumber, u32)>),
}

impl<'a> RefinementProduct<'a> {
    /// A search that has not begun.
    pub(crate) fn new(
        specification: Party<'a>,
        implementation: Party<'a>,
        model: RefinementModel,
        limits: &Limits,
    ) -> Self {
        let names = Rc::new(RefCell::new(PartyNames::new()));
        RefinementProduct {
            normal: Normal::new(PartyStates::new(specification, &names), limits.states),
            implementation: PartyStates::new(implementation, &names),
            names,
            model,
            pairs: Vec::new(),
            numbers: HashMap::new(),
            came: Vec::new(),
            transitions: 0,
            at: 0,
            start: 0,
            depth: 0,
            later: Vec::new(),
            longer: None,
        }
    }

    /// Searches.
    pub(crate) fn run(mut self, limits: &Limits, watch: ProgressWatch<'_>) -> Refinement {
        let answer = match self.search(limits, watch) {
            Ok(None) => RefinementAnswer::Holds,
            Ok(Some(wrong)) => RefinementAnswer::Fails(Box::new(self.tell(wrong))),
            Err(stop) => RefinementAnswer::Stopped(stop),
        };
        Refinement {
            answer,
            states: self.pairs.len(),
            is_specification_strained: self.normal.states.graph.is_strained(),
            is_implementation_strained: self.implementation.graph.is_strained(),
        }
    }

    fn search(&mut self, limits: &Limits, watch: ProgressWatch<'_>) -> Result<Option<Wrong>, SearchStop> {
        let Some(first) = self.implementation.first() else { return Ok(None) };
        let set = self.normal.first();
        self.reach((first, set), None);
        explore(self, limits, watch)
    }

    /// The number of a pair; it is looked at in the present level if it is new.
    fn reach(&mut self, pair: RefinementPair, way: PairOrigin) {
        let number = self.pairs.len() as PairNumber;
        if let Entry::Vacant(free) = self.numbers.entry(pair) {
            free.insert(number);
            self.pairs.push(pair);
            self.came.push(way);
        }
    }

    /// Follows the steps of a pair: invisible ones at once, others with the next level. The first thing that is wrong.
    fn inspect(&mut self, at: PairNumber) -> Option<Wrong> {
        let (node, set) = self.pairs[at as usize];
        let facts = self.normal.facts(set);
        if self.model == RefinementModel::FailuresDivergences && facts.is_divergent {
            return None;
        }
        let moves = self.implementation.moves(node);
        self.transitions += moves.len();
        let may_end = self.implementation.may_end(node);
        if may_end && !facts.may_end {
            return Some(Wrong::End(at));
        }
        if self.model != RefinementModel::Traces && !may_end {
            let offer = self.implementation.offer(node, &moves);
            let is_less =
                |offer: &Vec<EventLetter>| !facts.offers.iter().any(|least| holds_all(offer, least));
            if let Some(offer) = offer.filter(is_less) {
                return Some(Wrong::Refusal(at, offer));
            }
        }
        let (mut wrong, mut invisible) = (None, Vec::new());
        for step in moves {
            let way = Some((at, step.number));
            match step.letter.map(|letter| facts.next.get(&letter)) {
                None => invisible.push(((step.to, set), way)),
                Some(Some(next)) => self.later.push(((step.to, *next), way)),
                Some(None) => wrong = wrong.or(Some(Wrong::Step(at, step.number))),
            }
        }
        for (pair, way) in invisible {
            self.reach(pair, way);
        }
        wrong
    }

    /// Invisible steps from a pair of the level that began with `start` back to itself.
    fn divergence(&mut self, start: usize) -> Option<Wrong> {
        let next: Vec<Vec<(u32, u32)>> =
            (start..self.pairs.len()).map(|at| self.invisible(at, start)).collect();
        let mut first: Option<u32> = None;
        let is_own = |state: u32| next[state as usize].iter().any(|(to, _)| *to == state);
        components(
            next.len(),
            |state, pool| pool.extend(next[state].iter().map(|(to, _)| *to)),
            |part| {
                if part.len() > 1 || is_own(part[0]) {
                    first = first.into_iter().chain(part.iter().copied()).min();
                }
            },
        );
        let first = first?;
        let circle = circle(&next, first)?;
        let circle =
            circle.into_iter().map(|(place, number)| (place + start as PairNumber, number)).collect();
        Some(Wrong::Divergence(first + start as PairNumber, circle))
    }

    /// The invisible steps of a pair within its level, each with its number.
    fn invisible(&mut self, at: usize, start: usize) -> Vec<(u32, u32)> {
        let (node, set) = self.pairs[at];
        if self.normal.facts(set).is_divergent {
            return Vec::new();
        }
        let moves = self.implementation.moves(node).into_iter().filter(|step| step.letter.is_none());
        let numbers = &self.numbers;
        let within = |number: &PairNumber| (*number as usize) >= start;
        moves
            .filter_map(|step| {
                let number = numbers.get(&(step.to, set)).copied().filter(within)?;
                Some((number - start as PairNumber, step.number))
            })
            .collect()
    }
}

impl Exploration for RefinementProduct<'_> {
    type Found = Wrong;

    const VISITS: usize = 64;

    fn is_over(&self) -> bool {
        self.at == self.pairs.len()
    }

    fn visit(&mut self) -> ControlFlow<Wrong> {
        let wrong = self.inspect(self.at as PairNumber);
        self.at += 1;
        match wrong {
            Some(wrong @ (Wrong::End(_) | Wrong::Refusal(..) | Wrong::Divergence(..))) => {
                return ControlFlow::Break(wrong);
            }
            Some(wrong @ Wrong::Step(..)) => self.longer = self.longer.take().or(Some(wrong)),
            None => {}
        }
        ControlFlow::Continue(())
    }

    fn next_level(&mut self) -> ControlFlow<Wrong, bool> {
        let start = std::mem::replace(&mut self.start, self.pairs.len());
        let divergence = match self.model {
            RefinementModel::FailuresDivergences => self.divergence(start),
            RefinementModel::Traces | RefinementModel::Failures => None,
        };
        if let Some(wrong) = divergence.or_else(|| self.longer.take()) {
            return ControlFlow::Break(wrong);
        }
        self.depth += 1;
        let later = std::mem::take(&mut self.later);
        let is_next = !later.is_empty();
        for (pair, way) in later {
            self.reach(pair, way);
        }
        ControlFlow::Continue(is_next)
    }

    fn progress(&self) -> Progress {
        let own = self.pairs.len()
            * (2 * size_of::<RefinementPair>() + size_of::<PairOrigin>() + size_of::<PairNumber>());
        let bytes = own + self.normal.bytes() + self.implementation.graph.bytes();
        Progress { states: self.pairs.len(), transitions: self.transitions, depth: self.depth, bytes }
    }

    /// Of a set that is not whole nothing can be said.
    fn stop(&self) -> Option<SearchStop> {
        self.normal.is_full().then_some(SearchStop::States)
    }
}

/// A shortest way from a state back to itself: the states it leaves, with the numbers of the steps.
fn circle(next: &[Vec<(u32, u32)>], first: u32) -> Option<Vec<(u32, u32)>> {
    let mut came: HashMap<u32, (u32, u32)> = HashMap::new();
    let mut open = VecDeque::from([first]);
    while let Some(state) = open.pop_front() {
        for (to, number) in &next[state as usize] {
            if *to != first && !came.contains_key(to) {
                came.insert(*to, (state, *number));
                open.push_back(*to);
            }
            if *to == first {
                let mut way = vec![(state, *number)];
                while let Some(before) = came.get(&way[way.len() - 1].0) {
                    way.push(*before);
                }
                way.reverse();
                return Some(way);
            }
        }
    }
    None
}

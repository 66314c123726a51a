//! Walks: some runs through the states of a survey that together pass as many elements of the diagrams as they can.
//!
//! Each walk goes to the nearest step that passes something new, and from there on again, so the first one passes the most.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sequent_engine::survey::{Hop, SpotId, Survey};
use sequent_kernel::id::Id;
use sequent_kernel::property::Moment;
use sequent_kernel::source::Span;
use sequent_kernel::system::RuleId;

/// No more walks than this are taken.
const MOST: usize = 3;

/// A walk is no longer than this, but for its way to an end.
const LONGEST: usize = 40;

/// The states of a survey with what their steps pass.
pub(crate) struct SurveyedStates<'s, 'p> {
    survey: &'s Survey<'p>,
    /// What each step of each state passes.
    passes: Vec<Vec<BTreeSet<Span>>>,
    /// Whether a walk may come to a state.
    is_open: Vec<bool>,
}

impl<'s, 'p> SurveyedStates<'s, 'p> {
    /// `of_rule` tells what a rule passes. Walks `end` where runs are complete, if any are.
    pub(crate) fn new(
        survey: &'s Survey<'p>,
        of_rule: &BTreeMap<RuleId, BTreeSet<Span>>,
        is_void: impl Fn(SpotId) -> bool,
        ends: bool,
    ) -> Self {
        let step = |rules: Vec<RuleId>| -> BTreeSet<Span> {
            rules.iter().filter_map(|rule| of_rule.get(rule)).flatten().copied().collect()
        };
        let passes = survey.spots().map(|spot| survey.rules(spot).into_iter().map(step).collect()).collect();
        let mut ground = SurveyedStates { survey, passes, is_open: Vec::new() };
        ground.is_open = survey.spots().map(|spot| !is_void(spot)).collect();
        if ends {
            ground.keep_what_ends();
        }
        ground
    }

    /// Closes the states from which no complete run goes on, if any run is complete.
    fn keep_what_ends(&mut self) {
        let is_end = |spot: &SpotId| self.is_open[spot.index()] && self.is_end(*spot);
        let mut wanted: Vec<SpotId> = self.survey.spots().filter(is_end).collect();
        if wanted.is_empty() {
            return;
        }
        let mut before: Vec<Vec<SpotId>> = self.is_open.iter().map(|_| Vec::new()).collect();
        for spot in self.survey.spots() {
            for (to, _) in self.survey.leads(spot) {
                before.get_mut(to.index()).into_iter().for_each(|all| all.push(spot));
            }
        }
        let mut leads_on = vec![false; self.is_open.len()];
        wanted.iter().for_each(|spot| leads_on[spot.index()] = true);
        while let Some(spot) = wanted.pop() {
            for from in &before[spot.index()] {
                if self.is_open[from.index()] && !leads_on[from.index()] {
                    leads_on[from.index()] = true;
                    wanted.push(*from);
                }
            }
        }
        self.is_open = leads_on;
    }

    fn is_end(&self, spot: SpotId) -> bool {
        self.survey.end(spot) == Some(Moment::End)
    }

    /// The walks, each with what it passes. Ways to an end are taken if `ends`.
    pub(crate) fn walks(&self, ends: bool) -> Vec<(Vec<Hop>, BTreeSet<Span>)> {
        let mut left: BTreeSet<Span> = self.passes.iter().flatten().flatten().copied().collect();
        let mut walks = Vec::new();
        while walks.len() < MOST {
            let (hops, passed) = self.walk(&left, ends);
            if !passed.iter().any(|one| left.contains(one)) {
                break;
            }
            left.retain(|one| !passed.contains(one));
            walks.push((hops, passed));
        }
        walks
    }

    fn walk(&self, left: &BTreeSet<Span>, ends: bool) -> (Vec<Hop>, BTreeSet<Span>) {
        let (mut hops, mut passed) = (Vec::new(), BTreeSet::new());
        if !self.is_open.first().copied().unwrap_or(false) {
            return (hops, passed);
        }
        let mut at = SpotId::from_index(0);
        loop {
            let is_new =
                |hop: Hop| self.passed(hop).iter().any(|one| left.contains(one) && !passed.contains(one));
            let Some(way) = self.nearest(at, &is_new) else { break };
            if hops.len() + way.len() > LONGEST {
                break;
            }
            at = self.follow(way, &mut hops, &mut passed);
        }
        let is_end = |hop: Hop| self.is_end(self.target(hop));
        let way = (ends && !self.is_end(at)).then(|| self.nearest(at, &is_end)).flatten();
        self.follow(way.unwrap_or_default(), &mut hops, &mut passed);
        (hops, passed)
    }

    /// Goes along a way: where it leads.
    fn follow(&self, way: Vec<Hop>, hops: &mut Vec<Hop>, passed: &mut BTreeSet<Span>) -> SpotId {
        way.iter().for_each(|hop| passed.extend(self.passed(*hop)));
        hops.extend(way);
        hops.last().map_or(SpotId::from_index(0), |last| self.target(*last))
    }

    fn passed(&self, hop: Hop) -> &BTreeSet<Span> {
        &self.passes[hop.from.index()][hop.number as usize]
    }

    fn target(&self, hop: Hop) -> SpotId {
        self.survey.leads(hop.from)[hop.number as usize].0
    }

    /// A shortest way from a state that ends with a step that is sought.
    fn nearest(&self, start: SpotId, is_sought: &dyn Fn(Hop) -> bool) -> Option<Vec<Hop>> {
        let mut came: BTreeMap<SpotId, Hop> = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(from) = open.pop_front() {
            for ((to, _), number) in self.survey.leads(from).iter().zip(0..) {
                let hop = Hop { from, number };
                if !self.is_open.get(to.index()).copied().unwrap_or(false) {
                    continue;
                }
                if is_sought(hop) {
                    return Some(way(&came, start, hop));
                }
                if *to != start && !came.contains_key(to) {
                    came.insert(*to, hop);
                    open.push_back(*to);
                }
            }
        }
        None
    }
}

/// The way from a state to a hop, by how each state was reached.
fn way(came: &BTreeMap<SpotId, Hop>, start: SpotId, last: Hop) -> Vec<Hop> {
    let (mut hops, mut at) = (vec![last], last.from);
    while at != start {
        let hop = came[&at];
        hops.push(hop);
        at = hop.from;
    }
    hops.reverse();
    hops
}

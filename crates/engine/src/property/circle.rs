//! Circles: infinite runs that an observer accepts.
//!
//! In a strongly connected part of the product a run can go round forever and take every way in it again and again. It
//! counts if all marks of the observer are among the ways, and nothing of the system is kept waiting: everything is settled
//! that cannot go on forever, and each endless thing rests or retires again and again. The circle shown starts where the
//! part is reached first, and goes from one need to the nearest next.

use std::collections::{BTreeSet, HashMap, VecDeque};

use sequent_kernel::property::{Marks, Observer};
use sequent_kernel::replay::Run;
use sequent_kernel::system::{RuleId, Step};

use super::product::{Product, Way};
use crate::parts::parts;

/// A run that goes on forever and is accepted, if there is one. All states of the product must have been expanded.
pub fn find<O: Observer>(product: &mut Product<'_, '_, O>) -> Option<Run> {
    if product.graph.system().endless.is_empty() {
        return None;
    }
    let (mut candidates, mut singles, mut loops) = (Vec::new(), Vec::new(), BTreeSet::new());
    let count = product.len();
    let next = |state: usize, pool: &mut Vec<u32>| {
        let ways = product.ways(state);
        if ways.iter().any(|way| way.to == state) {
            loops.insert(state as u32);
        }
        pool.extend(ways.iter().map(|way| way.to as u32));
    };
    parts(count, next, |part| match part {
        [single] => singles.push(*single),
        several => candidates.push(several.to_vec()),
    });
    candidates.extend(singles.into_iter().filter(|state| loops.contains(state)).map(|state| vec![state]));
    // States are numbered as they were reached: the part that is reached first comes first.
    candidates.sort_by_key(|part| part.iter().min().copied());
    candidates.iter().find_map(|part| Part::new(product, part).circle(product))
}

/// A strongly connected part of the product.
struct Part {
    entry: usize,
    ways: HashMap<usize, Vec<Way>>,
    /// What each way, and each state, is good for.
    of_ways: HashMap<(usize, usize), BTreeSet<Need>>,
    of_states: HashMap<usize, BTreeSet<Need>>,
    needs: BTreeSet<Need>,
}

/// Something that must be met again and again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Need {
    /// Something is seen at all.
    Event,
    /// A mark of the observer.
    Mark(u32),
    /// Everything is over that cannot go on forever.
    Settled,
    /// Something endless keeps nobody waiting.
    Endless(usize),
}

impl Part {
    fn new<O: Observer>(product: &mut Product<'_, '_, O>, part: &[u32]) -> Self {
        let members: BTreeSet<usize> = part.iter().map(|state| *state as usize).collect();
        let entry = members.first().copied().unwrap_or_default();
        let marks = product.readings.marks();
        let endless = product.graph.system().endless.len();
        let bits = (0..Marks::BITS).filter(|bit| marks >> bit & 1 == 1).map(Need::Mark);
        let needs = bits.chain([Need::Event, Need::Settled]).chain((0..endless).map(Need::Endless)).collect();
        let mut result =
            Part { entry, ways: HashMap::new(), of_ways: HashMap::new(), of_states: HashMap::new(), needs };
        for state in &members {
            let ways: Vec<Way> =
                product.ways(*state).into_iter().filter(|way| members.contains(&way.to)).collect();
            result.ways.insert(*state, ways);
        }
        let is_circle = result.ways.values().any(|ways| !ways.is_empty());
        if is_circle {
            members.iter().for_each(|state| result.look_at(product, *state));
        }
        result
    }

    /// Writes down what a state and its ways are good for.
    fn look_at<O: Observer>(&mut self, product: &mut Product<'_, '_, O>, state: usize) {
        let node = product.node(state);
        let system = product.graph.system();
        let fired: Vec<Vec<RuleId>> = product.graph.rules(node);
        let mut own: BTreeSet<Need> = BTreeSet::new();
        if product.graph.holds(system.settled, node) {
            own.insert(Need::Settled);
        }
        for (number, endless) in system.endless.iter().enumerate() {
            if product.graph.holds(endless.rests, node) {
                own.insert(Need::Endless(number));
            }
        }
        self.of_states.insert(state, own);
        for (place, way) in self.ways[&state].iter().enumerate() {
            let marks = (0..Marks::BITS).filter(|bit| way.marks >> bit & 1 == 1).map(Need::Mark);
            let retires = |rule: Option<RuleId>| rule.is_some_and(|rule| fired[way.edge].contains(&rule));
            let endless = system.endless.iter().enumerate();
            let retired = endless.filter(|(_, endless)| retires(endless.retires));
            let retired = retired.map(|(number, _)| Need::Endless(number));
            let needs = marks.chain(retired).chain(way.is_visible.then_some(Need::Event));
            self.of_ways.insert((state, place), needs.collect());
        }
    }

    /// The run that goes round in it, if every need is met.
    fn circle<O: Observer>(&self, product: &mut Product<'_, '_, O>) -> Option<Run> {
        let met: BTreeSet<Need> =
            self.of_ways.values().chain(self.of_states.values()).flatten().copied().collect();
        if !self.needs.is_subset(&met) {
            return None;
        }
        let mut open = self.needs.clone();
        let mut path: Vec<(usize, Way)> = Vec::new();
        let mut at = self.entry;
        self.tick(at, &mut open);
        while !open.is_empty() {
            let stretch = self.walk(at, |state, place| {
                let helps = |needs: &BTreeSet<Need>| needs.iter().any(|need| open.contains(need));
                let to = self.ways[&state][place].to;
                helps(&self.of_ways[&(state, place)]) || helps(&self.of_states[&to])
            })?;
            at = self.follow(&stretch, &mut open, &mut path);
        }
        if at != self.entry || path.is_empty() {
            let stretch = self.walk(at, |state, place| self.ways[&state][place].to == self.entry)?;
            self.follow(&stretch, &mut open, &mut path);
        }
        let mut steps: Vec<Step> = product.steps_to(self.entry);
        let start = steps.len();
        for (state, way) in path {
            let node = product.node(state);
            steps.extend(product.graph.steps(node, way.edge));
        }
        Some(Run { steps, cycle: Some(start) })
    }

    fn tick(&self, state: usize, open: &mut BTreeSet<Need>) {
        self.of_states[&state].iter().for_each(|need| {
            open.remove(need);
        });
    }

    /// Goes along a stretch; what it meets is open no more. Returns where it ends.
    fn follow(
        &self,
        stretch: &[(usize, usize)],
        open: &mut BTreeSet<Need>,
        path: &mut Vec<(usize, Way)>,
    ) -> usize {
        let mut at = self.entry;
        for (state, place) in stretch {
            let way = self.ways[state][*place];
            self.of_ways[&(*state, *place)].iter().for_each(|need| {
                open.remove(need);
            });
            self.tick(way.to, open);
            path.push((*state, way));
            at = way.to;
        }
        at
    }

    /// The shortest stretch of ways whose last is a wanted one.
    fn walk(&self, from: usize, is_wanted: impl Fn(usize, usize) -> bool) -> Option<Vec<(usize, usize)>> {
        let mut before: HashMap<usize, Option<(usize, usize)>> = HashMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for (place, way) in self.ways[&state].iter().enumerate() {
                if is_wanted(state, place) {
                    let mut stretch = vec![(state, place)];
                    let mut at = state;
                    while let Some((earlier, place)) = before[&at] {
                        stretch.push((earlier, place));
                        at = earlier;
                    }
                    stretch.reverse();
                    return Some(stretch);
                }
                before.entry(way.to).or_insert_with(|| {
                    queue.push_back(way.to);
                    Some((state, place))
                });
            }
        }
        None
    }
}

//! Accepting cycles: infinite runs that an observer accepts.
//!
//! In a strongly connected component of the product a run can take every transition infinitely often. It
//! counts if all acceptance marks of the observer are on the transitions, and every fairness constraint is
//! met: a weak one by a transition that fires one of its rules, or by a state in which none of its rules is
//! enabled; a strong one by a transition that fires one of its rules. Where no transition does that for a
//! strong one, a run that counts avoids the states in which its rules are enabled: they are removed, and the
//! rest is decomposed again (E. A. Emerson and C.-L. Lei, "Modalities for model checking", 1987). A run may
//! also repeat steps that the observer does not read, where the system allows that: to the observer it is
//! stuck. The cycle shown starts where the component is reached first, and goes from one obligation to the
//! nearest next.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sequent_kernel::property::{Marks, Moment, Observer};
use sequent_kernel::replay::Run;
use sequent_kernel::system::{Endless, Fairness, RuleId, Step, Strength};

use super::product::{Product, ProductEdge};
use crate::scc::components;

/// A run that goes on forever and is accepted, if there is one. All states of the product must have been expanded.
pub(crate) fn find<O: Observer>(product: &mut Product<'_, '_, O>) -> Option<Run> {
    let endless = product.graph.system().endless.as_ref()?;
    let open = whole(product, product.len(), CycleSteps::All);
    find_among(product, endless, open, CycleSteps::All).or_else(|| find_unread(product))
}

/// A run that is accepted and goes on forever without anything being read, if there is one.
pub(crate) fn find_unread<O: Observer>(product: &mut Product<'_, '_, O>) -> Option<Run> {
    let endless = product.graph.system().endless.as_ref().filter(|endless| !endless.is_seen)?;
    // Most observers accept nothing of the kind, which is seen at once.
    let accepts = (0..product.len()).any(|state| product.accepts_last(state, Moment::Stuck));
    if !accepts {
        return None;
    }
    let open = whole(product, product.len(), CycleSteps::Unread);
    find_among(product, endless, open, CycleSteps::Unread)
}

/// A run that goes on forever and is accepted, among the first states of the product, which were expanded, if there is one.
pub(crate) fn find_near<O: Observer>(product: &mut Product<'_, '_, O>, count: usize) -> Option<Run> {
    let endless = product.graph.system().endless.as_ref()?;
    let open = whole(product, count, CycleSteps::All);
    find_among(product, endless, open, CycleSteps::All)
}

/// The transitions that a cycle consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CycleSteps {
    /// All.
    All,
    /// Those on which the observer reads nothing.
    Unread,
}

impl CycleSteps {
    fn of<O: Observer>(self, product: &mut Product<'_, '_, O>, state: usize) -> Vec<ProductEdge> {
        let mut ways = product.ways(state);
        ways.retain(|way| self == CycleSteps::All || !way.is_read);
        ways
    }
}

/// A run that goes round in a strongly connected part of the product and is accepted, if there is one. Its states must have
/// been expanded. Before the run is made ways to states are straightened: that takes as long as all of the product, and most
/// parts have no such run.
pub(crate) fn find_in<O: Observer>(
    product: &mut Product<'_, '_, O>,
    part: BTreeSet<usize>,
    straighten: impl FnOnce(&mut Product<'_, '_, O>),
) -> Option<Run> {
    let endless = product.graph.system().endless.as_ref()?;
    let part = accepting(product, endless, VecDeque::from([part]), CycleSteps::All)?;
    straighten(product);
    part.circle(product)
}

fn find_among<O: Observer>(
    product: &mut Product<'_, '_, O>,
    endless: &Endless,
    open: VecDeque<BTreeSet<usize>>,
    ways: CycleSteps,
) -> Option<Run> {
    accepting(product, endless, open, ways)?.circle(product)
}

/// The first part in which every obligation is met, among strongly connected ones and what is left of them.
fn accepting<O: Observer>(
    product: &mut Product<'_, '_, O>,
    endless: &Endless,
    mut open: VecDeque<BTreeSet<usize>>,
    ways: CycleSteps,
) -> Option<ProductComponent> {
    let constraints = Constraints::new(endless);
    while let Some(members) = open.pop_front() {
        // Along unread transitions the memory of the observer, and the predicates it reads, are constant.
        let entry = members.first().copied().unwrap_or_default();
        if ways == CycleSteps::Unread && !product.accepts_last(entry, Moment::Stuck) {
            continue;
        }
        let part = ProductComponent::new(product, &constraints, &members, ways);
        if part.unfair.is_empty() {
            if part.needs.is_subset(&part.met()) {
                return Some(part);
            }
            continue;
        }
        let is_left = |state: &&usize| part.enabled[*state].is_disjoint(&part.unfair);
        open.extend(part.split(&members.iter().filter(is_left).copied().collect()));
    }
    None
}

/// The strongly connected parts of the first states in which a run can go round, those that are reached first at the front.
fn whole<O: Observer>(
    product: &mut Product<'_, '_, O>,
    count: usize,
    ways: CycleSteps,
) -> VecDeque<BTreeSet<usize>> {
    let (mut several, mut singles, mut loops) = (Vec::new(), Vec::new(), BTreeSet::new());
    let next = |state: usize, pool: &mut Vec<u32>| {
        let mut ways = ways.of(product, state);
        ways.retain(|way| way.to < count);
        if ways.iter().any(|way| way.to == state) {
            loops.insert(state as u32);
        }
        pool.extend(ways.iter().map(|way| way.to as u32));
    };
    components(count, next, |part| match part {
        [single] => singles.push(*single),
        part => several.push(part.iter().map(|state| *state as usize).collect::<BTreeSet<usize>>()),
    });
    let singles = singles.into_iter().filter(|state| loops.contains(state));
    several.extend(singles.map(|state| BTreeSet::from([state as usize])));
    // States are numbered as they were reached.
    several.sort();
    several.into()
}

/// A strongly connected part of the product.
struct ProductComponent {
    /// The ways that stay inside, each with what it is good for.
    ways: BTreeMap<usize, Vec<(ProductEdge, BTreeSet<CycleNeed>)>>,
    /// What each state is good for.
    states: BTreeMap<usize, BTreeSet<CycleNeed>>,
    /// The strong fairness constraints, by number, whose rules may fire in each state.
    enabled: BTreeMap<usize, BTreeSet<usize>>,
    needs: BTreeSet<CycleNeed>,
    /// Those whose rules may fire in some state, but no way pays for them.
    unfair: BTreeSet<usize>,
}

/// What an infinite run must be like, with its fairness constraints by their rules.
struct Constraints<'s> {
    endless: &'s Endless,
    /// For each rule the constraints, by number, that want it or another to fire.
    wanting: BTreeMap<RuleId, Vec<usize>>,
    /// For each rule the constraints that it pays for.
    paid_by: BTreeMap<RuleId, Vec<usize>>,
}

impl<'s> Constraints<'s> {
    fn new(endless: &'s Endless) -> Self {
        let by_rule = |rules: fn(&Fairness) -> &BTreeSet<RuleId>| {
            let mut all: BTreeMap<RuleId, Vec<usize>> = BTreeMap::new();
            for (number, fairness) in endless.owed.iter().enumerate() {
                rules(fairness).iter().for_each(|rule| all.entry(*rule).or_default().push(number));
            }
            all
        };
        let (wanting, paid_by) = (by_rule(|one| &one.when), by_rule(|one| &one.payers));
        Constraints { endless, wanting, paid_by }
    }

    /// The numbers of the constraints of a strength.
    fn of(&self, strength: Strength) -> impl Iterator<Item = usize> {
        let all = self.endless.owed.iter().enumerate();
        all.filter(move |(_, fairness)| fairness.strength == strength).map(|(number, _)| number)
    }
}

/// Something that must be met again and again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum CycleNeed {
    /// Something is read at all.
    Position,
    /// A mark of the observer.
    Mark(u32),
    /// A predicate, by number.
    Rest(usize),
    /// A fairness constraint, by number.
    Fair(usize),
}

fn marks(marks: Marks) -> impl Iterator<Item = CycleNeed> {
    (0..Marks::BITS).filter(move |bit| marks >> bit & 1 == 1).map(CycleNeed::Mark)
}

impl ProductComponent {
    fn new<O: Observer>(
        product: &mut Product<'_, '_, O>,
        constraints: &Constraints<'_>,
        members: &BTreeSet<usize>,
        ways: CycleSteps,
    ) -> Self {
        let rests = (0..constraints.endless.rests.len()).map(CycleNeed::Rest);
        let read = marks(product.readings.marks()).chain([CycleNeed::Position]);
        let weak = constraints.of(Strength::Weak).map(CycleNeed::Fair);
        let needs = read.filter(|_| ways == CycleSteps::All).chain(rests).chain(weak);
        let mut part = ProductComponent {
            ways: BTreeMap::new(),
            states: BTreeMap::new(),
            enabled: BTreeMap::new(),
            needs: needs.collect(),
            unfair: BTreeSet::new(),
        };
        for state in members {
            part.look_at(product, constraints, *state, members, ways);
        }
        let met = part.met();
        for number in part.enabled.values().flatten() {
            match met.contains(&CycleNeed::Fair(*number)) {
                true => part.needs.insert(CycleNeed::Fair(*number)),
                false => part.unfair.insert(*number),
            };
        }
        part
    }

    /// Writes down what a state and its ways are good for.
    fn look_at<O: Observer>(
        &mut self,
        product: &mut Product<'_, '_, O>,
        constraints: &Constraints<'_>,
        state: usize,
        members: &BTreeSet<usize>,
        ways: CycleSteps,
    ) {
        let node = product.node(state);
        let fired: Vec<Vec<RuleId>> = product.graph.rules(node);
        let wanting = |rule: &RuleId| constraints.wanting.get(rule).into_iter().flatten().copied();
        let mut enabled: BTreeSet<usize> = fired.iter().flatten().flat_map(wanting).collect();
        let rests = constraints.endless.rests.iter().enumerate();
        let holding = rests.filter(|(_, rest)| product.graph.holds(**rest, node));
        let idle = constraints.of(Strength::Weak).filter(|number| !enabled.contains(number));
        let met = holding.map(|(number, _)| CycleNeed::Rest(number)).chain(idle.map(CycleNeed::Fair));
        self.states.insert(state, met.collect());
        enabled.retain(|number| constraints.endless.owed[*number].strength == Strength::Strong);
        self.enabled.insert(state, enabled);
        let inside = ways.of(product, state).into_iter().filter(|way| members.contains(&way.to));
        let useful = inside.map(|way| {
            let paid = |rule: &RuleId| constraints.paid_by.get(rule).into_iter().flatten().copied();
            let fair = fired[way.edge].iter().flat_map(paid).map(CycleNeed::Fair);
            let seen = way.is_read.then_some(CycleNeed::Position);
            (way, marks(way.marks).chain(fair).chain(seen).collect())
        });
        self.ways.insert(state, useful.collect());
    }

    /// The needs that its ways and states meet.
    fn met(&self) -> BTreeSet<CycleNeed> {
        let of_ways = self.ways.values().flatten().flat_map(|(_, needs)| needs);
        of_ways.chain(self.states.values().flatten()).copied().collect()
    }

    /// The strongly connected parts of some of its states in which a run can go round.
    fn split(&self, states: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        let members: Vec<usize> = states.iter().copied().collect();
        let local = |state: usize| members.binary_search(&state).ok().map(|number| number as u32);
        let next = |number: usize, pool: &mut Vec<u32>| {
            pool.extend(self.ways[&members[number]].iter().filter_map(|(way, _)| local(way.to)));
        };
        let mut found: Vec<BTreeSet<usize>> = Vec::new();
        components(members.len(), next, |part| {
            let part: BTreeSet<usize> = part.iter().map(|number| members[*number as usize]).collect();
            let stays = |state: &usize| self.ways[state].iter().any(|(way, _)| part.contains(&way.to));
            if part.iter().any(stays) {
                found.push(part);
            }
        });
        found.sort();
        found
    }

    /// A run that repeats a cycle in it, which meets every obligation.
    fn circle<O: Observer>(&self, product: &mut Product<'_, '_, O>) -> Option<Run> {
        // Where the part is reached first.
        let entry = self.states.keys().copied().min_by_key(|state| product.depth(*state))?;
        let mut open: BTreeSet<CycleNeed> = &self.needs - &self.states[&entry];
        let mut path: Vec<(usize, ProductEdge)> = Vec::new();
        let mut at = entry;
        while !open.is_empty() {
            let stretch = self.walk(at, |way, needs| {
                !needs.is_disjoint(&open) || !self.states[&way.to].is_disjoint(&open)
            })?;
            at = self.follow(at, &stretch, &mut open, &mut path);
        }
        if at != entry || path.is_empty() {
            let stretch = self.walk(at, |way, _| way.to == entry)?;
            self.follow(at, &stretch, &mut open, &mut path);
        }
        let mut steps: Vec<Step> = product.steps_to(entry);
        let start = steps.len();
        for (state, way) in path {
            let node = product.node(state);
            steps.extend(product.graph.steps(node, way.edge));
        }
        Some(Run { steps, cycle: Some(start) })
    }

    /// Goes along a stretch; what it meets is open no more. Returns where it ends.
    fn follow(
        &self,
        from: usize,
        stretch: &[(usize, usize)],
        open: &mut BTreeSet<CycleNeed>,
        path: &mut Vec<(usize, ProductEdge)>,
    ) -> usize {
        let mut at = from;
        for (state, place) in stretch {
            let (way, needs) = &self.ways[state][*place];
            open.retain(|need| !needs.contains(need) && !self.states[&way.to].contains(need));
            path.push((*state, *way));
            at = way.to;
        }
        at
    }

    /// The shortest stretch of ways whose last is a wanted one.
    fn walk(
        &self,
        from: usize,
        is_wanted: impl Fn(&ProductEdge, &BTreeSet<CycleNeed>) -> bool,
    ) -> Option<Vec<(usize, usize)>> {
        let mut before: BTreeMap<usize, Option<(usize, usize)>> = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for (place, (way, needs)) in self.ways[&state].iter().enumerate() {
                if is_wanted(way, needs) {
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

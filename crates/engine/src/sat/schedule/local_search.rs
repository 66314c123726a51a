//! Local search for a run in which several automata come to a goal within some transactions.
//!
//! Every component keeps a whole way of its own through a [`Timetable`], from where it begins to a spot. Ways make a run if every
//! label is offered as often as it is taken at every position. Where it is not, one component after the other gets a new way:
//! the cheapest, where each label at each position has a price for what is missing there or too many. That way is computed
//! exactly, position by position, so a component changes all that it does at once. Prices of labels that stay unbalanced are
//! raised, so the search leaves local minima (Morris: The breakout method for escaping from local minima, AAAI 1993).
//!
//! It finds most runs in a few milliseconds where a solver needs seconds, and never learns that there is none: it is used for a
//! while before, and between, what a solver does.

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::random::Random;
use sequent_kernel::system::{ComponentId, Join, RuleId};

use crate::sat::schedule::timetable::Timetable;

/// What a component may do between one position and the next.
#[derive(Clone, Copy, Debug)]
struct ComponentMove {
    from: usize,
    to: usize,
    /// The rule that fires; none if it waits.
    rule: Option<RuleId>,
    /// What it offers and takes: a part of the list of shares.
    shares: (usize, usize),
}

/// One side of a meeting: a label, and how often it is offered, or taken if negative.
#[derive(Clone, Copy, Debug)]
struct MeetingShare {
    label: usize,
    count: i64,
}

/// Rounds between two checks of `is_over`.
const LOOK: usize = 50;

/// The number of rounds to try before anything else.
pub fn usual(table: &Timetable<'_, '_>) -> usize {
    (4 * table.most * table.automata.list.len()).min(4_000)
}

/// Components that have not agreed yet.
pub struct LocalSearch {
    labels: usize,
    /// For each component and position what it may do.
    edges: IdVec<ComponentId, Vec<Vec<ComponentMove>>>,
    /// For each component in which states it may be at the end.
    ends: IdVec<ComponentId, Vec<bool>>,
    shares: Vec<MeetingShare>,
    /// For each component and position which edge it takes.
    ways: IdVec<ComponentId, Vec<usize>>,
    /// For each position and label how often it is offered more than it is taken.
    surplus: Vec<i64>,
    /// What each of them costs.
    prices: Vec<i64>,
    /// For each position and state of one component what is still to come.
    costs: Vec<Vec<i64>>,
    random: Random,
}

/// The cost where no way leads on.
const NEVER: i64 = i64::MAX / 4;

impl LocalSearch {
    /// No component has a path yet.
    pub fn new(table: &Timetable<'_, '_>, seed: u64) -> Self {
        let system = table.automata.system;
        let labels = system.labels.len();
        let mut search = LocalSearch {
            labels,
            edges: IdVec::new(),
            ends: table.stays[table.most].clone(),
            shares: Vec::new(),
            ways: IdVec::new(),
            surplus: vec![0; table.most * labels],
            prices: vec![1; table.most * labels],
            costs: vec![Vec::new(); table.most + 1],
            random: Random::new(seed),
        };
        for (component, automaton) in table.automata.list.enumerate() {
            let shares: Vec<(usize, usize)> =
                automaton.moves.iter().map(|step| search.share(&system.rules[step.rule].join)).collect();
            let edges = (0..table.most).map(|position| edges(table, component, position, &shares));
            search.edges.push(edges.collect());
            search.ways.push(Vec::new());
        }
        search
    }

    /// Writes down what a rule offers and takes: a part of the list of shares.
    fn share(&mut self, join: &Join) -> (usize, usize) {
        let start = self.shares.len();
        match join {
            Join::Alone | Join::Listen(_) => {}
            Join::Take(label) => self.shares.push(MeetingShare { label: label.index(), count: -1 }),
            Join::Offer(labels) => {
                for label in labels {
                    match self.shares[start..].iter_mut().find(|share| share.label == label.index()) {
                        Some(share) => share.count += 1,
                        None => self.shares.push(MeetingShare { label: label.index(), count: 1 }),
                    }
                }
            }
        }
        (start, self.shares.len())
    }

    /// Replans every component, at most `rounds` times. Returns whether all labels are balanced; `None` if
    /// `is_over`.
    pub fn agree(&mut self, rounds: usize, is_over: &dyn Fn() -> bool) -> Option<bool> {
        let mut order: Vec<ComponentId> = self.edges.ids().collect();
        for round in 1..=rounds {
            self.random.shuffle(&mut order);
            for component in &order {
                self.plan(*component);
            }
            if self.surplus.iter().all(|surplus| *surplus == 0) {
                return Some(true);
            }
            for (price, surplus) in self.prices.iter_mut().zip(&self.surplus) {
                *price += surplus.abs();
            }
            if round % LOOK == 0 && is_over() {
                return None;
            }
        }
        Some(false)
    }

    /// The rules that fire at each position.
    pub fn fired(&self) -> Vec<Vec<RuleId>> {
        let rules = |position: usize| {
            let rule = |(component, way): (ComponentId, &Vec<usize>)| {
                self.edges[component][position][*way.get(position)?].rule
            };
            self.ways.enumerate().filter_map(rule).collect()
        };
        (0..self.costs.len() - 1).map(rules).collect()
    }

    /// Finds the cheapest way for a component, given what the others do; any of them if there are several.
    fn plan(&mut self, component: ComponentId) {
        let old = std::mem::take(&mut self.ways[component]);
        self.count(component, &old, -1);
        self.weigh(component);
        let mut state = 0;
        let mut way = Vec::with_capacity(old.len());
        for (position, edges) in self.edges[component].iter().enumerate() {
            let (mut cheapest, mut chosen) = (0, 0);
            for (at, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.from == state) {
                let next = self.costs[position + 1][edge.to];
                if next < NEVER && next + self.cost(edge, position) == self.costs[position][state] {
                    cheapest += 1;
                    if self.random.below(cheapest) == 0 {
                        chosen = at;
                    }
                }
            }
            way.push(chosen);
            state = edges[chosen].to;
        }
        self.count(component, &way, 1);
        self.ways[component] = way;
    }

    /// Computes what the cheapest way of a component costs from each position and state on, from the last to the first.
    fn weigh(&mut self, component: ComponentId) {
        let mut costs = std::mem::take(&mut self.costs);
        let most = costs.len() - 1;
        costs[most].clear();
        costs[most].extend(self.ends[component].iter().map(|end| if *end { 0 } else { NEVER }));
        for (position, edges) in self.edges[component].iter().enumerate().rev() {
            let (before, after) = costs.split_at_mut(position + 1);
            let (here, next) = (&mut before[position], &after[0]);
            here.clear();
            here.resize(self.ends[component].len(), NEVER);
            for edge in edges.iter().filter(|edge| next[edge.to] < NEVER) {
                here[edge.from] = here[edge.from].min(next[edge.to] + self.cost(edge, position));
            }
        }
        self.costs = costs;
    }

    /// What it costs to add what an edge offers and takes at a position.
    fn cost(&self, edge: &ComponentMove, position: usize) -> i64 {
        let one = |share: &MeetingShare| {
            let at = position * self.labels + share.label;
            let before = self.surplus[at];
            self.prices[at] * ((before + share.count).abs() - before.abs())
        };
        self.shares[edge.shares.0..edge.shares.1].iter().map(one).sum()
    }

    /// Adds what a component offers and takes on a way, or takes it away.
    fn count(&mut self, component: ComponentId, way: &[usize], times: i64) {
        for (position, edge) in way.iter().enumerate() {
            let (start, end) = self.edges[component][position][*edge].shares;
            for share in &self.shares[start..end] {
                self.surplus[position * self.labels + share.label] += times * share.count;
            }
        }
    }
}

/// What a component may do between a position and the next; each of its moves has some shares.
fn edges(
    table: &Timetable<'_, '_>,
    component: ComponentId,
    position: usize,
    shares: &[(usize, usize)],
) -> Vec<ComponentMove> {
    let automaton = &table.automata.list[component];
    let waits = (0..automaton.states.len()).filter(|state| {
        let mut both = [position, position + 1].into_iter();
        table.may_wait(component, *state) && both.all(|at| table.stays[at][component][*state])
    });
    let waits = waits.map(|state| ComponentMove { from: state, to: state, rule: None, shares: (0, 0) });
    let may = &table.moves[position][component];
    let moves = automaton.moves.iter().zip(shares).zip(may).filter(|(_, may)| **may);
    let moves = moves.map(|((step, shares), _)| {
        let (from, to, rule) = (step.from, step.to, Some(step.rule));
        ComponentMove { from, to, rule, shares: *shares }
    });
    waits.chain(moves).collect()
}

//! Suffixes: messages that follow each other, with nothing but silent steps in between (P4, definition D23).
//!
//! Once it is fixed which messages follow, every component is on its own: it must be able to do its share of them, in their
//! order, and what the others do meanwhile does not matter to it. So the configurations from which a scenario can go on are a
//! product: a set of states for each component. Where messages may follow each other in several orders ([`Chart`]) there are
//! several products, found backwards from the end of the chart. Messages that have no component in common can change places,
//! and both orders give the same product; so a diagram without alternatives has one.
//!
//! The question whether a scenario is possible after some transactions is whether one of these configurations is reached: no
//! position of the scenario itself is ever written as clauses, and how many it takes does not matter.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::property::scenario::SoughtScenario;
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::system::{ComponentId, Config, EventId, Join, LabelId, Step, System};

use crate::sat::bounded::chart::{Chart, ChartMeeting};
use crate::sat::bounded::far;
use crate::sat::bounded::reach::NEAR;
use crate::sat::encode::Pace;
use crate::sat::encode::encoding::Encoding;
use crate::sat::outcome::Bounded;
use crate::sat::schedule::automata::{AutomatonMove, ComponentAutomata, ComponentAutomaton, Spots};
use crate::sat::schedule::plan;
use crate::sat::solver::{Patience, SolverEffort};

/// How many messages follow each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FurthestSuffix {
    /// This many do.
    pub count: usize,
    /// In this run, at its end.
    pub run: Run,
    /// What the last solver did.
    pub effort: SolverEffort,
}

/// The share of a component in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StepShare<'m> {
    Offers(&'m [(LabelId, ComponentId)]),
    Takes(LabelId),
}

impl ChartMeeting {
    /// The components that take part, each with its share.
    fn shares(&self) -> impl Iterator<Item = (ComponentId, StepShare<'_>)> {
        let takes = |(label, to): &(LabelId, ComponentId)| (*to, StepShare::Takes(*label));
        [(self.from, StepShare::Offers(&self.parts))].into_iter().chain(self.parts.iter().map(takes))
    }
}

/// Configurations from which messages follow, and which one is the next.
struct SuffixProduct {
    spots: Spots,
    /// The number of the meeting, and of the product that it leads to.
    next: Option<(usize, usize)>,
}

/// Products that messages follow from.
struct Products {
    list: Vec<SuffixProduct>,
    /// Those in which nothing has happened yet.
    first: Vec<usize>,
}

/// More products than this are not kept.
const MOST_PRODUCTS: usize = 2_000;

/// Messages that follow each other.
pub struct Suffix<'a, 's> {
    automata: &'a ComponentAutomata<'s>,
    chart: Chart,
}

impl<'a, 's> Suffix<'a, 's> {
    /// Messages by what is seen of them, from top to bottom; `None` stands for one that is never seen. There is no answer where
    /// components are not on their own.
    pub fn new(automata: &'a ComponentAutomata<'s>, events: &[Option<EventId>]) -> Option<Self> {
        Self::with(automata, Chart::chain(automata.system, events)?)
    }

    /// The messages of a scenario. There is no answer where it looks at objects, either.
    pub fn of(automata: &'a ComponentAutomata<'s>, scenario: &SoughtScenario) -> Option<Self> {
        Self::with(automata, Chart::of(automata.system, scenario)?)
    }

    fn with(automata: &'a ComponentAutomata<'s>, chart: Chart) -> Option<Self> {
        is_seen(automata.system).then_some(Suffix { automata, chart })
    }

    /// How many of the messages, at most this many of them, can follow each other after at most this many transactions; `None` if
    /// broken off. If a number of them can, fewer can too: so the search halves what is open, after it has looked whether all can.
    pub fn furthest(&self, most: usize, within: usize, patience: Patience<'_>) -> Option<FurthestSuffix> {
        let mut best = FurthestSuffix::default();
        let (mut can, mut cannot) = (0, most + 1);
        while can + 1 < cannot {
            let count = if cannot > most { most } else { can.midpoint(cannot) };
            let (found, effort) = self.after(count, within, patience);
            best.effort = effort;
            match found {
                Bounded::Found(run, _) => {
                    can = count;
                    best.run = run;
                }
                Bounded::Nothing(_) | Bounded::Proved(_) => cannot = count,
                Bounded::Stopped(_) => return None,
            }
        }
        Some(FurthestSuffix { count: can, ..best })
    }

    /// Whether this many messages can follow after at most this many transactions; the run has them at its end. It is looked for
    /// among short ones first; if there is none, most likely no longer one is there either, and that can be proved for all lengths
    /// at once.
    pub fn after(&self, count: usize, within: usize, patience: Patience<'_>) -> (Bounded, SolverEffort) {
        let Some(products) = self.products(count) else {
            return (Bounded::Stopped(0), SolverEffort::default());
        };
        let (mut answer, mut effort) = (Bounded::Nothing(within), SolverEffort::default());
        for first in &products.first {
            let found;
            (found, effort) = self.led(&products.list[*first].spots, within, patience);
            match found {
                Bounded::Found(run, length) => {
                    return (Bounded::Found(self.followed(run, &products, *first), length), effort);
                }
                Bounded::Nothing(_) | Bounded::Proved(_) => {}
                stopped @ Bounded::Stopped(_) => answer = stopped,
            }
        }
        (answer, effort)
    }

    /// Whether at most this many transactions lead to some configurations.
    fn led(&self, spots: &Spots, within: usize, patience: Patience<'_>) -> (Bounded, SolverEffort) {
        if within <= NEAR {
            return plan::within(self.automata, spots, within, patience);
        }
        let mut system = self.automata.system.clone();
        let goal = self.automata.predicate(spots, &mut system.terms);
        let encoding = Encoding::new(&system, Pace::Together, &[goal]).ok();
        match encoding.as_ref().and_then(|encoding| Some((encoding, encoding.truth(goal)?))) {
            Some((encoding, goal)) => {
                far::reach(encoding, goal, Some((self.automata, spots)), within, patience)
            }
            None => plan::within(self.automata, spots, within, patience),
        }
    }

    /// A run to a configuration from which messages follow, and the messages.
    fn followed(&self, mut run: Run, products: &Products, first: usize) -> Run {
        let configs = replay(self.automata.system, &run).expect("what is read from a model is a run");
        let steps = self.follow(&configs[configs.len() - 1], products, first);
        run.steps.extend(steps.expect("messages follow from where they can"));
        assert!(replay(self.automata.system, &run).is_ok(), "what follows is a run");
        run
    }

    /// How many messages there are; where they may follow in several ways, the most.
    pub fn len(&self) -> usize {
        self.chart.whole
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.chart.whole == 0
    }

    /// From where this many of the messages can follow: the states of each component, once for each way; `None` if there are too
    /// many.
    pub fn spots(&self, count: usize) -> Option<Vec<Spots>> {
        let Products { list, first } = self.products(count)?;
        Some(first.iter().map(|one| list[*one].spots.clone()).collect())
    }

    /// The products from which this many of the messages follow, backwards from where this many have happened. A product that lies
    /// within another one of the same node says nothing new.
    fn products(&self, count: usize) -> Option<Products> {
        let Chart { nodes, meetings, .. } = &self.chart;
        let spots: Spots =
            self.automata.list.iter().map(|automaton| vec![true; automaton.states.len()]).collect();
        // Where this many have happened, everything may be as it is: that is the first product.
        let mut list = vec![SuffixProduct { spots, next: None }];
        let mut known: Vec<Vec<usize>> = nodes.iter().map(|_| Vec::new()).collect();
        let mut before: Vec<Vec<(usize, usize)>> = known.iter().map(|_| Vec::new()).collect();
        let mut open: VecDeque<(usize, usize, usize)> = VecDeque::new();
        for (from, node) in nodes.iter().enumerate() {
            if node.depth >= count {
                known[from].push(0);
                continue;
            }
            for way in &node.ways {
                match way.to {
                    _ if way.depth >= count => open.push_back((from, way.meeting, 0)),
                    Some(to) => before[to].push((from, way.meeting)),
                    None => {}
                }
            }
        }
        while let Some((from, meeting, after)) = open.pop_front() {
            let Some(spots) = self.preceding(&list[after].spots, &meetings[meeting]) else { continue };
            if known[from].iter().any(|one| is_within(&spots, &list[*one].spots)) {
                continue;
            }
            known[from].retain(|one| !is_within(&list[*one].spots, &spots));
            let product = list.len();
            known[from].push(product);
            list.push(SuffixProduct { spots, next: Some((meeting, after)) });
            open.extend(before[from].iter().map(|(earlier, meeting)| (*earlier, *meeting, product)));
            if list.len() > MOST_PRODUCTS {
                return None;
            }
        }
        let first = known.swap_remove(0);
        Some(Products { list, first })
    }

    /// From where a meeting leads to some configurations; `None` if it never does.
    fn preceding(&self, after: &Spots, meeting: &ChartMeeting) -> Option<Spots> {
        let mut spots = after.clone();
        for (component, share) in meeting.shares() {
            let automaton = &self.automata.list[component];
            let mut own = vec![false; automaton.states.len()];
            let moves = automaton.moves.iter();
            for step in moves.filter(|step| self.fits(step, share) && after[component][step.to]) {
                own[step.from] = true;
            }
            self.close(automaton, &mut own);
            if !own.contains(&true) {
                return None;
            }
            spots[component] = own;
        }
        Some(spots)
    }

    /// Adds what leads silently to what is there.
    fn close(&self, automaton: &ComponentAutomaton, stage: &mut [bool]) {
        let mut is_open = true;
        while is_open {
            is_open = false;
            for step in automaton.moves.iter().filter(|step| self.is_silent(step)) {
                if stage[step.to] && !stage[step.from] {
                    stage[step.from] = true;
                    is_open = true;
                }
            }
        }
    }

    fn is_silent(&self, step: &AutomatonMove) -> bool {
        self.automata.system.rules[step.rule].join == Join::Alone
    }

    fn fits(&self, step: &AutomatonMove, share: StepShare<'_>) -> bool {
        match (&self.automata.system.rules[step.rule].join, share) {
            (Join::Offer(labels), StepShare::Offers(parts)) => {
                labels.iter().eq(parts.iter().map(|(label, _)| label))
            }
            (Join::Take(own), StepShare::Takes(label)) => *own == label,
            (Join::Alone | Join::Offer(_) | Join::Take(_) | Join::Listen(_), _) => false,
        }
    }

    /// The steps by which the messages of a product follow from a configuration, if they can.
    fn follow(&self, config: &Config, products: &Products, first: usize) -> Option<Vec<Step>> {
        let mut at: IdVec<ComponentId, usize> = IdVec::new();
        for automaton in self.automata.list.iter() {
            let values: Vec<i32> = automaton.own.iter().map(|variable| config.0[variable.index()]).collect();
            at.push(automaton.states.iter().position(|state| *state == values)?);
        }
        let mut steps = Vec::new();
        let mut product = &products.list[first];
        while let Some((meeting, next)) = product.next {
            product = &products.list[next];
            let mut together = Vec::new();
            for (end, share) in self.chart.meetings[meeting].shares() {
                let (silent, meets) = self.share(end, at[end], share, &product.spots[end])?;
                steps.extend(silent.iter().map(|step| Step(vec![step.rule])));
                together.push(meets.rule);
                at[end] = meets.to;
            }
            steps.push(Step(together));
        }
        Some(steps)
    }

    /// The silent moves to the nearest state in which a component can do a share that leads to certain states, and the move that
    /// does it.
    fn share(
        &self,
        component: ComponentId,
        at: usize,
        share: StepShare<'_>,
        after: &[bool],
    ) -> Option<(Vec<AutomatonMove>, AutomatonMove)> {
        let automaton = &self.automata.list[component];
        let mut ways: BTreeMap<usize, Vec<AutomatonMove>> = BTreeMap::from([(at, Vec::new())]);
        let mut open = VecDeque::from([at]);
        while let Some(state) = open.pop_front() {
            let way = ways[&state].clone();
            for step in automaton.moves.iter().filter(|step| step.from == state) {
                if self.fits(step, share) && after[step.to] {
                    return Some((way, *step));
                }
                if self.is_silent(step) && !ways.contains_key(&step.to) {
                    ways.insert(step.to, way.iter().copied().chain([*step]).collect());
                    open.push_back(step.to);
                }
            }
        }
        None
    }
}

/// Whether every meeting is seen, and nothing else is.
fn is_seen(system: &System) -> bool {
    let mut offers: BTreeSet<(LabelId, ComponentId)> = BTreeSet::new();
    let mut takes = offers.clone();
    for rule in system.rules.iter() {
        if rule.event.is_some() {
            return false;
        }
        match &rule.join {
            Join::Alone | Join::Listen(_) => {}
            Join::Offer(labels) => offers.extend(labels.iter().map(|label| (*label, rule.component))),
            Join::Take(label) => {
                takes.insert((*label, rule.component));
            }
        }
    }
    let mut pairs = offers.iter().flat_map(|offer| {
        let same = takes.range((offer.0, ComponentId::from_index(0))..).take_while(|take| take.0 == offer.0);
        same.map(|take| (offer.0, offer.1, take.1)).filter(|(_, from, to)| from != to)
    });
    pairs.all(|pair| system.meetings.contains_key(&pair))
}

/// Whether all configurations of one product are among those of another.
fn is_within(one: &Spots, other: &Spots) -> bool {
    one.iter().zip(other.iter()).all(|(one, other)| one.iter().zip(other).all(|(one, other)| !one || *other))
}

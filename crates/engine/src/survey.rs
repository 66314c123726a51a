//! Survey: all states of a System and the steps between them, looked at once, for many questions.
//!
//! Breadth first, so that the way to a state is a shortest. Kept are the states, where their steps lead, whether anything is
//! seen of them, and where each rule fires first. A system that is too large is surveyed in part: what was found is found,
//! what was not found may still be there.

use std::convert::Infallible;
use std::ops::ControlFlow;

use sequent_kernel::id;
use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::property::Moment;
use sequent_kernel::replay::Run;
use sequent_kernel::system::{Config, RuleId, Step, TermId};

use crate::explore::{Exploration, explore};
use crate::packed::Program;
use crate::scc::components;
use crate::search::expand::{Expander, ExpansionScratch};
use crate::search::{Limits, Progress, ProgressWatch, SearchStop};
use crate::store::{Batch, NO_PARENT, StateShard, hash};

id! {
    /// A state of a survey, in the order in which they were found.
    SpotId
}

/// A step: the state it leaves, and its number among the steps there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hop {
    /// The state it leaves.
    pub from: SpotId,
    /// Its number.
    pub number: u32,
}

/// The states of a system.
pub struct Survey<'a> {
    program: &'a Program<'a>,
    states: StateShard,
    /// The steps before the first state.
    begin: Vec<Step>,
    /// How each state was reached.
    came: IdVec<SpotId, Option<Hop>>,
    /// For each state that was looked at where its steps begin.
    starts: Vec<usize>,
    /// Where steps lead, and whether anything is seen.
    leads: Vec<(SpotId, bool)>,
    ends: Vec<Option<Moment>>,
    fired: IdVec<RuleId, Option<Hop>>,
    /// Why not everything was looked at.
    pub stop: Option<SearchStop>,
}

impl<'a> Survey<'a> {
    /// Looks at all states within limits. Steps that show an event are seen; so are those in which some rules fire.
    pub fn explore(
        program: &'a Program<'a>,
        is_seen: &dyn Fn(RuleId) -> bool,
        limits: &Limits,
        watch: ProgressWatch<'_>,
    ) -> Self {
        let mut survey = Survey {
            program,
            states: StateShard::new(program.words()),
            begin: Vec::new(),
            came: IdVec::new(),
            starts: Vec::new(),
            leads: Vec::new(),
            ends: Vec::new(),
            fired: program.system.rules.iter().map(|_| None).collect(),
            stop: None,
        };
        let mut room = ExpansionScratch::default();
        let expander = Expander { program, stubborn: None, goal: None };
        if let Some((first, steps)) = expander.first(&mut room) {
            survey.begin = steps;
            survey.states.add(hash(&first), &first, NO_PARENT);
            survey.came.push(None);
        }
        let (current, next) = (Vec::new(), Batch::default());
        let mut tour = Tour { survey, expander, is_seen, room, current, next };
        let stop = explore(&mut tour, limits, watch).err();
        Survey { stop, ..tour.survey }
    }

    fn look(
        &mut self,
        expander: Expander<'_>,
        state: &[u64],
        is_seen: &dyn Fn(RuleId) -> bool,
        room: &mut ExpansionScratch,
        next: &mut Batch,
    ) {
        let (from, start) = (SpotId::from_index(self.starts.len()), self.leads.len());
        self.starts.push(start);
        let system = self.program.system;
        let mut number = 0;
        next.clear();
        let found = expander.expand(state, room, |state, way| {
            let hop = Hop { from, number };
            number += 1;
            for rule in way.rules() {
                self.fired[rule].get_or_insert(hop);
            }
            let is_visible = system.shown(way.first).next().is_some() || way.rules().any(is_seen);
            // Where it leads is written when all are known, as they are looked up at once.
            next.push(state, hash(state), NO_PARENT);
            self.leads.push((from, is_visible));
        });
        let mut number = 0;
        self.states.add_all(next, |at| {
            if at == self.came.len() {
                self.came.push(Some(Hop { from, number }));
            }
            self.leads[start + number as usize].0 = SpotId::from_index(at);
            number += 1;
        });
        let is_complete = expander.holds(system.complete, state, room);
        self.ends.push(match (is_complete, found.has_step) {
            (true, false) => Some(Moment::End),
            (false, false) => Some(Moment::Stuck),
            (_, true) => None,
        });
    }

    /// Whether everything was looked at.
    pub fn is_whole(&self) -> bool {
        self.stop.is_none()
    }

    /// How many states were found.
    pub fn len(&self) -> usize {
        self.came.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.came.is_empty()
    }

    /// The states that were looked at.
    pub fn spots(&self) -> impl Iterator<Item = SpotId> + use<> {
        (0..self.starts.len()).map(SpotId::from_index)
    }

    /// A state in full.
    pub fn config(&self, spot: SpotId) -> Config {
        self.program.layout.unpack(self.states.state(spot.index()))
    }

    /// Where the steps of a state lead, and whether anything is seen of them.
    pub fn leads(&self, spot: SpotId) -> &[(SpotId, bool)] {
        let end = self.starts.get(spot.index() + 1).copied().unwrap_or(self.leads.len());
        match self.starts.get(spot.index()) {
            Some(start) => &self.leads[*start..end],
            None => &[],
        }
    }

    /// How runs end in a state, if nothing can happen there.
    pub fn end(&self, spot: SpotId) -> Option<Moment> {
        self.ends.get(spot.index()).copied().flatten()
    }

    /// Where a rule fires first, if it does.
    pub fn fired(&self, rule: RuleId) -> Option<Hop> {
        self.fired[rule]
    }

    /// The first state in which a predicate holds.
    pub fn first_in(&self, predicate: TermId) -> Option<SpotId> {
        let mut room = ExpansionScratch::default();
        let expander = Expander { program: self.program, stubborn: None, goal: None };
        self.spots().find(|spot| expander.holds(predicate, self.states.state(spot.index()), &mut room))
    }

    /// For each step of a state, in order, the rules that fire.
    pub fn rules(&self, spot: SpotId) -> Vec<Vec<RuleId>> {
        let mut rules = Vec::new();
        let mut room = ExpansionScratch::default();
        let expander = Expander { program: self.program, stubborn: None, goal: None };
        expander
            .expand(self.states.state(spot.index()), &mut room, |_, way| rules.push(way.rules().collect()));
        rules
    }

    /// The states that were looked at and have no step that one of some rules begins, ascending.
    pub fn without(&self, begins: &dyn Fn(RuleId) -> bool) -> Vec<SpotId> {
        let mut room = ExpansionScratch::default();
        let expander = Expander { program: self.program, stubborn: None, goal: None };
        let mut has_none = |spot: &SpotId| {
            let mut is_begun = false;
            expander.expand(self.states.state(spot.index()), &mut room, |_, way| {
                is_begun |= way.first.first().is_some_and(|rule| begins(*rule));
            });
            !is_begun
        };
        self.spots().filter(&mut has_none).collect()
    }

    /// The steps of one hop.
    pub fn steps(&self, hop: Hop) -> Vec<Step> {
        let mut steps = Vec::new();
        let (mut room, mut at) = (ExpansionScratch::default(), 0);
        let expander = Expander { program: self.program, stubborn: None, goal: None };
        expander.expand(self.states.state(hop.from.index()), &mut room, |_, way| {
            if at == hop.number {
                steps = way.steps().collect();
            }
            at += 1;
        });
        steps
    }

    /// A shortest run to a state.
    pub fn run_to(&self, spot: SpotId) -> Run {
        let mut hops = Vec::new();
        let mut at = spot;
        while let Some(hop) = self.came[at] {
            hops.push(hop);
            at = hop.from;
        }
        let mut steps = self.begin.clone();
        steps.extend(hops.into_iter().rev().flat_map(|hop| self.steps(hop)));
        Run { steps, cycle: None }
    }

    /// The run along some hops, the first of which leaves the first state.
    pub fn run_along(&self, hops: &[Hop]) -> Run {
        let mut steps = self.begin.clone();
        steps.extend(hops.iter().flat_map(|hop| self.steps(*hop)));
        Run { steps, cycle: None }
    }

    /// A shortest run that ends with a hop.
    pub fn run_through(&self, hop: Hop) -> Run {
        let mut run = self.run_to(hop.from);
        run.steps.extend(self.steps(hop));
        run
    }

    /// A run that goes on forever with nothing to be seen, to the first state from which one does.
    pub fn unseen_circle(&self) -> Option<Run> {
        let mut first: Option<u32> = None;
        let unseen = |spot: usize| {
            let leads = self.leads(SpotId::from_index(spot)).iter();
            leads
                .filter(|(to, is_visible)| !is_visible && to.index() < self.starts.len())
                .map(|(to, _)| to.index() as u32)
        };
        components(
            self.starts.len(),
            |spot, pool| pool.extend(unseen(spot)),
            |part| {
                if part.len() > 1 || unseen(part[0] as usize).any(|to| to == part[0]) {
                    first = first.into_iter().chain(part.iter().copied()).min();
                }
            },
        );
        let first = SpotId::from_index(first? as usize);
        let mut run = self.run_to(first);
        run.cycle = Some(run.steps.len());
        for hop in self.circle(first) {
            run.steps.extend(self.steps(hop));
        }
        Some(run)
    }

    /// A shortest way from a state back to itself by unseen steps.
    fn circle(&self, first: SpotId) -> Vec<Hop> {
        let mut came = std::collections::BTreeMap::new();
        let mut open = std::collections::VecDeque::from([first]);
        while let Some(from) = open.pop_front() {
            for ((to, is_visible), number) in self.leads(from).iter().zip(0..) {
                if *is_visible || came.contains_key(to) {
                    continue;
                }
                came.insert(*to, Hop { from, number });
                open.push_back(*to);
            }
            if came.contains_key(&first) {
                break;
            }
        }
        let mut hops = Vec::new();
        let mut at = first;
        while let Some(hop) = came.get(&at) {
            hops.push(*hop);
            at = hop.from;
            if at == first {
                break;
            }
        }
        hops.reverse();
        hops
    }
}

/// The states of a survey, one after the other.
struct Tour<'t, 'a> {
    survey: Survey<'a>,
    expander: Expander<'a>,
    is_seen: &'t dyn Fn(RuleId) -> bool,
    room: ExpansionScratch,
    /// The state that is looked at, and where its steps lead.
    current: Vec<u64>,
    next: Batch,
}

impl Exploration for Tour<'_, '_> {
    type Found = Infallible;

    const VISITS: usize = 256;

    fn is_over(&self) -> bool {
        self.survey.starts.len() == self.survey.came.len()
    }

    fn visit(&mut self) -> ControlFlow<Infallible> {
        let Tour { survey, expander, is_seen, room, current, next } = self;
        current.clear();
        current.extend_from_slice(survey.states.state(survey.starts.len()));
        survey.look(*expander, current, *is_seen, room, next);
        ControlFlow::Continue(())
    }

    fn progress(&self) -> Progress {
        let Survey { states, leads, came, .. } = &self.survey;
        let own = leads.capacity() * size_of::<(SpotId, bool)>() + came.len() * size_of::<Option<Hop>>();
        Progress { states: came.len(), transitions: leads.len(), depth: 0, bytes: states.bytes() + own }
    }
}

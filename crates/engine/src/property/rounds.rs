//! Rounds: the steps of [observed states](super::observed) with what they meet, for a search for cycles that keeps no graph.
//!
//! An infinite run that counts goes round in a part of the product where every obligation is met: something is read, the marks of
//! the automaton, the predicates that hold again and again, and fairness ([`circle`](super::circle) says which). Here each
//! obligation is a bit. Workers of a cluster compute from these bits where such a part is, and in which state it can be entered; a
//! shortest way from that state back to it that meets the obligations one after the other then is a search for a state in
//! [`RoundStates`]: the states with the number of obligations that were met.

use sequent_kernel::id::IdVec;
use sequent_kernel::property::ltl::LtlAutomaton;
use sequent_kernel::property::{Moment, Observer, all_marks};
use sequent_kernel::system::{RuleId, Step, Strength, System, TermId};

use super::circle::CycleSteps;
use super::observed::{ObservedScratch, ObservedStates, ReadingKind};
use crate::graph::owed_by_rule;
use crate::packed::Program;
use crate::search::expand::{ExpansionScratch as Seen, StepPath};
use crate::search::space::StateSpace;

/// The bit that says that a step of the wanted kind was taken.
const TAKEN: u64 = 1;

/// What an infinite run must meet again and again, a bit each.
pub(crate) struct CycleObligations {
    /// Where the marks begin, and the fairness constraints.
    marks: u32,
    fair: u32,
    rests: Vec<TermId>,
    /// For each rule the constraints that want it or another to fire, and those that it pays for.
    rules: IdVec<RuleId, [u64; 2]>,
    /// Weak fairness constraints, and strong ones.
    weak: u64,
    strong: u64,
    /// Everything but strong fairness.
    needs: u64,
}

impl CycleObligations {
    /// `None` if no infinite run counts, or there are more obligations than bits.
    fn new(system: &System, automaton: &LtlAutomaton, steps: CycleSteps) -> Option<Self> {
        let endless = system.endless.as_ref()?;
        // What is read on steps that are not read has no marks.
        let own = match steps {
            CycleSteps::All => automaton.marks(),
            CycleSteps::Unread => 0,
        };
        let (rests, owed) = (endless.rests.len(), endless.owed.len());
        let marks = 1 + rests;
        let fair = marks + own as usize;
        if fair + owed >= u64::BITS as usize {
            return None;
        }
        let of = |strength: Strength| {
            let all = endless.owed.iter().enumerate().filter(|(_, owed)| owed.strength == strength);
            all.fold(0, |bits, (bit, _)| bits | 1 << (fair + bit))
        };
        let (weak, strong) = (of(Strength::Weak), of(Strength::Strong));
        let rest = ((1 << rests) - 1) << 1;
        Some(CycleObligations {
            marks: marks as u32,
            fair: fair as u32,
            rests: endless.rests.clone(),
            rules: owed_by_rule(system, &endless.owed),
            weak,
            strong,
            needs: TAKEN | rest | all_marks(own) << marks | weak,
        })
    }
}

/// What a state meets, and which strong fairness constraints are due in it: some of their rules may fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StateNeeds {
    /// The obligations that it meets.
    pub met: u64,
    /// The strong fairness constraints.
    pub due: u64,
}

/// The steps of observed states that a cycle may consist of.
pub(crate) struct Rounds<'a> {
    states: ObservedStates<'a>,
    obligations: CycleObligations,
    steps: CycleSteps,
}

impl<'a> Rounds<'a> {
    /// `None` if no infinite run counts, or too much is demanded of them.
    pub(crate) fn new(
        program: &'a Program<'a>,
        automaton: &'a LtlAutomaton,
        steps: CycleSteps,
    ) -> Option<Self> {
        let obligations = CycleObligations::new(program.system, automaton, steps)?;
        let states = ObservedStates::new(program, automaton).before_cycles();
        Some(Rounds { states, obligations, steps })
    }

    /// All obligations but strong fairness, and strong fairness.
    pub(crate) fn needs(&self) -> (u64, u64) {
        (self.obligations.needs, self.obligations.strong)
    }

    /// The states that the steps lead from and to.
    pub(crate) fn states(&self) -> &ObservedStates<'a> {
        &self.states
    }

    /// Calls `visit` with each successor, what the step there meets, and the way; returns what the state meets, or nothing if no
    /// cycle leads through it.
    pub(crate) fn expand(
        &self,
        state: &[u64],
        room: &mut RoundScratch,
        mut visit: impl FnMut(&[u64], u64, StepPath<'_>),
    ) -> Option<StateNeeds> {
        let Rounds { states, obligations, steps } = self;
        let program = states.expander().program;
        let RoundScratch { observed, next: room_for_next, .. } = room;
        let memory = states.remembered(state);
        program.look_at(state, &mut observed.reading.here);
        let mut holds = |term| program.holds(term, state, &mut observed.reading.here);
        if holds(program.system.invalid) || holds(program.system.inconclusive) {
            return None;
        }
        // Along unread steps the memory of the automaton, and what it looks at, are constant.
        if *steps == CycleSteps::Unread && !states.accepts(state, &memory, Moment::Stuck, observed) {
            return None;
        }
        let ObservedScratch { seen, reading, .. } = observed;
        let mut due = 0;
        states.expander().expand(state, seen, |next, way| {
            let [wanting, paid] = way.rules().fold([0; 2], |[wanting, paid], rule| {
                let [more, other] = obligations.rules[rule];
                [wanting | more, paid | other]
            });
            due |= wanting << obligations.fair;
            let ReadingKind { is_read, .. } = states.ask(state, &memory, next, way, reading);
            let taken = match (steps, is_read) {
                (CycleSteps::Unread, true) => return,
                (CycleSteps::Unread, false) | (CycleSteps::All, true) => TAKEN,
                (CycleSteps::All, false) => 0,
            };
            for (after, marks) in &reading.ways {
                room_for_next.clear();
                room_for_next.extend_from_slice(next);
                states.remember(after, room_for_next);
                let met = taken | marks << obligations.marks | paid << obligations.fair;
                visit(room_for_next, met, way);
            }
        });
        let mut met = obligations.weak & !due;
        for (bit, rest) in obligations.rests.iter().enumerate() {
            met |= u64::from(program.holds(*rest, state, &mut reading.here)) << (1 + bit);
        }
        Some(StateNeeds { met, due: due & obligations.strong })
    }
}

/// What a thread needs while it looks at rounds.
#[derive(Default)]
pub(crate) struct RoundScratch {
    /// What is seen of the System.
    pub observed: ObservedScratch,
    next: Vec<u64>,
    /// The successors of a state, and what the steps there meet.
    states: Vec<u64>,
    met: Vec<u64>,
}

impl RoundScratch {
    /// Lists the successors of a state; what it meets, or nothing if no cycle leads through it.
    pub(crate) fn list(&mut self, rounds: &Rounds<'_>, state: &[u64]) -> Option<StateNeeds> {
        let (mut states, mut met) = (std::mem::take(&mut self.states), std::mem::take(&mut self.met));
        states.clear();
        met.clear();
        let needs = rounds.expand(state, self, |next, bits, _| {
            states.extend_from_slice(next);
            met.push(bits);
        });
        (self.states, self.met) = (states, met);
        needs
    }

    /// The successors that were listed, each with what the step there meets.
    pub(crate) fn listed(&self, words: usize) -> impl Iterator<Item = (&[u64], u64)> {
        self.states.chunks_exact(words).zip(self.met.iter().copied())
    }
}

/// Where a way round begins and ends, and what it is to meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundTrip {
    /// The state.
    pub start: Vec<u64>,
    /// The obligations, a bit each.
    pub needs: u64,
    /// The steps it may take.
    pub steps: CycleSteps,
}

/// Observed states with the number of obligations that were met since a way round began, which is met in order.
pub(crate) struct RoundStates<'a> {
    rounds: Rounds<'a>,
    trip: &'a RoundTrip,
    order: Vec<u64>,
}

impl<'a> RoundStates<'a> {
    /// `None` if no infinite run counts, or too much is demanded of them.
    pub(crate) fn new(
        program: &'a Program<'a>,
        automaton: &'a LtlAutomaton,
        trip: &'a RoundTrip,
    ) -> Option<Self> {
        let rounds = Rounds::new(program, automaton, trip.steps)?;
        let order = (0..u64::BITS).map(|bit| 1 << bit).filter(|bit| trip.needs & bit != 0).collect();
        Some(RoundStates { rounds, trip, order })
    }

    /// The bits in use of each word of a state.
    pub(crate) fn masks(&self) -> Vec<u64> {
        let mut masks = self.rounds.states.masks();
        masks.push(u64::MAX >> (self.order.len() as u64).leading_zeros());
        masks
    }

    /// Where the way begins.
    pub(crate) fn first(&self) -> Vec<u64> {
        let mut state = self.trip.start.clone();
        state.push(0);
        state
    }

    /// How many obligations are met after one more thing.
    fn advance(&self, count: u64, met: u64) -> u64 {
        let more = self.order.iter().skip(count as usize).take_while(|bit| met & **bit != 0);
        count + more.count() as u64
    }
}

impl StateSpace for &RoundStates<'_> {
    type Room = RoundScratch;

    fn expand(self, state: &[u64], room: &mut RoundScratch, mut visit: impl FnMut(&[u64])) -> bool {
        let Some((count, inner)) = state.split_last() else { return false };
        if *count == self.order.len() as u64 && inner == self.trip.start {
            return true;
        }
        let Some(StateNeeds { met, .. }) = room.list(&self.rounds, inner) else { return false };
        let count = self.advance(*count, met);
        let mut whole = std::mem::take(&mut room.next);
        for (next, met) in room.listed(inner.len()) {
            whole.clear();
            whole.extend_from_slice(next);
            whole.push(self.advance(count, met));
            visit(&whole);
        }
        room.next = whole;
        false
    }

    fn steps(self, state: &[u64], next: &[u64], room: &mut RoundScratch) -> Option<(Vec<Step>, Vec<u64>)> {
        let (before, inner) = state.split_last()?;
        let (wanted, reached) = next.split_last()?;
        let StateNeeds { met, .. } = room.list(&self.rounds, inner)?;
        let count = self.advance(*before, met);
        let mut taken = None;
        self.rounds.expand(inner, room, |to, met, way| {
            if taken.is_none() && to == reached && self.advance(count, met) == *wanted {
                taken = Some(way.steps().collect());
            }
        });
        taken.map(|taken| (taken, next.to_vec()))
    }

    fn rules(self) -> usize {
        self.rounds.states.expander().program.system.rules.len()
    }

    fn seen(room: &mut RoundScratch) -> &mut Seen {
        &mut room.observed.seen
    }

    fn reduced(self, _is_reduced: bool) -> Self {
        self
    }
}

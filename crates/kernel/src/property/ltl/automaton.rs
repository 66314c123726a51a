//! The automaton of a formula, ready to read runs.

use std::collections::BTreeSet;

use super::AutomatonTooLarge;
use super::bind::BoundFormula;
use super::build::{DecisionGraph, build, everything, first};
use super::classes::MomentClasses;
use super::decision::{DecisionId, Decisions, LtlDecision, LtlSuccessor, StateId, Visits};
use super::expand::{DecisionVariable, VariableId};
use super::form::form;
use super::history::{History, HistoryPosition, PastValues};
use super::reduce::{Circles, reduce, successors};
use crate::id::{Id, IdVec};
use crate::property::{Marks, Moment, Observer};
use crate::system::{EventId, TermId, Terms};

/// An automaton that accepts the runs on which a formula is true, or those on which it is false.
#[derive(Clone, Debug)]
pub struct LtlAutomaton {
    classes: MomentClasses,
    states: IdVec<StateId, Vec<DecisionId>>,
    decisions: Decisions,
    variables: IdVec<VariableId, DecisionVariable>,
    history: History,
    /// The bits of the history that matter from a state on.
    needed: IdVec<StateId, u64>,
    /// The terms that the formula speaks about.
    watched: Vec<TermId>,
    is_safety: bool,
    size: AutomatonSize,
    origin: Origin,
}

/// The formula that an automaton was made of.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The formula.
    pub bound: BoundFormula,
    /// Whether the automaton accepts the runs that violate it.
    pub is_negated: bool,
}

/// What an automaton remembers of a run: a state, and what was true before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LtlState {
    at: StateId,
    history: u64,
}

/// How large an automaton is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AutomatonSize {
    /// States, with the one in which nothing was read.
    pub states: usize,
    /// Pairs of states with one after the other, each once for all letters.
    pub edges: usize,
    /// Tests and ends of decisions.
    pub decisions: usize,
    /// Marks.
    pub marks: u32,
    /// Bits of history.
    pub remembered: usize,
}

impl LtlAutomaton {
    /// Accepts the runs on which a formula is true at the start.
    pub fn of(bound: &BoundFormula) -> Result<Self, AutomatonTooLarge> {
        Self::new(bound, false)
    }

    /// Accepts the runs on which a formula is false at the start: those that violate it.
    pub fn violation(bound: &BoundFormula) -> Result<Self, AutomatonTooLarge> {
        Self::new(bound, true)
    }

    fn new(bound: &BoundFormula, is_negated: bool) -> Result<Self, AutomatonTooLarge> {
        let classes = MomentClasses::new(bound);
        let (graph, expander) = build(form(bound, &classes, is_negated)?)?;
        let graph = reduce(graph)?;
        let history = History::new(&expander.cores, &expander.variables, &graph.decisions.variables())?;
        let needed = needed(&graph, &expander.variables, &history);
        let is_safety = is_safety(&graph);
        let size = measure(&graph, &history);
        Ok(LtlAutomaton {
            classes,
            states: graph.states,
            decisions: graph.decisions,
            variables: expander.variables,
            history,
            needed,
            watched: bound.terms(),
            is_safety,
            size,
            origin: Origin { bound: bound.clone(), is_negated },
        })
    }

    /// What it was made of: the same formula makes the same automaton, with the same [codes](Self::code).
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Whether it accepts the violations of a formula that says of some states that they are never reached, and nothing else.
    pub fn is_breach(&self) -> bool {
        self.origin.is_negated && self.origin.bound.breaches().is_some()
    }

    /// If it [is](Self::is_breach) that, a predicate that holds somewhere along a run if and only if the run is accepted.
    pub fn breach(&self, terms: &mut Terms) -> Option<TermId> {
        let Origin { bound, is_negated } = &self.origin;
        if *is_negated { bound.breach(terms) } else { None }
    }

    /// How large it is.
    pub fn size(&self) -> AutomatonSize {
        self.size
    }

    /// How many bits the [code](Self::code) of what is remembered takes.
    pub fn width(&self) -> u32 {
        self.history.len() as u32 + usize::BITS - (self.states.len() - 1).leading_zeros()
    }

    /// What is remembered, as a number; to be asked where the [width](Self::width) is less than 64.
    pub fn code(&self, state: &LtlState) -> u64 {
        (state.at.index() as u64) << self.history.len() | state.history
    }

    /// What is remembered where the [code](Self::code) is this number.
    pub fn decode(&self, code: u64) -> LtlState {
        let bits = self.history.len();
        LtlState { at: StateId::from_index((code >> bits) as usize), history: code & !(u64::MAX << bits) }
    }

    /// A number for an event: those of one number are read alike.
    pub fn letter(&self, event: EventId) -> usize {
        self.classes.of(Moment::Event(event))
    }

    /// Reads a position for some guesses; those not asked for are made, since more that is true is never worse.
    fn read_guessed(
        &self,
        state: &LtlState,
        mut decision: DecisionId,
        position: &mut HistoryPosition,
        ways: &mut Vec<(LtlState, Marks)>,
    ) {
        while let LtlDecision::Test(variable, no, yes) = self.decisions.node(decision) {
            let DecisionVariable::Guess(guess) = self.variables[*variable] else { break };
            let guesses = position.guesses;
            position.guesses = guesses & !guess.bit();
            self.read_guessed(state, *no, position, ways);
            position.guesses = guesses;
            decision = *yes;
        }
        self.read_decided(state, decision, position, ways);
    }

    fn read_decided(
        &self,
        state: &LtlState,
        mut decision: DecisionId,
        position: &mut HistoryPosition,
        ways: &mut Vec<(LtlState, Marks)>,
    ) {
        let values: Option<PastValues> =
            (self.needed[state.at] != 0).then(|| self.history.values(state.history, position));
        let found = loop {
            match self.decisions.node(decision) {
                LtlDecision::Ways(ways) => break ways,
                LtlDecision::Test(variable, no, yes) => {
                    let value = match self.variables[*variable] {
                        DecisionVariable::Term(term) => (position.holds)(term),
                        DecisionVariable::Past(_) => {
                            values.as_ref().is_some_and(|values| self.history.value(*variable, values))
                        }
                        DecisionVariable::Guess(guess) => position.guesses & guess.bit() != 0,
                    };
                    decision = if value { *yes } else { *no };
                }
            }
        };
        let history = values.map_or(0, |values| self.history.after(&values));
        ways.extend(found.iter().map(|(at, marks)| (self.state(*at, history), *marks)));
    }

    /// A state that remembers only what matters.
    fn state(&self, at: StateId, history: u64) -> LtlState {
        LtlState { at, history: history & self.needed[at] }
    }
}

impl Observer for LtlAutomaton {
    type State = LtlState;

    fn marks(&self) -> u32 {
        self.size.marks
    }

    fn first(&self) -> LtlState {
        self.state(first(), 0)
    }

    fn read(
        &self,
        state: &LtlState,
        moment: Moment,
        holds: &mut dyn FnMut(TermId) -> bool,
        ways: &mut Vec<(LtlState, Marks)>,
    ) {
        let class = self.classes.of(moment);
        let mut position = HistoryPosition { class, guesses: u64::MAX, holds };
        self.read_guessed(state, self.states[state.at][class], &mut position, ways);
    }

    fn watched(&self) -> &[TermId] {
        &self.watched
    }

    fn accepts_all(&self, state: &LtlState) -> bool {
        state.at == everything()
    }

    fn is_safety(&self) -> bool {
        self.is_safety
    }
}

/// The bits of history on which each state depends, itself or through those that follow.
fn needed(
    graph: &DecisionGraph,
    variables: &IdVec<VariableId, DecisionVariable>,
    history: &History,
) -> IdVec<StateId, u64> {
    if history.len() == 0 {
        return graph.states.iter().map(|_| 0).collect();
    }
    let mut visits = Visits::default();
    let own = |roots: &Vec<DecisionId>| {
        let reached = graph.decisions.reached(roots, &mut visits).into_iter();
        reached.fold(0, |mask, decision| match graph.decisions.node(decision) {
            LtlDecision::Ways(_) => mask,
            LtlDecision::Test(variable, ..) => match variables[*variable] {
                DecisionVariable::Past(_) => mask | history.mask(*variable),
                DecisionVariable::Guess(_) | DecisionVariable::Term(_) => mask,
            },
        })
    };
    let mut needed: IdVec<StateId, u64> = graph.states.iter().map(own).collect();
    let successors = successors(graph);
    let mut is_open = true;
    while is_open {
        is_open = false;
        for (state, ways) in successors.enumerate() {
            let mask = ways.iter().fold(needed[state], |mask, (to, _)| mask | needed[*to]);
            is_open |= std::mem::replace(&mut needed[state], mask) != mask;
        }
    }
    needed
}

/// Whether no cycle is accepting except in the universal state.
fn is_safety(graph: &DecisionGraph) -> bool {
    let circles = Circles::new(graph, &successors(graph));
    graph.states.ids().all(|state| state == everything() || !circles.is_accepting(state))
}

fn measure(graph: &DecisionGraph, history: &History) -> AutomatonSize {
    let successors = successors(graph);
    let is_all_reached = successors
        .enumerate()
        .any(|(from, ways)| from != everything() && ways.iter().any(|(to, _)| *to == everything()));
    let targets =
        |ways: &Vec<LtlSuccessor>| ways.iter().map(|(to, _)| *to).collect::<BTreeSet<StateId>>().len();
    let spare = usize::from(!is_all_reached);
    AutomatonSize {
        states: graph.states.len() - spare,
        edges: successors.iter().map(targets).sum::<usize>() - spare,
        decisions: graph.decisions.len(),
        marks: graph.marks,
        remembered: history.len(),
    }
}

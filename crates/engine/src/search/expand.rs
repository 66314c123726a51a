//! Expansion: where the steps of a state lead, as far as the search must know.
//!
//! - If an urgent step is possible, it and its rivals are the only ones: nothing is lost by taking one of them first.
//! - If a question allows it, only a [stubborn](super::stubborn) part of the steps is taken.
//! - After a step, urgent steps without rival are followed to their end; the states in between are never kept.
//! - States whose choices contradict each other are dropped: their runs do not count.

use sequent_kernel::system::{RuleId, Step, TermId};

use super::budget::OmissionTally;
use super::stubborn::{Closure, Stubborn};
use crate::packed::{EnabledRules, Joint, Program, TermMemory, support};

/// More urgent steps in a row than this may be a cycle: the state is kept.
const LONGEST_CHAIN: usize = 1_000;

/// What does not change while a search goes on.
#[derive(Clone, Copy)]
pub(crate) struct Expander<'a> {
    /// What is run.
    pub program: &'a Program<'a>,
    /// Which steps may be left out; `None` for none.
    pub(crate) stubborn: Option<&'a Stubborn>,
    /// States in which this holds are kept whatever may follow at once.
    pub goal: Option<TermId>,
}

/// What one thread needs while it expands states.
#[derive(Default)]
pub(crate) struct ExpansionScratch {
    memory: TermMemory,
    enabled: Vec<RuleId>,
    last: EnabledRules,
    steps: Joint,
    urgent: Joint,
    closure: Closure,
    /// The urgent rules whose guards hold in the state that is expanded.
    waiting: Vec<RuleId>,
    /// A state that is reached, the one before, and the rules that fired between the two.
    state: Vec<u64>,
    before: Vec<u64>,
    fired: Vec<RuleId>,
    chain: UrgentChain,
    watched: WatchedBits,
    /// Whether a state was looked at that the system calls strained.
    pub is_strained: bool,
    /// What was left out.
    pub tally: OmissionTally,
}

/// What holds in a state.
#[derive(Clone, Copy)]
struct StateTruth {
    is_goal: bool,
    /// Whether it does not count.
    is_void: bool,
}

/// The bits that decide whether the goal holds, and whether a state is strained or counts, by word.
#[derive(Default)]
struct WatchedBits {
    /// For which goal they are known.
    goal: Option<Option<TermId>>,
    masks: Vec<(usize, u64)>,
}

impl WatchedBits {
    fn learn(&mut self, program: &Program<'_>, goal: Option<TermId>) {
        if self.goal == Some(goal) {
            return;
        }
        let mut masks = vec![0; program.words()];
        for term in goal.into_iter().chain([program.system.strained, program.system.void]) {
            for variable in support(&program.system.terms, term) {
                let field = program.layout.field(variable);
                masks[field.word as usize] |= field.mask;
            }
        }
        self.masks = masks.into_iter().enumerate().filter(|(_, mask)| *mask != 0).collect();
        self.goal = Some(goal);
    }

    /// Whether two states differ there.
    fn differ(&self, one: &[u64], other: &[u64]) -> bool {
        self.masks.iter().any(|(word, mask)| (one[*word] ^ other[*word]) & mask != 0)
    }
}

/// The urgent steps that follow a step at once.
#[derive(Default)]
struct UrgentChain {
    rules: Vec<RuleId>,
    ends: Vec<usize>,
}

impl UrgentChain {
    fn clear(&mut self) {
        self.rules.clear();
        self.ends.clear();
    }

    fn push(&mut self, rules: &[RuleId]) {
        self.rules.extend_from_slice(rules);
        self.ends.push(self.rules.len());
    }

    fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| Step(self.rules[start..*end].to_vec()))
    }
}

/// The steps from one kept state to the next.
#[derive(Clone, Copy)]
pub(crate) struct StepPath<'a> {
    /// The rules of the first step; the others are urgent and show nothing.
    pub first: &'a [RuleId],
    rest: &'a UrgentChain,
}

impl StepPath<'_> {
    /// All rules that fire.
    pub(crate) fn rules(&self) -> impl Iterator<Item = RuleId> + '_ {
        self.first.iter().chain(&self.rest.rules).copied()
    }

    /// The steps of this way, in order.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        [Step(self.first.to_vec())].into_iter().chain(self.rest.steps())
    }
}

/// What an expansion found besides successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ExpansionResult {
    /// Whether the goal holds.
    pub is_goal: bool,
    /// Whether some step is possible.
    pub(crate) has_step: bool,
    /// Whether it is an urgent one.
    pub is_urgent: bool,
}

impl Expander<'_> {
    /// Calls `visit` with each successor and the way there.
    #[inline]
    pub(crate) fn expand(
        &self,
        state: &[u64],
        room: &mut ExpansionScratch,
        mut visit: impl FnMut(&[u64], StepPath<'_>),
    ) -> ExpansionResult {
        let is_goal = self.look(state, room);
        let is_void = self.program.holds(self.program.system.void, state, &mut room.memory);
        let here = StateTruth { is_goal, is_void };
        room.steps.clear();
        self.steps(state, room);
        room.chain.clear();
        let is_settled = self.is_settled();
        for step in 0..room.steps.len() {
            if is_settled {
                visit(room.steps.state(step), StepPath { first: room.steps.rules(step), rest: &room.chain });
                continue;
            }
            room.chain.clear();
            room.before.clear();
            room.before.extend_from_slice(state);
            room.state.clear();
            room.state.extend_from_slice(room.steps.state(step));
            room.fired.clear();
            room.fired.extend_from_slice(room.steps.rules(step));
            room.enabled.clone_from(&room.waiting);
            if self.settle(Some(here), room) {
                visit(&room.state, StepPath { first: room.steps.rules(step), rest: &room.chain });
            }
        }
        let has_step = !room.steps.is_empty();
        let is_urgent = has_step && self.program.system.rules[room.steps.rules(0)[0]].urgent;
        ExpansionResult { is_goal, has_step, is_urgent }
    }

    /// The first kept state of all runs, with the steps that lead there; `None` if it does not count.
    pub(crate) fn first(&self, room: &mut ExpansionScratch) -> Option<(Vec<u64>, Vec<Step>)> {
        room.state = self.program.initial();
        room.chain.clear();
        self.settle(None, room).then(|| (room.state.clone(), room.chain.steps().collect()))
    }

    /// Whether a predicate holds in a state.
    pub(crate) fn holds(&self, term: TermId, state: &[u64], room: &mut ExpansionScratch) -> bool {
        self.program.look_at(state, &mut room.memory);
        self.program.holds(term, state, &mut room.memory)
    }

    /// Turns to a state; whether the goal holds there.
    fn look(&self, state: &[u64], room: &mut ExpansionScratch) -> bool {
        self.program.look_at(state, &mut room.memory);
        if !room.is_strained {
            room.is_strained = self.program.holds(self.program.system.strained, state, &mut room.memory);
        }
        self.goal.is_some_and(|goal| self.program.holds(goal, state, &mut room.memory))
    }

    /// The steps to be taken in the state that the memory looks at.
    fn steps(&self, state: &[u64], room: &mut ExpansionScratch) {
        let ExpansionScratch { memory, enabled, last, steps, closure, tally, waiting, .. } = room;
        waiting.clear();
        if !self.program.urgent().is_empty() {
            self.program.urgently_enabled(state, memory, waiting);
            self.urgent_steps(state, memory, waiting, steps);
            if !steps.is_empty() {
                return;
            }
        }
        self.program.enabled(state, memory, last, enabled);
        if let Some(stubborn) = self.stubborn {
            *tally += stubborn.reduce(self.program, state, memory, enabled, closure, steps);
        } else {
            for rule in &*enabled {
                self.program.steps_of(*rule, state, memory, steps);
            }
        }
    }

    /// The urgent steps of the first component that has one, of the rules whose guards hold.
    fn urgent_steps(&self, state: &[u64], memory: &mut TermMemory, enabled: &[RuleId], steps: &mut Joint) {
        let rules = &self.program.system.rules;
        let mut chosen = None;
        for rule in enabled {
            let component = rules[*rule].component;
            if chosen.is_none_or(|chosen| chosen == component) {
                self.program.steps_of(*rule, state, memory, steps);
                if !steps.is_empty() {
                    chosen = Some(component);
                }
            }
        }
    }

    /// Whether every state counts and waits for nothing urgent.
    fn is_settled(&self) -> bool {
        self.program.urgent().is_empty() && self.program.constant(self.program.system.void) == Some(0)
    }

    /// Follows urgent steps without rival; `false` if the state does not count. The first state of all is looked at as a whole. Of
    /// any other it is known what holds in the state before, and which urgent rules were enabled there: then only what the step
    /// changed is looked at.
    fn settle(&self, mut before: Option<StateTruth>, room: &mut ExpansionScratch) -> bool {
        room.watched.learn(self.program, self.goal);
        for _ in 0..LONGEST_CHAIN {
            let state = std::mem::take(&mut room.state);
            let here = self.arrive(before, &state, room);
            room.urgent.clear();
            if !here.is_void {
                self.urgent_steps(&state, &mut room.memory, &room.enabled, &mut room.urgent);
            }
            room.state = state;
            if here.is_void || here.is_goal || room.urgent.len() != 1 {
                return !here.is_void;
            }
            room.chain.push(room.urgent.rules(0));
            room.fired.clear();
            room.fired.extend_from_slice(room.urgent.rules(0));
            std::mem::swap(&mut room.before, &mut room.state);
            room.state.clear();
            room.state.extend_from_slice(room.urgent.state(0));
            before = Some(here);
        }
        true
    }

    /// Turns to a state that was reached, and says what holds there. Afterwards it is known which urgent rules are enabled there.
    fn arrive(&self, before: Option<StateTruth>, state: &[u64], room: &mut ExpansionScratch) -> StateTruth {
        let program = self.program;
        let here = match before.filter(|_| !room.watched.differ(&room.before, state)) {
            Some(same) => {
                program.look_at(state, &mut room.memory);
                same
            }
            None => {
                let is_goal = self.look(state, room);
                StateTruth { is_goal, is_void: program.holds(program.system.void, state, &mut room.memory) }
            }
        };
        let ExpansionScratch { memory, enabled, fired, .. } = room;
        match before {
            Some(_) => program.urgently_enabled_after(fired, state, memory, enabled),
            None => program.urgently_enabled(state, memory, enabled),
        }
        here
    }
}

//! Stubborn sets: steps that may be left out without losing any end of a run.
//!
//! Steps that do not touch each other lead to the same state in any order, and who asks only how runs end needs one order.
//! In each state a set of actions is chosen that stands by itself: it holds an enabled action; with every enabled action
//! all those that are not in [accord](super::accord) with it; with every disabled action some that must fire before it
//! can. Then whatever the others do first, they can do later as well, and a run to an end has a step of the set that may
//! be taken first. Hence every end is still reached, by the same steps in another order. Nothing needs to be done about
//! circles: a run that ends leaves each circle, by a step that its set holds (A. Valmari, "Stubborn sets for reduced state
//! space generation", 1989; the set above is his strong one, the theorem is about terminal states).
//!
//! Who also asks in which order some *visible* events happen needs one order of the others only: a set that holds an enabled
//! visible action then holds all visible actions. The first step of a run that its set holds, if it is visible, is the first
//! visible one; so to take it first changes nothing that is seen.
//!
//! What must fire before a disabled action can is read off its guard: one false conjunct is chosen, and the
//! set gets all actions that can make it true. Actions come in the order of the diagram and the first small
//! set is taken, so that earlier fragments are finished before later ones begin, and choices that lead to the
//! same end meet again soon.

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{EventId, Join, Rule, RuleId, TermId, TermNode, VariableId};

use super::accord::{Accord, literal};
use super::budget::OmissionTally;
use crate::packed::{Joint, Program, TermMemory, support};

/// At most this many enabled actions are tried as the seed of a set.
const SEEDS: usize = 16;

/// What is known beforehand about a system's actions.
#[derive(Clone, Debug)]
pub(crate) struct Stubborn {
    accord: Accord,
    terms: usize,
    /// The actions whose order is seen.
    visible: Vec<RuleId>,
    is_visible: IdVec<RuleId, bool>,
}

/// Buffers for a set under construction.
#[derive(Default)]
pub(crate) struct Closure {
    /// The number of the set; marks with another number are of earlier ones.
    now: u32,
    members: Vec<u32>,
    /// Terms already looked after: to become true, to become false.
    terms: [Vec<u32>; 2],
    open: Vec<RuleId>,
    wanted: Vec<(TermId, bool)>,
    /// The state's number, and by it the actions that can fire.
    turn: u32,
    active: Vec<u32>,
    actions: Vec<RuleId>,
    /// The enabled members of the set, and of the best one so far.
    chosen: Vec<RuleId>,
    best: Vec<RuleId>,
}

impl Closure {
    fn fit(&mut self, rules: usize, terms: usize) {
        if self.members.len() != rules || self.now > u32::MAX - 64 || self.turn == u32::MAX {
            self.members = vec![0; rules];
            self.active = vec![0; rules];
            self.terms = [vec![0; terms], vec![0; terms]];
            (self.now, self.turn) = (0, 0);
        }
    }

    fn has(&self, action: RuleId) -> bool {
        self.members[action.index()] == self.now
    }

    fn add(&mut self, action: RuleId) {
        if !self.has(action) {
            self.members[action.index()] = self.now;
            self.open.push(action);
        }
    }

    fn want(&mut self, term: TermId, value: bool) {
        let mark = &mut self.terms[usize::from(value)][term.index()];
        if *mark != self.now {
            *mark = self.now;
            self.wanted.push((term, value));
        }
    }
}

impl Stubborn {
    /// Looks at all pairs of actions once.
    pub(crate) fn new(program: &Program<'_>) -> Self {
        Self::seeing(program, |_| false)
    }

    /// The same, preserving the order of these events. Actions that join others may show any.
    pub(crate) fn seeing(program: &Program<'_>, is_seen: impl Fn(EventId) -> bool) -> Self {
        let rules = &program.system.rules;
        let sees_any = program.system.events.ids().any(&is_seen);
        let is_visible = |rule: &Rule| match rule.join {
            Join::Offer(_) => sees_any,
            Join::Alone | Join::Take(_) | Join::Listen(_) => rule.event.is_some_and(&is_seen),
        };
        let is_visible: IdVec<RuleId, bool> = rules.iter().map(is_visible).collect();
        Stubborn {
            accord: Accord::new(program),
            terms: program.system.terms.ids().count(),
            visible: program.actors().iter().copied().filter(|rule| is_visible[*rule]).collect(),
            is_visible,
        }
    }

    /// The steps of a stubborn set of the state that the memory looks at; `enabled` are the rules whose guard holds. Tells how
    /// many actions were left out of how many.
    pub(crate) fn reduce(
        &self,
        program: &Program<'_>,
        state: &[u64],
        memory: &mut TermMemory,
        enabled: &[RuleId],
        closure: &mut Closure,
        steps: &mut Joint,
    ) -> OmissionTally {
        closure.fit(program.system.rules.len(), self.terms);
        let is_done = self.activate(program, state, memory, enabled, closure, steps);
        let best = self.smallest(program, state, memory, closure);
        let tally = OmissionTally::of(best.len(), closure.actions.len());
        if !is_done || tally.left_out > 0 {
            steps.clear();
            for action in &best {
                program.steps_of(*action, state, memory, steps);
            }
        }
        closure.best = best;
        tally
    }

    /// Finds out which enabled rules have a step at all; whether all their steps are there already.
    fn activate(
        &self,
        program: &Program<'_>,
        state: &[u64],
        memory: &mut TermMemory,
        enabled: &[RuleId],
        closure: &mut Closure,
        steps: &mut Joint,
    ) -> bool {
        closure.turn += 1;
        closure.actions.clear();
        let mut is_done = true;
        for action in enabled {
            let before = steps.len();
            let is_plain = program.is_plain(*action);
            if is_plain {
                is_done = false;
            } else {
                program.steps_of(*action, state, memory, steps);
            }
            if is_plain || steps.len() > before {
                closure.active[action.index()] = closure.turn;
                closure.actions.push(*action);
            }
        }
        is_done
    }

    /// The enabled actions of the smallest of some sets, in order.
    fn smallest(
        &self,
        program: &Program<'_>,
        state: &[u64],
        memory: &mut TermMemory,
        closure: &mut Closure,
    ) -> Vec<RuleId> {
        let mut best = std::mem::take(&mut closure.best);
        best.clear();
        best.extend_from_slice(&closure.actions);
        for seed in 0..closure.actions.len().min(SEEDS) {
            if best.len() <= 1 {
                break;
            }
            let seed = closure.actions[seed];
            if self.close(program, state, memory, seed, best.len(), closure) {
                std::mem::swap(&mut best, &mut closure.chosen);
            }
        }
        best.sort_unstable();
        best
    }

    /// The least set around an enabled action; `false` if it has as many enabled actions as `limit` or more.
    fn close(
        &self,
        program: &Program<'_>,
        state: &[u64],
        memory: &mut TermMemory,
        seed: RuleId,
        limit: usize,
        closure: &mut Closure,
    ) -> bool {
        closure.now += 1;
        closure.open.clear();
        closure.chosen.clear();
        closure.add(seed);
        while let Some(action) = closure.open.pop() {
            let is_active = closure.active[action.index()] == closure.turn;
            if is_active {
                closure.chosen.push(action);
                if closure.chosen.len() >= limit {
                    return false;
                }
                self.accord.rivals(action).iter().for_each(|rival| closure.add(*rival));
                if self.is_visible[action] {
                    self.visible.iter().for_each(|other| closure.add(*other));
                }
            }
            if !self.accord.is_plain(action) {
                self.accord.enablers(action).iter().for_each(|enabler| closure.add(*enabler));
            } else if !is_active {
                closure.want(program.system.rules[action].guard, true);
                self.look_after(program, state, memory, closure);
            }
        }
        true
    }

    /// Adds actions without which the wanted terms stay as they are.
    fn look_after(
        &self,
        program: &Program<'_>,
        state: &[u64],
        memory: &mut TermMemory,
        closure: &mut Closure,
    ) {
        while let Some((term, value)) = closure.wanted.pop() {
            if let Some(literal) = literal(&program.system.terms, term, value) {
                self.accord.makers(literal).for_each(|maker| closure.add(maker));
                continue;
            }
            match program.system.terms.node(term) {
                TermNode::Constant(_) => {}
                TermNode::Not(part) => closure.want(*part, !value),
                // One part is in the way, and must change.
                TermNode::And(parts) if value => self.want_one(program, state, memory, parts, value, closure),
                TermNode::Or(parts) if !value => self.want_one(program, state, memory, parts, value, closure),
                // One part must change, whichever.
                TermNode::And(parts) | TermNode::Or(parts) => {
                    parts.iter().for_each(|part| closure.want(*part, value));
                }
                TermNode::Variable(_)
                | TermNode::Equal(..)
                | TermNode::Less(..)
                | TermNode::Number(..)
                | TermNode::If(..) => {
                    for variable in support(&program.system.terms, term) {
                        self.all_writers(variable, closure);
                    }
                }
            }
        }
    }

    fn all_writers(&self, variable: VariableId, closure: &mut Closure) {
        self.accord.writers(variable).for_each(|writer| closure.add(writer));
    }

    /// Wants one of the parts that do not have this value: the one that adds the fewest actions, as far as one can see.
    fn want_one(
        &self,
        program: &Program<'_>,
        state: &[u64],
        memory: &mut TermMemory,
        parts: &[TermId],
        value: bool,
        closure: &mut Closure,
    ) {
        let mut best: Option<(usize, TermId)> = None;
        for part in parts {
            if program.holds(*part, state, memory) == value {
                continue;
            }
            let cost = self.cost(program, *part, value, closure);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, *part));
            }
            if cost == 0 {
                break;
            }
        }
        if let Some((_, part)) = best {
            closure.want(part, value);
        }
    }

    /// How many actions a term adds at once; more for one that is no literal.
    fn cost(&self, program: &Program<'_>, term: TermId, value: bool, closure: &Closure) -> usize {
        if closure.terms[usize::from(value)][term.index()] == closure.now {
            return 0;
        }
        match literal(&program.system.terms, term, value) {
            Some(literal) => self.accord.makers(literal).filter(|maker| !closure.has(*maker)).count(),
            None => 1_000,
        }
    }
}

//! All ways of a lifeline through an interaction, held against the states its machine may be in.
//!
//! One set of states stands for all ways so far that the machine can follow; choices unite, loops go on until nothing new comes. A way on which
//! the machine cannot receive a message ends there; only if no way is left is the lifeline inconsistent (D14). Where the order of what is
//! received is open (`par`, a coregion) [all orders](receipts) are tried if they are few; otherwise, and where the content is not known, the machine
//! may be anywhere afterwards.

mod receipts;

use std::collections::BTreeSet;

use self::receipts::{ReceiptAutomaton, ReceiptBuilder};
use super::{ActiveStates, Paths};
use crate::diagnostic::slip_of;
use crate::model::{
    Block, Combination, Combined, Expression, Fragment, Guard, InteractionId, LifelineId, Loop, Message,
    MessageId, MessageSet, MessageSort, Model, Operand, Use,
};

/// No lifeline is followed for more steps than this; then nothing is said about it.
const MOST_STEPS: usize = 5_000;

/// Nor through longer chains of interactions that use each other.
const MOST_OPEN: usize = 20;

/// A message that cannot be received.
pub struct Death {
    /// The interaction in which it stands.
    pub interaction: InteractionId,
    /// The message.
    pub message: MessageId,
    /// Where the machine may be before it.
    pub states: ActiveStates,
}

/// A lifeline on its way.
pub struct LifelineWalk<'a> {
    /// What was read.
    pub model: &'a Model,
    /// The machine of the lifeline.
    pub paths: &'a Paths<'a>,
    /// Messages that may come without being drawn.
    pub silent: BTreeSet<&'a str>,
    /// Whether messages that the machine does not know count, even if they are no misspelling of those that it knows.
    pub is_strict: bool,
    /// Messages that count as nothing to the machine, if it does not know them.
    pub foreign: BTreeSet<&'a str>,
    /// The interactions that are open, and the lifeline in each.
    pub open: Vec<(InteractionId, LifelineId)>,
    /// Where the lifeline could not go on.
    pub death: Option<Death>,
    /// How many steps were taken.
    pub steps: usize,
    /// Whether something was passed whose content, or the order of it, is not known: the machine may be anywhere afterwards.
    pub is_vague: bool,
}

impl<'a> LifelineWalk<'a> {
    /// A lifeline at the beginning of an interaction, where everything is drawn and every message counts (D14).
    pub fn strict(model: &'a Model, paths: &'a Paths<'a>, at: (InteractionId, LifelineId)) -> Self {
        let silent = BTreeSet::new();
        LifelineWalk {
            model,
            paths,
            silent,
            is_strict: true,
            foreign: BTreeSet::new(),
            open: vec![at],
            death: None,
            steps: 0,
            is_vague: false,
        }
    }

    /// Where the machine may be after some fragments of its interaction; nowhere if it cannot follow.
    pub fn through(&mut self, fragments: &'a [Fragment], states: ActiveStates) -> ActiveStates {
        self.fragments(fragments, states)
    }

    /// Whether the bound on steps was met, so that where the machine may be says nothing.
    pub fn is_spent(&self) -> bool {
        self.steps >= MOST_STEPS
    }

    /// Follows the lifeline; a death is left where no way goes on to the end.
    pub fn run(&mut self) {
        let start = self.settle(self.paths.anywhere());
        let (id, _) = self.open[0];
        let end = self.block(&self.model.interactions[id].body, start);
        if !end.is_empty() || self.steps >= MOST_STEPS {
            self.death = None;
        }
    }

    pub(super) fn settle(&self, states: ActiveStates) -> ActiveStates {
        self.paths.settle(states, &self.silent)
    }

    /// After what is not known.
    fn anywhere(&mut self) -> ActiveStates {
        self.is_vague = true;
        self.paths.anywhere()
    }

    fn block(&mut self, block: &'a Block, states: ActiveStates) -> ActiveStates {
        self.fragments(&block.0, states)
    }

    fn fragments(&mut self, fragments: &'a [Fragment], mut states: ActiveStates) -> ActiveStates {
        let mut ended = ActiveStates::new();
        for fragment in fragments {
            if states.is_empty() {
                break;
            }
            states = match fragment {
                Fragment::Message(id) => self.message(*id, states),
                Fragment::Use(used) => self.used(used, states),
                Fragment::Combined(combined) if combined.operator.combination() == Combination::Break => {
                    ended.extend(self.sequence(combined, states.clone()));
                    self.death = None;
                    states
                }
                Fragment::Combined(combined) => self.combined(combined, states),
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => states,
            };
        }
        states.extend(ended);
        states
    }

    fn current(&self) -> (InteractionId, LifelineId) {
        *self.open.last().expect("the walk is in an interaction")
    }

    pub(super) fn message(&mut self, id: MessageId, states: ActiveStates) -> ActiveStates {
        let (interaction, lifeline) = self.current();
        let message = &self.model.interactions[interaction].messages[id];
        if message.to.lifeline() != Some(lifeline) || self.is_no_trigger(message) {
            return states;
        }
        self.steps += 1;
        if self.steps >= MOST_STEPS {
            return self.anywhere();
        }
        let mut after = self.settle(self.paths.take(&states, &message.name));
        if self.may_be_passed(message) {
            after.extend(&states);
        }
        if after.is_empty() {
            self.death = Some(Death { interaction, message: id, states });
        }
        after
    }

    /// Whether the machine need not take a message: what an object tells itself need not be an event, and what it defers it may take
    /// later.
    pub(super) fn may_be_passed(&self, message: &Message) -> bool {
        message.from == message.to || self.silent.contains(message.name.as_str())
    }

    /// Whether a message that arrives is nothing to the machine.
    pub(super) fn is_no_trigger(&self, message: &Message) -> bool {
        match message.sort {
            MessageSort::Create | MessageSort::Delete => true,
            MessageSort::Reply => !self.paths.knows(&message.name),
            MessageSort::Call | MessageSort::Signal => {
                let is_own = message.from == message.to;
                let is_foreign = self.foreign.contains(message.name.as_str());
                let is_meant = || slip_of(&message.name, self.paths.names()).is_some();
                !self.paths.knows(&message.name) && (is_own || is_foreign || !self.is_strict && !is_meant())
            }
        }
    }

    /// The content of another interaction; what is not known may be anything.
    fn used(&mut self, used: &Use, states: ActiveStates) -> ActiveStates {
        let (interaction, lifeline) = self.current();
        self.steps += 1;
        let is_bounded = self.steps < MOST_STEPS && self.open.len() < MOST_OPEN;
        let is_open = |target: &InteractionId| self.open.iter().any(|(open, _)| open == target);
        let Some(target) = used.target.filter(|target| is_bounded && !is_open(target)) else {
            return self.anywhere();
        };
        let name = &self.model.interactions[interaction].lifelines[lifeline].name;
        let inner = &self.model.interactions[target];
        let Some(lifeline) = inner.lifelines.find(|one| one.name == *name) else { return states };
        self.open.push((target, lifeline));
        let after = self.block(&inner.body, states);
        self.open.pop();
        after
    }

    fn combined(&mut self, combined: &'a Combined, states: ActiveStates) -> ActiveStates {
        match combined.operator.combination() {
            Combination::Sequence | Combination::StrictSequence | Combination::Break => {
                self.sequence(combined, states)
            }
            Combination::Unordered(lifeline) if lifeline != self.current().1 => {
                self.sequence(combined, states)
            }
            Combination::Parallel | Combination::Unordered(_) => self.unordered(combined, states),
            Combination::Choice { .. } => self.choice(combined, states),
            Combination::Negation => {
                let mut after = self.sequence(combined, states.clone());
                self.death = None;
                after.extend(states);
                after
            }
            Combination::Complement => self.anywhere(),
            Combination::Repetition(bounds) => self.repeat(combined, bounds, states),
        }
    }

    fn sequence(&mut self, combined: &'a Combined, mut states: ActiveStates) -> ActiveStates {
        for operand in &combined.operands {
            states = self.block(&operand.block, states);
        }
        states
    }

    fn choice(&mut self, combined: &'a Combined, states: ActiveStates) -> ActiveStates {
        let mut after = if may_be_skipped(combined) { states.clone() } else { ActiveStates::new() };
        let mut first_death = None;
        for operand in &combined.operands {
            after.extend(self.block(&operand.block, states.clone()));
            first_death = first_death.or(self.death.take());
        }
        self.death = first_death.filter(|_| after.is_empty());
        after
    }

    fn repeat(&mut self, combined: &'a Combined, bounds: Loop, states: ActiveStates) -> ActiveStates {
        let breaks = combined.operands.iter().flat_map(|operand| &operand.block.0);
        let may_end = breaks.into_iter().any(|fragment| match fragment {
            Fragment::Combined(inner) => inner.operator.combination() == Combination::Break,
            _ => false,
        });
        let least = bounds.min.map_or(usize::MAX, |min| min as usize);
        let most = bounds.max.map_or(usize::MAX, |max| max as usize);
        let mut after = if least == 0 { states.clone() } else { ActiveStates::new() };
        let (mut now, mut seen) = (states, BTreeSet::new());
        for round in 1..=most {
            let before = now.clone();
            now = self.sequence(combined, now);
            if now.is_empty() || self.steps >= MOST_STEPS {
                break;
            }
            if round >= least || may_end {
                after.extend(&now);
            }
            // Once the sets repeat nothing new comes, neither an end nor a death.
            let is_settled = before == now;
            if is_settled || !seen.insert(now.clone()) {
                let circle = seen.iter().filter(|_| !is_settled).flatten();
                after.extend(circle.chain(&now));
                return if bounds.min.is_none() { self.paths.anywhere() } else { after };
            }
        }
        if !after.is_empty() {
            self.death = None;
        }
        after
    }

    /// What operands, or the messages of a coregion, receive in any order.
    fn unordered(&mut self, combined: &'a Combined, states: ActiveStates) -> ActiveStates {
        let builder = ReceiptBuilder::at(self);
        let is_coregion = matches!(combined.operator.combination(), Combination::Unordered(_));
        let is_touched =
            |operand: &&Operand| builder.part(&operand.block).is_none_or(|part| !part.is_empty());
        if !is_coregion && combined.operands.iter().filter(is_touched).count() <= 1 {
            return self.sequence(combined, states);
        }
        let parts = builder.parts(combined);
        match parts.and_then(|parts| ReceiptAutomaton::product(&parts)) {
            Some(automaton) => self.follow(&automaton, states),
            None => self.anywhere(),
        }
    }
}

/// Messages that may come to a machine without being drawn in an interaction: those that `ignore` and `consider` leave out, and those
/// that a state defers.
pub fn passed<'a>(model: &'a Model, id: InteractionId, paths: &Paths<'a>) -> BTreeSet<&'a str> {
    let mut passed: BTreeSet<&str> = paths.deferred().collect();
    for id in model.family(id) {
        model.interactions[id].walk(&mut |fragment, _| {
            let Fragment::Combined(combined) = fragment else { return };
            match combined.operator.types() {
                Some(MessageSet::Ignored(types)) => passed.extend(types.iter().map(|one| one.name.as_str())),
                Some(MessageSet::Considered(types)) => {
                    let is_considered =
                        |name: &str| types.iter().any(|one| one.ends.is_none() && one.name == name);
                    passed.extend(paths.names().filter(|name| !is_considered(name)));
                }
                None => {}
            }
        });
    }
    passed
}

/// Whether none of the operands may be chosen: guards that compare values may all be false (rule I3), texts exclude each other and
/// one is true (rule I11).
fn may_be_skipped(combined: &Combined) -> bool {
    let is_text = |guard: &Guard| match guard {
        Guard::Absent | Guard::Else => true,
        Guard::Condition(condition) => match &condition.expression {
            None | Some(Expression::Name(_)) => true,
            Some(_) => false,
        },
    };
    let guards = || combined.operands.iter().map(|operand| &operand.guard);
    let is_optional = combined.operator.combination() == Combination::Choice { is_optional: true };
    let is_open = is_optional || combined.operands.len() == 1;
    let has_rest = guards().any(|guard| matches!(guard, Guard::Absent | Guard::Else));
    is_open || !(has_rest || guards().all(is_text))
}

//! Replies without call and calls without reply: W203, H204 (rule I10).
//!
//! Calls wait on a stack; a reply answers the latest one between its two lifelines, in its own block or around it. Each
//! alternative starts with the calls that were open before the fragment; a call answered in any of them is answered.
//! Asynchronous messages and creations need no answer, but may have one.
//!
//! Authors often draw dashed arrows for messages that are no replies: notifications, events, a second part of
//! an answer. So a dashed arrow is a finding only where it looks like a misdrawn reply, in a diagram whose
//! dashed arrows nearly all are replies: it goes from a caller to its callee, or to a caller that waits for
//! the reply of another lifeline. An open arrow head means that the sender does not wait, a `ref` may contain
//! the call, and a lifeline that has received a message may be answered at any time.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic};
use crate::model::{
    Block, Combination, Combined, Fragment, Interaction, LifelineId, MessageId, MessageSort, TipShape,
};

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let mut matcher = CallMatcher::new(interaction);
    matcher.block(&interaction.body);
    matcher.idle_replies();
    matcher.unanswered();
    findings.append(&mut matcher.findings);
}

/// The messages that a dashed arrow answers, in some way of running the diagram.
pub(super) fn answered(interaction: &Interaction) -> BTreeSet<MessageId> {
    let mut matcher = CallMatcher::new(interaction);
    matcher.block(&interaction.body);
    matcher.answered
}

/// A reply that answers nothing.
struct IdleReply {
    reply: MessageId,
    slip: Option<ArrowSlip>,
}

/// How a dashed arrow may have gone wrong.
enum ArrowSlip {
    /// Its sender waits for its receiver.
    Reversed,
    /// Its receiver waits for another.
    Misdirected(LifelineId),
}

/// Caller and callee.
type CallPair = (LifelineId, LifelineId);

enum CallChange {
    Opened(CallPair),
    Answered(CallPair, MessageId),
}

struct CallMatcher<'a> {
    interaction: &'a Interaction,
    /// Calls without reply so far, latest last.
    open: BTreeMap<CallPair, Vec<MessageId>>,
    journal: Vec<CallChange>,
    /// The pairs of lifelines between which a message was sent, dashed or not.
    told: BTreeSet<CallPair>,
    /// Lifelines of references above: what was sent there is not known.
    used: Vec<&'a [LifelineId]>,
    /// Calls that some reply answers.
    answered: BTreeSet<MessageId>,
    /// How many replies answer a call.
    replies: usize,
    /// Replies that do not.
    idle: Vec<IdleReply>,
    findings: Vec<Diagnostic>,
}

impl<'a> CallMatcher<'a> {
    fn new(interaction: &'a Interaction) -> Self {
        CallMatcher {
            interaction,
            open: BTreeMap::new(),
            journal: Vec::new(),
            told: BTreeSet::new(),
            used: Vec::new(),
            answered: BTreeSet::new(),
            replies: 0,
            idle: Vec::new(),
            findings: Vec::new(),
        }
    }

    fn block(&mut self, block: &'a Block) {
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) => self.message(*id),
                Fragment::Combined(combined) => self.combined(combined),
                Fragment::Use(used) => self.used.push(&used.lifelines),
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }

    fn combined(&mut self, combined: &'a Combined) {
        let start = self.journal.len();
        let combination = combined.operator.combination();
        let exclusive = matches!(combination, Combination::Choice { .. } | Combination::Break);
        let last = combined.operands.len().saturating_sub(1);
        for (index, operand) in combined.operands.iter().enumerate() {
            self.block(&operand.block);
            if exclusive && (index < last || combination == Combination::Break) {
                self.undo(start);
            }
        }
    }

    fn message(&mut self, id: MessageId) {
        let message = &self.interaction.messages[id];
        let (Some(from), Some(to)) = (message.from.lifeline(), message.to.lifeline()) else { return };
        match message.sort {
            MessageSort::Reply => self.reply(id, from, to),
            MessageSort::Call | MessageSort::Signal | MessageSort::Create => {
                self.open.entry((from, to)).or_default().push(id);
                self.journal.push(CallChange::Opened((from, to)));
            }
            MessageSort::Delete => {}
        }
        self.told.insert((from, to));
    }

    fn reply(&mut self, reply: MessageId, callee: LifelineId, caller: LifelineId) {
        let pair = (caller, callee);
        match self.open.get_mut(&pair).and_then(Vec::pop) {
            Some(call) => {
                self.replies += 1;
                self.answered.insert(call);
                self.journal.push(CallChange::Answered(pair, call));
            }
            None if callee != caller => self.idle.push(IdleReply { reply, slip: self.slip(reply, pair) }),
            None => {}
        }
    }

    /// What a dashed arrow that answers nothing looks like.
    fn slip(&self, reply: MessageId, (caller, callee): CallPair) -> Option<ArrowSlip> {
        let is_call = |call: &MessageId| self.interaction.messages[*call].sort == MessageSort::Call;
        let is_open_headed = self.interaction.messages[reply].arrow.head.shape == TipShape::Open;
        let is_used = self.used.iter().any(|used| used.contains(&caller) && used.contains(&callee));
        if is_open_headed || is_used || self.told.contains(&(caller, callee)) {
            return None;
        }
        if self.open.get(&(callee, caller)).is_some_and(|calls| calls.iter().any(is_call)) {
            return Some(ArrowSlip::Reversed);
        }
        // A callee with an open call may send to other lifelines meanwhile.
        let is_asked = self.open.iter().any(|((_, to), calls)| *to == callee && !calls.is_empty());
        let waits = |pair: &CallPair, calls: &[MessageId]| pair.0 == caller && calls.iter().any(is_call);
        let awaited = self.open.iter().find(|(pair, calls)| waits(pair, calls) && pair.1 != caller);
        awaited.filter(|_| !is_asked).map(|((_, to), _)| ArrowSlip::Misdirected(*to))
    }

    fn idle_replies(&mut self) {
        if 4 * self.idle.len() > self.replies {
            return;
        }
        let name = |lifeline: LifelineId| &self.interaction.lifelines[lifeline].name;
        for IdleReply { reply, slip } in &self.idle {
            let message = &self.interaction.messages[*reply];
            let (Some(slip), Some(from), Some(to)) = (slip, message.from.lifeline(), message.to.lifeline())
            else {
                continue;
            };
            let (from, to) = (name(from), name(to));
            let hint = match slip {
                ArrowSlip::Reversed => format!("`{from}` waits for `{to}`: let the reply go the other way"),
                ArrowSlip::Misdirected(awaited) => {
                    format!("`{to}` waits for `{}`: let the reply come from there", name(*awaited))
                }
            };
            let text = format!("`{to}` has sent nothing to `{from}` that this could answer");
            self.findings.push(Diagnostic::new(Code::ReplyWithoutCall, message.place.0, text).hint(hint));
        }
    }

    fn undo(&mut self, start: usize) {
        while self.journal.len() > start {
            match self.journal.pop() {
                Some(CallChange::Opened(pair)) => {
                    self.open.entry(pair).or_default().pop();
                }
                Some(CallChange::Answered(pair, call)) => self.open.entry(pair).or_default().push(call),
                None => {}
            }
        }
    }

    /// Calls without reply, where most calls between the same two lifelines have one.
    fn unanswered(&mut self) {
        let mut pairs: BTreeMap<CallPair, (usize, Vec<MessageId>)> = BTreeMap::new();
        for (id, message) in self.interaction.messages.enumerate() {
            let ends = message.from.lifeline().zip(message.to.lifeline()).filter(|(from, to)| from != to);
            let (Some(pair), MessageSort::Call) = (ends, message.sort) else { continue };
            let (answered, open) = pairs.entry(pair).or_default();
            if self.answered.contains(&id) { *answered += 1 } else { open.push(id) }
        }
        for ((_, callee), (answered, open)) in pairs {
            if 2 * open.len() > answered {
                continue;
            }
            for id in open {
                let message = &self.interaction.messages[id];
                let callee = &self.interaction.lifelines[callee].name;
                let text =
                    format!("`{}` is never answered, while other calls to `{callee}` are", message.name);
                self.findings.push(
                    Diagnostic::new(Code::CallWithoutReply, message.place.0, text)
                        .hint("draw its reply, or use an asynchronous arrow"),
                );
            }
        }
    }
}

//! Replies that answer nothing and calls that nobody answers: W203, H204 (rule I10).
//!
//! Calls wait on a stack; a reply answers the latest one between its two lifelines, in its own block or around it. Each
//! alternative starts with the calls that were open before the fragment; a call answered in any of them is answered.
//! Asynchronous messages and creations need no answer, but may have one.
//!
//! Many people draw dashed arrows for messages that answer nothing. Where a diagram does that throughout, one hint says so;
//! where nearly all its dashed arrows are replies, the odd one is worth a finding of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::model::{Block, Combination, Combined, Fragment, Interaction, LifelineId, MessageId, MessageSort};

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let mut matcher = Matcher::new(interaction);
    matcher.block(&interaction.body);
    matcher.idle_replies();
    matcher.unanswered();
    findings.append(&mut matcher.findings);
}

/// The messages that a dashed arrow answers, in some way of running the diagram.
pub(super) fn answered(interaction: &Interaction) -> BTreeSet<MessageId> {
    let mut matcher = Matcher::new(interaction);
    matcher.block(&interaction.body);
    matcher.answered
}

/// A reply that answers nothing.
struct Idle {
    reply: MessageId,
    caller: LifelineId,
    callee: LifelineId,
    /// Whether the caller did send something before, which other replies answer.
    asked: bool,
}

/// Caller and callee.
type Pair = (LifelineId, LifelineId);

enum Change {
    Opened(Pair),
    Answered(Pair, MessageId),
}

struct Matcher<'a> {
    interaction: &'a Interaction,
    /// Calls without reply so far, latest last.
    open: BTreeMap<Pair, Vec<MessageId>>,
    journal: Vec<Change>,
    /// Who has sent anything to whom.
    asked: BTreeSet<Pair>,
    /// Calls that some reply answers.
    answered: BTreeSet<MessageId>,
    /// How many replies answer a call.
    replies: usize,
    /// Replies that do not.
    idle: Vec<Idle>,
    findings: Vec<Diagnostic>,
}

impl<'a> Matcher<'a> {
    fn new(interaction: &'a Interaction) -> Self {
        Matcher {
            interaction,
            open: BTreeMap::new(),
            journal: Vec::new(),
            asked: BTreeSet::new(),
            answered: BTreeSet::new(),
            replies: 0,
            idle: Vec::new(),
            findings: Vec::new(),
        }
    }

    fn block(&mut self, block: &Block) {
        for fragment in &block.0 {
            match fragment {
                Fragment::Message(id) => self.message(*id),
                Fragment::Combined(combined) => self.combined(combined),
                Fragment::Stop(_)
                | Fragment::Action(_)
                | Fragment::Invariant(_)
                | Fragment::Use(_)
                | Fragment::Execution(_)
                | Fragment::Note(_)
                | Fragment::Separator(_)
                | Fragment::Numbering(_) => {}
            }
        }
    }

    fn combined(&mut self, combined: &Combined) {
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
                self.asked.insert((from, to));
                self.open.entry((from, to)).or_default().push(id);
                self.journal.push(Change::Opened((from, to)));
            }
            MessageSort::Delete => {}
        }
    }

    fn reply(&mut self, reply: MessageId, callee: LifelineId, caller: LifelineId) {
        let pair = (caller, callee);
        match self.open.get_mut(&pair).and_then(Vec::pop) {
            Some(call) => {
                self.replies += 1;
                self.answered.insert(call);
                self.journal.push(Change::Answered(pair, call));
            }
            None => self.idle.push(Idle { reply, caller, callee, asked: self.asked.contains(&pair) }),
        }
    }

    fn idle_replies(&mut self) {
        let is_rare = 4 * self.idle.len() <= self.replies;
        let shown = if is_rare { self.idle.len() } else { self.idle.len().min(1) };
        for idle in &self.idle[..shown] {
            let name = |lifeline| &self.interaction.lifelines[lifeline].name;
            let (caller, callee) = (name(idle.caller), name(idle.callee));
            let place = self.interaction.messages[idle.reply].place.0;
            let text = match (is_rare, idle.asked) {
                (false, _) if self.idle.len() > 1 => {
                    let others = self.idle.len() - 1;
                    let arrows = if others == 1 { "arrow" } else { "arrows" };
                    format!("this and {others} more dashed {arrows} answer no call")
                }
                (_, true) => format!("every message from `{caller}` to `{callee}` is answered already"),
                (_, false) => format!("`{caller}` has sent nothing to `{callee}` that this could answer"),
            };
            let severity = if is_rare && !idle.asked { Severity::Warning } else { Severity::Hint };
            self.findings.push(
                Diagnostic::new(Code::ReplyWithoutCall, place, text)
                    .severity(severity)
                    .hint("a dashed arrow is a reply; draw a message of its own with a solid line"),
            );
        }
    }

    fn undo(&mut self, start: usize) {
        while self.journal.len() > start {
            match self.journal.pop() {
                Some(Change::Opened(pair)) => {
                    self.open.entry(pair).or_default().pop();
                }
                Some(Change::Answered(pair, call)) => self.open.entry(pair).or_default().push(call),
                None => {}
            }
        }
    }

    /// Calls without reply, where most calls between the same two lifelines have one.
    fn unanswered(&mut self) {
        let mut pairs: BTreeMap<Pair, (usize, Vec<MessageId>)> = BTreeMap::new();
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

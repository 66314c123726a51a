//! Replies that answer nothing and calls that nobody answers: W203, H204 (rule I10).
//!
//! Calls wait on a stack; a reply answers the latest one between its two lifelines, in its own block or around it. Each
//! alternative starts with the calls that were open before the fragment; a call answered in any of them is answered.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::model::{
    Block, Combined, Fragment, Interaction, LifelineId, Message, MessageId, MessageSort, Operator,
};

pub(super) fn check(interaction: &Interaction, findings: &mut Vec<Diagnostic>) {
    let mut matcher = Matcher {
        interaction,
        open: BTreeMap::new(),
        journal: Vec::new(),
        asked: BTreeSet::new(),
        answered: BTreeSet::new(),
        findings,
    };
    matcher.block(&interaction.body);
    matcher.unanswered();
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
    findings: &'a mut Vec<Diagnostic>,
}

impl Matcher<'_> {
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
        let exclusive = matches!(combined.operator, Operator::Alt | Operator::Opt | Operator::Break);
        let last = combined.operands.len().saturating_sub(1);
        for (index, operand) in combined.operands.iter().enumerate() {
            self.block(&operand.block);
            if exclusive && (index < last || combined.operator == Operator::Break) {
                self.undo(start);
            }
        }
    }

    fn message(&mut self, id: MessageId) {
        let message = &self.interaction.messages[id];
        let (Some(from), Some(to)) = (message.from.lifeline(), message.to.lifeline()) else { return };
        match message.sort {
            MessageSort::Reply => self.reply(message, from, to),
            MessageSort::Call => {
                self.asked.insert((from, to));
                self.open.entry((from, to)).or_default().push(id);
                self.journal.push(Change::Opened((from, to)));
            }
            MessageSort::Signal | MessageSort::Create | MessageSort::Delete => {
                self.asked.insert((from, to));
            }
        }
    }

    fn reply(&mut self, message: &Message, from: LifelineId, to: LifelineId) {
        let pair = (to, from);
        if let Some(call) = self.open.get_mut(&pair).and_then(Vec::pop) {
            self.answered.insert(call);
            self.journal.push(Change::Answered(pair, call));
            return;
        }
        let name = |lifeline| &self.interaction.lifelines[lifeline].name;
        let (caller, callee) = (name(to), name(from));
        let asked_before = self.asked.contains(&pair);
        let text = match asked_before {
            true => format!("every call from `{caller}` to `{callee}` is answered already"),
            false => format!("`{caller}` has called nothing on `{callee}` that this could answer"),
        };
        let severity = if asked_before { Severity::Hint } else { Severity::Warning };
        self.findings.push(
            Diagnostic::new(Code::ReplyWithoutCall, message.place.0, text)
                .severity(severity)
                .hint("a dashed arrow is a reply; draw a message of its own with a solid line"),
        );
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

    /// Calls without reply, where other calls between the same two lifelines have one.
    fn unanswered(&mut self) {
        let pair_of = |id: MessageId| {
            let message = &self.interaction.messages[id];
            message.from.lifeline().zip(message.to.lifeline())
        };
        let answering: BTreeSet<Pair> = self.answered.iter().filter_map(|id| pair_of(*id)).collect();
        for (id, message) in self.interaction.messages.enumerate() {
            let Some(pair) = pair_of(id).filter(|(from, to)| from != to) else { continue };
            let is_open = message.sort == MessageSort::Call && !self.answered.contains(&id);
            if is_open && answering.contains(&pair) {
                let callee = &self.interaction.lifelines[pair.1].name;
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

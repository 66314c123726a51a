//! What PlantUML refuses although every line is a statement.
//!
//! PlantUML draws from top to bottom and does not let a bar begin or end right after a delay, end before there is a
//! message, or begin again on the message that ended it. The meaning is plain in each case, so these are warnings. An `end
//! box` without its box is an error like any other stray end.

use std::collections::HashSet;

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::SeparatorKind;
use sequent_kernel::source::Span;

use crate::tree::sequence::{ArrowEnd, MessageStatement, SequenceStatement};
use crate::tree::{Name, Statement, StatementKind};

/// Adds what PlantUML would refuse.
pub(crate) fn judge(statements: &[Statement<SequenceStatement>], diagnostics: &mut Vec<Diagnostic>) {
    let mut judge = LineJudge {
        diagnostics,
        open_boxes: 0,
        after_delay: false,
        last: BarTarget::Nothing,
        active: HashSet::new(),
    };
    for statement in statements {
        if let StatementKind::Item(item) = &statement.kind {
            judge.item(item, statement.span);
        }
    }
}

struct LineJudge<'s, 'd> {
    diagnostics: &'d mut Vec<Diagnostic>,
    open_boxes: usize,
    after_delay: bool,
    last: BarTarget<'s>,
    /// Participants active before the first message.
    active: HashSet<&'s str>,
}

/// What bars are attached to.
enum BarTarget<'s> {
    /// Nothing yet.
    Nothing,
    /// A message: its participants, and those whose bar it has ended.
    Message(Vec<&'s str>, HashSet<&'s str>),
    /// The end of a block.
    Block,
}

impl<'s> LineJudge<'s, '_> {
    fn item(&mut self, item: &'s SequenceStatement, span: Span) {
        match item {
            SequenceStatement::BoxStart { .. } => self.open_boxes += 1,
            SequenceStatement::BoxEnd if self.open_boxes == 0 => {
                let complaint =
                    Diagnostic::new(Code::StrayEnd, span, "`end box` closes nothing: no box is open here");
                self.diagnostics.push(complaint.hint("remove it, or open the box it was meant to close"));
            }
            SequenceStatement::BoxEnd => self.open_boxes -= 1,
            SequenceStatement::Message(message) => self.message(message),
            SequenceStatement::Return(_) => {
                self.after_delay = false;
                self.last = BarTarget::Block;
            }
            SequenceStatement::Close => self.last = BarTarget::Block,
            SequenceStatement::Separator(SeparatorKind::Delay, _) => self.after_delay = true,
            SequenceStatement::Activate { name, .. } => self.activate(name, span),
            SequenceStatement::Deactivate(Some(name)) | SequenceStatement::Destroy(name) => {
                self.deactivate(name, span)
            }
            SequenceStatement::Deactivate(None) | SequenceStatement::Create(_) => self.no_delay(span),
            SequenceStatement::Participant(participant) if participant.create => self.no_delay(span),
            SequenceStatement::Participant(_)
            | SequenceStatement::HideUnlinked(_)
            | SequenceStatement::AutoActivate(_)
            | SequenceStatement::AutoNumber(_)
            | SequenceStatement::Open(_)
            | SequenceStatement::Divide(_)
            | SequenceStatement::Note(_)
            | SequenceStatement::Reference(_)
            | SequenceStatement::Separator(..)
            | SequenceStatement::Duration(_) => {}
        }
    }

    fn message(&mut self, message: &'s MessageStatement) {
        self.after_delay = false;
        let name = |end: &'s ArrowEnd| match end {
            ArrowEnd::Name(name) => Some(name.text.as_str()),
            ArrowEnd::Outside(_) => None,
        };
        let ends: Vec<&str> = [name(&message.from), name(&message.to)].into_iter().flatten().collect();
        let mut ended = HashSet::new();
        if message.life.deactivate {
            ended.extend(ends.first());
        }
        if message.life.destroy {
            ended.extend(ends.last());
        }
        self.last = BarTarget::Message(ends, ended);
    }

    fn activate(&mut self, name: &'s Name, span: Span) {
        self.no_delay(span);
        let again = match &self.last {
            BarTarget::Nothing => {
                self.active.insert(&name.text);
                false
            }
            BarTarget::Message(ends, ended) => {
                ends.contains(&name.text.as_str()) && ended.contains(name.text.as_str())
            }
            BarTarget::Block => false,
        };
        if again {
            let message = format!("PlantUML does not let `{}` become active again at once", name.text);
            self.refuse(span, message, "put a message between the end of a bar and its next beginning");
        }
    }

    fn deactivate(&mut self, name: &'s Name, span: Span) {
        self.no_delay(span);
        match &mut self.last {
            BarTarget::Nothing if !self.active.contains(name.text.as_str()) => {
                let message = format!("`{}` is not active: PlantUML refuses to end its bar here", name.text);
                self.refuse(span, message, "activate it first");
            }
            BarTarget::Message(ends, ended) if ends.contains(&name.text.as_str()) => {
                ended.insert(&name.text);
            }
            BarTarget::Nothing | BarTarget::Message(..) | BarTarget::Block => {}
        }
    }

    fn no_delay(&mut self, span: Span) {
        if self.after_delay {
            let message = "PlantUML does not let a bar begin or end right after a delay".to_owned();
            self.refuse(span, message, "put it before the delay, or after the next message");
        }
    }

    fn refuse(&mut self, span: Span, message: String, hint: &str) {
        self.diagnostics.push(Diagnostic::new(Code::Tolerated, span, message).hint(hint));
    }
}

//! Activation, creation and destruction while a diagram is read.
//!
//! PlantUML's `return` answers the message that made the latest lifeline active, so the messages that activated
//! something are kept on a stack; `autoactivate` turns calls and replies into activations. Both follow what PlantUML does.

use sequent_kernel::diagnostic::{Code, Diagnostic, Remedy, Severity};
use sequent_kernel::model::{Arrow, Bound, End, LifelineId, MessageId, MessageSort, TipShape};
use sequent_kernel::source::Span;

use super::InteractionBuilder;
use crate::tree::sequence::{LifeShorthand, MessageStatement};
use crate::tree::{Name, Notation, Text};

/// The messages that activated lifelines.
#[derive(Default)]
pub(crate) struct Activity {
    /// The latest message: activations are counted as its doing.
    last: Option<MessageId>,
    /// Messages that activated a lifeline that is still active, latest last.
    activating: Vec<MessageId>,
}

impl Activity {
    /// A message was read.
    pub(crate) fn sent(&mut self, message: MessageId) {
        self.last = Some(message);
    }
}

impl InteractionBuilder<'_> {
    /// What the shorthands of a message line and the diagram's settings do to its two lifelines.
    pub(super) fn life(&mut self, message: &MessageStatement, from: End, to: End, span: Span) {
        let LifeShorthand { activate, colour, deactivate, create, destroy } = &message.life;
        let only = from.lifeline().xor(to.lifeline());
        let (sender, receiver) = (only.or(from.lifeline()), only.or(to.lifeline()));
        if *deactivate {
            sender.into_iter().for_each(|lifeline| self.deactivate(lifeline, span));
        }
        if *activate {
            receiver.into_iter().for_each(|lifeline| self.activate(lifeline, colour.clone(), span));
        }
        if *destroy {
            receiver.into_iter().for_each(|lifeline| self.stop(lifeline, span));
        }
        let says_nothing = !(*activate || *deactivate || *create || *destroy);
        if self.auto_activate && says_nothing {
            self.activate_by_arrow(message, from, to, span);
        }
        if let Some((lifeline, at)) = self.destroying.take() {
            if from.lifeline() == Some(lifeline) || to.lifeline() == Some(lifeline) {
                self.stop(lifeline, at);
            } else {
                self.destroying = Some((lifeline, at));
                self.unfinished_life();
            }
        }
    }

    fn activate_by_arrow(&mut self, message: &MessageStatement, from: End, to: End, span: Span) {
        match message.arrow.head.shape {
            TipShape::None | TipShape::Cross => {}
            TipShape::Filled | TipShape::Open if message.arrow.dashed => {
                from.lifeline().into_iter().for_each(|lifeline| self.deactivate(lifeline, span));
            }
            TipShape::Filled | TipShape::Open => {
                to.lifeline().into_iter().for_each(|lifeline| self.activate(lifeline, None, span));
            }
        }
    }

    pub(super) fn activate(&mut self, lifeline: LifelineId, colour: Option<String>, span: Span) {
        if let Some(last) = self.activity.last.filter(|last| self.touches(*last, lifeline)) {
            self.activity.activating.push(last);
        }
        self.execution(lifeline, Bound::Start, colour, span);
    }

    pub(super) fn deactivate(&mut self, lifeline: LifelineId, span: Span) {
        if self.activity.last.is_some_and(|last| self.touches(last, lifeline)) {
            self.activity.activating.pop();
        }
        self.execution(lifeline, Bound::Finish, None, span);
    }

    /// `deactivate a`, or `deactivate` for the lifeline activated last.
    pub(super) fn deactivate_statement(&mut self, name: Option<&Name>, span: Span) {
        if let Some(name) = name {
            if let Some(lifeline) = self.participants.find(&name.text) {
                self.deactivate(lifeline, span);
            }
            return;
        }
        match self.activity.activating.pop().and_then(|message| self.messages[message].to.lifeline()) {
            Some(lifeline) => self.execution(lifeline, Bound::Finish, None, span),
            None => self.report(
                Diagnostic::new(Code::InactiveDeactivation, span, "no participant is active here")
                    .remedy(Remedy::Remove),
            ),
        }
    }

    /// Whether a message starts or ends at a lifeline.
    fn touches(&self, message: MessageId, lifeline: LifelineId) -> bool {
        let message = &self.messages[message];
        message.from.lifeline() == Some(lifeline) || message.to.lifeline() == Some(lifeline)
    }

    pub(super) fn destroy(&mut self, lifeline: LifelineId, span: Span) {
        match self.notation {
            Notation::PlantUml => self.stop(lifeline, span),
            Notation::Mermaid => {
                self.unfinished_life();
                self.destroying = Some((lifeline, span));
            }
        }
    }

    /// Whether this message creates its receiver; reports a creation that the message does not go to.
    pub(super) fn created_by(&mut self, from: End, to: End, shorthand: bool, span: Span) -> bool {
        let Some((lifeline, at)) = self.creating.take() else { return shorthand };
        let is_self = from.lifeline() == Some(lifeline);
        if to.lifeline() == Some(lifeline) && (!is_self || self.notation == Notation::Mermaid) {
            return true;
        }
        let name = self.participants.lifelines[lifeline].name.clone();
        self.report(
            Diagnostic::new(
                Code::CreateWithoutMessage,
                at,
                format!("`{name}` is created, but the next message does not go to it"),
            )
            .label(span, "this is the next message")
            .hint(format!("put a message to `{name}` right after its creation")),
        );
        shorthand
    }

    /// Reports a creation or destruction whose message did not come; Mermaid minds only if another one comes.
    pub(super) fn unfinished_life(&mut self) {
        if let (Some((lifeline, at)), Notation::Mermaid) = (self.creating.take(), self.notation) {
            let name = &self.participants.lifelines[lifeline].name;
            let message = format!("`{name}` is created, but no message to it follows");
            self.report(Diagnostic::new(Code::CreateWithoutMessage, at, message).severity(Severity::Warning));
        }
        if let Some((lifeline, at)) = self.destroying.take() {
            let name = &self.participants.lifelines[lifeline].name;
            let message =
                format!("`{name}` is destroyed, but the next message neither starts nor ends at it");
            let hint = format!("put a message from or to `{name}` right after the `destroy`");
            self.report(Diagnostic::new(Code::DestroyWithoutMessage, at, message).hint(hint));
            self.stop(lifeline, at);
        }
    }

    /// `return text`: the reply to the message that activated the latest active lifeline, else to the last message.
    pub(super) fn give_back(&mut self, text: &Text, span: Span) {
        let activating = self.activity.activating.last().copied();
        let Some(call) = activating.or(self.activity.last) else {
            self.report(
                Diagnostic::new(Code::ReplyWithoutCall, span, "there is no message to return from")
                    .severity(Severity::Error),
            );
            return;
        };
        let call = self.messages[call].clone();
        let (from, to) = (call.to, call.from);
        let arrow = Arrow { dashed: true, ..call.arrow };
        self.push_message(text, &arrow, (from, to), MessageSort::Reply, span);
        // A call that comes from or goes to the outside has activated the one lifeline that it has.
        if activating.is_some() {
            from.lifeline()
                .or(to.lifeline())
                .into_iter()
                .for_each(|lifeline| self.deactivate(lifeline, span));
        }
    }
}

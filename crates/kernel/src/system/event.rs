//! Events: what a rule shows when it fires, as a text and as the facts in that text.

use super::ComponentId;

/// Something that is seen when a rule fires (DESIGN section 9).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The text that identifies the event: `!a->b:m`, `?a->b:m`, `a->b:m`, `x:a`.
    pub text: String,
    /// What happens.
    pub kind: EventKind,
    /// The sender, or the component that ends; `None` outside of the diagram.
    pub from: Option<ComponentId>,
    /// The receiver; `None` outside of the diagram, or if there is none.
    pub to: Option<ComponentId>,
    /// The name of a receiver outside of the System, if it has one.
    pub beyond: Option<String>,
    /// The message with its arguments; empty for a termination.
    pub message: String,
    /// The message without its arguments; empty for a termination.
    pub name: String,
    /// The arguments as text: `3`, `ok=false`; `None` if there is no argument list.
    pub arguments: Option<Vec<String>>,
    /// Whether the same step always shows another message after it, where that is kept apart: one of the messages that an object
    /// sends together (P4's multimessages), and not the last.
    pub goes_on: bool,
}

/// The kinds of events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EventKind {
    /// `!`: a message is sent.
    Send,
    /// `?`: a message is received.
    Receive,
    /// A message is sent and received at once.
    Rendezvous,
    /// `x`: a component ends.
    Termination,
}

/// One end of an event: the component, and its name; empty outside of the diagram.
pub(crate) type EventEnd<'e> = (Option<ComponentId>, &'e str);

impl Event {
    /// A message that is sent or received.
    pub fn of_message(
        kind: EventKind,
        (from, sender): EventEnd<'_>,
        (to, receiver): EventEnd<'_>,
        name: &str,
        arguments: Option<Vec<String>>,
    ) -> Self {
        let message = message_text(name, arguments.as_deref());
        Event {
            text: format!("{}{sender}->{receiver}:{message}", kind.sign()),
            kind,
            from,
            to,
            beyond: (to.is_none() && !receiver.is_empty()).then(|| receiver.to_owned()),
            message,
            name: name.to_owned(),
            arguments,
            goes_on: false,
        }
    }

    /// The end of a component of this name.
    pub fn termination(component: ComponentId, name: &str) -> Self {
        Event {
            text: format!("x:{name}"),
            kind: EventKind::Termination,
            from: Some(component),
            to: None,
            beyond: None,
            message: String::new(),
            name: String::new(),
            arguments: None,
            goes_on: false,
        }
    }

    /// The text without the sign of sending or receiving: `a->b:m`.
    pub fn unsigned(&self) -> &str {
        self.kind.unsigned(&self.text)
    }

    /// Whether both tell of the same message between the same ends, whatever happens to it.
    pub(crate) fn is_same_message(&self, other: &Event) -> bool {
        (self.from, self.to, &self.beyond, &self.message)
            == (other.from, other.to, &other.beyond, &other.message)
    }
}

impl EventKind {
    /// The sign before the text of an event of this kind.
    pub fn sign(self) -> &'static str {
        match self {
            EventKind::Send => "!",
            EventKind::Receive => "?",
            EventKind::Rendezvous | EventKind::Termination => "",
        }
    }

    /// The text of an event of this kind without its sign.
    pub fn unsigned(self, text: &str) -> &str {
        &text[self.sign().len()..]
    }
}

/// A message with its arguments: `m`, `m()`, `m(1,ok=false)`.
pub fn message_text(name: &str, arguments: Option<&[String]>) -> String {
    match arguments {
        Some(arguments) => format!("{name}({})", arguments.join(",")),
        None => name.to_owned(),
    }
}

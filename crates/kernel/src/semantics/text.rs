//! The texts of messages in events (DESIGN section 9).

use crate::model::{Argument, End, Interaction, Message};
use crate::system::message_text;

/// The text of a message's events without `!` or `?` (DESIGN section 9).
pub fn event_text(interaction: &Interaction, message: &Message) -> String {
    let end = |end: End| match end {
        End::Lifeline(lifeline) => interaction.lifelines[lifeline].name.as_str(),
        End::Outside(_) => "",
    };
    let text = message_text(&message.name, argument_texts(message).as_deref());
    format!("{}->{}:{text}", end(message.from), end(message.to))
}

/// The arguments of a message as events tell them: `3`, `ok=false`; `None` if it has no list of them.
pub(crate) fn argument_texts(message: &Message) -> Option<Vec<String>> {
    message.arguments.as_deref().map(texts)
}

/// Arguments as events tell them.
pub(super) fn texts(arguments: &[Argument]) -> Vec<String> {
    let one = |argument: &Argument| match &argument.name {
        Some(name) => format!("{name}={}", argument.text),
        None => argument.text.clone(),
    };
    arguments.iter().map(one).collect()
}

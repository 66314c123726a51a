//! Patterns: which events of a System a formula means.

use crate::formula::{Direction, Pattern, Word};
use crate::system::{ComponentId, Event, EventKind, System};

/// Whether an event is one that the pattern describes.
pub(super) fn matches(pattern: &Pattern, event: &Event, system: &System) -> bool {
    let is = |word: &Option<Word>, component: Option<ComponentId>| match word {
        None => true,
        Some(word) => component.is_some_and(|component| system.components[component] == word.text),
    };
    let ways = sides(event);
    let is_message = event.kind != EventKind::Termination;
    let has_message = match &pattern.message {
        None => true,
        Some(word) => is_message && same_message(&word.text, &event.message),
    };
    // Whoever ends sends and receives nothing.
    let has_ends = (is_message || (pattern.from.is_none() && pattern.to.is_none()))
        && is(&pattern.from, event.from)
        && is(&pattern.to, event.to);
    let has_side = ways.iter().any(|side| {
        (pattern.direction.is_none() || pattern.direction == side.direction)
            && is(&pattern.actor, side.actor)
            && is(&pattern.partner, side.partner)
    });
    has_message && has_ends && has_side
}

/// How an event looks from a lifeline on which it happens.
struct Side {
    direction: Option<Direction>,
    actor: Option<ComponentId>,
    partner: Option<ComponentId>,
}

/// An event happens on one lifeline, a rendezvous on two.
fn sides(event: &Event) -> Vec<Side> {
    let sent = Side { direction: Some(Direction::Sent), actor: event.from, partner: event.to };
    let received = Side { direction: Some(Direction::Received), actor: event.to, partner: event.from };
    match event.kind {
        EventKind::Send => vec![sent],
        EventKind::Receive => vec![received],
        EventKind::Rendezvous => vec![sent, received],
        EventKind::Termination => vec![Side { direction: None, actor: event.from, partner: None }],
    }
}

/// Whether a message is the one that is asked for: `pay` asks for any `pay(..)`, `pay(3)` for that alone. Spaces do not
/// count where they only separate.
fn same_message(wanted: &str, message: &str) -> bool {
    let ((wanted, wanted_arguments), (message, arguments)) = (halves(wanted), halves(message));
    wanted == message && (wanted_arguments.is_empty() || wanted_arguments == arguments)
}

/// The name of a message with single spaces, and its arguments without any.
fn halves(text: &str) -> (String, String) {
    let (name, arguments) = text.split_at(text.find('(').unwrap_or(text.len()));
    let name: Vec<&str> = name.split_whitespace().collect();
    (name.join(" "), arguments.split_whitespace().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_match_with_or_without_arguments() {
        assert!(same_message("pay", "pay(3)"));
        assert!(same_message("pay ( 3 )", "pay(3)"));
        assert!(same_message("insert  card", "insert card"));
        assert!(!same_message("pay(3)", "pay"));
        assert!(!same_message("pay(3)", "pay(4)"));
        assert!(!same_message("pay", "payment"));
    }
}

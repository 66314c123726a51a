//! Patterns: which events of a System a formula means.

use crate::formula::{Direction, FormulaWord, Pattern, is_message_asked};
use crate::system::{ComponentId, Event, EventKind, System};

/// Whether an event is one that the pattern describes.
pub fn matches(pattern: &Pattern, event: &Event, system: &System) -> bool {
    let is = |word: &Option<FormulaWord>, component: Option<ComponentId>| match word {
        None => true,
        Some(word) => component.is_some_and(|component| system.components[component] == word.text),
    };
    let ways = sides(event);
    let is_message = event.kind != EventKind::Termination;
    let has_message = match &pattern.message {
        None => true,
        Some(word) => is_message && is_message_asked(&word.text, &event.name, event.arguments.as_deref()),
    };
    // A termination has no sender and no receiver.
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
struct EventSide {
    direction: Option<Direction>,
    actor: Option<ComponentId>,
    partner: Option<ComponentId>,
}

/// An event happens on one lifeline, a rendezvous on two.
fn sides(event: &Event) -> Vec<EventSide> {
    let sent = EventSide { direction: Some(Direction::Sent), actor: event.from, partner: event.to };
    let received = EventSide { direction: Some(Direction::Received), actor: event.to, partner: event.from };
    match event.kind {
        EventKind::Send => vec![sent],
        EventKind::Receive => vec![received],
        EventKind::Rendezvous => vec![sent, received],
        EventKind::Termination => vec![EventSide { direction: None, actor: event.from, partner: None }],
    }
}

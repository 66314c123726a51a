//! Distinguishing occurrences: a System in which every visible rule has an event of its own.
//!
//! Events are identified by their texts, and a message that is drawn twice, or in a loop, has one text. Where
//! it matters which of the occurrences happened, the k-th rule of a text shows `text#k`; rules stand in the
//! order of the diagram, with loops unrolled. A text that only one rule shows stays as it is.

use std::collections::BTreeMap;

use super::{Event, EventId, System};
use crate::id::IdVec;

/// The same system with an event for each visible rule. It forgets what must go on ([`System::mandatory`]), which speaks of
/// the events that are no longer.
pub fn distinguish(system: &System) -> System {
    let mut times: BTreeMap<EventId, usize> = BTreeMap::new();
    for event in system.rules.iter().filter_map(|rule| rule.event) {
        *times.entry(event).or_default() += 1;
    }
    let mut so_far: BTreeMap<EventId, usize> = BTreeMap::new();
    let mut events: IdVec<EventId, Event> = IdVec::new();
    let mut distinct = system.clone();
    for rule in distinct.rules.iter_mut() {
        let Some(old) = rule.event else { continue };
        let mut event = system.events[old].clone();
        if times[&old] > 1 {
            let count = so_far.entry(old).or_default();
            *count += 1;
            event.text = format!("{}#{count}", event.text);
            event.message = format!("{}#{count}", event.message);
        }
        rule.event = Some(events.push(event));
    }
    distinct.events = events;
    distinct.mandatory.clear();
    distinct
}

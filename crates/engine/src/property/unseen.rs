//! Unseen events: events that never change the memory of an observer.
//!
//! Runs that differ only in the places of such events are all accepted, or none is. They are computed by
//! trying every event in every memory that is reachable.

use std::collections::{BTreeSet, HashSet};

use sequent_kernel::id::Id;
use sequent_kernel::property::{Moment, Observer};
use sequent_kernel::system::EventId;

/// An observer that may remember more than this is not looked at to the end.
const MOST: usize = 1_000;

/// The events that an observer does not care for; none if that takes too long to find out.
pub(crate) fn unseen<O: Observer>(observer: &O, events: usize) -> BTreeSet<EventId> {
    let mut unseen: BTreeSet<EventId> = (0..events).map(EventId::from_index).collect();
    let mut looked = false;
    let mut ways = Vec::new();
    observer.read(&observer.first(), Moment::Start, &mut |_| std::mem::replace(&mut looked, true), &mut ways);
    let mut seen: HashSet<O::State> = HashSet::new();
    let mut open: Vec<O::State> = Vec::new();
    for (state, _) in ways {
        if seen.insert(state.clone()) {
            open.push(state);
        }
    }
    while let Some(state) = open.pop() {
        for event in (0..events).map(EventId::from_index) {
            let mut ways = Vec::new();
            let mut holds = |_| std::mem::replace(&mut looked, true);
            observer.read(&state, Moment::Event(event), &mut holds, &mut ways);
            if ways.iter().any(|(next, _)| *next != state) || ways.len() != 1 {
                unseen.remove(&event);
            }
            for (next, _) in ways {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        // A reading that depends on the state of the system is not determined by events.
        if looked || seen.len() > MOST || unseen.is_empty() {
            return BTreeSet::new();
        }
    }
    unseen
}

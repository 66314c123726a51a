//! Occurrences: what is seen of a run, each on its lifeline, and which receipt belongs to which sending.
//!
//! A run knows rules, not messages. A receipt takes the earliest open sending of the same message between the same ends
//! that stands at the same place of the diagram; if none does (machines receive elsewhere than they send), the earliest at
//! any place. Copies of a message in a loop are received in the order of their iterations, so this is what happened, or
//! cannot be told from it.

use std::collections::BTreeMap;

use sequent_kernel::replay::Run;
use sequent_kernel::source::Span;
use sequent_kernel::system::{ComponentId, Event, EventKind, System};

/// Something that is seen.
pub struct Occurrence<'a> {
    /// The number of its step.
    pub step: usize,
    /// On whose lifeline it happens; on two for a rendezvous.
    pub lifelines: Vec<ComponentId>,
    /// What is seen.
    pub event: &'a Event,
    /// Where it comes from.
    pub span: Span,
    /// The position of the receipt, for a sending, and of the sending, for a receipt.
    pub partner: Option<usize>,
}

/// The occurrences of a run in their order.
pub fn occurrences<'a>(system: &'a System, run: &Run) -> Vec<Occurrence<'a>> {
    let mut all: Vec<Occurrence> = Vec::new();
    for (number, step) in run.steps.iter().enumerate() {
        for (rule, event) in system.shown_by(&step.0) {
            let (rule, event) = (&system.rules[rule], &system.events[event]);
            let lifelines = lifelines(event, rule.component);
            all.push(Occurrence { step: number, lifelines, event, span: rule.place.0, partner: None });
        }
    }
    pair(&mut all);
    all
}

fn lifelines(event: &Event, owner: ComponentId) -> Vec<ComponentId> {
    match event.kind {
        EventKind::Send | EventKind::Receive | EventKind::Termination => vec![owner],
        EventKind::Rendezvous => {
            let mut ends: Vec<ComponentId> = [event.from, event.to].into_iter().flatten().collect();
            ends.dedup();
            if ends.is_empty() { vec![owner] } else { ends }
        }
    }
}

/// Who sends to whom, and what.
type Message<'a> = (Option<ComponentId>, Option<ComponentId>, &'a str);

fn pair(all: &mut [Occurrence]) {
    let mut open: BTreeMap<Message, Vec<usize>> = BTreeMap::new();
    for number in 0..all.len() {
        let event = all[number].event;
        let sent = open.entry((event.from, event.to, &event.message)).or_default();
        match event.kind {
            EventKind::Send => sent.push(number),
            EventKind::Receive => {
                let here = sent.iter().position(|send| all[*send].span == all[number].span);
                if let Some(index) = here.or(if sent.is_empty() { None } else { Some(0) }) {
                    let send = sent.remove(index);
                    all[send].partner = Some(number);
                    all[number].partner = Some(send);
                }
            }
            EventKind::Rendezvous | EventKind::Termination => {}
        }
    }
}

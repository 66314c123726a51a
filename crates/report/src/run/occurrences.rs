//! Occurrences: the visible events of a run and the marks beside it, each on its lifeline, and which receipt
//! belongs to which sending.
//!
//! A run knows rules, not messages. A receipt takes the earliest open sending of the same message between the same ends
//! that stands at the same place of the diagram; if none does (machines receive elsewhere than they send), the earliest at
//! any place. Copies of a message in a loop are received in the order of their iterations, so this is what happened, or
//! cannot be told from it.
//!
//! Of a message from outside only the receipt is an occurrence: no lifeline shows that it was sent. One whose
//! receipt is never seen, because its receiver is unconstrained, is complete once it is sent.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::replay::Run;
use sequent_kernel::source::Span;
use sequent_kernel::system::{ComponentId, Event, EventKind, RuleId, System};

use super::RunMark;

/// Something that is seen, or said.
pub(crate) struct RunOccurrence<'a> {
    /// How many steps were taken when it is over; 0 for what is so from the beginning.
    pub moment: usize,
    /// On whose lifeline it happens; on two for a rendezvous.
    pub lifelines: Vec<ComponentId>,
    /// What it is.
    pub matter: LifelineMatter<'a>,
    /// Where it comes from.
    pub span: Option<Span>,
    /// The position of the receipt, for a sending, and of the sending, for a receipt.
    pub partner: Option<usize>,
}

/// What stands on a lifeline.
#[derive(Clone, Copy)]
pub(crate) enum LifelineMatter<'a> {
    /// Something that is seen; whether it is all that will ever be seen of a message.
    Event(&'a Event, bool),
    /// Something that is said.
    Mark(&'a RunMark),
}

impl<'a> RunOccurrence<'a> {
    /// The number of its step, if it happens in one.
    pub(crate) fn step(&self) -> Option<usize> {
        match self.matter {
            LifelineMatter::Event(..) => self.moment.checked_sub(1),
            LifelineMatter::Mark(_) => None,
        }
    }

    /// What is seen.
    pub(crate) fn event(&self) -> Option<&'a Event> {
        match self.matter {
            LifelineMatter::Event(event, _) => Some(event),
            LifelineMatter::Mark(_) => None,
        }
    }
}

/// The occurrences of a run in their order: in each step what is seen, then what is said.
pub(crate) fn occurrences<'a>(system: &'a System, run: &Run, marks: &'a [RunMark]) -> Vec<RunOccurrence<'a>> {
    let received: BTreeSet<DrawnMessage> =
        system.events.iter().filter(|event| event.kind == EventKind::Receive).map(message).collect();
    let mut said: BTreeMap<usize, Vec<&RunMark>> = BTreeMap::new();
    marks.iter().for_each(|mark| said.entry(mark.moment).or_default().push(mark));
    let mut all: Vec<RunOccurrence> = Vec::new();
    for moment in 0..=run.steps.len() {
        if let Some(step) = moment.checked_sub(1).map(|step| &run.steps[step]) {
            let shown = system.shown_by(&step.0).map(|(rule, event)| (rule, &system.events[event]));
            let on_stage = shown.filter(|(_, event)| !is_offstage(event, &received));
            all.extend(on_stage.map(|(rule, event)| seen(system, moment, rule, event, &received)));
        }
        let here = said.get(&moment).into_iter().flatten().copied();
        all.extend(here.map(|mark| RunOccurrence {
            moment,
            lifelines: vec![mark.component],
            matter: LifelineMatter::Mark(mark),
            span: None,
            partner: None,
        }));
    }
    pair(&mut all);
    all
}

fn seen<'a>(
    system: &System,
    moment: usize,
    rule: RuleId,
    event: &'a Event,
    received: &BTreeSet<DrawnMessage>,
) -> RunOccurrence<'a> {
    let rule = &system.rules[rule];
    let is_all = event.kind == EventKind::Send && event.to.is_some() && !received.contains(&message(event));
    let lifelines = match event.kind {
        EventKind::Send if is_all => ends(event, rule.component),
        EventKind::Send | EventKind::Receive | EventKind::Termination => vec![rule.component],
        EventKind::Rendezvous => ends(event, rule.component),
    };
    RunOccurrence {
        moment,
        lifelines,
        matter: LifelineMatter::Event(event, is_all),
        span: Some(rule.place.0),
        partner: None,
    }
}

/// Whether something is sent from outside whose receipt is seen.
fn is_offstage(event: &Event, received: &BTreeSet<DrawnMessage>) -> bool {
    event.kind == EventKind::Send && event.from.is_none() && received.contains(&message(event))
}

fn ends(event: &Event, owner: ComponentId) -> Vec<ComponentId> {
    let mut ends: Vec<ComponentId> = [event.from, event.to].into_iter().flatten().collect();
    ends.dedup();
    if ends.is_empty() { vec![owner] } else { ends }
}

/// Who sends to whom, and what.
type DrawnMessage<'a> = (Option<ComponentId>, Option<ComponentId>, &'a str);

fn message(event: &Event) -> DrawnMessage<'_> {
    (event.from, event.to, &event.message)
}

fn pair(all: &mut [RunOccurrence]) {
    let mut open: BTreeMap<DrawnMessage, Vec<usize>> = BTreeMap::new();
    for number in 0..all.len() {
        let Some(event) = all[number].event() else { continue };
        let sent = open.entry(message(event)).or_default();
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

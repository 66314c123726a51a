//! The states of the objects, and what each of them waits for.

use std::collections::BTreeSet;

use sequent_kernel::id::Id;
use sequent_kernel::semantics::objects::InstanceId;
use sequent_kernel::system::{ComponentId, Config, EventKind, Join, LabelId};

use crate::ensemble::Ensemble;

/// A line for each object with a machine.
pub(crate) fn lines(ensemble: &Ensemble<'_>, config: &Config) -> Vec<String> {
    let objects = ensemble.objects.structure.objects.enumerate();
    let machines = objects.filter(|(_, object)| object.machine.is_some());
    machines.map(|(id, object)| line(ensemble, config, id, &object.name)).collect()
}

fn line(ensemble: &Ensemble<'_>, config: &Config, object: InstanceId, name: &str) -> String {
    let states = ensemble.objects.states(&ensemble.model, config, object);
    let is_busy = ensemble.objects.is_busy(config, object);
    let place = match (states.is_empty(), is_busy) {
        (true, true) => format!("{name} is between two states"),
        (true, false) => format!("{name} is in no state"),
        (false, true) => format!("{name} is on its way from {states}"),
        (false, false) => format!("{name} is in {states}"),
    };
    let (offers, takes) = meetings(ensemble, config, object);
    let sends = sends(ensemble, config, object);
    let mut waits = Vec::new();
    if !sends.is_empty() {
        let soon = if is_busy { "is about to send" } else { "may send" };
        waits.push(format!("{soon} {}", listed(&sends)));
    }
    if !offers.is_empty() {
        waits.push(format!("wants to send {}", listed(&offers)));
    }
    let takes = match takes.is_empty() {
        true => ensemble.objects.awaited(&ensemble.model, config, object).into_iter().collect(),
        false => takes,
    };
    if !takes.is_empty() {
        waits.push(format!("waits for {}", listed(&takes)));
    }
    let queue = ensemble.objects.waiting(config, object);
    if !queue.is_empty() {
        let texts: Vec<String> = queue.into_iter().map(|(_, text)| text).collect();
        waits.push(format!("has {} before it", texts.join(", ")));
    }
    match waits.is_empty() {
        true => place,
        false => format!("{place}, {}", waits.join(" and ")),
    }
}

/// What an object offers and takes where objects meet.
fn meetings(
    ensemble: &Ensemble<'_>,
    config: &Config,
    object: InstanceId,
) -> (BTreeSet<String>, BTreeSet<String>) {
    let system = &ensemble.objects.system;
    let own = ComponentId::from_index(object.index());
    let values = system.terms.values(config);
    let text = |label: &LabelId| system.labels[*label].clone();
    let (mut offers, mut takes) = (BTreeSet::new(), BTreeSet::new());
    for rule in system.rules.iter().filter(|rule| rule.component == own && values[rule.guard] != 0) {
        match &rule.join {
            Join::Offer(labels) => offers.extend(labels.iter().map(text)),
            Join::Take(label) => {
                takes.insert(text(label));
            }
            Join::Alone | Join::Listen(_) => {}
        }
    }
    (offers, takes)
}

/// What an object can send now, where messages wait in queues.
fn sends(ensemble: &Ensemble<'_>, config: &Config, object: InstanceId) -> BTreeSet<String> {
    let system = &ensemble.objects.system;
    let own = ComponentId::from_index(object.index());
    let values = system.terms.values(config);
    let rules = system
        .rules
        .iter()
        .filter(|rule| rule.component == own && rule.join == Join::Alone && values[rule.guard] != 0);
    let events = rules.filter_map(|rule| rule.event).map(|event| &system.events[event]);
    let sent = events.filter(|event| event.kind == EventKind::Send && event.from == Some(own));
    sent.map(|event| event.message.clone()).collect()
}

fn listed(texts: &BTreeSet<String>) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(" or ")
}

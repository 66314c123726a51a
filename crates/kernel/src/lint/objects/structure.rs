//! Objects and links that contradict each other: E601, E604 to E607.
//!
//! Folders that collect state diagrams often hold several of one name. That is a mistake only if something
//! refers to that name: a lifeline, an object, the target of a send.

use std::collections::{BTreeMap, BTreeSet};

use super::FolderObjects;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Lifeline, Machine};
use crate::semantics::objects::{Structure, contradictions, double};

/// Each scenario that is looked at costs as much as the folder is large.
const MOST_SCENARIOS: usize = 50;

pub(super) fn check(system: &FolderObjects, findings: &mut Vec<Diagnostic>) {
    let FolderObjects { model, folders, folder, whole, problems, .. } = system;
    let mut found = problems.clone();
    // Most scenarios speak of the same lifelines: one that says nothing new is not looked at again.
    let mut seen: BTreeSet<(&str, &str, Option<&str>)> = BTreeSet::new();
    let mut looked_at = 0;
    let is_apart = whole.is_listed || !model.system.links.is_empty();
    for (id, interaction) in system.interactions().filter(|_| is_apart) {
        let strangers = interaction.lifelines.iter().filter(|one| !is_at_home(whole, one));
        let fresh = strangers.filter(|one| seen.insert((&one.name, &one.label, one.class.as_deref())));
        if fresh.count() > 0 && looked_at < MOST_SCENARIOS {
            looked_at += 1;
            found.extend(contradictions(model, folders, folder, id));
        }
    }
    found.retain(|one| one.code != Code::DoubleMachine);
    findings.extend(found);
    doubled(system, findings);
}

/// Whether a lifeline is an object that is known already, of the same class.
fn is_at_home(whole: &Structure, lifeline: &Lifeline) -> bool {
    let Some(id) = whole.object_of(lifeline) else { return false };
    lifeline.class.as_ref().is_none_or(|class| whole.objects[id].kinds.contains(&class.to_lowercase()))
}

/// Several machines of one class, if something refers to it.
fn doubled(system: &FolderObjects, findings: &mut Vec<Diagnostic>) {
    let lifelines = system.interactions().flat_map(|(_, one)| one.lifelines.iter());
    let names = lifelines.flat_map(|one| [one.own_label(), Some(one.class.as_ref().unwrap_or(&one.name))]);
    let named = names.flatten().map(|name| name.to_lowercase());
    let targets = system.machines().flat_map(|machine| machine.sends()).filter_map(|send| send.target.last());
    let mut wanted: BTreeSet<String> = named.chain(targets.map(|name| name.to_lowercase())).collect();
    if system.whole.is_listed {
        wanted.extend(system.whole.objects.iter().flat_map(|object| object.kinds.iter().cloned()));
    }
    let mut by_class: BTreeMap<&str, Vec<&Machine>> = BTreeMap::new();
    for machine in system.machines() {
        by_class.entry(machine.class.as_ref().unwrap_or(&machine.name)).or_default().push(machine);
    }
    for (_, machines) in by_class.iter().filter(|(class, _)| wanted.contains(&class.to_lowercase())) {
        findings.extend(machines[1..].iter().map(|other| double(machines[0], other)));
    }
}

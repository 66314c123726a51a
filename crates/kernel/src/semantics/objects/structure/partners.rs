//! Which objects exchange messages with others, as far as names tell. One that does not is alone with its environment, whatever else
//! stands in its folder: there a message without target goes out although its sender has such a trigger itself.

use std::collections::{BTreeMap, BTreeSet};

use super::kinds::Kinds;
use super::{InstanceId, Structure, followed};
use crate::model::{Effect, Machine, Send};
use crate::semantics::objects::call::called;

/// The objects that send another one something it takes, or are sent such a message.
pub(super) fn partners(kinds: &Kinds, structure: &Structure) -> BTreeSet<InstanceId> {
    let (mut partners, mut exchanges) = (BTreeSet::new(), BTreeMap::<String, Exchange>::new());
    let callees = Callees::new(structure);
    for (id, object) in structure.objects.enumerate() {
        let Some(machine) = object.machine.map(|id| &kinds.model.machines[id]) else { continue };
        for name in machine.triggers() {
            exchanges.entry(name.to_owned()).or_default().takers.insert(id);
        }
        for send in sends(machine) {
            match followed(&send.target) {
                [] if send.target.is_empty() => {
                    exchanges.entry(send.name).or_default().senders.insert(id);
                }
                path => {
                    for other in
                        path.iter().flat_map(|word| callees.of(id, word)).filter(|other| *other != id)
                    {
                        partners.extend([id, other]);
                    }
                }
            }
        }
    }
    for Exchange { senders, takers } in exchanges.values() {
        let meets_another =
            |own: &InstanceId, others: &BTreeSet<InstanceId>| others.iter().any(|other| other != own);
        partners.extend(senders.iter().filter(|sender| meets_another(sender, takers)));
        partners.extend(takers.iter().filter(|taker| meets_another(taker, senders)));
    }
    partners
}

/// The objects by what others call them; links are not asked.
struct Callees<'a> {
    structure: &'a Structure,
    by_name: BTreeMap<String, BTreeSet<InstanceId>>,
}

impl<'a> Callees<'a> {
    fn new(structure: &'a Structure) -> Self {
        let mut by_name: BTreeMap<String, BTreeSet<InstanceId>> = BTreeMap::new();
        for (id, object) in structure.objects.enumerate() {
            let names = object.kinds.iter().cloned().chain([object.name.to_lowercase()]);
            names.for_each(|name| {
                by_name.entry(name).or_default().insert(id);
            });
        }
        Callees { structure, by_name }
    }

    /// What an object may mean by a word.
    fn of(&self, from: InstanceId, word: &str) -> impl Iterator<Item = InstanceId> {
        let roles = self.structure.roles.get(&(from, word.to_owned()));
        let named = self.by_name.get(&word.to_lowercase()).filter(|_| roles.is_none());
        roles.into_iter().flatten().chain(named.into_iter().flatten()).copied()
    }
}

/// Who sends a message without target, and who takes it.
#[derive(Default)]
struct Exchange {
    senders: BTreeSet<InstanceId>,
    takers: BTreeSet<InstanceId>,
}

/// What a machine sends, calls whose results are kept among it.
fn sends(machine: &Machine) -> impl Iterator<Item = Send> {
    machine.effects().filter_map(|effect| match effect {
        Effect::Send(send) => Some(send.clone()),
        Effect::Assign(assign) => called(assign),
        Effect::Opaque { .. } => None,
    })
}

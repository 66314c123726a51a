//! Which objects exchange messages with others, as far as names tell. One that does not is alone with its environment, whatever else
//! stands in its folder: there a message without target goes out although its sender has such a trigger itself.

use std::collections::{BTreeMap, BTreeSet};

use super::kinds::Kinds;
use super::{InstanceId, Structure, followed};
use crate::model::{Effect, Expression, Machine};

/// The objects that send another one something it takes, or are sent such a message.
pub(super) fn partners(kinds: &Kinds, structure: &Structure) -> BTreeSet<InstanceId> {
    let (mut partners, mut exchanges) = (BTreeSet::new(), BTreeMap::<String, NamedExchange>::new());
    let callees = Callees::new(structure);
    for (id, object) in structure.objects.enumerate() {
        let Some(machine) = object.machine.map(|id| &kinds.model.machines[id]) else { continue };
        for name in machine.triggers() {
            exchanges.entry(name.to_owned()).or_default().takers.insert(id);
        }
        for (target, name) in sends(machine) {
            match followed(target) {
                [] if target.is_empty() => {
                    exchanges.entry(name.to_owned()).or_default().senders.insert(id);
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
    for NamedExchange { senders, takers } in exchanges.values() {
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
struct NamedExchange {
    senders: BTreeSet<InstanceId>,
    takers: BTreeSet<InstanceId>,
}

/// Target and name of what a machine sends, calls whose results are kept among it.
fn sends(machine: &Machine) -> impl Iterator<Item = (&[String], &str)> {
    machine.effects().filter_map(|effect| match effect {
        Effect::Send(send) => Some((send.target.as_slice(), send.name.as_str())),
        Effect::Assign(assign) => match &assign.value {
            Expression::Call(path, _) => {
                let called = path.split_last().filter(|(_, target)| !target.is_empty());
                called.map(|(name, target)| (target, name.as_str()))
            }
            Expression::Bool(_)
            | Expression::Int(_)
            | Expression::Text(_)
            | Expression::Name(_)
            | Expression::Unary(..)
            | Expression::Binary(..) => None,
        },
        Effect::Opaque { .. } => None,
    })
}

//! Groups: objects that talk to each other, directly or by way of others.
//!
//! The machines of a folder often have nothing to do with each other. The states of all of them together would be a product
//! that nobody asked for.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::Id;
use sequent_kernel::semantics::objects::{InstanceId, Objects, Structure};
use sequent_kernel::system::ComponentId;

/// The objects with a machine, parted into groups.
pub fn groups(objects: &Objects) -> Vec<BTreeSet<InstanceId>> {
    let has_machine = |id: &InstanceId| objects.structure.objects[*id].machine.is_some();
    let mut leader: BTreeMap<InstanceId, InstanceId> =
        objects.structure.objects.ids().filter(has_machine).map(|id| (id, id)).collect();
    let system = &objects.system;
    let seen = system.events.iter().filter_map(|event| Some((event.from?, event.to?)));
    let met = system.meetings.keys().map(|(_, from, to)| (*from, *to));
    for (from, to) in seen.chain(met) {
        let [from, to] = [from, to].map(|component: ComponentId| InstanceId::from_index(component.index()));
        let (Some(one), Some(other)) = (leader.get(&from).copied(), leader.get(&to).copied()) else {
            continue;
        };
        let least = one.min(other);
        leader
            .values_mut()
            .filter(|known| **known == one || **known == other)
            .for_each(|known| *known = least);
    }
    let mut groups: BTreeMap<InstanceId, BTreeSet<InstanceId>> = BTreeMap::new();
    for (object, leader) in leader {
        groups.entry(leader).or_default().insert(object);
    }
    groups.into_values().collect()
}

/// The structure of some of the objects, and of all that are environment.
pub fn only(whole: &Structure, members: &BTreeSet<InstanceId>) -> Structure {
    let mut part =
        Structure { is_listed: whole.is_listed, outside: whole.outside.clone(), ..Structure::default() };
    let mut new: BTreeMap<InstanceId, InstanceId> = BTreeMap::new();
    for (id, object) in whole.objects.enumerate() {
        if object.machine.is_none() || members.contains(&id) {
            new.insert(id, part.objects.push(object.clone()));
        } else {
            part.outside.extend(object.kinds.iter().cloned().chain([object.name.to_lowercase()]));
        }
    }
    let known = |ids: &mut dyn Iterator<Item = &InstanceId>| -> Vec<InstanceId> {
        ids.filter_map(|id| new.get(id).copied()).collect()
    };
    for (id, near) in &whole.links {
        if let Some(id) = new.get(id) {
            part.links.insert(*id, known(&mut near.iter()).into_iter().collect());
        }
    }
    for ((from, to), carried) in &whole.channels {
        if let (Some(from), Some(to)) = (new.get(from), new.get(to)) {
            part.channels.insert((*from, *to), carried.clone());
        }
    }
    for ((owner, role), far) in &whole.roles {
        if let Some(owner) = new.get(owner) {
            part.roles.insert((*owner, role.clone()), known(&mut far.iter()));
        }
    }
    for (from, to, message) in &whole.drawn {
        if let (Some(from), Some(to)) = (new.get(from), new.get(to)) {
            part.drawn.insert((*from, *to, message.clone()));
        }
    }
    part
}

//! Groups: objects that communicate with each other, directly or by way of others.
//!
//! The machines of a folder are often independent. Their product would only multiply the states.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::{Expression, Machine, Model, Send};
use sequent_kernel::semantics::objects::{InstanceId, Structure, triggers};

/// The objects with a machine, partitioned into groups. The partition is computed from the machines alone,
/// and is conservative: a group may be too large, but never too small.
pub(crate) fn groups(model: &Model, whole: &Structure) -> Vec<BTreeSet<InstanceId>> {
    let machine = |id: InstanceId| whole.objects[id].machine.map(|machine| &model.machines[machine]);
    let mut leader: BTreeMap<InstanceId, InstanceId> =
        whole.objects.ids().filter(|id| machine(*id).is_some()).map(|id| (id, id)).collect();
    let mut takers: BTreeMap<&str, Vec<InstanceId>> = BTreeMap::new();
    for (id, own) in leader.keys().filter_map(|id| Some((*id, machine(*id)?))) {
        triggers(own).into_keys().for_each(|name| takers.entry(name).or_default().push(id));
    }
    let all: Vec<InstanceId> = leader.keys().copied().collect();
    for (id, own) in all.iter().filter_map(|id| Some((*id, machine(*id)?))) {
        let mut partners: BTreeSet<InstanceId> = BTreeSet::new();
        for send in own.sends() {
            partners.extend(receivers(model, whole, id, own, send, &takers, &all));
        }
        for word in mentioned(own) {
            partners.extend(whole.named(id, word));
        }
        for partner in partners {
            join(&mut leader, id, partner);
        }
    }
    let mut groups: BTreeMap<InstanceId, BTreeSet<InstanceId>> = BTreeMap::new();
    for (object, leader) in leader {
        groups.entry(leader).or_default().insert(object);
    }
    groups.into_values().collect()
}

fn join(leader: &mut BTreeMap<InstanceId, InstanceId>, one: InstanceId, other: InstanceId) {
    let (Some(first), Some(second)) = (leader.get(&one).copied(), leader.get(&other).copied()) else {
        return;
    };
    if first != second {
        let least = first.min(second);
        let both = leader.values_mut().filter(|known| **known == first || **known == second);
        both.for_each(|known| *known = least);
    }
}

/// The objects that may ever receive what an object sends.
fn receivers(
    model: &Model,
    whole: &Structure,
    id: InstanceId,
    own: &Machine,
    send: &Send,
    takers: &BTreeMap<&str, Vec<InstanceId>>,
    all: &[InstanceId],
) -> Vec<InstanceId> {
    match send.target.as_slice() {
        [] => takers.get(send.name.as_str()).cloned().unwrap_or_default(),
        // The sender of a message is in the group already.
        [word] if ["self", "this", "sender"].contains(&word.as_str()) => Vec::new(),
        path => {
            let known = path.iter().map(|word| whole.named(id, word)).find(|found| !found.is_empty());
            // An attribute, of the machine or of a class, may refer to any object.
            match path.iter().any(|word| is_attribute(model, own, word)) {
                true => all.to_vec(),
                false => known.unwrap_or_default(),
            }
        }
    }
}

fn is_attribute(model: &Model, own: &Machine, word: &str) -> bool {
    let of_classes = model.classes.iter().flat_map(|class| &class.attributes).filter(|one| !one.is_port());
    own.attributes.iter().chain(of_classes).any(|attribute| attribute.name == word)
}

/// The names by which guards may refer to other objects.
fn mentioned(machine: &Machine) -> Vec<&str> {
    let guards = machine.transitions.iter().filter_map(|transition| transition.guard.as_ref());
    let mut open: Vec<&Expression> = guards.filter_map(|guard| guard.expression.as_ref()).collect();
    let mut found = Vec::new();
    while let Some(expression) = open.pop() {
        match expression {
            Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) => {}
            Expression::Name(path) => found.extend(path.first().map(String::as_str)),
            Expression::Unary(_, part) => open.push(part),
            Expression::Binary(_, left, right) => open.extend([left, right].map(|part| part.as_ref())),
            Expression::Call(_, parts) => open.extend(parts),
        }
    }
    found
}

/// The structure of some of the objects, and of all that are environment.
pub(crate) fn only(whole: &Structure, members: &BTreeSet<InstanceId>) -> Structure {
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
    for (from, to, message) in &whole.barred {
        if let (Some(from), Some(to)) = (new.get(from), new.get(to)) {
            part.barred.insert((*from, *to, message.clone()));
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
    part.undrawn = known(&mut whole.undrawn.iter()).into_iter().collect();
    let arriving = whole.arriving.iter().filter_map(|(to, message)| Some((*new.get(to)?, message.clone())));
    part.arriving = arriving.collect();
    part
}

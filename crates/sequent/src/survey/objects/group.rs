//! Groups: objects that communicate with each other, directly or by way of others.
//!
//! The machines of a folder are often independent. Their product would only multiply the states.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::id::Id;
use sequent_kernel::model::{Expression, Machine, Model, Send};
use sequent_kernel::semantics::objects::{InstanceId, OutsideNames, Structure, triggers};

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
        for partner in partners.into_iter().filter(|partner| machine(*partner).is_some()) {
            let (one, other) = (leading(&mut leader, id), leading(&mut leader, partner));
            leader.insert(one.max(other), one.min(other));
        }
    }
    let mut groups: BTreeMap<InstanceId, BTreeSet<InstanceId>> = BTreeMap::new();
    for object in all {
        groups.entry(leading(&mut leader, object)).or_default().insert(object);
    }
    groups.into_values().collect()
}

/// The least object that one is known to be in a group with; the way to it is made shorter.
fn leading(leader: &mut BTreeMap<InstanceId, InstanceId>, object: InstanceId) -> InstanceId {
    let mut at = object;
    while leader[&at] != at {
        let next = leader[&leader[&at]];
        leader.insert(at, next);
        at = next;
    }
    at
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

/// The structure of a folder, to be parted into groups.
pub(crate) struct Parting<'a> {
    whole: &'a Structure,
    /// The objects that are environment: they are in every part.
    environment: Vec<InstanceId>,
    /// What is outside of a part, but for its members.
    outside: OutsideNames,
}

impl<'a> Parting<'a> {
    /// Prepares a structure.
    pub(crate) fn new(whole: &'a Structure) -> Self {
        let mut names: BTreeMap<String, BTreeSet<InstanceId>> = BTreeMap::new();
        for (id, object) in whole.objects.enumerate().filter(|(_, object)| object.machine.is_some()) {
            for name in object.kinds.iter().cloned().chain([object.name.to_lowercase()]) {
                names.entry(name).or_default().insert(id);
            }
        }
        let environment = whole.objects.enumerate().filter(|(_, object)| object.machine.is_none());
        Parting {
            whole,
            environment: environment.map(|(id, _)| id).collect(),
            outside: whole.outside.with_objects(names),
        }
    }

    /// The structure of some of the objects, and of all that are environment.
    pub(crate) fn only(&self, members: &BTreeSet<InstanceId>) -> Structure {
        let whole = self.whole;
        let outside = self.outside.around(members);
        let mut part = Structure { is_listed: whole.is_listed, outside, ..Structure::default() };
        let all: BTreeSet<InstanceId> = members.iter().chain(&self.environment).copied().collect();
        let mut new: BTreeMap<InstanceId, InstanceId> = BTreeMap::new();
        for id in all {
            new.insert(id, part.objects.push(whole.objects[id].clone()));
        }
        let least = InstanceId::from_index(0);
        for (old, id) in &new {
            if let Some(near) = whole.links.get(old) {
                part.links.insert(*id, near.iter().filter_map(|one| new.get(one).copied()).collect());
            }
            let channels = whole.channels.range((*old, least)..).take_while(|((from, _), _)| from == old);
            for ((_, to), carried) in channels {
                if let Some(to) = new.get(to) {
                    part.channels.insert((*id, *to), carried.clone());
                }
            }
            part.barred.extend(between(&whole.barred, *old, &new));
            part.drawn.extend(between(&whole.drawn, *old, &new));
            let roles = whole.roles.range((*old, String::new())..).take_while(|((owner, _), _)| owner == old);
            for ((_, role), far) in roles {
                let far = far.iter().filter_map(|one| new.get(one).copied()).collect();
                part.roles.insert((*id, role.clone()), far);
            }
            let arriving = whole.arriving.range((*old, String::new())..).take_while(|(to, _)| to == old);
            part.arriving.extend(arriving.map(|(_, message)| (*id, message.clone())));
            part.partners.extend(whole.partners.contains(old).then_some(*id));
            if let Some(open) = whole.open_to.get(old) {
                part.open_to.insert(*id, open.clone());
            }
            part.undrawn.extend(whole.undrawn.contains(old).then_some(*id));
        }
        part
    }
}

/// The messages from one object to others of a part.
fn between(
    all: &BTreeSet<(InstanceId, InstanceId, String)>,
    from: InstanceId,
    new: &BTreeMap<InstanceId, InstanceId>,
) -> Vec<(InstanceId, InstanceId, String)> {
    let first = (from, InstanceId::from_index(0), String::new());
    let own = all.range(first..).take_while(|one| one.0 == from);
    own.filter_map(|(from, to, message)| Some((*new.get(from)?, *new.get(to)?, message.clone()))).collect()
}

//! Structure: which objects exist, and who can talk to whom (rule M5, docs/objects.md, "Who exists").
//!
//! A [`Structure`] is computed for one folder and, where the folder lists no objects, for one scenario whose lifelines are then
//! the objects. `kinds` knows classes and machines by name, `gather` finds the objects, `connect` their links, roles and what ports let through, `partners` who
//! exchanges anything.

mod bind;
mod connect;
mod gather;
mod kinds;
mod outside;
mod partners;
mod ports;
mod signatures;

pub use bind::{LifelineBinding, TooManyBindings};
pub(crate) use gather::double;
pub(crate) use kinds::Kinds;
pub use outside::OutsideNames;
pub(super) use ports::ports_of;

use std::collections::{BTreeMap, BTreeSet};

use self::connect::connect;
use self::gather::StructureDraft;
use crate::diagnostic::{Diagnostic, slip_of};
use crate::id;
use crate::id::IdVec;
use crate::model::{InteractionId, MachineId, Model};
use crate::source::{Folders, Place};

id! {
    /// An object of a system.
    InstanceId
}

/// The objects of a system.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Structure {
    /// The objects, in order of declaration.
    pub objects: IdVec<InstanceId, Instance>,
    /// For each object that has links: its neighbours, in order. An object without entry can communicate with
    /// all objects.
    pub links: BTreeMap<InstanceId, BTreeSet<InstanceId>>,
    /// What the ports of two linked objects let through from the first to the second; everything, if there is no entry.
    pub channels: BTreeMap<(InstanceId, InstanceId), BTreeSet<String>>,
    /// Sender, receiver and name of the messages that typed signatures rule out (P1).
    pub barred: BTreeSet<(InstanceId, InstanceId, String)>,
    /// What the ports of objects let out, by their names; a port without protocol has no entry.
    pub carried: BTreeMap<(InstanceId, String), BTreeSet<String>>,
    /// The role names by which an object refers to others: the far ends of links and associations, its own
    /// ports, in order; empty for a port on the border.
    pub roles: BTreeMap<(InstanceId, String), Vec<InstanceId>>,
    /// What diagrams draw: sender, receiver, message name. Tells what the environment sends and receives.
    pub drawn: BTreeSet<(InstanceId, InstanceId, String)>,
    /// What diagrams draw to an object from lifelines that are none: receiver, message name. Filled where no scenario in particular is looked at, whose
    /// environment would send it.
    pub arriving: BTreeSet<(InstanceId, String)>,
    /// What may come to objects with ports from where no lifeline is: what open ports let in, and what none of them speaks of. Anything may, if there is
    /// no entry.
    pub open_to: BTreeMap<InstanceId, BTreeSet<String>>,
    /// Objects that exchange something with others.
    pub partners: BTreeSet<InstanceId>,
    /// Objects whose lifelines end in some diagram (the cross): reaching the final states of their machines is seen as their end.
    pub stopped: BTreeSet<InstanceId>,
    /// Names, in lower case, of what the folder knows and the system does not contain: classes without machine, lifelines.
    pub outside: OutsideNames,
    /// Whether the objects are listed (object diagrams, `[system] objects`), so that there are no others.
    pub is_listed: bool,
    /// Objects that stand for a machine of which no diagram shows one: what they send to may be anywhere.
    pub undrawn: BTreeSet<InstanceId>,
}

/// An object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: Option<String>,
    /// What else it is called by its nature, in lower case: its class and those above it, its machine.
    pub kinds: Vec<String>,
    /// How it behaves; `None` for environment.
    pub machine: Option<MachineId>,
    /// Attribute values of its own, as written.
    pub values: Vec<(String, String)>,
    /// Where it is declared.
    pub place: Place,
}

/// The objects of a folder, as a scenario sees them, and what contradicts itself in their declarations.
pub fn structure(
    model: &Model,
    folders: &Folders,
    folder: &str,
    about: Option<InteractionId>,
) -> (Structure, Vec<Diagnostic>) {
    let mut gathering = gather(Kinds::of(model, folders, folder), about);
    gathering.outside();
    gathering.drawn(about.is_none());
    (gathering.structure, gathering.problems)
}

/// What contradicts itself where a scenario is looked at.
pub(crate) fn contradictions(
    model: &Model,
    folders: &Folders,
    folder: &str,
    about: InteractionId,
) -> Vec<Diagnostic> {
    gather(Kinds::of(model, folders, folder), Some(about)).problems
}

fn gather(kinds: Kinds<'_>, about: Option<InteractionId>) -> StructureDraft<'_> {
    let model = kinds.model;
    let mut gathering = StructureDraft::new(kinds);
    gathering.listed();
    if gathering.structure.is_listed {
        let shown = about.map(|about| model.family(about)).unwrap_or_default();
        shown.into_iter().for_each(|id| gathering.partners(id));
    } else {
        gathering.shown(about);
        gathering.machines();
    }
    connect(&mut gathering);
    gathering.structure.barred = signatures::barred(&gathering.kinds, &gathering.structure.objects);
    gathering.structure.partners = partners::partners(&gathering.kinds, &gathering.structure);
    gathering.problems.sort();
    gathering.problems.dedup();
    gathering
}

/// What the target of a send stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SendTarget {
    /// One of these objects, in order.
    Objects(Vec<InstanceId>),
    /// Something outside of the system.
    Outside,
    /// Nothing: a mistake (E602).
    Unknown,
}

impl Structure {
    /// Whether one object may send anything to another.
    pub fn is_linked(&self, from: InstanceId, to: InstanceId) -> bool {
        self.links.get(&from).is_none_or(|near| near.contains(&to))
            && self.links.get(&to).is_none_or(|near| near.contains(&from))
    }

    /// Whether one object may send this message to another: they are linked, their ports let it through, and no signature rules
    /// it out.
    pub fn lets_through(&self, from: InstanceId, to: InstanceId, message: &str) -> bool {
        self.is_linked(from, to)
            && !self.barred.contains(&(from, to, message.to_owned()))
            && self.channels.get(&(from, to)).is_none_or(|carried| carried.contains(message))
    }

    /// Whether an object is alone with its environment: it exchanges nothing with another, and no diagram or setting lists objects.
    pub fn is_sketch_of(&self, object: InstanceId) -> bool {
        !self.is_listed && !self.partners.contains(&object)
    }

    /// Whether a message may come to an object from where no lifeline is.
    pub fn lets_in(&self, to: InstanceId, message: &str) -> bool {
        self.open_to.get(&to).is_none_or(|open| open.contains(message))
    }

    /// What an object calls `name`, apart from `self`, `sender` and its attributes.
    pub fn target(&self, from: InstanceId, name: &str) -> SendTarget {
        let found = self.named(from, name);
        if !found.is_empty() {
            return SendTarget::Objects(found);
        }
        let is_border = self.roles.contains_key(&(from, name.to_owned()));
        if is_border || self.outside.contains(&name.to_lowercase()) {
            return SendTarget::Outside;
        }
        // Sketches send to lamps and motors that no diagram shows; where the sender is listed or drawn, and where a name is
        // nearly known, it is a mistake.
        let is_mistake = !self.undrawn.contains(&from) || self.meant(from, name).is_some();
        if is_mistake { SendTarget::Unknown } else { SendTarget::Outside }
    }

    /// The objects that one calls by a name, apart from `self`, `sender` and its attributes: by role, by object, by class.
    /// Its own name, or that of its class where no other object has it, means itself.
    pub fn named(&self, from: InstanceId, name: &str) -> Vec<InstanceId> {
        if let Some(known) = self.roles.get(&(from, name.to_owned())) {
            return known.clone();
        }
        let with = |fits: &dyn Fn(&Instance) -> bool| -> Vec<InstanceId> {
            let found = self.objects.enumerate().filter(|(id, object)| *id != from && fits(object));
            found.map(|(id, _)| id).filter(|id| self.is_linked(from, *id)).collect()
        };
        if self.objects[from].name == name {
            return vec![from];
        }
        let by_name = with(&|object| object.name == name);
        if !by_name.is_empty() {
            return by_name;
        }
        let lower = name.to_lowercase();
        let of_kind = with(&|object| object.kinds.contains(&lower));
        let is_own = of_kind.is_empty() && self.objects[from].kinds.contains(&lower);
        if is_own && !self.has_another(from, &lower) { vec![from] } else { of_kind }
    }

    /// The attribute that a path means on the object itself: `x`, `self.x`, `timer.x` in the machine of `timer`.
    pub(crate) fn own_part<'p>(&self, object: InstanceId, path: &'p [String]) -> Option<&'p String> {
        match path {
            [name] => Some(name),
            [word, name] if word == "self" || word == "this" => Some(name),
            [word, name] if self.named(object, word) == [object] => Some(name),
            _ => None,
        }
    }

    /// Whether another object is of a kind, given in lower case.
    fn has_another(&self, from: InstanceId, kind: &String) -> bool {
        self.objects.enumerate().any(|(id, object)| id != from && object.kinds.contains(kind))
    }

    /// The name that was probably meant by one that nothing has.
    pub fn meant(&self, from: InstanceId, name: &str) -> Option<&str> {
        let roles = self.roles.keys().filter(|(owner, _)| *owner == from).map(|(_, role)| role.as_str());
        let objects = self.objects.iter().flat_map(|object| {
            std::iter::once(object.name.as_str()).chain(object.kinds.iter().map(String::as_str))
        });
        // `motorA` beside a drawn `motorB` is another motor.
        let outside = || {
            let lower = name.to_lowercase();
            let others = self.outside.iter();
            slip_of(&lower, others.filter(|other| !are_siblings(&lower, other)))
        };
        slip_of(name, roles.chain(objects)).or_else(outside)
    }
}

/// The names of a path that lead on from the object itself: `self.bank` is `bank`, `self` nothing.
pub(crate) fn followed(path: &[String]) -> &[String] {
    match path {
        [word, rest @ ..] if word == "self" || word == "this" => rest,
        path => path,
    }
}

/// Whether two names differ in their last letters only.
fn are_siblings(one: &str, other: &str) -> bool {
    let stem = |name: &str| name.chars().rev().skip(1).collect::<String>();
    stem(one) == stem(other)
}

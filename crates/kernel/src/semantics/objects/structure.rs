//! Structure: which objects exist, and who can talk to whom (rule M5, docs/objects.md).

use std::collections::{BTreeMap, BTreeSet};

use crate::id;
use crate::id::IdVec;
use crate::model::MachineId;
use crate::source::Place;

id! {
    /// An object of a system.
    InstanceId
}

/// The objects of a system.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Structure {
    /// The objects, in order of declaration.
    pub objects: IdVec<InstanceId, Instance>,
    /// For each object that has links: its neighbours, in order. One without entry may talk to everybody.
    pub links: BTreeMap<InstanceId, BTreeSet<InstanceId>>,
    /// What an object calls others by role: the far ends of links and associations, in order.
    pub roles: BTreeMap<(InstanceId, String), Vec<InstanceId>>,
    /// What diagrams draw: sender, receiver, message name. Tells what the environment sends and receives.
    pub drawn: BTreeSet<(InstanceId, InstanceId, String)>,
}

/// An object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: Option<String>,
    /// How it behaves; `None` for environment.
    pub machine: Option<MachineId>,
    /// Attribute values of its own, as written.
    pub values: Vec<(String, String)>,
    /// Where it is declared.
    pub place: Place,
}

impl Structure {
    /// Whether one object may send to another.
    pub fn is_linked(&self, from: InstanceId, to: InstanceId) -> bool {
        self.links.get(&from).is_none_or(|near| near.contains(&to))
            && self.links.get(&to).is_none_or(|near| near.contains(&from))
    }

    /// The objects that one calls by a name, apart from `self`, `sender` and its attributes: by role, by object, by class.
    pub fn named(&self, from: InstanceId, name: &str) -> Vec<InstanceId> {
        if let Some(known) = self.roles.get(&(from, name.to_owned())) {
            return known.clone();
        }
        let with = |fits: &dyn Fn(&Instance) -> bool| -> Vec<InstanceId> {
            let found = self.objects.enumerate().filter(|(id, object)| *id != from && fits(object));
            found.map(|(id, _)| id).filter(|id| self.is_linked(from, *id)).collect()
        };
        let by_name = with(&|object| object.name == name);
        let by_class =
            || with(&|object| object.class.as_deref().is_some_and(|class| class.eq_ignore_ascii_case(name)));
        if by_name.is_empty() { by_class() } else { by_name }
    }
}

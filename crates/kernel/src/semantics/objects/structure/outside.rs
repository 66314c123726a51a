//! Names of what a folder knows and a system does not contain.
//!
//! Where the objects of a folder are parted into systems, what is outside of one is nearly all the folder. So the names
//! are kept once, those of objects with the objects that have them, and each system knows which objects it contains.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::InstanceId;

/// The names, in lower case.
#[derive(Clone, Debug, Default)]
pub struct OutsideNames {
    /// Of what is no object.
    always: Arc<BTreeSet<String>>,
    /// Of objects, with those that have them.
    objects: Arc<BTreeMap<String, BTreeSet<InstanceId>>>,
    /// The objects that are inside.
    inside: BTreeSet<InstanceId>,
}

impl OutsideNames {
    /// The same, where objects with these names are outside as well.
    pub fn with_objects(&self, objects: BTreeMap<String, BTreeSet<InstanceId>>) -> Self {
        OutsideNames { objects: Arc::new(objects), ..self.clone() }
    }

    /// The same, where some of the objects are inside.
    pub fn around(&self, inside: &BTreeSet<InstanceId>) -> Self {
        OutsideNames { inside: inside.clone(), ..self.clone() }
    }

    /// Whether something outside has this name.
    pub fn contains(&self, name: &str) -> bool {
        let has_owner = |owners: &BTreeSet<InstanceId>| !owners.is_subset(&self.inside);
        self.always.contains(name) || self.objects.get(name).is_some_and(has_owner)
    }

    /// All names, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let objects = self.objects.iter().filter(|(_, owners)| !owners.is_subset(&self.inside));
        let names: BTreeSet<&str> =
            objects.map(|(name, _)| name.as_str()).chain(self.always.iter().map(String::as_str)).collect();
        names.into_iter()
    }
}

impl PartialEq for OutsideNames {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for OutsideNames {}

impl FromIterator<String> for OutsideNames {
    fn from_iter<N: IntoIterator<Item = String>>(names: N) -> Self {
        OutsideNames { always: Arc::new(names.into_iter().collect()), ..OutsideNames::default() }
    }
}

//! Classes and machines of a folder by name: which machine an object of a class behaves as, and what its class inherits.
//!
//! Classes are one by name over everything that was read; machines count only in their own folder (decision 5).

use std::collections::BTreeSet;

use crate::lint::Folders;
use crate::model::{AssociationKind, Class, ClassId, Machine, MachineId, Model};
use crate::source::Place;

/// The classes and machines of a folder.
pub(crate) struct Kinds<'a> {
    pub model: &'a Model,
    folders: &'a Folders,
    folder: &'a str,
    /// The machines of the folder, in order.
    pub machines: Vec<MachineId>,
}

impl<'a> Kinds<'a> {
    pub fn of(model: &'a Model, folders: &'a Folders, folder: &'a str) -> Self {
        let mut kinds = Kinds { model, folders, folder, machines: Vec::new() };
        kinds.machines = model.machines.ids().filter(|id| kinds.is_here(model.machines[*id].place)).collect();
        kinds
    }

    /// Whether something stands in a file of the folder.
    pub fn is_here(&self, place: Place) -> bool {
        self.folders.get(&place.0.file).is_some_and(|folder| folder == self.folder)
    }

    /// The machines that an object may behave as.
    pub fn candidates(&self, name: &str, class: Option<&str>) -> Vec<MachineId> {
        match class {
            Some(class) => self.behaviours(class),
            None => self.namesakes(name),
        }
    }

    /// The machines as which objects of a class behave: those of its name, else those of the nearest class above it.
    pub fn behaviours(&self, class: &str) -> Vec<MachineId> {
        let lineage = self.lineage(class);
        let own = lineage.iter().map(|name| self.called(name, |a, b| a == b));
        let alike = || self.called(class, |a, b| a.eq_ignore_ascii_case(b));
        own.into_iter().find(|found| !found.is_empty()).unwrap_or_else(alike)
    }

    /// The machines that something without class may be, by its own name.
    pub fn namesakes(&self, name: &str) -> Vec<MachineId> {
        let exact = self.called(name, |a, b| a == b);
        if exact.is_empty() { self.called(name, |a, b| a.eq_ignore_ascii_case(b)) } else { exact }
    }

    fn called(&self, name: &str, same: fn(&str, &str) -> bool) -> Vec<MachineId> {
        let fits = |machine: &Machine| match &machine.class {
            Some(class) => same(class, name),
            None => same(&machine.name, name),
        };
        let by = |fits: &dyn Fn(&Machine) -> bool| -> Vec<MachineId> {
            self.machines.iter().copied().filter(|id| fits(&self.model.machines[*id])).collect()
        };
        let by_class = by(&fits);
        if by_class.is_empty() { by(&|machine| same(&machine.name, name)) } else { by_class }
    }

    /// A class by its name.
    pub fn class(&self, name: &str) -> Option<&'a Class> {
        self.class_id(name).map(|id| &self.model.classes[id])
    }

    fn class_id(&self, name: &str) -> Option<ClassId> {
        self.model.classes.find(|class| class.name == name)
    }

    /// A class and those above it, nearest first, by name.
    pub fn lineage(&self, class: &str) -> Vec<String> {
        let mut lineage = vec![class.to_owned()];
        let mut open: Vec<ClassId> = self.class_id(class).into_iter().collect();
        let mut seen: BTreeSet<ClassId> = open.iter().copied().collect();
        let mut next = 0;
        while let Some(at) = open.get(next).copied() {
            next += 1;
            let above = self.model.associations.iter().filter(|one| match one.kind {
                AssociationKind::Generalization | AssociationKind::Realization => one.ends[0].class == at,
                AssociationKind::Association
                | AssociationKind::Aggregation
                | AssociationKind::Composition
                | AssociationKind::Dependency => false,
            });
            for parent in above.map(|one| one.ends[1].class) {
                if seen.insert(parent) {
                    lineage.push(self.model.classes[parent].name.clone());
                    open.push(parent);
                }
            }
        }
        lineage
    }

    /// What an object is called by its nature, in lower case.
    pub fn words(&self, name: &str, class: Option<&str>, machine: Option<MachineId>) -> Vec<String> {
        let own = match class {
            Some(class) => self.lineage(class),
            None => vec![name.to_owned()],
        };
        let machine = machine.map(|id| &self.model.machines[id]);
        let machine = machine.into_iter().flat_map(|one| [Some(one.name.clone()), one.class.clone()]);
        let mut words: Vec<String> = Vec::new();
        for word in own.into_iter().chain(machine.flatten()).map(|word| word.to_lowercase()) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }
}

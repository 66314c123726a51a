//! Classes and machines of a folder by name: which machine an object of a class behaves as, and what its class inherits.
//!
//! Classes are one by name over everything that was read; machines count only in their own folder (decision 5).

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{AssociationKind, Class, ClassId, Lifeline, Machine, MachineId, Model};
use crate::source::{Folders, Place};

/// The classes and machines of a folder.
pub(crate) struct Kinds<'a> {
    pub model: &'a Model,
    folders: &'a Folders,
    folder: &'a str,
    /// The machines of the folder, in order.
    pub machines: Vec<MachineId>,
    /// The machines by the class whose objects behave so, and those by their own names: as written, and in lower case.
    by_class: [BTreeMap<String, Vec<MachineId>>; 2],
    by_name: [BTreeMap<String, Vec<MachineId>>; 2],
    classes: BTreeMap<&'a str, ClassId>,
    /// The classes directly above each class.
    above: BTreeMap<ClassId, Vec<ClassId>>,
}

/// How names are compared.
#[derive(Clone, Copy)]
enum NameComparison {
    AsWritten,
    Ignored,
}

impl<'a> Kinds<'a> {
    pub(crate) fn of(model: &'a Model, folders: &'a Folders, folder: &'a str) -> Self {
        let mut kinds = Kinds {
            model,
            folders,
            folder,
            machines: Vec::new(),
            by_class: Default::default(),
            by_name: Default::default(),
            classes: BTreeMap::new(),
            above: BTreeMap::new(),
        };
        kinds.machines = model.machines.ids().filter(|id| kinds.is_here(model.machines[*id].place)).collect();
        for id in kinds.machines.clone() {
            kinds.register(id, &model.machines[id]);
        }
        for (id, class) in model.classes.enumerate() {
            kinds.classes.entry(&class.name).or_insert(id);
        }
        for one in &model.associations {
            match one.kind {
                AssociationKind::Generalization | AssociationKind::Realization => {
                    kinds.above.entry(one.ends[0].class).or_default().push(one.ends[1].class);
                }
                AssociationKind::Association
                | AssociationKind::Aggregation
                | AssociationKind::Composition
                | AssociationKind::Dependency => {}
            }
        }
        kinds
    }

    fn register(&mut self, id: MachineId, machine: &Machine) {
        let class = machine.class.as_ref().unwrap_or(&machine.name);
        for (table, name) in [(&mut self.by_class, class), (&mut self.by_name, &machine.name)] {
            let [written, lower] = table;
            written.entry(name.clone()).or_default().push(id);
            lower.entry(name.to_lowercase()).or_default().push(id);
        }
    }

    /// Whether something stands in a file of the folder.
    pub(crate) fn is_here(&self, place: Place) -> bool {
        self.folders.get(&place.0.file).is_some_and(|folder| folder == self.folder)
    }

    /// The machines that an object may behave as.
    pub(crate) fn candidates(&self, name: &str, class: Option<&str>) -> Vec<MachineId> {
        match class {
            Some(class) => self.behaviours(class),
            None => self.namesakes(name),
        }
    }

    /// The machines as which objects of a class behave: those of its name, else those of the nearest class above it.
    pub(crate) fn behaviours(&self, class: &str) -> Vec<MachineId> {
        let lineage = self.lineage(class);
        let mut own = lineage.iter().map(|name| self.called(name, NameComparison::AsWritten));
        own.find(|found| !found.is_empty()).unwrap_or_else(|| self.called(class, NameComparison::Ignored))
    }

    /// The machines that something without class may be, by its own name.
    pub(crate) fn namesakes(&self, name: &str) -> Vec<MachineId> {
        let exact = self.called(name, NameComparison::AsWritten);
        if exact.is_empty() { self.called(name, NameComparison::Ignored) } else { exact }
    }

    /// The machines that a lifeline may behave as: by its class, by its name, else by its label.
    pub(crate) fn of_lifeline(&self, lifeline: &Lifeline) -> Vec<MachineId> {
        let known = self.candidates(&lifeline.name, lifeline.class.as_deref());
        match lifeline.own_label().filter(|_| known.is_empty()) {
            Some(label) => self.namesakes(label),
            None => known,
        }
    }

    /// The machine that a lifeline behaves as by its label alone: `participant D as Door`.
    pub(crate) fn labelled(&self, lifeline: &Lifeline) -> Option<MachineId> {
        let is_named = !self.candidates(&lifeline.name, lifeline.class.as_deref()).is_empty();
        self.of_lifeline(lifeline).first().copied().filter(|_| !is_named)
    }

    /// The machines of a class, else those of that name.
    fn called(&self, name: &str, case: NameComparison) -> Vec<MachineId> {
        let (at, name) = match case {
            NameComparison::AsWritten => (0, name.to_owned()),
            NameComparison::Ignored => (1, name.to_lowercase()),
        };
        let found = self.by_class[at].get(&name).or_else(|| self.by_name[at].get(&name));
        found.cloned().unwrap_or_default()
    }

    /// A class by its name.
    pub(crate) fn class(&self, name: &str) -> Option<&'a Class> {
        self.class_id(name).map(|id| &self.model.classes[id])
    }

    fn class_id(&self, name: &str) -> Option<ClassId> {
        self.classes.get(name).copied()
    }

    /// A class and those above it, nearest first, by name.
    pub(crate) fn lineage(&self, class: &str) -> Vec<String> {
        let mut lineage = vec![class.to_owned()];
        let mut open: Vec<ClassId> = self.class_id(class).into_iter().collect();
        let mut seen: BTreeSet<ClassId> = open.iter().copied().collect();
        let mut next = 0;
        while let Some(at) = open.get(next).copied() {
            next += 1;
            for parent in self.above.get(&at).into_iter().flatten().copied() {
                if seen.insert(parent) {
                    lineage.push(self.model.classes[parent].name.clone());
                    open.push(parent);
                }
            }
        }
        lineage
    }

    /// What an object is called by its nature, in lower case.
    pub(crate) fn words(&self, name: &str, class: Option<&str>, machine: Option<MachineId>) -> Vec<String> {
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

//! Scopes: the diagrams of one folder, which are one system.

use std::borrow::Cow;
use std::collections::BTreeSet;

use sequent_kernel::diagnostic::{Diagnostic, Severity};
use sequent_kernel::model::{InteractionId, MachineId, Model};
use sequent_kernel::semantics::objects::{Structure, local, structure};
use sequent_kernel::source::{FileId, Folders, Place, Span};

use crate::finding::is_of_question;

/// The diagrams of one folder.
#[derive(Clone)]
pub struct Scope<'m> {
    /// The folder.
    pub folder: String,
    /// What was read, with the classes of this folder only.
    pub model: Cow<'m, Model>,
    folders: &'m Folders,
}

impl<'m> Scope<'m> {
    /// The diagrams of a folder.
    pub fn new(model: &'m Model, folders: &'m Folders, folder: &str) -> Self {
        Scope { folder: folder.to_owned(), model: local(model, folders, folder), folders }
    }

    /// The scope of something that stands in a file.
    pub fn of(model: &'m Model, folders: &'m Folders, place: Place) -> Option<Self> {
        folders.get(&place.0.file).map(|folder| Scope::new(model, folders, folder))
    }

    /// The folders in which there are machines.
    pub(crate) fn with_machines(model: &'m Model, folders: &'m Folders) -> Vec<Self> {
        let machines = model.machines.iter().filter_map(|machine| folders.get(&machine.place.0.file));
        let named: BTreeSet<&String> = machines.collect();
        named.into_iter().map(|folder| Scope::new(model, folders, folder)).collect()
    }

    /// The objects, as a diagram sees them.
    pub fn structure(&self, about: Option<InteractionId>) -> Structure {
        structure(&self.model, self.folders, &self.folder, about).0
    }

    /// Whether something stands in this folder.
    pub fn holds(&self, place: Place) -> bool {
        self.folders.get(&place.0.file) == Some(&self.folder)
    }

    /// What the system is called: its machines.
    pub fn title(&self) -> String {
        let own = self.machines().map(|id| self.model.machines[id].name.as_str());
        own.collect::<Vec<_>>().join(", ")
    }

    /// The machines of the folder.
    pub fn machines(&self) -> impl Iterator<Item = MachineId> {
        let all = self.model.machines.enumerate();
        all.filter(|(_, machine)| self.holds(machine.place)).map(|(id, _)| id)
    }

    /// Whether something is wrong in the folder, apart from questions and from other sequence diagrams than this.
    pub fn has_errors(&self, about: Option<InteractionId>, found: &[Diagnostic]) -> bool {
        let others: Vec<Span> = self
            .model
            .interactions
            .enumerate()
            .filter(|(id, _)| Some(*id) != about)
            .map(|(_, interaction)| interaction.place.0)
            .collect();
        let is_own = |file: FileId| self.folders.get(&file) == Some(&self.folder);
        found.iter().any(|one| {
            one.severity == Severity::Error
                && is_own(one.span.file)
                && !is_of_question(one)
                && !others.iter().any(|place| place.encloses(one.span))
        })
    }
}

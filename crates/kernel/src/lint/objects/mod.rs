//! Findings about the systems of objects that the machines of a folder form, one file per concern.
//!
//! Folders without machines have no system: their object and sequence diagrams are not looked at here.

mod structure;

use std::collections::BTreeSet;

use super::Folders;
use crate::diagnostic::Diagnostic;
use crate::model::{Interaction, InteractionId, Machine, Model};
use crate::semantics::objects::Structure;

/// All findings about the systems of a model.
pub fn systems(model: &Model, folders: &Folders) -> Vec<Diagnostic> {
    let machines = model.machines.iter().filter_map(|machine| folders.get(&machine.place.0.file));
    let named: BTreeSet<&String> = machines.collect();
    let mut findings = Vec::new();
    for folder in named {
        let (whole, problems) = crate::semantics::objects::structure(model, folders, folder, None);
        let system = System { model, folders, folder, whole, problems };
        structure::check(&system, &mut findings);
    }
    findings
}

/// What a folder holds.
struct System<'a> {
    model: &'a Model,
    folders: &'a Folders,
    folder: &'a str,
    /// Its objects, as no scenario in particular sees them.
    whole: Structure,
    /// What contradicts itself in their declarations.
    problems: Vec<Diagnostic>,
}

impl<'a> System<'a> {
    fn is_here(&self, place: crate::source::Place) -> bool {
        self.folders.get(&place.0.file).is_some_and(|folder| folder == self.folder)
    }

    fn machines(&self) -> impl Iterator<Item = &'a Machine> {
        self.model.machines.iter().filter(|one| self.is_here(one.place))
    }

    fn interactions(&self) -> impl Iterator<Item = (InteractionId, &'a Interaction)> {
        self.model.interactions.enumerate().filter(|(_, one)| self.is_here(one.place))
    }
}

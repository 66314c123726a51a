//! Findings about the systems of objects that the machines of a folder form, one file per concern.
//!
//! Folders without machines have no system: their object and sequence diagrams are not looked at here.

mod arguments;
mod asked;
mod completion;
mod data;
mod empty;
mod structure;
mod triggers;

pub use data::without_machine;

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::meter::{self, Work};
use crate::model::{Interaction, InteractionId, Lifeline, Machine, MachineId, Model, Question, Subject};
use crate::semantics::objects::{self, Kinds, Structure};
use crate::source::{Folders, Place};

/// All findings about the systems of a model.
pub fn systems(model: &Model, folders: &Folders) -> Vec<Diagnostic> {
    let machines = model.machines.iter().filter_map(|machine| folders.get(&machine.place.0.file));
    let named: BTreeSet<&String> = machines.collect();
    let mut findings = Vec::new();
    asked::check(model, folders, &mut findings);
    for folder in named {
        if meter::leaves(Work::Lints, 1) {
            continue;
        }
        let model = &*objects::local(model, folders, folder);
        let (whole, problems) = objects::structure(model, folders, folder, None);
        let kinds = Kinds::of(model, folders, folder);
        let system = FolderObjects { model, folders, folder, kinds, whole, problems };
        structure::check(&system, &mut findings);
        completion::check(&system, &mut findings);
        empty::check(&system, &mut findings);
        data::check(&system, &mut findings);
        arguments::check(&system, &mut findings);
        triggers::check(&system, &mut findings);
    }
    findings
}

/// Whether a finding is about something that state machines decide: in which order messages arrive in a scenario that they
/// are asked about.
pub(super) fn is_settled(finding: &Diagnostic, model: &Model, folders: &Folders) -> bool {
    let is_inside = |place: Place| place.0.encloses(finding.span);
    let is_scenario = |id: InteractionId| {
        model.checks.iter().any(|check| match (&check.question, check.subject) {
            (Question::Scenario(scenario), Some(Subject::Interaction(own))) => {
                scenario.interaction.is_none() && own == id
            }
            (Question::Scenario(scenario), _) => {
                scenario.interaction.as_ref().map(|word| &word.text) == Some(&model.interactions[id].name)
            }
            (_, _) => false,
        })
    };
    let folder = folders.get(&finding.span.file);
    finding.code == Code::Race
        && folder.is_some()
        && model.machines.iter().any(|machine| folders.get(&machine.place.0.file) == folder)
        && model.interactions.enumerate().any(|(id, one)| is_inside(one.place) && is_scenario(id))
}

/// What a folder holds.
struct FolderObjects<'a> {
    model: &'a Model,
    folders: &'a Folders,
    folder: &'a str,
    kinds: Kinds<'a>,
    /// Its objects, as no scenario in particular sees them.
    whole: Structure,
    /// What contradicts itself in their declarations.
    problems: Vec<Diagnostic>,
}

impl<'a> FolderObjects<'a> {
    fn is_here(&self, place: Place) -> bool {
        self.folders.get(&place.0.file).is_some_and(|folder| folder == self.folder)
    }

    fn machine_ids(&self) -> impl Iterator<Item = MachineId> {
        self.kinds.machines.iter().copied()
    }

    fn machines(&self) -> impl Iterator<Item = &'a Machine> {
        self.machine_ids().map(|id| &self.model.machines[id])
    }

    /// The machine of the object that a lifeline stands for.
    fn machine_of(&self, lifeline: &Lifeline) -> Option<MachineId> {
        if self.whole.is_listed {
            return self.whole.object_of(lifeline).and_then(|id| self.whole.objects[id].machine);
        }
        self.kinds.of_lifeline(lifeline).first().copied()
    }

    fn interactions(&self) -> impl Iterator<Item = (InteractionId, &'a Interaction)> {
        self.model.interactions.enumerate().filter(|(_, one)| self.is_here(one.place))
    }
}

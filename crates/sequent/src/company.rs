//! Company: the files beside a file that belong to the same system.
//!
//! Editors and hooks name single files, whose meaning depends on other files of their folder: the machines of
//! lifelines, the objects that other diagrams show, classes, diagrams that are referred to. Two files belong
//! together if one defines what the other mentions, transitively.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::model::{Fragment, Model};
use sequent_kernel::source::Folders;
use sequent_kernel::source::{FileId, Place, Sources};
use sequent_notation::Loader;

use crate::reading::read;
use crate::settings::Settings;

/// The files among `all` that belong to `own` ones of the same folder, without these.
pub fn company(
    own: &[FileId],
    all: &[FileId],
    sources: &mut Sources,
    loader: &mut dyn Loader,
    settings: &Settings,
) -> BTreeSet<FileId> {
    if own.len() == all.len() {
        return BTreeSet::new();
    }
    let reading = read(all, sources, loader, &Settings::default());
    let mut names = Names::of(&reading.model, &reading.folders);
    names.join_listed(settings);
    let mut found: BTreeSet<FileId> = own.iter().copied().collect();
    let mut open: Vec<FileId> = own.to_vec();
    while let Some(file) = open.pop() {
        let joined = all.iter().filter(|other| names.joins(file, **other)).copied();
        let joined: Vec<FileId> = joined.filter(|other| found.insert(*other)).collect();
        open.extend(joined);
    }
    found.into_iter().filter(|file| !own.contains(file)).collect()
}

/// The names that each file defines and mentions, with the folder, in lower case.
#[derive(Default)]
struct Names {
    defined: BTreeMap<FileId, BTreeSet<(String, String)>>,
    mentioned: BTreeMap<FileId, BTreeSet<(String, String)>>,
}

impl Names {
    fn of(model: &Model, folders: &Folders) -> Self {
        let mut names = Names::default();
        let word = |place: Place, name: &str| {
            let folder = folders.get(&place.0.file).cloned().unwrap_or_default();
            (folder, name.to_lowercase())
        };
        let add = |table: &mut BTreeMap<FileId, BTreeSet<(String, String)>>, place: Place, name: &str| {
            table.entry(place.0.file).or_default().insert(word(place, name));
        };
        for machine in model.machines.iter() {
            add(&mut names.defined, machine.place, &machine.name);
            if let Some(class) = &machine.class {
                add(&mut names.defined, machine.place, class);
            }
            // A class of that name says what the machine's attributes are.
            add(&mut names.mentioned, machine.place, machine.class.as_ref().unwrap_or(&machine.name));
            for target in machine.sends().filter_map(|send| send.target.last()) {
                add(&mut names.mentioned, machine.place, target);
            }
        }
        for class in model.classes.iter() {
            add(&mut names.defined, class.place, &class.name);
            for kind in class.attributes.iter().filter_map(|one| one.type_name.as_ref()) {
                add(&mut names.mentioned, class.place, kind.trim_start_matches('~'));
            }
        }
        for object in model.objects.iter() {
            add(&mut names.defined, object.place, &object.name);
            if let Some(class) = &object.class {
                add(&mut names.mentioned, object.place, class);
            }
        }
        for interaction in model.interactions.iter() {
            add(&mut names.defined, interaction.place, &interaction.name);
            for lifeline in interaction.lifelines.iter() {
                add(&mut names.mentioned, interaction.place, &lifeline.name);
                if let Some(class) = &lifeline.class {
                    add(&mut names.mentioned, interaction.place, class);
                }
            }
            interaction.walk(&mut |fragment, _| {
                if let Fragment::Use(used) = fragment {
                    add(&mut names.mentioned, interaction.place, &used.name);
                }
            });
        }
        names
    }

    /// Objects that settings list are one system: a file that defines the class of one mentions those of all others.
    fn join_listed(&mut self, settings: &Settings) {
        let classes: BTreeSet<String> =
            settings.system.objects.iter().map(|(_, class, _)| class.to_lowercase()).collect();
        for (file, defined) in &self.defined {
            let folders: Vec<&String> =
                defined.iter().filter(|(_, name)| classes.contains(name)).map(|(folder, _)| folder).collect();
            let words = folders
                .iter()
                .flat_map(|folder| classes.iter().map(|class| ((*folder).clone(), class.clone())));
            self.mentioned.entry(*file).or_default().extend(words);
        }
    }

    /// Whether one file defines what the other mentions.
    fn joins(&self, one: FileId, other: FileId) -> bool {
        let meets = |defining: FileId, mentioning: FileId| match (
            self.defined.get(&defining),
            self.mentioned.get(&mentioning),
        ) {
            (Some(defined), Some(mentioned)) => !defined.is_disjoint(mentioned),
            (None, _) | (_, None) => false,
        };
        one != other && (meets(one, other) || meets(other, one))
    }
}

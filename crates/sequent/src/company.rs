//! Company: the files beside a file that belong to the same system.
//!
//! Editors and hooks name single files, whose meaning depends on other files of their folder: the machines of
//! lifelines, the objects that other diagrams show, classes, diagrams that are referred to. Two files belong
//! together if one defines what the other mentions, transitively.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use sequent_kernel::source::{FileId, Sources};
use sequent_notation::Loader;

use crate::page::{FileNames, Page, Pages, ScopedName, elements};
use crate::settings::{DiagramUse, Settings};

/// The files among `all` that belong to `own` ones of the same folder, without these.
pub fn company(
    own: &[FileId],
    all: &[FileId],
    settings: &Settings,
    pages: &mut Pages,
    sources: &mut Sources,
    loader: &mut dyn Loader,
) -> BTreeSet<FileId> {
    if own.len() == all.len() {
        return BTreeSet::new();
    }
    let read: Vec<_> = all.iter().map(|file| (*file, pages.page(*file, sources, loader))).collect();
    let listed = listed(&read, settings);
    let mut meetings: HashMap<&ScopedName, NameFiles> = HashMap::new();
    for (file, word) in &listed {
        meetings.entry(word).or_default().mentioned.push(*file);
    }
    for (file, page) in &read {
        page.names.defined.iter().for_each(|word| meetings.entry(word).or_default().defined.push(*file));
        page.names.mentioned.iter().for_each(|word| meetings.entry(word).or_default().mentioned.push(*file));
    }
    let names: HashMap<FileId, &FileNames> = read.iter().map(|(file, page)| (*file, &page.names)).collect();
    let mut found: BTreeSet<FileId> = own.iter().copied().collect();
    let mut open: Vec<FileId> = own.to_vec();
    while let Some(file) = open.pop() {
        let Some(names) = names.get(&file) else { continue };
        // Who mentions what this file defines, and who defines what it mentions; each name is looked at once.
        for word in &names.defined {
            let all = meetings.get_mut(word).map(|meeting| std::mem::take(&mut meeting.mentioned));
            open.extend(all.unwrap_or_default().into_iter().filter(|file| found.insert(*file)));
        }
        let also = listed.iter().filter(|(other, _)| *other == file).map(|(_, word)| word);
        for word in names.mentioned.iter().chain(also) {
            let all = meetings.get_mut(word).map(|meeting| std::mem::take(&mut meeting.defined));
            open.extend(all.unwrap_or_default().into_iter().filter(|file| found.insert(*file)));
        }
    }
    found.into_iter().filter(|file| !own.contains(file)).collect()
}

/// What settings bring together: the objects that they list are one system, a question of theirs is about all that it names, and
/// a property about the diagrams with its messages.
fn listed(read: &[(FileId, Arc<Page>)], settings: &Settings) -> Vec<(FileId, ScopedName)> {
    let objects = settings.system.objects.iter().flat_map(|(name, class, _)| [name.as_str(), class]);
    let mut groups: Vec<Vec<&str>> = vec![objects.collect()];
    groups.extend(settings.checks.iter().map(elements));
    let mut found = Vec::new();
    for (file, page) in read {
        let names = &page.names;
        for group in groups.iter().filter(|group| group.iter().any(|name| names.defines(name))) {
            found.extend(group.iter().map(|name| (*file, names.element(name))));
        }
        let asking = settings.checks.iter().filter(|check| check.asks_by_diagram()).flat_map(elements);
        let properties = settings.uses.iter().filter(|(_, (used, _))| *used == DiagramUse::Property);
        let mut asking = asking.chain(properties.map(|(name, _)| name.as_str()));
        if asking.any(|name| names.defines(name)) {
            found.extend(names.messages().map(|word| (*file, word.clone())));
        }
    }
    found
}

/// The files that define and mention a name.
#[derive(Default)]
struct NameFiles {
    defined: Vec<FileId>,
    mentioned: Vec<FileId>,
}

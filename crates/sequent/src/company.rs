//! Company: the files beside a file that belong to the same system.
//!
//! Editors and hooks name single files, whose meaning depends on other files of their folder: the machines of
//! lifelines, the objects that other diagrams show, classes, diagrams that are referred to. Two files belong
//! together if one defines what the other mentions, transitively.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use sequent_kernel::source::{FileId, Sources};
use sequent_notation::Loader;

use crate::page::{FileNames, Pages, ScopedName, elements};
use crate::settings::{DiagramUse, Settings};

/// The files among `all` that belong to `own` ones of the same folder, without these.
pub fn company(
    own: &[FileId],
    all: &[FileId],
    settings: &Settings,
    memory: &mut CompanyMemory,
    pages: &mut Pages,
    sources: &mut Sources,
    loader: &mut dyn Loader,
) -> BTreeSet<FileId> {
    if own.len() == all.len() {
        return BTreeSet::new();
    }
    let read: NamesByFile =
        all.iter().map(|file| (*file, pages.page(*file, sources, loader).names.clone())).collect();
    let settings = GroupingSettings::of(settings);
    if let Some(known) = memory.0.iter().find(|known| known.is_true(own, &read, &settings)) {
        return known.found.clone();
    }
    let found = found(own, &read, &settings);
    memory.0.retain(|known| known.own != own);
    memory.0.truncate(MOST_KNOWN - 1);
    memory.0.insert(0, KnownCompany { own: own.to_vec(), read, settings, found: found.clone() });
    found
}

/// Which files belonged together, for the next time: a server asks after every keystroke, and few of these change a name.
#[derive(Clone, Default)]
pub struct CompanyMemory(Vec<KnownCompany>);

/// No more is remembered: as many as files are edited side by side.
const MOST_KNOWN: usize = 8;

/// What files define and mention, each with the file.
type NamesByFile = Vec<(FileId, Arc<FileNames>)>;

/// Which files belonged together, and what that was found out from.
#[derive(Clone)]
struct KnownCompany {
    own: Vec<FileId>,
    read: NamesByFile,
    settings: GroupingSettings,
    found: BTreeSet<FileId>,
}

impl KnownCompany {
    /// Whether it would be found out again.
    fn is_true(&self, own: &[FileId], read: &NamesByFile, settings: &GroupingSettings) -> bool {
        let mut pairs = read.iter().zip(&self.read);
        self.own == own
            && self.read.len() == read.len()
            && pairs.all(|((file, names), (other, known))| file == other && Arc::ptr_eq(names, known))
            && self.settings == *settings
    }
}

/// What settings bring together: the names that each object list or question has, and those of what asks by message.
#[derive(Clone, PartialEq, Eq)]
struct GroupingSettings {
    groups: Vec<Vec<String>>,
    asking: Vec<String>,
}

impl GroupingSettings {
    fn of(settings: &Settings) -> Self {
        let own = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let objects = settings.system.objects.iter().flat_map(|(name, class, _)| [name.as_str(), class]);
        let mut groups = vec![own(objects.collect())];
        groups.extend(settings.checks.iter().map(|check| own(elements(check))));
        let asking = settings.checks.iter().filter(|check| check.asks_by_diagram()).flat_map(elements);
        let properties = settings.uses.iter().filter(|(_, (used, _))| *used == DiagramUse::Property);
        let asking = asking.chain(properties.map(|(name, _)| name.as_str()));
        GroupingSettings { groups, asking: own(asking.collect()) }
    }
}

fn found(own: &[FileId], read: &NamesByFile, settings: &GroupingSettings) -> BTreeSet<FileId> {
    let listed = listed(read, settings);
    let mut meetings: HashMap<&ScopedName, NameFiles> = HashMap::new();
    for (file, word) in &listed {
        meetings.entry(word).or_default().mentioned.push(*file);
    }
    for (file, names) in read {
        names.defined.iter().for_each(|word| meetings.entry(word).or_default().defined.push(*file));
        names.mentioned.iter().for_each(|word| meetings.entry(word).or_default().mentioned.push(*file));
    }
    let names: HashMap<FileId, &FileNames> = read.iter().map(|(file, names)| (*file, &**names)).collect();
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
fn listed(read: &NamesByFile, settings: &GroupingSettings) -> Vec<(FileId, ScopedName)> {
    let mut found = Vec::new();
    for (file, names) in read {
        for group in settings.groups.iter().filter(|group| group.iter().any(|name| names.defines(name))) {
            found.extend(group.iter().map(|name| (*file, names.element(name))));
        }
        if settings.asking.iter().any(|name| names.defines(name)) {
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

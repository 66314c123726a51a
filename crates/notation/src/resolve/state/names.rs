//! How PlantUML looks names up.
//!
//! Names form a tree. A name with dots is a path: from the top if its first part is there, else from the composite it
//! stands in; with a leading dot always from the top. A plain name means the only element of that name wherever it is; if
//! there is none, or there are several, it means the one in the composite it stands in. Merely naming a path makes its
//! parts exist as names, which counts. The separator may be another than the dot, or none.

use std::collections::HashMap;

/// How many parts a path may have.
const LONGEST: usize = 64;

/// A name in the tree.
pub(super) type NameId = usize;

/// The tree of names.
pub(super) struct NameTree<T> {
    /// What divides the parts of a path; `None` if nothing does.
    pub separator: Option<String>,
    entries: Vec<NameEntry<T>>,
    /// The first entry with a name, and how many there are.
    by_name: HashMap<String, (NameId, usize)>,
}

struct NameEntry<T> {
    name: String,
    parent: Option<NameId>,
    children: HashMap<String, NameId>,
    data: Option<T>,
}

impl<T: Copy> NameTree<T> {
    /// The name of the diagram itself.
    pub(crate) const ROOT: NameId = 0;

    /// A tree with nothing but the root.
    pub(crate) fn new(root: T) -> Self {
        let root =
            NameEntry { name: String::new(), parent: None, children: HashMap::new(), data: Some(root) };
        NameTree { separator: Some(".".to_owned()), entries: vec![root], by_name: HashMap::new() }
    }

    /// The entry that `name` means in the composite `current`; it is added if it was not there.
    pub(crate) fn look_up(&mut self, current: NameId, name: &str) -> NameId {
        let Some(separator) = self.separator.clone() else {
            return match self.by_name.get(name) {
                Some((first, _)) => *first,
                None => self.child(current, name),
            };
        };
        if let Some(absolute) = name.strip_prefix(&separator) {
            return self.path(Self::ROOT, absolute, &separator);
        }
        let Some((first, _)) = name.split_once(&separator) else {
            return match self.by_name.get(name) {
                Some((only, 1)) if *only != current => *only,
                _ => self.child(current, name),
            };
        };
        let is_at_top = self.entries[Self::ROOT].children.contains_key(first);
        self.path(if is_at_top { Self::ROOT } else { current }, name, &separator)
    }

    /// The entry that a new element called `name` in the composite `current` has, whatever else has that name.
    pub(crate) fn in_scope(&mut self, current: NameId, name: &str) -> NameId {
        let has_parts = self.separator.as_ref().is_some_and(|separator| name.contains(separator));
        if has_parts { self.look_up(current, name) } else { self.child(current, name) }
    }

    /// The entry along the path `name` from `current`; of a very long path the end counts as one name.
    fn path(&mut self, current: NameId, name: &str, separator: &str) -> NameId {
        let parts = name.splitn(LONGEST, separator).filter(|part| !part.is_empty());
        parts.fold(current, |at, part| self.child(at, part))
    }

    fn child(&mut self, parent: NameId, name: &str) -> NameId {
        if let Some(child) = self.entries[parent].children.get(name) {
            return *child;
        }
        let id = self.entries.len();
        self.entries.push(NameEntry {
            name: name.to_owned(),
            parent: Some(parent),
            children: HashMap::new(),
            data: None,
        });
        self.entries[parent].children.insert(name.to_owned(), id);
        self.by_name.entry(name.to_owned()).or_insert((id, 0)).1 += 1;
        id
    }

    /// Whether anything has this name.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The last part of a name.
    pub(crate) fn name(&self, id: NameId) -> &str {
        &self.entries[id].name
    }

    /// The name around a name.
    pub(crate) fn parent(&self, id: NameId) -> Option<NameId> {
        self.entries[id].parent
    }

    /// What the name stands for.
    pub(crate) fn get(&self, id: NameId) -> Option<T> {
        self.entries[id].data
    }

    /// Makes the name stand for something.
    pub(crate) fn set(&mut self, id: NameId, data: T) {
        self.entries[id].data = Some(data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_name_means_the_only_one_of_that_name() {
        let mut names = NameTree::new(());
        let outer = names.look_up(NameTree::<()>::ROOT, "Outer");
        let inner = names.look_up(outer, "x");
        assert_eq!(names.look_up(NameTree::<()>::ROOT, "x"), inner);
        assert_eq!(names.look_up(NameTree::<()>::ROOT, "Outer.x"), inner);
        let top = names.look_up(outer, ".x");
        assert_ne!(top, inner);
        assert_eq!(names.look_up(NameTree::<()>::ROOT, "x"), top);
        assert_eq!(names.look_up(outer, "x"), inner);
    }
}

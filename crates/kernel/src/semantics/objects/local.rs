//! A folder by itself: what stands in other folders belongs to other systems, even if it has the same name.

use std::borrow::Cow;

use crate::model::{Class, ClassKind, Model};
use crate::source::Folders;

/// The model as a folder sees it: classes of other folders are there, so that ids stay what they are, but say nothing.
pub fn local<'m>(model: &'m Model, folders: &Folders, folder: &str) -> Cow<'m, Model> {
    let is_foreign = |class: &Class| folders.get(&class.place.0.file).is_some_and(|other| other != folder);
    if !model.classes.iter().any(is_foreign) {
        return Cow::Borrowed(model);
    }
    let mut local = model.clone();
    for class in local.classes.iter_mut().filter(|class| is_foreign(class)) {
        // No reader makes a name of this form.
        *class = Class {
            name: format!("\u{0}{}", class.name),
            kind: ClassKind::Class,
            attributes: Vec::new(),
            operations: Vec::new(),
            literals: Vec::new(),
            ..class.clone()
        };
    }
    Cow::Owned(local)
}

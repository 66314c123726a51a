//! A folder by itself: what stands in other folders belongs to other systems, even if it has the same name.

use std::borrow::Cow;

use super::protocol::{direct, port_triggers, protocol_machines, take_through_ports};
use crate::model::{Class, ClassKind, Model};
use crate::source::Folders;

/// The model as a folder sees it: classes of other folders are there, so that ids stay what they are, but say nothing; protocol machines
/// send what their ports send, and triggers that name a port are those of its messages.
pub fn local<'m>(model: &'m Model, folders: &Folders, folder: &str) -> Cow<'m, Model> {
    let is_foreign = |class: &Class| folders.get(&class.place.0.file).is_some_and(|other| other != folder);
    let mut local = Cow::Borrowed(model);
    if model.classes.iter().any(is_foreign) {
        for class in local.to_mut().classes.iter_mut().filter(|class| is_foreign(class)) {
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
    }
    for (id, meanings) in port_triggers(&local, folders, folder) {
        take_through_ports(&mut local.to_mut().machines[id], &meanings);
    }
    for (id, outlets) in protocol_machines(&local, folders, folder) {
        direct(&mut local.to_mut().machines[id], &outlets);
    }
    local
}

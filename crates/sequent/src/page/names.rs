//! The names that a file defines and mentions, by which the files of a folder belong together.

use std::collections::BTreeSet;

use sequent_kernel::model::{Fragment, Model};

/// A name with the folder in which it counts, in lower case.
pub type Word = (String, String);

/// The names that a file defines and mentions.
#[derive(Default)]
pub struct Names {
    /// What it defines.
    pub defined: BTreeSet<Word>,
    /// What it mentions.
    pub mentioned: BTreeSet<Word>,
}

impl Names {
    /// The names in the model of a file.
    pub fn of(model: &Model, folder: &str) -> Self {
        let mut names = Names::default();
        let word = |name: &str| (folder.to_owned(), name.to_lowercase());
        for machine in model.machines.iter() {
            names.defined.insert(word(&machine.name));
            names.defined.extend(machine.class.iter().map(|class| word(class)));
            // A class of that name says what the machine's attributes are.
            names.mentioned.insert(word(machine.class.as_ref().unwrap_or(&machine.name)));
            names
                .mentioned
                .extend(machine.sends().filter_map(|send| send.target.last()).map(|one| word(one)));
        }
        for class in model.classes.iter() {
            names.defined.insert(word(&class.name));
            // Another diagram may add to the class.
            names.mentioned.insert(word(&class.name));
            let kinds = class.attributes.iter().filter_map(|one| one.type_name.as_ref());
            names.mentioned.extend(kinds.map(|kind| word(kind.trim_start_matches('~'))));
        }
        for object in model.objects.iter() {
            names.defined.insert(word(&object.name));
            names.mentioned.extend(object.class.iter().map(|class| word(class)));
        }
        for interaction in model.interactions.iter() {
            names.defined.insert(word(&interaction.name));
            for lifeline in interaction.lifelines.iter() {
                names.mentioned.insert(word(&lifeline.name));
                names.mentioned.extend(lifeline.class.iter().map(|class| word(class)));
            }
            interaction.walk(&mut |fragment, _| {
                if let Fragment::Use(used) = fragment {
                    names.mentioned.insert(word(&used.name));
                }
            });
        }
        names
    }
}

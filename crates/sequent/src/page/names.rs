//! The names that a file defines and mentions, by which the files of a folder belong together.

use std::collections::BTreeSet;

use sequent_kernel::model::{Check, Fragment, Interaction, Machine, Model, Question, StateGoal};
use sequent_kernel::property::diagram::{DiagramRole, role};

/// What a name is the name of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Kind {
    /// A diagram, an object, a class.
    Element,
    /// What a machine takes, and what machines send without a receiver.
    Signal,
    /// A message between lifelines, by which properties find the diagrams they are about.
    Message,
}

/// A name with the folder in which it counts, in lower case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ScopedName {
    folder: String,
    kind: Kind,
    name: String,
}

impl ScopedName {
    fn new(folder: &str, kind: Kind, name: &str) -> Self {
        ScopedName { folder: folder.to_owned(), kind, name: name.to_lowercase() }
    }
}

/// The names that a file defines and mentions.
#[derive(PartialEq, Eq, Default)]
pub(crate) struct FileNames {
    folder: String,
    /// What it defines.
    pub defined: BTreeSet<ScopedName>,
    /// What it mentions.
    pub mentioned: BTreeSet<ScopedName>,
}

impl FileNames {
    /// The names in the model of a file.
    pub(crate) fn of(model: &Model, folder: &str) -> Self {
        let mut names = FileNames { folder: folder.to_owned(), ..FileNames::default() };
        model.machines.iter().for_each(|machine| names.machine(machine));
        for class in model.classes.iter() {
            names.define(Kind::Element, &class.name);
            // Another diagram may add to the class.
            names.mention(Kind::Element, &class.name);
            let kinds = class.attributes.iter().filter_map(|one| one.type_name.as_ref());
            kinds.for_each(|kind| names.mention(Kind::Element, kind.trim_start_matches('~')));
        }
        for object in model.objects.iter() {
            names.define(Kind::Element, &object.name);
            object.class.iter().for_each(|class| names.mention(Kind::Element, class));
        }
        for (id, interaction) in model.interactions.enumerate() {
            let is_property =
                role(model, id) != DiagramRole::Model || model.checks.iter().any(Check::asks_by_diagram);
            names.interaction(interaction, is_property);
        }
        let asked = model.checks.iter().flat_map(elements);
        asked.for_each(|name| names.mention(Kind::Element, name));
        names
    }

    /// The name of a diagram, an object or a class in the folder of the file.
    pub(crate) fn element(&self, name: &str) -> ScopedName {
        ScopedName::new(&self.folder, Kind::Element, name)
    }

    /// Whether the file defines a diagram, an object or a class of that name.
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.defined.contains(&self.element(name))
    }

    /// What its lifelines send to each other.
    pub(crate) fn messages(&self) -> impl Iterator<Item = &ScopedName> {
        self.defined.iter().filter(|word| word.kind == Kind::Message)
    }

    fn define(&mut self, kind: Kind, name: &str) {
        self.defined.insert(ScopedName::new(&self.folder, kind, name));
    }

    fn mention(&mut self, kind: Kind, name: &str) {
        self.mentioned.insert(ScopedName::new(&self.folder, kind, name));
    }

    fn machine(&mut self, machine: &Machine) {
        self.define(Kind::Element, &machine.name);
        machine.class.iter().for_each(|class| self.define(Kind::Element, class));
        // A class of that name says what the machine's attributes are.
        self.mention(Kind::Element, machine.class.as_ref().unwrap_or(&machine.name));
        machine.triggers().for_each(|name| self.define(Kind::Signal, name));
        for send in machine.sends() {
            match send.target.last() {
                Some(target) => self.mention(Kind::Element, target),
                None => self.mention(Kind::Signal, &send.name),
            }
        }
    }

    fn interaction(&mut self, interaction: &Interaction, is_property: bool) {
        self.define(Kind::Element, &interaction.name);
        for lifeline in interaction.lifelines.iter() {
            let own = lifeline.label.split_once(':').map_or(lifeline.label.as_str(), |(own, _)| own.trim());
            self.mention(Kind::Element, &lifeline.name);
            self.mention(Kind::Element, own);
            lifeline.class.iter().for_each(|class| self.mention(Kind::Element, class));
        }
        for message in interaction.messages.iter() {
            self.define(Kind::Message, &message.name);
            if is_property {
                self.mention(Kind::Message, &message.name);
            }
        }
        interaction.walk(&mut |fragment, _| {
            if let Fragment::Use(used) = fragment {
                self.mention(Kind::Element, &used.name);
            }
        });
    }
}

/// The names of diagrams and objects in a check.
pub(crate) fn elements(check: &Check) -> Vec<&str> {
    let mut names: Vec<&str> = check.target.iter().map(|word| word.text.as_str()).collect();
    match &check.question {
        Question::Scenario(scenario) => {
            names.extend(scenario.interaction.iter().map(|word| word.text.as_str()))
        }
        Question::Safe(diagram, _) | Question::Consistent(diagram) | Question::Triggers(diagram) => {
            names.extend(diagram.iter().map(|word| word.text.as_str()));
        }
        Question::Refines(refines) => names.push(&refines.specification.text),
        Question::Ltl(property) => names.extend(property.formula.elements()),
        Question::Reachable(StateGoal { goal, from, .. }) => {
            let all = [goal].into_iter().chain(from);
            names.extend(all.flat_map(|property| property.formula.elements()));
        }
        Question::Deadlock | Question::Fragments => {}
    }
    names
}

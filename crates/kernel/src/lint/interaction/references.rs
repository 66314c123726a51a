//! What a diagram says about others: interaction uses (W214) and the classes of lifelines (W217).

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, Severity, nearest};
use crate::model::{Fragment, Interaction, Model, Use};
use crate::source::Folders;

pub(super) fn check(model: &Model, folders: &Folders, findings: &mut Vec<Diagnostic>) {
    let names: BTreeSet<&str> = model.interactions.iter().map(|one| one.name.as_str()).collect();
    for interaction in model.interactions.iter() {
        interaction.walk(&mut |fragment, _| {
            // A reference to something that is there was cut, which has been told.
            if let Fragment::Use(use_ @ Use { target: None, .. }) = fragment
                && !names.contains(use_.name.as_str())
            {
                findings.extend(unknown(model, use_));
            }
        });
    }
    classes(model, folders, findings);
}

/// A slip is a warning; the name of something that was not given is a hint. Prose says what happens there, and names nothing.
fn unknown(model: &Model, use_: &Use) -> Option<Diagnostic> {
    let diagnostic = Diagnostic::new(
        Code::UnknownInteraction,
        use_.place.0,
        format!("no interaction is called `{}`", use_.name.replace('\n', " ")),
    );
    match nearest(&use_.name, model.interactions.iter().map(|interaction| interaction.name.as_str())) {
        Some(near) => Some(diagnostic.meant(&*use_.name, near)),
        None if is_prose(&use_.name) => None,
        None => Some(
            diagnostic
                .severity(Severity::Hint)
                .hint("give its file on the command line too; a diagram is called as in `@startuml NAME`, its title or the heading above it"),
        ),
    }
}

/// Whether a text is no name: several words, or words with a look.
fn is_prose(text: &str) -> bool {
    text.split_whitespace().nth(1).is_some() || text.contains('<')
}

/// Lifelines whose class is none of those given; silent where the folder gives no class and no machine.
fn classes(model: &Model, folders: &Folders, findings: &mut Vec<Diagnostic>) {
    let declared = || model.classes.iter().filter(|class| class.declared);
    let machines =
        model.machines.iter().flat_map(|machine| [Some(machine.name.as_str()), machine.class.as_deref()]);
    let known: BTreeSet<&str> =
        declared().map(|class| class.name.as_str()).chain(machines.flatten()).collect();
    let places = declared().map(|class| class.place).chain(model.machines.iter().map(|one| one.place));
    let speaking: BTreeSet<Option<&String>> = places.map(|place| folders.get(&place.0.file)).collect();
    let speaks = |interaction: &&Interaction| speaking.contains(&folders.get(&interaction.place.0.file));
    for interaction in model.interactions.iter().filter(speaks) {
        for lifeline in interaction.lifelines.iter() {
            let Some(class) = lifeline.class.as_deref().filter(|class| !known.contains(class)) else {
                continue;
            };
            let text = format!("`{}` is of class `{class}`, which is not given", lifeline.name);
            let diagnostic = Diagnostic::new(Code::UnknownClass, lifeline.place.0, text);
            findings.push(match nearest(class, known.iter().copied()) {
                Some(near) => diagnostic.meant(class, near),
                None => diagnostic
                    .severity(Severity::Hint)
                    .hint("give the diagram of its class or state machine too"),
            });
        }
    }
}

//! What a diagram says about others: interaction uses (W214, E215) and the classes of lifelines (W217).

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Severity, nearest};
use crate::id::{Id, IdVec};
use crate::model::{Fragment, Interaction, InteractionId, Model, Use};
use crate::scc::components;
use crate::source::Folders;

pub(super) fn check(model: &Model, folders: &Folders, findings: &mut Vec<Diagnostic>) {
    let uses: IdVec<InteractionId, Vec<&Use>> = model.interactions.iter().map(uses).collect();
    let recursive = recursive(&uses);
    for (id, used) in uses.enumerate() {
        for use_ in used {
            match use_.target {
                None => findings.extend(unknown(model, use_)),
                Some(target)
                    if recursive.get(&id).is_some_and(|circle| recursive.get(&target) == Some(circle)) =>
                {
                    findings.push(
                        Diagnostic::new(
                            Code::RecursiveUse,
                            use_.place.0,
                            format!("`{}` leads back to the interaction it stands in", use_.name),
                        )
                        .hint("an interaction cannot contain itself; use a loop"),
                    )
                }
                Some(_) => {}
            }
        }
    }
    classes(model, folders, findings);
}

fn uses(interaction: &Interaction) -> Vec<&Use> {
    let mut uses = Vec::new();
    interaction.walk(&mut |fragment, _| {
        if let Fragment::Use(use_) = fragment {
            uses.push(use_);
        }
    });
    uses
}

/// A slip is a warning; the name of something that was not given is a hint. Prose says what happens there, and names nothing.
fn unknown(model: &Model, use_: &Use) -> Option<Diagnostic> {
    let diagnostic = Diagnostic::new(
        Code::UnknownInteraction,
        use_.place.0,
        format!("no interaction is called `{}`", use_.name.replace('\n', " ")),
    );
    match nearest(&use_.name, model.interactions.iter().map(|interaction| interaction.name.as_str())) {
        Some(near) => Some(diagnostic.hint(format!("did you mean `{near}`?"))),
        None if is_prose(&use_.name) => None,
        None => Some(
            diagnostic.severity(Severity::Hint).hint("give the file that holds it on the command line too"),
        ),
    }
}

/// Whether a text is no name: several words.
fn is_prose(text: &str) -> bool {
    text.split_whitespace().nth(1).is_some()
}

/// Interactions that lie on a circle of uses, each with the number of its circle.
fn recursive(uses: &IdVec<InteractionId, Vec<&Use>>) -> BTreeMap<InteractionId, usize> {
    let targets = |uses: &Vec<&Use>| uses.iter().filter_map(|use_| use_.target).map(Id::index).collect();
    let edges: Vec<Vec<usize>> = uses.iter().map(targets).collect();
    let components = components(&edges);
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    components.iter().for_each(|component| *sizes.entry(*component).or_default() += 1);
    let is_recursive = |id: &InteractionId| {
        let index = id.index();
        sizes[&components[index]] > 1 || edges[index].contains(&index)
    };
    uses.ids().filter(is_recursive).map(|id| (id, components[id.index()])).collect()
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
                Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
                None => diagnostic
                    .severity(Severity::Hint)
                    .hint("give the diagram of its class or state machine too"),
            });
        }
    }
}

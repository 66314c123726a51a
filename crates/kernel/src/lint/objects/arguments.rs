//! Arguments whose values are not known, where something depends on them: H621.
//!
//! What the environment sends with undeclared parameters is reported only where something is asked: otherwise nothing rests on it.

use std::collections::BTreeSet;

use super::FolderObjects;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::Question;
use crate::semantics::objects::{Doubt, OpenUse, open_uses};

pub(super) fn check(system: &FolderObjects, findings: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for open in open_uses(system.model, &system.whole, &system.model.system) {
        let is_idle = open.doubt == Doubt::Unsent && !is_asked(system);
        if !is_idle && seen.insert((open.message.clone(), open.parameter.clone())) {
            findings.extend(finding(system, &open));
        }
    }
}

/// Whether something is asked about runs of objects.
fn is_asked(system: &FolderObjects) -> bool {
    system.model.checks.iter().any(|check| match check.question {
        Question::Scenario(_)
        | Question::Reachable(_)
        | Question::Ltl(_)
        | Question::Deadlock
        | Question::Refines(_) => true,
        Question::Safe(..) | Question::Consistent(_) | Question::Fragments | Question::Triggers(_) => false,
    })
}

fn finding(system: &FolderObjects, open: &OpenUse) -> Option<Diagnostic> {
    let OpenUse { object, transition, message, parameter, doubt, decides: _ } = open;
    let machine = &system.model.machines[system.whole.objects[*object].machine?];
    let text = format!(
        "the value of `{parameter}` in `{message}` is not known, so what depends on it is decided freely"
    );
    let place = machine.transitions[*transition].place.0;
    let finding = Diagnostic::new(Code::OpenArgument, place, text);
    let finding = match doubt {
        Doubt::Unsent => finding,
        Doubt::Unknown(place) => finding.label(place.0, "nothing says what is sent here"),
        Doubt::Mixed(place) => finding.label(place.0, "a value of another type is sent here"),
        Doubt::Wide => finding.label(place, "its values are too many, or never end"),
    };
    let mut operations = system.model.classes.iter().flat_map(|class| &class.operations);
    let is_declared = operations.any(|one| {
        one.name == *message
            && one.values().any(|declared| declared.name == *parameter && declared.type_name.is_some())
    });
    let hint = match (is_declared, doubt) {
        (true, Doubt::Unknown(_)) => "give it a value where the message is sent".to_owned(),
        (true, Doubt::Unsent | Doubt::Mixed(_) | Doubt::Wide) | (false, _) => {
            format!("declare it in a class, as in `{message}({parameter} : 0..7)`")
        }
    };
    Some(finding.hint(hint))
}

//! Scenarios with a check whose lifelines have no machine: E615; with misspelt messages: W608, W614.
//!
//! A diagram without machines is no mistake in itself. It is one if a check asks whether its scenario is
//! possible, required or forbidden: without a machine there are no runs to search, and a lifeline whose name
//! is nearly that of a machine is environment by accident.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, Severity, nearest, slip_of};
use crate::model::{
    Check, End, InteractionId, Lifeline, Machine, Message, MessageSort, Model, Question, Subject, Trigger,
};
use crate::semantics::objects::{Kinds, Structure, local, parameter_lists, structure};
use crate::source::Folders;

pub(super) fn check(model: &Model, folders: &Folders, findings: &mut Vec<Diagnostic>) {
    let mut seen: BTreeSet<InteractionId> = BTreeSet::new();
    for check in &model.checks {
        let Some(id) = interaction(model, check).filter(|id| seen.insert(*id)) else { continue };
        let Some(folder) = folders.get(&model.interactions[id].place.0.file) else { continue };
        let kinds = Kinds::of(model, folders, folder);
        let (objects, _) = structure(&local(model, folders, folder), folders, folder, Some(id));
        let lifelines: Vec<_> =
            model.family(id).into_iter().flat_map(|id| model.interactions[id].lifelines.iter()).collect();
        let machine =
            |one: &Lifeline| objects.players(one).into_iter().find_map(|id| objects.objects[id].machine);
        let drawn: BTreeSet<&str> = lifelines
            .iter()
            .flat_map(|one| objects.players(one))
            .flat_map(|id| {
                let object = &objects.objects[id];
                let machine = object.machine.map(|machine| model.machines[machine].name.as_str());
                [Some(object.name.as_str()), object.class.as_deref(), machine].into_iter().flatten()
            })
            .collect();
        let mut slips = 0;
        for lifeline in lifelines.iter().filter(|one| machine(one).is_none()) {
            let machines = kinds.machines.iter().map(|id| &model.machines[*id]);
            let names = machines.map(|one| one.class.as_ref().unwrap_or(&one.name).as_str());
            let behaving = objects.objects.iter().filter(|one| one.machine.is_some());
            let names: Vec<&str> = names.chain(behaving.map(|one| one.name.as_str())).collect();
            let own = [Some(lifeline.class.as_ref().unwrap_or(&lifeline.name)), lifeline.own_label()];
            let near = own.into_iter().flatten().find_map(|own| slip_of(own, names.iter().copied()));
            let near = near.or_else(|| {
                let missing: Vec<&str> = names.iter().copied().filter(|name| !drawn.contains(name)).collect();
                named_in(lifeline.own_label()?, &missing)
            });
            let is_label = |other: &&&Lifeline| other.label == lifeline.name && machine(other).is_some();
            let other = lifelines.iter().find(is_label).map(|other| other.name.as_str());
            let Some(near) = near.or(other) else { continue };
            let text = format!("`{}` has no state machine, so it is environment", lifeline.name);
            let finding = Diagnostic::new(Code::MissingMachine, lifeline.place.0, text);
            findings.push(finding.severity(Severity::Warning).hint(format!("did you mean `{near}`?")));
            slips += 1;
        }
        if slips == 0 && lifelines.iter().all(|one| machine(one).is_none()) {
            findings.push(nobody(model, check, id));
        }
        // What lifelines can receive is an answer of its own (`@triggers`).
        if let Question::Scenario(_) = check.question {
            findings.extend(slips_in(model, id, &kinds, &objects));
        }
    }
}

/// The drawn messages, with an end that is an object with a machine, of which no machine knows the name, or a parameter.
fn slips_in(model: &Model, id: InteractionId, kinds: &Kinds<'_>, objects: &Structure) -> Vec<Diagnostic> {
    let exchanged = exchanged(model, kinds);
    let mut found = Vec::new();
    for interaction in model.family(id).into_iter().map(|id| &model.interactions[id]) {
        let of = |end: End| {
            let lifeline = &interaction.lifelines[end.lifeline()?];
            let machine = objects.players(lifeline).into_iter().find_map(|id| objects.objects[id].machine)?;
            Some((lifeline, &model.machines[machine]))
        };
        for message in interaction.messages.iter() {
            match message.sort {
                MessageSort::Call | MessageSort::Signal => {}
                MessageSort::Reply | MessageSort::Create | MessageSort::Delete => continue,
            }
            let (from, to) = (of(message.from), of(message.to));
            found.extend(match exchanged.contains(message.name.as_str()) {
                true if from.is_none() && to.is_none() => None,
                true => misnamed(message, &parameter_lists(model, objects, &message.name)),
                false => misspelt(message, from, to, &exchanged),
            });
        }
    }
    found
}

/// The messages that machines send or take.
fn exchanged<'m>(model: &'m Model, kinds: &Kinds<'m>) -> BTreeSet<&'m str> {
    let machines = || kinds.machines.iter().map(|id| &model.machines[*id]);
    let sent = machines().flat_map(|machine| machine.sends()).map(|send| send.name.as_str());
    let taken = machines().flat_map(|machine| machine.transitions.iter()).flat_map(|one| &one.triggers);
    let taken = taken.filter_map(|trigger| match trigger {
        Trigger::Event { name, .. } => Some(name.as_str()),
        Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
    });
    let declared = model.classes.iter().flat_map(|class| &class.operations).map(|one| one.name.as_str());
    sent.chain(taken).chain(declared).collect()
}

/// A drawn message that no machine sends or takes, with nearly the name of one that some do: the scenario is about something that never
/// happens.
fn misspelt(
    message: &Message,
    from: Option<(&Lifeline, &Machine)>,
    to: Option<(&Lifeline, &Machine)>,
    exchanged: &BTreeSet<&str>,
) -> Option<Diagnostic> {
    let near = slip(&message.name, exchanged)?;
    let text = match (from, to) {
        (_, Some((_, machine))) if machine.takes_all() => return None,
        (_, Some((lifeline, _))) => {
            format!(
                "`{}` cannot receive `{}`: its state machine has no such trigger",
                lifeline.name, message.name
            )
        }
        (Some((lifeline, _)), None) => {
            format!(
                "`{}` never sends `{}`: its state machine has no such effect",
                lifeline.name, message.name
            )
        }
        (None, None) => return None,
    };
    Some(Diagnostic::new(Code::TriggerMismatch, message.place.0, text).meant(&*message.name, near))
}

/// A drawn message that gives a value to a parameter which it does not have: no message is one of these.
fn misnamed(message: &Message, lists: &[Vec<String>]) -> Option<Diagnostic> {
    let known: BTreeSet<&str> = lists.iter().flatten().map(String::as_str).collect();
    let mut given = message.arguments.iter().flatten().filter_map(|argument| argument.name.as_deref());
    let name = given.find(|name| !known.is_empty() && !known.contains(name))?;
    let text = format!("`{}` has no parameter `{name}`, so this never happens", message.name);
    let finding = Diagnostic::new(Code::ArgumentCount, message.place.0, text).severity(Severity::Warning);
    Some(match nearest(name, known.iter().copied()) {
        Some(near) => finding.meant(name, near),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            finding.hint(format!("it has {}", known.join(", ")))
        }
    })
}

/// The name that a word probably means: one slip away, or in another case.
fn slip<'n>(word: &str, names: &BTreeSet<&'n str>) -> Option<&'n str> {
    let same = names.iter().copied().find(|name| name.eq_ignore_ascii_case(word));
    same.or_else(|| slip_of(word, names.iter().copied()))
}

/// The machine or object that a label names among other words, or with another case: `The Door`, `Door (main)`.
fn named_in<'n>(label: &str, names: &[&'n str]) -> Option<&'n str> {
    let mut words = label.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.find_map(|word| names.iter().find(|name| name.eq_ignore_ascii_case(word)).copied())
}

/// The interaction that a scenario check is about.
fn interaction(model: &Model, check: &Check) -> Option<InteractionId> {
    let named = match &check.question {
        Question::Scenario(scenario) => scenario.interaction.as_ref(),
        Question::Triggers(named) => named.as_ref(),
        Question::Ltl(_)
        | Question::Reachable(_)
        | Question::Deadlock
        | Question::Safe(..)
        | Question::Consistent(_)
        | Question::Refines(_)
        | Question::Fragments => return None,
    };
    match (named, check.subject) {
        (Some(name), _) => model.interactions.find(|one| one.name == name.text),
        (None, Some(Subject::Interaction(id))) => Some(id),
        (None, Some(Subject::Machine(_)) | None) => None,
    }
}

fn nobody(model: &Model, check: &Check, id: InteractionId) -> Diagnostic {
    let name = &model.interactions[id].name;
    let text = format!("no lifeline of `{name}` has a state machine, so there is nothing to check");
    Diagnostic::new(Code::MissingMachine, check.place.0, text).severity(Severity::Warning).hint(
        "give the state machines too, in the same folder: `a : ATM` behaves as the machine called `ATM`",
    )
}

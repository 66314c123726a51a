//! Names in formulas: E502, W503, E504, E505.
//!
//! A formula about a message that is never sent is vacuous. So every name is looked up in the interaction the
//! formula is about and those it uses. A property of the settings file that names no interaction is about
//! every one that has all its names; if none does and there are state machines, it is about these, and is not
//! checked here.

mod complaint;
mod vocabulary;

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, Severity, nearest};
use crate::formula::{Atom, Formula, FormulaNode, FormulaWord, Pattern};
use crate::model::{Check, InteractionId, Model, Property, Question, Subject};
use crate::semantics::objects::{local, structure};
use vocabulary::InteractionNames;

use crate::source::Folders;

/// The interactions that a property is about: the one it stands in, those of the name it gives, or else all that know
/// every name in it.
pub fn subjects(model: &Model, check: &Check) -> Vec<InteractionId> {
    let Question::Ltl(property) = &check.question else { return Vec::new() };
    match (check.subject, &check.target) {
        (Some(Subject::Interaction(id)), _) => vec![id],
        (Some(Subject::Machine(_)), _) => Vec::new(),
        (None, Some(target)) => called(model, &target.text),
        (None, None) => {
            let knows = |id: &InteractionId| {
                let found = names(model, *id, &property.formula);
                found.iter().all(|finding| finding.severity < Severity::Error)
            };
            // A scenario that is asked of state machines says what might happen, not what does.
            model.interactions.ids().filter(|id| !is_scenario(model, *id)).filter(knows).collect()
        }
    }
}

/// Whether it is asked if an interaction is possible, required or forbidden.
fn is_scenario(model: &Model, id: InteractionId) -> bool {
    model.checks.iter().any(|check| match (&check.question, check.subject) {
        (Question::Scenario(scenario), subject) => match &scenario.interaction {
            Some(name) => name.text == model.interactions[id].name,
            None => subject == Some(Subject::Interaction(id)),
        },
        (_, _) => false,
    })
}

/// Interactions of a name, without regard to case and spacing.
fn called(model: &Model, name: &str) -> Vec<InteractionId> {
    let folded = |name: &str| name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let wanted = folded(name);
    model.interactions.ids().filter(|id| folded(&model.interactions[*id].name) == wanted).collect()
}

/// All findings about the formulas of a model.
pub(super) fn properties(model: &Model, folders: &Folders) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for check in &model.checks {
        let Question::Ltl(property) = &check.question else { continue };
        if is_about_objects(model, folders, check, property) {
            continue;
        }
        let is_about_all = check.subject.is_none() && check.target.is_none();
        let subjects = subjects(model, check);
        match (&check.target, subjects.is_empty()) {
            (Some(target), true) if check.subject.is_none() => findings.push(no_target(model, target)),
            (_, true) if is_about_all && !model.machines.is_empty() => {}
            (_, true) if is_about_all => findings.extend(known_nowhere(model, property)),
            (_, _) => findings.extend(subjects.iter().flat_map(|id| names(model, *id, &property.formula))),
        }
    }
    findings
}

/// Whether a formula is about the objects of a folder: it stands in a state machine or names one, or speaks of states and
/// values where lifelines stand for machines. What its words mean is known only where the objects are.
pub fn is_about_objects(model: &Model, folders: &Folders, check: &Check, property: &Property) -> bool {
    let has_machines = |id: InteractionId| {
        let Some(folder) = folders.get(&model.interactions[id].place.0.file) else { return false };
        let (structure, _) = structure(&local(model, folders, folder), folders, folder, Some(id));
        let mut players = model.interactions[id].lifelines.iter().flat_map(|line| structure.players(line));
        players.any(|object| structure.objects[object].machine.is_some())
    };
    let speaks = speaks_of_states(&property.formula);
    match (check.subject, &check.target) {
        (Some(Subject::Machine(_)), _) => true,
        (Some(Subject::Interaction(id)), _) => speaks && has_machines(id),
        (None, Some(target)) => {
            let interactions = called(model, &target.text);
            let is_machine = model.machines.iter().any(|machine| machine.name == target.text);
            match interactions.first() {
                Some(id) => speaks && has_machines(*id),
                None => is_machine,
            }
        }
        (None, None) => !model.machines.is_empty() && (speaks || subjects(model, check).is_empty()),
    }
}

/// Whether a formula mentions states and values.
fn speaks_of_states(formula: &Formula) -> bool {
    let mut open = vec![formula];
    while let Some(part) = open.pop() {
        match &part.node {
            FormulaNode::Atom(Atom::In(..) | Atom::Data(_)) => return true,
            FormulaNode::Atom(Atom::Name(word)) if word.text.contains('.') => return true,
            FormulaNode::Atom(_)
            | FormulaNode::Constant(_)
            | FormulaNode::Unary(..)
            | FormulaNode::Binary(..) => {}
        }
        open.extend(part.parts());
    }
    false
}

/// Findings about the names of a formula that is about an interaction.
fn names(model: &Model, about: InteractionId, formula: &Formula) -> Vec<Diagnostic> {
    let vocabulary = InteractionNames::of(model, about);
    let mut findings = Vec::new();
    let mut open = vec![formula];
    while let Some(next) = open.pop() {
        open.extend(next.parts());
        let FormulaNode::Atom(atom) = &next.node else { continue };
        match atom {
            Atom::Event(pattern) => event(model, &vocabulary, next, pattern, &mut findings),
            Atom::Exactly(word) => {
                if !vocabulary.has_event(&word.text) {
                    findings.push(complaint::unknown_event(&vocabulary, word));
                }
            }
            Atom::Name(word) => findings.extend(guard(&vocabulary, word)),
            Atom::In(..) | Atom::Data(_) => {
                findings.push(complaint::no_states(&vocabulary, atom, next.place))
            }
            Atom::Start | Atom::End => {}
        }
    }
    findings
}

fn event(
    model: &Model,
    vocabulary: &InteractionNames,
    formula: &Formula,
    pattern: &Pattern,
    findings: &mut Vec<Diagnostic>,
) {
    let before = findings.len();
    let Pattern { direction: _, message, from, to, actor, partner } = pattern;
    for word in [from, to, actor, partner].into_iter().flatten() {
        if !vocabulary.lifelines.contains_key(&word.text) {
            findings.push(complaint::unknown_lifeline(vocabulary, word));
        }
    }
    if let Some(word) = message.as_ref().filter(|word| !vocabulary.has_message(&word.text)) {
        findings.push(complaint::unknown_message(model, vocabulary, word));
    }
    if findings.len() == before && !vocabulary.can_happen(pattern) {
        findings.push(complaint::never(vocabulary, pattern, formula.place));
    }
}

fn guard(vocabulary: &InteractionNames, word: &FormulaWord) -> Option<Diagnostic> {
    if vocabulary.lasting.contains(&word.text) {
        return None;
    }
    if vocabulary.fresh.contains(&word.text) {
        return Some(complaint::fresh(vocabulary, word));
    }
    Some(complaint::unknown_guard(vocabulary, word))
}

fn no_target(model: &Model, target: &FormulaWord) -> Diagnostic {
    let message = format!("no interaction is called `{}`", target.text);
    let diagnostic = Diagnostic::new(Code::BadSetting, target.place.0, message);
    match nearest(&target.text, model.interactions.iter().map(|interaction| interaction.name.as_str())) {
        Some(near) => diagnostic.meant(&*target.text, near),
        // Probably only some of the files are looked at.
        None => {
            diagnostic.severity(Severity::Hint).hint("give the file that holds it on the command line too")
        }
    }
}

/// A property that no interaction fits: what none of them knows, or that none knows all of it.
fn known_nowhere(model: &Model, property: &Property) -> Vec<Diagnostic> {
    let errors = |id: InteractionId| {
        let found = names(model, id, &property.formula).into_iter();
        found.filter(|finding| finding.severity == Severity::Error).collect::<Vec<_>>()
    };
    let all: Vec<(InteractionId, Vec<Diagnostic>)> =
        model.interactions.ids().map(|id| (id, errors(id))).collect();
    // The one with the fewest unknown names is probably meant.
    let Some((_, fewest)) = all.iter().min_by_key(|(_, errors)| errors.len()) else {
        return Vec::new();
    };
    let spans = |errors: &[Diagnostic]| errors.iter().map(|error| error.span).collect::<BTreeSet<_>>();
    let everywhere = all.iter().fold(spans(fewest), |known, (_, errors)| &known & &spans(errors));
    if everywhere.is_empty() {
        let message = "no interaction knows all the names of this formula";
        let finding = Diagnostic::new(Code::UnknownInFormula, property.formula.place.0, message);
        let finding = fewest
            .iter()
            .take(1)
            .fold(finding, |finding, error| finding.label(error.span, error.message.clone()));
        return vec![finding.hint("name the interaction it is about: `target = \"..\"`")];
    }
    fewest.iter().filter(|error| everywhere.contains(&error.span)).cloned().collect()
}

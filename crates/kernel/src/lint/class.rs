//! Findings about class diagrams: classes that inherit from themselves (E310), attributes with two types (W311), and names that are probably
//! misspelt (W312).
//!
//! Class diagrams of one folder are about the same classes. Most are sketches, in which a class that only a relation names is no mistake; only
//! a name one slip away from a declared one is told.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Remedy, slip_of};
use crate::id::Id;
use crate::meter::{self, Work};
use crate::model::{Association, AssociationKind, Attribute, Class, ClassId, Machine, Model, Operation};
use crate::scc;
use crate::source::{Folders, Place};

/// All findings about the classes of a model.
pub fn classes(model: &Model, folders: &Folders) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if !meter::leaves(Work::Lints, 1) {
        circles(model, &mut findings);
        model.classes.iter().for_each(|class| types(class, &mut findings));
        names(model, folders, &mut findings);
        behaviour(model, folders, &mut findings);
    }
    findings
}

/// Classes without machine beside a machine without class, and operations that a machine does not take beside a trigger that its class does
/// not declare, of nearly the same name: W312.
fn behaviour(model: &Model, folders: &Folders, findings: &mut Vec<Diagnostic>) {
    let named = |machine: &Machine| machine.class.clone().unwrap_or_else(|| machine.name.clone());
    for machine in model.machines.iter() {
        let folder = folders.get(&machine.place.0.file);
        let own = named(machine);
        let in_folder = || {
            model.classes.iter().filter(|class| class.declared && folders.get(&class.place.0.file) == folder)
        };
        if let Some(class) = in_folder().find(|class| class.name.eq_ignore_ascii_case(&own)) {
            findings.extend(operations(class, machine));
            continue;
        }
        let has_machine =
            |class: &Class| model.machines.iter().any(|one| named(one).eq_ignore_ascii_case(&class.name));
        let meant = |class: &&Class| is_meant(&class.name, &own) && !has_machine(class);
        if let Some(class) = in_folder().take(MOST_NAMES).find(meant) {
            let text = format!("`{}` has no state machine; did you mean `{own}`?", class.name);
            findings.push(
                Diagnostic::new(Code::ClassSlip, class.place.0, text)
                    .hint("a machine has the name of its class"),
            );
        }
    }
}

/// Operations of a class that its machine does not take, and that are nearly a trigger that is not declared.
fn operations(class: &Class, machine: &Machine) -> Vec<Diagnostic> {
    let is_declared = |name: &str| class.operations.iter().any(|one| one.name == name);
    let taken: BTreeSet<&str> = machine.triggers().collect();
    let open: Vec<&str> = taken.iter().copied().filter(|name| !is_declared(name)).take(MOST_NAMES).collect();
    let idle = class.operations.iter().filter(|one| !taken.contains(one.name.as_str()));
    let slips = idle.filter_map(|one| Some((one, open.iter().find(|name| is_meant(&one.name, name))?)));
    let told = |(one, near): (&Operation, &&str)| {
        let text = format!(
            "`{}` takes `{near}` and not `{}`, which `{}` declares",
            machine.name, one.name, class.name
        );
        Diagnostic::new(Code::ClassSlip, one.place.0, text).hint(format!("did you mean `{near}`?"))
    };
    slips.map(told).collect()
}

/// Whether one name is a misspelling of another, and not a form of the same word.
fn is_meant(name: &str, other: &str) -> bool {
    let [one, two] = [name, other].map(str::to_lowercase);
    slip_of(name, [other]).is_some() && !one.starts_with(&two) && !two.starts_with(&one)
}

/// Whether a relation says that its first end is a special case of its second.
fn inherits(relation: &Association) -> bool {
    match relation.kind {
        AssociationKind::Generalization | AssociationKind::Realization => true,
        AssociationKind::Association
        | AssociationKind::Aggregation
        | AssociationKind::Composition
        | AssociationKind::Dependency => false,
    }
}

/// Classes that inherit from themselves, each circle once: E310.
fn circles(model: &Model, findings: &mut Vec<Diagnostic>) {
    let mut general: Vec<Vec<usize>> = vec![Vec::new(); model.classes.len()];
    let relations = || model.associations.iter().filter(|relation| inherits(relation));
    let ends = |relation: &Association| relation.ends.each_ref().map(|end| end.class.index());
    for relation in relations() {
        let [special, other] = ends(relation);
        general[special].push(other);
    }
    let component = scc::components(&general);
    let mut told: Vec<usize> = Vec::new();
    for relation in relations() {
        let [special, other] = ends(relation);
        if component[special] != component[other] || told.contains(&component[special]) {
            continue;
        }
        told.push(component[special]);
        findings.push(circle(model, &around(&general, &component, special, other), relation.place));
    }
}

/// A way from a class by way of another back to it, without those that lead elsewhere.
fn around(general: &[Vec<usize>], component: &[usize], start: usize, second: usize) -> Vec<usize> {
    let mut before: BTreeMap<usize, usize> = BTreeMap::new();
    let mut open = std::collections::VecDeque::from([second]);
    while let Some(at) = open.pop_front().filter(|at| *at != start) {
        for next in general[at].iter().filter(|next| component[**next] == component[start]) {
            if *next != second && !before.contains_key(next) {
                before.insert(*next, at);
                open.push_back(*next);
            }
        }
    }
    let mut way = vec![start];
    let mut at = start;
    while at != second {
        let Some(earlier) = before.get(&at) else { break };
        way.push(*earlier);
        at = *earlier;
    }
    way.reverse();
    way
}

/// Longer circles are not told class by class.
const MOST_CLASSES: usize = 8;

fn circle(model: &Model, way: &[usize], place: Place) -> Diagnostic {
    let name = |class: &usize| format!("`{}`", model.classes[ClassId::from_index(*class)].name);
    let own = way.last().map(name).unwrap_or_default();
    let message = match way {
        [_] => format!("{own} inherits from itself"),
        way if way.len() <= MOST_CLASSES => {
            let names: Vec<String> = way.iter().map(name).collect();
            format!("{own} inherits from itself, by way of {}", names[..names.len() - 1].join(", "))
        }
        way => format!("{own} inherits from itself, by way of {} other classes", way.len() - 1),
    };
    Diagnostic::new(Code::InheritanceCircle, place.0, message)
        .hint("turn or remove one of these arrows; the triangle points at the more general class")
}

/// Attributes that a class declares with two types: W311.
fn types(class: &Class, findings: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<&str, &Attribute> = BTreeMap::new();
    for attribute in class.attributes.iter().filter(|one| one.type_name.is_some() && !one.name.is_empty()) {
        let Some(other) = first.get(attribute.name.as_str()) else {
            first.insert(&attribute.name, attribute);
            continue;
        };
        if plain(attribute) != plain(other) {
            let shown = |one: &Attribute| one.type_name.clone().unwrap_or_default();
            let message = format!(
                "`{}` of `{}` is of type `{}` here and of type `{}` elsewhere",
                attribute.name,
                class.name,
                shown(attribute),
                shown(other)
            );
            findings.push(
                Diagnostic::new(Code::TwoTypes, attribute.place.0, message)
                    .label(other.place.0, "the other type")
                    .hint("declare the attribute once, or give it the same type"),
            );
        }
    }
}

/// A type without what is only a matter of writing.
fn plain(attribute: &Attribute) -> String {
    let text = attribute.type_name.as_deref().unwrap_or_default();
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// Classes that a relation names and that are not declared, one slip away from a declared one: W312.
fn names(model: &Model, folders: &Folders, findings: &mut Vec<Diagnostic>) {
    let folder = |class: &Class| folders.get(&class.place.0.file);
    let mut declared: BTreeMap<Option<&String>, Vec<&str>> = BTreeMap::new();
    for class in model.classes.iter().filter(|class| class.declared) {
        declared.entry(folder(class)).or_default().push(&class.name);
    }
    for class in model.classes.iter().filter(|class| !class.declared) {
        let known = || declared.get(&folder(class)).into_iter().flatten().copied().take(MOST_NAMES);
        let is_same =
            |other: &&str| other.to_lowercase() == class.name.to_lowercase() && class.name.len() > 2;
        let Some(near) = known().find(is_same).or_else(|| slip_of(&class.name, known())) else { continue };
        findings.push(
            Diagnostic::new(
                Code::ClassSlip,
                class.place.0,
                format!("`{}` is not declared; did you mean `{near}`?", class.name),
            )
            .hint(format!("if not, declare `{}` too", class.name))
            .remedy(Remedy::Rename(class.name.clone(), near.to_owned())),
        );
    }
}

/// Names are compared with no more than this many others.
const MOST_NAMES: usize = 300;

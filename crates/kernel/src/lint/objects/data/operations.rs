//! Operations of classes that behave as machines: W610 (parameters whose type is meant as one and is none), W616 (what is no declaration). Their
//! parameters would be open, or typed by what is sent, as if nothing were written.

use std::collections::BTreeSet;

use super::FolderObjects;
use crate::diagnostic::{Code, Diagnostic, slip_of};
use crate::model::{Attribute, Operation, Parameter};
use crate::semantics::objects::{Enumerations, ValueType};

pub(super) fn check(system: &FolderObjects, enumerations: &Enumerations, findings: &mut Vec<Diagnostic>) {
    let behaving = system.whole.objects.iter().filter(|object| object.machine.is_some());
    let kinds: BTreeSet<&String> = behaving.flat_map(|object| &object.kinds).collect();
    for class in system.model.classes.iter().filter(|class| kinds.contains(&class.name.to_lowercase())) {
        for operation in &class.operations {
            let parameters = operation.parameters.iter();
            findings.extend(parameters.filter_map(|one| misread(operation, one, system, enumerations)));
            findings.extend(misspelt_result(operation, system, enumerations));
            findings.extend(has_brackets(&operation.name).then(|| odd(operation, &operation.name)));
        }
        let written = |attribute: &Attribute| {
            let kind = attribute.type_name.as_deref().unwrap_or_default();
            if is_balanced(kind) { attribute.name.clone() } else { format!("{} : {kind}", attribute.name) }
        };
        for attribute in &class.attributes {
            let name = written(attribute);
            if !has_brackets(&name) {
                continue;
            }
            let text = format!("`{name}` is not understood");
            let finding = Diagnostic::new(Code::OpaqueData, attribute.place.0, text);
            findings.push(finding.hint("an operation is declared as in `m(x : 0..7)`"));
        }
    }
}

/// Whether each round bracket of a text has its other half.
fn is_balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

fn has_brackets(name: &str) -> bool {
    name.contains(['(', ')'])
}

/// What is wrong with a parameter.
fn misread(
    operation: &Operation,
    parameter: &Parameter,
    system: &FolderObjects,
    enumerations: &Enumerations,
) -> Option<Diagnostic> {
    let Parameter { name, type_name, .. } = parameter;
    let written = type_name.as_deref().unwrap_or_default().trim();
    let is_number =
        |text: &str| text.trim_start_matches(['-', '[']).starts_with(|c: char| c.is_ascii_digit());
    let is_range = is_number(written) || written.contains("..");
    let is_odd =
        has_brackets(name) || !is_balanced(written) || name.contains(char::is_whitespace) || is_number(name);
    let is_nothing = name.is_empty() && written.is_empty();
    if is_odd || is_nothing || (is_range && name.is_empty()) {
        let what = if is_nothing {
            ","
        } else if name.is_empty() {
            written
        } else {
            name
        };
        return Some(odd(operation, what));
    }
    let is_type = ValueType::named(written, enumerations, |_| false).is_some();
    let text = format!("`{name}` of `{}` is of type `{written}`, which has no values", operation.name);
    let finding = Diagnostic::new(Code::UnknownType, operation.place.0, text);
    if is_range && !is_type {
        return Some(finding.hint("a range has its least and its greatest value, as in `0..7`"));
    }
    meant_type(written, system, enumerations).map(|near| finding.meant(written, near))
}

/// A result whose type is meant as one and is none.
fn misspelt_result(
    operation: &Operation,
    system: &FolderObjects,
    enumerations: &Enumerations,
) -> Option<Diagnostic> {
    let written = operation.result.as_deref()?;
    let near = meant_type(written, system, enumerations)?;
    let text = format!("`{}` returns a `{written}`, which has no values", operation.name);
    Some(Diagnostic::new(Code::UnknownType, operation.place.0, text).meant(written, near))
}

/// The type of which a word is a misspelling.
fn meant_type<'a>(
    written: &str,
    system: &'a FolderObjects,
    enumerations: &'a Enumerations,
) -> Option<&'a str> {
    let classes = || system.model.classes.iter().map(|class| class.name.as_str());
    let is_known =
        ValueType::named(written, enumerations, |name| classes().any(|class| class == name)).is_some();
    let all = ["bool", "boolean", "integer"].into_iter().chain(enumerations.keys().map(String::as_str));
    slip_of(written, all.chain(classes())).filter(|_| !is_known)
}

fn odd(operation: &Operation, what: &str) -> Diagnostic {
    let text = format!("`{what}` in the declaration of `{}` is not understood", operation.name);
    let finding = Diagnostic::new(Code::OpaqueData, operation.place.0, text);
    finding.hint("an operation is declared as in `m(x : 0..7)`")
}

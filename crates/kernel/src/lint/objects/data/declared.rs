//! Attributes and their values: W610 (types), E611 (values), E618 and W613 (values of attributes that are not declared).

use super::ObjectData;
use crate::diagnostic::{Code, Diagnostic, Severity, nearest, slip_of};
use crate::model::Attribute;
use crate::semantics::objects::{PLAIN_INT, ValueType};
use crate::source::Span;

/// The attributes themselves.
pub(super) fn attributes(data: &ObjectData, findings: &mut Vec<Diagnostic>) {
    for (attribute, kind) in data.declared.values() {
        match (kind, &attribute.initial) {
            (None, _) => findings.extend(unknown_type(data, attribute)),
            // The first value of a reference depends on which objects there are.
            (Some(ValueType::Object), _) | (Some(_), None) => {}
            (Some(kind), Some(text)) if is_meant(data, attribute, kind, text) => {
                findings.extend(misfit(data, attribute, kind, text, attribute.place.0));
            }
            (Some(_), Some(_)) => {}
        }
    }
}

/// Whether an attribute is one of the values that the machine works with, rather than of a program of which a class is a sketch.
fn is_meant(data: &ObjectData, attribute: &Attribute, kind: &ValueType, text: &str) -> bool {
    let is_own = data.machine.attributes.iter().any(|one| one.name == attribute.name);
    let is_range = matches!(kind, ValueType::Range(..));
    is_own
        || data.used.contains(attribute.name.as_str())
        || (is_range && !is_plain_int(attribute, kind))
        || (!is_range && is_plain(text))
}

/// Whether a text is one number or name.
fn is_plain(text: &str) -> bool {
    let text = text.trim();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
    text.parse::<i64>().is_ok()
        || (text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(is_part))
}

/// Numbers without range that the machine uses; one finding for all.
pub(super) fn plain_int(data: &ObjectData) -> Option<Diagnostic> {
    let mut plain = data.declared.values().filter(|(attribute, kind)| {
        let is_plain = kind.as_ref().is_some_and(|kind| is_plain_int(attribute, kind));
        let is_told = || match (kind, &attribute.initial) {
            (Some(kind), Some(text)) => misfit(data, attribute, kind, text, attribute.place.0).is_some(),
            (_, _) => false,
        };
        is_plain && data.used.contains(attribute.name.as_str()) && !is_told()
    });
    let (attribute, kind) = plain.next()?;
    let (low, high) = match kind {
        Some(ValueType::Range(low, high)) => (low, high),
        Some(ValueType::Bool | ValueType::Enumeration(_) | ValueType::Object) | None => return None,
    };
    let name = &attribute.name;
    let text = format!("`{name}` has no range, so it is {low}..{high}");
    let finding = Diagnostic::new(Code::PlainInt, attribute.place.0, text);
    Some(finding.hint(format!("give it a range of its own, as in `{name} : 0..20`")))
}

/// The first values of one object: those that an object diagram gives, and references.
pub(super) fn values(data: &ObjectData, findings: &mut Vec<Diagnostic>) {
    let object = &data.system.whole.objects[data.object];
    for (name, text) in &object.values {
        match data.declared.get(name.as_str()) {
            Some((attribute, Some(kind))) if !text.is_empty() => {
                findings.extend(misfit(data, attribute, kind, text, object.place.0));
            }
            Some(_) => {}
            None => findings.extend(stranger(data, name, text)),
        }
    }
    for (attribute, kind) in data.declared.values() {
        let is_given = object.values.iter().any(|(name, text)| *name == attribute.name && !text.is_empty());
        let (Some(kind @ ValueType::Object), Some(text), false) = (kind, &attribute.initial, is_given) else {
            continue;
        };
        let finding = misfit(data, attribute, kind, text, attribute.place.0);
        // Objects of one class share its attributes.
        if let Some(finding) = finding.filter(|one| !data.is_drawn(text) && !findings.contains(one)) {
            findings.push(finding);
        }
    }
}

/// A line of an object that gives no attribute a value. Pictures of data say many things; what looks like a value of an attribute is meant as one.
fn stranger(data: &ObjectData, name: &str, value: &str) -> Option<Diagnostic> {
    let object = &data.system.whole.objects[data.object];
    let first = name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
    let line = if value.is_empty() { name.to_owned() } else { format!("{name} = {value}") };
    if data.declared.contains_key(first) || (first.is_empty() && !value.is_empty()) {
        let text = format!("`{}` of `{}` gives no attribute a value", line.trim(), object.name);
        let finding = Diagnostic::new(Code::ValueOutside, object.place.0, text);
        return Some(finding.hint("a value is given as in `x = 1`"));
    }
    let text = format!("`{}` has no attribute `{name}`", object.name);
    if let Some(near) = slip_of(name, data.declared.keys().copied()) {
        return Some(Diagnostic::new(Code::MisspeltName, object.place.0, text).meant(name, near));
    }
    let finding =
        Diagnostic::new(Code::UnknownAttribute, object.place.0, format!("{text}, so this does nothing"));
    let is_meant = !value.is_empty() && first == name && data.is_about_data();
    is_meant.then(|| finding.hint("declare it in the class, or with `@attribute`"))
}

/// Whether an attribute has the default range, which its author has not chosen.
fn is_plain_int(attribute: &Attribute, kind: &ValueType) -> bool {
    let is_range = attribute.type_name.as_ref().is_some_and(|name| name.contains(".."));
    matches!(kind, ValueType::Range(..)) && !is_range
}

fn unknown_type(data: &ObjectData, attribute: &Attribute) -> Option<Diagnostic> {
    let name = &attribute.name;
    let is_own = data.machine.attributes.iter().any(|one| one.name == *name);
    let Some(written) = attribute.type_name.as_deref() else {
        let text = format!("`{name}` has no type, so guards and effects with it are left open");
        let finding = Diagnostic::new(Code::UnknownType, attribute.place.0, text);
        let finding = finding.hint("types are bool, ranges such as `0..7`, enumerations and classes");
        let is_used = data.used.contains(name.as_str());
        return (is_own || is_used)
            .then(|| finding.severity(if is_own { Severity::Warning } else { Severity::Hint }));
    };
    let bounds = written.split_once("..").map(|(low, high)| [low, high].map(|one| one.trim().parse::<i64>()));
    if let Some([Ok(low), Ok(high)]) = bounds {
        let text = match low > high {
            true => format!("`{name}` can have no value: the range `{written}` is empty"),
            false => format!("`{name}` has a range that is too large: `{written}`"),
        };
        let finding = Diagnostic::new(Code::ValueOutside, attribute.place.0, text);
        return Some(finding.hint("write the least value first, as in `0..7`"));
    }
    if !is_own && !data.used.contains(name.as_str()) {
        return None;
    }
    let classes = data.system.model.classes.iter().map(|class| class.name.as_str());
    let near = nearest(written, ["bool", "boolean", "int", "integer", "nat"].into_iter().chain(classes));
    let text = format!("`{name}` is of type `{written}`, so guards and effects with it are left open");
    let finding = Diagnostic::new(Code::UnknownType, attribute.place.0, text);
    Some(match near {
        Some(near) => finding.meant(written, near),
        None if is_own => finding.hint("types are bool, ranges such as `0..7`, enumerations and classes"),
        // Programs have many types; a sketch of one is not wrong for that.
        None => finding.severity(Severity::Hint).hint(
            "types with finitely many values are bool, ranges such as `0..7`, enumerations and classes",
        ),
    })
}

/// A value that its type does not have, or that is none.
fn misfit(
    data: &ObjectData,
    attribute: &Attribute,
    kind: &ValueType,
    text: &str,
    place: Span,
) -> Option<Diagnostic> {
    let text = text.trim();
    if kind.constant(text, data.enumerations, &data.system.whole).is_some() {
        return None;
    }
    let name = &attribute.name;
    let mut near = None;
    let (finding, hint) = match kind {
        ValueType::Range(low, high) if text.parse::<i64>().is_err() => (
            format!("`{name}` cannot be `{text}`: it is a number of {low}..{high}"),
            "write the number with which it begins".to_owned(),
        ),
        ValueType::Range(low, high) => {
            let hint = match (*low, *high) == PLAIN_INT && is_plain_int(attribute, kind) {
                true => {
                    format!("`int` is {low}..{high}; give `{name}` a range of its own, as in `0..{text}`")
                }
                false => format!("values are {low} to {high}"),
            };
            (format!("`{name}` cannot be {text}: it is {low}..{high}"), hint)
        }
        ValueType::Bool => {
            (format!("`{name}` cannot be `{text}`: it is true or false"), "write true or false".to_owned())
        }
        ValueType::Enumeration(of) => {
            let literals = data.enumerations.get(of).map(Vec::as_slice).unwrap_or_default();
            near = nearest(text, literals.iter().map(String::as_str));
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("values are {}", literals.join(", ")),
            };
            (format!("`{name}` cannot be `{text}`: {of} has no such value"), hint)
        }
        ValueType::Object => {
            let objects = data.system.whole.objects.iter().map(|object| object.name.as_str());
            near = slip_of(text, objects);
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "it refers to an object, or is `none`".to_owned(),
            };
            (format!("`{name}` cannot be `{text}`: no object is called that"), hint)
        }
    };
    let finding = Diagnostic::new(Code::ValueOutside, place, finding).hint(hint);
    Some(match near {
        Some(near) => finding.meant(text, near),
        None => finding,
    })
}

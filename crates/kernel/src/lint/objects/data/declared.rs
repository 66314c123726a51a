//! Attributes and their values: W610 (types), E611 (values), E618 (values of attributes that are not declared).

use super::Data;
use crate::diagnostic::{Code, Diagnostic, Severity, nearest, slip_of};
use crate::model::Attribute;
use crate::semantics::objects::{PLAIN_INT, Type};
use crate::source::Span;

/// The attributes themselves.
pub(super) fn attributes(data: &Data, findings: &mut Vec<Diagnostic>) {
    for (attribute, kind) in data.declared.values() {
        match (kind, &attribute.initial) {
            (None, _) => findings.extend(unknown_type(data, attribute)),
            // The first value of a reference depends on which objects there are.
            (Some(Type::Object), _) | (Some(_), None) => {}
            (Some(kind), Some(text)) => {
                if !is_plain_int(attribute, kind) || data.used.contains(attribute.name.as_str()) {
                    findings.extend(misfit(data, attribute, kind, text, attribute.place.0));
                }
            }
        }
    }
}

/// Numbers without range that the machine uses; one finding for all.
pub(super) fn plain_int(data: &Data) -> Option<Diagnostic> {
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
        Some(Type::Range(low, high)) => (low, high),
        Some(Type::Bool | Type::Enumeration(_) | Type::Object) | None => return None,
    };
    let name = &attribute.name;
    let text = format!("`{name}` has no range, so it is {low}..{high}");
    let finding = Diagnostic::new(Code::PlainInt, attribute.place.0, text);
    Some(finding.hint(format!("give it a range of its own, as in `{name} : 0..20`")))
}

/// Values that an object diagram gives.
pub(super) fn values(data: &Data, findings: &mut Vec<Diagnostic>) {
    let object = &data.system.whole.objects[data.object];
    for (name, text) in &object.values {
        match data.declared.get(name.as_str()) {
            Some((attribute, Some(kind))) if !text.is_empty() => {
                findings.extend(misfit(data, attribute, kind, text, object.place.0));
            }
            Some(_) => {}
            None => {
                let Some(near) = slip_of(name, data.declared.keys().copied()) else { continue };
                let text = format!("`{}` has no attribute `{name}`", object.name);
                let finding = Diagnostic::new(Code::MisspeltName, object.place.0, text);
                findings.push(finding.meant(name, near));
            }
        }
    }
}

/// Whether an attribute has the default range, which its author has not chosen.
fn is_plain_int(attribute: &Attribute, kind: &Type) -> bool {
    let is_range = attribute.type_name.as_ref().is_some_and(|name| name.contains(".."));
    matches!(kind, Type::Range(..)) && !is_range
}

fn unknown_type(data: &Data, attribute: &Attribute) -> Option<Diagnostic> {
    let name = &attribute.name;
    let written = attribute.type_name.as_deref()?;
    let bounds = written.split_once("..").map(|(low, high)| [low, high].map(|one| one.trim().parse::<i64>()));
    if let Some([Ok(low), Ok(high)]) = bounds {
        let text = match low > high {
            true => format!("`{name}` can have no value: the range `{written}` is empty"),
            false => format!("`{name}` has a range that is too large: `{written}`"),
        };
        let finding = Diagnostic::new(Code::ValueOutside, attribute.place.0, text);
        return Some(finding.hint("write the least value first, as in `0..7`"));
    }
    let is_own = data.machine.attributes.iter().any(|one| one.name == *name);
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

/// A value that its type does not have, if it is a plain value.
fn misfit(data: &Data, attribute: &Attribute, kind: &Type, text: &str, place: Span) -> Option<Diagnostic> {
    let text = text.trim();
    let is_number = text.parse::<i64>().is_ok();
    let is_word = text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
    if !(is_number || is_word) || kind.constant(text, data.enumerations, &data.system.whole).is_some() {
        return None;
    }
    // A name may stand for a constant of the program.
    if is_word && matches!(kind, Type::Range(..)) {
        return None;
    }
    let name = &attribute.name;
    let mut near = None;
    let (finding, hint) = match kind {
        Type::Range(low, high) => {
            let hint = match (*low, *high) == PLAIN_INT && is_plain_int(attribute, kind) {
                true => {
                    format!("`int` is {low}..{high}; give `{name}` a range of its own, as in `0..{text}`")
                }
                false => format!("values are {low} to {high}"),
            };
            (format!("`{name}` cannot be {text}: it is {low}..{high}"), hint)
        }
        Type::Bool => {
            (format!("`{name}` cannot be `{text}`: it is true or false"), "write true or false".to_owned())
        }
        Type::Enumeration(of) => {
            let literals = data.enumerations.get(of).map(Vec::as_slice).unwrap_or_default();
            near = nearest(text, literals.iter().map(String::as_str));
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("values are {}", literals.join(", ")),
            };
            (format!("`{name}` cannot be `{text}`: {of} has no such value"), hint)
        }
        Type::Object => {
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

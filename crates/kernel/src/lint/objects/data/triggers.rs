//! Triggers: W616 (text that is no trigger), E611 (a value that is waited for and never comes), E614 (more parameters than there are).

use super::{LabelFindings, ObjectData};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::model::{Transition, Trigger};
use crate::semantics::objects::{ArgumentPattern, pattern};

pub(super) fn check(data: &ObjectData, found: &mut LabelFindings) {
    for transition in data.machine.transitions.iter() {
        found.told.extend(empty_guard(data, transition));
        for trigger in &transition.triggers {
            let (name, parameters) = match trigger {
                Trigger::Event { name, parameters } => (name, parameters),
                Trigger::After(time) if time.trim().is_empty() => {
                    found.told.push(endless(transition));
                    continue;
                }
                Trigger::After(_) | Trigger::When(_) | Trigger::Any => continue,
            };
            found.told.extend(odd(data, name, parameters, transition));
            found.told.extend(through(data, name, transition));
            found.told.extend(too_many(data, name, parameters, transition));
            for (at, parameter) in parameters.iter().enumerate() {
                found.told.extend(never(data, name, parameter, at, transition));
            }
        }
    }
}

/// `after()`, which says not after what.
fn endless(transition: &Transition) -> Diagnostic {
    let finding =
        Diagnostic::new(Code::OpaqueData, transition.place.0, "`after()` says not how long it takes");
    finding.hint("write a time, as in `after(5s)`")
}

/// `[]`, which asks nothing.
fn empty_guard(data: &ObjectData, transition: &Transition) -> Option<Diagnostic> {
    let head = transition.text.split('/').next().unwrap_or_default();
    let is_empty = head.split_once('[').is_some_and(|(_, inside)| inside.trim_start().starts_with(']'));
    let finding = Diagnostic::new(Code::OpaqueData, transition.place.0, "the guard `[]` is empty");
    (is_empty && transition.guard.is_none() && data.is_formal())
        .then(|| finding.hint("write the condition, as in `m [x > 0]`, or leave out the brackets"))
}

/// A trigger that looks like a guard with a wrong bracket, or has a parameter that is no name.
fn odd(data: &ObjectData, name: &str, parameters: &[String], transition: &Transition) -> Option<Diagnostic> {
    let is_odd = |text: &&String| {
        let is_digit = |c: char| c.is_ascii_digit();
        text.contains(['$', '%', '\\', '"', '#', '@', ';'])
            || text.starts_with(is_digit) && !text.chars().all(is_digit)
    };
    let has_guard = name.contains(['[', ']']);
    let is_open = ["[]", "()"].iter().any(|pair| {
        let [open, shut] = [&pair[..1], &pair[1..]].map(|sign| name.matches(sign).count());
        open > shut
    });
    let (text, hint) = match parameters.iter().find(is_odd) {
        Some(odd) => (format!("`{odd}` is not a name of a parameter"), "write a name, as in `m(x) [x > 0]`"),
        None if is_open => (
            format!("a bracket is not closed in `{name}`"),
            "a label is written as in `m(x) [x > 0] / y = x`",
        ),
        None if has_guard || name.contains(['(', ')', '{', '}', '=', '<', '>']) => (
            format!("`{name}` is taken for the name of an event"),
            "a guard stands in square brackets behind the event, as in `m [x > 0] / y = x`",
        ),
        None => return None,
    };
    let severity = match (data.is_formal() || is_open, has_guard) {
        (true, _) => Severity::Warning,
        (false, true) => Severity::Hint,
        (false, false) => return None,
    };
    Some(Diagnostic::new(Code::OpaqueData, transition.place.0, text).severity(severity).hint(hint))
}

/// A trigger that names one of several ports for its message, or who sends: `left.a`. It is the name of an event that nothing sends.
fn through(data: &ObjectData, name: &str, transition: &Transition) -> Option<Diagnostic> {
    let (head, event) = name.split_once('.')?;
    let key = (data.object, head.to_owned());
    let is_port = data.system.whole.carried.contains_key(&key);
    if !is_port && !data.knows_object(head) && !data.system.whole.roles.contains_key(&key) {
        return None;
    }
    let text = match is_port {
        true => {
            format!("`{name}` is taken for the name of an event, not for `{event}` through the port `{head}`")
        }
        false => format!("`{name}` is taken for the name of an event, not for `{event}` of `{head}`"),
    };
    let hint = match is_port {
        true => format!("write `{event}`: it is taken through any port that lets it in"),
        false => format!("write `{event} [sender == {head}]`"),
    };
    Some(Diagnostic::new(Code::OpaqueData, transition.place.0, text).severity(Severity::Warning).hint(hint))
}

/// A trigger with more parameters than any class declares for its message.
fn too_many(
    data: &ObjectData,
    name: &str,
    parameters: &[String],
    transition: &Transition,
) -> Option<Diagnostic> {
    let most = data.operations(name).map(|operation| operation.values().count()).max()?;
    let is_typed =
        data.operations(name).any(|operation| operation.values().any(|one| one.type_name.is_some()));
    if parameters.len() <= most || !is_typed {
        return None;
    }
    let arguments = if most == 1 { "argument" } else { "arguments" };
    let text =
        format!("`{name}` is declared with {most} {arguments}, and is taken with {}", parameters.len());
    let finding = Diagnostic::new(Code::ArgumentCount, transition.place.0, text);
    Some(finding.hint("leave out what no class declares, or declare it"))
}

/// A value that is waited for, as in `result(false)`, and that the parameter never has.
fn never(
    data: &ObjectData,
    name: &str,
    parameter: &str,
    at: usize,
    transition: &Transition,
) -> Option<Diagnostic> {
    let kind = data.parameter_type(name, at)?;
    let ArgumentPattern::Never(wanted) = pattern(parameter, &kind, data.enumerations, &data.system.whole)
    else {
        return None;
    };
    let text = format!("`{name}` never has the value `{wanted}`: its argument is {}", kind.describe());
    let finding = Diagnostic::new(Code::ValueOutside, transition.place.0, text);
    Some(finding.hint("wait for a value of the declared type, or declare another one"))
}

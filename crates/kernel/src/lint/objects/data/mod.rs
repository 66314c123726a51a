//! Data that does not fit: types, values, names and arguments in the machines of a folder: E602, W609 to W616.
//!
//! Most guards and effects in the wild are prose, or speak of things that nobody declares; they stay what they are, free propositions and
//! text. Something is wrong only where the author evidently means declared data: an expression that uses a declared attribute, a name that is
//! nearly a declared one, a value that its own type does not have. What is declared and what expressions are worth is said once, in
//! [`semantics::objects`](crate::semantics::objects).

mod declared;
mod expressions;
mod scope;
mod sends;

use std::collections::{BTreeMap, BTreeSet};

use super::System;
use crate::diagnostic::{Code, Diagnostic, Severity, nearest};
use crate::model::{Attribute, Condition, Effect, Expression, Machine, Trigger};
use crate::semantics::objects::{Enumerations, InstanceId, Type, attribute_type, enumerations};

pub(super) fn check(system: &System, findings: &mut Vec<Diagnostic>) {
    let enumerations = enumerations(system.model);
    let mut seen = BTreeSet::new();
    let mut is_range_told = false;
    for (id, object) in system.whole.objects.enumerate() {
        let Some(machine) = object.machine else {
            unknown_class(system, id, findings);
            continue;
        };
        let machine_body = &system.model.machines[machine];
        let mut data = Data::of(system, id, machine_body, &enumerations);
        declared::values(&data, findings);
        if seen.insert((machine, object.class.clone())) {
            declared::attributes(&data, findings);
            // Whoever has read it once knows it.
            let plain = declared::plain_int(&data).filter(|_| !is_range_told);
            is_range_told |= plain.is_some();
            findings.extend(plain);
            expressions::check(&mut data, findings);
            sends::check(&mut data, findings);
        }
    }
}

/// A listed object of a class that nobody gives: it has no machine, which may well be a slip.
fn unknown_class(system: &System, id: InstanceId, findings: &mut Vec<Diagnostic>) {
    let object = &system.whole.objects[id];
    let Some(class) = object.class.as_deref().filter(|_| system.whole.is_listed) else { return };
    if system.kinds.class(class).is_some_and(|class| class.declared) {
        return;
    }
    let text = format!("`{}` is of class `{class}`, which has no state machine", object.name);
    let finding = Diagnostic::new(Code::MissingMachine, object.place.0, text);
    let machines = system.machines().map(|one| one.class.as_ref().unwrap_or(&one.name).as_str());
    findings.push(match nearest(class, machines) {
        Some(near) => finding.hint(format!("did you mean `{near}`?")),
        None => finding
            .severity(Severity::Warning)
            .hint("give its state machine, or declare the class if it is environment"),
    });
}

/// What an object knows.
struct Data<'a> {
    system: &'a System<'a>,
    object: InstanceId,
    machine: &'a Machine,
    enumerations: &'a Enumerations,
    /// Its attributes, with their types as far as they are known.
    declared: BTreeMap<&'a str, (&'a Attribute, Option<Type>)>,
    /// Names that its machine uses in expressions and assignments.
    used: BTreeSet<&'a str>,
}

impl<'a> Data<'a> {
    fn of(
        system: &'a System<'a>,
        object: InstanceId,
        machine: &'a Machine,
        enumerations: &'a Enumerations,
    ) -> Self {
        let class = system.whole.objects[object].class.as_deref();
        let mut lineage = class.map(|class| system.kinds.lineage(class)).unwrap_or_default();
        lineage.reverse();
        let classes = lineage.into_iter().filter_map(|name| system.kinds.class(&name));
        let of_classes = classes.flat_map(|class| class.attributes.iter());
        let mut declared = BTreeMap::new();
        for attribute in of_classes.filter(|one| !one.is_port()).chain(&machine.attributes) {
            let kind = attribute_type(system.model, &system.whole, attribute, enumerations);
            declared.insert(attribute.name.as_str(), (attribute, kind));
        }
        let mut data = Data { system, object, machine, enumerations, declared, used: BTreeSet::new() };
        data.used = data.names_used();
        data
    }

    fn name(&self) -> &'a str {
        &self.system.whole.objects[self.object].name
    }

    fn names_used(&self) -> BTreeSet<&'a str> {
        let mut used = BTreeSet::new();
        for (condition, _) in self.conditions() {
            if let Some(expression) = &condition.expression {
                names(expression, &mut used);
            }
        }
        for effect in self.machine.effects() {
            match effect {
                Effect::Assign(assign) => {
                    used.extend(own(&assign.target));
                    names(&assign.value, &mut used);
                }
                Effect::Send(send) => {
                    let arguments = send.arguments.iter().flatten().filter_map(|one| one.value.as_ref());
                    arguments.for_each(|value| names(value, &mut used));
                }
                Effect::Opaque { .. } => {}
            }
        }
        used
    }

    /// Guards and change triggers, each with the parameters it may use.
    fn conditions(&self) -> Vec<(&'a Condition, Vec<Bound<'a>>)> {
        let mut all = Vec::new();
        for transition in self.machine.transitions.iter() {
            let parameters = parameters(&transition.triggers);
            all.extend(transition.guard.iter().map(|guard| (guard, parameters.clone())));
            for trigger in &transition.triggers {
                match trigger {
                    Trigger::When(condition) => all.push((condition, Vec::new())),
                    Trigger::Event { .. } | Trigger::Any | Trigger::After(_) => {}
                }
            }
        }
        all
    }

    /// Whether the machine works with data: attributes of known types that it uses, or that are declared for it.
    fn is_about_data(&self) -> bool {
        !self.machine.attributes.is_empty()
            || self.declared.iter().any(|(name, (_, kind))| kind.is_some() && self.used.contains(name))
    }

    /// Whether an expression uses a declared attribute.
    fn is_data(&self, expression: &Expression) -> bool {
        let mut used = BTreeSet::new();
        names(expression, &mut used);
        used.iter().any(|name| self.declared.contains_key(name))
    }
}

/// A parameter that a trigger binds: its name, the message, the position in its list.
type Bound<'a> = (&'a str, &'a str, usize);

/// The parameters that triggers bind.
fn parameters(triggers: &[Trigger]) -> Vec<Bound<'_>> {
    let mut all = Vec::new();
    for trigger in triggers {
        match trigger {
            Trigger::Event { name: message, parameters } => {
                all.extend(
                    parameters.iter().enumerate().map(|(at, name)| (name.as_str(), message.as_str(), at)),
                );
            }
            Trigger::Any | Trigger::After(_) | Trigger::When(_) => {}
        }
    }
    all
}

/// The names of an object's own things in an expression.
fn names<'e>(expression: &'e Expression, found: &mut BTreeSet<&'e str>) {
    match expression {
        Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) => {}
        Expression::Name(path) => found.extend(own(path)),
        Expression::Unary(_, part) => names(part, found),
        Expression::Binary(_, left, right) => {
            names(left, found);
            names(right, found);
        }
        Expression::Call(_, arguments) => arguments.iter().for_each(|one| names(one, found)),
    }
}

/// The attribute that a path means on the object itself.
fn own(path: &[String]) -> Option<&str> {
    match path {
        [name] => Some(name),
        [first, name] if first == "self" || first == "this" => Some(name),
        _ => None,
    }
}

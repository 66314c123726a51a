//! Type errors: types, values, names and arguments in the machines of a folder: E602, W609 to W616.
//!
//! Most guards and effects in real diagrams are prose, or use undeclared names; they stay free propositions
//! and text. A finding needs evidence that the author means declared data: an expression that uses a declared
//! attribute, a name that is nearly a declared one, a value that its own type does not have. Declarations and
//! the evaluation of expressions are defined once, in [`semantics::objects`](crate::semantics::objects).

mod contracts;
mod declared;
mod expressions;
mod operations;
mod scope;
mod sends;
mod triggers;

use std::collections::{BTreeMap, BTreeSet};

use super::FolderObjects;
use crate::diagnostic::{Code, Diagnostic, Severity, nearest};
use crate::model::{Attribute, Condition, Effect, Expression, Machine, Transition, Trigger};
use crate::semantics::objects::{
    Enumerations, InstanceId, ValueType, attribute_type, enumerations, followed, is_passed,
};
use crate::source::{Place, Span};

pub(super) fn check(system: &FolderObjects, findings: &mut Vec<Diagnostic>) {
    let enumerations = enumerations(system.model);
    let mut seen = BTreeSet::new();
    let mut is_range_told = false;
    operations::check(system, &enumerations, findings);
    for (id, object) in system.whole.objects.enumerate() {
        let Some(machine) = object.machine else {
            unknown_class(system, id, findings);
            continue;
        };
        let machine_body = &system.model.machines[machine];
        let data = ObjectData::of(system, id, machine_body, &enumerations);
        declared::values(&data, findings);
        if seen.insert((machine, object.class.clone())) {
            declared::attributes(&data, findings);
            // The hint about default ranges is reported once per folder.
            let plain = declared::plain_int(&data).filter(|_| !is_range_told);
            is_range_told |= plain.is_some();
            findings.extend(plain);
            let mut found = LabelFindings::default();
            expressions::check(&data, &mut found);
            sends::check(&data, &mut found);
            triggers::check(&data, &mut found);
            contracts::check(&data, &mut found);
            findings.extend(found.open_names());
            findings.extend(found.told);
        }
    }
}

/// A listed object of an undeclared class: it has no machine, which may be a mistake.
fn unknown_class(system: &FolderObjects, id: InstanceId, findings: &mut Vec<Diagnostic>) {
    let object = &system.whole.objects[id];
    let Some(class) = object.class.as_deref().filter(|_| system.whole.is_listed) else { return };
    if system.kinds.class(class).is_some_and(|class| class.declared) {
        return;
    }
    let machines = system.machines().map(|one| one.class.as_ref().unwrap_or(&one.name).as_str());
    findings.push(without_machine(&object.name, class, object.place, machines));
}

/// That an object is of a class that none of the machines is of.
pub fn without_machine<'c>(
    name: &str,
    class: &str,
    place: Place,
    machines: impl Iterator<Item = &'c str>,
) -> Diagnostic {
    let text = format!("`{name}` is of class `{class}`, which has no state machine");
    let finding = Diagnostic::new(Code::MissingMachine, place.0, text);
    match nearest(class, machines) {
        Some(near) => finding.meant(class, near),
        None => finding
            .severity(Severity::Warning)
            .hint("give its state machine, or declare the class if it is environment"),
    }
}

/// What is found in the labels of one machine.
#[derive(Default)]
struct LabelFindings {
    told: Vec<Diagnostic>,
    /// Names that nothing declares, each with its first place.
    open: Vec<(String, Span)>,
}

impl LabelFindings {
    fn open(&mut self, name: String, place: Span) {
        if self.open.iter().all(|(known, _)| *known != name) {
            self.open.push((name, place));
        }
    }

    /// One finding for all names that nothing declares.
    fn open_names(&self) -> Option<Diagnostic> {
        let (first, place) = self.open.first()?;
        let names: Vec<String> = self.open.iter().map(|(name, _)| format!("`{name}`")).collect();
        let (verb, them) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
        let text = format!(
            "{} {verb} not declared: conditions with {them} are decided freely, assignments to {them} do nothing",
            names.join(", ")
        );
        let finding = Diagnostic::new(Code::OpenData, *place, text);
        Some(finding.hint(format!("declare {them} in the class, or as in `@attribute {first} : 0..7`")))
    }
}

/// What an object knows.
struct ObjectData<'a> {
    system: &'a FolderObjects<'a>,
    object: InstanceId,
    machine: &'a Machine,
    enumerations: &'a Enumerations,
    /// Its attributes, with their types as far as they are known.
    declared: BTreeMap<&'a str, (&'a Attribute, Option<ValueType>)>,
    /// Names that its machine uses in expressions and assignments.
    used: BTreeSet<&'a str>,
}

impl<'a> ObjectData<'a> {
    fn of(
        system: &'a FolderObjects<'a>,
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
        let mut data = ObjectData { system, object, machine, enumerations, declared, used: BTreeSet::new() };
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
                self.names(expression, &mut used);
            }
        }
        for effect in self.machine.effects() {
            match effect {
                Effect::Assign(assign) => {
                    used.extend(self.own(&assign.target));
                    self.names(&assign.value, &mut used);
                }
                Effect::Send(send) => {
                    let arguments = send.arguments.iter().flatten().filter_map(|one| one.value.as_ref());
                    arguments.for_each(|value| self.names(value, &mut used));
                }
                Effect::Opaque { .. } => {}
            }
        }
        used
    }

    /// Guards and change triggers, each with the parameters it may use.
    fn conditions(&self) -> Vec<(&'a Condition, Vec<BoundParameter<'a>>)> {
        let mut all = Vec::new();
        for transition in self.machine.transitions.iter() {
            let parameters = self.bound(transition);
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

    /// The parameters that a transition may use: those of its triggers; behind a choice, and the like, those of what leads there.
    fn bound(&self, transition: &'a Transition) -> Vec<BoundParameter<'a>> {
        let mut way: Vec<&'a Transition> = vec![transition];
        let mut next = 0;
        while let Some(at) = way.get(next).copied() {
            next += 1;
            if is_passed(self.machine, at.source) {
                let before = self.machine.transitions.iter().filter(|one| one.target == at.source);
                let before: Vec<&'a Transition> =
                    before.filter(|one| !way.iter().any(|known| std::ptr::eq(*known, *one))).collect();
                way.extend(before);
            }
        }
        way.into_iter().flat_map(|one| parameters(&one.triggers)).collect()
    }

    /// Whether the machine works with data: attributes of known types that it uses, or that are declared for it.
    fn is_about_data(&self) -> bool {
        !self.machine.attributes.is_empty()
            || self.declared.iter().any(|(name, (_, kind))| kind.is_some() && self.used.contains(name))
    }

    /// Whether labels of the machine are meant as they are written: it works with data, or sends to other machines.
    fn is_formal(&self) -> bool {
        self.is_about_data()
            || self.machine.sends().any(|send| match followed(&send.target) {
                [target] => self.knows_object(target),
                _ => false,
            })
    }

    /// Whether a name is that of another object that behaves as a machine.
    fn knows_object(&self, name: &str) -> bool {
        let structure = &self.system.whole;
        structure.named(self.object, name).into_iter().any(|id| structure.objects[id].machine.is_some())
    }

    /// The attribute that a path means on the object itself.
    fn own<'p>(&self, path: &'p [String]) -> Option<&'p str> {
        self.system.whole.own_part(self.object, path).map(String::as_str)
    }

    /// Whether an expression calls an operation with a result: a message, and its reply.
    fn is_call(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Call(path, _) => match path.as_slice() {
                [_, .., name] => self.operations(name).any(|one| one.result.is_some()),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an expression uses a declared attribute.
    fn is_data(&self, expression: &Expression) -> bool {
        let mut used = BTreeSet::new();
        self.names(expression, &mut used);
        used.iter().any(|name| self.declared.contains_key(name))
    }

    /// The names of the object's own things in an expression.
    fn names<'e>(&self, expression: &'e Expression, found: &mut BTreeSet<&'e str>) {
        match expression {
            Expression::Bool(_) | Expression::Int(_) | Expression::Text(_) => {}
            Expression::Name(path) => found.extend(self.own(path)),
            Expression::Unary(_, part) => self.names(part, found),
            Expression::Binary(_, left, right) => {
                self.names(left, found);
                self.names(right, found);
            }
            Expression::Call(_, arguments) => arguments.iter().for_each(|one| self.names(one, found)),
        }
    }

    /// Whether a lifeline of a scenario is called so and behaves as a machine: an object in that scenario.
    fn is_drawn(&self, name: &str) -> bool {
        let mut lifelines = self.system.interactions().flat_map(|(_, one)| one.lifelines.iter());
        lifelines.any(|one| one.name == name && self.system.machine_of(one).is_some())
    }
}

/// A parameter that a trigger binds: its name, the message, the position in its list.
type BoundParameter<'a> = (&'a str, &'a str, usize);

/// The parameters that triggers bind.
fn parameters(triggers: &[Trigger]) -> Vec<BoundParameter<'_>> {
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

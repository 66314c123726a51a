//! Sends, and calls whose result is kept: E602 (to whom), W609 (through which ports), E614 (how many arguments), E612 (of which types), E618 (misspelt
//! ones), H620 (what nothing declares), W616 (an attribute that is sent).

use super::scope::LocalNames;
use super::{BoundParameter, LabelFindings, ObjectData};
use crate::diagnostic::{Code, Diagnostic, slip_of};
use crate::model::{Effect, Parameter, ParameterDirection, Send};
use crate::semantics::objects::{
    InstanceId, Misplaced, SendTarget, Unfit, UnknownPart, ValueType, called, evaluate, followed, in_order,
    is_return, parameter_lists, triggers, unknowns,
};

pub(super) fn check(data: &ObjectData, found: &mut LabelFindings) {
    for transition in data.machine.transitions.iter() {
        let known = data.bound(transition);
        for send in sends(data, &transition.effects) {
            one(data, &send, &known, found);
        }
    }
    for body in data.machine.vertices.iter().filter_map(|vertex| vertex.kind.body()) {
        for send in [&body.entry, &body.exit, &body.activity].into_iter().flat_map(|all| sends(data, all)) {
            one(data, &send, &[], found);
        }
    }
}

/// What effects send, calls whose result is kept included.
fn sends(data: &ObjectData, effects: &[Effect]) -> Vec<Send> {
    let send = |effect: &Effect| match effect {
        Effect::Send(send) => Some(send.clone()),
        Effect::Assign(assign) => called(assign).filter(|_| data.is_call(&assign.value)),
        Effect::Opaque { .. } => None,
    };
    effects.iter().filter_map(send).collect()
}

fn one(data: &ObjectData, send: &Send, known: &[BoundParameter], found: &mut LabelFindings) {
    found.told.extend(lone_attribute(data, send));
    let receivers = match aim(data, send) {
        SendAim::Objects(receivers) => receivers,
        SendAim::Open => {
            found.told.extend(shut_port(data, send));
            return arguments(data, send, known, found);
        }
        SendAim::Unknown(finding) => return found.told.push(finding),
    };
    let passes = |to: &InstanceId| data.system.whole.lets_through(data.object, *to, &send.name);
    let is_itself = receivers == [data.object];
    if !receivers.is_empty() && !is_itself && !receivers.iter().any(passes) {
        // If nothing at all can pass, the link is reported instead (W605).
        if !receivers.iter().all(|to| is_shut(data, *to)) {
            found.told.push(stopped(data, send, &receivers));
        }
        return;
    }
    match count(data, send, &receivers) {
        Some(finding) => found.told.push(finding),
        None => arguments(data, send, known, found),
    }
}

/// An attribute that stands alone: a message of that name, which nothing takes.
fn lone_attribute(data: &ObjectData, send: &Send) -> Option<Diagnostic> {
    let name = send.name.as_str();
    let machines = data.system.whole.objects.iter().filter_map(|object| object.machine);
    let is_taken = || {
        machines.clone().any(|id| triggers(&data.system.model.machines[id]).contains_key(name))
            || data.operations(name).next().is_some()
    };
    let is_alone = send.target.is_empty() && send.arguments.is_none();
    if !is_alone || !data.declared.contains_key(name) || is_taken() {
        return None;
    }
    let text = format!("`{name}` is an attribute, and is sent as a message that nothing takes");
    let finding = Diagnostic::new(Code::OpaqueData, send.place.0, text);
    Some(finding.hint(format!("an assignment is written as in `{name} = e`")))
}

/// What the arguments of a send are, and should be.
fn arguments(data: &ObjectData, send: &Send, known: &[BoundParameter], found: &mut LabelFindings) {
    let written = send.arguments.as_deref().unwrap_or_default();
    // All machines are looked at for the lists, and only names depend on them.
    let lists = match is_return(send) || written.iter().all(|argument| argument.name.is_none()) {
        true => Vec::new(),
        false => parameter_lists(data.system.model, &data.system.whole, &send.name),
    };
    let ordered = match in_order(written, &lists) {
        Ok(ordered) => ordered,
        Err(misplaced) => return found.told.push(out_of_place(send, &misplaced, &lists)),
    };
    for (at, argument) in ordered.iter().enumerate() {
        let Some(value) = &argument.value else {
            if data.is_formal() {
                let text = match argument.text.as_str() {
                    "" => format!("an argument of `{}` is left out", send.name),
                    text => format!("the argument `{text}` is not understood"),
                };
                let finding = Diagnostic::new(Code::OpaqueData, send.place.0, text);
                found.told.push(
                    finding.hint("it may be anything; docs/semantics.md has the expressions that are read"),
                );
            }
            continue;
        };
        let given = match evaluate(value, &mut LocalNames::new(data, known)) {
            Ok(given) => given,
            Err(Unfit::Mismatch(what)) => {
                let finding = Diagnostic::new(Code::TypeMismatch, send.place.0, what);
                found.told.push(finding.hint("compare and combine values of one type"));
                continue;
            }
            Err(Unfit::Unknown(_)) => {
                for what in unknowns(value, &mut LocalNames::new(data, known)) {
                    open(data, send, &what, known, found);
                }
                continue;
            }
        };
        let Some(wanted) = data.parameter_type(&send.name, at) else { continue };
        if !wanted.is_comparable(&given.kind) && wanted != ValueType::Object {
            let [wanted, given] = [wanted.describe(), given.kind.describe()];
            let text = format!("`{}` takes {wanted} and is given {given}", send.name);
            let finding = Diagnostic::new(Code::TypeMismatch, send.place.0, text);
            found.told.push(finding.hint("send a value of that type"));
        }
    }
}

/// An argument whose name is no parameter's, or that of two.
fn out_of_place(send: &Send, misplaced: &Misplaced, lists: &[Vec<String>]) -> Diagnostic {
    let text = match misplaced {
        Misplaced::Unknown(name) => format!("`{}` has no parameter `{name}`", send.name),
        Misplaced::Twice(name) => format!("`{name}` of `{}` is given two values", send.name),
    };
    let known: Vec<String> =
        lists.iter().map(|list| format!("`{}({})`", send.name, list.join(", "))).collect();
    Diagnostic::new(Code::ArgumentCount, send.place.0, text).hint(format!("it is {}", known.join(" or ")))
}

/// An argument of an unknown type: misspelt or undeclared.
fn open(
    data: &ObjectData,
    send: &Send,
    what: &UnknownPart,
    known: &[BoundParameter],
    found: &mut LabelFindings,
) {
    let name = what.to_string();
    if known.iter().any(|(known, ..)| *known == name) || data.declared.contains_key(name.as_str()) {
        return;
    }
    let literals = data.enumerations.values().flatten().map(String::as_str);
    let names = data.declared.keys().copied().chain(known.iter().map(|(name, ..)| *name)).chain(literals);
    match slip_of(&name, names) {
        Some(near) => {
            let text = format!("`{}` knows nothing of the name `{name}`", data.name());
            let finding = Diagnostic::new(Code::MisspeltName, send.place.0, text);
            found.told.push(finding.meant(&*name, near));
        }
        None if data.is_formal() => found.open(name, send.place.0),
        None => {}
    }
}

/// What the target of a send says.
enum SendAim {
    Objects(Vec<InstanceId>),
    /// The receivers are not known.
    Open,
    Unknown(Diagnostic),
}

fn aim(data: &ObjectData, send: &Send) -> SendAim {
    let structure = &data.system.whole;
    let target = match followed(&send.target) {
        [] if send.target.is_empty() => return SendAim::Open,
        [] => return SendAim::Objects(vec![data.object]),
        [target] => target,
        path if path.iter().any(|word| data.knows_object(word)) => {
            return SendAim::Unknown(nobody(data, send, &path.join(".")));
        }
        _ => return SendAim::Open,
    };
    let kind = data.declared.get(target.as_str()).map(|(_, kind)| kind);
    if target == "sender" || matches!(kind, Some(Some(ValueType::Object) | None)) {
        return SendAim::Open;
    }
    match structure.target(data.object, target) {
        SendTarget::Objects(all) => SendAim::Objects(all),
        SendTarget::Outside => SendAim::Open,
        SendTarget::Unknown => SendAim::Unknown(nobody(data, send, target)),
    }
}

fn nobody(data: &ObjectData, send: &Send, target: &str) -> Diagnostic {
    let structure = &data.system.whole;
    let text =
        format!("`{}` sends `{}` to `{target}`, and knows nobody of that name", data.name(), send.name);
    let finding = Diagnostic::new(Code::UnknownTarget, send.place.0, text);
    match structure.meant(data.object, target) {
        Some(near) => finding.meant(target, near),
        None => {
            let others =
                structure.objects.enumerate().filter(|(id, _)| structure.is_linked(data.object, *id));
            let names: Vec<String> = others
                .filter(|(id, _)| *id != data.object)
                .map(|(_, one)| format!("`{}`", one.name))
                .collect();
            finding.hint(format!("it is linked to {}", names.join(", ")))
        }
    }
}

/// Whether the ports let nothing through, neither there nor back.
fn is_shut(data: &ObjectData, to: InstanceId) -> bool {
    let ways = [(data.object, to), (to, data.object)];
    ways.iter().all(|way| data.system.whole.channels.get(way).is_some_and(|carried| carried.is_empty()))
}

/// What lets a message through ports.
const CARRY: &str =
    "add the operation to the protocol, with the direction `<<in>>` or `<<out>>` as the base side sees it";

fn stopped(data: &ObjectData, send: &Send, receivers: &[InstanceId]) -> Diagnostic {
    let objects = &data.system.whole.objects;
    let names: Vec<String> = receivers.iter().map(|id| format!("`{}`", objects[*id].name)).collect();
    let [own, name] = [data.name(), &send.name];
    let barred = &data.system.whole.barred;
    let is_barred = |id: &InstanceId| barred.contains(&(data.object, *id, send.name.clone()));
    let (why, hint) = match receivers.iter().any(is_barred) {
        true => (
            "its signature says otherwise",
            "the parameters `from` and `to` of the operation name the classes that may",
        ),
        false => ("the ports do not carry it", CARRY),
    };
    let text = format!("`{own}` cannot send `{name}` to {}: {why}", names.join(" or "));
    Diagnostic::new(Code::PortRefuses, send.place.0, text).hint(hint)
}

/// A send through a port of which the protocol does not let it out, and that nobody in the system is connected to.
fn shut_port(data: &ObjectData, send: &Send) -> Option<Diagnostic> {
    let [port] = followed(&send.target) else { return None };
    let carried = data.system.whole.carried.get(&(data.object, port.clone()))?;
    let text = format!("`{}` cannot send `{}` through its port `{port}`", data.name(), send.name);
    (!carried.contains(&send.name))
        .then(|| Diagnostic::new(Code::PortRefuses, send.place.0, text).hint(CARRY))
}

/// Whether a written list of arguments has the length that all receivers of the message expect.
fn count(data: &ObjectData, send: &Send, receivers: &[InstanceId]) -> Option<Diagnostic> {
    let given = send.arguments.as_ref()?.len();
    let name = &send.name;
    let complain = |wanted: usize, place: Option<crate::source::Span>, who: &str| {
        let arguments = if wanted == 1 { "argument" } else { "arguments" };
        let text = format!("`{name}` {who} {wanted} {arguments}, and is sent with {given}");
        let hint = format!("send {wanted} {arguments}, or none at all where they do not matter");
        let finding = Diagnostic::new(Code::ArgumentCount, send.place.0, text).hint(hint);
        match place {
            Some(place) => finding.label(place, "declared here"),
            None => finding,
        }
    };
    let kinds: Vec<&String> =
        receivers.iter().flat_map(|id| data.system.whole.objects[*id].kinds.iter()).collect();
    let is_receiver = |class: &&crate::model::Class| kinds.contains(&&class.name.to_lowercase());
    let classes = data.system.model.classes.iter().filter(is_receiver);
    let operations: Vec<_> =
        classes.flat_map(|class| class.operations.iter()).filter(|one| one.name == *name).collect();
    let sizes = operations.iter().map(|one| one.values().filter(|one| is_input(one)).count());
    if let Some(first) = operations.first() {
        let mut sizes = sizes.peekable();
        let wanted = sizes.peek().copied()?;
        let fits = sizes.any(|size| size == given);
        return (!fits).then(|| complain(wanted, Some(first.place.0), "is declared with"));
    }
    let machines = receivers.iter().filter_map(|id| data.system.whole.objects[*id].machine);
    let lists: Vec<usize> = machines
        .filter_map(|id| triggers(&data.system.model.machines[id]).get(name.as_str()).cloned())
        .flatten()
        .map(<[String]>::len)
        .collect();
    // A trigger without list may leave its arguments unsaid.
    let wanted = lists.iter().copied().max().filter(|most| *most > 0 && !lists.contains(&0))?;
    (!lists.contains(&given)).then(|| complain(wanted, None, "is taken with"))
}

fn is_input(parameter: &Parameter) -> bool {
    match parameter.direction {
        Some(ParameterDirection::Out) => false,
        Some(ParameterDirection::In | ParameterDirection::InOut) | None => true,
    }
}

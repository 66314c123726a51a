//! Sends: E602 (to whom), W609 (through which ports), E614 (how many arguments), E612 (of which types), E618 (misspelt ones).

use super::scope::Here;
use super::{Bound, Data, parameters};
use crate::diagnostic::{Code, Diagnostic, slip_of};
use crate::model::{Direction, Effect, Parameter, Send};
use crate::semantics::objects::{InstanceId, Target, Type, Unfit, evaluate, triggers};

pub(super) fn check(data: &mut Data, findings: &mut Vec<Diagnostic>) {
    for transition in data.machine.transitions.iter() {
        let known = parameters(&transition.triggers);
        for send in sends(&transition.effects) {
            one(data, send, &known, findings);
        }
    }
    for body in data.machine.vertices.iter().filter_map(|vertex| vertex.kind.body()) {
        for send in [&body.entry, &body.exit, &body.activity].into_iter().flat_map(|all| sends(all)) {
            one(data, send, &[], findings);
        }
    }
}

fn sends(effects: &[Effect]) -> impl Iterator<Item = &Send> {
    effects.iter().filter_map(|effect| match effect {
        Effect::Send(send) => Some(send),
        Effect::Assign(_) | Effect::Opaque { .. } => None,
    })
}

fn one<'a>(data: &Data<'a>, send: &'a Send, known: &[Bound<'a>], findings: &mut Vec<Diagnostic>) {
    let receivers = match aim(data, send) {
        Aim::Objects(receivers) => receivers,
        Aim::Open => return,
        Aim::Unknown(finding) => return findings.push(finding),
    };
    let passes = |to: &InstanceId| data.system.whole.lets_through(data.object, *to, &send.name);
    if !receivers.is_empty() && !receivers.iter().any(passes) {
        // Where nothing at all can pass, that is told of the link (W605).
        if !receivers.iter().all(|to| is_shut(data, *to)) {
            findings.push(stopped(data, send, &receivers));
        }
        return;
    }
    if let Some(finding) = count(data, send, &receivers) {
        findings.push(finding);
        return;
    }
    for (at, argument) in send.arguments.iter().flatten().enumerate() {
        let Some(value) = &argument.value else { continue };
        let given = match evaluate(value, &mut Here::new(data, known)) {
            Ok(given) => given,
            Err(unfit) => {
                findings.extend(misspelt(data, send, unfit, known));
                continue;
            }
        };
        let Some(wanted) = data.parameter_type(&send.name, at) else { continue };
        if !wanted.is_comparable(&given.kind) && wanted != Type::Object {
            let [wanted, given] = [wanted.describe(), given.kind.describe()];
            let text = format!("`{}` takes {wanted} and is given {given}", send.name);
            findings.push(
                Diagnostic::new(Code::TypeMismatch, send.place.0, text).hint("send a value of that type"),
            );
        }
    }
}

/// An argument with a name that is one slip away from a known one; other unknown names may be anything.
fn misspelt(data: &Data, send: &Send, unfit: Unfit, known: &[Bound]) -> Option<Diagnostic> {
    let Unfit::Unknown(name) = unfit else { return None };
    let name = name.to_string();
    let literals = data.enumerations.values().flatten().map(String::as_str);
    let names = data.declared.keys().copied().chain(known.iter().map(|(name, ..)| *name)).chain(literals);
    let near = slip_of(&name, names)?;
    let text = format!("`{}` knows nothing of the name `{name}`", data.name());
    let finding = Diagnostic::new(Code::MisspeltName, send.place.0, text);
    Some(finding.hint(format!("did you mean `{near}`?")))
}

/// What the target of a send says.
enum Aim {
    Objects(Vec<InstanceId>),
    /// Nothing can be said of who takes it.
    Open,
    Unknown(Diagnostic),
}

fn aim(data: &Data, send: &Send) -> Aim {
    let structure = &data.system.whole;
    let [target] = send.target.as_slice() else { return Aim::Open };
    if ["self", "this"].contains(&target.as_str()) {
        return Aim::Objects(vec![data.object]);
    }
    let kind = data.declared.get(target.as_str()).map(|(_, kind)| kind);
    if target == "sender" || matches!(kind, Some(Some(Type::Object) | None)) {
        return Aim::Open;
    }
    match structure.target(data.object, target) {
        Target::Objects(all) => Aim::Objects(all),
        Target::Outside => Aim::Open,
        Target::Unknown => Aim::Unknown(nobody(data, send, target)),
    }
}

fn nobody(data: &Data, send: &Send, target: &str) -> Diagnostic {
    let structure = &data.system.whole;
    let text =
        format!("`{}` sends `{}` to `{target}`, and knows nobody of that name", data.name(), send.name);
    let finding = Diagnostic::new(Code::UnknownTarget, send.place.0, text);
    match structure.meant(data.object, target) {
        Some(near) => finding.hint(format!("did you mean `{near}`?")),
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
fn is_shut(data: &Data, to: InstanceId) -> bool {
    let ways = [(data.object, to), (to, data.object)];
    ways.iter().all(|way| data.system.whole.channels.get(way).is_some_and(|carried| carried.is_empty()))
}

fn stopped(data: &Data, send: &Send, receivers: &[InstanceId]) -> Diagnostic {
    let objects = &data.system.whole.objects;
    let names: Vec<String> = receivers.iter().map(|id| format!("`{}`", objects[*id].name)).collect();
    let [own, name] = [data.name(), &send.name];
    let text = format!("`{own}` cannot send `{name}` to {}: the ports do not carry it", names.join(" or "));
    Diagnostic::new(Code::PortRefuses, send.place.0, text)
        .hint("add the operation to the protocol, with the direction `<<in>>` or `<<out>>` as the base side sees it")
}

/// Whether a written list of arguments has the length that all who take the message want.
fn count(data: &Data, send: &Send, receivers: &[InstanceId]) -> Option<Diagnostic> {
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
    let sizes = operations.iter().map(|one| one.parameters.iter().filter(|one| is_input(one)).count());
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
        Some(Direction::Out) => false,
        Some(Direction::In | Direction::InOut) | None => true,
    }
}

//! Protocol machines: in which order a capsule and its partners use the operations of its protocols (P1, figures 2 and 3).
//!
//! A transition of such a machine names an operation, and not which side calls it: the directions of the protocols say so. In a machine that sends nothing by itself, a
//! trigger that the ports of the capsule only send is a send through that port: `s1 --> s0 : start` of a bank whose port has `<<out>> start()` means
//! `s1 --> s0 : / ^wd.start`.

use std::collections::{BTreeMap, BTreeSet};

use super::structure::{Kinds, ports_of};
use crate::model::{
    Argument, Effect, Expression, Machine, MachineId, Model, Send, Transition, TransitionId, Trigger,
};
use crate::source::Folders;

/// What triggers mean that name a port.
type PortTriggers = BTreeMap<String, String>;

/// The machines of a folder with triggers that name the port through which they come: `left.a` is `a` where no other port of the capsule lets `a` in.
pub(crate) fn port_triggers(
    model: &Model,
    folders: &Folders,
    folder: &str,
) -> Vec<(MachineId, PortTriggers)> {
    if !model.classes.iter().any(|class| class.attributes.iter().any(|one| one.is_port())) {
        return Vec::new();
    }
    let kinds = Kinds::of(model, folders, folder);
    let of = |id: MachineId| {
        let machine = &model.machines[id];
        let mut inlets: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let ports = ports_of(&kinds, machine.class.as_ref().unwrap_or(&machine.name));
        for port in ports.into_iter().filter(|port| port.is_typed()) {
            for name in port.takes().into_iter().flatten() {
                inlets.entry(name).or_default().push(port.attribute.name.clone());
            }
        }
        let alone = inlets.into_iter().filter(|(_, ports)| ports.len() == 1);
        let meanings: PortTriggers =
            alone.map(|(name, ports)| (format!("{}.{name}", ports.concat()), name)).collect();
        let mut triggers = machine.transitions.iter().flat_map(|one| &one.triggers);
        triggers.any(|trigger| is_of(trigger, &meanings)).then_some((id, meanings))
    };
    kinds.machines.iter().copied().filter_map(of).collect()
}

fn is_of(trigger: &Trigger, meanings: &PortTriggers) -> bool {
    match trigger {
        Trigger::Event { name, .. } => meanings.contains_key(name),
        Trigger::Any | Trigger::After(_) | Trigger::When(_) => false,
    }
}

/// Gives triggers that name a port the names of their messages.
pub(crate) fn take_through_ports(machine: &mut Machine, meanings: &PortTriggers) {
    for trigger in machine.transitions.iter_mut().flat_map(|one| &mut one.triggers) {
        match trigger {
            Trigger::Event { name, .. } => {
                if let Some(meaning) = meanings.get(name) {
                    name.clone_from(meaning);
                }
            }
            Trigger::Any | Trigger::After(_) | Trigger::When(_) => {}
        }
    }
}

/// Through which of its ports a capsule sends an operation.
type Outlets = BTreeMap<String, Vec<String>>;

/// The machines of a folder with triggers that their capsules only send, each with the ports for them.
pub(crate) fn protocol_machines(model: &Model, folders: &Folders, folder: &str) -> Vec<(MachineId, Outlets)> {
    if !model.classes.iter().any(|class| class.attributes.iter().any(|one| one.is_port())) {
        return Vec::new();
    }
    let kinds = Kinds::of(model, folders, folder);
    let mut found = Vec::new();
    for id in kinds.machines.iter().copied() {
        let machine = &model.machines[id];
        let outlets = outlets(&kinds, machine.class.as_ref().unwrap_or(&machine.name));
        let mut triggers = machine.transitions.iter().flat_map(|one| &one.triggers);
        let is_protocol = machine.sends().next().is_none();
        if is_protocol && triggers.any(|trigger| is_out(trigger, &outlets)) {
            found.push((id, outlets));
        }
    }
    found
}

fn outlets(kinds: &Kinds<'_>, class: &str) -> Outlets {
    let mut outlets = Outlets::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for port in ports_of(kinds, class).into_iter().filter(|port| port.is_typed()) {
        taken.extend(port.takes().into_iter().flatten());
        for name in port.sends().into_iter().flatten() {
            outlets.entry(name).or_default().push(port.attribute.name.clone());
        }
    }
    outlets.retain(|name, _| !taken.contains(name));
    outlets
}

fn is_out(trigger: &Trigger, outlets: &Outlets) -> bool {
    match trigger {
        Trigger::Event { name, .. } => outlets.contains_key(name),
        Trigger::Any | Trigger::After(_) | Trigger::When(_) => false,
    }
}

/// Lets a machine send what its capsule only sends. A transition with several triggers becomes one for each that is sent, beside the one
/// for those that are taken; the others keep their ids.
pub(crate) fn direct(machine: &mut Machine, outlets: &Outlets) {
    let ids: Vec<TransitionId> = machine.transitions.ids().collect();
    for id in ids {
        let whole = machine.transitions[id].clone();
        let (out, taken): (Vec<Trigger>, Vec<Trigger>) =
            whole.triggers.iter().cloned().partition(|trigger| is_out(trigger, outlets));
        let mut ways = out.iter().filter_map(|trigger| sending(&whole, trigger, outlets));
        if taken.is_empty()
            && let Some(first) = ways.next()
        {
            machine.transitions[id] = first;
        } else {
            machine.transitions[id].triggers = taken;
        }
        let others: Vec<Transition> = ways.collect();
        for other in others {
            machine.transitions.push(other);
        }
    }
}

/// A transition that sends its trigger first.
fn sending(whole: &Transition, trigger: &Trigger, outlets: &Outlets) -> Option<Transition> {
    let Trigger::Event { name, parameters } = trigger else { return None };
    // Through one port, if it is unique; else without target.
    let target = match outlets.get(name).map(Vec::as_slice) {
        Some([port]) => vec![port.clone()],
        Some(_) | None => Vec::new(),
    };
    let arguments: Vec<Argument> = parameters.iter().map(|text| argument(text)).collect();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    let send = Send { target, name: name.clone(), arguments, place: whole.place };
    let effects = [Effect::Send(send)].into_iter().chain(whole.effects.iter().cloned()).collect();
    Some(Transition { triggers: Vec::new(), effects, ..whole.clone() })
}

/// The argument that a parameter of a trigger is where it is sent: `false`, `ok=false`, or a name.
fn argument(parameter: &str) -> Argument {
    let (name, text) = match parameter.split_once('=') {
        Some((name, value)) => (Some(name.trim().to_owned()), value.trim()),
        None => (None, parameter.trim()),
    };
    let value = match (text, text.parse::<i64>()) {
        ("true", _) => Expression::Bool(true),
        ("false", _) => Expression::Bool(false),
        (_, Ok(number)) => Expression::Int(number),
        (_, Err(_)) => Expression::Name(text.split('.').map(str::to_owned).collect()),
    };
    Argument { name, text: text.to_owned(), value: Some(value) }
}

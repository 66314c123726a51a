//! Sends without receiver and triggers without sender: H305, W306.
//!
//! Only communicating machines can be checked; those of one folder are one system. A send that names a
//! machine must be a trigger of that machine. A send without target looks like any action of the machine
//! itself, so it counts only without an argument list and where most such sends do reach a machine; likewise
//! a trigger that no machine sends may come from outside, so it counts only where most triggers are sent, or
//! where it is nearly the name of a send without receiver, or one typing error away from something that is
//! sent.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::diagnostic::{Code, Diagnostic, nearest, slip_of};
use crate::model::{Interaction, Machine, MachineId, Model, Send, Trigger};
use crate::semantics::objects::{calls, local};
use crate::source::{Folders, Span};

pub(super) fn check(model: &Model, folders: &Folders, findings: &mut Vec<Diagnostic>) {
    let mut systems: BTreeMap<Option<&String>, Vec<MachineId>> = BTreeMap::new();
    for (id, machine) in model.machines.enumerate() {
        systems.entry(folders.get(&machine.place.0.file)).or_default().push(id);
    }
    for (folder, machines) in systems.into_iter().filter(|(_, machines)| machines.len() > 1) {
        let local = folder.map(|folder| local(model, folders, folder));
        let model = local.as_deref().unwrap_or(model);
        let machines: Vec<&Machine> = machines.into_iter().map(|id| &model.machines[id]).collect();
        let is_here = |one: &&Interaction| folders.get(&one.place.0.file) == folder;
        let scenarios = model.interactions.iter().filter(is_here);
        let calls: Vec<Send> = machines.iter().flat_map(|machine| calls(machine, model)).collect();
        system(&SignalTraffic::of(model, &machines, &calls, scenarios), findings);
    }
}

fn system(traffic: &SignalTraffic, findings: &mut Vec<Diagnostic>) {
    let lost: Vec<&Send> = traffic.sends.iter().copied().filter(|send| traffic.is_lost(send)).collect();
    for send in &lost {
        findings.push(never_received(send, traffic));
    }
    let lost: BTreeSet<&str> = lost.iter().map(|send| send.name.as_str()).collect();
    let unsent = |name: &str| !traffic.sent.contains(name);
    let unsent_count = traffic.taken.keys().filter(|name| unsent(name)).count();
    let is_closed = unsent_count * 4 <= traffic.taken.len();
    let mut unsent: Vec<(&&str, &Span)> = traffic.taken.iter().filter(|(name, _)| unsent(name)).collect();
    unsent.sort();
    for (name, span) in unsent {
        let meant = nearest(name, lost.iter().copied());
        // Or its name is one typing error away from a message that machines do exchange.
        let slip = || slip_of(name, traffic.met());
        let slip = if meant.is_none() { slip() } else { None };
        if is_closed || meant.is_some() || slip.is_some() {
            let finding = Diagnostic::new(Code::TriggerNeverSent, *span, format!("nobody sends `{name}`"));
            findings.push(match (meant, slip) {
                (Some(meant), _) => {
                    finding.hint(format!("`{meant}` is sent and never received; is that the same?"))
                }
                (None, Some(slip)) => {
                    finding.meant(*name, slip).hint(format!("did you mean `{slip}`, which is sent?"))
                }
                (None, None) => {
                    finding.hint("let a machine send it, or draw in a scenario how it comes from outside")
                }
            });
        }
    }
}

/// The messages that machines send and take.
struct SignalTraffic<'a> {
    sends: Vec<&'a Send>,
    /// Names that are sent, by machines or in scenarios.
    sent: HashSet<&'a str>,
    /// Names that trigger transitions anywhere, each with the first place.
    taken: HashMap<&'a str, Span>,
    /// What each machine takes, by all names that targets may have for it.
    taken_by: HashMap<String, HashSet<&'a str>>,
    /// All names of machines that take anything (`any`) that is sent to them.
    takers_of_all: HashSet<String>,
    /// Whether most sends without a target are taken by some machine.
    is_open_floor: bool,
}

impl<'a> SignalTraffic<'a> {
    fn of(
        model: &'a Model,
        machines: &[&'a Machine],
        calls: &'a [Send],
        scenarios: impl Iterator<Item = &'a Interaction>,
    ) -> Self {
        let mut traffic = SignalTraffic {
            sends: Vec::new(),
            sent: HashSet::new(),
            taken: HashMap::new(),
            taken_by: HashMap::new(),
            takers_of_all: HashSet::new(),
            is_open_floor: false,
        };
        for machine in machines {
            let takes: Vec<(&str, Span)> = triggers(machine).collect();
            for (name, span) in &takes {
                traffic.taken.entry(name).or_insert(*span);
            }
            if machine.takes_all() {
                traffic.takers_of_all.extend(names_of(model, machine));
            }
            for name in names_of(model, machine) {
                traffic.taken_by.entry(name).or_default().extend(takes.iter().map(|(name, _)| *name));
            }
            traffic.sends.extend(machine.sends());
        }
        traffic.sends.extend(calls);
        let drawn = scenarios.flat_map(|interaction| interaction.messages.iter());
        traffic.sent = traffic.sends.iter().map(|send| send.name.as_str()).collect();
        traffic.sent.extend(drawn.map(|message| message.name.as_str()));
        let broadcast: HashSet<&str> = traffic
            .sends
            .iter()
            .filter(|send| send.target.is_empty())
            .map(|send| send.name.as_str())
            .collect();
        let met = broadcast.iter().filter(|name| traffic.taken.contains_key(**name)).count();
        traffic.is_open_floor = met > 0 && met * 2 >= broadcast.len();
        traffic
    }

    /// Names that some machine sends.
    fn met(&self) -> impl Iterator<Item = &'a str> {
        let names: BTreeSet<&str> = self.sends.iter().map(|send| send.name.as_str()).collect();
        names.into_iter()
    }

    fn is_lost(&self, send: &Send) -> bool {
        match send.target.last() {
            Some(target) => {
                let target = target.to_lowercase();
                let takes = self.taken_by.get(&target);
                takes.is_some_and(|takes| !takes.contains(send.name.as_str()))
                    && !self.takers_of_all.contains(&target)
            }
            None => self.is_open_floor && is_broadcast(send) && !self.taken.contains_key(send.name.as_str()),
        }
    }
}

/// Whether a send names no target and does not look like the call of a function.
fn is_broadcast(send: &Send) -> bool {
    send.target.is_empty() && send.arguments.is_none()
}

/// What a target may call a machine: its name, its class, objects of that class, roles that class plays.
fn names_of(model: &Model, machine: &Machine) -> Vec<String> {
    let class = machine.class.as_ref().unwrap_or(&machine.name);
    let objects =
        model.objects.iter().filter(|object| object.class.as_ref() == Some(class)).map(|object| &object.name);
    let ends = model.associations.iter().flat_map(|association| association.ends.iter());
    let roles =
        ends.filter(|end| &model.classes[end.class].name == class).filter_map(|end| end.role.as_ref());
    [&machine.name, class].into_iter().chain(objects).chain(roles).map(|name| name.to_lowercase()).collect()
}

fn triggers(machine: &Machine) -> impl Iterator<Item = (&str, Span)> {
    machine.transitions.iter().flat_map(|transition| {
        transition.triggers.iter().filter_map(|trigger| match trigger {
            Trigger::Event { name, .. } => Some((name.as_str(), transition.place.0)),
            Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
        })
    })
}

fn never_received(send: &Send, traffic: &SignalTraffic) -> Diagnostic {
    let name = &send.name;
    let message = match send.target.last() {
        Some(target) => format!("`{target}` never takes `{name}`"),
        None => format!("no machine takes `{name}`"),
    };
    let finding = Diagnostic::new(Code::SendNeverReceived, send.place.0, message);
    // The name itself may be a trigger of others.
    let mut known: Vec<&str> = traffic.taken.keys().copied().filter(|known| known != name).collect();
    known.sort_unstable();
    match nearest(name, known) {
        Some(meant) => finding.meant(name, meant),
        None => finding.hint("give a transition of the receiver this trigger, or remove the send"),
    }
}

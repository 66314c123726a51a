//! Faults that a run may come to: values that leave their ranges, sends to nobody, queues that are full; and queues that grow
//! in every round.

use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::id::Id;
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::semantics::objects::{Fault, FaultKind, InstanceId, PLAIN_INT};
use sequent_kernel::system::{ComponentId, Config, Event, VariableId};

use super::{Finding, Group, fires_in_time};

/// Every fault that a run comes to, with a shortest run (E635), and whether a queue would overflow at any size (W636).
pub fn faults(group: &Group<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen = vec![false; group.objects.faults.len()];
    for spot in group.survey.spots() {
        let Some(number) = fault_at(group, &group.survey.config(spot)) else { continue };
        if std::mem::replace(&mut seen[number], true) {
            continue;
        }
        let fault = &group.objects.faults[number];
        if is_ordinary(group, fault) {
            continue;
        }
        let run = group.survey.run_to(spot);
        findings.extend(told(group, fault, &run));
        if seen.iter().all(|seen| *seen) {
            break;
        }
    }
    findings
}

fn fault_at(group: &Group<'_>, config: &Config) -> Option<usize> {
    let fault = group.objects.fault_in(config)?;
    group.objects.faults.iter().position(|known| known == fault)
}

/// Whether a fault is how people draw: a choice in a sketch need not say all that can be. Or it was told already.
fn is_ordinary(group: &Group<'_>, fault: &Fault) -> bool {
    match fault.kind {
        FaultKind::NoWay => !group.is_company(),
        FaultKind::Nobody => group.has_gaps,
        FaultKind::Range(..) | FaultKind::Division | FaultKind::Full | FaultKind::Contract => false,
    }
}

fn told(group: &Group<'_>, fault: &Fault, run: &Run) -> Option<Finding> {
    let after = group.after(run);
    let span = fault.place.0;
    if let Some(growth) = growth(group, run).filter(|_| fault.kind == FaultKind::Full) {
        let Growth { object, from, to, round, .. } = &growth;
        let name = group.name(*object);
        let message = format!(
            "the queue of {name} grows from {from} to {to} messages in a round that may come again: {round}"
        );
        let hint = format!(
            "let {name} take the messages as quickly as they come, or let the senders wait for an answer"
        );
        // What comes from outside, or with time, is meant to come slowly enough; a diagram does not say how slowly.
        let code = if growth.is_prompted { Code::PromptedQueue } else { Code::GrowingQueue };
        return group.shown(Diagnostic::new(code, span, message).hint(hint), run);
    }
    let message = format!("{} {after}", fault.text);
    let diagnostic = Diagnostic::new(Code::SystemFault, span, message);
    let diagnostic = match fault.kind {
        FaultKind::Range(low, high) if (low, high) == PLAIN_INT => diagnostic
            .severity(Severity::Warning)
            .hint(format!("an `int` without range is {low}..{high} here: give it one, as in `0..100`")),
        FaultKind::Range(..) => diagnostic.hint("guard the transition, or give the attribute a wider range"),
        FaultKind::Division => diagnostic.hint("guard the transition"),
        FaultKind::Nobody => diagnostic.hint("let it refer to an object first"),
        FaultKind::Full => diagnostic.hint("`[system] capacity` says how much a queue holds"),
        FaultKind::Contract => diagnostic.hint("let the caller see to it, or demand less"),
        FaultKind::NoWay => diagnostic.hint("give the choice a branch for this case, `[else]` perhaps"),
    };
    group.shown(diagnostic, run)
}

/// A round in which a queue grows.
struct Growth {
    object: InstanceId,
    from: usize,
    to: usize,
    round: String,
    /// Whether the environment sends in the round, or time passes.
    is_prompted: bool,
}

/// A part of a run between two states that differ in nothing but messages that were added to queues: it may come again. That
/// the queue grows forever is suspected, not proven: further on the messages may be taken in another order.
fn growth(group: &Group<'_>, run: &Run) -> Option<Growth> {
    let configs = replay(&group.objects.system, run).ok()?;
    let machines: Vec<InstanceId> = group.machines().map(|(id, ..)| id).collect();
    let inboxes: Vec<VariableId> = machines.iter().flat_map(|id| group.objects.inbox(*id)).copied().collect();
    let is_equal = |one: &Config, other: &Config| {
        let all = group.objects.system.variables.ids();
        let mut rest = all.filter(|variable| !inboxes.contains(variable));
        rest.all(|variable| value(one, variable) == value(other, variable))
    };
    let waiting = |config: &Config, id: InstanceId| group.objects.waiting(config, id);
    for late in (1..configs.len()).rev() {
        for early in (0..late).rev() {
            if !is_equal(&configs[early], &configs[late]) {
                continue;
            }
            let grown =
                machines.iter().map(|id| (*id, waiting(&configs[early], *id), waiting(&configs[late], *id)));
            let grown: Vec<_> = grown.collect();
            if !grown.iter().all(|(_, before, after)| after.starts_with(before)) {
                continue;
            }
            let Some((object, before, after)) =
                grown.into_iter().find(|(_, before, after)| before.len() < after.len())
            else {
                continue;
            };
            let system = &group.objects.system;
            let events: Vec<&Event> = run.steps[early..late]
                .iter()
                .flat_map(|step| system.events(step))
                .map(|event| &system.events[event])
                .collect();
            let is_guest = |from: Option<ComponentId>| {
                let object = from.map(|from| InstanceId::from_index(from.index()));
                !machines.iter().any(|known| Some(*known) == object)
            };
            let is_timed = run.steps[early..late]
                .iter()
                .flat_map(|step| &step.0)
                .any(|rule| fires_in_time(group.model, group.objects, *rule));
            let is_prompted = is_timed || events.iter().any(|event| is_guest(event.from));
            let round: Vec<&str> = events.iter().map(|event| event.text.as_str()).collect();
            let (from, to, round) = (before.len(), after.len(), round.join(", "));
            return Some(Growth { object, from, to, round, is_prompted });
        }
    }
    None
}

fn value(config: &Config, variable: VariableId) -> i32 {
    config.0[variable.index()]
}

//! Faults of a run: values outside of their ranges, sends without receiver, full queues; and queues that grow
//! in every round.

use sequent_engine::survey::SpotId;
use sequent_kernel::diagnostic::{Code, Diagnostic, Severity};
use sequent_kernel::replay::Run;
use sequent_kernel::semantics::objects::{Fault, FaultKind, InstanceId, PLAIN_INT};

use super::growth::{Growth, growth};
use super::{ObjectGroup, SurveyFinding};

/// At most this many states with a full queue are searched for a round in which it grew.
const MOST_FULL: usize = 32;

/// Every fault that a run comes to, with a shortest run (E635), and whether a queue would overflow at any
/// size (W636). Faults with the same text in several places are reported once, where they happen first.
pub(crate) fn faults(group: &ObjectGroup<'_>) -> Vec<SurveyFinding> {
    let mut found: Vec<(&Fault, Vec<SpotId>)> = Vec::new();
    for spot in group.survey.spots() {
        let config = group.survey.config(spot);
        let Some(fault) = group.objects.fault_in(&config).filter(|fault| !is_ordinary(group, fault)) else {
            continue;
        };
        match found.iter_mut().find(|(known, _)| is_same(group, known, fault)) {
            Some((_, spots)) if spots.len() < MOST_FULL => spots.push(spot),
            Some(_) => {}
            None => found.push((fault, vec![spot])),
        }
    }
    found.into_iter().filter_map(|(fault, spots)| told_of(group, fault, &spots)).collect()
}

/// Whether two faults are one: the queue of one object is like that of another of its machine.
fn is_same(group: &ObjectGroup<'_>, one: &Fault, other: &Fault) -> bool {
    let machine = |object: InstanceId| group.objects.structure.objects[object].machine;
    match (&one.kind, &other.kind) {
        (FaultKind::Full(first), FaultKind::Full(second)) => {
            one.place == other.place && machine(*first) == machine(*second)
        }
        (_, _) => one.text == other.text,
    }
}

/// The finding for a fault that happens in some states.
fn told_of(group: &ObjectGroup<'_>, fault: &Fault, spots: &[SpotId]) -> Option<SurveyFinding> {
    let FaultKind::Full(_) = fault.kind else {
        return told(group, fault, &group.survey.run_to(*spots.first()?));
    };
    let grown = spots.iter().find_map(|spot| {
        let run = group.survey.run_to(*spot);
        let config = group.survey.config(*spot);
        let fault = group.objects.fault_in(&config)?;
        let FaultKind::Full(object) = fault.kind else { return None };
        told_growing(group, fault, &growth(group, object, &run)?, &run)
    });
    grown.or_else(|| told(group, fault, &group.survey.run_to(*spots.first()?)))
}

/// That a queue grows in every round.
fn told_growing(group: &ObjectGroup<'_>, fault: &Fault, growth: &Growth, run: &Run) -> Option<SurveyFinding> {
    let Growth { object, from, to, round, is_prompted } = growth;
    let name = group.name(*object);
    let message = format!(
        "the queue of `{name}` grows from {from} to {to} messages in a round that may come again: {round}"
    );
    let hint = format!(
        "let `{name}` take the messages as quickly as they come, or let the senders wait for an answer"
    );
    // What comes from outside, or with time, is meant to come slowly enough; a diagram does not say how slowly.
    let code = if *is_prompted { Code::PromptedQueue } else { Code::GrowingQueue };
    group.shown(Diagnostic::new(code, fault.place.0, message).hint(hint), run)
}

/// Whether a fault is not reported: a choice in a sketch need not be complete, and a missing target is
/// reported elsewhere.
fn is_ordinary(group: &ObjectGroup<'_>, fault: &Fault) -> bool {
    match fault.kind {
        FaultKind::NoWay => !group.is_company(),
        FaultKind::Nobody => group.has_gaps,
        FaultKind::Range(..) | FaultKind::Division | FaultKind::Full(_) | FaultKind::Contract => false,
    }
}

fn told(group: &ObjectGroup<'_>, fault: &Fault, run: &Run) -> Option<SurveyFinding> {
    let after = group.after(run);
    let span = fault.place.0;
    let message = format!("{} {after}", fault.text);
    let diagnostic = Diagnostic::new(Code::SystemFault, span, message);
    let diagnostic = match fault.kind {
        FaultKind::Range(low, high) if (low, high) == PLAIN_INT => diagnostic
            .severity(Severity::Warning)
            .hint(format!("an `int` without range is {low}..{high} here: give it one, as in `0..100`")),
        FaultKind::Range(..) => diagnostic.hint("guard the transition, or give the attribute a wider range"),
        FaultKind::Division => diagnostic.hint("guard the transition"),
        FaultKind::Nobody => diagnostic.hint("let it refer to an object first"),
        FaultKind::Full(_) => diagnostic.hint("`[system] capacity` says how much a queue holds"),
        FaultKind::Contract => diagnostic.hint("let the caller see to it, or demand less"),
        FaultKind::NoWay => diagnostic.hint("give the choice a branch for this case, `[else]` perhaps"),
    };
    group.shown(diagnostic, run)
}

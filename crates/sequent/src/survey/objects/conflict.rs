//! Nondeterminism that comes from scheduling: which of two messages is first, which of two transitions is taken.

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::survey::{Hop, SpotId};
use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::id::Id;
use sequent_kernel::model::{Communication, Machine, MachineId, Transition, TransitionId, VertexId};
use sequent_kernel::semantics::objects::InstanceId;
use sequent_kernel::system::{ComponentId, Event, EventKind, RuleId};

use super::{ObjectGroup, SurveyFinding};

/// At most this many states are searched for messages that race.
const MOST_SPOTS: usize = 5_000;

/// States with more transitions than this are not looked at for two that are enabled at once.
const MOST_RIVALS: usize = 100;

/// A receiver is followed for at most this many steps.
const MOST_STEPS: usize = 200;

/// Transitions that are enabled at once (H638), and messages whose order decides (H637).
pub(crate) fn conflicts(group: &ObjectGroup<'_>) -> Vec<SurveyFinding> {
    let mut findings = both_enabled(group);
    findings.extend(races(group));
    findings
}

/// Two transitions of one state by the same trigger, at least one of which computes its guard: nothing else is for a search.
/// Equal triggers with equal guards are W304; a guard in words is decided freely, and excludes others; and who numbers the
/// transitions says which comes first.
fn rivals(
    group: &ObjectGroup<'_>,
    object: InstanceId,
    machine: &Machine,
) -> Vec<(TransitionId, TransitionId)> {
    let is_numbered = |one: &Transition| {
        let rest = one.text.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < one.text.len() && rest.starts_with('.')
    };
    let is_free = |one: &Transition| one.guard.as_ref().is_some_and(|guard| !group.is_data(object, guard));
    let mut leaving: BTreeMap<VertexId, Vec<TransitionId>> = BTreeMap::new();
    let decided = machine.transitions.enumerate().filter(|(_, one)| !is_free(one) && !is_numbered(one));
    decided.for_each(|(id, one)| leaving.entry(one.source).or_default().push(id));
    let mut found = Vec::new();
    for same in leaving.values().filter(|same| same.len() <= MOST_RIVALS) {
        for (at, one) in same.iter().enumerate() {
            let others = same[at + 1..].iter();
            found.extend(others.filter(|other| meet(machine, *one, **other)).map(|other| (*one, *other)));
        }
    }
    found
}

/// Whether one message, or the completion of one state, may enable two transitions with different guards.
fn meet(machine: &Machine, one: TransitionId, other: TransitionId) -> bool {
    let [first, second] = [one, other].map(|id| &machine.transitions[id]);
    let [one, other] = [first, second].map(|one| one.guard.as_ref().map(|guard| guard.text.as_str()));
    let is_both = match (first.triggers.is_empty(), second.triggers.is_empty()) {
        (true, true) => true,
        (false, false) => first.triggers.iter().any(|trigger| second.triggers.contains(trigger)),
        (_, _) => false,
    };
    one != other && is_both
}

fn both_enabled(group: &ObjectGroup<'_>) -> Vec<SurveyFinding> {
    let mut candidates: BTreeMap<InstanceId, Vec<(TransitionId, TransitionId)>> = BTreeMap::new();
    for (object, _, machine) in group.machines() {
        let rivals = rivals(group, object, machine);
        if !rivals.is_empty() {
            candidates.insert(object, rivals);
        }
    }
    let mut findings = Vec::new();
    let mut said: BTreeSet<(String, TransitionId, TransitionId)> = BTreeSet::new();
    if candidates.is_empty() {
        return findings;
    }
    for spot in group.survey.spots() {
        let hops = group.survey.rules(spot);
        for (object, rivals) in &candidates {
            let Some(machine) = group.objects.machine(group.model, *object) else { continue };
            for (one, other) in rivals {
                let key = (machine.name.clone(), *one, *other);
                let fires =
                    |id: &TransitionId| hops.iter().position(|rules| starts(group, rules, *object, *id));
                let (Some(first), Some(second)) = (fires(one), fires(other)) else { continue };
                if first != second && same_stimulus(group, &hops[first], &hops[second]) && said.insert(key) {
                    findings.extend(told_enabled(
                        group,
                        Hop { from: spot, number: second as u32 },
                        *object,
                        [*one, *other],
                    ));
                }
            }
        }
    }
    findings
}

/// Whether rules that fire together start this transition of an object, and no other.
fn starts(group: &ObjectGroup<'_>, rules: &[RuleId], object: InstanceId, transition: TransitionId) -> bool {
    let mut fired =
        rules.iter().filter_map(|rule| group.objects.fired.get(rule)).filter(|fired| !fired.is_empty());
    fired.next().is_some_and(|fired| fired.first() == Some(&(object, transition)))
}

/// Whether two steps take the same message, or both none.
fn same_stimulus(group: &ObjectGroup<'_>, one: &[RuleId], other: &[RuleId]) -> bool {
    let system = &group.objects.system;
    let shown = |rules: &[RuleId]| system.shown(rules).next();
    shown(one) == shown(other)
}

fn told_enabled(
    group: &ObjectGroup<'_>,
    hop: Hop,
    object: InstanceId,
    rivals: [TransitionId; 2],
) -> Option<SurveyFinding> {
    let machine = group.objects.machine(group.model, object)?;
    let [one, other] = rivals.map(|id| &machine.transitions[id]);
    let source = &machine.vertices[one.source].name;
    let run = group.survey.run_through(hop);
    let message = format!(
        "two transitions of `{source}` may be taken {}, and nothing says which: `{}` and `{}`",
        group.after(&run),
        one.text,
        other.text
    );
    let diagnostic = Diagnostic::new(Code::TwoEnabled, other.place.0, message)
        .label(one.place.0, "the other one")
        .hint("let the guards exclude each other; `[else]` is for what the others leave");
    group.shown(diagnostic, &run)
}

/// A step that sends something to an object.
struct Sending<'a> {
    number: usize,
    from: ComponentId,
    event: &'a Event,
}

fn races(group: &ObjectGroup<'_>) -> Vec<SurveyFinding> {
    let mut findings = Vec::new();
    if group.objects.communication != Communication::Queue || group.machines().count() < 3 {
        return findings;
    }
    let machines: BTreeSet<ComponentId> =
        group.machines().map(|(id, ..)| ComponentId::from_index(id.index())).collect();
    // What is so for one object of a machine is so for the others.
    let mut said: BTreeSet<(Option<MachineId>, [&str; 2])> = BTreeSet::new();
    for spot in group.survey.spots().take(MOST_SPOTS) {
        let sendings = sendings(group, spot, &machines);
        for (at, one) in sendings.iter().enumerate() {
            for other in &sendings[at + 1..] {
                let Some(to) = one.event.to.filter(|to| other.event.to == Some(*to)) else { continue };
                let is_race = one.from != other.from && one.event.message != other.event.message;
                let machine = group.objects.structure.objects[InstanceId::from_index(to.index())].machine;
                let mut messages = [one, other].map(|sending| sending.event.message.as_str());
                messages.sort_unstable();
                let key = (machine, messages);
                if is_race && !said.contains(&key) {
                    if let Some(finding) = race(group, &machines, spot, to, [one, other]) {
                        said.insert(key);
                        findings.push(finding);
                    }
                }
            }
        }
    }
    findings
}

fn sendings<'g>(group: &ObjectGroup<'g>, spot: SpotId, machines: &BTreeSet<ComponentId>) -> Vec<Sending<'g>> {
    let system = &group.objects.system;
    let mut found = Vec::new();
    for (number, rules) in group.survey.rules(spot).into_iter().enumerate() {
        let Some(event) = system.shown(&rules).next().map(|event| &system.events[event]) else { continue };
        let Some(from) = event.from.filter(|from| machines.contains(from)) else { continue };
        let is_sent =
            event.kind == EventKind::Send && event.to.is_some_and(|to| machines.contains(&to) && to != from);
        if is_sent {
            found.push(Sending { number, from, event });
        }
    }
    found
}

/// Whether two sendings in both orders leave the receiver in different states.
fn race(
    group: &ObjectGroup<'_>,
    machines: &BTreeSet<ComponentId>,
    spot: SpotId,
    to: ComponentId,
    pair: [&Sending<'_>; 2],
) -> Option<SurveyFinding> {
    let [one, other] = pair;
    let then = |first: &Sending<'_>, second: &Sending<'_>| -> Option<SpotId> {
        let middle = group.survey.leads(spot).get(first.number)?.0;
        let again = sendings(group, middle, machines);
        let number = again.iter().find(|one| one.event == second.event)?.number;
        Some(group.survey.leads(middle).get(number)?.0)
    };
    let [early, late] = [then(one, other)?, then(other, one)?];
    let outcomes = [outcomes(group, early, to)?, outcomes(group, late, to)?];
    if !outcomes[0].is_disjoint(&outcomes[1]) {
        return None;
    }
    let run = group.survey.run_to(early);
    let receiver = InstanceId::from_index(to.index());
    let machine = group.objects.machine(group.model, receiver)?;
    let states = |outcomes: &BTreeSet<String>| outcomes.iter().cloned().collect::<Vec<_>>().join("` or `");
    let name = group.name(receiver);
    let message = format!(
        "the order of `{}` and `{}` decides: `{name}` is in `{}` or in `{}` after both",
        one.event.text,
        other.event.text,
        states(&outcomes[0]),
        states(&outcomes[1])
    );
    let place = group.objects.active(group.model, &group.survey.config(spot), receiver);
    let span = place.first().map_or(machine.place.0, |vertex| machine.vertices[*vertex].place.0);
    let hint = "if one of them must come first, let its sender be asked before the other";
    group.shown(Diagnostic::new(Code::OrderDecides, span, message).hint(hint), &run)
}

/// The states in which a receiver may be once it has nothing more to do by itself; `None` if that takes too long, or if it waits in the
/// middle of a step.
fn outcomes(group: &ObjectGroup<'_>, from: SpotId, to: ComponentId) -> Option<BTreeSet<String>> {
    let system = &group.objects.system;
    let receiver = InstanceId::from_index(to.index());
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    let mut found = BTreeSet::new();
    while let Some(spot) = open.pop() {
        if seen.len() > MOST_STEPS {
            return None;
        }
        let rules = group.survey.rules(spot);
        let leads = group.survey.leads(spot);
        let own = rules
            .iter()
            .zip(leads)
            .filter(|(rules, _)| rules.first().is_some_and(|rule| system.rules[*rule].component == to));
        let own: Vec<SpotId> = own.map(|(_, (next, _))| *next).collect();
        if own.is_empty() {
            let states = group.objects.states(group.model, &group.survey.config(spot), receiver);
            if states.is_empty() {
                return None;
            }
            found.insert(states);
        }
        open.extend(own.into_iter().filter(|next| seen.insert(*next)));
    }
    Some(found)
}

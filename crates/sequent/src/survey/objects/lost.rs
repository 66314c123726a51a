//! Lost messages: received in a state where no transition takes them.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::diagnostic::{Code, Diagnostic};
use sequent_kernel::model::{Machine, Trigger, VertexId};
use sequent_kernel::semantics::objects::{InstanceId, triggers};

use super::{ObjectGroup, SurveyFinding};

/// Messages of other objects that an object receives in a state in which nothing takes them (W634); one finding for each
/// receiver and message.
pub(crate) fn lost(group: &ObjectGroup<'_>) -> Vec<SurveyFinding> {
    let mut first: BTreeMap<(InstanceId, &str), _> = BTreeMap::new();
    for (rule, lost) in group.objects.lost.iter().filter(|(_, lost)| !lost.is_guest) {
        let Some(hop) = group.survey.fired(*rule) else { continue };
        let name = lost.name.as_str();
        let known = first.entry((lost.object, name)).or_insert((hop, lost));
        if hop < known.0 {
            *known = (hop, lost);
        }
    }
    let mut findings = Vec::new();
    let mut said: BTreeSet<(&str, &str)> = BTreeSet::new();
    for ((object, name), (hop, lost)) in first {
        let Some(machine) = group.objects.machine(group.model, object) else { continue };
        // What nothing in the machine takes at all is W306, and needs no run.
        if !triggers(machine).contains_key(name) || !said.insert((machine.name.as_str(), name)) {
            continue;
        }
        let config = group.survey.config(hop.from);
        let active = group.objects.active(group.model, &config, object);
        // An object at its end receives nothing any more.
        if active.iter().all(|vertex| is_sink(machine, *vertex)) {
            continue;
        }
        let run = group.survey.run_through(hop);
        let states = group.objects.states(group.model, &config, object);
        let place = active.first().map_or(machine.place.0, |vertex| machine.vertices[*vertex].place.0);
        let state = active.first().map_or("State", |vertex| machine.vertices[*vertex].name.as_str());
        let from = lost.from.map(|from| format!(" of `{}`", group.name(from))).unwrap_or_default();
        let why = if waits_for(machine, &active, name) {
            "has transitions for it, but none whose guard is true, in"
        } else {
            "has no transition for it in"
        };
        let owner = group.name(object);
        let message =
            format!("`{}`{from} is lost {}: `{owner}` {why} `{states}`", lost.message, group.after(&run));
        let diagnostic = Diagnostic::new(Code::LostMessage, place, message)
            .hint(format!("take it in this state (`{state} : {name} /` does nothing with it), keep it for later (`{state} : {name} / defer`), or send it only when it is awaited"));
        findings.extend(group.shown(diagnostic, &run));
    }
    findings
}

/// Whether transitions of some active state, or of a state around it, take a message: then their guards are false.
fn waits_for(machine: &Machine, active: &[VertexId], name: &str) -> bool {
    let takes = |trigger: &Trigger| matches!(trigger, Trigger::Event { name: taken, .. } if taken == name);
    let around = |vertex: &VertexId| std::iter::successors(Some(*vertex), |inner| machine.parent(*inner));
    let sources: BTreeSet<VertexId> = active.iter().flat_map(around).collect();
    let mut leaving = machine.transitions.iter().filter(|one| sources.contains(&one.source));
    leaving.any(|one| one.triggers.iter().any(takes))
}

/// Whether nothing leaves a vertex, nor anything around it.
fn is_sink(machine: &Machine, vertex: VertexId) -> bool {
    let mut at = Some(vertex);
    while let Some(vertex) = at {
        if machine.transitions.iter().any(|transition| transition.source == vertex) {
            return false;
        }
        at = machine.parent(vertex);
    }
    true
}

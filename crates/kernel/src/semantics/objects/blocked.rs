//! Why transitions cannot fire now, in the words of the diagrams.

use std::collections::BTreeSet;

use super::record::{around, transition_text};
use super::structure::InstanceId;
use super::view::Objects;
use crate::model::{Machine, Model, TransitionId, Trigger, VertexKind};
use crate::system::{Config, Join, Step};

impl Objects {
    /// The transitions out of active states that none of these steps fires, and why, a line each: `atm: Idle -> Busy on pay: no
    /// pay has come`. The steps are all that are possible.
    pub fn blocked(&self, model: &Model, config: &Config, steps: &[Step]) -> Vec<String> {
        let mut able: BTreeSet<(InstanceId, TransitionId)> =
            steps.iter().flat_map(|step| self.fires(step)).collect();
        let chosen = steps.iter().flat_map(|step| &step.0).filter_map(|rule| self.chosen.get(&Some(*rule)));
        able.extend(chosen.flatten().copied());
        let ready = self.ready(config);
        let mut lines = Vec::new();
        for object in self.machines() {
            let Some(machine) = self.machine(model, object) else { continue };
            let name = &self.structure.objects[object].name;
            if self.is_busy(config, object) {
                lines.push(format!("{name}: in the middle of a step, so that nothing else can begin"));
                continue;
            }
            for transition in self.leaving(model, machine, config, object) {
                if !able.contains(&(object, transition)) {
                    let why = self.why_not(machine, config, (object, transition), &able, &ready);
                    lines.push(format!("{name}: {}: {why}", transition_text(machine, transition)));
                }
            }
        }
        lines
    }

    /// The transitions that leave active states, the innermost first, each once.
    fn leaving(
        &self,
        model: &Model,
        machine: &Machine,
        config: &Config,
        object: InstanceId,
    ) -> Vec<TransitionId> {
        let mut all = Vec::new();
        for vertex in self.active(model, config, object).into_iter().flat_map(|one| around(machine, one)) {
            let own = machine.transitions.enumerate().filter(|(_, one)| one.source == vertex);
            own.for_each(|(id, _)| {
                if !all.contains(&id) {
                    all.push(id);
                }
            });
        }
        all
    }

    /// Why a transition out of an active state cannot fire.
    fn why_not(
        &self,
        machine: &Machine,
        config: &Config,
        (object, id): (InstanceId, TransitionId),
        able: &BTreeSet<(InstanceId, TransitionId)>,
        ready: &BTreeSet<(InstanceId, TransitionId)>,
    ) -> String {
        let transition = &machine.transitions[id];
        let names: Vec<&str> = transition.triggers.iter().filter_map(event_name).collect();
        let first = self.first_waiting(config, object);
        let has_come = names.iter().any(|name| first.contains(name));
        let is_ready = ready.contains(&(object, id));
        let guard = transition.guard.as_ref().map(|guard| format!("[{}] is false", guard.text));
        let others = || able.iter().any(|(other, _)| *other == object);
        let leads_on =
            matches!(machine.vertices[transition.target].kind, VertexKind::Choice | VertexKind::Junction);
        match (names.is_empty(), is_ready) {
            // Its rule is enabled, and yet it is in no step: the other side does not take part.
            (_, true) => "nobody takes part in it".to_owned(),
            (false, false) if !has_come => match first.as_slice() {
                [] => format!("no {} has come", names.join(" or ")),
                waiting => format!("{} is before it", waiting.join(", ")),
            },
            (_, false) => match guard {
                Some(guard) if !others() => guard,
                Some(guard) => format!("{guard}, or another transition comes first"),
                None if others() => "another transition comes first".to_owned(),
                None if leads_on => "no way leads on from there".to_owned(),
                None if names.is_empty() && transition.triggers.is_empty() => {
                    "its state is not finished, or a message of it cannot be sent".to_owned()
                }
                None => "its time has not come, or a message of it cannot be sent".to_owned(),
            },
        }
    }

    /// The transitions whose rules are enabled by themselves, and only wait for others to take part.
    fn ready(&self, config: &Config) -> BTreeSet<(InstanceId, TransitionId)> {
        let values = self.system.terms.values(config);
        let rules = self.fired.iter().filter(|(rule, _)| {
            let rule = &self.system.rules[**rule];
            rule.join != Join::Alone && values[rule.guard] != 0
        });
        rules.flat_map(|(_, fired)| fired.iter().copied()).collect()
    }
}

/// The event that a trigger waits for.
fn event_name(trigger: &Trigger) -> Option<&str> {
    match trigger {
        Trigger::Event { name, .. } => Some(name),
        Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
    }
}

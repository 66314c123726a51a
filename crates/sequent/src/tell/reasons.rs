//! What rules something out, in the words of the drawing.

use sequent_engine::core::Core;
use sequent_kernel::id::Id;
use sequent_kernel::model::{Machine, Transition};
use sequent_kernel::semantics::objects::{InstanceId, transition_text};
use sequent_kernel::source::Place;
use sequent_kernel::system::VariableId;
use sequent_kernel::verdict::Reasons;

use crate::ensemble::{Ensemble, variables};

/// The conditions with their places, in the order of the drawing, each once.
pub fn told(ensemble: &Ensemble<'_>, core: &Core) -> Reasons {
    let names = &ensemble.names;
    let mut conditions: Vec<(String, Place)> = Vec::new();
    for (rule, variable) in &core.conditions {
        let rule = &ensemble.objects.system.rules[*rule];
        let index = rule.component.index();
        let objects = &ensemble.objects.structure.objects;
        if index >= objects.len() {
            continue;
        }
        let object = InstanceId::from_index(index);
        let name = &objects[object].name;
        let machine = ensemble.objects.machine(&ensemble.model, object);
        let is_drawn = names.is_drawn(rule.place, *variable);
        let drawn = machine.filter(|_| is_drawn).and_then(|machine| {
            let mut all = machine.transitions.enumerate();
            all.find(|(_, transition)| transition.place.0 == rule.place.0).map(|(id, one)| (machine, id, one))
        });
        let is_data = looks_at_data(ensemble, object, rule.guard, *variable);
        let text = match drawn {
            Some((machine, id, transition)) => {
                let step = transition_text(machine, id);
                match &transition.guard {
                    Some(guard) if is_data => format!("{name}'s `{step}` asks for `[{}]`", guard.text),
                    Some(_) | None => {
                        asked(ensemble, name, &step, (machine, transition), (object, *variable))
                    }
                }
            }
            None => format!("{name} finishes what it has begun before it takes anything else"),
        };
        let place = machine.filter(|_| !is_drawn).map_or(rule.place, |machine| machine.place);
        conditions.push((text, place));
    }
    conditions.sort_by(|one, other| (one.1.0, &one.0).cmp(&(other.1.0, &other.0)));
    conditions.dedup_by(|one, other| (one.1.0, &one.0) == (other.1.0, &other.0));
    Reasons { within: core.within, conditions }
}

/// Whether a condition is about attributes, not about where an object is and what waits for it.
fn looks_at_data(
    ensemble: &Ensemble<'_>,
    object: InstanceId,
    guard: sequent_kernel::system::TermId,
    variable: Option<VariableId>,
) -> bool {
    let is_attribute =
        |id: &VariableId| ensemble.objects.attributes(object).any(|(_, slot)| slot.variable == *id);
    match variable {
        Some(variable) => is_attribute(&variable),
        None => variables(&ensemble.objects.system, guard).iter().any(is_attribute),
    }
}

/// That a transition starts in a state, or waits for a message.
fn asked(
    ensemble: &Ensemble<'_>,
    name: &str,
    step: &str,
    (machine, transition): (&Machine, &Transition),
    (object, variable): (InstanceId, Option<VariableId>),
) -> String {
    let is_queue = variable.is_some_and(|variable| ensemble.objects.inbox(object).contains(&variable));
    let source = &machine.vertices[transition.source].name;
    match is_queue {
        true => format!("{name} takes `{step}` only for its message"),
        false if source.is_empty() => format!("{name} takes `{step}` only where it starts"),
        false => format!("{name} takes `{step}` only in {source}"),
    }
}

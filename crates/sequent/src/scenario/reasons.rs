//! What rules something out, in the words of the drawing.

use sequent_kernel::id::Id;
use sequent_kernel::model::{Machine, Transition};
use sequent_kernel::semantics::objects::{InstanceId, transition_text};
use sequent_kernel::source::Place;
use sequent_kernel::system::VariableId;
use sequent_kernel::verdict::Reasons;

use super::Company;
use super::company::variables;
use crate::court::{Legend, Ruling};

/// What the variables and rules of the objects are to people.
pub fn legend(company: &Company<'_>) -> Legend {
    let objects = &company.objects;
    let values = objects.legend(&company.model);
    let ids = || objects.structure.objects.ids();
    let data = ids().flat_map(|id| objects.attributes(id).map(|(_, slot)| slot.variable));
    let drawn = values.keys().copied().chain(data).collect();
    let machines = ids().filter_map(|id| objects.machine(&company.model, id));
    let places = machines.flat_map(|machine| machine.transitions.iter().map(|one| one.place.0)).collect();
    let machines = company.objects.system.components.ids().filter(|id| company.is_machine(*id)).collect();
    Legend { values, queues: objects.queues(), drawn, places, machines }
}

/// The conditions with their places, in the order of the drawing, each once.
pub fn told(company: &Company<'_>, ruling: &Ruling) -> Reasons {
    let legend = legend(company);
    let mut conditions: Vec<(String, Place)> = Vec::new();
    for (rule, variable) in &ruling.conditions {
        let rule = &company.objects.system.rules[*rule];
        let index = rule.component.index();
        let objects = &company.objects.structure.objects;
        if index >= objects.len() {
            continue;
        }
        let object = InstanceId::from_index(index);
        let name = &objects[object].name;
        let machine = company.objects.machine(&company.model, object);
        let is_drawn = legend.is_drawn(rule.place, *variable);
        let drawn = machine.filter(|_| is_drawn).and_then(|machine| {
            let mut all = machine.transitions.enumerate();
            all.find(|(_, transition)| transition.place.0 == rule.place.0).map(|(id, one)| (machine, id, one))
        });
        let is_data = looks_at_data(company, object, rule.guard, *variable);
        let text = match drawn {
            Some((machine, id, transition)) => {
                let step = transition_text(machine, id);
                match &transition.guard {
                    Some(guard) if is_data => format!("{name}'s `{step}` asks for `[{}]`", guard.text),
                    Some(_) | None => asked(company, name, &step, (machine, transition), (object, *variable)),
                }
            }
            None => format!("{name} finishes what it has begun before it takes anything else"),
        };
        let place = machine.filter(|_| !is_drawn).map_or(rule.place, |machine| machine.place);
        conditions.push((text, place));
    }
    conditions.sort_by(|one, other| (one.1.0, &one.0).cmp(&(other.1.0, &other.0)));
    conditions.dedup_by(|one, other| (one.1.0, &one.0) == (other.1.0, &other.0));
    Reasons { within: ruling.within, conditions }
}

/// Whether a condition is about attributes, not about where an object is and what waits for it.
fn looks_at_data(
    company: &Company<'_>,
    object: InstanceId,
    guard: sequent_kernel::system::TermId,
    variable: Option<VariableId>,
) -> bool {
    let is_attribute =
        |id: &VariableId| company.objects.attributes(object).any(|(_, slot)| slot.variable == *id);
    match variable {
        Some(variable) => is_attribute(&variable),
        None => variables(&company.objects.system, guard).iter().any(is_attribute),
    }
}

/// That a transition starts in a state, or waits for a message.
fn asked(
    company: &Company<'_>,
    name: &str,
    step: &str,
    (machine, transition): (&Machine, &Transition),
    (object, variable): (InstanceId, Option<VariableId>),
) -> String {
    let is_queue = variable.is_some_and(|variable| company.objects.inbox(object).contains(&variable));
    let source = &machine.vertices[transition.source].name;
    match is_queue {
        true => format!("{name} takes `{step}` only for its message"),
        false if source.is_empty() => format!("{name} takes `{step}` only where it starts"),
        false => format!("{name} takes `{step}` only in {source}"),
    }
}

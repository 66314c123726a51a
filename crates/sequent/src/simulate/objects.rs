//! Texts for the steps of a system of objects: transitions that fire, states of the objects, messages that
//! wait.

use sequent_kernel::model::{Model, Trigger};
use sequent_kernel::semantics::objects::{InstanceId, Objects};
use sequent_kernel::source::{Sources, Span};
use sequent_kernel::system::{ComponentId, Config, EventKind, Step};

/// What tells a step from another with the same events: the transitions that fire, and where the first of its rules stands.
pub(super) fn details(model: &Model, sources: &Sources, objects: &Objects, step: &Step) -> String {
    let is_silent = objects.system.events(step).next().is_none();
    let fired = objects.firing(model, step).filter(|_| !is_silent);
    let fired = fired.map(|text| format!(", {text}")).unwrap_or_default();
    let place = step.0.first().map(|rule| objects.system.rules[*rule].place.0);
    let line = place.map(|span| format!(" (line {})", sources.position(span).line)).unwrap_or_default();
    format!("{fired}{line}")
}

/// The states of the objects, with the values of attributes and the messages that wait; a line each.
pub(super) fn standings(model: &Model, objects: &Objects, config: &Config) -> String {
    let machines: Vec<InstanceId> = objects.machines().collect();
    let name = |object: InstanceId| objects.structure.objects[object].name.as_str();
    let widest = machines.iter().map(|object| name(*object).chars().count()).max().unwrap_or(0);
    let line = |object: &InstanceId| {
        let standing = objects.standing(model, config, *object);
        let states = match (standing.states.as_str(), standing.is_busy) {
            ("", false) => "has ended".to_owned(),
            ("", true) => "in the middle of a step".to_owned(),
            (states, false) => states.to_owned(),
            (states, true) => format!("{states}, in the middle of a step"),
        };
        let values = standing.attributes.iter().map(|(name, value)| format!(", {name} = {value}"));
        let queue = match standing.waiting.as_slice() {
            [] => String::new(),
            waiting => format!(", waiting: {}", waiting.join(", ")),
        };
        format!("{:widest$}  {states}{}{queue}\n", name(*object), values.collect::<String>())
    };
    machines.iter().map(line).collect()
}

/// Whether the environment sends something that its receiver would only lose where it is: possible, but seldom of interest.
pub(super) fn is_in_vain(model: &Model, objects: &Objects, config: &Config, step: &Step) -> bool {
    let machine = |component: Option<ComponentId>| {
        objects.machines().find(|object| Some(objects.component(*object)) == component)
    };
    let mut events = objects.system.events(step).map(|event| &objects.system.events[event]);
    events.any(|event| {
        let awaited = |receiver| objects.awaited(model, config, receiver);
        let takes = |receiver| awaited(receiver).contains(&event.name);
        event.kind == EventKind::Send
            && machine(event.from).is_none()
            && machine(event.to).is_some_and(|receiver| !takes(receiver))
    })
}

/// The transitions that a message from the environment may set off where its receiver is.
pub(super) fn set_off(model: &Model, objects: &Objects, config: &Config, step: &Step) -> Vec<Span> {
    let machine = |component: Option<ComponentId>| {
        objects.machines().find(|object| Some(objects.component(*object)) == component)
    };
    let mut found = Vec::new();
    for event in objects.system.events(step).map(|event| &objects.system.events[event]) {
        let Some(receiver) = machine(event.to).filter(|_| machine(event.from).is_none()) else { continue };
        let Some(body) = objects.machine(model, receiver) else { continue };
        let active = objects.standing(model, config, receiver).active;
        let takes = |trigger: &Trigger| match trigger {
            Trigger::Event { name, .. } => *name == event.name,
            Trigger::Any => true,
            Trigger::After(_) | Trigger::When(_) => false,
        };
        let own = body.transitions.iter().filter(|one| active.contains(&one.source));
        found.extend(own.filter(|one| one.triggers.iter().any(takes)).map(|one| one.place.0));
    }
    found
}

/// What each object waits for.
pub(super) fn waits(model: &Model, objects: &Objects, config: &Config) -> Vec<(InstanceId, String)> {
    let wait = |object: InstanceId| {
        let name = &objects.structure.objects[object].name;
        let offered = objects.unmet(config, object);
        let awaited = objects.awaited(model, config, object);
        let standing = objects.standing(model, config, object);
        let text = match (offered.is_empty(), awaited.is_empty()) {
            (false, true) => format!("{name} waits to send {}", offered.join(" or ")),
            (false, false) => {
                let (awaited, offered) = (awaited.join(" or "), offered.join(" or "));
                format!("{name} waits for {awaited}, or to send {offered}")
            }
            (true, false) => format!("{name} waits for {}", awaited.join(" or ")),
            (true, true) if standing.is_busy => format!("{name} is in the middle of a step"),
            (true, true) => format!("{name} waits for nothing"),
        };
        (object, text)
    };
    objects.machines().map(wait).collect()
}

//! Which drawn conditions make a goal unreachable, as text.

use std::collections::{BTreeMap, BTreeSet};

use sequent_engine::core::Core;
use sequent_kernel::id::Id;
use sequent_kernel::model::{Machine, Transition};
use sequent_kernel::semantics::objects::{InstanceId, transition_text};
use sequent_kernel::source::{Place, Span};
use sequent_kernel::system::VariableId;
use sequent_kernel::verdict::Reasons;

use crate::ensemble::{Ensemble, variables};

/// What a transition asks for, as far as it matters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum TransitionDemand {
    /// Its source; empty where that has no name.
    Source(String),
    /// The message that triggers it.
    Message,
    /// Its guard.
    Guard(String),
}

/// What objects ask for in one place: all of the same class in a line.
type ObjectRequests = BTreeMap<InstanceId, BTreeSet<TransitionDemand>>;

/// The conditions with their places, in the order of the drawing; what several objects have in common is told once, and that steps are finished
/// before anything else is taken comes last.
pub fn told(ensemble: &Ensemble<'_>, core: &Core) -> Reasons {
    let mut drawn: BTreeMap<(Span, String), ObjectRequests> = BTreeMap::new();
    let mut finishing: BTreeMap<Span, BTreeSet<InstanceId>> = BTreeMap::new();
    for (rule, variable) in &core.conditions {
        let rule = &ensemble.objects.system.rules[*rule];
        let index = rule.component.index();
        if index >= ensemble.objects.structure.objects.len() {
            continue;
        }
        let object = InstanceId::from_index(index);
        let machine = ensemble.objects.machine(&ensemble.model, object);
        let is_drawn = ensemble.names.is_drawn(rule.place, *variable);
        let transition = machine.filter(|_| is_drawn).and_then(|machine| {
            let mut all = machine.transitions.enumerate();
            all.find(|(_, transition)| transition.place.0 == rule.place.0).map(|(id, one)| (machine, id, one))
        });
        match transition {
            Some((machine, id, transition)) => {
                let is_data = looks_at_data(ensemble, object, rule.guard, *variable);
                let demand = demand(ensemble, is_data, (machine, transition), (object, *variable));
                let facts = drawn.entry((rule.place.0, transition_text(machine, id))).or_default();
                facts.entry(object).or_default().insert(demand);
            }
            None => {
                let place = machine.filter(|_| !is_drawn).map_or(rule.place, |machine| machine.place);
                finishing.entry(place.0).or_default().insert(object);
            }
        }
    }
    let mut conditions: Vec<(String, Place)> = Vec::new();
    for ((place, step), facts) in &drawn {
        for (demands, objects) in alike(facts) {
            conditions.push((asked(&names(ensemble, &objects), step, &demands), Place(*place)));
        }
    }
    for (place, objects) in &finishing {
        let text = match names(ensemble, &objects.iter().copied().collect::<Vec<_>>()) {
            ObjectNames { text, is_one: true } => {
                format!("{text} finishes what it has begun before it takes anything else")
            }
            ObjectNames { text, is_one: false } => {
                format!("{text} finish what they have begun before they take anything else")
            }
        };
        conditions.push((text, Place(*place)));
    }
    Reasons { within: core.within, conditions }
}

/// Objects that ask for the same, in their order.
fn alike(facts: &ObjectRequests) -> Vec<(Vec<TransitionDemand>, Vec<InstanceId>)> {
    let mut groups: Vec<(Vec<TransitionDemand>, Vec<InstanceId>)> = Vec::new();
    for (object, demands) in facts {
        let demands: Vec<TransitionDemand> = demands.iter().cloned().collect();
        match groups.iter_mut().find(|(other, _)| *other == demands) {
            Some((_, objects)) => objects.push(*object),
            None => groups.push((demands, vec![*object])),
        }
    }
    groups
}

/// The names of some objects.
struct ObjectNames {
    text: String,
    is_one: bool,
}

fn names(ensemble: &Ensemble<'_>, objects: &[InstanceId]) -> ObjectNames {
    let all: Vec<&str> =
        objects.iter().map(|object| ensemble.objects.structure.objects[*object].name.as_str()).collect();
    ObjectNames { text: all.join(", "), is_one: all.len() == 1 }
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

/// What a condition of a transition asks for: an attribute's value, a state, or a message.
fn demand(
    ensemble: &Ensemble<'_>,
    is_data: bool,
    (machine, transition): (&Machine, &Transition),
    (object, variable): (InstanceId, Option<VariableId>),
) -> TransitionDemand {
    let is_queue = variable.is_some_and(|variable| ensemble.objects.inbox(object).contains(&variable));
    match &transition.guard {
        Some(guard) if is_data => TransitionDemand::Guard(guard.text.clone()),
        Some(_) | None if is_queue => TransitionDemand::Message,
        Some(_) | None => TransitionDemand::Source(machine.vertices[transition.source].name.clone()),
    }
}

/// What objects ask for where they take a transition.
fn asked(ObjectNames { text, is_one }: &ObjectNames, step: &str, demands: &[TransitionDemand]) -> String {
    if let [TransitionDemand::Guard(guard)] = demands {
        let whose = if *is_one { format!("{text}'s") } else { format!("{text}:") };
        return format!("{whose} `{step}` asks for `[{guard}]`");
    }
    let only = |demand: &TransitionDemand| match demand {
        TransitionDemand::Source(source) if source.is_empty() => "only where it starts".to_owned(),
        TransitionDemand::Source(source) => format!("only in {source}"),
        TransitionDemand::Message => "only for its message".to_owned(),
        TransitionDemand::Guard(guard) => format!("only if `[{guard}]`"),
    };
    let verb = if *is_one { "takes" } else { "take" };
    format!("{text} {verb} `{step}` {}", demands.iter().map(only).collect::<Vec<_>>().join(" and "))
}

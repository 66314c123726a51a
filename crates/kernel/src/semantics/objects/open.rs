//! Arguments whose values are not known ([`domain`](super::domain) finds them), and what depends on them: the transitions that use such a
//! value, and, where it decides whether a transition fires, whatever else becomes of the message.

use super::body::is_passed;
use super::data::{is_literal, mentions};
use super::message::GroundMessage;
use super::process::BindingId;
use super::structure::{InstanceId, Structure};
use super::{ObjectsLowering, World};
use crate::id::Id;
use crate::model::{
    Effect, Machine, Model, Send, SystemSettings, TransitionId, Trigger, VertexId, VertexKind,
};
use crate::source::Place;
use crate::system::TermId;

/// Why the values of an argument are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// No object sends it, and nothing declares it.
    Unsent,
    /// One send passes something of which no value is known.
    Unknown(Place),
    /// Two sends pass values of different types.
    Mixed(Place),
    /// The values that are sent are too many to be distinguished.
    Wide,
}

/// A transition that depends on an argument whose value is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenUse {
    /// The object of the transition.
    pub object: InstanceId,
    /// The transition.
    pub transition: TransitionId,
    /// The message.
    pub message: String,
    /// The parameter, as the trigger calls it.
    pub parameter: String,
    /// Why its value is not known.
    pub doubt: Doubt,
    /// Where the value decides whether the transition fires: when it does. Then whatever becomes of the message depends on it.
    pub decides: Option<TermId>,
}

/// The transitions of a system that depend on arguments whose values are not known.
pub(crate) fn open_uses(model: &Model, structure: &Structure, settings: &SystemSettings) -> Vec<OpenUse> {
    let mut world = World::new(&ObjectsLowering::new(model, settings), structure);
    world.furnish();
    world.open_uses()
}

impl World<'_> {
    /// The transitions that depend on arguments whose values are not known.
    pub(crate) fn open_uses(&mut self) -> Vec<OpenUse> {
        let mut all = Vec::new();
        let objects: Vec<InstanceId> = self.structure.objects.ids().collect();
        for object in objects {
            let Some(machine) = self.bodies[object].as_ref().map(|body| body.machine) else { continue };
            for (id, transition) in machine.transitions.enumerate() {
                for trigger in &transition.triggers {
                    let Trigger::Event { name, parameters } = trigger else { continue };
                    // Nothing depends on what never comes.
                    if self.messages[object].iter().all(|ground| ground.name != *name) {
                        continue;
                    }
                    for (at, parameter) in parameters.iter().enumerate() {
                        let Some(doubt) = self.doubt(name, at) else { continue };
                        let mut users = self.users(object, id, name, parameter);
                        let message = name.clone();
                        let decides = self.decides(object, id, parameter);
                        if decides.is_some() && !users.contains(&id) {
                            users.push(id);
                        }
                        all.extend(users.into_iter().map(|transition| OpenUse {
                            object,
                            transition,
                            message: message.clone(),
                            parameter: parameter.clone(),
                            doubt,
                            decides: decides.filter(|_| transition == id),
                        }));
                    }
                }
            }
        }
        all
    }

    /// When a parameter decides whether a transition fires that its source and the rest of its guard let fire.
    fn decides(&mut self, object: InstanceId, id: TransitionId, parameter: &str) -> Option<TermId> {
        let body = self.body(object);
        let (machine, source) = (body.machine, body.machine.transitions[id].source);
        let place = (body.regions[machine.vertices[source].region], body.values[source]);
        let is_static = |vertex: VertexId| match machine.vertices[vertex].kind {
            VertexKind::Junction | VertexKind::Entry | VertexKind::Exit | VertexKind::Join => true,
            VertexKind::State(_)
            | VertexKind::Initial
            | VertexKind::Final
            | VertexKind::Choice
            | VertexKind::Fork
            | VertexKind::ShallowHistory
            | VertexKind::DeepHistory
            | VertexKind::Terminate => false,
        };
        let asking = behind(machine, id, is_static);
        if !self.is_value(parameter) && !asking.iter().any(|id| is_guarded(machine, *id, parameter)) {
            return None;
        }
        let guard = machine.transitions[id].guard.as_ref().and_then(|guard| guard.expression.as_ref());
        let rest = guard.map(|guard| self.known_part(object, None, guard, BindingId::from_index(0)));
        let is_active = self.terms.is(place.0, place.1);
        Some(self.terms.and([is_active].into_iter().chain(rest)))
    }

    /// Why the value of an argument is not known, if it is not.
    fn doubt(&self, name: &str, at: usize) -> Option<Doubt> {
        if self.unsent.contains(name) {
            return None;
        }
        let is_sent =
            || self.messages.iter().flatten().any(|ground| ground.name == name && !self.is_guest(ground));
        match self.doubts.get(&(name.to_owned(), at)) {
            Some(doubt) => Some(*doubt),
            // What is declared is one of its values; which one is sent nothing says.
            None if !self.is_forgotten(name, at) => self.bare_send(name, at).map(Doubt::Unknown),
            None => match self.bare_send(name, at) {
                Some(place) => Some(Doubt::Unknown(place)),
                None => (!is_sent()).then_some(Doubt::Unsent),
            },
        }
    }

    /// Where a message is sent without an argument that a trigger may ask for.
    fn bare_send(&self, name: &str, at: usize) -> Option<Place> {
        self.bodies.enumerate().find_map(|(object, body)| {
            let body = body.as_ref()?;
            let effects = body.sites().into_iter().flat_map(|site| body.effects(site));
            let mut sends = effects.filter_map(|effect| self.as_send(object, effect)).map(|(send, _)| send);
            let is_bare = |send: &Send| {
                let argument = send.arguments.iter().flatten().nth(at);
                send.name == name && argument.is_none_or(|argument| argument.value.is_none())
            };
            sends.find(is_bare).map(|send| send.place)
        })
    }

    /// Whether the environment sends a message.
    fn is_guest(&self, ground: &GroundMessage) -> bool {
        ground.from.is_none_or(|from| self.bodies[from].is_none())
    }

    /// The transitions whose firing, or whose effect, depends on a parameter that a transition binds.
    fn users(
        &self,
        object: InstanceId,
        id: TransitionId,
        message: &str,
        parameter: &str,
    ) -> Vec<TransitionId> {
        let machine = self.body(object).machine;
        let transition = &machine.transitions[id];
        let is_pattern = self.is_value(parameter);
        let is_guarded = |id: &TransitionId| is_guarded(machine, *id, parameter);
        let behind = behind(machine, id, |vertex| is_passed(machine, vertex));
        let is_kept = |id: &TransitionId| {
            machine.transitions[*id].effects.iter().any(|effect| match effect {
                Effect::Assign(assign) => mentions(&assign.value, parameter),
                Effect::Send(send) => {
                    let arguments = send.arguments.iter().flatten().enumerate();
                    let is_told = |at: usize| !self.is_forgotten(&send.name, at);
                    arguments.filter(|(at, _)| is_told(*at)).any(|(_, argument)| {
                        argument.value.as_ref().is_some_and(|value| mentions(value, parameter))
                    })
                }
                Effect::Opaque { .. } => false,
            })
        };
        let mut users: Vec<TransitionId> =
            behind.iter().copied().filter(|id| is_guarded(id) || is_kept(id)).collect();
        let is_contracted = machine.contracts.iter().any(|contract| {
            let condition = contract.condition.expression.as_ref();
            contract.name == message && condition.is_some_and(|condition| mentions(condition, parameter))
        });
        users.extend(is_contracted.then_some(id));
        if is_pattern || is_guarded(&id) {
            // What one lets pass another does not get.
            let siblings = machine.transitions.enumerate().filter(|(_, one)| {
                one.source == transition.source
                    && one.triggers.iter().any(|own| is_same(own, &transition.triggers))
            });
            users.extend(siblings.map(|(sibling, _)| sibling));
        }
        users.sort();
        users.dedup();
        users
    }

    /// Whether what stands for a parameter is a value that is waited for: `result(false)`, `result(ok = false)`.
    pub(super) fn is_value(&self, parameter: &str) -> bool {
        parameter.contains('=') || is_literal(parameter, &self.enumerations)
    }
}

/// A transition and those behind it, through vertices of this kind.
fn behind(machine: &Machine, id: TransitionId, passes: impl Fn(VertexId) -> bool) -> Vec<TransitionId> {
    let mut behind = vec![id];
    let mut next = 0;
    while let Some(at) = behind.get(next).copied() {
        next += 1;
        let target = machine.transitions[at].target;
        if passes(target) {
            let on = machine.transitions.enumerate().filter(|(_, one)| one.source == target);
            let on: Vec<TransitionId> = on.map(|(on, _)| on).filter(|on| !behind.contains(on)).collect();
            behind.extend(on);
        }
    }
    behind
}

/// Whether the guard of a transition uses a name.
fn is_guarded(machine: &Machine, id: TransitionId, name: &str) -> bool {
    let guard = machine.transitions[id].guard.as_ref().and_then(|guard| guard.expression.as_ref());
    guard.is_some_and(|guard| mentions(guard, name))
}

/// Whether a trigger is for a message that one of the others is for.
fn is_same(trigger: &Trigger, others: &[Trigger]) -> bool {
    let name = |trigger: &Trigger| match trigger {
        Trigger::Event { name, .. } => Some(name.clone()),
        Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
    };
    name(trigger).is_some_and(|own| others.iter().any(|other| name(other).as_ref() == Some(&own)))
}

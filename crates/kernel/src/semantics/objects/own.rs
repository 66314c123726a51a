//! Own transitions: those of one source that an event enables, in every way in which their guards may be decided.

use super::World;
use super::body;
use super::guard::CompoundTransition;
use super::guard::Guess;
use super::message::GroundMessage;
use super::path::InvisiblePath;
use super::process::Binding;
use super::select::Stimulus;
use super::structure::InstanceId;
use crate::model::{TransitionId, TransitionKind, Trigger, VertexId, VertexKind};

impl World<'_> {
    /// The transitions of a state itself that a stimulus enables, in all ways to decide their guards.
    pub(crate) fn own_options(
        &mut self,
        object: InstanceId,
        vertex: VertexId,
        stimulus: &Stimulus,
    ) -> Vec<Guess> {
        // One name is enough for a parameter, wherever it stands: guards of all transitions are seen together.
        let mut binding = Binding::default();
        let mut group: Vec<TransitionId> = Vec::new();
        let mut rivals: Vec<TransitionId> = Vec::new();
        let mut fallback: Vec<TransitionId> = Vec::new();
        let body = self.body(object);
        for id in &body.outgoing[vertex] {
            let transition = &body.machine.transitions[*id];
            let is_join = body.machine.vertices[transition.target].kind == VertexKind::Join
                && !body.parked.contains_key(id)
                && self.incoming(object, transition.target).len() > 1;
            let fits = match stimulus {
                Stimulus::Completion(_) => {
                    let is_it = transition.triggers.is_empty() && transition.kind != TransitionKind::Internal;
                    is_it.then(Binding::default)
                }
                Stimulus::Spontaneous(wanted) => {
                    let wanted = &body.machine.transitions[*wanted];
                    let is_rival = wanted.source == vertex && wanted.triggers == transition.triggers;
                    is_rival.then(Binding::default)
                }
                Stimulus::Message(ground) => {
                    if transition.triggers.contains(&Trigger::Any) && !is_join {
                        fallback.push(*id);
                    }
                    self.bound(&transition.triggers, ground)
                }
            };
            let Some(found) = fits else { continue };
            if is_join {
                rivals.push(*id)
            } else {
                group.push(*id)
            }
            for parameter in found.parameters {
                if binding.parameters.iter().all(|(known, ..)| *known != parameter.0) {
                    binding.parameters.push(parameter);
                }
            }
        }
        if let Stimulus::Message(ground) = stimulus {
            binding.sender = ground.from;
            binding.call = self.is_call(ground.from, &ground.name).then(|| ground.name.clone());
        }
        let sender = binding.sender;
        let binding = self.body_mut(object).bind(binding);
        let mut guesses = self.guesses(object, &group, &rivals, binding);
        if let Stimulus::Spontaneous(wanted) = stimulus {
            for guess in &mut guesses {
                guess.enabled.retain(|(_, compound)| compound.transition == *wanted);
            }
        }
        if let Stimulus::Completion(_) = stimulus {
            let joined = self.joins_from(object, vertex, stimulus);
            let any = self.terms.or(joined.iter().map(|(condition, _)| *condition));
            let no = self.terms.not(any);
            for guess in &mut guesses {
                guess.enabled.extend(joined.iter().cloned());
                guess.none = self.terms.and([guess.none, no]);
            }
        }
        match fallback.is_empty() {
            true => guesses,
            false => self.otherwise(object, guesses, &fallback, sender),
        }
    }

    /// Transitions that take any message take what no other transition of their state takes.
    fn otherwise(
        &mut self,
        object: InstanceId,
        guesses: Vec<Guess>,
        fallback: &[TransitionId],
        sender: Option<InstanceId>,
    ) -> Vec<Guess> {
        let binding = self.body_mut(object).bind(Binding { sender, ..Binding::default() });
        let others = self.guesses(object, fallback, &[], binding);
        let mut all = Vec::new();
        for guess in &guesses {
            for other in &others {
                let valid = self.terms.and([guess.valid, other.valid]);
                let mut enabled = guess.enabled.clone();
                for (condition, compound) in &other.enabled {
                    enabled.push((self.terms.and([guess.none, *condition]), compound.clone()));
                }
                all.push(Guess { enabled, none: self.terms.and([guess.none, other.none]), valid });
            }
        }
        all
    }

    /// The path with what is active where transitions fire: their sources, and the states around them. What is known is not tried.
    pub(crate) fn standing(
        &self,
        object: InstanceId,
        mut path: InvisiblePath,
        set: &[CompoundTransition],
    ) -> Option<InvisiblePath> {
        let body = self.body(object);
        let firsts = set.iter().flat_map(|one| match one.joined.as_slice() {
            [] => std::slice::from_ref(&one.transition),
            joined => joined,
        });
        for first in firsts {
            let source = body.machine.transitions[*first].source;
            for region in body::regions_around(body.machine, source) {
                let Some(child) = body::child_in(body.machine, region, source) else { break };
                let known = *path.facts.entry(body.regions[region]).or_insert(body.values[child]);
                if known != body.values[child] {
                    return None;
                }
            }
        }
        Some(path)
    }

    /// What the parameters of triggers stand for, if one of them is for a message.
    pub(crate) fn bound(&self, triggers: &[Trigger], ground: &GroundMessage) -> Option<Binding> {
        triggers.iter().find_map(|trigger| match trigger {
            Trigger::Event { name, parameters } if *name == ground.name => self.fits(parameters, ground),
            Trigger::Event { .. } | Trigger::Any | Trigger::After(_) | Trigger::When(_) => None,
        })
    }
}

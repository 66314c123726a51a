//! Deferral: messages that are kept for later.

use super::World;
use super::body;
use super::select::{Compound, Stimulus};
use super::structure::InstanceId;
use crate::model::{Trigger, VertexId};
use crate::system::TermId;

impl World<'_> {
    /// When a message is kept for later: an active state defers it, and nothing in that state takes it.
    pub fn is_deferred(&mut self, object: InstanceId, stimulus: &Stimulus) -> TermId {
        let all: Vec<TermId> = self.deferring(object, stimulus).into_iter().map(|(_, term)| term).collect();
        self.terms.or(all)
    }

    /// When a message is kept for later although a set of transitions could fire: by a state in which none of them begins.
    pub fn is_held_back(
        &mut self,
        object: InstanceId,
        deferring: &[(VertexId, TermId)],
        set: &[Compound],
    ) -> TermId {
        let machine = self.body(object).machine;
        let is_inside = |state: VertexId, compound: &Compound| {
            let mut at = Some(machine.transitions[compound.transition].source);
            while let Some(here) = at {
                if here == state {
                    return true;
                }
                at = machine.parent(here);
            }
            false
        };
        let others = deferring.iter().filter(|(state, _)| !set.iter().any(|one| is_inside(*state, one)));
        let all: Vec<TermId> = others.map(|(_, term)| *term).collect();
        self.terms.or(all)
    }

    /// The states that defer a message, each with when it does.
    pub fn deferring(&mut self, object: InstanceId, stimulus: &Stimulus) -> Vec<(VertexId, TermId)> {
        let Stimulus::Message(ground) = stimulus else { return Vec::new() };
        let mut all = Vec::new();
        for (vertex, is_active) in self.deferring_states(object, &ground.name) {
            let region = self.body(object).machine.vertices[vertex].region;
            let options = self.state_options(object, region, vertex, stimulus, 0);
            all.push((vertex, self.terms.and([is_active, options.none])));
        }
        all
    }

    /// The states that name a message in a `defer`, each with when it is active.
    pub fn deferring_states(&mut self, object: InstanceId, message: &str) -> Vec<(VertexId, TermId)> {
        let machine = self.body(object).machine;
        let names_it = |trigger: &Trigger| match trigger {
            Trigger::Event { name, .. } => name == message,
            Trigger::Any => true,
            Trigger::After(_) | Trigger::When(_) => false,
        };
        let mut all = Vec::new();
        for vertex in machine.vertices.ids() {
            let defers =
                body::state(machine, vertex).is_some_and(|state| state.deferred.iter().any(names_it));
            if !defers {
                continue;
            }
            let region = machine.vertices[vertex].region;
            let is_active =
                self.terms.is(self.body(object).regions[region], self.body(object).values[vertex]);
            all.push((vertex, is_active));
        }
        all
    }
}

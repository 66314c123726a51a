//! Deferral: messages that are kept for later.

use super::World;
use super::body;
use super::select::Stimulus;
use super::structure::InstanceId;
use crate::model::{Trigger, VertexId};
use crate::system::TermId;

impl World<'_> {
    /// Whether a state names the message in a `defer`. Under rendezvous nothing is kept: the sender waits.
    pub(crate) fn defers(&self, object: InstanceId, vertex: VertexId, stimulus: &Stimulus) -> bool {
        let Stimulus::Message(ground) = stimulus else { return false };
        if self.is_rendezvous() {
            return false;
        }
        let deferred = body::state(self.body(object).machine, vertex).map(|state| state.deferred.as_slice());
        deferred.unwrap_or_default().iter().any(|trigger| match trigger {
            Trigger::Event { name, .. } => *name == ground.name,
            Trigger::Any => true,
            Trigger::After(_) | Trigger::When(_) => false,
        })
    }

    /// The states that name a message in a `defer`, each with when it is active.
    pub(crate) fn deferring_states(&mut self, object: InstanceId, message: &str) -> Vec<(VertexId, TermId)> {
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

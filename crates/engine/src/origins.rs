//! Origins: states in which a search begins, with the steps that lead there.
//!
//! Most searches begin where runs do. A question about what is possible after a few steps begins in every state that these
//! steps lead to, each reached on a shortest way.

use std::collections::HashMap;

use sequent_kernel::system::Step;

use crate::graph::{NodeId, StateGraph};

/// States in which a search begins.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    states: Vec<StateOrigin>,
    numbers: HashMap<NodeId, usize>,
}

/// A state, the one before it by number, and the steps between them.
#[derive(Clone, Debug)]
struct StateOrigin {
    node: NodeId,
    before: Option<usize>,
    steps: Vec<Step>,
}

impl Origins {
    /// The state in which every run begins; nothing if no run counts.
    pub fn first(graph: &StateGraph<'_>) -> Self {
        let mut origins = Origins::default();
        if let Some((node, steps)) = graph.first() {
            origins.add(node, None, steps.to_vec());
        }
        origins
    }

    /// All states that at most `count` steps lead to, in the order of their distance. `None` if there are
    /// more than about `most`.
    pub fn within(graph: &mut StateGraph<'_>, count: u32, most: usize) -> Option<Self> {
        let mut origins = Origins::first(graph);
        let mut done = 0;
        for _ in 0..count {
            let end = origins.states.len();
            if done == end {
                break;
            }
            for at in done..end {
                let node = origins.states[at].node;
                for number in 0..graph.edges(node).len() {
                    let to = graph.edges(node)[number].to;
                    if !origins.numbers.contains_key(&to) {
                        let steps = graph.steps(node, number);
                        origins.add(to, Some(at), steps);
                    }
                }
                if origins.states.len() > most {
                    return None;
                }
            }
            done = end;
        }
        Some(origins)
    }

    /// Adds a state, if it is not there yet.
    pub fn add(&mut self, node: NodeId, before: Option<usize>, steps: Vec<Step>) {
        let next = self.states.len();
        if *self.numbers.entry(node).or_insert(next) == next {
            self.states.push(StateOrigin { node, before, steps });
        }
    }

    /// The states.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.states.iter().map(|origin| origin.node)
    }

    /// The steps that lead to a state; none if it is not among them.
    pub(crate) fn steps_to(&self, node: NodeId) -> Vec<Step> {
        let mut path = Vec::new();
        let mut at = self.numbers.get(&node).copied();
        while let Some(number) = at {
            path.push(number);
            at = self.states[number].before;
        }
        path.iter().rev().flat_map(|number| self.states[*number].steps.iter().cloned()).collect()
    }
}

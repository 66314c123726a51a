//! Extended machines (P4, definition 3.3.4): a transition between two states has an intermediate state between its trigger and its effects.

use super::{Machine, StateBody, Transition, TransitionKind, Vertex, VertexId, VertexKind};
use crate::id::IdVec;

impl Machine {
    /// The same machine with an intermediate state on each transition from a state to a state: it is entered with the trigger and the guard, and
    /// left with the effects. Transitions of pseudostates, and those that leave no state, stay as they are.
    pub fn extended(&self) -> Machine {
        let mut machine = Machine { transitions: IdVec::new(), ..self.clone() };
        let mut number = 0;
        for transition in self.transitions.iter() {
            let ends = [transition.source, transition.target];
            if transition.kind == TransitionKind::Internal || !ends.iter().all(|end| self.is_state(*end)) {
                machine.transitions.push(transition.clone());
                continue;
            }
            let middle = machine.intermediate(&mut number, transition);
            let (before, after) = parted(&transition.text);
            let effects = Vec::new();
            machine.transitions.push(Transition {
                target: middle,
                text: before,
                effects,
                ..transition.clone()
            });
            let (triggers, guard) = (Vec::new(), None);
            let second = Transition { source: middle, text: after, triggers, guard, ..transition.clone() };
            machine.transitions.push(second);
        }
        machine
    }

    fn is_state(&self, vertex: VertexId) -> bool {
        match self.vertices[vertex].kind {
            VertexKind::State(_) | VertexKind::Final => true,
            VertexKind::Initial
            | VertexKind::Choice
            | VertexKind::Junction
            | VertexKind::Fork
            | VertexKind::Join
            | VertexKind::ShallowHistory
            | VertexKind::DeepHistory
            | VertexKind::Entry
            | VertexKind::Exit
            | VertexKind::Terminate => false,
        }
    }

    /// A new state where a transition leaves off, with the first free name of `sx1`, `sx2`, ..
    fn intermediate(&mut self, number: &mut usize, transition: &Transition) -> VertexId {
        let name = loop {
            *number += 1;
            let name = format!("sx{number}");
            if self.vertices.iter().all(|vertex| vertex.name != name) {
                break name;
            }
        };
        let region = self.vertices[transition.source].region;
        let vertex = self.vertices.push(Vertex {
            label: name.clone(),
            name,
            region,
            kind: VertexKind::State(StateBody::default()),
            stereotypes: Vec::new(),
            colour: None,
            declared: true,
            place: transition.place,
        });
        self.regions[region].vertices.push(vertex);
        vertex
    }
}

/// A label before its effects, and these with their sign. A sign in brackets divides numbers.
fn parted(label: &str) -> (String, String) {
    let mut depth = 0_usize;
    let sign = label.char_indices().find(|(_, sign)| {
        match sign {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *sign == '/' && depth == 0
    });
    match sign {
        Some((at, _)) => (label[..at].trim_end().to_owned(), label[at..].trim_end().to_owned()),
        None => (label.to_owned(), String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::parted;

    #[test]
    fn labels_are_parted_before_their_effects() {
        let check = |label, before: &str, after: &str| {
            assert_eq!(parted(label), (before.to_owned(), after.to_owned()), "{label}");
        };
        check("go [x / 2 > 1] / x = x / 2; ^b.m", "go [x / 2 > 1]", "/ x = x / 2; ^b.m");
        check("/ ^m", "", "/ ^m");
        check("put(k)", "put(k)", "");
    }
}

//! Formulas for tools that know events by their texts alone.

use sequent_kernel::formula::{Atom, Binary, Formula, Node, Word};
use sequent_kernel::property::ltl;
use sequent_kernel::system::System;

/// A formula in which events are written as their texts.
pub fn told(formula: &Formula, system: &System) -> Formula {
    let place = formula.place;
    let node = match &formula.node {
        Node::Atom(Atom::Event(pattern)) => {
            let events = system.events.iter().filter(|event| ltl::matches(pattern, event, system));
            let each = events.map(|event| {
                let word = Word { text: event.text.clone(), place };
                Formula { node: Node::Atom(Atom::Exactly(word)), place }
            });
            let joined = each.reduce(|one, other| {
                let operator = Binary::Or;
                Formula { node: Node::Binary(operator, Box::new(one), Box::new(other)), place }
            });
            return joined.unwrap_or(Formula { node: Node::Constant(false), place });
        }
        Node::Constant(_) | Node::Atom(_) => formula.node.clone(),
        Node::Unary(operator, part) => Node::Unary(*operator, Box::new(told(part, system))),
        Node::Binary(operator, left, right) => {
            Node::Binary(*operator, Box::new(told(left, system)), Box::new(told(right, system)))
        }
    };
    Formula { node, place }
}

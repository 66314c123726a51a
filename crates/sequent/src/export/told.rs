//! Formulas for tools that know events by their texts alone.

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, FormulaWord};
use sequent_kernel::property::ltl;
use sequent_kernel::system::System;

/// A formula in which events are written as their texts.
pub fn told(formula: &Formula, system: &System) -> Formula {
    let place = formula.place;
    let node = match &formula.node {
        FormulaNode::Atom(Atom::Event(pattern)) => {
            let events = system.events.iter().filter(|event| ltl::matches(pattern, event, system));
            let each = events.map(|event| {
                let word = FormulaWord { text: event.text.clone(), place };
                Formula { node: FormulaNode::Atom(Atom::Exactly(word)), place }
            });
            let joined = each.reduce(|one, other| {
                let operator = Binary::Or;
                Formula { node: FormulaNode::Binary(operator, Box::new(one), Box::new(other)), place }
            });
            return joined.unwrap_or(Formula { node: FormulaNode::Constant(false), place });
        }
        FormulaNode::Constant(_) | FormulaNode::Atom(_) => formula.node.clone(),
        FormulaNode::Unary(operator, part) => FormulaNode::Unary(*operator, Box::new(told(part, system))),
        FormulaNode::Binary(operator, left, right) => {
            FormulaNode::Binary(*operator, Box::new(told(left, system)), Box::new(told(right, system)))
        }
    };
    Formula { node, place }
}

//! Resolutions: the valuations of the rigid propositions that their rules allow, and what the templates say under one.

use std::collections::BTreeMap;

use super::write::{binary, truth, unary};
use super::{Letter, Templates};
use crate::formula::{Atom, Formula, Node};

/// A value for each rigid proposition.
pub type Resolution = BTreeMap<String, bool>;

/// All valuations that the rules of the templates allow, in order; `None` if there are more than `most`, or if it takes too
/// long to find them.
pub fn resolutions(templates: &Templates, most: usize) -> Option<Vec<Resolution>> {
    let rules = templates.list.iter().filter(|template| template.letter == Letter::Exe);
    let rules: Vec<Formula> = rules.map(|template| template.formula.clone()).collect();
    if rules.iter().any(|rule| rule.node == Node::Constant(false)) {
        return Some(Vec::new());
    }
    // Whatever is decided leaves fewer rules to look at.
    let mut open = vec![(Resolution::new(), rules)];
    let mut found = Vec::new();
    let mut steps = most.saturating_mul(templates.rigids.len() + 1).saturating_mul(4);
    while let Some((so_far, rules)) = open.pop() {
        steps = steps.checked_sub(1)?;
        let Some(rigid) = templates.rigids.get(so_far.len()) else {
            found.push(so_far);
            if found.len() > most {
                return None;
            }
            continue;
        };
        for value in [true, false] {
            let one = Resolution::from([(rigid.clone(), value)]);
            let left: Vec<Formula> = rules.iter().map(|rule| instantiate(rule, &one)).collect();
            if left.iter().any(|rule| rule.node == Node::Constant(false)) {
                continue;
            }
            let left = left.into_iter().filter(|rule| rule.node != Node::Constant(true)).collect();
            let mut next = so_far.clone();
            next.insert(rigid.clone(), value);
            open.push((next, left));
        }
    }
    Some(found)
}

/// A formula where some propositions have their values.
pub fn instantiate(formula: &Formula, values: &Resolution) -> Formula {
    match &formula.node {
        Node::Constant(_) => formula.clone(),
        Node::Atom(Atom::Name(word)) => match values.get(&word.text) {
            Some(value) => truth(*value, formula.place),
            None => formula.clone(),
        },
        Node::Atom(_) => formula.clone(),
        Node::Unary(operator, part) => unary(*operator, instantiate(part, values)),
        Node::Binary(operator, left, right) => {
            binary(*operator, instantiate(left, values), instantiate(right, values))
        }
    }
}

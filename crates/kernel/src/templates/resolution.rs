//! Resolutions: the valuations of the rigid propositions that their rules allow, and what the templates say under one.

use std::collections::BTreeMap;

use super::write::{binary, truth, unary};
use super::{RigidId, TemplateLetter, TemplateTree, Templates};
use crate::formula::{Atom, Formula, FormulaNode};

/// A value for each rigid proposition.
pub type Resolution = BTreeMap<String, bool>;

/// All valuations that the rules of the templates allow, in order; `None` if there are more than `most`, or if it takes too
/// long to find them.
pub fn resolutions(templates: &Templates, most: usize) -> Option<Vec<Resolution>> {
    let rules = templates.list.iter().filter(|template| template.letter == TemplateLetter::Exe);
    let rules: Vec<Formula> = rules.map(|template| template.formula.clone()).collect();
    let mut found = Vec::new();
    let steps = most.saturating_mul(templates.rigids.len() + 1).saturating_mul(4);
    let is_over = search(&templates.rigids, rules, steps, &mut |resolution| {
        found.push(resolution);
        found.len() <= most
    });
    is_over.filter(|_| found.len() <= most).map(|()| found)
}

/// Calls `see` with each valuation that the rules allow until it returns false; `None` after `steps` steps.
fn search(
    rigids: &[String],
    rules: Vec<Formula>,
    mut steps: usize,
    see: &mut dyn FnMut(Resolution) -> bool,
) -> Option<()> {
    if rules.iter().any(|rule| rule.node == FormulaNode::Constant(false)) {
        return Some(());
    }
    // Whatever is decided leaves fewer rules to look at.
    let mut open = vec![(Resolution::new(), rules)];
    while let Some((so_far, rules)) = open.pop() {
        steps = steps.checked_sub(1)?;
        let Some(rigid) = rigids.get(so_far.len()) else {
            match see(so_far) {
                true => continue,
                false => return Some(()),
            }
        };
        for value in [true, false] {
            let one = Resolution::from([(rigid.clone(), value)]);
            let left: Vec<Formula> = rules.iter().map(|rule| instantiate(rule, &one)).collect();
            if left.iter().any(|rule| rule.node == FormulaNode::Constant(false)) {
                continue;
            }
            let left = left.into_iter().filter(|rule| rule.node != FormulaNode::Constant(true)).collect();
            let mut next = so_far.clone();
            next.insert(rigid.clone(), value);
            open.push((next, left));
        }
    }
    Some(())
}

/// More than this is not tried to find out whether guards contradict each other.
const MOST_TRIED: usize = 100_000;

impl TemplateTree {
    /// Whether its rules allow no values at all: guards contradict each other, and there is no run. False too if that takes too
    /// long to find out.
    pub fn is_contradictory(&self) -> bool {
        let rigids: Vec<String> = self.rigids.iter().cloned().collect();
        let rules = self.rules.iter().map(|rule| rule.formula.clone()).collect();
        let mut is_possible = false;
        let is_over = search(&rigids, rules, MOST_TRIED, &mut |_| {
            is_possible = true;
            false
        });
        is_over.is_some() && !is_possible
    }

    /// The rules about rigid propositions by the last of those that each mentions; `None` for those that
    /// mention none.
    pub fn rules_by_last(&self) -> BTreeMap<Option<RigidId>, Vec<&Formula>> {
        let numbers: BTreeMap<&str, RigidId> =
            self.rigids.enumerate().map(|(rigid, name)| (name.as_str(), rigid)).collect();
        let mut due: BTreeMap<Option<RigidId>, Vec<&Formula>> = BTreeMap::new();
        for rule in &self.rules {
            let mut last = None;
            let mut open = vec![&rule.formula];
            while let Some(formula) = open.pop() {
                if let FormulaNode::Atom(Atom::Name(word)) = &formula.node {
                    last = last.max(numbers.get(word.text.as_str()).copied());
                }
                open.extend(formula.parts());
            }
            due.entry(last).or_default().push(&rule.formula);
        }
        due
    }
}

/// A formula where some propositions have their values.
pub fn instantiate(formula: &Formula, values: &Resolution) -> Formula {
    let constant = |value: &bool| truth(*value, formula.place);
    replaced(formula, &values.iter().map(|(name, value)| (name.clone(), constant(value))).collect())
}

/// A formula where others stand for some propositions.
pub(super) fn replaced(formula: &Formula, others: &BTreeMap<String, Formula>) -> Formula {
    match &formula.node {
        FormulaNode::Constant(_) => formula.clone(),
        FormulaNode::Atom(Atom::Name(word)) => others.get(&word.text).unwrap_or(formula).clone(),
        FormulaNode::Atom(_) => formula.clone(),
        FormulaNode::Unary(operator, part) => unary(*operator, replaced(part, others)),
        FormulaNode::Binary(operator, left, right) => {
            binary(*operator, replaced(left, others), replaced(right, others))
        }
    }
}

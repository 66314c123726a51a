//! Rules about propositions without those that are chosen later: what a choice must leave possible.
//!
//! Choosing one proposition after the other by [`TemplateTree::choices`] never comes to a point where no value is left, unless the rules
//! contradict each other.

use std::collections::BTreeMap;

use super::condition::RigidId;
use super::resolution::{Resolution, instantiate};
use super::tree::TemplateTree;
use super::write::{all, binary, name, not, truth};
use crate::formula::{Binary, Formula, FormulaNode};

/// Formulas with more propositions are not looked through.
const MOST_WORDS: usize = 10;

impl TemplateTree {
    /// The rules about rigid propositions by the last of those that each speaks of, and with them what follows from later rules; `None` for those that
    /// speak of none.
    pub fn choices(&self) -> BTreeMap<Option<RigidId>, Vec<Formula>> {
        let numbers: BTreeMap<&str, RigidId> =
            self.rigids.enumerate().map(|(rigid, name)| (name.as_str(), rigid)).collect();
        let last = |formula: &Formula| {
            formula.names().iter().filter_map(|word| numbers.get(word.as_str())).max().copied()
        };
        let mut due: BTreeMap<Option<RigidId>, Vec<Formula>> = BTreeMap::new();
        for rule in &self.rules {
            due.entry(last(&rule.formula)).or_default().push(rule.formula.clone());
        }
        for rigid in self.rigids.ids().rev() {
            let Some(rules) = due.get(&Some(rigid)) else { continue };
            let Some(left) = without(&all(rules.clone(), self.place), &self.rigids[rigid]) else { continue };
            if left.node == FormulaNode::Constant(true) {
                continue;
            }
            let earlier = last(&left);
            // What holds in an iteration says nothing where there is none.
            if earlier.is_some_and(|earlier| self.homes[earlier] == self.homes[rigid]) {
                due.entry(earlier).or_default().push(left);
            }
        }
        due
    }
}

/// Whether a formula without temporal operators holds whatever its propositions are; `None` if they are too many.
pub(super) fn is_valid(formula: &Formula) -> Option<bool> {
    Some(expanded(formula)?.node == FormulaNode::Constant(true))
}

/// What a formula leaves possible if one of its propositions may have any value; `None` if it has too many.
fn without(formula: &Formula, word: &str) -> Option<Formula> {
    let given = |value: bool| instantiate(formula, &Resolution::from([(word.to_owned(), value)]));
    expanded(&binary(Binary::Or, given(false), given(true)))
}

/// The same formula proposition by proposition; a constant if it is one.
fn expanded(formula: &Formula) -> Option<Formula> {
    let words: Vec<String> = formula.names().into_iter().collect();
    (words.len() <= MOST_WORDS).then(|| expand(formula, &words))
}

fn expand(formula: &Formula, words: &[String]) -> Formula {
    let Some((word, rest)) = words.split_first() else { return formula.clone() };
    let given = |value: bool| expand(&instantiate(formula, &Resolution::from([(word.clone(), value)])), rest);
    let (low, high) = (given(false), given(true));
    if low == high {
        return low;
    }
    let own = name(word, formula.place);
    let is = |formula: &Formula, value: bool| *formula == truth(value, formula.place);
    if is(&low, false) {
        binary(Binary::And, own, high)
    } else if is(&high, false) {
        binary(Binary::And, not(own), low)
    } else if is(&low, true) {
        binary(Binary::Implies, own, high)
    } else if is(&high, true) {
        binary(Binary::Or, own, low)
    } else {
        let low = binary(Binary::And, not(own.clone()), low);
        binary(Binary::Or, binary(Binary::And, own, high), low)
    }
}

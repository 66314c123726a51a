//! Conditions of operands and choices: frozen variables, each in the module of the fragment that it decides about, or in
//! one of their own if it decides about several.
//!
//! A fragment has a module on each of its lifelines. The constraint of an operand stands on the lifeline of the first occurrence
//! that is drawn in it (appendix B of P0), as in the lowering; the others read it there.

use std::collections::{BTreeMap, BTreeSet};

use sequent_kernel::formula::{Atom, Formula, FormulaNode};
use sequent_kernel::templates::{LineId, NodeId, OperandComposition, RigidId};

use super::super::super::names::Identifiers;
use super::super::lexicon::fresh;
use super::units::{ModulePath, UnitPlan};

/// Where a condition is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Home {
    /// The module of a fragment; `None` for the one of all others.
    pub path: Option<ModulePath>,
    /// Its name there.
    pub name: String,
}

/// Where all conditions are declared.
pub(crate) fn homes(plan: &UnitPlan<'_>) -> BTreeMap<RigidId, Home> {
    let tree = plan.tree;
    let mut askers: BTreeMap<RigidId, BTreeSet<NodeId>> = BTreeMap::new();
    let mut names: BTreeMap<RigidId, String> = BTreeMap::new();
    let mut lines: BTreeMap<RigidId, LineId> = BTreeMap::new();
    for (id, _) in tree.nodes.enumerate() {
        let Some(fragment) = tree.fragment(id) else { continue };
        for (number, operand) in (1..).zip(&fragment.operands) {
            let own = tree.operand(*operand).and_then(|operand| operand.own.as_ref());
            for (rigid, _) in own.and_then(|own| own.literals()).into_iter().flatten() {
                let word = match fragment.shape {
                    OperandComposition::Alt | OperandComposition::Ignore | OperandComposition::Consider => {
                        "exe"
                    }
                    _ => "cond",
                };
                names.entry(*rigid).or_insert_with(|| format!("{word}{number}"));
                askers.entry(*rigid).or_default().insert(id);
                if let Some(first) = tree.enabled(*operand).first() {
                    lines.entry(*rigid).or_insert(tree.occurrences[*first].line);
                }
            }
        }
        for rule in tree.rules.iter().filter(|rule| rule.about == fragment.name) {
            let named = tree.rigids.enumerate().filter(|(_, text)| mentions(&rule.formula, text));
            let named: Vec<RigidId> = named.map(|(rigid, _)| rigid).collect();
            let told: Vec<LineId> = named.iter().filter_map(|rigid| lines.get(rigid)).copied().collect();
            for rigid in named {
                askers.entry(rigid).or_default().insert(id);
                // The choice of an operand, and the constraint that it needs.
                if let [line] = told[..] {
                    lines.entry(rigid).or_insert(line);
                }
            }
        }
    }
    let mut shared = fresh();
    let mut taken: BTreeMap<ModulePath, Identifiers> = BTreeMap::new();
    let mut homes = BTreeMap::new();
    for (rigid, text) in tree.rigids.enumerate() {
        let asker = askers.get(&rigid).filter(|askers| askers.len() == 1).and_then(|askers| askers.first());
        let paths = asker.and_then(|asker| plan.compounds.get(asker));
        let own = |path: &&ModulePath| lines.get(&rigid) == Some(&path.line);
        let path = paths.and_then(|paths| paths.iter().find(own).or(paths.first()));
        let home = match path {
            Some(path) => {
                let own = taken.entry(path.clone()).or_insert_with(fresh);
                let free = || (1..).map(|number| format!("cond{number}")).find(|name| !own.has(name));
                let wished = names.get(&rigid).cloned().or_else(free).unwrap_or_default();
                Home { path: Some(path.clone()), name: own.give(&wished) }
            }
            None => Home { path: None, name: shared.give(text) },
        };
        homes.insert(rigid, home);
    }
    homes
}

/// Whether a formula mentions a proposition.
fn mentions(formula: &Formula, name: &str) -> bool {
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        if matches!(&formula.node, FormulaNode::Atom(Atom::Name(word)) if word.text == name) {
            return true;
        }
        open.extend(formula.parts());
    }
    false
}

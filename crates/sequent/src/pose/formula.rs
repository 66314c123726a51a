//! Formulas: the automaton of the runs that violate one, and what a formula waits for.

use std::collections::BTreeMap;
use std::rc::Rc;

use sequent_kernel::formula::{Atom, Binary, Formula, FormulaNode, Unary};
use sequent_kernel::property::ltl::{AtomMeaning, BoundFormula, LtlAutomaton, bind, bind_with};
use sequent_kernel::question::{Case, Goal, Watcher};
use sequent_kernel::source::Place;
use sequent_kernel::system::System;
use sequent_kernel::verdict::Reason;
use sequent_notation::formula::print;

use super::wording::QueryWording;
use super::{About, Scene, View};

/// The automaton that accepts runs which violate a formula, and the formula with its atoms bound to the System.
pub(crate) fn violation(
    formula: &Formula,
    system: &System,
    about: &About<'_>,
    atoms: Option<&BTreeMap<Atom, AtomMeaning>>,
) -> Result<(BoundFormula, LtlAutomaton), Reason> {
    let bound = match (about, atoms) {
        (_, Some(atoms)) => bind_with(formula, system, &mut |atom| atoms.get(atom).cloned()),
        (About::Interaction(_, _, assumptions), None) => bind(formula, system, &assumptions.chosen),
        (About::Objects(_), None) => bind_with(formula, system, &mut |_| None),
    };
    let bound = bound.map_err(|unbound| {
        let names = unbound.iter().map(|one| print(&atom(&one.atom, one.place))).collect();
        Reason::UnknownAtoms(names)
    })?;
    let automaton = LtlAutomaton::violation(&bound).map_err(Reason::TooLarge)?;
    Ok((bound, automaton))
}

fn atom(atom: &Atom, place: Place) -> Formula {
    Formula { node: FormulaNode::Atom(atom.clone()), place }
}

/// What must come for a formula to ask anything, as a case: is there a run in which it comes?
pub struct Premise {
    /// The case.
    pub case: Case,
    /// What is said if there is none.
    pub idle: String,
}

/// The premises of the formula of a scene; none if it is of something else.
pub(crate) fn premises(scene: &Scene<'_>) -> Result<Vec<Premise>, Reason> {
    let View::Formula(property, _, atoms) = &scene.view else { return Ok(Vec::new()) };
    let wording = QueryWording::of(property);
    let mut premises = Vec::new();
    for FormulaPremise { formula, around } in triggers(wording.formula()) {
        let never = unary(Unary::Not, formula.clone());
        let never = around.iter().rev().fold(never, |never, operator| unary(*operator, never));
        let (_, automaton) = violation(&never, &scene.case.system, &scene.about, *atoms)?;
        let text = wording.operands(formula).join(" followed by ");
        let idle = match around.contains(&Unary::Globally) || wording.is_made(formula) {
            true => format!("{text} never happens"),
            false => {
                format!("{text} is never true where it is asked, at the start; `G (..)` asks it everywhere")
            }
        };
        let goal = Goal::Accepted(Watcher::Formula(Rc::new(automaton)));
        premises.push(Premise { case: scene.case.instead(goal), idle });
    }
    Ok(premises)
}

fn unary(operator: Unary, part: Formula) -> Formula {
    let place = part.place;
    Formula { node: FormulaNode::Unary(operator, Box::new(part)), place }
}

/// A premise of a formula: what must come for it to ask anything.
struct FormulaPremise<'f> {
    formula: &'f Formula,
    /// `G` and `X` around it, outermost first.
    around: Vec<Unary>,
}

/// The premises of a formula: the left sides of implications, and what a precedence (`!b W a`) holds back. Only where the
/// formula is a conjunction of such things under `G` and `X`, so that one that never comes says something about the whole.
fn triggers(formula: &Formula) -> Vec<FormulaPremise<'_>> {
    let mut triggers = Vec::new();
    let mut open = vec![(formula, Vec::new())];
    while let Some((formula, mut around)) = open.pop() {
        match &formula.node {
            FormulaNode::Binary(Binary::Implies, left, right) => {
                triggers.push(FormulaPremise { formula: left, around: around.clone() });
                open.push((right, around));
            }
            FormulaNode::Binary(Binary::And, left, right) => {
                open.extend([(&**right, around.clone()), (&**left, around)]);
            }
            FormulaNode::Binary(Binary::WeakUntil, left, _) => {
                around.push(Unary::Globally);
                triggers.extend(negated(left).map(|formula| FormulaPremise { formula, around }));
            }
            FormulaNode::Unary(operator @ (Unary::Globally | Unary::Next), part) => {
                around.push(*operator);
                open.push((part, around));
            }
            FormulaNode::Constant(_)
            | FormulaNode::Atom(_)
            | FormulaNode::Unary(..)
            | FormulaNode::Binary(..) => {}
        }
    }
    triggers
}

/// What a formula denies, if it does.
fn negated(formula: &Formula) -> Option<&Formula> {
    match &formula.node {
        FormulaNode::Unary(Unary::Not, part) => Some(part),
        FormulaNode::Constant(_)
        | FormulaNode::Atom(_)
        | FormulaNode::Unary(..)
        | FormulaNode::Binary(..) => None,
    }
}

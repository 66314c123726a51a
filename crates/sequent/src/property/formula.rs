//! Formulas: does every run satisfy one?

use std::collections::BTreeSet;

use sequent_kernel::formula::{Atom, Binary, Formula, Node, Unary};
use sequent_kernel::property::ltl::{Automaton, Bound, PartId, TooLarge, bind};
use sequent_kernel::replay::Run;
use sequent_notation::formula::print;

use super::ask::{run, story, visible};
use super::blame::{Reason, Truths, blame};
use super::{Found, Scene};

/// The guards, or what may be one, that a formula names.
pub fn names(formula: &Formula) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        if let Node::Atom(Atom::Name(word)) = &formula.node {
            names.insert(word.text.clone());
        }
        open.extend(formula.parts());
    }
    names
}

/// Looks for a run that violates a formula.
pub fn search(formula: &Formula, scene: &mut Scene<'_, '_>) -> Result<Found, String> {
    let bound = bound(formula, scene)?;
    let observer = Automaton::violation(&bound).map_err(too_large)?;
    let (violation, states) = run(&observer, scene)?;
    let Some(violation) = violation else {
        let (idle, more) = idle(formula, scene)?;
        return Ok(Found { violation: None, idle, is_strained: false, states: states + more });
    };
    todo!()
}

fn bound(formula: &Formula, scene: &Scene<'_, '_>) -> Result<Bound, String> {
    bind(formula, scene.system, &scene.assumptions.chosen).map_err(|unbound| {
        let names: Vec<String> = unbound.iter().map(|one| print(&atom(&one.atom, one.place))).collect();
        format!("the diagram knows nothing of {}", names.join(", "))
    })
}

fn atom(atom: &Atom, place: sequent_kernel::source::Place) -> Formula {
    Formula { node: Node::Atom(atom.clone()), place }
}

fn too_large(reason: TooLarge) -> String {
    match reason {
        TooLarge::Formula => "the formula is too large".to_owned(),
        TooLarge::States => "the automaton of the formula is too large".to_owned(),
        TooLarge::Marks => "the formula has too many things that must come again and again".to_owned(),
        TooLarge::Memory => "the formula has too many operators of the past".to_owned(),
    }
}

/// What a formula waits for and what never comes, in no run of the scene.
fn idle(formula: &Formula, scene: &mut Scene<'_, '_>) -> Result<(BTreeSet<String>, usize), String> {
    let (mut idle, mut states) = (BTreeSet::new(), 0);
    for trigger in triggers(formula) {
        let never = unary(Unary::Globally, unary(Unary::Not, trigger.clone()));
        let bound = bound(&never, scene)?;
        let (fires, visited) = run(&Automaton::violation(&bound).map_err(too_large)?, scene)?;
        states += visited;
        if fires.is_none() {
            idle.insert(print(trigger));
        }
    }
    Ok((idle, states))
}

fn unary(operator: Unary, part: Formula) -> Formula {
    let place = part.place;
    Formula { node: Node::Unary(operator, Box::new(part)), place }
}

/// The premises of a formula: what must come for it to ask anything. The left sides of implications, and what a precedence
/// (`!b W a`) holds back. Only where the formula is a conjunction of such things under `G`, so that one that never comes
/// says something about the whole.
fn triggers(formula: &Formula) -> Vec<&Formula> {
    let mut triggers = Vec::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match &formula.node {
            Node::Binary(Binary::Implies, left, right) => {
                triggers.push(&**left);
                open.push(right);
            }
            Node::Binary(Binary::And, left, right) => open.extend([&**right, &**left]),
            Node::Binary(Binary::WeakUntil, left, _) => triggers.extend(negated(left)),
            Node::Unary(Unary::Globally | Unary::Next, part) => open.push(part),
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => {}
        }
    }
    triggers
}

/// What a formula denies, if it does.
fn negated(formula: &Formula) -> Option<&Formula> {
    match &formula.node {
        Node::Unary(Unary::Not, part) => Some(part),
        Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => None,
    }
}

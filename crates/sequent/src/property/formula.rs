//! Formulas: does every run satisfy one?

use std::collections::BTreeSet;

use sequent_kernel::formula::{Atom, Binary, Formula, Node, Unary};
use sequent_kernel::model::Property;
use sequent_kernel::property::Moment;
use sequent_kernel::property::ltl::{Automaton, Bound, PartId, TooLarge, bind, bind_with, truth};
use sequent_kernel::replay::{Run, replay};
use sequent_notation::formula::print;

use super::ask::{Sought, positions, run, story};
use super::blame::{Reason, Truths, blame};
use super::patience::patient;
use super::wording::Wording;
use super::{About, Found, Scene};

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
pub fn search(property: &Property, scene: &mut Scene<'_, '_>) -> Result<Found, String> {
    let formula = &property.formula;
    let bound = bound(formula, scene)?;
    let observer = Automaton::violation(&bound).map_err(too_large)?;
    let (sought, states) = run(&observer, scene, false)?;
    let violation = match sought {
        Sought::Run(violation) => violation,
        Sought::Doubtful => return Ok(Found::nothing(BTreeSet::new(), true, states)),
        Sought::Nothing => {
            let (idle, more) = idle(property, scene)?;
            return Ok(Found::nothing(idle, false, states + more));
        }
    };
    let (marked, lines) = explain(property, &bound, &violation, scene)?;
    let story = story(scene, &violation, marked, lines);
    Ok(Found::violated(&violation, story, states))
}

/// The steps that matter and what is to be said, if the run violates the formula indeed: judged by its definition.
fn explain(
    property: &Property,
    bound: &Bound,
    run: &Run,
    scene: &Scene<'_, '_>,
) -> Result<(BTreeSet<usize>, Vec<String>), String> {
    let system = scene.system;
    let configs = replay(system, run).map_err(|_| "the run that was found could not be replayed")?;
    let seen = positions(system, run, &configs, &bound.terms());
    let split = run.cycle.unwrap_or(run.steps.len());
    let moments = seen.iter().map(|(step, moment)| (*step < split, *moment));
    let (prefix, cycle): (Vec<_>, Vec<_>) = moments.partition(|(is_prefix, _)| *is_prefix);
    let prefix: Vec<Moment> =
        [Moment::Start].into_iter().chain(prefix.into_iter().map(|(_, one)| one)).collect();
    let mut cycle: Vec<Moment> = cycle.into_iter().map(|(_, moment)| moment).collect();
    let is_complete = configs.last().is_some_and(|last| system.holds(system.complete, last));
    // A run of which nothing more is seen, or which is shown only up to where it is lost, has no proper end.
    let is_over = is_complete
        && (!system.is_free() || configs.last().is_some_and(|last| system.steps(last).is_empty()));
    if cycle.is_empty() && (run.cycle.is_some() || !is_over) {
        cycle.push(Moment::Stuck);
    }
    // Position 0 is the start, position n the n-th event or silent change, and the one after the last the end.
    let step = |position: usize| position.checked_sub(1).and_then(|before| seen.get(before)).copied();
    let config = |position: usize| match (position, step(position)) {
        (0, _) => &configs[0],
        (_, Some((step, _))) => &configs[step + 1],
        (_, None) => &configs[configs.len() - 1],
    };
    let truth = truth(bound, &prefix, &cycle, |position, term| system.holds(term, config(position)));
    if truth.holds() {
        return Err("the run that was found does not violate the formula".to_owned());
    }
    let wording = Wording::of(property);
    let truths = Truths {
        bound,
        is_made: &|part| wording.text(part).is_none(),
        length: truth.positions.len(),
        back: truth.once,
        is_true: &|part, column| truth.at(part, column),
    };
    let mut blame = blame(&truths);
    if blame.reasons.is_empty() {
        blame.reasons.push(Reason::Fails(bound.whole(), 0));
    }
    let steps = blame.positions.iter().filter_map(|column| step(truth.positions[*column]));
    let marked = steps.map(|(step, _)| step).collect();
    let at = |column: usize| match (truth.positions[column], step(truth.positions[column])) {
        (0, _) => "the start".to_owned(),
        (number, Some((_, Moment::Event(event)))) => format!("{number}, {}", system.events[event].text),
        (number, Some((_, Moment::Start | Moment::Silent | Moment::End | Moment::Stuck))) => {
            format!("{number}, a step that shows nothing")
        }
        (_, None) => "the end".to_owned(),
    };
    let text = |part: PartId| wording.text(part).unwrap_or(&property.text);
    let lines = blame.reasons.iter().map(|reason| match reason {
        Reason::Holds(part, column) => format!("`{}` is true at {}", text(*part), at(*column)),
        Reason::Fails(part, column) => format!("`{}` is false at {}", text(*part), at(*column)),
        Reason::NeverComes(part, 0) => format!("`{}` never comes", text(*part)),
        Reason::NeverComes(part, column) => format!("`{}` never comes from {} on", text(*part), at(*column)),
        Reason::NotBefore(part, from, to) if from == to => {
            format!("`{}` is not true at {}", text(*part), at(*to))
        }
        Reason::NotBefore(part, 0, column) => {
            format!("`{}` has not come before {}", text(*part), at(*column))
        }
        Reason::NotBefore(part, from, to) => {
            format!("`{}` has not come between {} and {}", text(*part), at(*from), at(*to))
        }
    });
    let mut told: Vec<String> = Vec::new();
    for line in lines {
        if !told.contains(&line) {
            told.push(line);
        }
    }
    if told.is_empty() {
        told.push(format!("`{}` is violated", property.text.trim()));
    }
    if let About::Objects(lore) = scene.about {
        told.extend(patient(lore.objects, run, &configs));
    }
    Ok((marked, told))
}

fn bound(formula: &Formula, scene: &Scene<'_, '_>) -> Result<Bound, String> {
    let bound = match scene.about {
        About::Interaction(_) => bind(formula, scene.system, &scene.assumptions.chosen),
        About::Objects(lore) => bind_with(formula, scene.system, &mut |atom| lore.atoms.get(atom).cloned()),
    };
    bound.map_err(|unbound| {
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
fn idle(property: &Property, scene: &mut Scene<'_, '_>) -> Result<(BTreeSet<String>, usize), String> {
    let (mut idle, mut states) = (BTreeSet::new(), 0);
    let wording = Wording::of(property);
    for Trigger { formula, around } in triggers(wording.formula()) {
        let never = unary(Unary::Not, formula.clone());
        let never = around.iter().rev().fold(never, |never, operator| unary(*operator, never));
        let bound = bound(&never, scene)?;
        let (fires, visited) = run(&Automaton::violation(&bound).map_err(too_large)?, scene, false)?;
        states += visited;
        if matches!(fires, Sought::Nothing) {
            let text = wording.operands(formula).join(" followed by ");
            idle.insert(match around.contains(&Unary::Globally) || wording.is_made(formula) {
                true => format!("{text} never happens"),
                false => format!(
                    "{text} is never true where it is asked, at the start; `G (..)` asks it everywhere"
                ),
            });
        }
    }
    Ok((idle, states))
}

fn unary(operator: Unary, part: Formula) -> Formula {
    let place = part.place;
    Formula { node: Node::Unary(operator, Box::new(part)), place }
}

/// A premise of a formula: what must come for it to ask anything.
struct Trigger<'f> {
    formula: &'f Formula,
    /// `G` and `X` around it, outermost first.
    around: Vec<Unary>,
}

/// The premises of a formula: the left sides of implications, and what a precedence (`!b W a`) holds back. Only where the
/// formula is a conjunction of such things under `G` and `X`, so that one that never comes says something about the whole.
fn triggers(formula: &Formula) -> Vec<Trigger<'_>> {
    let mut triggers = Vec::new();
    let mut open = vec![(formula, Vec::new())];
    while let Some((formula, mut around)) = open.pop() {
        match &formula.node {
            Node::Binary(Binary::Implies, left, right) => {
                triggers.push(Trigger { formula: left, around: around.clone() });
                open.push((right, around));
            }
            Node::Binary(Binary::And, left, right) => {
                open.extend([(&**right, around.clone()), (&**left, around)]);
            }
            Node::Binary(Binary::WeakUntil, left, _) => {
                around.push(Unary::Globally);
                triggers.extend(negated(left).map(|formula| Trigger { formula, around }));
            }
            Node::Unary(operator @ (Unary::Globally | Unary::Next), part) => {
                around.push(*operator);
                open.push((part, around));
            }
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

//! Runs that violate a formula: where it became false, and which events made it so.

use std::collections::BTreeSet;

use sequent_kernel::log::MomentClaim;
use sequent_kernel::model::Property;
use sequent_kernel::property::ltl::{BoundFormula, PartId, Says, truth};
use sequent_kernel::property::{Moment, positions};
use sequent_kernel::replay::{Run, replay};
use sequent_kernel::verdict::{Reason, Refuted, Story};

use super::blame::{Cause, Truths, blame};
use super::patience::patient;
use super::{of_scene, rows};
use crate::pose::{About, QueryWording, Scene};

/// A run that violates a formula.
pub fn violated(
    scene: &Scene<'_>,
    property: &Property,
    bound: &BoundFormula,
    run: &Run,
) -> Result<Story, Reason> {
    let Explained { marked, lines, claims } = explain(scene, property, bound, run)?;
    let mut story = of_scene(scene, run, marked, lines);
    story.log.claims = claims;
    Ok(story)
}

/// Why a run violates a formula.
struct Explained {
    /// The steps that matter.
    marked: BTreeSet<usize>,
    /// What is to be said.
    lines: Vec<String>,
    /// The formula and its parts, along the run.
    claims: Vec<MomentClaim>,
}

/// Why the run violates the formula, if it does indeed: judged by its definition.
fn explain(
    scene: &Scene<'_>,
    property: &Property,
    bound: &BoundFormula,
    run: &Run,
) -> Result<Explained, Reason> {
    let system = &*scene.case.system;
    let configs = replay(system, run).map_err(|_| Reason::NotReplayed)?;
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
        return Err(Reason::Refuted(Refuted::Formula));
    }
    let wording = QueryWording::of(property);
    let truths = Truths {
        bound,
        is_made: &|part| wording.text(part).is_none(),
        length: truth.positions.len(),
        back: truth.once,
        is_true: &|part, column| truth.at(part, column),
    };
    let mut blame = blame(&truths);
    if blame.causes.is_empty() {
        blame.causes.push(Cause::Fails(bound.whole(), 0));
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
    let rows = match scene.about {
        About::Interaction(..) => rows(system, run),
        About::Objects(_) => (0..configs.len()).collect(),
    };
    let row = |column: usize| match (truth.positions[column], step(truth.positions[column])) {
        (0, _) => Some(0),
        (_, Some((step, _))) => Some(rows[step + 1]),
        (_, None) => None,
    };
    let columns: Vec<(usize, usize)> =
        (0..truth.positions.len()).filter_map(|column| Some((column, row(column)?))).collect();
    let claims = claims(&truths, &wording, &blame.causes, &columns);
    let text = |part: PartId| wording.text(part).unwrap_or(&property.text);
    let lines = blame.causes.iter().map(|cause| match cause {
        Cause::Holds(part, column) => format!("`{}` is true at {}", text(*part), at(*column)),
        Cause::Fails(part, column) => format!("`{}` is false at {}", text(*part), at(*column)),
        Cause::NeverComes(part, 0) => format!("`{}` never comes", text(*part)),
        Cause::NeverComes(part, column) => format!("`{}` never comes from {} on", text(*part), at(*column)),
        Cause::NotBefore(part, from, to) if from == to => {
            format!("`{}` is not true at {}", text(*part), at(*to))
        }
        Cause::NotBefore(part, 0, column) => {
            format!("`{}` has not come before {}", text(*part), at(*column))
        }
        Cause::NotBefore(part, from, to) => {
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
    if let About::Objects(ensemble) = scene.about {
        told.extend(patient(&ensemble.objects, run, &configs));
    }
    Ok(Explained { marked, lines: told, claims })
}

/// The parts of a formula that its author would know again, each once, and where along the rows of a log they are true. Of a
/// position that comes again the first time counts.
fn claims(
    truths: &Truths<'_>,
    wording: &QueryWording,
    causes: &[Cause],
    columns: &[(usize, usize)],
) -> Vec<MomentClaim> {
    let rows = columns.iter().map(|(_, row)| row + 1).max().unwrap_or(0);
    let mut claims: Vec<MomentClaim> = Vec::new();
    for (part, says) in truths.bound.parts().enumerate().map(|(id, part)| (id, &part.says)) {
        let text = wording.text(part).filter(|_| !matches!(says, Says::Constant(_)));
        let Some(text) = text.filter(|text| claims.iter().all(|known| known.text != *text)) else { continue };
        let mut claim = MomentClaim { text: text.to_owned(), truth: vec![None; rows], deciding: Vec::new() };
        for (column, row) in columns {
            claim.truth[*row].get_or_insert((truths.is_true)(part, *column));
        }
        let decides = |column: usize| {
            causes.iter().any(|cause| match cause {
                Cause::Holds(of, at) | Cause::Fails(of, at) => (*of, *at) == (part, column),
                Cause::NotBefore(of, _, to) => (*of, *to) == (part, column),
                Cause::NeverComes(..) => false,
            })
        };
        let deciding: BTreeSet<usize> =
            columns.iter().filter(|(column, _)| decides(*column)).map(|(_, row)| *row).collect();
        claim.deciding = deciding.into_iter().collect();
        claims.push(claim);
    }
    claims
}
